// SPDX-License-Identifier: GPL-2.0-only
/*
 * gpuoa_xe_decode.c - meaning of data that xe and the GPU report: answers to queries, formats,
 * frequencies.
 */
#include <linux/bitfield.h>
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/math.h>
#include <linux/overflow.h>
#include <linux/units.h>

#include <gen12_regs.h>
#include <gen7_regs.h>

#include "gpu.h"
#include "gpuoa_xe_decode.h"
#include "ids.h"

/*
 * Unit type of later kernels: OAM of all media engines of a GT. These kernels have other OAM units
 * as well, in the order of their numbers.
 */
#define UNIT_TYPE_OAM_SAG 2

/* Capability of later kernels: the size of the buffer can be requested. */
#define CAPABILITY_BUFFER_SIZE BIT(2)

/* Timestamps of media engines: a pair of VCS and a VECS every 64 KiB */
#define MEDIA_ENGINES 0x1c0000
#define MEDIA_ENGINES_PAIR 0x10000
#define MEDIA_ENGINES_VCS 0x4000
#define MEDIA_ENGINES_VECS 0x8000
#define ENGINE_TIMESTAMP 0x358

/**
 * struct units_left - OA units of an answer that were not read yet
 * @at: next unit
 * @size: size of the rest of the answer, bytes
 * @n: number of units that the answer should have from @at on
 */
struct units_left {
	const void *at;
	size_t size;
	u32 n;
};

static struct units_left units_of(const struct drm_xe_query_oa_units *answer, size_t size)
{
	if (size < sizeof(*answer))
		return (struct units_left){};

	return (struct units_left){ answer->oa_units, size - sizeof(*answer),
				    answer->num_oa_units };
}

/* Get the next unit. Returns NULL after the last one, and at the end of the answer. */
static const struct drm_xe_oa_unit *next_unit(struct units_left *left)
{
	const struct drm_xe_oa_unit *unit = left->at;
	size_t size;

	if (!left->n || left->size < sizeof(*unit) ||
	    unit->num_engines > (left->size - sizeof(*unit)) / sizeof(unit->eci[0]))
		return NULL;
	size = struct_size(unit, eci, unit->num_engines);
	left->at += size;
	left->size -= size;
	left->n--;

	return unit;
}

/* MMIO offset of the timestamp of the unit's first engine, which equals that of its reports */
static u32 clock_of(const struct drm_xe_engine_class_instance *engine)
{
	u32 instance = engine->engine_instance;

	if (engine->engine_class == DRM_XE_ENGINE_CLASS_VIDEO_DECODE)
		return MEDIA_ENGINES + instance / 2 * MEDIA_ENGINES_PAIR +
		       instance % 2 * MEDIA_ENGINES_VCS + ENGINE_TIMESTAMP;
	if (engine->engine_class == DRM_XE_ENGINE_CLASS_VIDEO_ENHANCE)
		return MEDIA_ENGINES + instance * MEDIA_ENGINES_PAIR + MEDIA_ENGINES_VECS +
		       ENGINE_TIMESTAMP;

	return RCS_TIMESTAMP;
}

#define OAM_REGISTERS(base)                                                      \
	{                                                                        \
		.buffer = (base) + OAM_BUFFER,                                   \
		.debug = (base) + OAM_DEBUG,                                     \
		.timer = (base) + OAM_CONTEXT_CONTROL,                           \
		.sqcnt1 = MEDIA_GT_BASE + SQCNT1,                                \
		.compression = OAM_COMPRESSION_T3_CONTROL,                       \
	}

static const struct xe_registers registers[] = {
	[GPUOA_UNIT_OA] = { OAG_OABUFFER, OAG_OA_DEBUG, OAG_OAGLBCTXCTRL, SQCNT1 },
	[GPUOA_UNIT_OAM0] = OAM_REGISTERS(XE2_OAM_SCMI0_BASE),
	[GPUOA_UNIT_OAM1] = OAM_REGISTERS(XE2_OAM_SCMI1_BASE),
	[GPUOA_UNIT_OAMG] = OAM_REGISTERS(XE2_OAM_SAG_BASE),
};

static void take_unit(struct gpu *gpu, const struct drm_xe_oa_unit *from,
		      enum gpuoa_unit_type type)
{
	struct xe_unit *unit = &gpu->units[gpu->n_units++];
	u64 i;

