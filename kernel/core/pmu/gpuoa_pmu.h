/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_pmu.h - perf PMU gpuoa<N> of a unit, and its events. */
#ifndef _GPUOA_PMU_H
#define _GPUOA_PMU_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/perf_event.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include "stream/gpuoa_count.h"
#include "stream/gpuoa_raw.h"
#include "stream/gpuoa_run.h"

struct gpuoa_attr;
struct gpuoa_names;
struct gpuoa_registered_attr;
struct gpuoa_stream;
struct gpuoa_timing;
struct gpuoa_unit;

/* format/, events/, cpumask */
#define GPUOA_PMU_GROUPS 3

/**
 * struct gpuoa_lifetime - lifetime of a PMU
 * @ref: reference count; the unit, each event and each AUX area hold a reference. The last put
 *	unregisters the PMU.
 * @retire: unregisters the PMU
 * @lock: protects @events
 * @events: open events, struct open_event
 * @hang_up: hangs up the events of a removed unit
 */
struct gpuoa_lifetime {
	struct kref ref;
	struct delayed_work retire;
	spinlock_t lock; /* events */
	struct list_head events;
	struct delayed_work hang_up;
};

/**
 * struct gpuoa_pmu - PMU of a unit
 * @pmu: perf PMU
 * @unit: OA unit, with a reference
 * @groups: attribute groups in sysfs
 * @names: events/ in sysfs
 * @lifetime: lifetime of the PMU
 * @cpu: CPU of all events; changes when that CPU goes offline
 * @cpuhp_node: entry in the CPU hotplug state
 * @migrating: perf is migrating the events to another CPU
 * @reading: perf is reading a group of counting events, which must all use the same report;
 *	accessed on the events' CPU only
 * @settled: no poll is needed until the current perf transaction ends; accessed on the events' CPU
 *	only
 * @active_lock: protects @active, @active_cpu and the sink's list of events
 * @active: number of events that perf has added to the PMU
 * @active_cpu: CPU of these events, if there are any
 * @raw: delivery of reports as RAW samples to the active events
 */
struct gpuoa_pmu {
	struct pmu pmu;
	struct gpuoa_unit *unit;
	const struct attribute_group *groups[GPUOA_PMU_GROUPS + 1];
	struct gpuoa_names *names;
	struct gpuoa_lifetime lifetime;

	unsigned int cpu;
	struct hlist_node cpuhp_node;
	bool migrating;

	bool reading;
	bool settled;
	raw_spinlock_t active_lock; /* active, active_cpu, raw.events */
	unsigned int active;
	unsigned int active_cpu;
	struct gpuoa_sink_raw raw;
};

static inline struct gpuoa_pmu *to_gpuoa_pmu(const struct pmu *pmu)
{
	return container_of(pmu, struct gpuoa_pmu, pmu);
}

/**
 * struct gpuoa_event - private data of an event
 * @stream: stream of the unit
 * @runner: entry in the stream's list while the event is started
 * @counts: the event counts; otherwise it samples
 * @count: counter of a counting event
 * @held: the event or its group was disabled when its CPU went offline; do not start it during the
 *	migration
 * @rejected: perf tried to add the event on one CPU while others still ran on another
 */
struct gpuoa_event {
	struct gpuoa_stream *stream;
	struct gpuoa_runner runner;
	bool counts;
	struct gpuoa_count count;
	bool held;
	bool rejected;
};

static inline struct gpuoa_event *to_gpuoa_event(const struct perf_event *event)
{
	return event->pmu_private;
}

struct gpuoa_event *gpuoa_event_new(struct gpuoa_pmu *pmu, const struct gpuoa_attr *attr,
				    const struct gpuoa_timing *timing,
				    const struct gpuoa_registered_attr *registered);
void gpuoa_event_free(struct gpuoa_event *ours);

int gpuoa_pmu_init(void);
void gpuoa_pmu_exit(void);
int gpuoa_pmu_register(struct gpuoa_unit *unit);
unsigned int gpuoa_pmu_cpu(struct gpuoa_unit *unit);
void gpuoa_pmu_unregister(struct gpuoa_unit *unit);
void gpuoa_pmu_free(struct gpuoa_unit *unit);

#endif /* _GPUOA_PMU_H */
