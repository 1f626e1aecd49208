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
	struct file *file = call_open(clock->gpu->node);
	int ret;

	if (IS_ERR(file))
		return PTR_ERR(file);
	ret = call_ioctl(call, file, DRM_IOCTL_I915_REG_READ, &reg, sizeof(reg));
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

	return call_run(read_clock, &clock, PAGE_SIZE);
}

struct context_call {
	struct file *file;
	u32 handle;
};

static int find_context(struct call *call, void *data)
{
	struct context_call *context = data;
	struct drm_i915_gem_context_param param = {
		.ctx_id = context->handle,
		.param = I915_CONTEXT_PARAM_PRIORITY,
	};

	return call_ioctl(call, context->file, DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &param,
			  sizeof(param));
}

/**
 * ask_context - does a user have this context?
 * @file: the user's DRM file, of this GPU
 * @handle: of the context
 *
 * Context: may sleep
 * Return: 0, -ENOENT, or what else i915 says
 */
int ask_context(struct file *file, u32 handle)
{
	struct context_call context = { file, handle };

	return call_run(find_context, &context, PAGE_SIZE);
}
