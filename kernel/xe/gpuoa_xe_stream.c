// SPDX-License-Identifier: GPL-2.0-only
/* gpuoa_xe_stream.c - exclusive streams of xe's observation interface. */
#include <linux/cred.h>
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
#include "gpuoa_xe_stream.h"

/**
 * DOC: Streams of xe
 *
 * xe programs the unit when a stream is opened: OA_DEBUG, the timer period, SQCNT1, and the
 * registers of the configuration, by a batch. It keeps the GT of the unit awake, with all forcewake
 * domains, until the stream is closed. xe has one list of registers per configuration, in any
 * order, and checks each register.
 *
 * The buffer is in system memory. xe maps it for the owner of the stream, so its pages are those of
 * a mapping, and no page table of the GPU is read.
 *
 * The configuration gets a random UUID and is removed as soon as the stream uses it. Configurations
 * of other programs are not changed.
 */

/* Size of the user memory for the structs of a stream, without registers */
#define STREAM_ROOM SZ_4K

/**
 * struct stream_call - arguments for opening a stream
 * @unit: unit
 * @config: configuration
 * @cred: credentials that xe checks; NULL for those of the kernel
 */
struct stream_call {
	struct xe_unit *unit;
	const struct gpuoa_provider_config *config;
	const struct cred *cred;
};

