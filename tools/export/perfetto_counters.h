/* SPDX-License-Identifier: MIT */
/*
 * perfetto_counters.h - Perfetto's descriptions of the counters of a unit
 */
#ifndef GPUOA_EXPORT_PERFETTO_COUNTERS_H
#define GPUOA_EXPORT_PERFETTO_COUNTERS_H

#include "common/columns.h"
#include "perfetto.pb-c.h"

/* Counters of one unit: its available metrics. Zero-initialize. */
struct perfetto_counters {
	size_t count;
	const struct column **columns; /* the column of each counter */
	Perfetto__GpuCounterEvent__GpuCounter *list; /* counters of a packet, with their numbers */
	Perfetto__GpuCounterEvent__GpuCounter **pointers;
};

/*
 * Create the counters. @first: number of the first counter; numbers are unique in a trace. Returns
 * an exit code; prints any error.
 */
int perfetto_counters_make(struct perfetto_counters *counters, const struct columns *columns,
			   uint32_t first);
void perfetto_counters_free(struct perfetto_counters *counters);

/*
 * Return names, descriptions, units and groups; the caller frees them with
 * perfetto_description_free(). NULL: out of memory.
 */
Perfetto__GpuCounterDescriptor *
perfetto_counters_describe(const struct perfetto_counters *counters);
void perfetto_description_free(Perfetto__GpuCounterDescriptor *description);

#endif /* GPUOA_EXPORT_PERFETTO_COUNTERS_H */
