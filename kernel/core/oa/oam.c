// SPDX-License-Identifier: GPL-2.0-only
/*
 * oam.c - OA backend of the media GT's units: one on Meteor Lake, two or three on Xe2.
 *
 * Registers and sequences follow drivers/gpu/drm/i915/i915_perf.c and drivers/gpu/drm/xe/xe_oa.c.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "gen12.h"

static const struct gpuoa_counters counters_mpec8u64[] = {
	{ GPUOA_COUNTER_CLOCK, 64, 1, 24 },
	{ GPUOA_COUNTER_MPEC(0), 64, 8, 32 },
	{ GPUOA_COUNTER_B(0), 32, 8, 96 },
	{ GPUOA_COUNTER_C(0), 32, 8, 128 },
	{},
};

static const struct gpuoa_counters counters_mpec8u32[] = {
	{ GPUOA_COUNTER_CLOCK, 64, 1, 24 },
	{ GPUOA_COUNTER_MPEC(0), 32, 8, 32 },
	{ GPUOA_COUNTER_B(0), 32, 8, 64 },
	{ GPUOA_COUNTER_C(0), 32, 8, 96 },
	{},
};

static const struct gpuoa_format_desc oam_formats[] = {
	{ GPUOA_FORMAT_MPEC8U64_B8_C8, 1, 192, "MPEC8u64_B8_C8", &gpuoa_header_64,
	  counters_mpec8u64 },
	{ GPUOA_FORMAT_MPEC8U32_B8_C8, 2, 128, "MPEC8u32_B8_C8", &gpuoa_header_64_timestamp_32,
	  counters_mpec8u32 },
};

/*
 * Each unit's list contains only registers of that unit, so that units do not disturb each other.
 * NOA_WRITE and similar registers belong to the render unit.
 */
static const struct gpuoa_reg_range mtl_oam_mux[] = {
	{ 0x38d100, 0x38d114 }, /* VISACTL */
	{},
};

static const struct gpuoa_reg_range mtl_oam_boolean[] = {
	{ 0x393000, 0x39301c }, /* OAM_STARTTRIG1..8 */
	{ 0x393020, 0x39303c }, /* OAM_REPORTTRIG1..8 */
	{ 0x393040, 0x39307c }, /* OAM_CEC0_0..CEC7_1 */
	{ 0x393200, 0x39323c }, /* MPES0..7 */
	{},
};

static const struct gpuoa_reg_range xe2_no_mux[] = { {} };

static const struct gpuoa_reg_range xe2_scmi0_boolean[] = {
	{ 0x394200, 0x39423c }, /* MPES0..7 */
	{},
};

static const struct gpuoa_reg_range xe2_scmi1_boolean[] = {
	{ 0x394a00, 0x394a3c }, /* MPES0..7 */
	{},
};

static const struct gpuoa_reg_mask oam_no_masks[] = { {} };

#define OAM_VARIANT(base)                              \
	.control = (base) + OAM_CONTROL,               \
	.debug = (base) + OAM_DEBUG,                   \
	.status = (base) + OAM_STATUS,                 \
	.head = (base) + OAM_HEAD_POINTER,             \
	.tail = (base) + OAM_TAIL_POINTER,             \
	.buffer = (base) + OAM_BUFFER,                 \
	.timer = (base) + OAM_CONTEXT_CONTROL,         \
	.format_shift = OAM_CONTROL_FORMAT_SHIFT,      \
	.extended = true,                              \
	.rpm_config1 = MEDIA_GT_BASE + RPM_CONFIG1,    \
	.sqcnt1 = MEDIA_GT_BASE + SQCNT1,              \
	.sqcnt1_bits = GEN12_5_SQCNT1

static const struct gen12_variant mtl_oam = {
	OAM_VARIANT(MTL_OAM_BASE),
	.debug_bits = GEN12_DEBUG,
	.tlb_invalidate = MEDIA_GT_BASE + OA_TLB_INV_CR,
};

static const struct gen12_variant xe2_oam_sag = {
	OAM_VARIANT(XE2_OAM_SAG_BASE),
	.debug_bits = XE2_DEBUG,
	.shares_gt = true,
};

static const struct gen12_variant xe2_oam_scmi0 = {
	OAM_VARIANT(XE2_OAM_SCMI0_BASE),
	.debug_bits = XE2_DEBUG,
	.shares_gt = true,
};

static const struct gen12_variant xe2_oam_scmi1 = {
	OAM_VARIANT(XE2_OAM_SCMI1_BASE),
	.debug_bits = XE2_DEBUG,
	.shares_gt = true,
};

/* No context filter: media contexts have no OAR, and reports carry no context id per engine. */
#define OAM_OA                                          \
	GEN12_OA_OPS,                                   \
	.formats = oam_formats,                         \
	.n_formats = ARRAY_SIZE(oam_formats),           \
	.id = &gen12_5_id,                              \
	.buffer_size_max = SZ_128M,                     \
	.splits_reports = true,                         \
	.masks = oam_no_masks

const struct gpuoa_oa_ops gpuoa_oam_mtl = {
	OAM_OA,
	.default_format = GPUOA_FORMAT_MPEC8U32_B8_C8,
	.variant = &mtl_oam,
	.mux = mtl_oam_mux,
	.boolean = mtl_oam_boolean,
};

const struct gpuoa_oa_ops gpuoa_oam_xe2_sag = {
	OAM_OA,
	.default_format = GPUOA_FORMAT_MPEC8U64_B8_C8,
	.variant = &xe2_oam_sag,
	.mux = xe2_no_mux,
	.boolean = mtl_oam_boolean,
};

const struct gpuoa_oa_ops gpuoa_oam_xe2_scmi0 = {
	OAM_OA,
	.default_format = GPUOA_FORMAT_MPEC8U64_B8_C8,
	.variant = &xe2_oam_scmi0,
	.mux = xe2_no_mux,
	.boolean = xe2_scmi0_boolean,
};

const struct gpuoa_oa_ops gpuoa_oam_xe2_scmi1 = {
	OAM_OA,
	.default_format = GPUOA_FORMAT_MPEC8U64_B8_C8,
	.variant = &xe2_oam_scmi1,
	.mux = xe2_no_mux,
	.boolean = xe2_scmi1_boolean,
};
