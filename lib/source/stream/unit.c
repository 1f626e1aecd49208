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

#include "base/complaint.h"
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

static int open_node(struct gpuoa_unit *unit, const char *name)
{
	char path[32];
	int err;

	snprintf(path, sizeof(path), "/dev/%s", name);
	unit->fd = open(path, O_RDWR | O_CLOEXEC);
	if (unit->fd < 0)
		return -errno;
	err = read_info(unit);
	if (!err) {
		/* An older kernel does not tell. */
		if (!*unit->desc.parent)
			unit_find_parent(name, unit->desc.parent, sizeof(unit->desc.parent));
		unit->platform = gpuoa_platform_find(unit->desc.platform);
		err = topology_constants(&unit->desc, unit->platform, &unit->constants);
	}
	if (err)
		close(unit->fd);
	return err;
}

static int open_unit(const char *name, struct gpuoa_unit **unit)
{
	char found[UNIT_NAME_SIZE];
	struct gpuoa_unit *new;
	int err;

	err = unit_find(name, found);
	if (err)
		return err;
	new = calloc(1, sizeof(*new));
	if (!new)
		return -ENOMEM;
	err = open_node(new, found);
	if (err) {
		free(new);
		return err;
	}
	*unit = new;
	return 0;
}

int gpuoa_unit_open(const char *name, struct gpuoa_unit **unit, char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	const char *called = name ? name : "the OA unit";
	const int err = open_unit(name, unit);

	switch (err) {
	case 0:
		return 0;
	case -ENODEV:
		/* It was there, and its GPU went away before it could be asked. */
		if (gpuoa_unit_list(NULL, 0) > 0)
			return COMPLAIN(&complaint, err, "%s is gone", called);
		return COMPLAIN(
			&complaint, err,
			"no OA unit on this machine: is gpuoa.ko loaded, and a host driver such as gpuoa_sim.ko?");
	case -ENOENT:
		return COMPLAIN(&complaint, err, "no OA unit '%s': see 'gpuoa list devices'",
				called);
	case -EACCES:
		return COMPLAIN(&complaint, err,
				"may not open %s: check the permissions of /dev/gpuoa*", called);
	default:
		return COMPLAIN(&complaint, err, "cannot open %s: %s", called, strerror(-err));
	}
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

int gpuoa_unit_mark(struct gpuoa_unit *unit, uint64_t value, struct gpuoa_stream_marker *marker,
		    size_t size)
{
	struct gpuoa_marker made = { .value = value };
	struct gpuoa_stream_marker known;

	if (ioctl(unit->fd, GPUOA_IOC_MARKER, &made))
		return -errno;
	uapi_marker(&known, &made);
	if (marker)
		sized_give(marker, size, &known, sizeof(known));
	return 0;
}
