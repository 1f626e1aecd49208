// SPDX-License-Identifier: MIT
/*
 * xe.c - a unit of xe's observation: opens it, and reads its clock
 */
#include "source/xe/xe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/nsec.h"
#include "base/sysfs.h"
#include "source/stream/drm_node.h"
#include "source/xe/xe_find.h"
#include "source/xe/xe_query.h"

#define CLOCK_TRIES 3 /* the best one counts */

int xe_ioctl(int fd, unsigned long request, void *argument)
{
	int ret;

	do {
		ret = ioctl(fd, request, argument);
	} while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : ret;
}

int xe_observe(int fd, uint64_t operation, const void *param)
{
	struct drm_xe_observation_param args = {
		.observation_type = DRM_XE_OBSERVATION_TYPE_OA,
		.observation_op = operation,
		.param = (uintptr_t)param,
	};

	return xe_ioctl(fd, DRM_IOCTL_XE_OBSERVATION, &args);
}

/* A clock rate of the unit's GT, Hz; 0: xe does not tell. */
static uint64_t frequency(const struct xe_unit *unit, const char *file)
{
	const struct gpuoa_unit_desc *desc = &unit->unit.desc;
	char path[PATH_MAX];
	int64_t mhz = SYSFS_NONE;

	if (sysfs_path(path, "", "/sys/class/drm/%s/device/tile%u/gt%u/freq0/%s", unit->card,
		       (unsigned int)desc->tile, (unsigned int)desc->gt, file))
		mhz = sysfs_number(path);
	return mhz > 0 ? (uint64_t)mhz * 1000000 : 0;
}

static int complain(const struct complaint *complaint, const char *name, const char *node, int err)
{
	switch (err) {
	case -EACCES:
		return COMPLAIN(complaint, err,
				"may not open %s for %s: be in the group that it belongs "
				"to, such as 'render'",
				node, name);
	case -EOPNOTSUPP:
		return COMPLAIN(complaint, err,
				"%s: xe's observation is known of Lunar Lake, Battlemage "
				"and later GPUs only",
				name);
	default:
		return COMPLAIN(complaint, err, "xe does not tell what %s is: %s", name,
				strerror(-err));
	}
}

static int xe_open(const char *name, struct gpuoa_unit **opened, const struct complaint *complaint)
{
	struct xe_unit *unit = calloc(1, sizeof(*unit));
	uint32_t index;
	char node[32];
	int err;

	if (!unit)
		return -ENOMEM;
	xe_place(name, unit->card, sizeof(unit->card), &index);
	drm_card_node(unit->card, node, sizeof(node));
	strcpy(unit->unit.desc.name, name);
	xe_find_parent(name, unit->unit.desc.parent, sizeof(unit->unit.desc.parent));
	unit->unit.fd = open(node, O_RDWR | O_CLOEXEC);
	err = unit->unit.fd < 0 ? -errno : xe_query_unit(unit, index);
	if (err) {
		if (unit->unit.fd >= 0)
			close(unit->unit.fd);
		free(unit);
		return complain(complaint, name, node, err);
	}
	unit->unit.desc.gt_min_frequency = frequency(unit, "rpn_freq");
	unit->unit.desc.gt_max_frequency = frequency(unit, "rp0_freq");
	*opened = &unit->unit;
	return 0;
}

static void xe_close(struct gpuoa_unit *unit)
{
	close(unit->fd);
	free(unit);
}

static int xe_check(const struct gpuoa_unit *unit)
{
	struct drm_xe_device_query query = { .query = DRM_XE_DEVICE_QUERY_CONFIG };

	return xe_ioctl(unit->fd, DRM_IOCTL_XE_DEVICE_QUERY, &query) == -ENODEV ? -ENODEV : 0;
}

/* The kernel says how long it took to look at both clocks. */
int xe_clock(struct gpuoa_unit *opened, int clock_id, struct gpuoa_clock_pair *pair)
{
	const struct xe_unit *unit = (const struct xe_unit *)opened;
	uint64_t best = UINT64_MAX, error;

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
		const int err = xe_ioctl(opened->fd, DRM_IOCTL_XE_DEVICE_QUERY, &query);

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
	/* Half of what it took, and a tick of the clock */
	error = best / 2 + NSEC_PER_SEC / opened->desc.timestamp_frequency + 1;
	pair->error_ns = error > UINT32_MAX ? UINT32_MAX : (uint32_t)error;
	return 0;
}

const struct origin xe_origin = {
	.name = "xe",
	.lacks = "xe's observation has one stream for one program: no marks, no "
		 "sharing, no other set in place",
	.upload_remedy = ", or set dev.xe.observation_paranoid to 0",
	.list = xe_list,
	.find = xe_find,
	.find_parent = xe_find_parent,
	.open = xe_open,
	.close = xe_close,
	.check = xe_check,
	.clock = xe_clock,
	.add_config = xe_add_config,
	.list_configs = xe_list_configs,
	.remove_config = xe_remove_config,
	.open_stream = xe_open_stream,
	.switch_stream = xe_switch_stream,
	.complain = xe_complain,
};
