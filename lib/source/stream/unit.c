// SPDX-License-Identifier: MIT
/*
 * unit.c - an OA unit of this machine: what it is, and its clock
 */
#include "source/stream/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/sized.h"
#include "gpu/topology.h"
#include "source/stream/unit_find.h"
#include "source/uapi.h"
#include "uapi/gpuoa.h"

static int read_info(struct gpuoa_unit *unit)
{
	struct gpuoa_unit_info info = { 0 };

	if (ioctl(unit->fd, GPUOA_IOC_UNIT_INFO, &info))
		return -errno;
	uapi_unit_desc(&unit->desc, &info);
	return 0;
}

int gpuoa_unit_open(const char *name, struct gpuoa_unit **unit)
{
	char found[UNIT_NAME_SIZE], path[32];
	struct gpuoa_unit *new;
	int err;

	err = unit_find(name, found);
	if (err)
		return err;
	new = calloc(1, sizeof(*new));
	if (!new)
		return -ENOMEM;
	snprintf(path, sizeof(path), "/dev/%s", found);
	new->fd = open(path, O_RDWR | O_CLOEXEC);
	if (new->fd < 0) {
		err = -errno;
		goto err_free;
	}
	err = read_info(new);
	if (err)
		goto err_close;
	unit_find_parent(found, new->desc.parent, sizeof(new->desc.parent));
	new->platform = gpuoa_platform_find(new->desc.platform);
	err = topology_constants(&new->desc, new->platform, &new->constants);
	if (err)
		goto err_close;
	*unit = new;
	return 0;

err_close:
	close(new->fd);
err_free:
	free(new);
	return err;
}

void gpuoa_unit_close(struct gpuoa_unit *unit)
{
	if (!unit)
		return;
	gpuoa_constants_free(unit->constants);
	close(unit->fd);
	free(unit);
}

int unit_check(const struct gpuoa_unit *unit)
{
	struct gpuoa_unit_info info;

	return ioctl(unit->fd, GPUOA_IOC_UNIT_INFO, &info) && errno == ENODEV ? -ENODEV : 0;
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
	struct gpuoa_clock clock = { .clock_id = clock_id };

	if (ioctl(unit->fd, GPUOA_IOC_CLOCK, &clock))
		return -errno;
	uapi_clock_pair(pair, &clock);
	return 0;
}
