// SPDX-License-Identifier: MIT
/*
 * origins.c - the units of all origins: lists them, and opens the one that a name means
 */
#include "source/origins/origins.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/topology.h"
#include "source/i915/i915.h"
#include "source/pmu/pmu.h"
#include "source/xe/xe.h"

/* A GPU that several of them offer is the first one's, if nobody asks for another by name. */
static const struct origin *const origins[] = { &pmu_origin, &i915_origin, &xe_origin };

const struct origin *origin_at(size_t index)
{
	return index < sizeof(origins) / sizeof(origins[0]) ? origins[index] : NULL;
}

int origin_find(const char *name, const struct origin **origin, char unit[UNIT_NAME_SIZE])
{
	int err = -ENODEV;

	for (size_t i = 0; origin_at(i); i++) {
		const int found = origin_at(i)->find(name, unit);

		*origin = origin_at(i);
		if (!found)
			return 0;
		if (found != -ENODEV)
			err = found;
	}
	return err;
}

/* Units that are listed, and the devices that they belong to. */
struct list {
	char (*names)[UNIT_NAME_SIZE];
	char (*parents)[64];
	int count;
};

/* Has another origin, which was asked before, units of the same device? */
static bool is_listed(const struct list *list, int before, const char *parent)
{
	for (int i = 0; i < before; i++)
		if (*parent && !strcmp(list->parents[i], parent))
			return true;
	return false;
}

/* Add the units of one origin. Returns 0 or a negative errno. */
static int list_origin(struct list *list, const struct origin *origin)
{
	const int before = list->count;
	const int n = origin->list(NULL, 0);
	char(*names)[UNIT_NAME_SIZE];
	char(*parents)[64];
	int count;

	if (n <= 0)
		return n;
	names = realloc(list->names, (size_t)(before + n) * sizeof(*names));
	if (names)
		list->names = names;
	parents = realloc(list->parents, (size_t)(before + n) * sizeof(*parents));
	if (parents)
		list->parents = parents;
	if (!names || !parents)
		return -ENOMEM;
	count = origin->list(names + before, (size_t)n);
	if (count < 0)
		return count;
	for (int i = before; i < before + n && i < before + count; i++) {
		char *parent = parents[list->count];

		origin->find_parent(names[i], parent, sizeof(*parents));
		if (is_listed(list, before, parent))
			continue;
		if (list->count != i)
			memcpy(names[list->count], names[i], sizeof(*names));
		list->count++;
	}
	return 0;
}

int gpuoa_unit_list(char (*names)[16], size_t max)
{
	struct list list = { .count = 0 };
	int err = 0;

	for (size_t i = 0; origin_at(i) && !err; i++)
		err = list_origin(&list, origin_at(i));
	for (size_t i = 0; i < (size_t)list.count && i < max; i++)
		memcpy(names[i], list.names[i], sizeof(*names));
	free(list.names);
	free(list.parents);
	return err ? err : list.count;
}

static int open_unit(const char *name, struct gpuoa_unit **unit, const struct complaint *complaint)
{
	const struct origin *origin;
	char found[UNIT_NAME_SIZE];
	struct gpuoa_unit *new;
	int err;

	err = origin_find(name, &origin, found);
	if (err)
		return err;
	err = origin->open(found, &new, complaint);
	if (err)
		return err;
	new->origin = origin;
	strcpy(new->desc.origin, origin->name);
	new->platform = gpuoa_platform_find(new->desc.platform);
	err = topology_constants(&new->desc, new->platform, &new->constants);
	if (err) {
		origin->close(new);
		return err;
	}
	*unit = new;
	return 0;
}

int gpuoa_unit_open(const char *name, struct gpuoa_unit **unit, char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	const char *called = name ? name : "the OA unit";
	const int err = open_unit(name, unit, &complaint);

	if (!err || (error_size && *error))
		return err;
	switch (err) {
	case -ENODEV:
		/* It was there, and its GPU went away before it could be asked. */
		if (gpuoa_unit_list(NULL, 0) > 0)
			return COMPLAIN(&complaint, err, "%s is gone", called);
		return COMPLAIN(
			&complaint, err,
			"no OA unit on this machine: 'gpuoa doctor' tells why neither gpuoa.ko nor i915 offers one");
	case -ENOENT:
		return COMPLAIN(&complaint, err, "no OA unit '%s': see 'gpuoa list devices'",
				called);
	default:
		return COMPLAIN(&complaint, err, "cannot open %s: %s", called, strerror(-err));
	}
}
