// SPDX-License-Identifier: GPL-2.0-only
/* unit.c - OA unit: access to its provider, and its clock. */
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
		/* Same clock as perf_clock(), which is not exported. */
		*ns = local_clock();
		return 0;
	default:
		return -EINVAL;
	}
}

/* Sample the GPU's clock by @read, and take the middle of two CPU clock reads as its time. */
static int unit_clock_by(struct gpuoa_unit *unit, struct gpuoa_clock *clock,
			 int (*read)(struct gpuoa_unit *unit, u64 *ticks))
{
	u64 before = 0, after = 0;
	int ret;

	/* CLOCK_REALTIME and CLOCK_TAI may be set back between the reads. */
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
	*ticks = unit->ops->timestamp(unit->provider);

	return 0;
}

static int clock_read_asleep(struct gpuoa_unit *unit, u64 *ticks)
{
	return unit->ops->clock(unit->provider, ticks);
}

/**
 * gpuoa_unit_clock() - Sample the GPU and CPU clocks at the same time.
 * @unit: OA unit, kept awake by the provider
 * @clock: @clock->clock_id is input, the other fields are output
 *
 * The CPU clock is read before and after the GPU clock. The error of the middle is at most half of
 * the difference.
 *
 * Context: any
 * Return: 0; -EINVAL for an unknown clock
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

/* &gpuoa_unit.stream_lock prevents a suspend by the provider. */
static int unit_clock_awake(struct gpuoa_unit *unit, struct gpuoa_clock *clock)
{
	int ret;

	lockdep_assert_held(&unit->stream_lock);

	if (unit->suspended)
		return -EAGAIN;
	if (unit->ops->clock)
		return unit_clock_by(unit, clock, clock_read_asleep);

	ret = unit->ops->get(unit->provider);
	if (ret)
		return ret;
	ret = gpuoa_unit_clock(unit, clock);
	unit->ops->put(unit->provider);

	return ret;
}

/**
 * gpuoa_unit_clock_awake() - Sample the GPU and CPU clocks, waking the GPU if needed.
 * @unit: OA unit, entered
 * @clock: @clock->clock_id is input, the other fields are output
 *
 * Context: may sleep
 * Return: 0; -EINVAL for an unknown clock; -EAGAIN if the GPU is suspended; or an error of the
 * provider
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
 * gpuoa_unit_enter() - Prevent the removal of a unit.
 * @unit: OA unit
 *
 * The provider and the registry stay valid until gpuoa_unit_leave(). The caller must not access
 * user memory in between: a page fault may block indefinitely, and gpuoa_unit_unregister() would
 * wait for it.
 *
 * Return: 0; -ENODEV if the unit was removed
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
 * gpuoa_unit_leave() - Undo gpuoa_unit_enter().
 * @unit: OA unit
 */
void gpuoa_unit_leave(struct gpuoa_unit *unit)
{
	up_read(&unit->gone_lock);
}

/**
 * gpuoa_unit_set_gone() - Set whether the unit is removed.
 * @unit: OA unit
 * @gone: gpuoa_unit_enter() fails from now on; the call waits until all callers have left
 *
 * Context: may sleep
 */
void gpuoa_unit_set_gone(struct gpuoa_unit *unit, bool gone)
{
	down_write(&unit->gone_lock);
	/* gpuoa_unit_is_gone() reads it without the lock. */
	WRITE_ONCE(unit->gone, gone);
	up_write(&unit->gone_lock);
}
