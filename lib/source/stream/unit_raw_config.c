// SPDX-License-Identifier: MIT
/*
 * unit_raw_config.c - adds, removes and lists configurations of registers, whatever set they are of
 */
#include "source/stream/unit_raw_config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/complaint.h"
#include "gpuoa-custom.h"
#include "source/stream/unit.h"

#define KINDS (GPUOA_REGISTER_FLEX + 1)

struct gpuoa_config_entry *unit_list_configs(struct gpuoa_unit *unit, uint32_t *count, int *err)
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

int gpuoa_unit_configs(struct gpuoa_unit *unit, struct gpuoa_unit_config *configs, size_t max)
{
	struct gpuoa_config_entry *entries;
	uint32_t count;
	int err;

	entries = unit_list_configs(unit, &count, &err);
	if (!entries)
		return err;
	for (size_t i = 0; i < count && i < max; i++) {
		configs[i] = (struct gpuoa_unit_config){ .id = entries[i].id };
		strncpy(configs[i].uuid, entries[i].uuid, sizeof(configs[i].uuid) - 1);
	}
	free(entries);
	return (int)count;
}

int gpuoa_unit_remove_config(struct gpuoa_unit *unit, uint32_t id)
{
	return ioctl(unit->fd, GPUOA_IOC_REMOVE_CONFIG, &id) ? -errno : 0;
}

/* Registers of each kind, joined. */
struct joined {
	struct gpuoa_register *registers[KINDS];
	uint32_t counts[KINDS];
};

static int count_registers(struct joined *joined, const struct gpuoa_register_list *lists,
			   size_t count, const struct complaint *complaint)
{
	for (size_t i = 0; i < count; i++) {
		const unsigned int kind = lists[i].kind;

		if (kind >= KINDS)
			return COMPLAIN(complaint, -EINVAL, "list %zu is of no kind", i);
		if (lists[i].condition && *lists[i].condition)
			return COMPLAIN(complaint, -EINVAL, "list %zu has a condition", i);
		if (lists[i].count > GPUOA_MAX_REGISTERS - joined->counts[kind])
			return COMPLAIN(complaint, -E2BIG,
					"the kernel takes %d registers of a kind at most",
					GPUOA_MAX_REGISTERS);
		joined->counts[kind] += (uint32_t)lists[i].count;
	}
	return 0;
}

static int join_registers(struct joined *joined, const struct gpuoa_register_list *lists,
			  size_t count)
{
	uint32_t at[KINDS] = { 0 };

	for (unsigned int kind = 0; kind < KINDS; kind++) {
		if (!joined->counts[kind])
			continue;
		joined->registers[kind] =
			calloc(joined->counts[kind], sizeof(*joined->registers[kind]));
		if (!joined->registers[kind])
			return -ENOMEM;
	}
	for (size_t i = 0; i < count; i++) {
		const enum gpuoa_register_kind kind = lists[i].kind;

		for (size_t k = 0; k < lists[i].count; k++)
			joined->registers[kind][at[kind]++] =
				(struct gpuoa_register){ lists[i].registers[k].address,
							 lists[i].registers[k].value };
	}
	return 0;
}

static int add(struct gpuoa_unit *unit, const char *uuid, const struct joined *joined, uint32_t *id,
	       const struct complaint *complaint)
{
	struct gpuoa_config config = {
		.n_mux = joined->counts[GPUOA_REGISTER_MUX],
		.n_boolean = joined->counts[GPUOA_REGISTER_BOOLEAN],
		.n_flex = joined->counts[GPUOA_REGISTER_FLEX],
		.mux = (uintptr_t)joined->registers[GPUOA_REGISTER_MUX],
		.boolean = (uintptr_t)joined->registers[GPUOA_REGISTER_BOOLEAN],
		.flex = (uintptr_t)joined->registers[GPUOA_REGISTER_FLEX],
	};
	int err;

	if (strlen(uuid) >= sizeof(config.uuid))
		return COMPLAIN(complaint, -EINVAL, "the UUID is none");
	strcpy(config.uuid, uuid);
	err = ioctl(unit->fd, GPUOA_IOC_ADD_CONFIG, &config) ? -errno : 0;
	*id = config.id;
	switch (err) {
	case -EEXIST:
		return 0;
	case -EINVAL:
		if (config.id)
			return COMPLAIN(complaint, err, "%s does not allow register 0x%05x",
					unit->desc.name, (unsigned int)config.id);
		return COMPLAIN(complaint, err, "the UUID is none, or there are no registers");
	case -EACCES:
		return COMPLAIN(complaint, err, "adding a configuration needs CAP_PERFMON");
	case -EADDRINUSE:
		return COMPLAIN(complaint, err, "%s stands for other registers", uuid);
	case -EOPNOTSUPP:
		return COMPLAIN(complaint, err, "%s has no flexible EU registers", unit->desc.name);
	default:
		return complaint_end(complaint, err);
	}
}

int gpuoa_unit_add_config(struct gpuoa_unit *unit, const char *uuid,
			  const struct gpuoa_register_list *lists, size_t count, uint32_t *id,
			  char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct joined joined = { 0 };
	int err;

	*id = 0;
	err = count_registers(&joined, lists, count, &complaint);
	if (!err)
		err = join_registers(&joined, lists, count);
	err = err ? complaint_end(&complaint, err) : add(unit, uuid, &joined, id, &complaint);
	for (unsigned int kind = 0; kind < KINDS; kind++)
		free(joined.registers[kind]);
	return err;
}
