/* SPDX-License-Identifier: MIT */
/*
 * i915_records.h - reads a recording of i915-perf-recorder record by record
 */
#ifndef GPUOA_LIB_SOURCE_RECORDING_I915_RECORDS_H
#define GPUOA_LIB_SOURCE_RECORDING_I915_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/complaint.h"

struct i915_records {
	int fd;
	uint64_t file_size;
	uint8_t *window; /* a piece of the file: */
	size_t fill; /*   bytes in it */
	size_t at; /*   the next record */
	uint64_t read; /*   offset in the file of what comes behind it */
};

/* A record; what it points to stays until the next call. Nothing says that it is aligned. */
struct i915_record {
	uint32_t type; /* enum i915_record_type */
	size_t size; /* of the body */
	const uint8_t *body;
};

/* Does a file begin as such a recording does? False if it can't be opened. */
bool i915_records_recognise(const char *path);

/*
 * Errno of open(2); -ESPIPE: not a regular file. -ENOMEM. -EOPNOTSUPP: of another version
 * of the format.
 */
int i915_records_open(struct i915_records *records, const char *path,
		      const struct complaint *complaint);

void i915_records_close(struct i915_records *records);

/*
 * Next record. Returns 1, 0 at the end (what is no whole record there, a recorder that died has
 * left), -EBADMSG for a damaged file, or an errno of read(2).
 */
int i915_records_next(struct i915_records *records, struct i915_record *record);

/* Begin with the first record again. */
void i915_records_rewind(struct i915_records *records);

/*
 * The same, and come back later: a record from before stays where it is. @place is filled by leave.
 * 0 or -ENOMEM.
 */
int i915_records_leave(struct i915_records *records, struct i915_records *place);
void i915_records_return(struct i915_records *records, const struct i915_records *place);

#endif /* GPUOA_LIB_SOURCE_RECORDING_I915_RECORDS_H */
