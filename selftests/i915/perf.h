/* SPDX-License-Identifier: MIT */
/*
 * perf.h - streams of the stock i915-perf: sets of registers, opening, formats.
 */
#ifndef SELFTESTS_I915_PERF_H
#define SELFTESTS_I915_PERF_H

#include "i915.h"

#define PERF_MAX_PROPERTIES 16

/* Counters of a bank that follow each other in reports */
struct perf_counters {
	char bank;
	unsigned int first;
	unsigned int n;
	unsigned int dword; /* of the first one; the lower half of 40 bits */
	unsigned int byte; /* where the upper bytes begin; 0: counters have 32 bits */
};

/* A format of reports; id 0 ends a list of them */
struct perf_format {
	uint64_t id;
	const char *name;
	unsigned int size;
	struct perf_counters counters[5];
};

/* What a stream is opened with */
struct perf_open {
	uint64_t properties[2 * PERF_MAX_PROPERTIES];
	unsigned int n;
	uint32_t flags;
};

const struct perf_format *perf_formats(const struct i915 *gpu);
uint64_t perf_default_format(const struct i915 *gpu);
int64_t perf_add_set(const struct i915 *gpu, const char *uuid);
void perf_property(struct perf_open *open, uint64_t id, uint64_t value);
/* The usual: reports by the timer in the default format; more properties may follow. */
struct perf_open perf_usual(const struct i915 *gpu, uint64_t set, unsigned int exponent);
int perf_open(const struct i915 *gpu, const struct perf_open *open);
/* What a counter of a bank has counted between two reports */
uint64_t perf_counted(const struct perf_counters *counters, unsigned int i, const uint8_t *first,
		      const uint8_t *last);

#endif /* SELFTESTS_I915_PERF_H */
