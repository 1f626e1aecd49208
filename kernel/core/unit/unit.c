// SPDX-License-Identifier: GPL-2.0-only
/*
 * unit.c - an OA unit: the gate to its host, and its clock.
 */
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/sched/clock.h>
#include <linux/timekeeping.h>

#include "unit.h"

static int clock_now(s32 clock_id, u64 *ns)
{
	switch (clock_id) {
	case CLOCK_MONOTONIC:
		*ns = ktime_get_ns();
		return 0;
	case CLOCK_MONOTONIC_RAW:
		*ns = ktime_get_raw_ns();
		return 0;
	case CLOCK_BOOTTIME:
		*ns = ktime_get_boottime_ns();
		return 0;
	case CLOCK_REALTIME:
		*ns = ktime_get_real_ns();
		return 0;
	case CLOCK_TAI:
		*ns = ktime_get_clocktai_ns();
		return 0;
	case GPUOA_CLOCK_PERF:
		/* What perf_clock() of core is; that one is not exported. */
		*ns = local_clock();
		return 0;
	default:
		return -EINVAL;
	}
}

/* @read says what the GPU's clock is. The middle of two readings of the CPU's is when that was. */
static int unit_clock_by(struct gpuoa_unit *unit, struct gpuoa_clock *clock,
			 int (*read)(struct gpuoa_unit *unit, u64 *ticks))
{
	u64 before = 0, after = 0;
	int ret;

	/* CLOCK_REALTIME and CLOCK_TAI may be set back in between. */
	do {
		ret = clock_now(clock->clock_id, &before);
		if (!ret)
			ret = read(unit, &clock->gpu_ticks);
		clock_now(clock->clock_id, &after);
	} while (after < before);

	clock->cpu_ns = before + (after - before) / 2;
	clock->error_ns = min_t(u64, (after - before + 1) / 2, U32_MAX);

	return ret;
}

static int clock_read_awake(struct gpuoa_unit *unit, u64 *ticks)
{
	*ticks = unit->ops->timestamp(unit->host);

	return 0;
}

static int clock_read_asleep(struct gpuoa_unit *unit, u64 *ticks)
{
	return unit->ops->clock(unit->host, ticks);
}

/**
 * gpuoa_unit_clock - read GPU and CPU time of one moment
 * @unit: the unit
 * @clock: in: clock_id; out: all
 *
 * The CPU's clock is read before and after the GPU's: the middle is right to within half the
 * distance. The host keeps the GPU awake.
 *
 * Context: any
 * Return: 0, or -EINVAL for an unknown clock
 */
int gpuoa_unit_clock(struct gpuoa_unit *unit, struct gpuoa_clock *clock)
{
	unsigned long flags;
	int ret;

	local_irq_save(flags);
	ret = unit_clock_by(unit, clock, clock_read_awake);
	local_irq_restore(flags);

	return ret;
}

/* The host does not suspend the GPU meanwhile. */
static int unit_clock_awake(struct gpuoa_unit *unit, struct gpuoa_clock *clock)
{
	int ret;

	lockdep_assert_held(&unit->stream_lock);

	if (unit->suspended)
		return -EAGAIN;
	if (unit->ops->clock)
		return unit_clock_by(unit, clock, clock_read_asleep);

	ret = unit->ops->get(unit->host);
	if (ret)
		return ret;
	ret = gpuoa_unit_clock(unit, clock);
	unit->ops->put(unit->host);

	return ret;
}

/**
 * gpuoa_unit_clock_awake - read GPU and CPU time of one moment, whether or not the unit is in use
 * @unit: the unit, entered
 * @clock: in: clock_id; out: all
 *
 * Context: may sleep
 * Return: 0; -EINVAL for an unknown clock; -EAGAIN if the GPU is suspended; or what the host says
 */
int gpuoa_unit_clock_awake(struct gpuoa_unit *unit, struct gpuoa_clock *clock)
{
	int ret;

	mutex_lock(&unit->stream_lock);
	ret = unit_clock_awake(unit, clock);
	mutex_unlock(&unit->stream_lock);

	return ret;
}

/**
 * gpuoa_unit_enter - keep a unit's host and registry
 * @unit: the unit
 *
 * They are there until gpuoa_unit_leave(). User memory is not accessed in between: a page fault may
 * take for ever, and gpuoa_unit_unregister() would wait for it.
 *
 * Return: 0, or -ENODEV if the unit is no more
 */
int gpuoa_unit_enter(struct gpuoa_unit *unit)
{
	down_read(&unit->gone_lock);
	if (!unit->gone)
		return 0;
	up_read(&unit->gone_lock);

	return -ENODEV;
}

/**
 * gpuoa_unit_leave - undo gpuoa_unit_enter()
 * @unit: the unit
 */
void gpuoa_unit_leave(struct gpuoa_unit *unit)
{
	up_read(&unit->gone_lock);
}

/**
 * gpuoa_unit_set_gone - open or close the gate
 * @unit: the unit
 * @gone: nobody gets in any more; when this returns nobody is in
 *
 * Context: may sleep
 */
void gpuoa_unit_set_gone(struct gpuoa_unit *unit, bool gone)
{
	down_write(&unit->gone_lock);
	/* Some look without the lock: see gpuoa_unit_is_gone(). */
	WRITE_ONCE(unit->gone, gone);
	up_write(&unit->gone_lock);
}
