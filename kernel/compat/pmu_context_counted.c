// SPDX-License-Identifier: GPL-2.0-only
/* 6.15: events hold references to their PMU's part of a context */
#include <linux/perf_event.h>

int probe(struct pmu *pmu)
{
	return atomic_read(&(*per_cpu_ptr(pmu->cpu_pmu_context, 0))->epc.refcount);
}
