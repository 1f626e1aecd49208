// SPDX-License-Identifier: MIT
/* unit_raw_config.c - add, remove and list configurations of arbitrary registers */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/complaint.h"
#include "base/sized.h"
#include "gpuoa-custom.h"
#include "reader/stream/unit.h"

int gpuoa_unit_configs(struct gpuoa_unit *unit, struct gpuoa_unit_config *configs, size_t size,
		       size_t max)
{
	struct registered_config *all;
	const int count = unit->backend->list_configs(unit, &all);

	if (count < 0)
		return count;
	for (size_t i = 0; i < (size_t)count && i < max; i++) {
		struct gpuoa_unit_config config = { .id = all[i].id };

		snprintf(config.uuid, sizeof(config.uuid), "%s", all[i].uuid);
		sized_give((char *)configs + i * size, size, &config, sizeof(config));
	}
	free(all);
	return count;
}

int gpuoa_unit_remove_config(struct gpuoa_unit *unit, uint32_t id)
{
	return unit->backend->remove_config(unit, id);
}

/* The registers of each kind, joined from all lists of that kind */
struct joined {
	struct gpuoa_register *registers[REGISTER_KINDS];
	uint32_t counts[REGISTER_KINDS];
};

static int count_registers(struct joined *joined, const struct gpuoa_register_list *lists,
			   size_t count, const struct complaint *complaint)
{
	for (size_t i = 0; i < count; i++) {
		const unsigned int kind = lists[i].kind;
		const int err = sized_check_reserved(lists[i].reserved, RESERVED_WORDS(&lists[i]),
						     "list", i, complaint);

		if (err)
			return err;
		if (kind >= REGISTER_KINDS)
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
	uint32_t at[REGISTER_KINDS] = { 0 };

	for (unsigned int kind = 0; kind < REGISTER_KINDS; kind++) {
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
	struct unit_config config = { .uuid = uuid };
	int err;

	if (strlen(uuid) >= GPUOA_UUID_SIZE)
		return COMPLAIN(complaint, -EINVAL, "invalid UUID");
	for (unsigned int kind = 0; kind < REGISTER_KINDS; kind++) {
		config.registers[kind] = joined->registers[kind];
		config.counts[kind] = joined->counts[kind];
	}
	err = unit->backend->add_config(unit, &config, id);
	switch (err) {
	case -EEXIST:
		return 0;
	case -EINVAL:
		if (*id)
			return COMPLAIN(complaint, err, "%s does not allow register 0x%05x",
					unit->desc.name, (unsigned int)*id);
		return COMPLAIN(complaint, err, "invalid UUID, or no registers");
	case -EACCES:
		return COMPLAIN(complaint, err, "adding a configuration needs CAP_PERFMON%s",
				unit->backend->upload_remedy);
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
	for (unsigned int kind = 0; kind < REGISTER_KINDS; kind++)
		free(joined.registers[kind]);
	return err;
}
