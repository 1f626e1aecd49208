// SPDX-License-Identifier: GPL-2.0-only
/* Since Linux 6.15, an event holds a reference to its PMU's part of the perf context. */
#include <linux/perf_event.h>

int probe(struct pmu *pmu)
{
	return atomic_read(&(*per_cpu_ptr(pmu->cpu_pmu_context, 0))->epc.refcount);
}
