/* SPDX-License-Identifier: MIT */
/* exercise.h - Calls all functions of the library on fuzzed definitions and reports. */
#ifndef GPUOA_LIB_FUZZ_EXERCISE_H
#define GPUOA_LIB_FUZZ_EXERCISE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "gpuoa.h"

/* Abort if the condition is false for any input. */
#define MUST(condition)                                                                        \
	do {                                                                                   \
		if (!(condition)) {                                                            \
			fprintf(stderr, "%s:%d: ERROR: %s\n", __FILE__, __LINE__, #condition); \
			abort();                                                               \
		}                                                                              \
	} while (0)

/* Describe everything in a platform, and calculate with its sets. */
void exercise_platform(const struct gpuoa_platform *platform);

/* Set each unknown constant to a value that depends on @seed. */
void exercise_constants(struct gpuoa_constants *constants, uint32_t seed);

/* A way to calculate; all ways must give the same results. */
struct way {
	uint8_t part; /* number of reports per call; 0: one */
	uint8_t vector; /* index of the vector code */
	uint8_t metrics; /* only every n-th metric; 0: all */
};

/*
 * Calculate with @count reports in several ways, and compare the results: all reports at once, as
 * @way specifies, by columns, and resampled. A set may fail to open because a required constant is
 * missing.
 */
void exercise_reports(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
		      uint32_t format, const uint8_t *reports, size_t count, struct way way);

#endif /* GPUOA_LIB_FUZZ_EXERCISE_H */
