// SPDX-License-Identifier: MIT
/* pmu.c - a unit of gpuoa.ko: description, clock and markers */
#include "reader/pmu/pmu.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "reader/pmu/pmu_find.h"
#include "reader/uapi.h"

static int read_info(struct gpuoa_unit *unit, const char *name)
{
	struct gpuoa_unit_info info = { 0 };

	if (ioctl(unit->fd, GPUOA_IOC_UNIT_INFO, &info))
		return -errno;
	uapi_unit_desc(&unit->desc, &info);
	/* Older kernels do not provide it. */
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
