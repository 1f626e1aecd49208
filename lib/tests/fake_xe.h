/* SPDX-License-Identifier: MIT */
/*
 * fake_xe.h - Simulated kernel with the xe driver: a GPU that has two usable OA units and one
 * stream per unit
 *
 * Replaces open(2), ioctl(2) and read(2) in the program that includes it. Calls that do not concern
 * xe are passed to the real kernel.
 */
#ifndef GPUOA_LIB_TESTS_FAKE_XE_H
#define GPUOA_LIB_TESTS_FAKE_XE_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <xe_drm.h>

#include "fake_calls.h"

#define XE_HZ 19200000
#define XE_MEDIA_HZ 9600000 /* clock of the media engines */
#define XE_MEDIA_VERSION 13
#define XE_UNITS 2 /* number of units that have engines: OAG, and the unit of the media engines */
#define XE_CYCLES 0x7000000000
#define XE_STREAM_BYTES (1 << 20)
#define XE_PROPERTIES 16
#define XE_REGISTERS_MAX 4096
#define XE_STATUSES 16
#define XE_BUFFER_SIZE_CAPABILITY (1 << 2) /* DRM_XE_OA_CAPS_OA_BUFFER_SIZE of later kernels */
#define XE_WAIT_CAPABILITY (1 << 3) /* DRM_XE_OA_CAPS_WAIT_NUM_REPORTS */
#define XE_BUFFER_SIZE_PROPERTY 12 /* DRM_XE_OA_PROPERTY_OA_BUFFER_SIZE */
#define XE_WAIT_NUM_REPORTS 13 /* DRM_XE_OA_PROPERTY_WAIT_NUM_REPORTS */
#define XE_REPORT_SIZE 576 /* PEC64U64 */
#define XE_CONFIG 7 /* id of the added configuration */

struct xe_stream {
	int fd; /* eventfd that is readable while the stream has data; -1: the stream is not open */
	bool enabled;
	unsigned int begun; /* number of times enabled */
	/* statuses that wait to be read; each one makes a read fail with -EIO */
	uint32_t statuses[XE_STATUSES];
	unsigned int n_statuses;
	/* while the stream is enabled, reports are dropped between any two reads */
	bool drops;
	uint32_t said; /* statuses that the last read returned */
	size_t asked; /* number of bytes of the last read */
	unsigned int reads;
	size_t threshold; /* number of bytes from which on the stream is readable */
	size_t fill;
	uint8_t bytes[XE_STREAM_BYTES];
};

static struct {
	int node_error; /* result of open(2) */
	int add_error; /* result of adding a configuration */
	int config; /* id of the added configuration */
	int open_error; /* result of opening a stream */
	bool moves_stream; /* the next stream has file 0 */
	int enable_error; /* result of enabling one */
	int disable_error; /* result of disabling one */
	int status_error; /* result of reading the status of one */
	bool gone; /* the GPU was removed */
	uint16_t version; /* IP version */
	bool no_compute; /* the GPU has no compute engine */
	char node[32]; /* path of the DRM node that was opened last */
	int node_flags; /* those of open(2) */
	uint32_t clock_ratio; /* ticks of the OA unit per tick of the engines */
	uint16_t device;
	uint32_t idle_type; /* type of the unit that has no engines */
	uint64_t capabilities; /* of the units */
	uint64_t cores[2]; /* mask; each core has 8 EUs */
	uint16_t core_type; /* DRM_XE_TOPO_*: type of the mask of cores */
	uint16_t eu_type; /* that of the mask of EUs */
	uint32_t engines; /* number of engines of the media unit */
	uint32_t media_units; /* number of media units that have engines */
	uint32_t last_type; /* type of a unit without engines that is listed last; 0: none */
	uint32_t uncounted; /* number of units at the end of the list that are not in its count */
	uint32_t cut_query; /* DRM_XE_DEVICE_QUERY_*: its answers end after @cut bytes */
	size_t cut; /* 0: no answer is cut */
	struct drm_xe_query_engine_cycles clock; /* the request of the last read of the clock */
	uint64_t cycles; /* clock of the engines */
	unsigned int clock_reads;
	unsigned int interruptions; /* number of ioctls that fail with EINTR or EAGAIN */
	uint64_t clock_step; /* cycles between two reads of the clock */
	uint64_t delays[3]; /* CPU time in ns that the first reads of the clock take beyond 500 */
	uint32_t registers[XE_REGISTERS_MAX][2]; /* last added: addresses and values */
	uint32_t n_registers;
	char uuid[37]; /* of the configuration added last */
	uint64_t removed; /* id of the configuration removed last */
	int file; /* file descriptor through which the stream was opened */
	uint64_t properties[XE_PROPERTIES]; /* of the stream opened last */
	uint32_t given; /* mask of the properties that the request had */
	unsigned int n_properties;
	struct xe_stream streams[XE_UNITS];
} xe;

