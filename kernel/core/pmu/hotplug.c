// SPDX-License-Identifier: GPL-2.0-only
/* hotplug.c - CPU of a PMU's events, and migration when it goes offline. */
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/perf_event.h>
#include <linux/sched/isolation.h>

#include "gpuoa_pmu.h"
#include "hotplug.h"
#include "life.h"

/**
 * DOC: Why the PMU has no PERF_PMU_SCOPE_SYS_WIDE
 *
 * From Linux 6.12 on, the perf core provides cpumask and CPU hotplug for a PMU with that scope. It
 * is not used, because in every such kernel (checked: 6.12.117 and 7.3.4)
 * perf_event_clear_cpumask() calls perf_pmu_migrate_context(), and that function turns every state
 * from PERF_EVENT_STATE_OFF on into PERF_EVENT_STATE_INACTIVE: events that the user has disabled
 * run on the new CPU. A driver has no callback around that call to undo it. hotplug_offline() calls
 * the same function between gpuoa_life_before_migration() and gpuoa_life_after_migration(), which
 * restore the states. The scope would also place all units on one CPU, usually the boot CPU.
 */

static enum cpuhp_state hotplug_state;

/*
 * Prefer the last housekeeping CPU, because CPU 0 usually has more work. Returns nr_cpu_ids if no
 * CPU is left.
 */
static unsigned int choose_cpu(unsigned int except)
{
	const struct cpumask *housekeeping = housekeeping_cpumask(HK_TYPE_TIMER);
	unsigned int cpu, chosen = nr_cpu_ids;

	for_each_cpu_and(cpu, cpu_online_mask, housekeeping)
		if (cpu != except)
			chosen = cpu;

	return chosen < nr_cpu_ids ? chosen : cpumask_any_but(cpu_online_mask, except);
}

/* Called for each online CPU when a unit is added, so the unit's CPU is online afterwards. */
static int hotplug_online(unsigned int cpu, struct hlist_node *node)
{
	struct gpuoa_pmu *pmu = hlist_entry_safe(node, struct gpuoa_pmu, cpuhp_node);

	if (!cpu_online(pmu->cpu))
		WRITE_ONCE(pmu->cpu, cpu);

	return 0;
}

static int hotplug_offline(unsigned int cpu, struct hlist_node *node)
{
	struct gpuoa_pmu *pmu = hlist_entry_safe(node, struct gpuoa_pmu, cpuhp_node);
	unsigned int target;

	if (cpu != pmu->cpu)
		return 0;
	target = choose_cpu(cpu);
	if (target >= nr_cpu_ids)
		return 0;

	WRITE_ONCE(pmu->cpu, target);
	WRITE_ONCE(pmu->migrating, true);
	gpuoa_life_before_migration(pmu);
	perf_pmu_migrate_context(&pmu->pmu, cpu, target);
	gpuoa_life_after_migration(pmu);
	WRITE_ONCE(pmu->migrating, false);

	return 0;
}

/**
 * gpuoa_hotplug_choose_cpu() - Choose a CPU for the events of a new PMU.
 *
 * Return: an online CPU; it may go offline before gpuoa_hotplug_add()
 */
unsigned int gpuoa_hotplug_choose_cpu(void)
{
	return choose_cpu(nr_cpu_ids);
}

/**
 * gpuoa_hotplug_add() - Keep the events of a PMU on an online CPU.
 * @pmu: PMU
 *
 * Return: 0 or a negative errno
 */
int gpuoa_hotplug_add(struct gpuoa_pmu *pmu)
{
	return cpuhp_state_add_instance(hotplug_state, &pmu->cpuhp_node);
}

/**
 * gpuoa_hotplug_remove() - Undo gpuoa_hotplug_add().
 * @pmu: PMU
 */
void gpuoa_hotplug_remove(struct gpuoa_pmu *pmu)
{
	cpuhp_state_remove_instance_nocalls(hotplug_state, &pmu->cpuhp_node);
}

/**
 * gpuoa_hotplug_init() - Register the CPU hotplug state shared by all PMUs.
 *
 * Return: 0 or a negative errno
 */
int gpuoa_hotplug_init(void)
{
	int ret;

	ret = cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, "perf/gpuoa:online", hotplug_online,
				      hotplug_offline);
	if (ret < 0)
		return ret;
	hotplug_state = ret;

	return 0;
}

/**
 * gpuoa_hotplug_exit() - Undo gpuoa_hotplug_init().
 */
void gpuoa_hotplug_exit(void)
{
	cpuhp_remove_multi_state(hotplug_state);
}
