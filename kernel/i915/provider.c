// SPDX-License-Identifier: GPL-2.0-only
/* provider.c - provider callbacks for gpuoa.ko, by an exclusive i915-perf stream. */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kref.h>
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include <gpuoa_provider.h>
#include <gen7_regs.h>

#include "gpu.h"
#include "gpuoa_i915_buffer.h"
#include "gpuoa_i915_ioctl.h"
#include "gpuoa_i915_query.h"
#include "ids.h"
#include "lease.h"
#include "provider.h"

/**
 * struct user_context - context that users measure
 * @node: entry in &gpu.contexts
 * @users: number of users; protected by &gpu.lock
 * @file: DRM file of the user, with a reference
 * @handle: handle of the context in @file
 */
struct user_context {
	struct list_head node;
	unsigned int users;
	struct file *file;
	u32 handle;
};

static u32 provider_read(void *provider, u32 reg)
{
	return gpu_read(provider, reg);
}

static void provider_write(void *provider, u32 reg, u32 value)
{
	gpu_write(provider, reg, value);
}

static u64 now(const struct gpu *gpu, u32 low)
{
	return clock_extend(&gpu->anchor, gpu->frequency, low, ktime_get_raw_fast_ns());
}

static u64 provider_timestamp(void *provider)
{
	return now(provider, gpu_read(provider, RCS_TIMESTAMP));
}

static int provider_clock(void *provider, u64 *ticks)
{
	struct gpu *gpu = provider;
	u32 low = 0;
	int ret = 0;

	mutex_lock(&gpu->lock);
	if (gpu->lease.stream)
		low = gpu_read(gpu, RCS_TIMESTAMP);
	else
		ret = ask_clock(gpu, &low);
	if (!ret)
		*ticks = now(gpu, low);
	mutex_unlock(&gpu->lock);

	return ret;
}

/* i915 checks the opener's permissions each time the unit is programmed. */
static int provider_get(void *provider)
{
	struct gpu *gpu = provider;

	gpu->cred = get_current_cred();

	return 0;
}

static void provider_put(void *provider)
{
	struct gpu *gpu = provider;

	put_cred(gpu->cred);
	gpu->cred = NULL;
}

/* The two clocks drift; re-anchor one to the other while the unit is idle. */
static void set_anchor(struct gpu *gpu)
{
	u64 ticks = provider_timestamp(gpu);

	gpu->anchor = (struct clock_anchor){ .ticks = ticks, .ns = ktime_get_raw_fast_ns() };
}

static void tell_context(const struct gpu *gpu, struct gpuoa_provider_config *config)
{
	const struct generation *generation = gpu->platform->generation;

	config->context_id = generation->context_id ?: gpu->lease.context;
	config->context_mask = generation->context_mask;
}

/* Do the probe write now if the unit was in use when gpuoa was attached. */
static int try_once(struct gpu *gpu)
{
	const char *why;
	int ret = gpu->tried ? 0 : trial_run(gpu, &why);

	if (ret && ret != -EBUSY)
		dev_err(&gpu->pdev->dev, "gpuoa does not touch it: %s (%d)\n", why, ret);

	return ret;
}

static struct lease_request request_of(const struct gpuoa_provider_config *config,
				       const struct cred *cred)
{
	const struct user_context *context = config->context;

	return (struct lease_request){
		.config = config,
		.cred = cred,
		.file = context ? context->file : NULL,
		.handle = context ? context->handle : 0,
	};
}

static int provider_configure(void *provider, struct gpuoa_provider_config *config)
{
	struct gpu *gpu = provider;
	const struct lease_request request = request_of(config, gpu->cred);
	int ret;

	mutex_lock(&gpu->lock);
	lease_close(gpu);
	ret = try_once(gpu) ?: lease_open(gpu, &request);
	if (!ret) {
		set_anchor(gpu);
		if (config->context)
			tell_context(gpu, config);
	}
	mutex_unlock(&gpu->lock);

	return ret;
}

