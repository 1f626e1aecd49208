// SPDX-License-Identifier: GPL-2.0-only
/* gpuoa_xe_stream.c - exclusive streams of xe's observation interface. */
#include <linux/bits.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/uuid.h>

#include <gen12_regs.h>

#include "../lease/lease_ioctl.h"
#include "gpu.h"
#include "gpuoa_xe_decode.h"
#include "gpuoa_xe_stream.h"

/**
 * DOC: Streams of xe
 *
 * xe programs the unit when a stream is opened: OA_DEBUG, the timer period, SQCNT1, and the
 * registers of the configuration, by a batch. It keeps the GT of the unit awake, with all forcewake
 * domains, until the stream is closed. xe has one list of registers per configuration, in any
 * order, and checks each register.
 *
 * The buffer is in system memory. Linux 6.12 allocates 16 MiB, later kernels the requested size. xe
 * maps the buffer for the owner of the stream, so its pages are those of a mapping, and no page
 * table of the GPU is read.
 */

static long observe(struct ioctl_args *args, struct file *file, u64 op, const void __user *param)
{
	struct drm_xe_observation_param observation = {
		.observation_type = DRM_XE_OBSERVATION_TYPE_OA,
		.observation_op = op,
		.param = (uintptr_t)param,
	};

	if (!param)
		return -ENOMEM;

	return node_call(args, file, DRM_IOCTL_XE_OBSERVATION, &observation, sizeof(observation));
}

/* Copy the registers to user memory as one list, and count them. Returns its address or NULL. */
static void __user *put_regs(struct ioctl_args *args, const struct gpuoa_provider_config *config,
			     u32 *n_regs)
{
	const struct gpuoa_reg_list *lists[] = { &config->mux, &config->boolean, &config->flex };
	void __user *first = NULL, *to;
	unsigned int i;

	/* ioctl_put() aligns to 8 bytes, so that the lists are contiguous. */
	static_assert(sizeof(struct gpuoa_register) == sizeof(u64));
	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		if (!lists[i]->count)
			continue;
		to = ioctl_put(args, lists[i]->regs,
			       array_size(lists[i]->count, sizeof(*lists[i]->regs)));
		if (!to)
			return NULL;
		first = first ?: to;
		*n_regs += lists[i]->count;
	}

	return first;
}

/**
 * xe_add_config() - Implement &lease_driver.add_config.
 * @args: user memory
 * @node: render node
 * @uuid: UUID
 * @config: configuration
 *
 * Return: id or -errno
 */
long xe_add_config(struct ioctl_args *args, struct file *node, const char *uuid,
		   const struct gpuoa_provider_config *config)
{
	struct drm_xe_oa_config add = {};

	static_assert(sizeof(add.uuid) == UUID_STRING_LEN);
	memcpy(add.uuid, uuid, sizeof(add.uuid));
	add.regs_ptr = (uintptr_t)put_regs(args, config, &add.n_regs);

	return observe(args, node, DRM_XE_OBSERVATION_OP_ADD_CONFIG,
		       ioctl_put(args, &add, sizeof(add)));
}

/**
 * xe_remove_config() - Implement &lease_driver.remove_config.
 * @args: user memory
 * @node: render node
 * @id: id of the configuration
 */
void xe_remove_config(struct ioctl_args *args, struct file *node, u64 id)
{
	observe(args, node, DRM_XE_OBSERVATION_OP_REMOVE_CONFIG, ioctl_put(args, &id, sizeof(id)));
}

/* Later kernels have this property, see &xe_unit.sizes. */
#define PROPERTY_BUFFER_SIZE 12

struct property {
	u32 key;
	u64 value;
};

/* Copy a chain of properties to user memory. Returns its address or NULL. */
static void __user *put_properties(struct ioctl_args *args, const struct property *properties,
				   unsigned int n)
{
	void __user *next = NULL;

	while (n--) {
		const struct drm_xe_ext_set_property property = {
			.base.next_extension = (uintptr_t)next,
			.base.name = DRM_XE_OA_EXTENSION_SET_PROPERTY,
			.property = properties[n].key,
			.value = properties[n].value,
		};

		next = ioctl_put(args, &property, sizeof(property));
		if (!next)
			return NULL;
	}

	return next;
}

/**
 * xe_open_stream() - Implement &lease_driver.open_stream.
 * @args: user memory
 * @node: render node
 * @request: request
 * @id: id of the configuration
 *
 * Return: descriptor or -errno
 */
