// SPDX-License-Identifier: GPL-2.0-only
/*
 * Since Linux 6.12, a PMU has a scope. The same version made perf_pmu_unregister() accept a PMU
 * without a device, but no type shows that change.
 */
#include <linux/perf_event.h>

struct device *probe(struct pmu *pmu)
{
	return pmu->scope == PERF_PMU_SCOPE_NONE ? pmu->parent : pmu->dev;
}
