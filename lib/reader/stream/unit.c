// SPDX-License-Identifier: MIT
/* unit.c - operations on OA units that are independent of the backend */
#include "reader/stream/unit.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/complaint.h"
#include "base/sized.h"
#include "base/sysfs.h"
#include "gpu/topology.h"

/* Get the registers of one kind. The caller frees the list. */
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

/*
 * Register the configuration of a set in the kernel. Return values are those of
 * backend->add_config().
 */
static int add_config(struct gpuoa_unit *unit, const struct gpuoa_set *set, const char *uuid,
		      const struct gpuoa_constants *constants, uint32_t *id)
{
	struct gpuoa_register *lists[REGISTER_KINDS] = { NULL };
	struct unit_config config = { .uuid = uuid };
	int err = 0;

	for (unsigned int kind = 0; kind < REGISTER_KINDS && !err; kind++) {
		err = registers_to_uapi(set, kind, constants, &lists[kind], &config.counts[kind]);
		config.registers[kind] = lists[kind];
	}
	if (!err)
		err = unit->backend->add_config(unit, &config, id);
	for (unsigned int kind = 0; kind < REGISTER_KINDS; kind++)
		free(lists[kind]);
	return err;
}

static int is_uuid(const struct dirent *entry)
{
	return strlen(entry->d_name) == UUID_LENGTH &&
	       strspn(entry->d_name, "0123456789abcdefABCDEF-") == UUID_LENGTH;
}

int unit_configs_below(const char *metrics, struct registered_config **configs)
{
	struct registered_config *all;
	struct dirent **entries = NULL;
	char path[PATH_MAX];
	int n, count = 0;

	n = scandir(metrics, &entries, is_uuid, alphasort);
	if (n < 0)
		return errno == ENOENT ? -ENODEV : -errno;
	all = calloc((size_t)n + 1, sizeof(*all));
	for (int i = 0; i < n; i++) {
		const int64_t id = sysfs_path(path, "", "%s/%s/id", metrics, entries[i]->d_name) ?
					   sysfs_number(path) :
					   0;

		/*
		 * Skip a configuration that was removed since the directory was read: it has no id.
		 */
		if (all && id > 0) {
			all[count].id = (uint32_t)id;
			strcpy(all[count++].uuid, entries[i]->d_name);
		}
		free(entries[i]);
	}
	free(entries);
	*configs = all;
	return all ? count : -ENOMEM;
}

/* Get the id of the configuration with this UUID. Returns 0 or -ENOENT. */
static int find_config(struct gpuoa_unit *unit, const char *uuid, uint32_t *id)
{
	struct registered_config *configs;
	const int count = unit->backend->list_configs(unit, &configs);
	int err = -ENOENT;

	if (count < 0)
		return count;
	for (int i = 0; i < count && err; i++) {
		if (strcmp(configs[i].uuid, uuid))
			continue;
		*id = configs[i].id;
		err = 0;
	}
	free(configs);
	return err;
}

/*
 * Register the configuration of a set. If the set is of a platform of user definitions, create the
 * constants for that platform first.
 */
static int add_config_of(struct gpuoa_unit *unit, const struct gpuoa_set *set,
			 const struct gpuoa_set_desc *desc, uint32_t *id)
{
	struct gpuoa_constants *constants;
	int err;

	if (desc->platform == unit->platform)
		return add_config(unit, set, desc->uuid, unit->constants, id);
	err = topology_constants(&unit->desc, desc->platform, &constants);
	if (err)
		return err;
	err = add_config(unit, set, desc->uuid, constants, id);
	gpuoa_constants_free(constants);
	return err;
}

/*
 * Register a set's configuration for the unit, unless the kernel has it already. On -EINVAL, *@id
 * is the address of the rejected register, or 0.
 */
static int upload(struct gpuoa_unit *unit, const struct gpuoa_set *set,
		  const struct gpuoa_set_desc *desc, uint32_t *id)
{
	const int err = add_config_of(unit, set, desc, id);

	if (err == -EACCES) /* A privileged process may have registered the configuration before. */
		return find_config(unit, desc->uuid, id) ? -EACCES : 0;
	return err == -EEXIST ? 0 : err;
}