long xe_open_stream(struct ioctl_args *args, struct file *node, const struct lease_request *request,
		    u64 id)
{
	const struct xe_unit *unit = xe_unit_of(request->unit);
	const struct property properties[] = {
		{ DRM_XE_OA_PROPERTY_OA_UNIT_ID, unit->id },
		{ DRM_XE_OA_PROPERTY_SAMPLE_OA, 1 },
		{ DRM_XE_OA_PROPERTY_OA_METRIC_SET, id },
		{ DRM_XE_OA_PROPERTY_OA_FORMAT, xe_format(request->config->format) },
		{ DRM_XE_OA_PROPERTY_OA_PERIOD_EXPONENT, request->config->exponent },
		{ DRM_XE_OA_PROPERTY_OA_DISABLED, 1 },
		{ PROPERTY_BUFFER_SIZE, request->config->buffer_size },
	};
	/* The size is the last property. */
	unsigned int n = ARRAY_SIZE(properties) - !(unit->sizes && request->config->buffer_size);

	return observe(args, node, DRM_XE_OBSERVATION_OP_STREAM_OPEN,
		       put_properties(args, properties, n));
}

/**
 * xe_try_stream() - Implement &lease_driver.try_stream.
 * @args: user memory
 * @node: render node
 * @request: request
 * @id: not used
 *
 * xe checks permissions before the format. A stream without a format therefore checks permissions
 * and is never opened: xe returns -EINVAL if it permits the stream. Any other error means that xe
 * or a security module refused it, or that nothing was checked.
 *
 * Return: 0 or -errno
 */
long xe_try_stream(struct ioctl_args *args, struct file *node, const struct lease_request *request,
		   u64 id)
{
	static const struct property sample = { DRM_XE_OA_PROPERTY_SAMPLE_OA, 1 };
	long ret = observe(args, node, DRM_XE_OBSERVATION_OP_STREAM_OPEN,
			   put_properties(args, &sample, 1));

	return ret == -EINVAL ? 0 : ret;
}

/* Bits that xe sets in registers of the GT for its units */
#define SQCNT1_BITS (SQCNT1_PMON_ENABLE | GEN12_5_SQCNT1_OABPC)
#define COMPRESSION_BITS OAM_LAT_MEASURE_ENABLE

static void read_registers(struct xe_unit *unit)
{
	const struct lease_gpu *gpu = unit->lease.gpu;
	const struct xe_registers *regs = &unit->regs;

	unit->opened = (struct xe_registers){
		.buffer = lease_read(gpu, regs->buffer),
		.debug = lease_read(gpu, regs->debug),
		.timer = lease_read(gpu, regs->timer),
		.sqcnt1 = lease_read(gpu, regs->sqcnt1),
		.compression = regs->compression ? lease_read(gpu, regs->compression) : 0,
	};
}

static void set_bits(const struct lease_gpu *gpu, u32 reg, u32 bits)
{
	if (bits)
		lease_write(gpu, reg, lease_read(gpu, reg) | bits);
}

static void restore_registers(const struct xe_unit *unit)
{
	const struct xe_registers *regs = &unit->regs, *opened = &unit->opened;
	const struct lease_gpu *gpu = unit->lease.gpu;

	/* The upper half enables writes to the lower half. */
	lease_write(gpu, regs->debug, opened->debug | GENMASK(31, 16));
	lease_write(gpu, regs->timer, opened->timer);
	set_bits(gpu, regs->sqcnt1, opened->sqcnt1 & SQCNT1_BITS);
	set_bits(gpu, regs->compression, opened->compression & COMPRESSION_BITS);
}

/**
 * xe_change_stream() - Implement &lease_driver.change_stream.
 * @args: user memory
 * @unit: unit with a stream
 * @id: id of the configuration
 *
 * xe would restore the other registers only if it opened the stream again. They are written after
 * the batch with the configuration, which does not run before a reset has finished.
 *
 * Return: 0 or -errno
 */
int xe_change_stream(struct ioctl_args *args, struct lease_unit *unit, u64 id)
{
	struct drm_xe_ext_set_property property = {
		.base.name = DRM_XE_OA_EXTENSION_SET_PROPERTY,
		.property = DRM_XE_OA_PROPERTY_OA_METRIC_SET,
		.value = id,
	};
	long ret = node_call(args, unit->stream, DRM_XE_OBSERVATION_IOCTL_CONFIG, &property,
			     sizeof(property));

	/* xe returns the id of the previous configuration. */
	if (ret < 0)
		return ret;
	restore_registers(xe_unit_of(unit));

	return 0;
}

