// SPDX-License-Identifier: GPL-2.0-only
/*
 * 6.12: PMUs have a scope. No type shows that perf_pmu_unregister() accepts a PMU without a device,
 * which came with it.
 */
#include <linux/perf_event.h>

struct device *probe(struct pmu *pmu)
{
	return pmu->scope == PERF_PMU_SCOPE_NONE ? pmu->parent : pmu->dev;
}
