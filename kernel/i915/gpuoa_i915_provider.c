// SPDX-License-Identifier: GPL-2.0-only
/* gpuoa_i915_provider.c - provider callbacks for gpuoa.ko, by an exclusive i915-perf stream. */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/iopoll.h>
#include <linux/kref.h>
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/uuid.h>

#include <gen7_regs.h>
#include <gpuoa_provider.h>
#include <uapi/drm/i915_drm.h>

#include "gpu.h"
#include "gpuoa_i915_buffer.h"
#include "gpuoa_i915_ioctl.h"
#include "gpuoa_i915_provider.h"
#include "gpuoa_i915_query.h"
#include "ids.h"

/**
 * DOC: The exclusive stream
 *
 * While an i915-perf stream is open, i915 opens no other stream and keeps the GPU awake with all
 * slices and subslices powered. It has written the configuration by a batch, as the hardware's
 * clock domains require, and has set the timer period and the flexible EU counters in all contexts.
 * i915 accesses the unit's own registers (OACONTROL, OABUFFER, head and tail) only when the stream
 * is enabled, disabled or read.
 *
 * This module opens a stream, then enables and disables it once. Enabling makes i915 write the
 * address of its buffer to OABUFFER and, on Haswell, the context id to OACONTROL. After that the
 * unit is off, no other process has the stream, and gpuoa controls the unit. A query-only stream is
 * not enabled: i915 programs only the counters of the context, and the unit stays off.
 *
 * The stream is opened with the credentials of the process that opened the event, so
 * dev.i915.perf_stream_paranoid and dev.i915.oa_max_sample_rate also apply to gpuoa events.
 *
 * The configuration gets a random UUID and is removed as soon as the stream uses it. Configurations
 * of other programs are not changed.
 */

#define STREAM_PROPERTIES 5

/* Size of the user memory for the properties, without registers */
#define STREAM_ROOM SZ_4K

/* Unused configuration id: i915 assigns ids from 1 on. */
#define STREAM_NO_SET INT_MAX

/* Granularity of the tail register: bits 31:6, bytes */
#define STREAM_TAIL_UNIT 64

/* Time until started reports have landed, and timeout for the requested reports */
#define STREAM_LAND_US 1000
#define STREAM_WRITE_MS 500

/**
 * struct i915_stream_call - arguments for opening a stream
 * @gpu: GPU
 * @request: request
 */
struct i915_stream_call {
	struct gpu *gpu;
	const struct i915_stream_request *request;
};

static u64 put_regs(struct ioctl_args *args, const struct gpuoa_reg_list *list)
{
	static_assert(sizeof(*list->regs) == 2 * sizeof(u32));

	return list->count ? (uintptr_t)ioctl_put(args, list->regs,
						  array_size(list->count, sizeof(*list->regs))) :
			     0;
}

/* Add a configuration to i915. Returns its id or -errno. */
static long add_config(struct ioctl_args *args, struct file *file,
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
	char uuid[UUID_STRING_LEN + 1];
	uuid_t random;

	uuid_gen(&random);
	snprintf(uuid, sizeof(uuid), "%pUb", &random);
	static_assert(sizeof(add.uuid) == UUID_STRING_LEN);
	memcpy(add.uuid, uuid, sizeof(add.uuid));

	return node_ioctl(file, DRM_IOCTL_I915_PERF_ADD_CONFIG, &add);
}

static void remove_config(struct file *file, u64 id)
{
	node_ioctl(file, DRM_IOCTL_I915_PERF_REMOVE_CONFIG, &id);
}

/* Get the file and remove its descriptor from the table of kernel threads. */
static struct file *take_file(unsigned int fd)
{
	struct file *file = fget(fd);

	close_fd(fd);

	return file ?: ERR_PTR(-EBADF);
}

struct property {
	u64 key;
	u64 value;
};

