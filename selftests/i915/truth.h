/* SPDX-License-Identifier: MIT */
/*
 * truth.h - what two reports say that was counted, against what the virtual GPU knows.
 */
#ifndef SELFTESTS_I915_TRUTH_H
#define SELFTESTS_I915_TRUTH_H

#include <stdint.h>

struct i915;

/* What the GPU knows of the time between the timestamps of two reports: "counter NAME NUMBER" for
 * each, to be freed */
char *truth_between(uint32_t first, uint32_t last);
/* What the virtual GPU knows that was counted between two reports, "counter A0"; -1: nothing */
int64_t truth_counted(const uint32_t *first, const uint32_t *last, const char *name);

/* Counters of a report in the GPU's default format */
unsigned int truth_counters(const struct i915 *gpu);
/* How many of them counted between two reports what they ought to; complains of the others */
unsigned int truth_compare(const struct i915 *gpu, const uint32_t *first, const uint32_t *last);

#endif /* SELFTESTS_I915_TRUTH_H */
