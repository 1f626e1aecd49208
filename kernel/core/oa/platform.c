// SPDX-License-Identifier: GPL-2.0-only
/* platform.c - table of the supported platforms and their OA units. */
#include <linux/kernel.h>
#include <linux/string.h>

#include "oa.h"
#include "platform.h"
#include "test_sets.h"

/*
 * On DG2 and Meteor Lake the OA timestamp runs at the undivided crystal clock of 38.4 MHz, unlike
 * the timestamp of the command streamers. Elsewhere both have the same frequency.
 */
static const struct gpuoa_platform platforms[] = {
	{ "hsw", 12500000, { &gpuoa_oa_gen7 }, &gpuoa_test_set_hsw },
	{ "bdw", 12500000, { &gpuoa_oa_bdw }, &gpuoa_test_set_bdw },
	{ "chv", 12500000, { &gpuoa_oa_chv }, &gpuoa_test_set_chv },
	{ "sklgt2", 12000000, { &gpuoa_oa_gen9 }, &gpuoa_test_set_sklgt2 },
	{ "sklgt3", 12000000, { &gpuoa_oa_gen9 }, &gpuoa_test_set_sklgt3 },
	{ "sklgt4", 12000000, { &gpuoa_oa_gen9 }, &gpuoa_test_set_sklgt4 },
	{ "kblgt2", 12000000, { &gpuoa_oa_gen9 }, &gpuoa_test_set_kblgt2 },
	{ "kblgt3", 12000000, { &gpuoa_oa_gen9 }, &gpuoa_test_set_kblgt3 },
	{ "cflgt2", 12000000, { &gpuoa_oa_gen9 }, &gpuoa_test_set_cflgt2 },
	{ "cflgt3", 12000000, { &gpuoa_oa_gen9 }, &gpuoa_test_set_cflgt3 },
	{ "bxt", 19200000, { &gpuoa_oa_gen9 }, &gpuoa_test_set_bxt },
	{ "glk", 19200000, { &gpuoa_oa_gen9 }, &gpuoa_test_set_glk },
	{ "icl", 12000000, { &gpuoa_oa_gen11 }, &gpuoa_test_set_icl },
	{ "ehl", 19200000, { &gpuoa_oa_gen11 }, &gpuoa_test_set_ehl },
	{ "tglgt1", 19200000, { &gpuoa_oag_gen12 }, &gpuoa_test_set_tglgt1 },
	{ "tglgt2", 19200000, { &gpuoa_oag_gen12 }, &gpuoa_test_set_tglgt2 },
	{ "rkl", 19200000, { &gpuoa_oag_gen12 }, &gpuoa_test_set_rkl },
	{ "dg1", 19200000, { &gpuoa_oag_gen12 }, &gpuoa_test_set_dg1 },
	{ "adl", 19200000, { &gpuoa_oag_gen12 }, &gpuoa_test_set_adl },
	{ "adls", 19200000, { &gpuoa_oag_gen12 }, &gpuoa_test_set_adls },
	{ "adln", 19200000, { &gpuoa_oag_gen12 }, &gpuoa_test_set_adln },
	{ "acmgt1", 38400000, { &gpuoa_oag_dg2 } },
	{ "acmgt2", 38400000, { &gpuoa_oag_dg2 } },
	{ "acmgt3", 38400000, { &gpuoa_oag_dg2 } },
	{ "mtlgt2", 38400000, { &gpuoa_oag_mtl, &gpuoa_oam_mtl }, &gpuoa_test_set_mtlgt2 },
	{ "mtlgt3", 38400000, { &gpuoa_oag_mtl, &gpuoa_oam_mtl }, &gpuoa_test_set_mtlgt3 },
	{ "arlgt1", 38400000, { &gpuoa_oag_mtl, &gpuoa_oam_mtl } },
	{
		"lnl", 19200000,
		{
			[GPUOA_UNIT_OA] = &gpuoa_oag_xe2,
			[GPUOA_UNIT_OAM0] = &gpuoa_oam_xe2_scmi0,
			[GPUOA_UNIT_OAMG] = &gpuoa_oam_xe2_sag,
		},
		&gpuoa_test_set_lnl,
	},
	{
		"bmg", 19200000,
		{
			[GPUOA_UNIT_OA] = &gpuoa_oag_xe2,
			[GPUOA_UNIT_OAM0] = &gpuoa_oam_xe2_scmi0,
			[GPUOA_UNIT_OAM1] = &gpuoa_oam_xe2_scmi1,
			[GPUOA_UNIT_OAMG] = &gpuoa_oam_xe2_sag,
		},
		&gpuoa_test_set_bmg,
	},
	/*
	 * As in xe, OAG is the same as on Xe2. The media units are omitted: they need a latency
	 * measurement register that is not documented.
	 */
	{ "ptl", 19200000, { &gpuoa_oag_xe2 } },
};

/**
 * gpuoa_platform_find() - Find a platform by name.
 * @name: platform name
 *
 * Return: the platform, or NULL
 */
const struct gpuoa_platform *gpuoa_platform_find(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(platforms); i++)
		if (!strcmp(platforms[i].name, name))
			return &platforms[i];

	return NULL;
}

/**
 * gpuoa_platform_test_set() - Get the built-in configuration of a unit.
 * @platform: platform
 * @type: enum gpuoa_unit_type
 *
 * Return: the configuration, or NULL if the unit has none
 */
const struct gpuoa_builtin_set *gpuoa_platform_test_set(const struct gpuoa_platform *platform,
							u32 type)
{
	return type == GPUOA_UNIT_OA ? platform->test_set : NULL;
}