/* A caller with CAP_PERFMON needs no check: i915 lets it open any stream. */
static int provider_join(void *provider, const struct gpuoa_provider_config *config)
{
	const struct lease_request request = request_of(config, current_cred());
	struct gpu *gpu = provider;
	int ret;

	if (perfmon_capable())
		return 0;
	mutex_lock(&gpu->lock);
	ret = lease_check(gpu, &request);
	mutex_unlock(&gpu->lock);

	return ret;
}

static void provider_unconfigure(void *provider)
{
	struct gpu *gpu = provider;

	mutex_lock(&gpu->lock);
	lease_close(gpu);
	mutex_unlock(&gpu->lock);
}

static int provider_buffer_get(void *provider, u32 size, struct gpuoa_provider_buffer *buffer)
{
	unsigned int n_pages = size >> PAGE_SHIFT;
	struct gpu *gpu = provider;
	struct page **pages;
	int ret;

	if (size > SZ_16M)
		return -ERANGE;
	pages = kvcalloc(n_pages, sizeof(*pages), GFP_KERNEL_ACCOUNT);
	if (!pages)
		return -ENOMEM;

	mutex_lock(&gpu->lock);
	ret = gpu->lease.stream ? buffer_find(gpu, pages, n_pages) : -ENXIO;
	if (!ret) {
		gpu->lease.pages = pages;
		*buffer = (struct gpuoa_provider_buffer){ pages, n_pages, gpu->lease.buffer };
	}
	mutex_unlock(&gpu->lock);
	if (ret) {
		dev_err(&gpu->pdev->dev, "i915's OA buffer is not found: %d\n", ret);
		kvfree(pages);
	}

	return ret;
}

static void provider_buffer_put(void *provider, bool leak)
{
	struct gpu *gpu = provider;

	mutex_lock(&gpu->lock);
	kvfree(gpu->lease.pages);
	gpu->lease.pages = NULL;
	gpu->lease.leaked = leak;
	mutex_unlock(&gpu->lock);
}

static struct user_context *find_context(struct gpu *gpu, const struct file *file, u32 handle)
{
	struct user_context *context;

	list_for_each_entry(context, &gpu->contexts, node)
		if (context->file == file && context->handle == handle)
			return context;

	return NULL;
}

static struct user_context *get_context(struct gpu *gpu, struct file *file, u32 handle)
{
	struct user_context *context = find_context(gpu, file, handle);

	if (!context) {
		context = kzalloc(sizeof(*context), GFP_KERNEL);
		if (!context)
			return NULL;
		context->file = get_file(file);
		context->handle = handle;
		list_add(&context->node, &gpu->contexts);
	}
	context->users++;

	return context;
}

static int provider_context_get(void *provider, struct file *file, u32 handle, u64 *hw_id,
				void **context)
{
	struct gpu *gpu = provider;
	int ret;

	if (!call_is_file_of(gpu->drm, file))
		return -EXDEV;
	if (gpu->guc)
		return -EOPNOTSUPP;
	ret = ask_context(file, handle);
	if (ret)
		return ret;

	*hw_id = 0;
	mutex_lock(&gpu->lock);
	*context = get_context(gpu, file, handle);
	mutex_unlock(&gpu->lock);

	return *context ? 0 : -ENOMEM;
}

static void provider_context_put(void *provider, void *data)
{
	struct user_context *context = data;
	struct file *file = NULL;
	struct gpu *gpu = provider;

	mutex_lock(&gpu->lock);
	if (!--context->users) {
		list_del(&context->node);
		file = context->file;
		kfree(context);
	}
	mutex_unlock(&gpu->lock);
	if (file)
		fput(file);
}

const struct gpuoa_provider_ops lease_provider_ops = {
	.read = provider_read,
	.write = provider_write,
	.timestamp = provider_timestamp,
	.clock = provider_clock,
	.get = provider_get,
	.put = provider_put,
	.configure = provider_configure,
	.join = provider_join,
	.unconfigure = provider_unconfigure,
	.buffer_get = provider_buffer_get,
	.buffer_put = provider_buffer_put,
	.context_get = provider_context_get,
	.context_put = provider_context_put,
};
