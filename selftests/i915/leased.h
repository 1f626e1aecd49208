/* SPDX-License-Identifier: MIT */
/*
 * leased.h - an event of gpuoa on a GPU that the stock i915 drives, and that has something to do.
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
	struct perf_event_attr attr; /* the same, which holds the address of it */
	struct reader reader; /* not open yet */
};

/* 0 or -errno */
int leased_begin(struct leased *leased);
void leased_end(struct leased *leased);

/* Have the virtual GPU do something, "scene idle" */
void leased_tell(const char *what);
/* Open an event, and enable it. 0 or -errno */
int leased_start(struct reader *reader, struct perf_event_attr *attr);
/* A report, as truth_compare() takes it */
const uint32_t *leased_dwords(const uint8_t *report);
/* How many counters counted between a reader's first and last report what they ought to */
unsigned int leased_right(const struct i915 *gpu, const struct tally *tally);

#endif /* SELFTESTS_I915_LEASED_H */
