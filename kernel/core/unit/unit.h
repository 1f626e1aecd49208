/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unit.h - one OA unit: what hangs together under the name gpuoa<N>.
 */
#ifndef _GPUOA_UNIT_H
#define _GPUOA_UNIT_H

#include <linux/atomic.h>
#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/rwsem.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include <gpuoa_host.h>
#include "stream/sink_raw.h"
#include "uapi/gpuoa.h"

struct gpuoa_builtin_set;
struct gpuoa_oa_ops;
struct gpuoa_platform;
struct gpuoa_pmu_events;
struct gpuoa_stream;

/* format/, events/, cpumask */
#define GPUOA_PMU_GROUPS 3

/**
 * struct gpuoa_stats - statistics in sysfs
 * @reports_forwarded: reports handed to perf
 * @reports_lost: reports known to be missing in between
 * @overflows: times that the OABUFFER was full and the unit was restarted
 * @opens: times that the unit was acquired
 * @polls: looks at a unit that runs
 * @interrupts: times that the host said that the OABUFFER was half full
 */
struct gpuoa_stats {
	atomic64_t reports_forwarded;
	atomic64_t reports_lost;
	atomic64_t overflows;
	atomic64_t opens;
	atomic64_t polls;
	atomic64_t interrupts;
};

/**
 * struct gpuoa_unit - one OA unit
 * @dev: class device gpuoa<N>; its release frees the unit
 * @cdev: /dev/gpuoa<N>
 * @index: N
 * @platform: the GPU
 * @oa: backend of the hardware generation
 * @context_mask: bits of a report's context id that name a context
 * @noa_delay_us: how long the MUX takes to switch
 * @ops: the host's services
 * @host: what they take
 * @info: what user space may know
 * @owner: the host's module; each event holds it
 * @gone_lock: held for reading by those who need the host, for writing to take the host away
 * @gone: the host is no more; written under @gone_lock
 * @sets: metric configurations by id; protected by @sets_lock
 * @next_set_id: where to look for a free id; protected by @sets_lock
 * @sets_lock: protects @sets and what it shows in sysfs
 * @metrics_kobj: metrics/ in sysfs
 * @stream_lock: protects @stream and its number of users
 * @stream: who has the unit now, or NULL
 * @stats: statistics
 * @pmu: PMU gpuoa<N>
 * @pmu_ref: the unit, each event and each AUX area hold one; without any, perf lets go of @pmu
 * @retire: lets perf go of @pmu
 * @events_lock: protects @events
 * @events: perf events that are open, struct unit_event
 * @hang_up: tells them that the unit is no more
 * @pmu_groups: its attributes in sysfs
 * @pmu_events: events/ of it
 * @cpu: CPU that all its events are on; changes when that CPU goes offline
 * @cpuhp_node: links the unit to the CPU hotplug state
 * @epoch: counts perf's transactions on the PMU
 * @migrating: perf moves the events to another CPU
 * @reading: perf reads a group of counting events: all of them see the same report
 * @active_lock: protects @active, @active_cpu and @raw's list of events
 * @active: number of events that perf has put on the PMU
 * @active_cpu: CPU of these events, if there are any
 * @raw: where reports go: RAW samples of the PMU's events
 */
struct gpuoa_unit {
	struct device dev;
	struct cdev cdev;
	int index;

	const struct gpuoa_platform *platform;
	const struct gpuoa_oa_ops *oa;
	u32 context_mask;
	u32 noa_delay_us;
	const struct gpuoa_host_ops *ops;
	void *host;
	struct module *owner;
	struct gpuoa_unit_info info;

	struct rw_semaphore gone_lock;
	bool gone;

	struct xarray sets;
	u32 next_set_id;
	struct mutex sets_lock; /* sets */
	struct kobject *metrics_kobj;

	struct mutex stream_lock; /* stream and its users */
	struct gpuoa_stream *stream;
	struct gpuoa_stats stats;

	struct pmu pmu;
	struct kref pmu_ref;
	struct delayed_work retire;
	spinlock_t events_lock; /* events */
	struct list_head events;
	struct delayed_work hang_up;

	const struct attribute_group *pmu_groups[GPUOA_PMU_GROUPS + 1];
	struct gpuoa_pmu_events *pmu_events;
	unsigned int cpu;
	struct hlist_node cpuhp_node;
	u32 epoch;
	bool migrating;
	bool reading;
	raw_spinlock_t active_lock; /* active, active_cpu, raw.events */
	unsigned int active;
	unsigned int active_cpu;
	struct gpuoa_sink_raw raw;
};

/* unit.c */
int gpuoa_unit_enter(struct gpuoa_unit *unit);
void gpuoa_unit_leave(struct gpuoa_unit *unit);
const struct gpuoa_builtin_set *gpuoa_unit_test_set(const struct gpuoa_unit *unit);
int gpuoa_unit_clock(struct gpuoa_unit *unit, struct gpuoa_clock *clock);
int gpuoa_class_init(void);
void gpuoa_class_exit(void);

/* sysfs.c */
extern const struct attribute_group *gpuoa_unit_groups[];

/* ioctl.c */
extern const struct file_operations gpuoa_unit_fops;

/* pmu/pmu.c */
int gpuoa_pmu_init(void);
void gpuoa_pmu_exit(void);
int gpuoa_pmu_register(struct gpuoa_unit *unit);
unsigned int gpuoa_pmu_close(struct gpuoa_unit *unit);
void gpuoa_pmu_unregister(struct gpuoa_unit *unit);
void gpuoa_pmu_put(struct gpuoa_unit *unit);

/* pmu/life.c */
void gpuoa_events_init(struct gpuoa_unit *unit);
int gpuoa_events_add(struct gpuoa_unit *unit, struct perf_event *event);
bool gpuoa_events_any(struct gpuoa_unit *unit);
void gpuoa_events_remove(struct gpuoa_unit *unit, struct perf_event *event);
bool gpuoa_events_hang_up(struct gpuoa_unit *unit);
struct gpuoa_stream *gpuoa_pmu_stream(const struct perf_event *event);

/* pmu/names.c */
struct gpuoa_pmu_events *gpuoa_pmu_events_new(const struct gpuoa_unit *unit);
const struct attribute_group *gpuoa_pmu_events_group(const struct gpuoa_pmu_events *events);
void gpuoa_pmu_events_free(struct gpuoa_pmu_events *events);

/* main.c */
unsigned int gpuoa_max_sample_rate(void);

#endif /* _GPUOA_UNIT_H */
