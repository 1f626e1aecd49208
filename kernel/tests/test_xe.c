// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_xe.c - gpuoa_xe.ko: platform table, answers of xe to queries, formats, frequencies.
 */
#include <kunit/test.h>
#include <linux/limits.h>
#include <linux/string.h>

#include "../core/oa/gpuoa_oa.h"
#include "../core/oa/gpuoa_report.h"
#include "../core/oa/platform.h"
#include "../xe/gpu.h"
#include "../xe/gpuoa_xe_decode.h"
#include "../xe/ids.h"

#define ANSWER_MAX 1024

/* Unit types of xe: OAG, OAM, and OAM of all media engines of a GT (Linux 7.x) */
#define OAG 0
#define OAM 1
#define SAG 2

/* An answer of xe, filled from the start */
struct answer {
	u8 data[ANSWER_MAX] __aligned(8);
	size_t size;
};

static struct answer *answer_new(struct kunit *test)
{
	struct answer *answer = kunit_kzalloc(test, sizeof(*answer), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, answer);

	return answer;
}

static void *answer_add(struct answer *answer, size_t size)
{
	void *at = answer->data + answer->size;

	answer->size += size;

	return at;
}

static struct answer *units_new(struct kunit *test)
{
	struct answer *answer = answer_new(test);

	answer_add(answer, sizeof(struct drm_xe_query_oa_units));

	return answer;
}

/* Add a unit with engines of one class on one GT. Returns the unit. */
static struct drm_xe_oa_unit *add_unit(struct answer *answer, u32 type, u16 engine_class, u16 first,
				       u16 n_engines)
{
	struct drm_xe_query_oa_units *units = (void *)answer->data;
	struct drm_xe_oa_unit *unit =
		answer_add(answer, sizeof(*unit) + n_engines * sizeof(unit->eci[0]));
	u16 i;

	unit->oa_unit_id = units->num_oa_units++;
	unit->oa_unit_type = type;
	unit->oa_timestamp_freq = 19200000;
	unit->num_engines = n_engines;
	for (i = 0; i < n_engines; i++)
		unit->eci[i] = (struct drm_xe_engine_class_instance){
			.engine_class = engine_class,
			.engine_instance = first + i,
			.gt_id = type != OAG,
		};

	return unit;
}

static struct gpu *decode(struct kunit *test, const struct answer *answer)
{
	struct gpu *gpu = kunit_kzalloc(test, sizeof(*gpu), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, gpu);
	xe_decode_units(gpu, answer->data, answer->size);

	return gpu;
}

/* Linux 6.12 has one OAM unit per GT, which is the one of all media engines. */
static void units_of_linux_6_12_are_decoded(struct kunit *test)
{
	struct answer *answer = units_new(test);
	struct gpu *gpu;

	add_unit(answer, OAG, DRM_XE_ENGINE_CLASS_RENDER, 0, 1);
	add_unit(answer, OAM, DRM_XE_ENGINE_CLASS_VIDEO_DECODE, 0, 2);
	gpu = decode(test, answer);

	KUNIT_ASSERT_EQ(test, 2, gpu->n_units);
	KUNIT_EXPECT_EQ(test, GPUOA_UNIT_OA, gpu->units[0].type);
	KUNIT_EXPECT_EQ(test, 0, gpu->units[0].id);
	KUNIT_EXPECT_EQ(test, 19200000, gpu->units[0].lease.frequency);
	KUNIT_EXPECT_EQ(test, 0x2358, gpu->units[0].lease.clock);
	KUNIT_EXPECT_EQ(test, 0xdb08, gpu->units[0].regs.buffer);
	KUNIT_EXPECT_EQ(test, 0xdaf8, gpu->units[0].regs.debug);
	KUNIT_EXPECT_EQ(test, 0x2b28, gpu->units[0].regs.timer);
	KUNIT_EXPECT_EQ(test, 0x8718, gpu->units[0].regs.sqcnt1);
	KUNIT_EXPECT_EQ(test, GPUOA_UNIT_OAMG, gpu->units[1].type);
	KUNIT_EXPECT_EQ(test, 0x388718, gpu->units[1].regs.sqcnt1);
	KUNIT_EXPECT_EQ(test, 1, gpu->units[1].id);
	KUNIT_EXPECT_EQ(test, 1, gpu->units[1].engine.gt_id);
	KUNIT_EXPECT_EQ(test, 2, gpu->units[1].n_engines);
	KUNIT_EXPECT_EQ(test, 1, gpu->units[1].engines[1].instance);
}

