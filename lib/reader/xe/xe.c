// SPDX-License-Identifier: MIT
/* xe.c - open a unit of xe's observation interface and read its clock */
#include "reader/xe/xe.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xe_drm.h>

#include "gpu/platforms.h"
#include "reader/drm/drm_unit.h"
#include "report/format.h"
#include "uapi/gpuoa.h"

int xe_observe(int fd, uint64_t operation, const void *param)
{
	struct drm_xe_observation_param args = {
		.observation_type = DRM_XE_OBSERVATION_TYPE_OA,
		.observation_op = operation,
		.param = (uintptr_t)param,
	};

	return drm_ioctl(fd, DRM_IOCTL_XE_OBSERVATION, &args);
}

/*
 * Values by which xe identifies a format: type, counter select, counter size, and a flag for B and
 * C counters, as in the documentation of the hardware.
 */

#define OAG(select) VALUE(DRM_XE_OA_FMT_TYPE_OAG, select, 0, 0)
#define VALUE(type, select, wide, bc) \
	((type) | (uint32_t)(select) << 8 | (uint32_t)(wide) << 16 | (uint32_t)(bc) << 24)
#define PEC(select, wide, bc) VALUE(DRM_XE_OA_FMT_TYPE_PEC, select, wide, bc)
#define MPEC(select) VALUE(DRM_XE_OA_FMT_TYPE_OAM_MPEC, select, 0, 0)

/* Without C4_B8: xe takes its own number of that format, 0, for none, up to Linux 7.3. */
static const struct {
	uint32_t format;
	uint32_t value;
} formats[] = {
	{ GPUOA_FORMAT_A12, OAG(0) },
	{ GPUOA_FORMAT_A12_B8_C8, OAG(2) },
	{ GPUOA_FORMAT_A32U40_A4U32_B8_C8, OAG(5) },
	{ GPUOA_FORMAT_A24U40_A14U32_B8_C8, OAG(5) },
	{ GPUOA_FORMAT_PEC64U64, PEC(1, 1, 0) },
	{ GPUOA_FORMAT_PEC64U64_B8_C8, PEC(1, 1, 1) },
	{ GPUOA_FORMAT_PEC64U32, PEC(1, 0, 0) },
	{ GPUOA_FORMAT_PEC32U64_G1, PEC(5, 1, 0) },
	{ GPUOA_FORMAT_PEC32U32_G1, PEC(5, 0, 0) },
	{ GPUOA_FORMAT_PEC32U64_G2, PEC(6, 1, 0) },
	{ GPUOA_FORMAT_PEC32U32_G2, PEC(6, 0, 0) },
	{ GPUOA_FORMAT_PEC36U64_G1_32_G2_4, PEC(3, 1, 0) },
	{ GPUOA_FORMAT_PEC36U64_G1_4_G2_32, PEC(4, 1, 0) },
	{ GPUOA_FORMAT_MPEC8U64_B8_C8, MPEC(1) },
	{ GPUOA_FORMAT_MPEC8U32_B8_C8, MPEC(2) },
};

#define N_FORMATS (sizeof(formats) / sizeof(formats[0]))

/* Return the formats of a type as a mask. */
static uint64_t formats_of_type(uint32_t type)
{
	uint64_t mask = 0;

	for (size_t i = 0; i < N_FORMATS; i++)
		if ((formats[i].value & DRM_XE_OA_FORMAT_MASK_FMT_TYPE) == type)
			mask |= UINT64_C(1) << formats[i].format;
	return mask;
}

/*
 * Return whether the GPU is Lunar Lake, Battlemage or a later one. xe reports the version 0 for
 * GPUs before Meteor Lake, which do not have a register with it.
 */
static bool is_xe2(const struct xe_unit *unit)
{
	return unit->version >= 20;
}

/* The only format of unit OAG from DG2 to Meteor Lake, the first GPUs with compute engines */
#define GEN12_5_FORMAT GPUOA_FORMAT_A24U40_A14U32_B8_C8