static void xe_begin(void)
{
	memset(&xe, 0, sizeof(xe));
	xe.version = 20;
	xe.config = XE_CONFIG;
	xe.clock_ratio = 1;
	xe.cycles = XE_CYCLES;
	xe.device = 0x64a0;
	xe.cores[0] = 0xff;
	xe.core_type = DRM_XE_TOPO_DSS_GEOMETRY;
	xe.eu_type = DRM_XE_TOPO_SIMD16_EU_PER_DSS;
	xe.engines = 1;
	xe.media_units = 1;
	xe.idle_type = DRM_XE_OA_UNIT_TYPE_OAM;
	for (int i = 0; i < XE_UNITS; i++)
		xe.streams[i].fd = -1;
}

/* Make the stream's file descriptor readable or not. */
static void xe_set_readable(const struct xe_stream *stream, bool readable)
{
	eventfd_t count;

	eventfd_read(stream->fd, &count);
	if (readable)
		eventfd_write(stream->fd, 1);
}

/* Append a report, as the hardware does. */
static inline void xe_write(struct xe_stream *stream, const void *report, size_t size)
{
	if (stream->fill + size > sizeof(stream->bytes))
		abort();
	memcpy(stream->bytes + stream->fill, report, size);
	stream->fill += size;
	if (stream->fill >= stream->threshold)
		xe_set_readable(stream, true);
}

/* Add a status that the hardware reports: DRM_XE_OASTATUS_* */
static void xe_say(struct xe_stream *stream, uint32_t status)
{
	if (stream->n_statuses == XE_STATUSES)
		abort();
	stream->statuses[stream->n_statuses++] = status;
	xe_set_readable(stream, true);
}

/* ---- queries -------------------------------------------------------------------------------- */

/* An answer under construction */
struct xe_answer {
	uint8_t bytes[1024];
	size_t size;
};

static void xe_add(struct xe_answer *answer, const void *data, size_t size)
{
	memcpy(answer->bytes + answer->size, data, size);
	answer->size += size;
}

/* Add a unit of @count engines, which have consecutive instances from that of @engine on. */
static void xe_add_unit(struct xe_answer *answer, uint32_t id, uint32_t type,
			struct drm_xe_engine_class_instance engine, uint32_t count)
{
	const struct drm_xe_oa_unit unit = {
		.oa_unit_id = id,
		.oa_unit_type = type,
		.capabilities = xe.capabilities,
		.oa_timestamp_freq = (uint64_t)xe.clock_ratio * XE_HZ,
		.num_engines = count,
	};

	xe_add(answer, &unit, sizeof(unit));
	for (; count; count--, engine.engine_instance++)
		xe_add(answer, &engine, sizeof(engine));
}

/* List the units. Some of them have no engines; the library must skip these. */
static void xe_tell_units(struct xe_answer *answer)
{
	const uint32_t count = 2 + xe.media_units + !!xe.last_type;
	const struct drm_xe_query_oa_units head = { .num_oa_units = count - xe.uncounted };
	const struct drm_xe_engine_class_instance render = { DRM_XE_ENGINE_CLASS_RENDER, 0, 0, 0 };
	const struct drm_xe_engine_class_instance video = { DRM_XE_ENGINE_CLASS_VIDEO_DECODE, 0, 1,
							    0 };

	xe_add(answer, &head, sizeof(head));
	xe_add_unit(answer, 0, DRM_XE_OA_UNIT_TYPE_OAG, render, 1);
	xe_add_unit(answer, 1, xe.idle_type, video, 0);
	for (uint32_t i = 0; i < xe.media_units; i++)
		xe_add_unit(answer, 2 + i, DRM_XE_OA_UNIT_TYPE_OAM, video, xe.engines);
	if (xe.last_type)
		xe_add_unit(answer, 2 + xe.media_units, xe.last_type, video, 0);
}

static void xe_tell_config(struct xe_answer *answer)
{
	const struct drm_xe_query_config head = { .num_params = 1 };
	const uint64_t info = 4 << 16 | xe.device;

	xe_add(answer, &head, sizeof(head));
	xe_add(answer, &info, sizeof(info));
}

static void xe_tell_gts(struct xe_answer *answer)
{
	const struct drm_xe_query_gt_list head = { .num_gt = 2 };
	const struct drm_xe_gt gts[] = {
		{ .type = DRM_XE_QUERY_GT_TYPE_MAIN,
		  .reference_clock = XE_HZ,
		  .ip_ver_major = xe.version },
		{ .type = DRM_XE_QUERY_GT_TYPE_MEDIA,
		  .tile_id = 1,
		  .gt_id = 1,
		  .reference_clock = XE_MEDIA_HZ,
		  .ip_ver_major = XE_MEDIA_VERSION },
	};

	xe_add(answer, &head, sizeof(head));
	xe_add(answer, gts, sizeof(gts));
}