/* Later kernels have all units. That of all media engines has no engines: it cannot be opened. */
static void units_of_linux_7_are_decoded(struct kunit *test)
{
	struct answer *answer = units_new(test);
	struct gpu *gpu;

	add_unit(answer, OAG, DRM_XE_ENGINE_CLASS_RENDER, 0, 1);
	add_unit(answer, OAM, DRM_XE_ENGINE_CLASS_VIDEO_DECODE, 0, 1)->capabilities = BIT(2);
	add_unit(answer, OAM, DRM_XE_ENGINE_CLASS_VIDEO_DECODE, 2, 1);
	add_unit(answer, SAG, 0, 0, 0);
	add_unit(answer, 7, DRM_XE_ENGINE_CLASS_COPY, 0, 1);
	gpu = decode(test, answer);

	KUNIT_ASSERT_EQ(test, 3, gpu->n_units);
	KUNIT_EXPECT_EQ(test, GPUOA_UNIT_OA, gpu->units[0].type);
	KUNIT_EXPECT_EQ(test, GPUOA_UNIT_OAM0, gpu->units[1].type);
	KUNIT_EXPECT_EQ(test, GPUOA_UNIT_OAM1, gpu->units[2].type);
	KUNIT_EXPECT_EQ(test, 0x394198, gpu->units[1].regs.debug);
	KUNIT_EXPECT_EQ(test, 0x3949bc, gpu->units[2].regs.timer);
	/* Capability: the size of the buffer can be requested. */
	KUNIT_EXPECT_FALSE(test, gpu->units[0].sizes);
	KUNIT_EXPECT_TRUE(test, gpu->units[1].sizes);
}

/* A unit with engines beyond the end of the answer ends the list, as does the number of units. */
static void units_beyond_the_answer_are_ignored(struct kunit *test)
{
	struct answer *answer = units_new(test);
	struct drm_xe_query_oa_units *units = (void *)answer->data;
	size_t first;

	add_unit(answer, OAG, DRM_XE_ENGINE_CLASS_RENDER, 0, 1);
	first = answer->size;
	add_unit(answer, OAM, DRM_XE_ENGINE_CLASS_VIDEO_DECODE, 0, 2);
	answer->size--;
	KUNIT_EXPECT_EQ(test, 1, decode(test, answer)->n_units);
	answer->size = first + 1;
	KUNIT_EXPECT_EQ(test, 1, decode(test, answer)->n_units);
	answer->size = sizeof(*units) - 1;
	KUNIT_EXPECT_EQ(test, 0, decode(test, answer)->n_units);
	answer->size = ANSWER_MAX;
	units->num_oa_units = 1;
	KUNIT_EXPECT_EQ(test, 1, decode(test, answer)->n_units);
	((struct drm_xe_oa_unit *)units->oa_units)->num_engines = U64_MAX;
	KUNIT_EXPECT_EQ(test, 0, decode(test, answer)->n_units);
}

struct clock_case {
	u16 engine_class;
	u16 instance;
	u32 clock;
};

static void clock_is_that_of_first_engine(struct kunit *test)
{
	static const struct clock_case cases[] = {
		{ DRM_XE_ENGINE_CLASS_RENDER, 0, 0x2358 },
		{ DRM_XE_ENGINE_CLASS_VIDEO_DECODE, 0, 0x1c0358 },
		{ DRM_XE_ENGINE_CLASS_VIDEO_DECODE, 1, 0x1c4358 },
		{ DRM_XE_ENGINE_CLASS_VIDEO_DECODE, 2, 0x1d0358 },
		{ DRM_XE_ENGINE_CLASS_VIDEO_ENHANCE, 0, 0x1c8358 },
		{ DRM_XE_ENGINE_CLASS_VIDEO_ENHANCE, 1, 0x1d8358 },
	};
	struct answer *answer;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		answer = units_new(test);
		add_unit(answer, OAM, cases[i].engine_class, cases[i].instance, 1);
		KUNIT_EXPECT_EQ(test, cases[i].clock, decode(test, answer)->units[0].lease.clock);
	}
}