/* Return the formats of the unit as a mask of enum gpuoa_report_format. */
static uint64_t formats_of(const struct xe_unit *unit, bool media)
{
	const uint64_t gen12_5 = UINT64_C(1) << GEN12_5_FORMAT;

	if (media)
		return formats_of_type(DRM_XE_OA_FMT_TYPE_OAM_MPEC);
	if (is_xe2(unit))
		return formats_of_type(DRM_XE_OA_FMT_TYPE_PEC);
	return unit->drm.unit.desc.compute_engine_count ?
		       gen12_5 :
		       formats_of_type(DRM_XE_OA_FMT_TYPE_OAG) & ~gen12_5;
}

static uint32_t default_format(const struct xe_unit *unit, bool media)
{
	if (media)
		return GPUOA_FORMAT_MPEC8U64_B8_C8;
	if (is_xe2(unit))
		return GPUOA_FORMAT_PEC64U64;
	return unit->drm.unit.desc.compute_engine_count ? GEN12_5_FORMAT :
							  GPUOA_FORMAT_A32U40_A4U32_B8_C8;
}

bool xe_format(uint32_t format, uint64_t *value)
{
	for (size_t i = 0; i < N_FORMATS; i++) {
		if (formats[i].format != format)
			continue;
		*value = formats[i].value;
		return true;
	}
	return false;
}

/*
 * Unit type of later kernels for the media unit that all engines share. Other media units have the
 * type OAM.
 */
#define UNIT_TYPE_OAM_SAG 2

#define EXPONENT_MAX 31
/* Limits of the size in bytes of the OABUFFER, a power of 2, if a stream can select it */
#define BUFFER_SIZE_MIN (128 << 10)
#define BUFFER_SIZE_MAX (128 << 20)

/* Query xe. Returns the result, which the caller frees. On error, returns NULL and sets *err. */
static void *xe_query(int fd, uint32_t query, size_t *size, int *err)
{
	struct drm_xe_device_query args = { .query = query };
	void *data;

	*err = drm_ioctl(fd, DRM_IOCTL_XE_DEVICE_QUERY, &args);
	if (*err)
		return NULL;
	data = calloc(1, (size_t)args.size + 1);
	if (!data) {
		*err = -ENOMEM;
		return NULL;
	}
	args.data = (uintptr_t)data;
	*err = drm_ioctl(fd, DRM_IOCTL_XE_DEVICE_QUERY, &args);
	if (*err) {
		free(data);
		return NULL;
	}
	*size = args.size;
	return data;
}

/*
 * Returns the unit description at *@at, and advances *@at to the next one. Returns NULL if the
 * description is incomplete.
 */
static const struct drm_xe_oa_unit *next_unit(const uint8_t **at, const uint8_t *end)
{
	const struct drm_xe_oa_unit *unit = (const void *)*at;
	const size_t left = (size_t)(end - *at);

	if (left < sizeof(*unit) ||
	    (left - sizeof(*unit)) / sizeof(unit->eci[0]) < unit->num_engines)
		return NULL;
	*at += sizeof(*unit) + unit->num_engines * sizeof(unit->eci[0]);
	return unit;
}

/*
 * Find the unit at @index, counting only units with engines, because streams cannot be opened on
 * others.
 */
static const struct drm_xe_oa_unit *find_unit(const struct drm_xe_query_oa_units *units,
					      size_t size, uint32_t index)
{
	const uint8_t *at = (const uint8_t *)units->oa_units;
	const uint8_t *end = (const uint8_t *)units + size;
	const struct drm_xe_oa_unit *unit;

	for (uint32_t i = 0; i < units->num_oa_units; i++) {
		unit = next_unit(&at, end);
		if (!unit)
			return NULL;
		if (unit->num_engines && !index--)
			return unit;
	}
	return NULL;
}

/* Returns the number of OA units with engines, or -errno. */
static int xe_query_units(int fd)
{
	size_t size;
	int err, count = 0;
	struct drm_xe_query_oa_units *units =
		xe_query(fd, DRM_XE_DEVICE_QUERY_OA_UNITS, &size, &err);

	if (!units)
		return err;
	while (find_unit(units, size, (uint32_t)count))
		count++;
	free(units);
	return count;
}

/*
 * Return the domain of a unit. If no unit has the type of a shared media unit, the media unit is
 * the shared one, because Linux 6.12 programs the registers of that one.
 */
