/* SPDX-License-Identifier: MIT */
/*
 * leased.h - gpuoa event on a busy GPU driven by the stock i915.
 */
#ifndef SELFTESTS_I915_LEASED_H
#define SELFTESTS_I915_LEASED_H

#include "../event.h"
#include "i915.h"

#define LEASED_EXPONENT 12
#define LEASED_RING_ORDER 8

struct leased {
	struct i915 gpu;
	struct gpuoa_attr gpuoa; /* TestOa */
	struct perf_event_attr attr; /* contains the address of @gpuoa */
	struct reader reader; /* opened by leased_start() */
};

/* Initialize. Return 0 or -errno. */
int leased_begin(struct leased *leased);
void leased_end(struct leased *leased);

/* Open and enable an event. Return 0 or -errno. */
int leased_start(struct reader *reader, struct perf_event_attr *attr);
/* Return the report as an array of dwords. */
const uint32_t *leased_dwords(const uint8_t *report);
/*
 * Return the number of counters that differ from the reference between the reader's first and last
 * report, and print them.
 */
unsigned int leased_wrong(const struct i915 *gpu, const struct tally *tally);

#endif /* SELFTESTS_I915_LEASED_H */
