// SPDX-License-Identifier: GPL-2.0-only
/* register.c - registration of a unit's PMU, and its attributes in sysfs. */
#include <linux/cpumask.h>
#include <linux/device.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include <gpuoa_compat.h>

#include "aux_area.h"
#include "hotplug.h"
#include "life.h"
#include "names.h"
#include "open.h"
#include "pmu.h"
#include "register.h"
#include "stream/perf_hacks.h"
#include "unit/gpuoa_unit.h"

PMU_FORMAT_ATTR(metric_set, "config:0-31");
PMU_FORMAT_ATTR(format, "config:32-39");
PMU_FORMAT_ATTR(exponent, "config:40-47");
PMU_FORMAT_ATTR(counter, "config:48-59");
PMU_FORMAT_ATTR(aux, "config:63");
PMU_FORMAT_ATTR(by_attr_id, "config:62");
PMU_FORMAT_ATTR(attr_id, "config1:0-31");

static struct attribute *format_attrs[] = {
	&format_attr_metric_set.attr,
	&format_attr_format.attr,
	&format_attr_exponent.attr,
	&format_attr_counter.attr,
	&format_attr_aux.attr,
	&format_attr_by_attr_id.attr,
	&format_attr_attr_id.attr,
	NULL,
};

static const struct attribute_group format_group = {
	.name = "format",
	.attrs = format_attrs,
};

static ssize_t cpumask_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct gpuoa_pmu *pmu = to_gpuoa_pmu(dev_get_drvdata(dev));

	return sysfs_emit(buf, "%u\n", READ_ONCE(pmu->cpu));
}
static DEVICE_ATTR_RO(cpumask);

static struct attribute *cpumask_attrs[] = {
	&dev_attr_cpumask.attr,
	NULL,
};

static const struct attribute_group cpumask_group = {
	.attrs = cpumask_attrs,
};

/*
 * THIS_MODULE contains the callbacks, so it stays loaded while perf needs them. Events additionally
 * hold the provider's module.
 */
static const struct pmu pmu_template = {
	.module = THIS_MODULE,
	.task_ctx_nr = perf_invalid_context,
	.capabilities = PERF_PMU_CAP_NO_EXCLUDE,
	.pmu_disable = gpuoa_pmu_disable,
	.pmu_enable = gpuoa_pmu_enable,
	.event_init = gpuoa_event_init,
	.add = gpuoa_pmu_add,
	.del = gpuoa_pmu_del,
	.start = gpuoa_pmu_start,
	.stop = gpuoa_pmu_stop,
	.read = gpuoa_pmu_read,
	.start_txn = gpuoa_pmu_start_txn,
	.commit_txn = gpuoa_pmu_commit_txn,
	.cancel_txn = gpuoa_pmu_cancel_txn,
	.check_period = gpuoa_pmu_check_period,
	.setup_aux = gpuoa_aux_setup,
	.free_aux = gpuoa_aux_free,
};

static int pmu_fill(struct gpuoa_pmu *pmu, struct gpuoa_unit *unit)
{
	int ret;

	pmu->unit = unit;
	pmu->names = gpuoa_names_new(unit);
	if (!pmu->names)
		return -ENOMEM;
	ret = gpuoa_sink_raw_init(&pmu->raw);
	if (ret) {
		gpuoa_names_free(pmu->names);
		return ret;
	}

	pmu->groups[0] = &format_group;
	pmu->groups[1] = &cpumask_group;
	pmu->groups[2] = gpuoa_names_group(pmu->names);
	pmu->pmu = pmu_template;
	pmu->pmu.attr_groups = pmu->groups;
	gpuoa_compat_pmu_set_parent(&pmu->pmu, unit->dev.parent);
	raw_spin_lock_init(&pmu->active_lock);
	gpuoa_life_init(&pmu->life);
	pmu->cpu = gpuoa_hotplug_choose_cpu();

	return 0;
}

/**
 * gpuoa_pmu_register() - Register the PMU of a unit.
 * @unit: OA unit; its info.pmu is the name
 *
 * gpuoa_pmu_free() frees the memory, including after a failure.
 *
 * Return: 0 or a negative errno
 */
int gpuoa_pmu_register(struct gpuoa_unit *unit)
{
	struct gpuoa_pmu *pmu;
	int ret;

	pmu = kzalloc(sizeof(*pmu), GFP_KERNEL);
	if (!pmu)
		return -ENOMEM;
	unit->pmu = pmu;
	ret = pmu_fill(pmu, unit);
	if (ret)
		return ret;

	ret = perf_pmu_register(&pmu->pmu, unit->info.pmu, -1);
	if (ret)
		goto err_sink;
	unit->info.pmu_type = pmu->pmu.type;

	ret = gpuoa_hotplug_add(pmu);
	if (ret)
		goto err_pmu;

	/* Released when the PMU retires (life.c). */
	get_device(&unit->dev);
	__module_get(THIS_MODULE);

	return 0;

err_pmu:
	perf_pmu_unregister(&pmu->pmu);
err_sink:
	gpuoa_sink_raw_fini(&pmu->raw);
	gpuoa_names_free(pmu->names);

	return ret;
}

/**
 * gpuoa_pmu_cpu() - Get the CPU of a unit's events.
 * @unit: OA unit. If it was removed, no event can start any more.
 *
 * Context: cpus_read_lock() held
 * Return: CPU of running and future events; it is online
 */
unsigned int gpuoa_pmu_cpu(struct gpuoa_unit *unit)
{
	struct gpuoa_pmu *pmu = unit->pmu;
	unsigned int cpu;

	raw_spin_lock_irq(&pmu->active_lock);
	cpu = pmu->active ? pmu->active_cpu : READ_ONCE(pmu->cpu);
	raw_spin_unlock_irq(&pmu->active_lock);

	return cpu;
}

/**
 * gpuoa_pmu_unregister() - Undo gpuoa_pmu_register().
 * @unit: OA unit, set gone
 *
 * Open events keep the PMU alive until they are closed; every other operation fails.
 *
 * Context: may sleep
 */
void gpuoa_pmu_unregister(struct gpuoa_unit *unit)
{
	gpuoa_hotplug_remove(unit->pmu);
	gpuoa_perf_del_device(&unit->pmu->pmu);
	gpuoa_life_end(unit->pmu);
}

/**
 * gpuoa_pmu_free() - Free the memory of a unit's PMU, if it has one.
 * @unit: OA unit, being released
 */
void gpuoa_pmu_free(struct gpuoa_unit *unit)
{
	kfree(unit->pmu);
}

/**
 * gpuoa_pmu_init() - Initialize the resources shared by all PMUs.
 *
 * Return: 0 or a negative errno
 */
int gpuoa_pmu_init(void)
{
	int ret;

	ret = gpuoa_life_start();
	if (ret)
		return ret;

	ret = gpuoa_hotplug_init();
	if (ret)
		gpuoa_life_exit();

	return ret;
}

/**
 * gpuoa_pmu_exit() - Undo gpuoa_pmu_init().
 */
void gpuoa_pmu_exit(void)
{
	gpuoa_life_exit();
	gpuoa_hotplug_exit();
}
