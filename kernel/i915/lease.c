// SPDX-License-Identifier: GPL-2.0-only
/*
 * lease.c - the OA unit is ours for a while: an i915-perf stream that is open, and disabled.
 */
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fdtable.h>
#include <linux/fs.h>
#include <linux/iopoll.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <linux/uuid.h>

#include <uapi/drm/i915_drm.h>
#include <gen7_regs.h>
#include <gpuoa_host.h>

#include "call.h"
#include "gpu.h"
#include "ids.h"
#include "lease.h"

/**
 * DOC: The lease
 *
 * While i915-perf has a stream open, the OA unit belongs to it: i915 lets nobody else open one,
 * keeps the GPU awake, gives each slice and subslice its power, has written the configuration by a
 * batch that the hardware's clock domains want, and all contexts have the timer's period and the
 * flexible EU counters. What it does to the unit itself (OACONTROL, OABUFFER, head and tail) it
 * does when the stream is enabled, disabled or read. We open a stream and do none of that but once:
 * i915 writes the address of its buffer to OABUFFER when a stream is enabled, and OACONTROL then
 * names the context on Haswell. After that the unit is off, nobody but us has the stream, and the
 * unit is ours.
 *
 * The configuration has a UUID that nobody else knows, and is forgotten as soon as the stream has
 * it. Sets of other programs are not touched.
 */

/* Five properties, a configuration without its registers, structs of four ioctls */
#define LEASE_ROOM SZ_4K

/* Bits 31:6 of the tail */
#define LEASE_TAIL_UNIT 64

/* What the unit has begun to write has landed by then, and a slow one has written what it should */
#define LEASE_LAND_US 1000
#define LEASE_WRITE_MS 500

/**
 * struct lease_call - a stream to be opened
 * @gpu: the GPU
 * @request: what for
 */
struct lease_call {
	struct gpu *gpu;
	const struct lease_request *request;
};

static u64 put_regs(struct call *call, const struct gpuoa_reg_list *list)
{
	static_assert(sizeof(*list->regs) == 2 * sizeof(u32));

	return list->count ? (uintptr_t)call_put(call, list->regs,
						 array_size(list->count, sizeof(*list->regs))) :
			     0;
}

/* Give i915 a configuration. Returns its id or -errno. */
static long add_config(struct call *call, struct file *file, const struct gpuoa_host_config *config)
{
	struct drm_i915_perf_oa_config add = {
		.n_mux_regs = config->mux.count,
		.n_boolean_regs = config->boolean.count,
		.n_flex_regs = config->flex.count,
		.mux_regs_ptr = put_regs(call, &config->mux),
		.boolean_regs_ptr = put_regs(call, &config->boolean),
		.flex_regs_ptr = put_regs(call, &config->flex),
	};
	char uuid[UUID_STRING_LEN + 1];
	uuid_t random;

	uuid_gen(&random);
	snprintf(uuid, sizeof(uuid), "%pUb", &random);
	static_assert(sizeof(add.uuid) == UUID_STRING_LEN);
	memcpy(add.uuid, uuid, sizeof(add.uuid));

	return call_ioctl(call, file, DRM_IOCTL_I915_PERF_ADD_CONFIG, &add, sizeof(add));
}

static void remove_config(struct call *call, struct file *file, u64 id)
{
	call_ioctl(call, file, DRM_IOCTL_I915_PERF_REMOVE_CONFIG, &id, sizeof(id));
}

/* The descriptor is in the table of kernel threads, and is not needed there. */
static struct file *take_file(unsigned int fd)
{
	struct file *file = fget(fd);

	close_fd(fd);

	return file ?: ERR_PTR(-EBADF);
}

static struct file *open_stream(struct call *call, struct file *file,
				const struct lease_request *request, u64 id)
{
	const struct gpuoa_host_config *config = request->config;
	const u64 properties[][2] = {
		{ DRM_I915_PERF_PROP_SAMPLE_OA, 1 },
		{ DRM_I915_PERF_PROP_OA_METRICS_SET, id },
		{ DRM_I915_PERF_PROP_OA_FORMAT, config->format },
		{ DRM_I915_PERF_PROP_OA_EXPONENT, config->exponent },
		{ DRM_I915_PERF_PROP_CTX_HANDLE, request->handle },
	};
	struct drm_i915_perf_open_param open = {
		.flags = I915_PERF_FLAG_DISABLED | I915_PERF_FLAG_FD_CLOEXEC,
		.num_properties = ARRAY_SIZE(properties) - !request->file,
		.properties_ptr = (uintptr_t)call_put(call, properties, sizeof(properties)),
	};
	long fd;

	fd = call_ioctl(call, request->file ?: file, DRM_IOCTL_I915_PERF_OPEN, &open, sizeof(open));

	return fd < 0 ? ERR_PTR(fd) : take_file(fd);
}

