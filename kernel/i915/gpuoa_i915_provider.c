// SPDX-License-Identifier: GPL-2.0-only
/* gpuoa_i915_provider.c - exclusive streams of i915-perf, and contexts. */
#include <linux/container_of.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/iopoll.h>
#include <linux/pci.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uuid.h>

#include <gen7_regs.h>
#include <gpuoa_provider.h>
#include <uapi/drm/i915_drm.h>

#include "../lease/lease_ioctl.h"
#include "gpu.h"
#include "gpuoa_i915_buffer.h"
#include "gpuoa_i915_provider.h"
#include "gpuoa_i915_query.h"
#include "ids.h"

/**
 * DOC: Streams of i915-perf
 *
 * For a stream, i915 also powers all slices and subslices, and sets the flexible EU counters in all
 * contexts. When it is enabled, i915 writes the context id to OACONTROL on Haswell. A query-only
 * stream is not enabled: i915 programs only the counters of the context, and the unit stays off.
 *
 * dev.i915.oa_max_sample_rate also applies to gpuoa events.
 */

#define STREAM_PROPERTIES 5

/* Size of i915's OABUFFER, bytes */
#define STREAM_BUFFER_SIZE SZ_16M

/* Unused configuration id: i915 assigns ids from 1 on. */
#define STREAM_NO_SET INT_MAX

/* Granularity of the tail register: bits 31:6, bytes */
#define STREAM_TAIL_UNIT 64

/* Time until started reports have landed, and timeout for the requested reports */
#define STREAM_LAND_US 1000
#define STREAM_WRITE_MS 500

static const struct i915_stream_request *i915_request(const struct lease_request *request)
{
	return container_of(request, struct i915_stream_request, lease);
}

static u64 put_regs(struct ioctl_args *args, const struct gpuoa_reg_list *list)
{
	static_assert(sizeof(*list->regs) == 2 * sizeof(u32));

	return list->count ? (uintptr_t)ioctl_put(args, list->regs,
						  array_size(list->count, sizeof(*list->regs))) :
			     0;
}

/**
 * i915_add_config() - Implement &lease_driver.add_config.
 * @args: user memory
 * @node: render node
 * @uuid: UUID
 * @config: configuration
 *
 * Return: id or -errno
 */
long i915_add_config(struct ioctl_args *args, struct file *node, const char *uuid,
		     const struct gpuoa_provider_config *config)
{
	struct drm_i915_perf_oa_config add = {
		.n_mux_regs = config->mux.count,
		.n_boolean_regs = config->boolean.count,
		.n_flex_regs = config->flex.count,
		.mux_regs_ptr = put_regs(args, &config->mux),
		.boolean_regs_ptr = put_regs(args, &config->boolean),
		.flex_regs_ptr = put_regs(args, &config->flex),
	};

	static_assert(sizeof(add.uuid) == UUID_STRING_LEN);
	memcpy(add.uuid, uuid, sizeof(add.uuid));

	return node_ioctl(node, DRM_IOCTL_I915_PERF_ADD_CONFIG, &add);
}

/**
 * i915_remove_config() - Implement &lease_driver.remove_config.
 * @args: user memory
 * @node: render node
 * @id: id of the configuration
 */
void i915_remove_config(struct ioctl_args *args, struct file *node, u64 id)
{
	node_ioctl(node, DRM_IOCTL_I915_PERF_REMOVE_CONFIG, &id);
}

struct property {
	u64 key;
	u64 value;
};

/* Set the properties of a stream. Returns their number, at most STREAM_PROPERTIES. */
static u32 fill_properties(struct property *properties, const struct i915_stream_request *request,
			   u64 id)
{
	const struct gpuoa_provider_config *config = request->lease.config;
	u32 n = 0;

	properties[n++] = (struct property){ DRM_I915_PERF_PROP_OA_METRICS_SET, id };
	properties[n++] = (struct property){ DRM_I915_PERF_PROP_OA_FORMAT, config->format };
	if (!config->query_only) {
		properties[n++] = (struct property){ DRM_I915_PERF_PROP_SAMPLE_OA, 1 };
		properties[n++] =
			(struct property){ DRM_I915_PERF_PROP_OA_EXPONENT, config->exponent };
	}
	if (request->file)
		properties[n++] =
			(struct property){ DRM_I915_PERF_PROP_CTX_HANDLE, request->handle };

	return n;
}

