// SPDX-License-Identifier: GPL-2.0-only
/*
 * lease.c - the OA unit is ours for a while: an i915-perf stream that is open, and disabled.
 */
#include <linux/cred.h>
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
 * unit is ours. A stream without reports (query_only) is not enabled: i915 programs the counters of
 * the context only, and the unit stays off.
 *
 * i915 opens the stream with the credentials of the process that opened the event. So
 * dev.i915.perf_stream_paranoid and dev.i915.oa_max_sample_rate also hold for events of gpuoa.
 *
 * The configuration has a UUID that nobody else knows, and is forgotten as soon as the stream has
 * it. Sets of other programs are not touched.
 */

#define LEASE_PROPERTIES 5

/* User memory for the properties; registers come on top of that */
#define LEASE_ROOM SZ_4K

/* i915 counts ids of sets from 1 on, and does not get that far. */
#define LEASE_NO_SET INT_MAX

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

	return call_ioctl(file, DRM_IOCTL_I915_PERF_ADD_CONFIG, &add);
}

static void remove_config(struct file *file, u64 id)
{
	call_ioctl(file, DRM_IOCTL_I915_PERF_REMOVE_CONFIG, &id);
}

/* The descriptor is in the table of kernel threads, and is not needed there. */
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

/* Fill in the properties of a stream, LEASE_PROPERTIES at most. Returns the number of them. */
static u32 fill_properties(struct property *properties, const struct lease_request *request, u64 id)
{
	const struct gpuoa_host_config *config = request->config;
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
static long open_stream(struct call *call, struct file *file, const struct lease_request *request,
			u64 id)
{
	struct property properties[LEASE_PROPERTIES];
	struct drm_i915_perf_open_param open = {
		.flags = I915_PERF_FLAG_DISABLED | I915_PERF_FLAG_FD_CLOEXEC,
		.num_properties = fill_properties(properties, request, id),
	};
	const struct cred *old;
	long fd;

	open.properties_ptr = (uintptr_t)call_put(call, properties, sizeof(properties));
	old = request->cred ? override_creds(request->cred) : NULL;
	fd = call_ioctl(request->file ?: file, DRM_IOCTL_I915_PERF_OPEN, &open);
	if (old)
		revert_creds(old);

	return fd;
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
	long id, fd;
	int ret;

	/* By the thread's credentials: gpuoa takes registers from users with CAP_PERFMON only. */
	id = add_config(call, file, request->config);
	if (id < 0)
		return id;
	fd = open_stream(call, file, request, id);
	remove_config(file, id);
	if (fd < 0)
		return fd;
	stream = take_file(fd);
	if (IS_ERR(stream))
		return PTR_ERR(stream);
	ret = request->config->query_only ? 0 : run_once(gpu, stream, request);
	if (ret)
		call_close(stream);
	else
		gpu->lease.stream = stream;

	return ret;
}

static int open_lease(struct call *call, void *data)
{
	struct lease_call *lease = data;
	struct file *file = call_open(lease->gpu->drm);
	int ret;

	if (IS_ERR(file))
		return PTR_ERR(file);
	ret = open_by(call, file, lease);
	call_close(file);

	return ret;
}

/*
 * i915 checks permissions before it looks whether the unit is in use, and that before it looks for
 * the set: no stream is opened.
 */
static int check_lease(struct call *call, void *data)
{
	struct lease_call *lease = data;
	struct file *file = call_open(lease->gpu->drm);
	long ret;

	if (IS_ERR(file))
		return PTR_ERR(file);
	ret = open_stream(call, file, lease->request, LEASE_NO_SET);
	call_close(file);

	return ret == -EACCES ? -EACCES : 0;
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
 * Return: 0; -EACCES: i915 does not permit it to @request's credentials; -EBUSY: the unit has
 * another user; -ETIMEDOUT: it does not write @request's reports; or another -errno of i915
 */
int lease_open(struct gpu *gpu, const struct lease_request *request)
{
	const struct gpuoa_host_config *config = request->config;
	size_t regs = config->mux.count + config->boolean.count + config->flex.count;
	struct lease_call lease = { gpu, request };

	lockdep_assert_held(&gpu->lock);

	return call_run(gpu->worker, open_lease, &lease,
			LEASE_ROOM + regs * sizeof(struct gpuoa_register));
}

/**
 * lease_check - check that i915 permits a stream
 * @gpu: the GPU
 * @request: the stream
 *
 * Context: may sleep
 * Return: 0; -EACCES: i915 does not permit it to @request's credentials; -ENOMEM; -ENODEV
 */
int lease_check(struct gpu *gpu, const struct lease_request *request)
{
	struct lease_call lease = { gpu, request };

	lockdep_assert_held(&gpu->lock);

	return call_run(gpu->worker, check_lease, &lease, LEASE_ROOM);
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
		call_run(gpu->worker, close_lease, lease->stream, PAGE_SIZE);
	*lease = (struct lease){};
}
