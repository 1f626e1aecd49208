/* SPDX-License-Identifier: MIT */
/*
 * perf.h - streams of the stock i915-perf: configurations, opening, formats.
 */
#ifndef SELFTESTS_I915_PERF_H
#define SELFTESTS_I915_PERF_H

#include "i915.h"

#define PERF_MAX_PROPERTIES 16

/* Position of consecutive counters of a bank in a report */
struct perf_counters {
	char bank;
	unsigned int first;
	unsigned int n;
	unsigned int dword; /* index of the first counter, or of its lower 32 bits */
	unsigned int byte; /* offset of the upper bytes; 0 if counters have 32 bits */
};

/* Report format; lists end with id 0. */
struct perf_format {
	uint64_t id;
	const char *name;
	unsigned int size;
	struct perf_counters counters[10];
};

/* Arguments of an open */
struct perf_open {
	uint64_t properties[2 * PERF_MAX_PROPERTIES];
	unsigned int n;
	uint32_t flags;
};

const struct perf_format *perf_formats(const struct i915 *gpu);
const struct perf_format *perf_default_format(const struct i915 *gpu);
int64_t perf_add_set(const struct i915 *gpu, const char *uuid);
void perf_property(struct perf_open *open, uint64_t id, uint64_t value);
/* Properties of a typical stream: timer reports in the default format. More may be added. */
struct perf_open perf_usual(const struct i915 *gpu, uint64_t set, unsigned int exponent);
int perf_open(const struct i915 *gpu, const struct perf_open *open);
/* Return the difference of a counter between two reports. */
uint64_t perf_counted(const struct perf_counters *counters, unsigned int i, const uint8_t *first,
		      const uint8_t *last);

#endif /* SELFTESTS_I915_PERF_H */
