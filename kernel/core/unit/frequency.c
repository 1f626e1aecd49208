// SPDX-License-Identifier: GPL-2.0-only
/*
 * frequency.c - frequency pin of a unit's GPU.
 *
 * A pin belongs to an open file of /dev/gpuoa<N> and is released when the file is closed, so also
 * when the process is killed. The provider restores the previous frequency limits.
 */
#include <linux/capability.h>
#include <linux/errno.h>
#include <linux/mutex.h>

#include <gpuoa_provider.h>

#include "frequency.h"
#include "refuse.h"
#include "unit.h"

/**
 * gpuoa_frequency_init() - Initialize without a frequency pin.
 * @unit: OA unit
 */
void gpuoa_frequency_init(struct gpuoa_unit *unit)
{
	mutex_init(&unit->frequency.lock);
}

static int pin_allowed(struct gpuoa_unit *unit, const struct gpuoa_freq_pin_arg *frequency)
{
	const struct gpuoa_unit_info *info = &unit->info;

	if (!unit->ops->frequency)
		return gpuoa_refuse(&unit->dev, -EOPNOTSUPP, "the provider does not pin clocks");
	/* CAP_PERFMON is not sufficient, because a pin slows down all users of the GPU. */
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
	ret = unit->ops->frequency(unit->provider, unit->info.unit_type, &hz);
	if (ret)
		return ret;
	pin->owner = hz ? file : NULL;
	pin->hz = hz;

	return 0;
}

/**
 * gpuoa_frequency_pin() - Pin or release the frequency, or query the pin.
 * @unit: OA unit, entered
 * @file: owner of the pin
 * @frequency: request on input; pinned frequency on output
 *
 * Context: may sleep
 * Return: 0, or an error as documented for &struct gpuoa_freq_pin_arg
 */
int gpuoa_frequency_pin(struct gpuoa_unit *unit, struct file *file,
			struct gpuoa_freq_pin_arg *frequency)
{
	int ret = 0;

	if (frequency->flags & ~GPUOA_PIN_FREQ_SET || frequency->reserved)
		return gpuoa_refuse(&unit->dev, -EINVAL, "an unknown flag, or a reserved field");
	if (frequency->flags & GPUOA_PIN_FREQ_SET)
		ret = pin_allowed(unit, frequency);
	if (ret)
		return ret;

	mutex_lock(&unit->frequency.lock);
	if (frequency->flags & GPUOA_PIN_FREQ_SET)
		ret = pin(unit, file, frequency->hz);
	frequency->hz = unit->frequency.owner == file ? unit->frequency.hz : 0;
	mutex_unlock(&unit->frequency.lock);

	return ret;
}

/* Release the pin. */
static void let_go(struct gpuoa_unit *unit)
{
	u64 hz = 0;

	lockdep_assert_held(&unit->frequency.lock);
	unit->ops->frequency(unit->provider, unit->info.unit_type, &hz);
	unit->frequency.owner = NULL;
	unit->frequency.hz = 0;
}

/**
 * gpuoa_frequency_close() - Release the pin of a file.
 * @unit: OA unit
 * @file: file
 *
 * Context: may sleep
 */
void gpuoa_frequency_close(struct gpuoa_unit *unit, struct file *file)
{
	/* gpuoa_frequency_take_away() has already released the pin of a removed unit. */
	if (gpuoa_unit_enter(unit))
		return;
	mutex_lock(&unit->frequency.lock);
	if (unit->frequency.owner == file)
		let_go(unit);
	mutex_unlock(&unit->frequency.lock);
	gpuoa_unit_leave(unit);
}

/**
 * gpuoa_frequency_take_away() - Release the pin of a unit that is being removed.
 * @unit: OA unit, set gone
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