static void xe_add_mask(struct xe_answer *answer, uint16_t gt, uint16_t type, const void *mask,
			uint32_t size)
{
	const struct drm_xe_query_topology_mask head = { .gt_id = gt,
							 .type = type,
							 .num_bytes = size };

	xe_add(answer, &head, sizeof(head));
	xe_add(answer, mask, size);
}

/* The media GT has empty masks. */
static void xe_tell_topology(struct xe_answer *answer)
{
	const uint32_t eus = 0xff, banks = 3, none = 0;

	xe_add_mask(answer, 0, xe.core_type, xe.cores, sizeof(xe.cores));
	xe_add_mask(answer, 0, xe.eu_type, &eus, sizeof(eus));
	xe_add_mask(answer, 0, DRM_XE_TOPO_L3_BANK, &banks, sizeof(banks));
	xe_add_mask(answer, 1, xe.core_type, &none, sizeof(none));
	xe_add_mask(answer, 1, xe.eu_type, &none, sizeof(none));
}

static void xe_tell_engines(struct xe_answer *answer)
{
	const struct drm_xe_query_engines head = { .num_engines = 2 };
	const struct drm_xe_engine engines[] = {
		{ .instance = { xe.no_compute ? DRM_XE_ENGINE_CLASS_COPY :
						DRM_XE_ENGINE_CLASS_COMPUTE,
				0, 0, 0 } },
		{ .instance = { DRM_XE_ENGINE_CLASS_RENDER, 0, 0, 0 } },
	};

	xe_add(answer, &head, sizeof(head));
	xe_add(answer, engines, sizeof(engines));
}

static int xe_tell_cycles(struct drm_xe_query_engine_cycles *cycles)
{
	const unsigned int n = xe.clock_reads++;

	xe.clock = *cycles;
	cycles->width = 64;
	cycles->engine_cycles = xe.cycles + n * xe.clock_step;
	cycles->cpu_timestamp = 1000000 + n * xe.clock_step;
	cycles->cpu_delta = 500 + (n < 3 ? xe.delays[n] : 0);
	return 0;
}

static int xe_answer(struct drm_xe_device_query *query)
{
	struct xe_answer answer = { .size = 0 };

	switch (query->query) {
	case DRM_XE_DEVICE_QUERY_ENGINE_CYCLES:
		return xe_tell_cycles((void *)(uintptr_t)query->data);
	case DRM_XE_DEVICE_QUERY_OA_UNITS:
		xe_tell_units(&answer);
		break;
	case DRM_XE_DEVICE_QUERY_CONFIG:
		xe_tell_config(&answer);
		break;
	case DRM_XE_DEVICE_QUERY_GT_LIST:
		xe_tell_gts(&answer);
		break;
	case DRM_XE_DEVICE_QUERY_GT_TOPOLOGY:
		xe_tell_topology(&answer);
		break;
	case DRM_XE_DEVICE_QUERY_ENGINES:
		xe_tell_engines(&answer);
		break;
	default:
		return -EINVAL;
	}
	if (xe.cut && query->query == xe.cut_query)
		answer.size = xe.cut;
	if (query->size)
		memcpy((void *)(uintptr_t)query->data, answer.bytes, answer.size);
	query->size = (uint32_t)answer.size;
	return 0;
}

/* ---- observation ---------------------------------------------------------------------------- */

static int xe_add_registers(const struct drm_xe_oa_config *config)
{
	if (xe.add_error)
		return -xe.add_error;
	if (config->extensions || config->n_regs > XE_REGISTERS_MAX)
		return -EINVAL;
	xe.n_registers = config->n_regs;
	memcpy(xe.uuid, config->uuid, sizeof(xe.uuid) - 1);
	memcpy(xe.registers, (const void *)(uintptr_t)config->regs_ptr,
	       config->n_regs * sizeof(xe.registers[0]));
	return xe.config;
}

static int xe_open_unit(const struct drm_xe_ext_set_property *property)
{
	struct xe_stream *stream;

	memset(xe.properties, 0, sizeof(xe.properties));
	xe.given = xe.n_properties = 0;
	for (; property; property = (const void *)(uintptr_t)property->base.next_extension) {
		xe.properties[property->property % XE_PROPERTIES] = property->value;
		xe.given |= 1u << property->property % XE_PROPERTIES;
		xe.n_properties++;
	}
	stream = &xe.streams[xe.properties[DRM_XE_OA_PROPERTY_OA_UNIT_ID] ? 1 : 0];
	if (xe.open_error)
		return -xe.open_error;
	if (stream->fd >= 0)
		return -EBUSY;
	stream->threshold = xe.properties[XE_WAIT_NUM_REPORTS] * XE_REPORT_SIZE;
	stream->fd = fake_file(eventfd(0, 0), xe.moves_stream);
	return stream->fd;
}