static const char *domain_of(const struct drm_xe_query_oa_units *units, size_t size,
			     const struct drm_xe_oa_unit *wanted)
{
	const uint8_t *at = (const uint8_t *)units->oa_units;
	const uint8_t *end = (const uint8_t *)units + size;
	const struct drm_xe_oa_unit *unit;
	bool has_sag = false, first = true;

	/*
	 * Also consider units without engines: on Lunar Lake with Linux 7.3, the shared unit has
	 * none.
	 */
	for (uint32_t i = 0; i < units->num_oa_units && (unit = next_unit(&at, end)); i++)
		has_sag |= unit->oa_unit_type == UNIT_TYPE_OAM_SAG;
	if (wanted->oa_unit_type == DRM_XE_OA_UNIT_TYPE_OAG)
		return "OA";
	if (wanted->oa_unit_type == UNIT_TYPE_OAM_SAG || !has_sag)
		return "OAMG";
	for (uint32_t i = 0; (unit = find_unit(units, size, i)) && unit != wanted; i++)
		first &= unit->oa_unit_type != DRM_XE_OA_UNIT_TYPE_OAM;
	return first ? "OAM0" : "OAM1";
}

static void take_unit(struct xe_unit *unit, const struct drm_xe_oa_unit *from)
{
	struct gpuoa_unit_desc *desc = &unit->drm.unit.desc;

	unit->id = from->oa_unit_id;
	unit->capabilities = from->capabilities;
	unit->engine = from->eci[0];
	desc->timestamp_frequency = from->oa_timestamp_freq;
	desc->gt = from->eci[0].gt_id;
	for (uint64_t i = 0; i < from->num_engines && i < GPUOA_UNIT_ENGINES; i++)
		desc->engines[desc->engine_count++] = (struct gpuoa_engine){
			from->eci[i].engine_class,
			from->eci[i].engine_instance,
		};
}

static int read_unit(struct xe_unit *unit)
{
	size_t size;
	int err;
	struct drm_xe_query_oa_units *units =
		xe_query(unit->drm.unit.fd, DRM_XE_DEVICE_QUERY_OA_UNITS, &size, &err);
	const struct drm_xe_oa_unit *from;

	if (!units)
		return err;
	from = find_unit(units, size, unit->drm.index);
	if (from) {
		take_unit(unit, from);
		strcpy(unit->drm.unit.desc.domain, domain_of(units, size, from));
	}
	free(units);
	return from ? 0 : -ENOENT;
}

static void describe_reports(struct xe_unit *unit)
{
	struct gpuoa_unit_desc *desc = &unit->drm.unit.desc;
	const bool media = strcmp(desc->domain, "OA");
	const bool selects_size = unit->capabilities & XE_OA_CAPS_BUFFER_SIZE;

	desc->formats = formats_of(unit, media);
	desc->default_format = default_format(unit, media);
	desc->timestamp_bits = format_get(desc->default_format)->timestamp.bits;
	desc->exponent_max = EXPONENT_MAX;
	desc->buffer_size_min = selects_size ? BUFFER_SIZE_MIN : XE_BUFFER_SIZE;
	desc->buffer_size_max = selects_size ? BUFFER_SIZE_MAX : XE_BUFFER_SIZE;
	/* xe lets batches request reports while a stream has any. */
	desc->features = media ? 0 : GPUOA_UNIT_FLEX | GPUOA_UNIT_QUERY_ONLY | GPUOA_UNIT_MARKERS;
}

/* Numbers assumed for a GPU that platforms.txt does not contain */
#define CORES_PER_SLICE 4
#define THREADS_PER_EU 8

static int read_config(struct xe_unit *unit)
{
	struct gpuoa_unit_desc *desc = &unit->drm.unit.desc;
	const struct gpu_platform *platform;
	size_t size;
	int err;
	struct drm_xe_query_config *config =
		xe_query(unit->drm.unit.fd, DRM_XE_DEVICE_QUERY_CONFIG, &size, &err);

	if (!config)
		return err;
	desc->device_id = config->info[DRM_XE_QUERY_CONFIG_REV_AND_DEVICE_ID] & 0xffff;
	desc->revision = config->info[DRM_XE_QUERY_CONFIG_REV_AND_DEVICE_ID] >> 16 & 0xff;
	free(config);
	platform = gpu_platform_of_device(desc->device_id);
	if (platform)
		strcpy(desc->platform, platform->name);
	return 0;
}