	unit->lease.frequency = from->oa_timestamp_freq;
	unit->lease.clock = clock_of(&from->eci[0]);
	unit->id = from->oa_unit_id;
	unit->type = type;
	unit->engine = from->eci[0];
	unit->regs = registers[type];
	unit->sizes = from->capabilities & CAPABILITY_BUFFER_SIZE;
	for (i = 0; i < from->num_engines && i < GPUOA_MAX_ENGINES; i++)
		unit->engines[unit->n_engines++] = (struct gpuoa_engine_id){
			.engine_class = from->eci[i].engine_class,
			.instance = from->eci[i].engine_instance,
		};
}

/* Get the enum gpuoa_unit_type of a unit, or -ENODEV if gpuoa has no such type. */
static int type_of(const struct drm_xe_oa_unit *unit, bool has_sag, u32 *n_oam)
{
	if (unit->oa_unit_type == DRM_XE_OA_UNIT_TYPE_OAG)
		return GPUOA_UNIT_OA;
	if (unit->oa_unit_type == UNIT_TYPE_OAM_SAG)
		return GPUOA_UNIT_OAMG;
	if (unit->oa_unit_type != DRM_XE_OA_UNIT_TYPE_OAM)
		return -ENODEV;
	if (!has_sag)
		return GPUOA_UNIT_OAMG;

	return (*n_oam)++ ? GPUOA_UNIT_OAM1 : GPUOA_UNIT_OAM0;
}

static bool find_sag(struct units_left left)
{
	const struct drm_xe_oa_unit *unit;

	while ((unit = next_unit(&left)))
		if (unit->oa_unit_type == UNIT_TYPE_OAM_SAG)
			return true;

	return false;
}

/**
 * xe_decode_units() - Decode the OA units.
 * @gpu: GPU; its units are set, except for members that xe does not report
 * @answer: answer to DRM_XE_DEVICE_QUERY_OA_UNITS
 * @size: size of @answer, bytes
 *
 * A unit without engines cannot be opened, so it is omitted.
 */
void xe_decode_units(struct gpu *gpu, const void *answer, size_t size)
{
	struct units_left left = units_of(answer, size);
	const struct drm_xe_oa_unit *unit;
	bool has_sag = find_sag(left);
	u32 n_oam = 0;

	while ((unit = next_unit(&left))) {
		int type = type_of(unit, has_sag, &n_oam);

		if (type >= 0 && unit->num_engines && gpu->n_units < LEASE_UNITS)
			take_unit(gpu, unit, type);
	}
}

/* Get 64 bits of a mask, from bit 64 * @word on. */
static u64 mask_word(const struct drm_xe_query_topology_mask *mask, u32 word)
{
	u32 i, first = word * sizeof(u64);
	u64 value = 0;

	for (i = 0; i < sizeof(value) && first + i < mask->num_bytes; i++)
		value |= (u64)mask->mask[first + i] << (BITS_PER_BYTE * i);

	return value;
}

static void take_mask(const struct drm_xe_query_topology_mask *mask, struct gpuoa_unit_desc *desc,
		      u32 *eus)
{
	u32 i;

	switch (mask->type) {
	case DRM_XE_TOPO_DSS_GEOMETRY:
	case DRM_XE_TOPO_DSS_COMPUTE:
		for (i = 0; i < GPUOA_MASK_WORDS; i++)
			desc->subslice_mask[i] |= mask_word(mask, i);
		break;
	case DRM_XE_TOPO_L3_BANK:
		desc->l3_bank_mask |= mask_word(mask, 0);
		break;
	case DRM_XE_TOPO_EU_PER_DSS:
	case DRM_XE_TOPO_SIMD16_EU_PER_DSS:
		*eus = max_t(u32, *eus, hweight64(mask_word(mask, 0)));
		break;
	}
}

static void count_slices(const struct platform *platform, struct gpuoa_unit_desc *desc)
{
	u32 i;

	desc->subslice_stride = platform->subslice_stride;
	for (i = 0; i < GPUOA_MASK_WORDS * BITS_PER_LONG_LONG; i++)
		if (desc->subslice_mask[i / 64] & BIT_ULL(i % 64))
			desc->slice_mask |= BIT_ULL(i / platform->subslice_stride);
	desc->n_slices = hweight64(desc->slice_mask);
	for (i = 0; i < GPUOA_MASK_WORDS; i++)
		desc->n_subslices += hweight64(desc->subslice_mask[i]);
}

/**
 * xe_decode_topology() - Decode the topology.
 * @platform: platform of the GPU
 * @answer: answer to DRM_XE_DEVICE_QUERY_GT_TOPOLOGY
 * @size: size of @answer, bytes
 * @desc: description, output
 *
 * Return: 0; -ENODATA without execution units
 */
