/* SPDX-License-Identifier: MIT */
/*
 * reference.h - comparison of two reports with the increments that the virtual GPU expects.
 */
#ifndef SELFTESTS_I915_REFERENCE_H
#define SELFTESTS_I915_REFERENCE_H

#include <stdint.h>

struct perf_format;

/*
 * Return the expected increments between two timestamps, as lines of "counter NAME NUMBER". The
 * caller frees the string.
 */
char *reference_between(uint32_t first, uint32_t last);
/* Return the expected increment of @name ("counter A0") between two reports, or -1. */
int64_t reference_counted(const uint32_t *first, const uint32_t *last, const char *name);

/*
 * Return the number of a format's counters that differ from the reference between two reports, and
 * print them.
 */
unsigned int reference_differences(const struct perf_format *format, const void *first,
				   const void *last);

#endif /* SELFTESTS_I915_REFERENCE_H */
