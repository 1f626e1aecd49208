/* SPDX-License-Identifier: MIT */
/*
 * perfdata_format.h - perf.data on disk (tools/perf/Documentation/perf.data-file-format.txt in the
 * kernel)
 */
#ifndef GPUOA_LIB_READER_RECORDING_PERFDATA_FORMAT_H
#define GPUOA_LIB_READER_RECORDING_PERFDATA_FORMAT_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#define PERFDATA_MAGIC 0x32454c4946524550ULL /* "PERFILE2", little endian */

/* Part of the file. */
struct perfdata_section {
	uint64_t offset;
	uint64_t size;
};

struct perfdata_header {
	uint64_t magic;
	uint64_t size; /* size of this header */
	/*
	 * size of an entry in the section .attrs: a perf_event_attr, and the section of the event's
	 * ids
	 */
	uint64_t attr_size;
	struct perfdata_section attrs;
	struct perfdata_section data;
	struct perfdata_section event_types;
	/* bit n: feature n has an entry in the table of sections that follows the data */
	uint64_t features[4];
};

/*
 * Sizes of shorter headers: that of a pipe has only magic and size, and those of old files have no
 * features.
 */
#define PERFDATA_PIPE_HEADER 16
#define PERFDATA_MIN_HEADER ((ssize_t)offsetof(struct perfdata_header, features))

/* Feature numbers */
#define PERFDATA_OSRELEASE 4
#define PERFDATA_ARCH 6
#define PERFDATA_EVENT_DESC 12

/* Record types of the perf tool */
#define PERFDATA_ATTR 64
#define PERFDATA_TRACING_DATA 66
#define PERFDATA_FINISHED_ROUND 68
#define PERFDATA_AUXTRACE 71
#define PERFDATA_COMPRESSED 81
#define PERFDATA_COMPRESSED2 83

#endif /* GPUOA_LIB_READER_RECORDING_PERFDATA_FORMAT_H */
