/* SPDX-License-Identifier: MIT */
/*
 * shape.h - report layouts of each generation, parsed without libgpuoa, and summary of a stream.
 */
#ifndef GPUOA_SELFTEST_SHAPE_H
#define GPUOA_SELFTEST_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "uapi/gpuoa.h"

/* Position of counters in a report */
struct field {
	const char *bank;
	unsigned int first, n, bits, offset, high;
};

/* Report format of a generation, and other properties of its reports */
struct shape {
	uint32_t format;
	unsigned int word; /* size of a header field, bytes */
	uint32_t reasons; /* mask of the reasons in the report id */
	uint32_t valid; /* "context valid" bit of the report id */
	bool ratio; /* the report id contains the clock ratio */
	bool each_tells; /* each report contains the context id, not only those of switches */
	struct field fields[9];
};

extern const struct shape shape_hsw, shape_gen8, shape_gen9, shape_mtl, shape_xe2;

/* Summary of a stream */
struct seen {
	const struct shape *shape;
	unsigned int exponent;
	uint32_t hw_id; /* expected context id of reports; 0: any */
	uint64_t reports, timers, switches, gos;
	uint64_t nobody; /* reports with context id 0xffffffff, which end the context's work */
	uint64_t foreign; /* reports with a foreign context id */
	uint64_t out_of_step; /* timer reports that are missing or do not match the timer */
	uint64_t backwards; /* reports that are not later than their predecessor */
	uint32_t ratios[2]; /* first clock ratio, and a different one */
	uint64_t last_timer;
	uint8_t first[640];
	uint8_t last[640];
};

uint64_t report_timestamp(const struct shape *shape, const uint8_t *report);
uint64_t report_counter(const struct field *field, unsigned int i, const uint8_t *report);

/* Handler for &reader.each; the context is a struct seen. */
void seen_report(void *seen, const uint8_t *report, uint32_t size);
/*
 * Return the number of counters that differ from the reference. @moved is set to the number of
 * counters that changed.
 */
unsigned int seen_differs(const struct seen *seen, const char *reference, unsigned int *moved);

#endif