/**
 * i915_open_stream() - Implement &lease_driver.open_stream.
 * @args: user memory
 * @node: render node, used unless the request has a file
 * @lease: request
 * @id: id of the configuration
 *
 * Return: descriptor or -errno
 */
long i915_open_stream(struct ioctl_args *args, struct file *node, const struct lease_request *lease,
		      u64 id)
{
	const struct i915_stream_request *request = i915_request(lease);
	struct property properties[STREAM_PROPERTIES];
	struct drm_i915_perf_open_param open = {
		.flags = I915_PERF_FLAG_DISABLED | I915_PERF_FLAG_FD_CLOEXEC,
		.num_properties = fill_properties(properties, request, id),
	};

	open.properties_ptr = (uintptr_t)ioctl_put(args, properties, sizeof(properties));

	return node_ioctl(request->file ?: node, DRM_IOCTL_I915_PERF_OPEN, &open);
}

/**
 * i915_try_stream() - Implement &lease_driver.try_stream.
 * @args: user memory
 * @node: render node, used unless the request has a file
 * @request: request
 * @id: not used
 *
 * i915 checks permissions first, then whether the unit is in use, and then the configuration id. An
 * invalid id therefore checks permissions without opening a stream: i915 returns -EBUSY or -EINVAL
 * if it permits the stream. Any other error means a refusal, or that nothing was checked.
 *
 * Return: 0 or -errno
 */
long i915_try_stream(struct ioctl_args *args, struct file *node,
		     const struct lease_request *request, u64 id)
{
	long ret = i915_open_stream(args, node, request, STREAM_NO_SET);

	return ret == -EBUSY || ret == -EINVAL ? 0 : ret;
}

static int await_reports(const struct gpu *gpu, u32 reports)
{
	const struct generation *generation = gpu->platform->generation;
	u32 buffer = gpu->unit.buffer;
	u32 tail;

	return read_poll_timeout(gpu_read, tail,
				 ALIGN_DOWN(tail, STREAM_TAIL_UNIT) - buffer >= reports,
				 USEC_PER_MSEC, STREAM_WRITE_MS * USEC_PER_MSEC, false, gpu,
				 generation->tail);
}

/* Read the address of the buffer, which i915 writes when the stream is enabled. */
static void look_at_unit(struct gpu *gpu)
{
	const struct generation *generation = gpu->platform->generation;

	/* i915 aligns the buffer to its size. */
	gpu->unit.buffer = ALIGN_DOWN(gpu_read(gpu, generation->buffer), STREAM_BUFFER_SIZE);
	gpu->unit.buffer_size = STREAM_BUFFER_SIZE;
	gpu->stream.context = gpu_read(gpu, generation->control) & generation->context_mask;
}

/**
 * i915_run_once() - Implement &lease_driver.run_once.
 * @args: user memory
 * @stream: stream
 * @lease: request
 *
 * Return: 0; -ETIMEDOUT if the unit does not write the requested reports; or an error of i915
 */
int i915_run_once(struct ioctl_args *args, struct file *stream, const struct lease_request *lease)
{
	const struct i915_stream_request *request = i915_request(lease);
	struct gpu *gpu = gpu_of(lease->unit);
	struct buffer_content *content = &gpu->stream.content;
	int ret, disabled;

	content->report_size = lease->config->report_size;
	content->reports = request->reports;
	content->from = gpu_read(gpu, RCS_TIMESTAMP);
	ret = stream->f_op->unlocked_ioctl(stream, I915_PERF_IOCTL_ENABLE, 0);
	if (ret)
		return ret;
	look_at_unit(gpu);
	ret = await_reports(gpu, request->reports);
	disabled = stream->f_op->unlocked_ioctl(stream, I915_PERF_IOCTL_DISABLE, 0);
	usleep_range(STREAM_LAND_US, 2 * STREAM_LAND_US);
	content->to = gpu_read(gpu, RCS_TIMESTAMP);

	return ret ?: disabled;
}

