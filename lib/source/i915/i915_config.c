// SPDX-License-Identifier: MIT
/*
 * i915_config.c - configurations that i915 knows: adds, lists and removes them
 */
#include <dirent.h>
#include <errno.h>
#include <i915_drm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sysfs.h"
#include "source/i915/i915.h"

#define UUID_LENGTH 36

/* The id that i915 tells in sysfs; negative: it knows no such configuration. */
static int64_t find_id(const struct i915_unit *unit, const char *uuid)
{
	char path[PATH_MAX];

	if (!sysfs_path(path, "", "/sys/class/drm/%s/metrics/%s/id", unit->card, uuid))
		return -1;
	return sysfs_number(path);
}

int i915_add_config(struct gpuoa_unit *opened, const struct unit_config *config, uint32_t *id)
{
	const struct i915_unit *unit = (const struct i915_unit *)opened;
	struct drm_i915_perf_oa_config to = {
		.n_mux_regs = config->counts[GPUOA_REGISTER_MUX],
		.n_boolean_regs = config->counts[GPUOA_REGISTER_BOOLEAN],
		.n_flex_regs = config->counts[GPUOA_REGISTER_FLEX],
		.mux_regs_ptr = (uintptr_t)config->registers[GPUOA_REGISTER_MUX],
		.boolean_regs_ptr = (uintptr_t)config->registers[GPUOA_REGISTER_BOOLEAN],
		.flex_regs_ptr = (uintptr_t)config->registers[GPUOA_REGISTER_FLEX],
	};
	int64_t known;
	int ret;

	*id = 0;
	if (strlen(config->uuid) != UUID_LENGTH)
		return -EINVAL;
	memcpy(to.uuid, config->uuid, UUID_LENGTH);
	ret = i915_ioctl(opened->fd, DRM_IOCTL_I915_PERF_ADD_CONFIG, &to);
	if (ret > 0) {
		*id = (uint32_t)ret;
		return 0;
	}
	if (ret != -EADDRINUSE)
		return ret ? ret : -EIO;
	known = find_id(unit, config->uuid);
	if (known <= 0)
		return -EADDRINUSE;
	*id = (uint32_t)known;
	return -EEXIST;
}

static bool is_uuid(const char *name)
{
	return strlen(name) == UUID_LENGTH &&
	       strspn(name, "0123456789abcdefABCDEF-") == UUID_LENGTH;
}

int i915_list_configs(struct gpuoa_unit *opened, struct gpuoa_unit_config **configs)
{
	const struct i915_unit *unit = (const struct i915_unit *)opened;
	struct gpuoa_unit_config *all;
	struct dirent **entries = NULL;
	char path[PATH_MAX];
	int n, count = 0;

	snprintf(path, sizeof(path), "/sys/class/drm/%s/metrics", unit->card);
	n = scandir(path, &entries, NULL, alphasort);
	if (n < 0)
		return errno == ENOENT ? -ENODEV : -errno;
	all = calloc((size_t)n + 1, sizeof(*all));
	for (int i = 0; i < n; i++) {
		const char *uuid = entries[i]->d_name;
		const int64_t id = is_uuid(uuid) ? find_id(unit, uuid) : -1;

		if (all && id > 0) {
			all[count].id = (uint32_t)id;
			strcpy(all[count++].uuid, uuid);
		}
		free(entries[i]);
	}
	free(entries);
	*configs = all;
	return all ? count : -ENOMEM;
}

int i915_remove_config(struct gpuoa_unit *unit, uint32_t id)
{
	uint64_t wanted = id;

	return i915_ioctl(unit->fd, DRM_IOCTL_I915_PERF_REMOVE_CONFIG, &wanted);
}
