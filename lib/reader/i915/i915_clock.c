// SPDX-License-Identifier: MIT
/*
 * i915_clock.c - read the GPU's clock between two reads of a CPU clock
 *
 * i915 allows every process to read the 36-bit timestamp register of the render engine. Timestamps
 * of reports are its lower bits.
 */
#include "reader/i915/i915.h"

#include <errno.h>
#include <i915_drm.h>
#include <time.h>

#include "base/nsec.h"

#define RENDER_TIMESTAMP 0x2358
#define REGISTER_BITS 36
#define TRIES 3 /* the best one is used */

static uint64_t to_ns(const struct timespec *time)
{
	return (uint64_t)(time->tv_sec * NSEC_PER_SEC + time->tv_nsec);
}

static int read_register(const struct i915_unit *unit, uint64_t *value)
{
	struct drm_i915_reg_read read = { .offset = RENDER_TIMESTAMP | I915_REG_READ_8B_WA };
	const int err = drm_ioctl(unit->drm.unit.fd, DRM_IOCTL_I915_REG_READ, &read);

	*value = read.val & ((UINT64_C(1) << REGISTER_BITS) - 1);
	return err;
}

/* Extend a register value; the elapsed CPU time determines how often the register has wrapped. */
static uint64_t extend(struct i915_unit *unit, uint64_t value)
{
	const uint64_t period = UINT64_C(1) << REGISTER_BITS;
	const uint64_t hz = unit->drm.unit.desc.cs_timestamp_frequency;
	struct i915_time *time = &unit->time;
	struct timespec now;
	uint64_t about, ticks;

	clock_gettime(CLOCK_MONOTONIC, &now);
	pthread_mutex_lock(&time->lock);
	ticks = value;
	if (time->ticks) {
		about = time->ticks +
			(uint64_t)((unsigned __int128)(to_ns(&now) - time->ns) * hz / NSEC_PER_SEC);
		ticks = about - ((about - value) & (period - 1));
		if (about - ticks > period / 2)
			ticks += period;
	}
	time->ticks = ticks;
	time->ns = to_ns(&now);
	pthread_mutex_unlock(&time->lock);
	return ticks;
}

int i915_clock(struct gpuoa_unit *opened, int clock_id, struct gpuoa_clock_pair *pair)
{
	struct i915_unit *unit = (struct i915_unit *)opened;
	uint64_t best = UINT64_MAX, value = 0;

	for (int i = 0; i < TRIES; i++) {
		struct timespec before, after;
		uint64_t read, took;
		int err;

		if (clock_id == GPUOA_CLOCK_PERF || clock_gettime(clock_id, &before))
			return -EINVAL;
		err = read_register(unit, &read);
		if (err)
			return err;
		clock_gettime(clock_id, &after);
		/* CLOCK_REALTIME may be set back. */
		took = to_ns(&after) < to_ns(&before) ? UINT64_MAX - 1 :
							to_ns(&after) - to_ns(&before);
		if (took >= best)
			continue;
		best = took;
		value = read;
		*pair = (struct gpuoa_clock_pair){
			.cpu_ns = to_ns(&before) + took / 2,
			.clock_id = clock_id,
		};
	}
	pair->error_ns = drm_clock_error(best, unit->drm.unit.desc.cs_timestamp_frequency);
	pair->gpu_ticks = extend(unit, value) * unit->clock_ratio;
	return 0;
}
