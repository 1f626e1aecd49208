// SPDX-License-Identifier: GPL-2.0-only
/* gpuoa_pmu_sysfs.c - sysfs files of a PMU: format/, cpumask, and events/ for the perf tool. */
#include <linux/device.h>
#include <linux/math64.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include <linux/time64.h>

#include "gpuoa_pmu.h"
#include "gpuoa_pmu_sysfs.h"
#include "oa/gpuoa_oa.h"
#include "oa/gpuoa_report.h"
#include "oa/platform.h"
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

const struct attribute_group gpuoa_pmu_format_group = {
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

const struct attribute_group gpuoa_pmu_cpumask_group = {
	.attrs = cpumask_attrs,
};

/**
 * DOC: Event names
 *
 * Each counter of the unit's formats has a name, to be used together with a configuration:
 * gpuoa0/a7,metric_set=2/. Names of events, such as gpu-busy, include the built-in configuration,
 * so they exist only if the unit has one.
 */

#define EVENTS_MAX 128

/**
 * struct gpuoa_name - file in events/
 * @attr: sysfs attribute
 * @name: file name
 * @text: content
 */
struct gpuoa_name {
	struct perf_pmu_events_attr attr;
	char name[20];
	char text[32];
};

/**
 * struct gpuoa_names - events/ of a PMU
 * @group: directory
 * @attrs: attributes of @group
 * @events: files
 * @n: number of files
 */
struct gpuoa_names {
	struct attribute_group group;
	struct attribute *attrs[EVENTS_MAX + 1];
	struct gpuoa_name events[EVENTS_MAX];
	unsigned int n;
};

/* Add a file; the caller sets its name and content. */
static struct gpuoa_name *events_add(struct gpuoa_names *events)
{
	struct gpuoa_name *event;

	if (WARN_ON(events->n == EVENTS_MAX))
		return &events->events[EVENTS_MAX - 1];

	event = &events->events[events->n];
	sysfs_attr_init(&event->attr.attr.attr);
	event->attr.attr.attr.name = event->name;
	event->attr.attr.attr.mode = 0444;
	event->attr.attr.show = perf_event_sysfs_show;
	event->attr.event_str = event->text;
	events->attrs[events->n++] = &event->attr.attr.attr;

	return event;
}

static bool events_has(const struct gpuoa_names *events, const char *name)
{
	unsigned int i;

	for (i = 0; i < events->n; i++)
		if (!strcmp(events->events[i].name, name))
			return true;

	return false;
}

/* Names are in lower case, because perf sometimes parses A0 as a number. */
static void counter_name(u32 id, char *name, size_t size)
{
	static const char *const banks[] = { "", "a", "b", "c", "pec", "mpec" };

	if (id == GPUOA_COUNTER_TIMESTAMP)
		strscpy(name, "timestamp", size);
	else if (id == GPUOA_COUNTER_CLOCK)
		strscpy(name, "clock", size);
	else
		snprintf(name, size, "%s%u", banks[id >> 8], id & 0xff);
}

static void add_counter(struct gpuoa_names *events, u32 id)
{
	struct gpuoa_name *event;
	char name[sizeof(event->name)];

	counter_name(id, name, sizeof(name));
	if (events_has(events, name))
		return;

	event = events_add(events);
	strscpy(event->name, name, sizeof(event->name));
	snprintf(event->text, sizeof(event->text), "counter=%#x", id);
}

static void add_counters(struct gpuoa_names *events, const struct gpuoa_format_desc *format)
{
	const struct gpuoa_counters *range;
	u32 i;

	add_counter(events, GPUOA_COUNTER_TIMESTAMP);
	for (range = format->counters; range->count; range++)
		for (i = 0; i < range->count; i++)
			add_counter(events, range->first + i);
}

static void add_text(struct gpuoa_names *events, const char *name, const char *suffix,
		     const char *text)
{
	struct gpuoa_name *event = events_add(events);

	snprintf(event->name, sizeof(event->name), "%s%s", name, suffix);
	strscpy(event->text, text, sizeof(event->text));
}

static void add_alias(struct gpuoa_names *events, const struct gpuoa_alias *alias)
{
	char text[32];

	snprintf(text, sizeof(text), "metric_set=%u,counter=%#x", GPUOA_TEST_OA_ID, alias->counter);
	add_text(events, alias->name, "", text);
	add_text(events, alias->name, ".unit", alias->unit);
}

/* Show the time in ns: perf multiplies the count by the decimal number in .scale. */
static void add_time(struct gpuoa_names *events, u64 timestamp_frequency)
{
	static const struct gpuoa_alias time = { "gpu-time", GPUOA_COUNTER_TIMESTAMP, "ns" };
	/* In units of 1e-9 ns. */
	u64 ns = div64_u64((u64)NSEC_PER_SEC * NSEC_PER_SEC, timestamp_frequency);
	u64 fraction;
	char text[32];

	ns = div64_u64_rem(ns, NSEC_PER_SEC, &fraction);
	snprintf(text, sizeof(text), "%llu.%09llu", ns, fraction);
	add_alias(events, &time);
	add_text(events, time.name, ".scale", text);
}

static void add_builtin(struct gpuoa_names *events, const struct gpuoa_unit *unit)
{
	const struct gpuoa_alias *alias;

	add_text(events, "test_oa", "", "metric_set=1");
	add_time(events, unit->info.timestamp_frequency);
	for (alias = unit->oa->aliases; alias->name; alias++)
		add_alias(events, alias);
}

/**
 * gpuoa_names_new() - Create the event names of a unit.
 * @unit: OA unit
 *
 * Return: the names, or NULL if the allocation fails
 */
struct gpuoa_names *gpuoa_names_new(const struct gpuoa_unit *unit)
{
	struct gpuoa_names *events = kzalloc(sizeof(*events), GFP_KERNEL);
	u32 i;

	if (!events)
		return NULL;

	for (i = 0; i < unit->oa->n_formats; i++)
		add_counters(events, &unit->oa->formats[i]);
	if (gpuoa_platform_test_set(unit->platform, unit->info.unit_type))
		add_builtin(events, unit);
	events->group.name = "events";
	events->group.attrs = events->attrs;

	return events;
}

/**
 * gpuoa_names_group() - Get the sysfs directory of the names.
 * @events: names
 *
 * Return: the directory
 */
const struct attribute_group *gpuoa_names_group(const struct gpuoa_names *events)
{
	return &events->group;
}

/**
 * gpuoa_names_free() - Undo gpuoa_names_new().
 * @events: names, already removed from sysfs
 */
void gpuoa_names_free(struct gpuoa_names *events)
{
	kfree(events);
}
