// SPDX-License-Identifier: MIT
/*
 * xe.c - client of xe's uAPI, and access to the simulator's debugfs files, for the tests of the
 * emulated xe device.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../sim.h"
#include "xe.h"

#define MAX_PROPERTIES 20
#define SYSTEM_MEMORY 1 /* placement: bit 0 */

/* Get the sysfs path of the GPU's DRM node with name prefix @what. */
static int find(unsigned int gpu, const char *what, char *name, size_t size)
{
	char pattern[128];
	glob_t found;

	snprintf(pattern, sizeof(pattern),
		 "/sys/bus/platform/devices/gpuoa_sim.%u/pci*/*/drm/%s[0-9]*", gpu, what);
	if (glob(pattern, 0, NULL, &found))
		return -ENODEV;
	snprintf(name, size, "%s", found.gl_pathv[0]);
	globfree(&found);
	return 0;
}

int xe_find(unsigned int gpu, char *node, char *card, size_t size)
{
	char path[256];
	int err = find(gpu, "renderD", path, sizeof(path));

	if (err)
		return err;
	snprintf(node, size, "/dev/dri/%s", strrchr(path, '/') + 1);
	return find(gpu, "card", card, size);
}

int xe_open(unsigned int gpu)
{
	char node[256], card[256];
	int err = xe_find(gpu, node, card, sizeof(node));
	int fd;

	if (err)
		return err;
	fd = open(node, O_RDWR | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

void *xe_query(int fd, uint32_t query, uint32_t *size)
{
	struct drm_xe_device_query args = { .query = query };
	void *data;

	if (ioctl(fd, DRM_IOCTL_XE_DEVICE_QUERY, &args))
		return NULL;
	data = calloc(1, args.size + 1);
	args.data = (uintptr_t)data;
	if (!data || ioctl(fd, DRM_IOCTL_XE_DEVICE_QUERY, &args)) {
		free(data);
		return NULL;
	}
	*size = args.size;
	return data;
}

uint32_t xe_create(int fd, uint64_t size)
{
	struct drm_xe_gem_create args = {
		.size = size,
		.placement = SYSTEM_MEMORY,
		.cpu_caching = DRM_XE_GEM_CPU_CACHING_WB,
	};

	return ioctl(fd, DRM_IOCTL_XE_GEM_CREATE, &args) ? 0 : args.handle;
}

void *xe_map(int fd, uint32_t buffer, size_t size)
{
	struct drm_xe_gem_mmap_offset args = { .handle = buffer };

	if (ioctl(fd, DRM_IOCTL_XE_GEM_MMAP_OFFSET, &args))
		return MAP_FAILED;
	return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, args.offset);
}

int xe_create_queue(int fd, uint32_t vm, struct drm_xe_engine_class_instance engine,
		    uint32_t *queue)
{
	struct drm_xe_exec_queue_create args = {
		.width = 1,
		.num_placements = 1,
		.vm_id = vm,
		.instances = (uintptr_t)&engine,
	};
	int err = ioctl(fd, DRM_IOCTL_XE_EXEC_QUEUE_CREATE, &args) ? -errno : 0;

	*queue = args.exec_queue_id;
	return err;
}

int xe_observe(int fd, uint64_t op, const void *param)
{
	struct drm_xe_observation_param args = {
		.observation_type = DRM_XE_OBSERVATION_TYPE_OA,
		.observation_op = op,
		.param = (uintptr_t)param,
	};
	int result = ioctl(fd, DRM_IOCTL_XE_OBSERVATION, &args);

	return result < 0 ? -errno : result;
}

int xe_add_config(int fd, const char *uuid, const uint32_t *regs, uint32_t n)
{
	struct drm_xe_oa_config config = { .n_regs = n, .regs_ptr = (uintptr_t)regs };

	memcpy(config.uuid, uuid, sizeof(config.uuid));
	return xe_observe(fd, DRM_XE_OBSERVATION_OP_ADD_CONFIG, &config);
}

int xe_remove_config(int fd, uint64_t id)
{
	return xe_observe(fd, DRM_XE_OBSERVATION_OP_REMOVE_CONFIG, &id);
}

static void chain(struct drm_xe_ext_set_property *extensions, const struct xe_property *properties,
		  unsigned int n)
{
	memset(extensions, 0, n * sizeof(*extensions));
	for (unsigned int i = 0; i < n; i++) {
		extensions[i].property = properties[i].property;
		extensions[i].value = properties[i].value;
		if (i + 1 < n)
			extensions[i].base.next_extension = (uintptr_t)&extensions[i + 1];
	}
}

int xe_stream_open(int fd, const struct xe_property *properties, unsigned int n)
{
	struct drm_xe_ext_set_property extensions[MAX_PROPERTIES];

	chain(extensions, properties, n);
	return xe_observe(fd, DRM_XE_OBSERVATION_OP_STREAM_OPEN, extensions);
}

int xe_stream_config(int stream, const struct xe_property *properties, unsigned int n)
{
	struct drm_xe_ext_set_property extensions[MAX_PROPERTIES];
	int result;

	chain(extensions, properties, n);
	result = ioctl(stream, DRM_XE_OBSERVATION_IOCTL_CONFIG, extensions);
	return result < 0 ? -errno : result;
}

int xe_stream_simple(int fd, uint32_t unit, int set, int exponent, int disabled)
{
	const struct xe_property properties[] = {
		{ DRM_XE_OA_PROPERTY_OA_UNIT_ID, unit },
		{ DRM_XE_OA_PROPERTY_SAMPLE_OA, 1 },
		{ DRM_XE_OA_PROPERTY_OA_METRIC_SET, set },
		{ DRM_XE_OA_PROPERTY_OA_FORMAT, unit ? XE_MPEC8U64 : XE_PEC64U64 },
		{ DRM_XE_OA_PROPERTY_OA_PERIOD_EXPONENT, exponent },
		{ DRM_XE_OA_PROPERTY_OA_DISABLED, disabled },
	};

	return xe_stream_open(fd, properties, 6);
}

int xe_read_all(int stream, void *to, size_t bytes)
{
	size_t done = 0;
	ssize_t n;

	while (done < bytes) {
		n = read(stream, (char *)to + done, bytes - done);
		if (n < 0)
			return done ? (int)done : -errno;
		done += n;
	}
	return done;
}

int xe_sim_set(unsigned int gpu, const char *file, const char *value)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/kernel/debug/gpuoa_sim/%u/%s", gpu, file);
	return file_set(path, value);
}

uint64_t xe_sim_get(unsigned int gpu, const char *file)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/kernel/debug/gpuoa_sim/%u/%s", gpu, file);
	return file_get(path);
}

uint64_t xe_reference(unsigned int gpu, const char *unit, uint64_t from, uint64_t to,
		      const char *counter)
{
	char path[80], question[32];

	snprintf(path, sizeof(path), "/sys/kernel/debug/gpuoa_sim/%u/%sreference", gpu, unit);
	snprintf(question, sizeof(question), "%u %u", (uint32_t)from, (uint32_t)to);
	return file_reference(path, question, counter);
}
