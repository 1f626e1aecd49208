// SPDX-License-Identifier: MIT
/* i915.c - open a unit of i915-perf and describe its GPU */
#include "reader/i915/i915.h"

#include <errno.h>
#include <i915_drm.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/nsec.h"
#include "gpu/i915_topology.h"
#include "gpu/platforms.h"
#include "reader/drm/drm_unit.h"
#include "report/format.h"

/*
 * The GPU's clock is read from the 36-bit timestamp register of the render engine, which i915
 * allows every process to read. The timestamps of reports are the lower bits of this register.
 */

#define RENDER_TIMESTAMP 0x2358
#define REGISTER_BITS 36
#define TRIES 3 /* the best one is used */

static uint64_t to_ns(const struct timespec *time)
{
	return (uint64_t)(time->tv_sec * NSEC_PER_SEC + time->tv_nsec);
}

static int read_register(const struct i915_unit *unit, uint64_t *value)
{
	struct drm_i915_reg_read read = { .offset = RENDER_TIMESTAMP | I915_REG_READ_8B_WA };
	const int err = drm_ioctl(unit->drm.unit.fd, DRM_IOCTL_I915_REG_READ, &read);

	*value = read.val & ((UINT64_C(1) << REGISTER_BITS) - 1);
	return err;
}

/*
 * Extend the value of the timestamp register to 64 bits. The elapsed CPU time determines how often
 * the register has wrapped.
 */
static uint64_t extend(struct i915_unit *unit, uint64_t value)
{
	const uint64_t period = UINT64_C(1) << REGISTER_BITS;
	const uint64_t hz = unit->drm.unit.desc.cs_timestamp_frequency;
	struct i915_time *time = &unit->time;
	struct timespec now;
	uint64_t about, ticks;

	clock_gettime(CLOCK_MONOTONIC, &now);
	pthread_mutex_lock(&time->lock);
	ticks = value;
	if (time->ticks) {
		about = time->ticks +
			(uint64_t)((unsigned __int128)(to_ns(&now) - time->ns) * hz / NSEC_PER_SEC);
		ticks = about - ((about - value) & (period - 1));
		if (about - ticks > period / 2)
			ticks += period;
	}
	time->ticks = ticks;
	time->ns = to_ns(&now);
	pthread_mutex_unlock(&time->lock);
	return ticks;
}

int i915_clock(struct gpuoa_unit *opened, int clock_id, struct gpuoa_clock_pair *pair)
{
	struct i915_unit *unit = (struct i915_unit *)opened;
	uint64_t best = UINT64_MAX, value = 0;

	for (int i = 0; i < TRIES; i++) {
		struct timespec before, after;
		uint64_t read, took;
		int err;

		if (clock_id == GPUOA_CLOCK_PERF || clock_gettime(clock_id, &before))
			return -EINVAL;
		err = read_register(unit, &read);
		if (err)
			return err;
		clock_gettime(clock_id, &after);
		/* CLOCK_REALTIME may be set back. */
		took = to_ns(&after) < to_ns(&before) ? UINT64_MAX - 1 :
							to_ns(&after) - to_ns(&before);
		if (took >= best)
			continue;
		best = took;
		value = read;
		*pair = (struct gpuoa_clock_pair){
			.cpu_ns = to_ns(&before) + took / 2,
			.clock_id = clock_id,
		};
	}
	pair->error_ns = drm_clock_error(best, unit->drm.unit.desc.cs_timestamp_frequency);
	pair->gpu_ticks = extend(unit, value) * unit->clock_ratio;
	return 0;
}

static int add(struct gpuoa_unit *unit, const struct unit_config *config)
{
	struct drm_i915_perf_oa_config to = {
		.n_mux_regs = config->counts[GPUOA_REGISTER_MUX],
		.n_boolean_regs = config->counts[GPUOA_REGISTER_BOOLEAN],
		.n_flex_regs = config->counts[GPUOA_REGISTER_FLEX],
		.mux_regs_ptr = (uintptr_t)config->registers[GPUOA_REGISTER_MUX],
		.boolean_regs_ptr = (uintptr_t)config->registers[GPUOA_REGISTER_BOOLEAN],
		.flex_regs_ptr = (uintptr_t)config->registers[GPUOA_REGISTER_FLEX],
	};

	memcpy(to.uuid, config->uuid, UUID_LENGTH);
	return drm_ioctl(unit->fd, DRM_IOCTL_I915_PERF_ADD_CONFIG, &to);
}

