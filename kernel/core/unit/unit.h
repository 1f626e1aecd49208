/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unit.h - one OA unit: what hangs together under the name gpuoa<N>.
 */
#ifndef _GPUOA_UNIT_H
#define _GPUOA_UNIT_H

#include <linux/atomic.h>
#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>

#include <gpuoa_host.h>
#include "oa/oa.h"
#include "registry.h"
#include "uapi/gpuoa.h"

struct gpuoa_platform;
struct gpuoa_pmu;
struct gpuoa_stream;

/**
 * struct gpuoa_stats - statistics in sysfs
 * @reports_forwarded: reports published
 * @reports_lost: reports known to be missing in between
 * @overflows: times that the OABUFFER was full and the unit was restarted
 * @resets: times that the unit had lost its registers while it ran
 * @opens: times that the unit was acquired
 * @polls: polls of a unit that runs
 * @interrupts: times that the host said that the OABUFFER was half full
 */
struct gpuoa_stats {
	atomic64_t reports_forwarded;
	atomic64_t reports_lost;
	atomic64_t overflows;
	atomic64_t resets;
	atomic64_t opens;
	atomic64_t polls;
	atomic64_t interrupts;
};

/**
 * struct gpuoa_pin - the clock that a user has pinned
 * @lock: protects all of it
 * @owner: the file that it belongs to, or NULL
 * @hz: the clock
 */
struct gpuoa_pin {
	struct mutex lock; /* see above */
	struct file *owner;
	u64 hz;
};

/**
 * struct gpuoa_unit - one OA unit
 *
 * @dev: class device gpuoa<N>; its release frees the unit
 * @cdev: /dev/gpuoa<N>
 * @index: N
 * @platform: the GPU
 * @oa: backend of the hardware generation
 * @context_mask: bits of a report's context id that name a context
 * @noa_delay_us: how long the MUX takes to switch
 * @ops: the host's services
 * @host: their first argument
 * @owner: the host's module; each event holds it
 * @info: what user space may know
 * @gone_lock: the gate: held for reading by those who need the host, for writing to take it away
 * @gone: the host is no more; written under @gone_lock
 * @sets: metric configurations by id
 * @stats: statistics
 * @stream_lock: protects @stream and its number of users
 * @stream: who has the unit now, or NULL
 * @suspended: the GPU sleeps; protected by @stream_lock
 * @epoch: number of transactions that core made on the PMU; written on the unit's CPU, where
 *	streams start and stop
 * @wake_lock: protects @next_wake
 * @next_wake: when a user who may not measure can wake the GPU again, jiffies
 * @frequency: the clock that a user has pinned
 * @charges: streams as files and their memory, struct gpuoa_charge; see limits.c
 * @pmu: PMU gpuoa<N>; the room pmu/ allocates and frees it
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

	struct gpuoa_registry sets;
	struct gpuoa_stats stats;

	struct mutex stream_lock; /* stream and its users */
	struct gpuoa_stream *stream;
	bool suspended;
	u32 epoch;

	struct mutex wake_lock; /* next_wake */
	unsigned long next_wake;

	struct gpuoa_pin frequency;
	struct list_head charges;

	struct gpuoa_pmu *pmu;
};

/**
 * gpuoa_unit_is_gone - is the host no more?
 * @unit: the unit
 *
 * The answer may be late, as @unit's gate is not entered. Those who rely on it hold a lock that
 * gpuoa_unit_unregister() takes after it has closed the gate.
 *
 * Return: true if it is
 */
static inline bool gpuoa_unit_is_gone(const struct gpuoa_unit *unit)
{
	return READ_ONCE(unit->gone);
}

/**
 * gpuoa_unit_measures_contexts - can events be for one context that the host finds?
 * @oa: the backend
 * @ops: the host's services
 *
 * Return: true if they can
 */
static inline bool gpuoa_unit_measures_contexts(const struct gpuoa_oa_ops *oa,
						const struct gpuoa_host_ops *ops)
{
	return oa->filters_contexts &&
	       (!oa->needs_context || ops->context_write || ops->configure);
}

int gpuoa_unit_enter(struct gpuoa_unit *unit);
void gpuoa_unit_leave(struct gpuoa_unit *unit);
void gpuoa_unit_set_gone(struct gpuoa_unit *unit, bool gone);
int gpuoa_unit_clock_awake(struct gpuoa_unit *unit, struct gpuoa_clock *clock);
int gpuoa_unit_clock(struct gpuoa_unit *unit, struct gpuoa_clock *clock);

#endif /* _GPUOA_UNIT_H */
