// SPDX-License-Identifier: MIT
/*
 * xe_config.c - configurations that xe knows: adds, lists and removes them
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sysfs.h"
#include "source/xe/xe.h"

#define UUID_LENGTH 36

/* The id that xe tells in sysfs; negative: it knows no such configuration. */
static int64_t find_id(const struct xe_unit *unit, const char *uuid)
{
	char path[PATH_MAX];

	if (!sysfs_path(path, "", "/sys/class/drm/%s/metrics/%s/id", unit->card, uuid))
		return -1;
	return sysfs_number(path);
}

/* xe has one list for all kinds of registers, which are written in its order.
 */
static struct gpuoa_register *join(const struct unit_config *config, uint32_t *count)
{
	static const enum gpuoa_register_kind kinds[] = {
		GPUOA_REGISTER_MUX,
		GPUOA_REGISTER_BOOLEAN,
		GPUOA_REGISTER_FLEX,
	};
	struct gpuoa_register *all;
	size_t n = 0;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		n += config->counts[kinds[i]];
	all = calloc(n + 1, sizeof(*all));
	*count = 0;
	for (size_t i = 0; all && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const uint32_t some = config->counts[kinds[i]];

		if (some)
			memcpy(all + *count, config->registers[kinds[i]], some * sizeof(*all));
		*count += some;
	}
	return all;
}

int xe_add_config(struct gpuoa_unit *opened, const struct unit_config *config, uint32_t *id)
{
	const struct xe_unit *unit = (const struct xe_unit *)opened;
	struct drm_xe_oa_config to = { .extensions = 0 };
	struct gpuoa_register *all;
	int64_t known;
	int ret;

	*id = 0;
	if (strlen(config->uuid) != UUID_LENGTH)
		return -EINVAL;
	memcpy(to.uuid, config->uuid, UUID_LENGTH);
	all = join(config, &to.n_regs);
	if (!all)
		return -ENOMEM;
	to.regs_ptr = (uintptr_t)all;
	ret = xe_observe(opened->fd, DRM_XE_OBSERVATION_OP_ADD_CONFIG, &to);
	free(all);
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

int xe_list_configs(struct gpuoa_unit *opened, struct gpuoa_unit_config **configs)
{
	const struct xe_unit *unit = (const struct xe_unit *)opened;
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

int xe_remove_config(struct gpuoa_unit *unit, uint32_t id)
{
	const uint64_t wanted = id;

	return xe_observe(unit->fd, DRM_XE_OBSERVATION_OP_REMOVE_CONFIG, &wanted);
}
