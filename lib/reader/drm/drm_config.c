// SPDX-License-Identifier: MIT
/* drm_config.c - configurations that a stock driver lists in sysfs */
#include "reader/drm/drm_config.h"

#include <errno.h>
#include <string.h>

#include "base/sysfs.h"
#include "reader/drm/drm_unit.h"

/* Returns the driver's id of a configuration, or a negative value if it is not registered. */
static int64_t find_id(const struct gpuoa_unit *opened, const char *uuid)
{
	const struct drm_unit *unit = (const struct drm_unit *)opened;
	char path[PATH_MAX];

	if (!sysfs_path(path, "", "/sys/class/drm/%s/metrics/%s/id", unit->card, uuid))
		return -1;
	return sysfs_number(path);
}

int drm_add_config(struct gpuoa_unit *unit, const struct unit_config *config, uint32_t *id,
		   int (*add)(struct gpuoa_unit *unit, const struct unit_config *config))
{
	int64_t known;
	int ret;

	*id = 0;
	if (strlen(config->uuid) != UUID_LENGTH)
		return -EINVAL;
	ret = add(unit, config);
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

int drm_list_configs(struct gpuoa_unit *opened, struct registered_config **configs)
{
	const struct drm_unit *unit = (const struct drm_unit *)opened;
	char path[PATH_MAX];

	if (!sysfs_path(path, "", "/sys/class/drm/%s/metrics", unit->card))
		return -ENODEV;
	return unit_configs_below(path, configs);
}
