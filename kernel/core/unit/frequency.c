// SPDX-License-Identifier: GPL-2.0-only
/*
 * frequency.c - the clock of a unit's GPU, pinned by a user.
 *
 * A pin belongs to an open file of /dev/gpuoa<N>. So it ends with the process, however that ends,
 * and nobody has to remember what the clock was: the host does.
 */
#include <linux/capability.h>
#include <linux/errno.h>
#include <linux/mutex.h>

#include <gpuoa_host.h>

#include "frequency.h"
#include "refuse.h"
#include "unit.h"

/**
 * gpuoa_frequency_init - no clock is pinned
 * @unit: the unit
 */
void gpuoa_frequency_init(struct gpuoa_unit *unit)
{
	mutex_init(&unit->frequency.lock);
}

static int pin_allowed(struct gpuoa_unit *unit, const struct gpuoa_frequency *frequency)
{
	const struct gpuoa_unit_info *info = &unit->info;

	if (!unit->ops->frequency)
		return gpuoa_refuse(&unit->dev, -EOPNOTSUPP, "the host does not pin clocks");
	/* What perf may see is one thing; this slows down all who use the GPU. */
	if (!capable(CAP_SYS_ADMIN))
		return gpuoa_refuse(&unit->dev, -EPERM, "to pin a clock takes CAP_SYS_ADMIN");
	if (frequency->hz &&
	    (frequency->hz < info->gt_min_frequency || frequency->hz > info->gt_max_frequency))
		return gpuoa_refuse(&unit->dev, -ERANGE, "the GPU has no such clock");

	return 0;
}

static int pin(struct gpuoa_unit *unit, struct file *file, u64 hz)
{
	struct gpuoa_pin *pin = &unit->frequency;
	int ret;

	lockdep_assert_held(&pin->lock);
	if (pin->owner && pin->owner != file)
		return gpuoa_refuse(&unit->dev, -EBUSY, "another file has pinned the clock");
	if (!pin->owner && !hz)
		return 0;
	ret = unit->ops->frequency(unit->host, unit->info.unit_type, &hz);
	if (ret)
		return ret;
	pin->owner = hz ? file : NULL;
	pin->hz = hz;

	return 0;
}

/**
 * gpuoa_frequency_pin - pin the clock, let it go, or say how it is
 * @unit: the unit, whose gate is entered
 * @file: whom the pin belongs to
 * @frequency: in: what is asked; out: the clock
 *
 * Context: may sleep
 * Return: 0, or an errno as for &struct gpuoa_frequency
 */
int gpuoa_frequency_pin(struct gpuoa_unit *unit, struct file *file,
			struct gpuoa_frequency *frequency)
{
	int ret = 0;

	if (frequency->flags & ~GPUOA_FREQUENCY_PIN || frequency->reserved)
		return gpuoa_refuse(&unit->dev, -EINVAL, "an unknown flag, or a reserved field");
	if (frequency->flags & GPUOA_FREQUENCY_PIN)
		ret = pin_allowed(unit, frequency);
	if (ret)
		return ret;

	mutex_lock(&unit->frequency.lock);
	if (frequency->flags & GPUOA_FREQUENCY_PIN)
		ret = pin(unit, file, frequency->hz);
	frequency->hz = unit->frequency.owner == file ? unit->frequency.hz : 0;
	mutex_unlock(&unit->frequency.lock);

	return ret;
}

/* The clock is the host's again. */
static void let_go(struct gpuoa_unit *unit)
{
	u64 hz = 0;

	lockdep_assert_held(&unit->frequency.lock);
	unit->ops->frequency(unit->host, unit->info.unit_type, &hz);
	unit->frequency.owner = NULL;
	unit->frequency.hz = 0;
}

/**
 * gpuoa_frequency_close - let go of what a file has pinned
 * @unit: the unit
 * @file: the file
 *
 * Context: may sleep
 */
void gpuoa_frequency_close(struct gpuoa_unit *unit, struct file *file)
{
	/* Of a host that is gone, gpuoa_frequency_take_away() has let go. */
	if (gpuoa_unit_enter(unit))
		return;
	mutex_lock(&unit->frequency.lock);
	if (unit->frequency.owner == file)
		let_go(unit);
	mutex_unlock(&unit->frequency.lock);
	gpuoa_unit_leave(unit);
}

/**
 * gpuoa_frequency_take_away - let go of the clock of a host that is about to go
 * @unit: the unit, whose gate is closed
 *
 * Context: may sleep
 */
void gpuoa_frequency_take_away(struct gpuoa_unit *unit)
{
	mutex_lock(&unit->frequency.lock);
	if (unit->frequency.owner)
		let_go(unit);
	mutex_unlock(&unit->frequency.lock);
}