/* Read the version of the GPU and the description of the unit's GT. */
static int read_gts(struct xe_unit *unit)
{
	struct gpuoa_unit_desc *desc = &unit->drm.unit.desc;
	size_t size;
	int err;
	struct drm_xe_query_gt_list *list =
		xe_query(unit->drm.unit.fd, DRM_XE_DEVICE_QUERY_GT_LIST, &size, &err);

	if (!list)
		return err;
	for (uint32_t i = 0; i < list->num_gt; i++) {
		const struct drm_xe_gt *gt = &list->gt_list[i];

		if (gt->type == DRM_XE_QUERY_GT_TYPE_MAIN)
			unit->version = gt->ip_ver_major;
		if (gt->gt_id != desc->gt)
			continue;
		desc->tile = gt->tile_id;
		desc->cs_timestamp_frequency = gt->reference_clock;
	}
	free(list);
	desc->cs_timestamp_bits = is_xe2(unit) ? 64 : 36;
	return 0;
}

/* Return 64 bits of a mask, from bit 64 * @word on. */
static uint64_t mask_of(const struct drm_xe_query_topology_mask *mask, uint32_t word)
{
	uint64_t value = 0;

	for (uint32_t i = 0; i < sizeof(value) && 8 * word + i < mask->num_bytes; i++)
		value |= (uint64_t)mask->mask[8 * word + i] << 8 * i;
	return value;
}

/* Add a topology mask of the GPU to the description; media GTs have no masks. */
static void take_mask(struct gpuoa_unit_desc *desc, const struct drm_xe_query_topology_mask *mask,
		      uint32_t *eus)
{
	const uint64_t value = mask_of(mask, 0);

	switch (mask->type) {
	case DRM_XE_TOPO_DSS_GEOMETRY:
	case DRM_XE_TOPO_DSS_COMPUTE:
		desc->subslice_mask |= value;
		desc->subslice_mask_high |= mask_of(mask, 1);
		break;
	case DRM_XE_TOPO_L3_BANK:
		desc->l3_bank_mask |= value;
		break;
	case DRM_XE_TOPO_EU_PER_DSS:
	case DRM_XE_TOPO_SIMD16_EU_PER_DSS:
		if (value)
			*eus = (uint32_t)__builtin_popcountll(value);
		break;
	}
}

/* Return a number that xe does not report: that of the usual GPU of this kind, or @otherwise. */
static uint32_t usual(const struct gpuoa_unit_desc *desc, enum gpu_fact fact, uint32_t otherwise)
{
	const struct gpu_platform *platform = gpu_platform_of_device(desc->device_id);
	const uint64_t value = platform ? gpu_usual(platform, desc->device_id, fact) : 0;

	return value ? (uint32_t)value : otherwise;
}

static int read_topology(struct xe_unit *unit)
{
	struct gpuoa_unit_desc *desc = &unit->drm.unit.desc;
	const uint32_t stride = usual(desc, GPU_SUBSLICE_STRIDE, CORES_PER_SLICE);
	uint32_t eus = 0;
	size_t size, at = 0;
	int err;
	uint8_t *answer = xe_query(unit->drm.unit.fd, DRM_XE_DEVICE_QUERY_GT_TOPOLOGY, &size, &err);

	if (!answer)
		return err;
	while (size - at >= sizeof(struct drm_xe_query_topology_mask)) {
		const struct drm_xe_query_topology_mask *mask = (const void *)(answer + at);

		at += sizeof(*mask);
		if (mask->num_bytes > size - at)
			break;
		at += mask->num_bytes;
		take_mask(desc, mask, &eus);
	}
	free(answer);

	desc->subslice_stride = stride;
	for (uint32_t i = 0; i < 128; i++)
		if ((i < 64 ? desc->subslice_mask : desc->subslice_mask_high) >> i % 64 & 1)
			desc->slice_mask |= UINT64_C(1) << i / stride % 64;
	desc->slice_count = (uint32_t)__builtin_popcountll(desc->slice_mask);
	desc->subslice_count = (uint32_t)(__builtin_popcountll(desc->subslice_mask) +
					  __builtin_popcountll(desc->subslice_mask_high));
	desc->eu_count = desc->subslice_count * eus;
	desc->threads_per_eu = usual(desc, GPU_THREADS, THREADS_PER_EU);
	return desc->subslice_count ? 0 : -ENODATA;
}

