// SPDX-License-Identifier: MIT
/* pmu_config.c - register, list and remove gpuoa.ko's configurations */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "source/pmu/pmu.h"
#include "source/uapi.h"

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
	*id = err == -EINVAL ? to.refused : to.id;
	return err;
}

/*
 * List all registered configurations, to be freed by the caller. Returns NULL and sets *err on
 * error.
 */
static struct gpuoa_config_entry *list_entries(const struct gpuoa_unit *unit, uint32_t *count,
					       int *err)
{
	struct gpuoa_config_entry *entries;
	struct gpuoa_config_list list;
	uint32_t room = 64;

	do {
		entries = calloc(room, sizeof(*entries));
		if (!entries) {
			*err = -ENOMEM;
			return NULL;
		}
		list = (struct gpuoa_config_list){
			.entries = (uintptr_t)entries,
			.count = room,
		};
		if (!ioctl(unit->fd, GPUOA_IOC_LIST_CONFIGS, &list)) {
			*count = list.count;
			return entries;
		}
		*err = -errno;
		free(entries);
		room = list.count;
	} while (*err == -ENOSPC);
	return NULL;
}

int pmu_list_configs(struct gpuoa_unit *unit, struct gpuoa_unit_config **configs)
{
	struct gpuoa_config_entry *entries;
	struct gpuoa_unit_config *made;
	uint32_t count;
	int err;

	entries = list_entries(unit, &count, &err);
	if (!entries)
		return err;
	made = calloc(count ? count : 1, sizeof(*made));
	for (uint32_t i = 0; made && i < count; i++) {
		made[i].id = entries[i].id;
		uapi_string(made[i].uuid, sizeof(made[i].uuid), entries[i].uuid,
			    sizeof(entries[i].uuid));
	}
	free(entries);
	*configs = made;
	return made ? (int)count : -ENOMEM;
}

int pmu_remove_config(struct gpuoa_unit *unit, uint32_t id)
{
	return ioctl(unit->fd, GPUOA_IOC_REMOVE_CONFIG, &id) ? -errno : 0;
}
