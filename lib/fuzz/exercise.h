/* SPDX-License-Identifier: MIT */
/* exercise.h - Calls all functions of the library on fuzzed definitions and reports. */
#ifndef GPUOA_LIB_FUZZ_EXERCISE_H
#define GPUOA_LIB_FUZZ_EXERCISE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "gpuoa.h"

/* Abort the fuzzer if the condition is false. It must be true for any input. */
#define MUST(condition)                                                                        \
	do {                                                                                   \
		if (!(condition)) {                                                            \
			fprintf(stderr, "%s:%d: ERROR: %s\n", __FILE__, __LINE__, #condition); \
			abort();                                                               \
		}                                                                              \
	} while (0)

/* Call all functions that describe a platform, and calculate with its sets. */
void exercise_platform(const struct gpuoa_platform *platform);

/* Set each unknown constant to a value that depends on @seed. */
void exercise_constants(struct gpuoa_constants *constants, uint32_t seed);

/* Parameters of a calculation, which must not change the results */
struct way {
	uint8_t part; /* number of reports per call; 0: one report */
	uint8_t vector; /* index of the vector code */
	uint8_t metrics; /* n: calculate only every n-th metric; 0: all metrics */
};

/*
 * Calculate with @count reports in several ways, and compare the results: all reports in one call,
 * as @way specifies, by columns, and resampled. Opening a set may fail, because a required constant
 * is missing.
 */
void exercise_reports(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
		      uint32_t format, const uint8_t *reports, size_t count, struct way way);

#endif /* GPUOA_LIB_FUZZ_EXERCISE_H */
