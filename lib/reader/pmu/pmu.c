// SPDX-License-Identifier: MIT
/* pmu.c - a unit of gpuoa.ko: description, clock and markers */
#define _GNU_SOURCE /* for versionsort() */
#include "reader/pmu/pmu.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/sysfs.h"
#include "reader/uapi.h"

#define CLASS_DIR "/sys/class/gpuoa"
#define PMU_DIR "/sys/bus/event_source/devices"

static int is_unit(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && strlen(entry->d_name) < UNIT_NAME_SIZE;
}

int pmu_list(char (*names)[UNIT_NAME_SIZE], size_t max)
{
	struct dirent **entries;
	const int n = scandir(CLASS_DIR, &entries, is_unit, versionsort);

	if (n < 0)
		return errno == ENOENT ? 0 : -errno;
	for (int i = 0; i < n; i++) {
		if ((size_t)i < max)
			strcpy(names[i], entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return n;
}

void pmu_find_parent(const char *unit, char *parent, size_t size)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), CLASS_DIR "/%s/device", unit);
	sysfs_link(path, parent, size);
}

void pmu_find_node(const char *unit, char *path, size_t size)
{
	snprintf(path, size, "/dev/%s", unit);
}

int pmu_find_cpu(const char *unit)
{
	char path[PATH_MAX];
	int cpu, found;
	FILE *file;

	snprintf(path, sizeof(path), PMU_DIR "/%s/cpumask", unit);
	file = fopen(path, "re");
	if (!file)
		return errno == ENOENT ? -ENODEV : -errno;
	found = fscanf(file, "%d", &cpu);
	fclose(file);
	return found == 1 && cpu >= 0 ? cpu : -EIO;
}

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

static void from_uapi(struct gpuoa_unit_user *to, const struct gpuoa_user *use)
{
	*to = (struct gpuoa_unit_user){
		.format = use->format,
		.exponent = use->exponent,
		.buffer_size = use->buffer_size,
		.streams = use->n_events,
		.process = use->pid,
		.context_filter = use->flags & GPUOA_ATTR_CONTEXT,
		.batch_boundary_reports = use->flags & GPUOA_ATTR_BATCH_BOUNDARY_REPORTS,
	};
	if (use->n_events)
		to->delivery = use->flags & GPUOA_ATTR_AUX ? GPUOA_DELIVERY_AUX :
							     GPUOA_DELIVERY_RAW;
	uapi_string(to->uuid, sizeof(to->uuid), use->uuid, sizeof(use->uuid));
	uapi_string(to->program, sizeof(to->program), use->comm, sizeof(use->comm));
}

int pmu_used(struct gpuoa_unit *unit, struct gpuoa_unit_user *use)
{
	struct gpuoa_user from = { .n_events = 0 };

	if (ioctl(unit->fd, GPUOA_IOC_GET_USER, &from))
		return errno == ENOTTY ? -EOPNOTSUPP : -errno;
	from_uapi(use, &from);
	return from.n_events > 0;
}

int pmu_context(struct gpuoa_unit *unit, uint32_t id, struct gpuoa_context_owner *owner)
{
	struct gpuoa_context_owner_info info = { .id = id };

	if (ioctl(unit->fd, GPUOA_IOC_GET_CONTEXT_OWNER, &info))
		return errno == ENOTTY ? -EOPNOTSUPP : -errno;
	*owner = (struct gpuoa_context_owner){
		.process = info.pid,
		.handle = info.handle,
		.client = info.client,
		.gone = info.flags & GPUOA_CONTEXT_GONE,
	};
	uapi_string(owner->program, sizeof(owner->program), info.comm, sizeof(info.comm));
	return 0;
}

static int read_info(struct gpuoa_unit *unit, const char *name)
{
	struct gpuoa_unit_info info = { 0 };

	if (ioctl(unit->fd, GPUOA_IOC_UNIT_INFO, &info))
		return -errno;
	uapi_unit_desc(&unit->desc, &info);
	/* The kernel module may be too old to provide this. */
	if (!*unit->desc.parent)
		pmu_find_parent(name, unit->desc.parent, sizeof(unit->desc.parent));
	return 0;
}

static int pmu_open(const char *name, struct gpuoa_unit **unit, const struct complaint *complaint)
{
	struct gpuoa_unit *new = calloc(1, sizeof(*new));
	char path[32];
	int err;

	if (!new)
		return -ENOMEM;
	pmu_find_node(name, path, sizeof(path));
	new->fd = open(path, O_RDWR | O_CLOEXEC);
	err = new->fd < 0 ? -errno : read_info(new, name);
	if (!err) {
		*unit = new;
		return 0;
	}
	if (new->fd >= 0)
		close(new->fd);
	free(new);
	if (err == -EACCES)
		complaint_print(complaint, "may not open %s: check the permissions of /dev/gpuoa*",
				name);
	return err;
}

static void pmu_close(struct gpuoa_unit *unit)
{
	close(unit->fd);
	free(unit);
}

static int pmu_check(const struct gpuoa_unit *unit)
{
	struct gpuoa_unit_info info;

	return ioctl(unit->fd, GPUOA_IOC_UNIT_INFO, &info) && errno == ENODEV ? -ENODEV : 0;
}

static int pmu_clock(struct gpuoa_unit *unit, int clock_id, struct gpuoa_clock_pair *pair)
{
	struct gpuoa_clock clock = { .clock_id = clock_id };

	if (ioctl(unit->fd, GPUOA_IOC_GET_CLOCK, &clock))
		return -errno;
	uapi_clock_pair(pair, &clock);
	return 0;
}

static int pmu_mark(struct gpuoa_unit *unit, uint64_t value, struct gpuoa_stream_marker *marker)
{
	struct gpuoa_marker made = { .value = value };

	if (ioctl(unit->fd, GPUOA_IOC_INSERT_MARKER, &made))
		return -errno;
	uapi_marker(marker, &made);
	return 0;
}

const struct backend pmu_backend = {
	.name = "gpuoa",
	.lacks = "gpuoa.ko is too old for this",
	.upload_remedy = "",
	.hangs_up = true,
	.list = pmu_list,
	.find_parent = pmu_find_parent,
	.find_node = pmu_find_node,
	.open = pmu_open,
	.close = pmu_close,
	.check = pmu_check,
	.clock = pmu_clock,
	.mark = pmu_mark,
	.used = pmu_used,
	.context = pmu_context,
	.add_config = pmu_add_config,
	.list_configs = pmu_list_configs,
	.remove_config = pmu_remove_config,
	.open_stream = pmu_open_stream,
	.switch_stream = pmu_switch_stream,
	.look = pmu_look,
	.reconfigure = pmu_reconfigure,
	.complain = pmu_complain,
};
