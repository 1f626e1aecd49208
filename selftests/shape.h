/* SPDX-License-Identifier: MIT */
/*
 * shape.h - reports of each generation, taken apart without libgpuoa, and what a stream has shown.
 */
#ifndef GPUOA_SELFTEST_SHAPE_H
#define GPUOA_SELFTEST_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "uapi/gpuoa.h"

/* Counters in a report */
struct field {
	const char *bank;
	unsigned int first, n, bits, offset, high;
};

/* A report format, and what else of reports differs between generations */
struct shape {
	uint32_t format;
	unsigned int word; /* bytes of a field of the header */
	uint32_t reasons; /* where in the report id */
	uint32_t valid; /* the context id is one */
	bool ratio; /* the report id has the clock ratio */
	bool each_tells; /* each report says who runs, not those of a switch only */
	struct field fields[9];
};

extern const struct shape shape_hsw, shape_gen8, shape_gen9, shape_mtl, shape_xe2;

/* What has been seen of a stream */
struct seen {
	const struct shape *shape;
	unsigned int exponent;
	uint32_t hw_id; /* reports must be this context's, or nobody's; 0: whosever */
	uint64_t reports, timers, switches, gos;
	uint64_t nobody; /* reports from which on somebody else runs */
	uint64_t foreign; /* reports that say the name of somebody else */
	uint64_t out_of_step; /* timer reports beside the timer's phase, or missing */
	uint64_t backwards; /* reports that are not later than the one before */
	uint32_t ratios[2]; /* the first one, and another one */
	uint64_t last_timer;
	uint8_t first[640];
	uint8_t last[640];
};

uint64_t report_timestamp(const struct shape *shape, const uint8_t *report);
uint64_t report_counter(const struct field *field, unsigned int i, const uint8_t *report);

/* A report has come: for &reader.each, with a struct seen. */
void seen_report(void *seen, const uint8_t *report, uint32_t size);
/* How many counters are not what they should be; those that moved are counted in @moved. */
unsigned int seen_differs(const struct seen *seen, const char *truth, unsigned int *moved);

#endif
