// SPDX-License-Identifier: MIT
/* xe.c - open a unit of xe's observation interface and read its clock */
#include "reader/xe/xe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "reader/drm/drm_config.h"
#include "reader/xe/xe_gpu.h"
#include "reader/xe/xe_query.h"

#define CLOCK_TRIES 3 /* the best one is used */

/* Count the units of a GPU by querying xe. Without access to the node, assume one. */
static int count_units(const char *root, const char *card)
{
	char node[DRM_NODE_SIZE];
	int fd, count;

	if (*root)
		return 1;
	drm_card_node(card, node, sizeof(node));
	fd = open(node, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return 1;
	count = xe_query_units(fd);
	close(fd);
	return count < 0 ? 1 : count;
}

/* Read a frequency of the unit's GT in Hz; 0 if xe does not provide it. */
static uint64_t frequency(const struct drm_unit *unit, const char *name)
{
	char file[64];

	snprintf(file, sizeof(file), "device/tile%u/gt%u/freq0/%s", unit->unit.desc.tile,
		 unit->unit.desc.gt, name);
	return drm_unit_frequency(unit, file);
}

static int describe(struct drm_unit *unit)
{
	int err = xe_query_unit((struct xe_unit *)unit);

	if (!err)
		err = xe_gpu_describe((struct xe_unit *)unit);
	if (err)
		return err;
	unit->unit.desc.gt_min_frequency = frequency(unit, "rpn_freq");
	unit->unit.desc.gt_max_frequency = frequency(unit, "rp0_freq");
	return 0;
}

const struct drm_driver xe_driver = {
	.name = "xe",
	.unit_size = sizeof(struct xe_unit),
	.count_units = count_units,
	.describe = describe,
};

static int xe_list(char (*names)[UNIT_NAME_SIZE], size_t max)
{
	return drm_unit_list(&xe_driver, "", names, max);
}

static int xe_open(const char *name, struct gpuoa_unit **opened, const struct complaint *complaint)
{
	const int err = drm_unit_open(&xe_driver, name, opened, complaint);

	if (err != -EOPNOTSUPP)
		return err;
	return COMPLAIN(
		complaint, err,
		"%s: xe's observation is known of Lunar Lake, Battlemage and later GPUs only",
		name);
}

static int xe_check(const struct gpuoa_unit *unit)
{
	struct drm_xe_device_query query = { .query = DRM_XE_DEVICE_QUERY_CONFIG };

	return drm_ioctl(unit->fd, DRM_IOCTL_XE_DEVICE_QUERY, &query) == -ENODEV ? -ENODEV : 0;
}

/* The kernel returns the duration of reading both clocks. */
static int xe_clock(struct gpuoa_unit *opened, int clock_id, struct gpuoa_clock_pair *pair)
{
	const struct xe_unit *unit = (const struct xe_unit *)opened;
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < CLOCK_TRIES; i++) {
		struct drm_xe_query_engine_cycles cycles = {
			.eci = unit->engine,
			.clockid = clock_id,
		};
		struct drm_xe_device_query query = {
			.query = DRM_XE_DEVICE_QUERY_ENGINE_CYCLES,
			.size = sizeof(cycles),
			.data = (uintptr_t)&cycles,
		};
		const int err = drm_ioctl(opened->fd, DRM_IOCTL_XE_DEVICE_QUERY, &query);

		if (err)
			return err;
		if (cycles.cpu_delta >= best)
			continue;
		best = cycles.cpu_delta;
		*pair = (struct gpuoa_clock_pair){
			.gpu_ticks = cycles.engine_cycles,
			.cpu_ns = cycles.cpu_timestamp + cycles.cpu_delta / 2,
			.clock_id = clock_id,
		};
	}
	pair->error_ns = drm_clock_error(best, opened->desc.timestamp_frequency);
	return 0;
}

const struct backend xe_backend = {
	.name = "xe",
	.lacks =
		"xe's observation has one stream for one program: no marks, no sharing, no other set in place",
	.upload_remedy = ", or set dev.xe.observation_paranoid to 0",
	.list = xe_list,
	.find_parent = drm_unit_parent,
	.find_node = drm_unit_node,
	.open = xe_open,
	.close = drm_unit_close,
	.check = xe_check,
	.clock = xe_clock,
	.add_config = xe_add_config,
	.list_configs = drm_list_configs,
	.remove_config = xe_remove_config,
	.open_stream = xe_open_stream,
	.switch_stream = xe_switch_stream,
	.complain = xe_complain,
};