static void add_mask(struct answer *answer, u16 type, u32 bytes, u64 value)
{
	struct drm_xe_query_topology_mask *mask = answer_add(answer, sizeof(*mask) + bytes);

	mask->gt_id = 0;
	mask->type = type;
	mask->num_bytes = bytes;
	memcpy(mask->mask, &value, min_t(size_t, bytes, sizeof(value)));
}

static void topology_is_decoded(struct kunit *test)
{
	const struct platform *bmg = xe_platform_find(0xe20b);
	struct answer *answer = answer_new(test);
	struct gpuoa_unit_desc desc = {};

	KUNIT_ASSERT_NOT_NULL(test, bmg);
	/* Geometry and compute may use different Xe cores; 4 of them are a slice. */
	add_mask(answer, DRM_XE_TOPO_DSS_GEOMETRY, 8, 0x0f00f);
	add_mask(answer, DRM_XE_TOPO_DSS_COMPUTE, 8, 0x1000f);
	add_mask(answer, DRM_XE_TOPO_L3_BANK, 8, 0x777777);
	/* The length of a mask need not be a multiple of 8. */
	add_mask(answer, DRM_XE_TOPO_SIMD16_EU_PER_DSS, 4, 0xff);
	KUNIT_EXPECT_EQ(test, 0, xe_decode_topology(bmg, answer->data, answer->size, &desc));
	KUNIT_EXPECT_EQ(test, 0x1f00f, desc.subslice_mask[0]);
	KUNIT_EXPECT_EQ(test, 0, desc.subslice_mask[1]);
	KUNIT_EXPECT_EQ(test, 0x19, desc.slice_mask);
	KUNIT_EXPECT_EQ(test, 3, desc.n_slices);
	KUNIT_EXPECT_EQ(test, 9, desc.n_subslices);
	KUNIT_EXPECT_EQ(test, 72, desc.n_eus);
	KUNIT_EXPECT_EQ(test, 0x777777, desc.l3_bank_mask);

	/* A mask that exceeds the answer is ignored. */
	desc = (struct gpuoa_unit_desc){};
	answer->size--;
	KUNIT_EXPECT_EQ(test, -ENODATA,
			xe_decode_topology(bmg, answer->data, answer->size, &desc));
	KUNIT_EXPECT_EQ(test, 9, desc.n_subslices);
}

static void compute_engines_are_counted(struct kunit *test)
{
	static const u16 classes[] = { DRM_XE_ENGINE_CLASS_RENDER, DRM_XE_ENGINE_CLASS_COMPUTE,
				       DRM_XE_ENGINE_CLASS_COPY, DRM_XE_ENGINE_CLASS_COMPUTE };
	struct answer *answer = answer_new(test);
	struct drm_xe_query_engines *engines = answer_add(answer, sizeof(*engines));
	size_t i;

	for (i = 0; i < ARRAY_SIZE(classes); i++) {
		answer_add(answer, sizeof(engines->engines[0]));
		engines->engines[i].instance.engine_class = classes[i];
	}
	engines->num_engines = ARRAY_SIZE(classes);
	KUNIT_EXPECT_EQ(test, 2, xe_decode_engines(answer->data, answer->size));
	KUNIT_EXPECT_EQ(test, 1, xe_decode_engines(answer->data, answer->size - 1));
	engines->num_engines = 1;
	KUNIT_EXPECT_EQ(test, 0, xe_decode_engines(answer->data, answer->size));
	KUNIT_EXPECT_EQ(test, 0, xe_decode_engines(answer->data, 0));
}

