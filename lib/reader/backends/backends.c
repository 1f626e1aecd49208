// SPDX-License-Identifier: MIT
/* backends.c - list and find the OA units of all backends */
#include "reader/backends/backends.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/sysfs.h"
#include "gpu/topology.h"
#include "reader/i915/i915.h"
#include "reader/pmu/pmu.h"
#include "reader/xe/xe.h"

#define PARENT_SIZE 64 /* as in gpuoa_unit_desc */

/*
 * The backends, in order of preference: if several backends support a GPU, its first unit is that
 * of the first of them.
 */
static const struct backend *const backends[] = { &pmu_backend, &i915_backend, &xe_backend };

const struct backend *backend_at(size_t index)
{
	return index < sizeof(backends) / sizeof(backends[0]) ? backends[index] : NULL;
}

/*
 * Get the names of a backend's units, to be freed by the caller. Returns their number, or -errno.
 */
static int list_units(const struct backend *backend, char (**names)[UNIT_NAME_SIZE])
{
	const int room = backend->list(NULL, 0);
	int n;

	*names = NULL;
	if (room <= 0)
		return room;
	*names = calloc((size_t)room, sizeof(**names));
	if (!*names)
		return -ENOMEM;
	n = backend->list(*names, (size_t)room);
	return n < room ? n : room;
}

/*
 * Get the name of the device that @name refers to: @name is a device name, or the name or path of a
 * device node.
 */
static void name_device(const char *name, char *device, size_t size)
{
	char path[PATH_MAX];
	struct stat st;

	*device = '\0';
	if (!strchr(name, '/')) {
		if (sysfs_path(path, "", "/sys/class/drm/%s/device", name))
			sysfs_link(path, device, size);
		if (!*device)
			snprintf(device, size, "%s", name);
	} else if (!stat(name, &st) && S_ISCHR(st.st_mode) &&
		   sysfs_path(path, "", "/sys/dev/char/%u:%u/device", major(st.st_rdev),
			      minor(st.st_rdev))) {
		sysfs_link(path, device, size);
	}
}

/* True if @name is the name of the unit or the path of its node. */
static bool is_called(const struct backend *backend, const char *unit, const char *name)
{
	char node[PATH_MAX];

	backend->find_node(unit, node, sizeof(node));
	return !strcmp(unit, name) || !strcmp(node, name);
}

static bool belongs_to(const struct backend *backend, const char *unit, const char *device)
{
	char parent[PARENT_SIZE];

	backend->find_parent(unit, parent, sizeof(parent));
	return *parent && !strcmp(parent, device);
}

/*
 * Returns the index of the unit that @name refers to (NULL: the first unit), or -1. If @name is a
 * device with several units, it refers to the first one.
 */
static int choose_unit(const struct backend *backend, char (*names)[UNIT_NAME_SIZE], int n,
		       const char *name)
{
	char device[PARENT_SIZE];

	if (!name)
		return 0;
	for (int i = 0; i < n; i++)
		if (is_called(backend, names[i], name))
			return i;
	name_device(name, device, sizeof(device));
	for (int i = 0; i < n; i++)
		if (belongs_to(backend, names[i], device))
			return i;
	return -1;
}

/*
 * Find the unit of a backend that @name refers to. Returns 0, -ENOENT, or -ENODEV if the backend
 * has no units.
 */
static int find_unit(const struct backend *backend, const char *name, char unit[UNIT_NAME_SIZE])
{
	char(*names)[UNIT_NAME_SIZE];
	const int n = list_units(backend, &names);
	const int found = n > 0 ? choose_unit(backend, names, n, name) : -1;

	if (found >= 0)
		memcpy(unit, names[found], sizeof(*names));
	free(names);
	if (n <= 0)
		return n ? n : -ENODEV;
	return found < 0 ? -ENOENT : 0;
}

int backend_find(const char *name, const struct backend **backend, char unit[UNIT_NAME_SIZE])
{
	int err = -ENODEV;

	for (size_t i = 0; backend_at(i); i++) {
		const int found = find_unit(backend_at(i), name, unit);

		*backend = backend_at(i);
		if (!found)
			return 0;
		if (found != -ENODEV)
			err = found;
	}
	return err;
}

/* The units that have been listed, and the device that each belongs to */
struct list {
	char (*names)[UNIT_NAME_SIZE];
	char (*parents)[PARENT_SIZE];
	int count;
};

static int make_room(struct list *list, int more)
{
	const size_t room = (size_t)(list->count + more);
	char(*names)[UNIT_NAME_SIZE] = realloc(list->names, room * sizeof(*names));
	char(*parents)[PARENT_SIZE] = realloc(list->parents, room * sizeof(*parents));

	if (names)
		list->names = names;
	if (parents)
		list->parents = parents;
	return names && parents ? 0 : -ENOMEM;
}

/* True if a preceding backend has listed units of this device. */
static bool is_listed(const struct list *list, int before, const char *parent)
{
	for (int i = 0; i < before; i++)
		if (*parent && !strcmp(list->parents[i], parent))
			return true;
	return false;
}

/* Append the units of a backend. Returns 0 or a negative errno. */
static int list_backend(struct list *list, const struct backend *backend)
{
	const int before = list->count;
	char(*names)[UNIT_NAME_SIZE];
	const int n = list_units(backend, &names);
	int err = n > 0 ? make_room(list, n) : n;

	for (int i = 0; !err && i < n; i++) {
		char *parent = list->parents[list->count];

		backend->find_parent(names[i], parent, PARENT_SIZE);
		if (!is_listed(list, before, parent))
			memcpy(list->names[list->count++], names[i], sizeof(*names));
	}
	free(names);
	return err;
}

int gpuoa_unit_list(char (*names)[16], size_t max)
{
	struct list list = { .count = 0 };
	int err = 0;

	for (size_t i = 0; backend_at(i) && !err; i++)
		err = list_backend(&list, backend_at(i));
	for (size_t i = 0; i < (size_t)list.count && i < max; i++)
		memcpy(names[i], list.names[i], sizeof(*names));
	free(list.names);
	free(list.parents);
	return err ? err : list.count;
}

int backend_open(const struct backend *backend, const char *name, struct gpuoa_unit **unit,
		 const struct complaint *complaint)
{
	struct gpuoa_unit *new;
	int err = backend->open(name, &new, complaint);

	if (err)
		return err;
	new->backend = backend;
	strcpy(new->desc.driver, backend->name);
	new->platform = gpuoa_platform_find(new->desc.platform);
	err = topology_constants(&new->desc, new->platform, &new->constants);
	if (err) {
		backend->close(new);
		return err;
	}
	*unit = new;
	return 0;
}

static int open_unit(const char *name, struct gpuoa_unit **unit, const struct complaint *complaint)
{
	const struct backend *backend;
	char found[UNIT_NAME_SIZE];
	const int err = backend_find(name, &backend, found);

	return err ? err : backend_open(backend, found, unit, complaint);
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
		/* The GPU was removed after the unit had been listed. */
		if (gpuoa_unit_list(NULL, 0) > 0)
			return COMPLAIN(&complaint, err, "%s was removed", called);
		return COMPLAIN(
			&complaint, err,
			"no OA unit on this machine: neither gpuoa.ko, i915 nor xe offers one; run "
			"'gpuoa doctor' for the reasons");
	case -ENOENT:
		return COMPLAIN(&complaint, err, "no OA unit '%s': see 'gpuoa list devices'",
				called);
	default:
		return COMPLAIN(&complaint, err, "cannot open %s: %s", called, strerror(-err));
	}
}