/* Set the properties of a stream. Returns their number, at most STREAM_PROPERTIES. */
static u32 fill_properties(struct property *properties, const struct i915_stream_request *request,
			   u64 id)
{
	const struct gpuoa_provider_config *config = request->config;
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

/* Open a stream with the requester's credentials. Returns its descriptor or -errno. */
static long open_stream(struct ioctl_args *args, struct file *file,
			const struct i915_stream_request *request, u64 id)
{
	struct property properties[STREAM_PROPERTIES];
	struct drm_i915_perf_open_param open = {
		.flags = I915_PERF_FLAG_DISABLED | I915_PERF_FLAG_FD_CLOEXEC,
		.num_properties = fill_properties(properties, request, id),
	};
	const struct cred *old;
	long fd;

	open.properties_ptr = (uintptr_t)ioctl_put(args, properties, sizeof(properties));
	old = request->cred ? override_creds(request->cred) : NULL;
	fd = node_ioctl(request->file ?: file, DRM_IOCTL_I915_PERF_OPEN, &open);
	if (old)
		revert_creds(old);

	return fd;
}

static int await_reports(const struct gpu *gpu, u32 reports)
{
	const struct generation *generation = gpu->platform->generation;
	u32 buffer = gpu->stream.buffer;
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
	struct i915_stream *stream = &gpu->stream;

	/* The buffer has a size of 16 MiB, and i915 aligns it to that. */
	stream->buffer = ALIGN_DOWN(gpu_read(gpu, generation->buffer), SZ_16M);
	stream->context = gpu_read(gpu, generation->control) & generation->context_mask;
}

/* Enable and disable the stream once, which makes i915 clear its buffer and set OABUFFER. */
static int run_once(struct gpu *gpu, struct file *stream, const struct i915_stream_request *request)
{
	struct buffer_content *content = &gpu->stream.content;
	int ret, disabled;

	content->report_size = request->config->report_size;
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

static int open_by(struct ioctl_args *args, struct file *file, const struct i915_stream_call *call)
{
	const struct i915_stream_request *request = call->request;
	struct gpu *gpu = call->gpu;
	struct file *stream;
	long id, fd;
	int ret;

	/*
	 * Add the configuration with the credentials of the kernel thread, which i915 always
	 * accepts. The user's permission was checked: gpuoa accepts registers only with
	 * CAP_PERFMON.
	 */
	id = add_config(args, file, request->config);
	if (id < 0)
		return id;
	fd = open_stream(args, file, request, id);
	remove_config(file, id);
	if (fd < 0)
		return fd;
	stream = take_file(fd);
	if (IS_ERR(stream))
		return PTR_ERR(stream);
	ret = request->config->query_only ? 0 : run_once(gpu, stream, request);
	if (ret)
		node_close(stream);
	else
		gpu->stream.file = stream;

	return ret;
}

static int open_exclusive(struct ioctl_args *args, void *data)
{
	struct i915_stream_call *call = data;
	struct file *file = node_open(call->gpu->drm);
	int ret;

	if (IS_ERR(file))
		return PTR_ERR(file);
	ret = open_by(args, file, call);
	node_close(file);

	return ret;
}

/*
 * i915 checks permissions first, then whether the unit is in use, and then the configuration id. An
 * invalid id therefore checks permissions without opening a stream.
 */
static int check_exclusive(struct ioctl_args *args, void *data)
{
	struct i915_stream_call *call = data;
	struct file *file = node_open(call->gpu->drm);
	long ret;

	if (IS_ERR(file))
		return PTR_ERR(file);
	ret = open_stream(args, file, call->request, STREAM_NO_SET);
	node_close(file);

	return ret == -EACCES ? -EACCES : 0;
}

static int close_exclusive(struct ioctl_args *args, void *stream)
{
	node_close(stream);

	return 0;
}

/**
 * i915_stream_open() - Program the unit by i915 and take control of it.
 * @gpu: GPU without an open stream
 * @request: request
 *
 * Context: may sleep
 * Return: 0; -EACCES if i915 does not permit the stream with the credentials of @request; -EBUSY if
 * the unit is in use; -ETIMEDOUT if the unit does not write the requested reports; or another error
 * of i915
 */
int i915_stream_open(struct gpu *gpu, const struct i915_stream_request *request)
{
	const struct gpuoa_provider_config *config = request->config;
	size_t regs = config->mux.count + config->boolean.count + config->flex.count;
	struct i915_stream_call call = { gpu, request };

	lockdep_assert_held(&gpu->lock);

	return ioctl_run(gpu->worker, open_exclusive, &call,
			 STREAM_ROOM + regs * sizeof(struct gpuoa_register));
}

/**
 * i915_stream_check() - Check whether i915 permits a stream.
 * @gpu: GPU
 * @request: request
 *
 * Context: may sleep
 * Return: 0; -EACCES if i915 does not permit the stream with the credentials of @request; -ENOMEM;
 * -ENODEV
 */
static int i915_stream_check(struct gpu *gpu, const struct i915_stream_request *request)
{
	struct i915_stream_call call = { gpu, request };

	lockdep_assert_held(&gpu->lock);

	return ioctl_run(gpu->worker, check_exclusive, &call, STREAM_ROOM);
}

/**
 * i915_stream_close() - Close the exclusive stream.
 * @gpu: GPU
 *
 * Context: may sleep
 */
void i915_stream_close(struct gpu *gpu)
{
	struct i915_stream *stream = &gpu->stream;

	lockdep_assert_held(&gpu->lock);

	if (stream->file && !stream->leaked)
		ioctl_run(gpu->worker, close_exclusive, stream->file, PAGE_SIZE);
	*stream = (struct i915_stream){};
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
	if (gpu->stream.file)
		low = gpu_read(gpu, RCS_TIMESTAMP);
	else
		ret = query_clock(gpu, &low);
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

	config->context_id = generation->context_id ?: gpu->stream.context;
	config->context_mask = generation->context_mask;
}

/* Do the probe write now if the unit was in use when gpuoa was attached. */
static int try_once(struct gpu *gpu)
{
	const char *why;
	int ret = gpu->probed ? 0 : probe_write(gpu, &why);

	if (ret && ret != -EBUSY)
		dev_err(&gpu->pdev->dev, "gpuoa does not touch it: %s (%d)\n", why, ret);

	return ret;
}

static struct i915_stream_request request_of(const struct gpuoa_provider_config *config,
					     const struct cred *cred)
{
	const struct user_context *context = config->context;

	return (struct i915_stream_request){
		.config = config,
		.cred = cred,
		.file = context ? context->file : NULL,
		.handle = context ? context->handle : 0,
	};
}

static int provider_configure(void *provider, struct gpuoa_provider_config *config)
{
	struct gpu *gpu = provider;
	const struct i915_stream_request request = request_of(config, gpu->cred);
	int ret;

	mutex_lock(&gpu->lock);
	i915_stream_close(gpu);
	ret = try_once(gpu) ?: i915_stream_open(gpu, &request);
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
	const struct i915_stream_request request = request_of(config, current_cred());
	struct gpu *gpu = provider;
	int ret;

	if (perfmon_capable())
		return 0;
	mutex_lock(&gpu->lock);
	ret = i915_stream_check(gpu, &request);
	mutex_unlock(&gpu->lock);

	return ret;
}

static void provider_unconfigure(void *provider)
{
	struct gpu *gpu = provider;

	mutex_lock(&gpu->lock);
	i915_stream_close(gpu);
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
	ret = gpu->stream.file ? buffer_find(gpu, pages, n_pages) : -ENXIO;
	if (!ret) {
		gpu->stream.pages = pages;
		*buffer = (struct gpuoa_provider_buffer){ pages, n_pages, gpu->stream.buffer };
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
	kvfree(gpu->stream.pages);
	gpu->stream.pages = NULL;
	gpu->stream.leaked = leak;
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

	if (!node_has_file(gpu->drm, file))
		return -EXDEV;
	if (gpu->guc)
		return -EOPNOTSUPP;
	ret = query_context(file, handle);
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

const struct gpuoa_provider_ops i915_provider_ops = {
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
