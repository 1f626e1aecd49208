// SPDX-License-Identifier: MIT
/* drm.c - DRM files of programs that have queries: their GPU, and their contexts */
#include <errno.h>
#include <i915_drm.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <xe_drm.h>

#include "igdmd.h"

/* Both drivers number contexts of a file from 1 on, by the lowest free number. */
#define CONTEXT_IDS 256

static int call(int fd, unsigned long request, void *argument)
{
	int result;

	do {
		result = ioctl(fd, request, argument);
	} while (result && (errno == EINTR || errno == EAGAIN));
	return result ? -errno : 0;
}

/* Check whether xe drives the GPU of a DRM file. */
static bool is_xe(int fd)
{
	char name[8] = "";
	struct drm_version version = { .name = name, .name_len = sizeof(name) - 1 };

	return !call(fd, DRM_IOCTL_VERSION, &version) && !strcmp(name, "xe");
}

/* Return true if the file has an exec queue with this id. */
static bool has_queue(int fd, uint32_t id)
{
	struct drm_xe_exec_queue_get_property get = {
		.exec_queue_id = id, .property = DRM_XE_EXEC_QUEUE_GET_PROPERTY_BAN
	};

	return !call(fd, DRM_IOCTL_XE_EXEC_QUEUE_GET_PROPERTY, &get) && !get.value;
}

/* Return true if the file has a context with this id, and its priority is not below the default. */
static bool has_context(int fd, uint32_t id)
{
	struct drm_i915_gem_context_param get = { .ctx_id = id,
						  .param = I915_CONTEXT_PARAM_PRIORITY };

	return !call(fd, DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &get) && (int64_t)get.value >= 0;
}

int drm_node(int fd, uint32_t *major_number, uint32_t *minor_number)
{
	struct stat status;

	if (fstat(fd, &status))
		return -errno;
	if (!S_ISCHR(status.st_mode))
		return -ENOTTY;
	*major_number = major(status.st_rdev);
	*minor_number = minor(status.st_rdev);
	return 0;
}

size_t drm_contexts(int fd, uint32_t *ids, size_t max)
{
	bool (*has)(int fd, uint32_t id) = is_xe(fd) ? has_queue : has_context;
	size_t count = 0;

	for (uint32_t id = 1; id < CONTEXT_IDS && count < max; id++)
		if (has(fd, id))
			ids[count++] = id;
	/* i915 also has a default context, which programs with other contexts do not use. */
	if (!count && max && has == has_context)
		ids[count++] = 0;
	return count;
}
