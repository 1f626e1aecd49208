/* SPDX-License-Identifier: MIT */
/*
 * marks.h - divide a recording into the spans between marks
 */
#ifndef GPUOA_MARKS_H
#define GPUOA_MARKS_H

#include "gpuoa-time.h"
#include "common/output.h"

/* The spans of GPU time between marks. The first span is the one before the first mark. */
struct marks {
	struct gpuoa_interval *list;
	/* for each span, the value of the mark at its start; unused for the first span */
	uint64_t *values;
	size_t count;
};

/*
 * Read a stream of a recording and find all marks: those that programs made, and those that GPU
 * commands made. The latter are reports that are triggered by a write to the trigger register, if
 * the platform of @set has one. Returns an exit code; prints any error.
 */
int marks_find(struct marks *marks, const char *file, uint32_t stream, const struct gpuoa_set *set);

void marks_free(struct marks *marks);

/* Return an output field that contains the value of the mark at the start of span @number. */
struct field marks_field(const struct marks *marks, uint64_t number);

#endif /* GPUOA_MARKS_H */