/* Format of xe: type, counter select, 64-bit counters, boolean counters in the report */
#define XE_FORMAT(type, select, wide, boolean)                                              \
	(DRM_XE_OA_FMT_TYPE_##type | (select) << 8 | (wide) << 16 | (boolean) << 24)

static s64 format_of(u32 format)
{
	switch (format) {
	case GPUOA_FORMAT_MPEC8U64_B8_C8:
		return XE_FORMAT(OAM_MPEC, 1, 0, 0);
	case GPUOA_FORMAT_MPEC8U32_B8_C8:
		return XE_FORMAT(OAM_MPEC, 2, 0, 0);
	case GPUOA_FORMAT_PEC64U64:
		return XE_FORMAT(PEC, 1, 1, 0);
	case GPUOA_FORMAT_PEC64U64_B8_C8:
		return XE_FORMAT(PEC, 1, 1, 1);
	case GPUOA_FORMAT_PEC64U32:
		return XE_FORMAT(PEC, 1, 0, 0);
	case GPUOA_FORMAT_PEC32U64_G1:
		return XE_FORMAT(PEC, 5, 1, 0);
	case GPUOA_FORMAT_PEC32U32_G1:
		return XE_FORMAT(PEC, 5, 0, 0);
	case GPUOA_FORMAT_PEC32U64_G2:
		return XE_FORMAT(PEC, 6, 1, 0);
	case GPUOA_FORMAT_PEC32U32_G2:
		return XE_FORMAT(PEC, 6, 0, 0);
	case GPUOA_FORMAT_PEC36U64_G1_32_G2_4:
		return XE_FORMAT(PEC, 3, 1, 0);
	case GPUOA_FORMAT_PEC36U64_G1_4_G2_32:
		return XE_FORMAT(PEC, 4, 1, 0);
	default:
		return -EINVAL;
	}
}

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

/* Add a configuration to xe. Returns its id or -errno. */
static long add_config(struct ioctl_args *args, struct file *file,
		       const struct gpuoa_provider_config *config)
{
	struct drm_xe_oa_config add = {};
	char uuid[UUID_STRING_LEN + 1];
	uuid_t random;

	uuid_gen(&random);
	snprintf(uuid, sizeof(uuid), "%pUb", &random);
	static_assert(sizeof(add.uuid) == UUID_STRING_LEN);
	memcpy(add.uuid, uuid, sizeof(add.uuid));
	add.regs_ptr = (uintptr_t)put_regs(args, config, &add.n_regs);

	return observe(args, file, DRM_XE_OBSERVATION_OP_ADD_CONFIG,
		       ioctl_put(args, &add, sizeof(add)));
}

static void remove_config(struct ioctl_args *args, struct file *file, u64 id)
{
	observe(args, file, DRM_XE_OBSERVATION_OP_REMOVE_CONFIG, ioctl_put(args, &id, sizeof(id)));
}

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

/* Open a stream with the requester's credentials. Returns its descriptor or -errno. */
static long open_by(struct ioctl_args *args, struct file *file, const struct cred *cred,
		    const struct property *properties, unsigned int n)
{
	void __user *chain = put_properties(args, properties, n);
	const struct cred *old = cred ? override_creds(cred) : NULL;
	long fd;

	fd = observe(args, file, DRM_XE_OBSERVATION_OP_STREAM_OPEN, chain);
	if (old)
		revert_creds(old);

	return fd;
}

static long open_disabled(struct ioctl_args *args, struct file *file,
			  const struct stream_call *call, u64 id)
{
	const struct property properties[] = {
		{ DRM_XE_OA_PROPERTY_OA_UNIT_ID, call->unit->id },
		{ DRM_XE_OA_PROPERTY_SAMPLE_OA, 1 },
		{ DRM_XE_OA_PROPERTY_OA_METRIC_SET, id },
		{ DRM_XE_OA_PROPERTY_OA_FORMAT, format_of(call->config->format) },
		{ DRM_XE_OA_PROPERTY_OA_PERIOD_EXPONENT, call->config->exponent },
		{ DRM_XE_OA_PROPERTY_OA_DISABLED, 1 },
	};

	return open_by(args, file, call->cred, properties, ARRAY_SIZE(properties));
}

/* Enable and disable the stream once, which makes xe clear its buffer and set OABUFFER. */
static int run_once(struct ioctl_args *args, struct file *stream, struct xe_unit *unit)
{
	struct drm_xe_oa_stream_info info = {};
	u32 buffer;
	int ret;

	ret = node_call(args, stream, DRM_XE_OBSERVATION_IOCTL_INFO, &info, sizeof(info));
	if (ret)
		return ret;
	ret = stream->f_op->unlocked_ioctl(stream, DRM_XE_OBSERVATION_IOCTL_ENABLE, 0);
	if (ret)
		return ret;
	buffer = lease_read(unit->lease.gpu, unit->buffer);
	ret = stream->f_op->unlocked_ioctl(stream, DRM_XE_OBSERVATION_IOCTL_DISABLE, 0);
	if (ret)
		return ret;
	if (!info.oa_buf_size || info.oa_buf_size > SZ_128M || !(buffer & GEN12_OABUFFER_GGTT))
		return -ENXIO;
	unit->lease.buffer = buffer & GEN12_OABUFFER_BASE;
	unit->lease.buffer_size = info.oa_buf_size;

	return 0;
}

static int open_exclusive_by(struct ioctl_args *args, struct file *file,
			     const struct stream_call *call)
{
	struct file *stream;
	long id, fd;
	int ret;

	/*
	 * Add the configuration with the credentials of the kernel thread, which xe always accepts.
	 * The user's permission was checked: gpuoa accepts registers only with CAP_PERFMON.
	 */
	id = add_config(args, file, call->config);
	if (id < 0)
		return id;
	fd = open_disabled(args, file, call, id);
	remove_config(args, file, id);
	if (fd < 0)
		return fd;
	stream = node_take_file(fd);
	if (IS_ERR(stream))
		return PTR_ERR(stream);
	ret = run_once(args, stream, call->unit);
	if (ret)
		node_close(stream);
	else
		call->unit->lease.stream = stream;

	return ret;
}

static int open_exclusive(struct ioctl_args *args, void *data)
{
	const struct stream_call *call = data;
	struct file *file = node_open(call->unit->lease.gpu->drm);
	int ret;

	if (IS_ERR(file))
		return PTR_ERR(file);
	ret = open_exclusive_by(args, file, call);
	node_close(file);

	return ret;
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
	size_t regs = config->mux.count + config->boolean.count + config->flex.count;
	struct stream_call call = { xe_unit_of(unit), config, cred };

	lockdep_assert_held(&unit->lock);

	if (format_of(config->format) < 0)
		return -EOPNOTSUPP;

	return ioctl_run(unit->gpu->worker, open_exclusive, &call,
			 STREAM_ROOM + regs * sizeof(struct gpuoa_register));
}

/*
 * xe checks permissions before the format. A stream without a format therefore checks permissions
 * and is never opened: xe returns -EINVAL if it permits the stream. Any other error means that xe
 * or a security module refused it, or that nothing was checked.
 */
static int check_permission(struct ioctl_args *args, void *data)
{
	static const struct property sample = { DRM_XE_OA_PROPERTY_SAMPLE_OA, 1 };
	const struct stream_call *call = data;
	struct file *file = node_open(call->unit->lease.gpu->drm);
	long ret;

	if (IS_ERR(file))
		return PTR_ERR(file);
	ret = open_by(args, file, call->cred, &sample, 1);
	node_close(file);

	return ret == -EINVAL ? 0 : ret;
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
	struct stream_call call = { xe_unit_of(unit), config, cred };

	return ioctl_run(unit->gpu->worker, check_permission, &call, STREAM_ROOM);
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
