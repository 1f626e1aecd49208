/* SPDX-License-Identifier: MIT */
/*
 * perfetto_counters.h - the counters of a unit, as Perfetto describes them
 */
#ifndef GPUOA_EXPORT_PERFETTO_COUNTERS_H
#define GPUOA_EXPORT_PERFETTO_COUNTERS_H

#include "columns.h"
#include "perfetto.pb-c.h"

/* Counters of one unit: metrics that it has. Zero is none. */
struct perfetto_counters {
	size_t count;
	const struct column **columns; /* of each */
	Perfetto__GpuCounterEvent__GpuCounter *list; /* of a packet, with their numbers */
	Perfetto__GpuCounterEvent__GpuCounter **pointers;
};

/*
 * @first: number of the first counter: numbers are unique in a trace. Returns an exit code; what is
 * wrong has been said.
 */
int perfetto_counters_make(struct perfetto_counters *counters, const struct columns *columns,
			   uint32_t first);
void perfetto_counters_free(struct perfetto_counters *counters);

/* Names, descriptions, units and groups; to be freed by the other one. NULL: out of memory. */
Perfetto__GpuCounterDescriptor *
perfetto_counters_describe(const struct perfetto_counters *counters);
void perfetto_description_free(Perfetto__GpuCounterDescriptor *description);

#endif /* GPUOA_EXPORT_PERFETTO_COUNTERS_H */
