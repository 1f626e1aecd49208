/* SPDX-License-Identifier: MIT */
/* i915_file.h - read a recording of i915-perf-recorder */
#ifndef GPUOA_LIB_READER_RECORDING_I915_FILE_H
#define GPUOA_LIB_READER_RECORDING_I915_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/complaint.h"
#include "gpuoa.h"
#include "reader/recording/i915_format.h"

/*
 * Open a recording. Errors are those of gpuoa_file_open(), or of gpuoa_file_open_stream() with
 * @index, which may be NULL: the file has one stream. @complaint gets the reason without the path.
 */
int i915_file_open(const char *path, const uint32_t *index, struct gpuoa_reader **reader,
		   const struct complaint *complaint);

/*
 * A correlation has the 36-bit timestamp of the command streamer, which is extended here. On GPUs
 * where that register counts slower than the timestamps of reports (DG2, Meteor Lake: half as
 * fast), it is also rescaled. The file does not contain the ratio: it is computed from the rate of
 * the correlations.
 */

struct i915_clock {
	uint64_t last; /* time of the last correlation in ticks, extended */
	bool has_last;
	unsigned int shift; /* log2 of report ticks per tick of a correlation */
};

/* Convert the next correlation of the file. */
struct gpuoa_clock_pair i915_clock_pair(struct i915_clock *clock,
					const struct i915_correlation *correlation);

/*
 * Compute i915_clock.shift from two correlations of a file and the frequency of reports. Returns 0
 * if they are too close.
 */
unsigned int i915_clock_shift(const struct i915_correlation *first,
			      const struct i915_correlation *second, uint64_t frequency);

struct i915_records {
	int fd;
	uint64_t file_size;
	uint8_t *window; /* part of the file */
	size_t fill; /* bytes in the window */
	size_t at; /* offset of the next record in the window */
	uint64_t read; /* file offset of the window's end */
};

/* A record; pointers are valid until the next call, and may be unaligned. */
struct i915_record {
	uint32_t type; /* enum i915_record_type */
	size_t size; /* size of the body in bytes */
	const uint8_t *body;
};

/* True if a file begins like such a recording; false if it cannot be opened. */
bool i915_records_recognise(const char *path);

/*
 * Open a file. Returns 0, an errno of open(2), -ESPIPE or -EISDIR if it is not a regular file,
 * -ENOMEM, or -EOPNOTSUPP for another version of the format.
 */
int i915_records_open(struct i915_records *records, const char *path,
		      const struct complaint *complaint);

void i915_records_close(struct i915_records *records);

/*
 * Get the next record. Returns 1, 0 at the end or at an incomplete last record (the recorder was
 * killed), -EBADMSG for a damaged file, or an errno of read(2).
 */
int i915_records_next(struct i915_records *records, struct i915_record *record);

/* Restart at the first record. */
void i915_records_rewind(struct i915_records *records);

/*
 * Save the position in @place and restart at the first record (_leave); restore the position
 * (_return). A record returned earlier remains valid. Returns 0 or -ENOMEM.
 */
int i915_records_leave(struct i915_records *records, struct i915_records *place);
void i915_records_return(struct i915_records *records, const struct i915_records *place);

#endif /* GPUOA_LIB_READER_RECORDING_I915_FILE_H */