static int xe_do(int fd, const struct drm_xe_observation_param *args)
{
	const void *param = (const void *)(uintptr_t)args->param;

	switch (args->observation_op) {
	case DRM_XE_OBSERVATION_OP_ADD_CONFIG:
		return xe_add_registers(param);
	case DRM_XE_OBSERVATION_OP_REMOVE_CONFIG:
		xe.removed = *(const uint64_t *)param;
		return 0;
	case DRM_XE_OBSERVATION_OP_STREAM_OPEN:
		xe.file = fd;
		return xe_open_unit(param);
	default:
		return -EINVAL;
	}
}

static struct xe_stream *xe_stream(int fd)
{
	for (int i = 0; i < XE_UNITS; i++)
		if (xe.streams[i].fd == fd)
			return &xe.streams[i];
	return NULL;
}

/*
 * As in the kernel, unread reports are discarded when the unit is enabled, not when it is disabled.
 */
static int xe_control(struct xe_stream *stream, unsigned long request, void *argument)
{
	struct drm_xe_oa_stream_status *status = argument;

	switch (request) {
	case DRM_XE_OBSERVATION_IOCTL_ENABLE:
		if (xe.enable_error)
			return -xe.enable_error;
		stream->begun += !stream->enabled;
		if (!stream->enabled)
			stream->fill = 0;
		stream->enabled = true;
		stream->drops = false;
		return 0;
	case DRM_XE_OBSERVATION_IOCTL_DISABLE:
		if (xe.disable_error)
			return -xe.disable_error;
		stream->enabled = false;
		return 0;
	case DRM_XE_OBSERVATION_IOCTL_STATUS:
		if (xe.status_error)
			return -xe.status_error;
		status->oa_status = stream->said;
		return 0;
	default:
		return -EINVAL;
	}
}

static ssize_t xe_read(struct xe_stream *stream, void *to, size_t size)
{
	stream->asked = size;
	stream->reads++;
	if (xe.gone) {
		stream->said = ~UINT32_C(0);
		return -EIO;
	}
	if (!stream->n_statuses && stream->drops && stream->enabled)
		xe_say(stream, DRM_XE_OASTATUS_REPORT_LOST);
	if (stream->n_statuses) {
		stream->said = stream->statuses[0];
		memmove(stream->statuses, stream->statuses + 1,
			--stream->n_statuses * sizeof(stream->statuses[0]));
		xe_set_readable(stream, stream->n_statuses || (stream->fill &&
							       stream->fill >= stream->threshold));
		return -EIO;
	}
	if (size > stream->fill)
		size = stream->fill;
	memcpy(to, stream->bytes, size);
	memmove(stream->bytes, stream->bytes + size, stream->fill - size);
	stream->fill -= size;
	xe_set_readable(stream, stream->fill && stream->fill >= stream->threshold);
	return size ? (ssize_t)size : -EAGAIN;
}

/* ---- system calls --------------------------------------------------------------------------- */

static int fake_open(const char *path, int flags, int mode)
{
	if (strncmp(path, "/dev/dri/", 9))
		return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
	snprintf(xe.node, sizeof(xe.node), "%s", path);
	xe.node_flags = flags;
	return (int)fake_result(xe.node_error ? -xe.node_error : eventfd(0, EFD_CLOEXEC));
}

static int fake_ioctl(int fd, unsigned long request, void *argument)
{
	struct xe_stream *stream = xe_stream(fd);

	if (xe.interruptions)
		return (int)fake_result(xe.interruptions-- % 2 ? -EINTR : -EAGAIN);
	if (stream)
		return (int)fake_result(xe_control(stream, request, argument));
	if (xe.gone &&
	    (request == DRM_IOCTL_XE_DEVICE_QUERY || request == DRM_IOCTL_XE_OBSERVATION))
		return (int)fake_result(-ENODEV);
	if (request == DRM_IOCTL_XE_DEVICE_QUERY)
		return (int)fake_result(xe_answer(argument));
	if (request == DRM_IOCTL_XE_OBSERVATION)
		return (int)fake_result(xe_do(fd, argument));
	return (int)syscall(SYS_ioctl, fd, request, argument);
}

ssize_t read(int fd, void *to, size_t size)
{
	struct xe_stream *stream = xe_stream(fd);

	return stream ? fake_result(xe_read(stream, to, size)) : syscall(SYS_read, fd, to, size);
}

#endif /* GPUOA_LIB_TESTS_FAKE_XE_H */