static int await_reports(const struct gpu *gpu, u32 reports)
{
	const struct generation *generation = gpu->platform->generation;
	u32 buffer = gpu->lease.buffer;
	u32 tail;

	return read_poll_timeout(gpu_read, tail,
				 ALIGN_DOWN(tail, LEASE_TAIL_UNIT) - buffer >= reports,
				 USEC_PER_MSEC, LEASE_WRITE_MS * USEC_PER_MSEC, false, gpu,
				 generation->tail);
}

/* What i915 writes when the stream is enabled says where its buffer is. */
static void look_at_unit(struct gpu *gpu)
{
	const struct generation *generation = gpu->platform->generation;
	struct lease *lease = &gpu->lease;

	/* i915 aligns the buffer to its size, which is this. */
	lease->buffer = ALIGN_DOWN(gpu_read(gpu, generation->buffer), SZ_16M);
	lease->context = gpu_read(gpu, generation->control) & generation->context_mask;
}

/* Have i915 clear its buffer and switch the unit on, for once. */
static int run_once(struct gpu *gpu, struct file *stream, const struct lease_request *request)
{
	struct proof *proof = &gpu->lease.proof;
	int ret, disabled;

	proof->report_size = request->config->report_size;
	proof->reports = request->reports;
	proof->from = gpu_read(gpu, RCS_TIMESTAMP);
	ret = stream->f_op->unlocked_ioctl(stream, I915_PERF_IOCTL_ENABLE, 0);
	if (ret)
		return ret;
	look_at_unit(gpu);
	ret = await_reports(gpu, request->reports);
	disabled = stream->f_op->unlocked_ioctl(stream, I915_PERF_IOCTL_DISABLE, 0);
	usleep_range(LEASE_LAND_US, 2 * LEASE_LAND_US);
	proof->to = gpu_read(gpu, RCS_TIMESTAMP);

	return ret ?: disabled;
}

static int open_by(struct call *call, struct file *file, const struct lease_call *lease)
{
	const struct lease_request *request = lease->request;
	struct gpu *gpu = lease->gpu;
	struct file *stream;
	long id;
	int ret;

	id = add_config(call, file, request->config);
	if (id < 0)
		return id;
	stream = open_stream(call, file, request, id);
	remove_config(call, file, id);
	if (IS_ERR(stream))
		return PTR_ERR(stream);
	ret = run_once(gpu, stream, request);
	if (ret)
		call_close(stream);
	else
		gpu->lease.stream = stream;

	return ret;
}

static int open_lease(struct call *call, void *data)
{
	struct lease_call *lease = data;
	struct file *file = call_open(lease->gpu->node);
	int ret;

	if (IS_ERR(file))
		return PTR_ERR(file);
	ret = open_by(call, file, lease);
	call_close(file);

	return ret;
}

static int close_lease(struct call *call, void *stream)
{
	call_close(stream);

	return 0;
}

/**
 * lease_open - have i915 program the unit, and take it over
 * @gpu: the GPU, whose unit is not ours
 * @request: what for
 *
 * Context: may sleep
 * Return: 0; -EBUSY: somebody else has the unit; -ETIMEDOUT: it does not write the reports that are
 * asked for; or what else i915 says
 */
int lease_open(struct gpu *gpu, const struct lease_request *request)
{
	const struct gpuoa_host_config *config = request->config;
	size_t regs = config->mux.count + config->boolean.count + config->flex.count;
	struct lease_call lease = { gpu, request };

	lockdep_assert_held(&gpu->lock);

	return call_run(open_lease, &lease, LEASE_ROOM + regs * sizeof(struct gpuoa_register));
}

/**
 * lease_close - give the unit back
 * @gpu: the GPU
 *
 * Context: may sleep
 */
void lease_close(struct gpu *gpu)
{
	struct lease *lease = &gpu->lease;

	lockdep_assert_held(&gpu->lock);

	if (lease->stream && !lease->leaked)
		call_run(close_lease, lease->stream, PAGE_SIZE);
	*lease = (struct lease){};
}