/**
 * xe_run_once() - Implement &lease_driver.run_once.
 * @args: user memory
 * @stream: stream
 * @request: request
 *
 * Return: 0 or -errno
 */
int xe_run_once(struct ioctl_args *args, struct file *stream, const struct lease_request *request)
{
	struct xe_unit *unit = xe_unit_of(request->unit);
	struct drm_xe_oa_stream_info info = {};
	u32 buffer;
	int ret;

	ret = node_call(args, stream, DRM_XE_OBSERVATION_IOCTL_INFO, &info, sizeof(info));
	if (ret)
		return ret;
	ret = stream->f_op->unlocked_ioctl(stream, DRM_XE_OBSERVATION_IOCTL_ENABLE, 0);
	if (ret)
		return ret;
	read_registers(unit);
	buffer = unit->opened.buffer;
	ret = stream->f_op->unlocked_ioctl(stream, DRM_XE_OBSERVATION_IOCTL_DISABLE, 0);
	if (ret)
		return ret;
	if (!info.oa_buf_size || info.oa_buf_size > SZ_128M || !(buffer & GEN12_OABUFFER_GGTT))
		return -ENXIO;
	unit->lease.buffer = buffer & GEN12_OABUFFER_BASE;
	unit->lease.buffer_size = info.oa_buf_size;

	return 0;
}

/**
 * xe_stream_open() - Implement &lease_driver.open.
 * @unit: unit
 * @config: configuration
 * @cred: credentials that xe checks
 *
 * Return: 0 or -errno
 */
int xe_stream_open(struct lease_unit *unit, struct gpuoa_provider_config *config,
		   const struct cred *cred)
{
	const struct lease_request request = { unit, config, cred };

	return xe_format(config->format) < 0 ? -EOPNOTSUPP : lease_stream_open(&request);
}

/**
 * xe_stream_permits() - Implement &lease_driver.permits.
 * @unit: unit
 * @config: configuration
 * @cred: credentials that xe checks
 *
 * Return: 0 or -errno
 */
int xe_stream_permits(struct lease_unit *unit, const struct gpuoa_provider_config *config,
		      const struct cred *cred)
{
	const struct lease_request request = { unit, config, cred };

	return lease_stream_permits(&request);
}

/**
 * struct pages_call - arguments for getting the pages of a buffer
 * @unit: unit with a stream
 * @pages: pages, output
 * @n_pages: number of @pages
 */
struct pages_call {
	struct lease_unit *unit;
	struct page **pages;
	unsigned int n_pages;
};

/* Get a page of the mapping. Later kernels map a page when it is first accessed. */
static int find_page(unsigned long address, struct page **page)
{
	struct follow_pfnmap_args args = { .address = address };
	u8 byte __maybe_unused; /* only the access matters */
	int ret;

	if (get_user(byte, (u8 __user *)address))
		return -EFAULT;
	mmap_read_lock(current->mm);
	args.vma = vma_lookup(current->mm, address);
	ret = args.vma ? follow_pfnmap_start(&args) : -EFAULT;
	if (!ret) {
		*page = pfn_valid(args.pfn) ? pfn_to_page(args.pfn) : NULL;
		follow_pfnmap_end(&args);
		ret = *page ? 0 : -EREMOTE;
	}
	mmap_read_unlock(current->mm);

	return ret;
}

/* xe maps only the whole buffer, and only for reading. */
static int find_pages_in_mapping(struct ioctl_args *args, void *data)
{
	const struct pages_call *call = data;
	struct lease_unit *unit = call->unit;
	unsigned long address;
	unsigned int i;
	int ret = 0;

	address = vm_mmap(unit->stream, 0, unit->buffer_size, PROT_READ, MAP_PRIVATE, 0);
	if (IS_ERR_VALUE(address))
		return (int)address;
	for (i = 0; i < call->n_pages && !ret; i++)
		ret = find_page(address + i * PAGE_SIZE, &call->pages[i]);
	vm_munmap(address, unit->buffer_size);

	return ret;
}

/**
 * xe_stream_pages() - Implement &lease_driver.find_buffer.
 * @unit: unit
 * @pages: pages, output
 * @n_pages: number of @pages
 *
 * Return: 0; -EREMOTE if the buffer is in local memory; or another -errno
 */
int xe_stream_pages(struct lease_unit *unit, struct page **pages, unsigned int n_pages)
{
	struct pages_call call = { unit, pages, n_pages };

	return ioctl_run(unit->gpu->worker, find_pages_in_mapping, &call, PAGE_SIZE);
}
