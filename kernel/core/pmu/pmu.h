/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pmu.h - the perf PMU gpuoa<N>, and what an event of it is to us.
 */
#ifndef _GPUOA_PMU_H
#define _GPUOA_PMU_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/perf_event.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "stream/count.h"
#include "stream/run.h"
#include "stream/sink_raw.h"

struct gpuoa_names;
struct gpuoa_stream;
struct gpuoa_unit;

/* format/, events/, cpumask */
#define GPUOA_PMU_GROUPS 3

/**
 * struct gpuoa_life - how long core needs a PMU
 * @ref: the unit, each event and each AUX area hold one; without any, core lets go of the PMU
 * @retire: has core let go of the PMU
 * @lock: protects @events
 * @events: open events, struct life_event
 * @hang_up: tells them that the unit is no more
 */
struct gpuoa_life {
	struct kref ref;
	struct delayed_work retire;
	spinlock_t lock; /* events */
	struct list_head events;
	struct delayed_work hang_up;
};

/**
 * struct gpuoa_pmu - the PMU of a unit
 * @pmu: core's part
 * @unit: the unit, held
 * @groups: attributes in sysfs
 * @names: events/ in sysfs
 * @life: how long core needs it
 * @cpu: CPU that all events are on; changes when that CPU goes offline
 * @cpuhp_node: links the PMU to the CPU hotplug state
 * @migrating: core moves the events to another CPU
 * @reading: core reads a group of counting events, which shall all see the same report; used on the
 *	events' CPU only
 * @settled: no poll until this transaction of core ends; used on the events' CPU only
 * @active_lock: protects @active, @active_cpu and the sink's list of events
 * @active: number of events that core has put on the PMU
 * @active_cpu: CPU of these events, if there are any
 * @raw: where reports go: RAW samples of the active events
 */
struct gpuoa_pmu {
	struct pmu pmu;
	struct gpuoa_unit *unit;
	const struct attribute_group *groups[GPUOA_PMU_GROUPS + 1];
	struct gpuoa_names *names;
	struct gpuoa_life life;

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
 * struct gpuoa_event - what a perf event is to us
 * @stream: the unit in use
 * @runner: what the stream has to know of it while it is started
 * @counts: it counts; else it samples
 * @count: what it counts
 * @held: it, or its group, was disabled when its CPU went offline: the migration must not start it
 * @refused: core tried to add it on one CPU while others still ran on another
 */
struct gpuoa_event {
	struct gpuoa_stream *stream;
	struct gpuoa_runner runner;
	bool counts;
	struct gpuoa_count count;
	bool held;
	bool refused;
};

static inline struct gpuoa_event *to_gpuoa_event(const struct perf_event *event)
{
	return event->pmu_private;
}

void gpuoa_pmu_disable(struct pmu *pmu);
void gpuoa_pmu_enable(struct pmu *pmu);
int gpuoa_pmu_add(struct perf_event *event, int flags);
void gpuoa_pmu_del(struct perf_event *event, int flags);
void gpuoa_pmu_start(struct perf_event *event, int flags);
void gpuoa_pmu_stop(struct perf_event *event, int flags);
void gpuoa_pmu_read(struct perf_event *event);
void gpuoa_pmu_start_txn(struct pmu *pmu, unsigned int flags);
int gpuoa_pmu_commit_txn(struct pmu *pmu);
void gpuoa_pmu_cancel_txn(struct pmu *pmu);
int gpuoa_pmu_check_period(struct perf_event *event, u64 value);

#endif /* _GPUOA_PMU_H */
