/* SPDX-License-Identifier: GPL-2.0-only */
/* pmu.h - perf PMU gpuoa<N> and the private data of its events. */
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
 * struct gpuoa_life - lifetime of a PMU
 * @ref: reference count; the unit, each event and each AUX area hold a reference. The last put
 *	unregisters the PMU.
 * @retire: unregisters the PMU
 * @lock: protects @events
 * @events: open events, struct life_event
 * @hang_up: hangs up the events of a removed unit
 */
struct gpuoa_life {
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
 * @life: lifetime of the PMU
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
 * struct gpuoa_event - private data of an event
 * @stream: stream of the unit
 * @runner: entry in the stream's list while the event is started
 * @counts: the event counts; otherwise it samples
 * @count: counter of a counting event
 * @held: the event or its group was disabled when its CPU went offline; do not start it during the
 *	migration
 * @refused: perf tried to add the event on one CPU while others still ran on another
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
