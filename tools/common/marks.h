/* SPDX-License-Identifier: MIT */
/*
 * marks.h - spans of a recording between marks
 */
#ifndef GPUOA_MARKS_H
#define GPUOA_MARKS_H

#include "gpuoa-time.h"
#include "common/output.h"

/* Spans of GPU time; the first one ends at the first mark. */
struct marks {
	struct gpuoa_interval *list;
	uint64_t *values; /* value of the mark at the start of each; unused for the first one */
	size_t count;
};

/*
 * Read a stream of a recording and find all marks: those of programs, and those of GPU commands
 * (reports triggered by a write to the trigger register) on the platform of @set. Returns an exit
 * code; prints any error.
 */
int marks_find(struct marks *marks, const char *file, uint32_t stream, const struct gpuoa_set *set);

void marks_free(struct marks *marks);

/* Return the value of the mark at the start of span @number as an output field. */
struct field marks_field(const struct marks *marks, uint64_t number);

#endif /* GPUOA_MARKS_H */