int i915_add_config(struct gpuoa_unit *unit, const struct unit_config *config, uint32_t *id)
{
	return drm_add_config(unit, config, id, add);
}

int i915_remove_config(struct gpuoa_unit *unit, uint32_t id)
{
	uint64_t wanted = id;

	return drm_ioctl(unit->fd, DRM_IOCTL_I915_PERF_REMOVE_CONFIG, &wanted);
}

/* This query is available since Linux 6.0, but libdrm of Debian 12 does not declare it. */
#define PARAM_OA_TIMESTAMP_FREQUENCY 57

#define BUFFER_SIZE (16 << 20) /* fixed in i915 */
#define EXPONENT_MAX 31
#define CS_TIMESTAMP_BITS 36

static int get_param(int fd, int param, int *value)
{
	struct drm_i915_getparam get = { .param = param, .value = value };

	*value = 0;
	return drm_ioctl(fd, DRM_IOCTL_I915_GETPARAM, &get);
}

/*
 * Read the frequency range of the hardware. If i915 does not provide it, use the configured range.
 */
static void read_frequencies(const struct drm_unit *unit, struct gpuoa_unit_desc *desc)
{
	desc->gt_min_frequency = drm_unit_frequency(unit, "gt_RPn_freq_mhz");
	if (!desc->gt_min_frequency)
		desc->gt_min_frequency = drm_unit_frequency(unit, "gt_min_freq_mhz");
	desc->gt_max_frequency = drm_unit_frequency(unit, "gt_RP0_freq_mhz");
	if (!desc->gt_max_frequency)
		desc->gt_max_frequency = drm_unit_frequency(unit, "gt_max_freq_mhz");
}

static int read_topology(int fd, struct gpuoa_unit_desc *desc)
{
	struct drm_i915_query_item item = { .query_id = DRM_I915_QUERY_TOPOLOGY_INFO };
	struct drm_i915_query query = { .num_items = 1, .items_ptr = (uintptr_t)&item };
	void *topology;
	int err;

	err = drm_ioctl(fd, DRM_IOCTL_I915_QUERY, &query);
	if (!err && item.length <= 0)
		err = item.length ? item.length : -ENODATA;
	if (err)
		return err;
	topology = calloc(1, (size_t)item.length);
	if (!topology)
		return -ENOMEM;
	item.data_ptr = (uintptr_t)topology;
	err = drm_ioctl(fd, DRM_IOCTL_I915_QUERY, &query);
	if (!err && item.length <= 0)
		err = item.length ? item.length : -ENODATA;
	if (!err)
		err = i915_topology_take(topology, (size_t)item.length, desc);
	free(topology);
	return err;
}

/* Return the mask of formats that i915 supports. They have the same numbers as in gpuoa. */
static uint64_t formats_of(const struct gpuoa_unit_desc *desc)
{
#define BIT(format) (UINT64_C(1) << GPUOA_FORMAT_##format)
	if (gpu_generation(desc->platform) == GENERATION_HASWELL)
		return BIT(A13) | BIT(A29) | BIT(A13_B8_C8) | BIT(B4_C8) | BIT(A45_B8_C8) |
		       BIT(B4_C8_A16) | BIT(C4_B8);
	/* i915 also accepts the format of unit OAR, but unit OAG then writes this format. */
	if (desc->compute_engine_count)
		return BIT(A24U40_A14U32_B8_C8);
	return BIT(A12) | BIT(A12_B8_C8) | BIT(A32U40_A4U32_B8_C8) | BIT(C4_B8);
#undef BIT
}

static uint32_t default_format(const struct gpuoa_unit_desc *desc)
{
	if (gpu_generation(desc->platform) == GENERATION_HASWELL)
		return GPUOA_FORMAT_A45_B8_C8;
	return desc->compute_engine_count ? GPUOA_FORMAT_A24U40_A14U32_B8_C8 :
					    GPUOA_FORMAT_A32U40_A4U32_B8_C8;
}

/*
 * Return the features of the unit. Which of them one context can use without CAP_PERFMON is
 * determined in i915_perf_open_ioctl_locked().
 */
static uint64_t features_of(const struct gpuoa_unit_desc *desc)
{
	const unsigned int generation = gpu_generation(desc->platform);

	if (generation == GENERATION_HASWELL)
		return GPUOA_UNIT_CONTEXT | GPUOA_UNIT_OWN_REPORTS;
	return GPUOA_UNIT_CONTEXT | GPUOA_UNIT_FLEX |
	       (generation >= GENERATION_12 ? GPUOA_UNIT_QUERY_ONLY : 0);
}