static int complain_of_upload(const struct complaint *complaint, const struct gpuoa_unit *unit,
			      const struct gpuoa_set_desc *set, uint32_t id, int err)
{
	switch (err) {
	case -EACCES:
		return COMPLAIN(
			complaint, err,
			"the kernel does not know %s yet, and you may not add it to %s: run "
			"'gpuoa add-config -s %s' once as root, or give this program CAP_PERFMON%s",
			set->symbol, unit->desc.name, set->symbol, unit->backend->upload_remedy);
	case -EADDRINUSE:
		return COMPLAIN(
			complaint, err,
			"the kernel has other registers under the UUID of %s: it was registered by another version of gpuoa; "
			"reload the module",
			set->symbol);
	case -EINVAL:
		if (!id)
			return COMPLAIN(complaint, err,
					"%s rejects a register of %s; 'dmesg' may name it",
					unit->desc.name, set->symbol);
		return COMPLAIN(complaint, err, "%s does not allow register 0x%05x of %s",
				unit->desc.name, (unsigned int)id, set->symbol);
	case -ENODATA:
		return COMPLAIN(
			complaint, err,
			"the registers of %s depend on a constant that the driver of %s does not report",
			set->symbol, unit->desc.name);
	case -ENODEV:
		return COMPLAIN(complaint, err, "%s was removed", unit->desc.name);
	default:
		return COMPLAIN(complaint, err, "cannot configure %s for %s: %s", unit->desc.name,
				set->symbol, strerror(-err));
	}
}

int gpuoa_unit_add_set(struct gpuoa_unit *unit, const struct gpuoa_set *set, uint32_t *id,
		       char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct gpuoa_set_desc desc;
	const char *platform;
	int err;

	gpuoa_set_describe(set, &desc, sizeof(desc));
	platform = gpuoa_platform_name(desc.platform);
	if (strcmp(platform, unit->desc.platform))
		return COMPLAIN(&complaint, -EINVAL, "%s is of platform %s, and %s is a set of %s",
				unit->desc.name, unit->desc.platform, desc.symbol, platform);
	if (*unit->desc.domain && strcmp(unit->desc.domain, desc.domain))
		return COMPLAIN(&complaint, -EMEDIUMTYPE, "%s is unit %s, and %s is for unit %s",
				unit->desc.name, unit->desc.domain, desc.symbol, desc.domain);
	err = upload(unit, set, &desc, id);
	return err ? complain_of_upload(&complaint, unit, &desc, *id, err) : 0;
}

int unit_check(const struct gpuoa_unit *unit)
{
	return unit->backend->check(unit);
}

int unit_lacks(const struct gpuoa_unit *unit, const struct complaint *complaint)
{
	return COMPLAIN(complaint, -EOPNOTSUPP, "%s: %s", unit->desc.name, unit->backend->lacks);
}

void gpuoa_unit_close(struct gpuoa_unit *unit)
{
	if (!unit)
		return;
	gpuoa_constants_free(unit->constants);
	unit->backend->close(unit);
}

void gpuoa_unit_describe(const struct gpuoa_unit *unit, struct gpuoa_unit_desc *desc, size_t size)
{
	sized_give(desc, size, &unit->desc, sizeof(unit->desc));
}

const struct gpuoa_platform *gpuoa_unit_platform(const struct gpuoa_unit *unit)
{
	return unit->platform;
}

const struct gpuoa_constants *gpuoa_unit_constants(const struct gpuoa_unit *unit)
{
	return unit->constants;
}

int gpuoa_unit_clock(struct gpuoa_unit *unit, int clock_id, struct gpuoa_clock_pair *pair)
{
	return unit->backend->clock(unit, clock_id, pair);
}

int gpuoa_unit_insert_marker(struct gpuoa_unit *unit, uint64_t value,
			     struct gpuoa_stream_marker *marker, size_t size)
{
	struct gpuoa_stream_marker known;
	int err;

	if (!unit->backend->mark)
		return -ENOTTY;
	err = unit->backend->mark(unit, value, &known);
	if (!err && marker)
		sized_give(marker, size, &known, sizeof(known));
	return err;
}

int gpuoa_unit_get_user(struct gpuoa_unit *unit, struct gpuoa_unit_user *use, size_t size)
{
	struct gpuoa_unit_user known = { .streams = 0 };
	int ret;

	if (!unit->backend->used)
		return -EOPNOTSUPP;
	ret = unit->backend->used(unit, &known);
	if (ret >= 0)
		sized_give(use, size, &known, sizeof(known));
	return ret;
}
