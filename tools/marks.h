/* SPDX-License-Identifier: MIT */
/*
 * marks.h - the stretches of a recording between marks
 */
#ifndef GPUOA_MARKS_H
#define GPUOA_MARKS_H

#include "gpuoa-time.h"
#include "output.h"

/* Stretches of GPU time: the first one is that before the first mark. */
struct marks {
	struct gpuoa_interval *list;
	uint64_t *values; /* of the mark that begins each; of the first one: none */
	size_t count;
};

/*
 * Go through a stream of a recording, and find all marks: those of programs, and those of commands
 * (reports that a write to the trigger register caused), whose platform is that of @set. Returns an
 * exit code; what is wrong has been said.
 */
int marks_find(struct marks *marks, const char *file, uint32_t stream, const struct gpuoa_set *set);

void marks_free(struct marks *marks);

/* What began stretch @number. */
struct field marks_field(const struct marks *marks, uint64_t number);

#endif /* GPUOA_MARKS_H */
