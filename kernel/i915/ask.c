// SPDX-License-Identifier: GPL-2.0-only
/* ask.c - i915 queries that do not need the OA unit. */
#include <linux/err.h>

#include <uapi/drm/i915_drm.h>
#include <gen7_regs.h>

#include "ask.h"
#include "call.h"
#include "gpu.h"

struct clock_call {
	struct gpu *gpu;
	u32 *low;
};

static int read_clock(struct call *call, void *data)
{
	struct drm_i915_reg_read reg = { .offset = RCS_TIMESTAMP | I915_REG_READ_8B_WA };
	struct clock_call *clock = data;
	struct file *file = call_open(clock->gpu->drm);
	int ret;

	if (IS_ERR(file))
		return PTR_ERR(file);
	ret = call_ioctl(file, DRM_IOCTL_I915_REG_READ, &reg);
	*clock->low = reg.val;
	call_close(file);

	return ret;
}

/**
 * ask_clock() - Read the clock of a GPU, which i915 wakes if it sleeps.
 * @gpu: GPU
 * @low: lower 32 bits of the clock, output
 *
 * Context: may sleep
 * Return: 0 or an error of i915
 */
int ask_clock(struct gpu *gpu, u32 *low)
{
	struct clock_call clock = { gpu, low };

	return call_run(gpu->worker, read_clock, &clock, PAGE_SIZE);
}

/**
 * ask_context() - Check that a DRM file has a context.
 * @file: DRM file of this GPU
 * @handle: handle of the context
 *
 * Context: may sleep
 * Return: 0; -ENOENT if there is no such context; or another error of i915
 */
int ask_context(const struct file *file, u32 handle)
{
	struct drm_i915_gem_context_param param = {
		.ctx_id = handle,
		.param = I915_CONTEXT_PARAM_PRIORITY,
	};

	return call_ioctl(file, DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &param);
}