/*
 * Read the frequencies of both timestamps: since gen12.5, those of reports count faster than those
 * of commands.
 */
static int read_clocks(struct i915_unit *unit)
{
	struct gpuoa_unit_desc *desc = &unit->drm.unit.desc;
	int reports, commands;
	int err = get_param(unit->drm.unit.fd, I915_PARAM_CS_TIMESTAMP_FREQUENCY, &commands);

	if (err)
		return err;
	if (get_param(unit->drm.unit.fd, PARAM_OA_TIMESTAMP_FREQUENCY, &reports))
		reports = commands;
	if (commands <= 0 || reports <= 0)
		return -ENODATA;
	desc->timestamp_frequency = (uint64_t)reports;
	desc->cs_timestamp_frequency = (uint64_t)commands;
	desc->cs_timestamp_bits = CS_TIMESTAMP_BITS;
	unit->clock_ratio = reports > commands ? (uint32_t)(reports / commands) : 1;
	return 0;
}

static void describe_reports(struct gpuoa_unit_desc *desc)
{
	desc->formats = formats_of(desc);
	desc->default_format = default_format(desc);
	desc->timestamp_bits = format_get(desc->default_format)->timestamp.bits;
	desc->exponent_max = EXPONENT_MAX;
	desc->buffer_size_min = BUFFER_SIZE;
	desc->buffer_size_max = BUFFER_SIZE;
	desc->features = features_of(desc);
	desc->engine_count = 1;
	desc->engines[0] = (struct gpuoa_engine){ GPUOA_ENGINE_RENDER, 0 };
	strcpy(desc->domain, "OA");
}

static int read_info(struct drm_unit *drm)
{
	struct i915_unit *unit = (struct i915_unit *)drm;
	struct gpuoa_unit_desc *desc = &drm->unit.desc;
	const int fd = drm->unit.fd;
	const struct gpu_platform *platform;
	int device, stepping, revision;
	int err = get_param(fd, I915_PARAM_CHIPSET_ID, &device);

	if (!err)
		err = get_param(fd, I915_PARAM_REVISION, &stepping);
	if (err)
		return err;
	unit->revision = get_param(fd, I915_PARAM_PERF_REVISION, &revision) ? 1 :
									      (uint32_t)revision;
	desc->device_id = (uint32_t)device;
	desc->revision = (uint32_t)stepping;
	platform = gpu_platform_of_device((uint64_t)device);
	if (platform)
		strcpy(desc->platform, platform->name);
	read_frequencies(drm, desc);
	err = read_clocks(unit);
	if (!err)
		err = read_topology(fd, desc);
	if (!err)
		describe_reports(desc);
	return err;
}

const struct drm_driver i915_driver = {
	.name = "i915",
	.unit_size = sizeof(struct i915_unit),
	.describe = read_info,
};

static int i915_list(char (*names)[UNIT_NAME_SIZE], size_t max)
{
	return drm_unit_list(&i915_driver, "", names, max);
}

static int i915_open(const char *name, struct gpuoa_unit **opened,
		     const struct complaint *complaint)
{
	const int err = drm_unit_open(&i915_driver, name, opened, complaint);

	if (!err)
		pthread_mutex_init(&((struct i915_unit *)*opened)->time.lock, NULL);
	return err;
}

static void i915_close(struct gpuoa_unit *unit)
{
	pthread_mutex_destroy(&((struct i915_unit *)unit)->time.lock);
	drm_unit_close(unit);
}

static int i915_check(const struct gpuoa_unit *unit)
{
	int device;

	return get_param(unit->fd, I915_PARAM_CHIPSET_ID, &device) == -ENODEV ? -ENODEV : 0;
}

const struct backend i915_backend = {
	.name = "i915",
	.lacks =
		"i915-perf has one stream for one program: no marks, no sharing, no other set in place",
	.upload_remedy = ", or set dev.i915.perf_stream_paranoid to 0",
	.list = i915_list,
	.find_parent = drm_unit_parent,
	.find_node = drm_unit_node,
	.open = i915_open,
	.close = i915_close,
	.check = i915_check,
	.clock = i915_clock,
	.add_config = i915_add_config,
	.list_configs = drm_list_configs,
	.remove_config = i915_remove_config,
	.open_stream = i915_open_stream,
	.switch_stream = i915_switch_stream,
	.complain = i915_complain,
};