/**
 * i915_stream_open() - Program the unit by i915 and take control of it.
 * @request: request for a unit without an open stream
 *
 * Context: may sleep
 * Return: as lease_stream_open(); -ETIMEDOUT if the unit does not write the requested reports
 */
int i915_stream_open(const struct i915_stream_request *request)
{
	gpu_of(request->lease.unit)->stream = (struct i915_stream){};

	return lease_stream_open(&request->lease);
}

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

static void tell_context(const struct gpu *gpu, struct gpuoa_provider_config *config)
{
	const struct generation *generation = gpu->platform->generation;

	config->context_id = generation->context_id ?: gpu->stream.context;
	config->context_mask = generation->context_mask;
}

/* Do the probe write now if the unit was in use when gpuoa was attached. */
static int try_once(struct gpu *gpu)
{
	const char *why;
	int ret = gpu->probed ? 0 : probe_write(gpu, &why);

	if (ret && ret != -EBUSY)
		dev_err(&gpu->lease.pdev->dev, "gpuoa does not touch it: %s (%d)\n", why, ret);

	return ret;
}

static struct i915_stream_request request_of(struct lease_unit *unit,
					     const struct gpuoa_provider_config *config,
					     const struct cred *cred)
{
	const struct user_context *context = config->context;

	return (struct i915_stream_request){
		.lease = { unit, config, cred },
		.file = context ? context->file : NULL,
		.handle = context ? context->handle : 0,
	};
}

/**
 * i915_unit_open() - Implement &lease_driver.open.
 * @unit: unit
 * @config: configuration
 * @cred: credentials that i915 checks
 *
 * Return: 0 or -errno
 */
int i915_unit_open(struct lease_unit *unit, struct gpuoa_provider_config *config,
		   const struct cred *cred)
{
	const struct i915_stream_request request = request_of(unit, config, cred);
	struct gpu *gpu = gpu_of(unit);
	int ret;

	ret = try_once(gpu) ?: i915_stream_open(&request);
	if (!ret && config->context)
		tell_context(gpu, config);

	return ret;
}

/**
 * i915_unit_permits() - Implement &lease_driver.permits.
 * @unit: unit
 * @config: configuration
 * @cred: credentials that i915 checks
 *
 * Return: 0 or -errno
 */
int i915_unit_permits(struct lease_unit *unit, const struct gpuoa_provider_config *config,
		      const struct cred *cred)
{
	const struct i915_stream_request request = request_of(unit, config, cred);

	return lease_stream_permits(&request.lease);
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
	struct gpu *gpu = gpu_of(provider);
	int ret;

	if (!node_has_file(gpu->lease.drm, file))
		return -EXDEV;
	ret = query_context(file, handle);
	if (ret)
		return ret;

	*hw_id = 0;
	mutex_lock(&gpu->unit.lock);
	*context = get_context(gpu, file, handle);
	mutex_unlock(&gpu->unit.lock);

	return *context ? 0 : -ENOMEM;
}

static void provider_context_put(void *provider, void *data)
{
	struct user_context *context = data;
	struct file *file = NULL;
	struct gpu *gpu = gpu_of(provider);

	mutex_lock(&gpu->unit.lock);
	if (!--context->users) {
		list_del(&context->node);
		file = context->file;
		kfree(context);
	}
	mutex_unlock(&gpu->unit.lock);
	if (file)
		fput(file);
}

const struct gpuoa_provider_ops i915_provider_ops = {
	LEASE_PROVIDER_OPS,
	.context_get = provider_context_get,
	.context_put = provider_context_put,
};

/* The GuC assigns the context ids in reports, and i915 does not publish them. */
const struct gpuoa_provider_ops i915_guc_provider_ops = { LEASE_PROVIDER_OPS };
