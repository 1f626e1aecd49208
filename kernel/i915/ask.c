// SPDX-License-Identifier: GPL-2.0-only
/*
 * ask.c - what i915 says at any time, whoever has the OA unit.
 */
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
 * ask_clock - read the clock of a GPU that may sleep: i915 wakes it up
 * @gpu: the GPU
 * @low: out: the lower 32 bits
 *
 * Context: may sleep
 * Return: 0 or what i915 says
 */
int ask_clock(struct gpu *gpu, u32 *low)
{
	struct clock_call clock = { gpu, low };

	return call_run(gpu->worker, read_clock, &clock, PAGE_SIZE);
}

/**
 * ask_context - check that a DRM file has a context
 * @file: the file, of this GPU
 * @handle: handle of the context
 *
 * Context: may sleep
 * Return: 0; -ENOENT: it has no such context; or another -errno of i915
 */
int ask_context(const struct file *file, u32 handle)
{
	struct drm_i915_gem_context_param param = {
		.ctx_id = handle,
		.param = I915_CONTEXT_PARAM_PRIORITY,
	};

	return call_ioctl(file, DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &param);
}
