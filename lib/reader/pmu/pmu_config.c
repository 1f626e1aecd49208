// SPDX-License-Identifier: MIT
/* pmu_config.c - register, list and remove gpuoa.ko's configurations */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/sysfs.h"
#include "reader/pmu/pmu.h"

int pmu_add_config(struct gpuoa_unit *unit, const struct unit_config *config, uint32_t *id)
{
	struct gpuoa_config to = {
		.n_mux = config->counts[GPUOA_REGISTER_MUX],
		.n_boolean = config->counts[GPUOA_REGISTER_BOOLEAN],
		.n_flex = config->counts[GPUOA_REGISTER_FLEX],
		.mux = (uintptr_t)config->registers[GPUOA_REGISTER_MUX],
		.boolean = (uintptr_t)config->registers[GPUOA_REGISTER_BOOLEAN],
		.flex = (uintptr_t)config->registers[GPUOA_REGISTER_FLEX],
	};
	int err;

	strcpy(to.uuid, config->uuid);
	err = ioctl(unit->fd, GPUOA_IOC_ADD_CONFIG, &to) ? -errno : 0;
	*id = err == -EINVAL ? to.rejected : to.id;
	return err;
}

int pmu_list_configs(struct gpuoa_unit *unit, struct registered_config **configs)
{
	char path[PATH_MAX];

	if (!sysfs_path(path, "", "/sys/class/gpuoa/%s/metrics", unit->desc.name))
		return -ENODEV;
	return unit_configs_below(path, configs);
}

int pmu_remove_config(struct gpuoa_unit *unit, uint32_t id)
{
	return ioctl(unit->fd, GPUOA_IOC_REMOVE_CONFIG, &id) ? -errno : 0;
}
