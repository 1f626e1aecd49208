/* SPDX-License-Identifier: MIT */
/*
 * perfdata.h - read perf.data files: events and records
 *
 * Supports both layouts: the one with positions in the header, and the one that perf writes to a
 * pipe (`perf record -o - >file`), in which records describe the events. Every number of a file is
 * checked before use.
 */
#ifndef GPUOA_LIB_READER_RECORDING_PERFDATA_H
#define GPUOA_LIB_READER_RECORDING_PERFDATA_H

#include "base/complaint.h"
#include "reader/sample.h"

/* Maximum number of events: perf opens fewer on any machine, and they can be read at once. */
#define PERFDATA_EVENTS_MAX 1024

struct perfdata_id {
	uint64_t id;
	size_t event;
};

struct perfdata {
	int fd;
	struct complaint complaint;
	uint64_t file_size;

	bool pipe; /* the file has the pipe layout */
	uint64_t start; /* file offset of the first record; .end: of the end of the records */
	uint64_t end;
	bool unfinished; /* the writer was killed before it wrote the end of the file */

	uint8_t *window; /* part of the file */
	size_t fill; /* bytes in the window */
	size_t at; /* offset of the next record in the window */
	uint64_t read; /* file offset of the window's end */

	struct sample_layout *layouts; /* layouts of the events' records */
	size_t event_count;
	/* records before this offset have been searched for descriptions of events */
	uint64_t attrs_read;

	struct perfdata_id *ids;
	size_t id_count;
	bool ids_sorted;
};

/*
 * Open a file. @complaint: receives the reason of an error, without the path. Errors are those of
 * gpuoa_file_open().
 */
int perfdata_open(struct perfdata *data, const char *path, const struct complaint *complaint);

void perfdata_close(struct perfdata *data);

/*
 * Get the next record, valid until the next call. Returns 1, 0 at the end, -EBADMSG for a damaged
 * file, -EOPNOTSUPP for compressed records, or an errno of read(2).
 */
int perfdata_next(struct perfdata *data, const struct perf_event_header **record);

/* Restart at the first record. */
void perfdata_rewind(struct perfdata *data);

/* A saved read position. */
struct perfdata_place {
	uint8_t *window;
	size_t fill;
	size_t at;
	uint64_t read;
};

/*
 * Save the read position and restart at the first record. Records returned earlier remain valid
 * until the first call after perfdata_return(). Returns 0 or -ENOMEM.
 */
int perfdata_leave(struct perfdata *data, struct perfdata_place *place);

void perfdata_return(struct perfdata *data, const struct perfdata_place *place);

/*
 * Get the event to which a record belongs, as an index into @layouts. Returns 0, or -ENODATA if it
 * belongs to none.
 */
int perfdata_event(struct perfdata *data, const struct perf_event_header *record, size_t *event);

#endif /* GPUOA_LIB_READER_RECORDING_PERFDATA_H */
