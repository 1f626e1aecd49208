// SPDX-License-Identifier: GPL-2.0-only
/* In Linux 6.2 to 6.14, each PMU has a part of each perf context. */
#include <linux/perf_event.h>

struct perf_event_context *probe(struct pmu *pmu)
{
	return per_cpu_ptr(pmu->cpu_pmu_context, 0)->epc.ctx;
}