static int read_engines(struct xe_unit *unit)
{
	size_t size;
	int err;
	struct drm_xe_query_engines *engines =
		xe_query(unit->drm.unit.fd, DRM_XE_DEVICE_QUERY_ENGINES, &size, &err);

	if (!engines)
		return err;
	for (uint32_t i = 0; i < engines->num_engines; i++)
		if (engines->engines[i].instance.engine_class == DRM_XE_ENGINE_CLASS_COMPUTE)
			unit->drm.unit.desc.compute_engine_count++;
	free(engines);
	return 0;
}

/* Fill in the members of .desc that describe the GPU; .desc.gt must be set. */
static int xe_gpu_describe(struct xe_unit *unit)
{
	int err = read_config(unit);

	if (!err)
		err = read_gts(unit);
	if (!err)
		err = read_topology(unit);
	return err ? err : read_engines(unit);
}

/* Join the lists of all kinds of registers: xe takes a single list, which it writes in order. */
static struct gpuoa_register *join(const struct unit_config *config, uint32_t *count)
{
	static const enum gpuoa_register_kind kinds[] = {
		GPUOA_REGISTER_MUX,
		GPUOA_REGISTER_BOOLEAN,
		GPUOA_REGISTER_FLEX,
	};
	struct gpuoa_register *all;
	size_t n = 0;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		n += config->counts[kinds[i]];
	all = calloc(n + 1, sizeof(*all));
	*count = 0;
	for (size_t i = 0; all && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const uint32_t some = config->counts[kinds[i]];

		if (some)
			memcpy(all + *count, config->registers[kinds[i]], some * sizeof(*all));
		*count += some;
	}
	return all;
}

static int add(struct gpuoa_unit *unit, const struct unit_config *config)
{
	struct drm_xe_oa_config to = { .extensions = 0 };
	struct gpuoa_register *all = join(config, &to.n_regs);
	int ret;

	if (!all)
		return -ENOMEM;
	memcpy(to.uuid, config->uuid, UUID_LENGTH);
	to.regs_ptr = (uintptr_t)all;
	ret = xe_observe(unit->fd, DRM_XE_OBSERVATION_OP_ADD_CONFIG, &to);
	free(all);
	return ret;
}

int xe_add_config(struct gpuoa_unit *unit, const struct unit_config *config, uint32_t *id)
{
	return drm_add_config(unit, config, id, add);
}

int xe_remove_config(struct gpuoa_unit *unit, uint32_t id)
{
	const uint64_t wanted = id;

	return xe_observe(unit->fd, DRM_XE_OBSERVATION_OP_REMOVE_CONFIG, &wanted);
}

#define CLOCK_TRIES 3 /* the best one is used */

/* Count the units of a GPU by querying xe. If the node cannot be opened, assume one unit. */
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
	int err = read_unit((struct xe_unit *)unit);

	if (!err)
		err = xe_gpu_describe((struct xe_unit *)unit);
	if (err)
		return err;
	describe_reports((struct xe_unit *)unit);
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
	return drm_unit_open(&xe_driver, name, opened, complaint);
}

static int xe_check(const struct gpuoa_unit *unit)
{
	struct drm_xe_device_query query = { .query = DRM_XE_DEVICE_QUERY_CONFIG };

	return drm_ioctl(unit->fd, DRM_IOCTL_XE_DEVICE_QUERY, &query) == -ENODEV ? -ENODEV : 0;
}

/*
 * Return the time of the OA unit. From DG2 to Meteor Lake its clock is a multiple of that of the
 * engines, which begin with the same bit (Wa_18013179988 of xe).
 */
static uint64_t oa_ticks(const struct gpuoa_unit_desc *desc, uint64_t engine_cycles)
{
	const uint64_t engine = desc->cs_timestamp_frequency;

	return engine ? engine_cycles * (desc->timestamp_frequency / engine) : engine_cycles;
}

/* Read both clocks. The kernel also returns how long the reads took, which bounds the error. */
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
			.gpu_ticks = oa_ticks(&opened->desc, cycles.engine_cycles),
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
