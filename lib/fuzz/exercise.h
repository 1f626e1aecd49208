/* SPDX-License-Identifier: MIT */
/* exercise.h - use what a fuzzer has made in all ways that there are. */
#ifndef GPUOA_LIB_FUZZ_EXERCISE_H
#define GPUOA_LIB_FUZZ_EXERCISE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "gpuoa.h"

/* Must hold, whatever the input. */
#define MUST(condition)                                                                        \
	do {                                                                                   \
		if (!(condition)) {                                                            \
			fprintf(stderr, "%s:%d: ERROR: %s\n", __FILE__, __LINE__, #condition); \
			abort();                                                               \
		}                                                                              \
	} while (0)

/* Describe all that a platform has, and calculate with its sets. */
void exercise_platform(const struct gpuoa_platform *platform);

/* Give each constant that has none a value that depends on @seed. */
void exercise_constants(struct gpuoa_constants *constants, uint32_t seed);

/* A way to calculate what must give the same as any other. */
struct way {
	uint8_t part; /* reports at a time; 0: one */
	uint8_t vector; /* number of the vector code */
	uint8_t metrics; /* only every n-th metric; 0: all */
};

/*
 * Calculate with @count reports, all at once, in another way, in columns, in windows: that must
 * give the same. A set that lacks something is fine.
 */
void exercise_reports(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
		      uint32_t format, const uint8_t *reports, size_t count, struct way way);

#endif /* GPUOA_LIB_FUZZ_EXERCISE_H */