/* Ratios are in units of 50/3 MHz, and their frequencies are rounded to MHz. */
static void frequencies_are_decoded(struct kunit *test)
{
	struct gpuoa_unit_desc desc = {};

	xe_decode_frequencies(24 << 16 | 0x1ab, &desc);
	KUNIT_EXPECT_EQ(test, 400000000, desc.gt_min_frequency);
	KUNIT_EXPECT_EQ(test, 7117000000ULL, desc.gt_max_frequency);
	xe_decode_frequencies(6 << 16 | 117, &desc);
	KUNIT_EXPECT_EQ(test, 100000000, desc.gt_min_frequency);
	KUNIT_EXPECT_EQ(test, 1950000000, desc.gt_max_frequency);
}

/* xe has each format of the units that gpuoa_xe attaches to, and no two are the same. */
static void each_format_has_a_value(struct kunit *test)
{
	const struct gpuoa_platform *lnl = gpuoa_platform_find("lnl");
	const struct gpuoa_oa_ops *oa;
	s64 values[64];
	u32 n = 0, i, k;
	int unit;

	KUNIT_ASSERT_NOT_NULL(test, lnl);
	for (unit = 0; unit < GPUOA_UNIT_TYPES; unit++) {
		oa = lnl->units[unit];
		for (i = 0; oa && unit != GPUOA_UNIT_OAMG && i < oa->n_formats; i++) {
			KUNIT_ASSERT_LT(test, n, ARRAY_SIZE(values));
			values[n] = xe_format(oa->formats[i].id);
			KUNIT_EXPECT_LE(test, 0, values[n]);
			for (k = 0; k < n; k++)
				KUNIT_EXPECT_NE(test, values[k], values[n]);
			n++;
		}
	}
	KUNIT_EXPECT_EQ(test, 11, n);
	/* Type PEC, counter select 1, 64-bit counters, boolean counters in the report */
	KUNIT_EXPECT_EQ(test, DRM_XE_OA_FMT_TYPE_PEC | 0x1010100,
			xe_format(GPUOA_FORMAT_PEC64U64_B8_C8));
	KUNIT_EXPECT_EQ(test, -EINVAL, xe_format(GPUOA_FORMAT_A45_B8_C8));
}

static void device_id_selects_xe_platform(struct kunit *test)
{
	const struct platform *platform;
	unsigned int known = 0;
	u32 device;

	for (device = 0; device <= U16_MAX; device++) {
		platform = xe_platform_find(device);
		if (!platform)
			continue;
		known++;
		KUNIT_EXPECT_NOT_NULL(test, gpuoa_platform_find(platform->name));
		KUNIT_EXPECT_EQ(test, strcmp(platform->name, "ptl") ? 8 : 10,
				platform->threads_per_eu);
	}
	KUNIT_EXPECT_LT(test, 15, known);
	KUNIT_EXPECT_STREQ(test, "lnl", xe_platform_find(0x64a0)->name);
	KUNIT_EXPECT_STREQ(test, "bmg", xe_platform_find(0xe20b)->name);
	KUNIT_EXPECT_STREQ(test, "ptl", xe_platform_find(0xb080)->name);
	/* Tiger Lake, Meteor Lake, Nova Lake */
	KUNIT_EXPECT_PTR_EQ(test, NULL, xe_platform_find(0x9a49));
	KUNIT_EXPECT_PTR_EQ(test, NULL, xe_platform_find(0x7d55));
	KUNIT_EXPECT_PTR_EQ(test, NULL, xe_platform_find(0xd740));
}

static struct kunit_case xe_cases[] = {
	KUNIT_CASE(units_of_linux_6_12_are_decoded),
	KUNIT_CASE(units_of_linux_7_are_decoded),
	KUNIT_CASE(units_beyond_the_answer_are_ignored),
	KUNIT_CASE(clock_is_that_of_first_engine),
	KUNIT_CASE(topology_is_decoded),
	KUNIT_CASE(compute_engines_are_counted),
	KUNIT_CASE(frequencies_are_decoded),
	KUNIT_CASE(each_format_has_a_value),
	KUNIT_CASE(device_id_selects_xe_platform),
	{},
};

static struct kunit_suite xe_suite = {
	.name = "gpuoa_xe",
	.test_cases = xe_cases,
};

kunit_test_suite(xe_suite);
