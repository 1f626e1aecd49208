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
 * Open a recording. @index: number of the stream, as in gpuoa_file_open_stream(), or NULL; the file
 * has one stream. @complaint: receives the reason of an error, without the path. Errors are those
 * of gpuoa_file_open() and gpuoa_file_open_stream().
 */
int i915_file_open(const char *path, const uint32_t *index, struct gpuoa_reader **reader,
		   const struct complaint *complaint);

/*
 * A correlation is a clock pair with the 36-bit timestamp of the command streamer, which is
 * extended to 64 bits here. On some GPUs (DG2, Meteor Lake), that timestamp counts half as fast as
 * the timestamps of reports, so it is also scaled. The file does not contain the ratio, which is
 * computed from the rate of the correlations.
 */

struct i915_clock {
	uint64_t last; /* time of the last correlation in ticks, extended to 64 bits */
	bool has_last;
	unsigned int shift; /* log2 of the number of report ticks per tick of a correlation */
};

/* Convert the next correlation of the file to a clock pair. */
struct gpuoa_clock_pair i915_clock_pair(struct i915_clock *clock,
					const struct i915_correlation *correlation);

/*
 * Compute i915_clock.shift from two correlations and the timestamp frequency of reports. Returns 0
 * if the correlations are too close in time.
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

/* A record. Its pointers are valid until the next record is requested, and may be unaligned. */
struct i915_record {
	uint32_t type; /* enum i915_record_type */
	size_t size; /* size of the body in bytes */
	const uint8_t *body;
};

/*
 * True if a file begins like a recording of i915-perf-recorder; false if it does not, or if it
 * cannot be opened.
 */
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
 * i915_records_leave() saves the position in @place and restarts at the first record;
 * i915_records_return() restores the position. A record that was returned before remains valid.
 * Returns 0 or -ENOMEM.
 */
int i915_records_leave(struct i915_records *records, struct i915_records *place);
void i915_records_return(struct i915_records *records, const struct i915_records *place);

#endif /* GPUOA_LIB_READER_RECORDING_I915_FILE_H */
