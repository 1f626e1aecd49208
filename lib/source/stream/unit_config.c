// SPDX-License-Identifier: MIT
/*
 * unit_config.c - registers the configurations of metric sets in the kernel, which gives them ids
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/complaint.h"
#include "gpu/topology.h"
#include "source/stream/unit.h"
#include "source/stream/unit_raw_config.h"
#include "uapi/gpuoa.h"

/* Registers of one kind, to be freed by the caller. */
static int registers_to_uapi(const struct gpuoa_set *set, enum gpuoa_register_kind kind,
			     const struct gpuoa_constants *constants, struct gpuoa_register **list,
			     uint32_t *count)
{
	const int n = gpuoa_set_registers(set, kind, constants, NULL, 0);
	struct gpuoa_reg *regs;

	*list = NULL;
	*count = 0;
	if (n <= 0)
		return n;
	if (n > GPUOA_MAX_REGISTERS)
		return -E2BIG;
	regs = calloc(n, sizeof(*regs));
	*list = calloc(n, sizeof(**list));
	if (!regs || !*list) {
		free(regs);
		free(*list);
		*list = NULL;
		return -ENOMEM;
	}
	gpuoa_set_registers(set, kind, constants, regs, n);
	for (int i = 0; i < n; i++)
		(*list)[i] = (struct gpuoa_register){ regs[i].address, regs[i].value };
	free(regs);
	*count = n;
	return 0;
}

/* Register a set's configuration. -EEXIST: it was there, @config->id is filled in. */
static int add_config(struct gpuoa_unit *unit, const struct gpuoa_set *set,
		      const struct gpuoa_constants *constants, struct gpuoa_config *config)
{
	struct gpuoa_register *mux = NULL, *boolean = NULL, *flex = NULL;
	int err;

	err = registers_to_uapi(set, GPUOA_REGISTER_MUX, constants, &mux, &config->n_mux);
	if (!err)
		err = registers_to_uapi(set, GPUOA_REGISTER_BOOLEAN, constants, &boolean,
					&config->n_boolean);
	if (!err)
		err = registers_to_uapi(set, GPUOA_REGISTER_FLEX, constants, &flex,
					&config->n_flex);
	if (!err) {
		config->mux = (uintptr_t)mux;
		config->boolean = (uintptr_t)boolean;
		config->flex = (uintptr_t)flex;
		err = ioctl(unit->fd, GPUOA_IOC_ADD_CONFIG, config) ? -errno : 0;
	}
	free(mux);
	free(boolean);
	free(flex);
	return err;
}

/* Id of the configuration that stands under a UUID. -ENOENT */
static int find_config(struct gpuoa_unit *unit, const char *uuid, uint32_t *id)
{
	struct gpuoa_config_entry *entries;
	uint32_t count;
	int err;

	entries = unit_list_configs(unit, &count, &err);
	if (!entries)
		return err;
	err = -ENOENT;
	for (uint32_t i = 0; i < count && err; i++) {
		if (strncmp(entries[i].uuid, uuid, sizeof(entries[i].uuid)))
			continue;
		*id = entries[i].id;
		err = 0;
	}
	free(entries);
	return err;
}

/* A platform of user definitions has constants of its own. */
static int add_config_of(struct gpuoa_unit *unit, const struct gpuoa_set *set,
			 const struct gpuoa_platform *platform, struct gpuoa_config *config)
{
	struct gpuoa_constants *constants;
	int err;

	if (platform == unit->platform)
		return add_config(unit, set, unit->constants, config);
	err = topology_constants(&unit->desc, platform, &constants);
	if (err)
		return err;
	err = add_config(unit, set, constants, config);
	gpuoa_constants_free(constants);
	return err;
}

/* Make sure that the kernel knows the configuration of a set that fits the unit. */
static int upload(struct gpuoa_unit *unit, const struct gpuoa_set *set,
		  const struct gpuoa_set_desc *desc, uint32_t *id)
{
	struct gpuoa_config config = { 0 };
	int err;

	strcpy(config.uuid, desc->uuid);
	err = add_config_of(unit, set, desc->platform, &config);
	if (err == -EACCES) /* somebody with that right may have registered it before */
		return find_config(unit, desc->uuid, id) ? -EACCES : 0;
	*id = config.id; /* or the register that is refused */
	return err == -EEXIST ? 0 : err;
}

static int complain_of_upload(const struct complaint *complaint, const struct gpuoa_unit *unit,
			      const struct gpuoa_set_desc *set, uint32_t id, int err)
{
	switch (err) {
	case -EACCES:
		return COMPLAIN(
			complaint, err,
			"the kernel does not know %s yet, and you may not add it to %s: run 'gpuoa upload -s %s' once as "
			"root, or give this program CAP_PERFMON",
			set->symbol, unit->desc.name, set->symbol);
	case -EADDRINUSE:
		return COMPLAIN(
			complaint, err,
			"the kernel has other registers under the UUID of %s: it was registered by another version of gpuoa; "
			"reload the module",
			set->symbol);
	case -EINVAL:
		return COMPLAIN(complaint, err, "%s does not allow register 0x%05x of %s",
				unit->desc.name, (unsigned int)id, set->symbol);
	case -ENODATA:
		return COMPLAIN(
			complaint, err,
			"which registers %s needs depends on a constant of the GPU that the driver of %s does not tell",
			set->symbol, unit->desc.name);
	case -ENODEV:
		return COMPLAIN(complaint, err, "%s is gone", unit->desc.name);
	default:
		return COMPLAIN(complaint, err, "cannot configure %s for %s: %s", unit->desc.name,
				set->symbol, strerror(-err));
	}
}

int gpuoa_unit_upload(struct gpuoa_unit *unit, const struct gpuoa_set *set, uint32_t *id,
		      char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct gpuoa_set_desc desc;
	const char *platform;
	int err;

	gpuoa_set_describe(set, &desc, sizeof(desc));
	platform = gpuoa_platform_name(desc.platform);
	if (strcmp(platform, unit->desc.platform) || strlen(desc.uuid) >= GPUOA_UUID_SIZE)
		return COMPLAIN(&complaint, -EINVAL, "%s is of platform %s, and %s is a set of %s",
				unit->desc.name, unit->desc.platform, desc.symbol, platform);
	if (*unit->desc.domain && strcmp(unit->desc.domain, desc.domain))
		return COMPLAIN(&complaint, -EXDEV, "%s is unit %s, and %s is for unit %s",
				unit->desc.name, unit->desc.domain, desc.symbol, desc.domain);
	err = upload(unit, set, &desc, id);
	return err ? complain_of_upload(&complaint, unit, &desc, *id, err) : 0;
}
