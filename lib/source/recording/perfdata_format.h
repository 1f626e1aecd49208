/* SPDX-License-Identifier: MIT */
/*
 * perfdata_format.h - perf.data as it lies on disk
 * (tools/perf/Documentation/perf.data-file-format.txt in the kernel)
 */
#ifndef GPUOA_LIB_PERFDATA_FORMAT_H
#define GPUOA_LIB_PERFDATA_FORMAT_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#define GPUOA_PERFDATA_MAGIC 0x32454c4946524550ULL /* "PERFILE2", little endian */

/* A piece of the file. */
struct gpuoa_perfdata_section {
	uint64_t offset;
	uint64_t size;
};

struct gpuoa_perfdata_header {
	uint64_t magic;
	uint64_t size; /* of this header */
	uint64_t attr_size; /* of an entry of attrs: a perf_event_attr, then the section of its
			       event's ids */
	struct gpuoa_perfdata_section attrs;
	struct gpuoa_perfdata_section data;
	struct gpuoa_perfdata_section event_types;
	uint64_t features[4]; /* bit n: feature n has an entry in the table of sections behind the
				 data */
};

/* A pipe's header has magic and size only; old files have no features. */
#define GPUOA_PERFDATA_PIPE_HEADER 16
#define GPUOA_PERFDATA_MIN_HEADER ((ssize_t)offsetof(struct gpuoa_perfdata_header, features))

/* Features */
#define GPUOA_PERFDATA_OSRELEASE 4
#define GPUOA_PERFDATA_ARCH 6
#define GPUOA_PERFDATA_EVENT_DESC 12

/* Record types of the perf tool */
#define GPUOA_PERFDATA_ATTR 64
#define GPUOA_PERFDATA_TRACING_DATA 66
#define GPUOA_PERFDATA_FINISHED_ROUND 68
#define GPUOA_PERFDATA_AUXTRACE 71
#define GPUOA_PERFDATA_COMPRESSED 81
#define GPUOA_PERFDATA_COMPRESSED2 83

#endif /* GPUOA_LIB_PERFDATA_FORMAT_H */
