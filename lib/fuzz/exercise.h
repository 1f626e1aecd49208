/* SPDX-License-Identifier: MIT */
/* exercise.h - use what a fuzzer has made in all ways that there are. */
#ifndef EXERCISE_H
#define EXERCISE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "gpuoa.h"

/* Must hold, whatever the input. */
#define MUST(condition)                                                 \
	do {                                                            \
		if (!(condition)) {                                     \
			fprintf(stderr, "%s:%d: ERROR: %s\n", __FILE__, \
				__LINE__, #condition);                  \
			abort();                                        \
		}                                                       \
	} while (0)

/* Describe all that a platform has, and calculate with its sets. */
void exercise_platform(const struct gpuoa_platform *platform);

/* Give each constant that has none a value that depends on @seed. */
void exercise_constants(struct gpuoa_constants *constants, uint32_t seed);

/*
 * Calculate with @count reports, all at once and in parts of @part: that must give the same. No report, or a set that
 * lacks something, is fine.
 */
void exercise_reports(const struct gpuoa_set *set,
		      const struct gpuoa_constants *constants, uint32_t format,
		      const uint8_t *reports, size_t count, size_t part);

#endif /* EXERCISE_H */