int xe_decode_topology(const struct platform *platform, const void *answer, size_t size,
		       struct gpuoa_unit_desc *desc)
{
	const struct drm_xe_query_topology_mask *mask;
	size_t at = 0;
	u32 eus = 0;

	while (size - at >= sizeof(*mask)) {
		mask = answer + at;
		at += sizeof(*mask);
		if (mask->num_bytes > size - at)
			break;
		at += mask->num_bytes;
		take_mask(mask, desc, &eus);
	}
	count_slices(platform, desc);
	desc->n_eus = desc->n_subslices * eus;

	return desc->n_eus ? 0 : -ENODATA;
}

/**
 * xe_decode_engines() - Count the compute engines.
 * @answer: answer to DRM_XE_DEVICE_QUERY_ENGINES
 * @size: size of @answer, bytes
 *
 * Return: number of compute engines
 */
u32 xe_decode_engines(const void *answer, size_t size)
{
	const struct drm_xe_query_engines *engines = answer;
	u32 i, n = 0;

	for (i = 0; struct_size(engines, engines, i + 1) <= size && i < engines->num_engines; i++)
		n += engines->engines[i].instance.engine_class == DRM_XE_ENGINE_CLASS_COMPUTE;

	return n;
}

/* Minimum and maximum frequency of the GT, in units of 50/3 MHz */
#define RP_STATE_CAP_FIRST GENMASK(8, 0)
#define RP_STATE_CAP_LAST GENMASK(24, 16)
#define RP_STATE_CAP_MULTIPLIER 50
#define RP_STATE_CAP_DIVIDER 3

static u64 frequency(u32 cap)
{
	return DIV_ROUND_CLOSEST(cap * RP_STATE_CAP_MULTIPLIER, RP_STATE_CAP_DIVIDER) *
	       (u64)HZ_PER_MHZ;
}

/**
 * xe_decode_frequencies() - Decode the frequency limits of a GT.
 * @caps: RP_STATE_CAP
 * @desc: description, output
 */
void xe_decode_frequencies(u32 caps, struct gpuoa_unit_desc *desc)
{
	desc->gt_max_frequency = frequency(FIELD_GET(RP_STATE_CAP_FIRST, caps));
	desc->gt_min_frequency = frequency(FIELD_GET(RP_STATE_CAP_LAST, caps));
}

/* Format of xe: type, counter select, 64-bit counters, boolean counters in the report */
#define XE_FORMAT(type, select, wide, boolean)                                              \
	(DRM_XE_OA_FMT_TYPE_##type | (select) << 8 | (wide) << 16 | (boolean) << 24)

/**
 * xe_format() - Get the format of a stream.
 * @format: enum gpuoa_format
 *
 * Return: value of DRM_XE_OA_PROPERTY_OA_FORMAT; -EINVAL if xe has no such format
 */
s64 xe_format(u32 format)
{
	switch (format) {
	case GPUOA_FORMAT_MPEC8U64_B8_C8:
		return XE_FORMAT(OAM_MPEC, 1, 0, 0);
	case GPUOA_FORMAT_MPEC8U32_B8_C8:
		return XE_FORMAT(OAM_MPEC, 2, 0, 0);
	case GPUOA_FORMAT_PEC64U64:
		return XE_FORMAT(PEC, 1, 1, 0);
	case GPUOA_FORMAT_PEC64U64_B8_C8:
		return XE_FORMAT(PEC, 1, 1, 1);
	case GPUOA_FORMAT_PEC64U32:
		return XE_FORMAT(PEC, 1, 0, 0);
	case GPUOA_FORMAT_PEC32U64_G1:
		return XE_FORMAT(PEC, 5, 1, 0);
	case GPUOA_FORMAT_PEC32U32_G1:
		return XE_FORMAT(PEC, 5, 0, 0);
	case GPUOA_FORMAT_PEC32U64_G2:
		return XE_FORMAT(PEC, 6, 1, 0);
	case GPUOA_FORMAT_PEC32U32_G2:
		return XE_FORMAT(PEC, 6, 0, 0);
	case GPUOA_FORMAT_PEC36U64_G1_32_G2_4:
		return XE_FORMAT(PEC, 3, 1, 0);
	case GPUOA_FORMAT_PEC36U64_G1_4_G2_32:
		return XE_FORMAT(PEC, 4, 1, 0);
	default:
		return -EINVAL;
	}
}
