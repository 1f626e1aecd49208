// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim_platforms.c - the GPUs that can be simulated.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kernel.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "sim.h"

/* What Haswell and gen8 to gen11 have in common: one OA unit */
#define ONE_UNIT(ops_) { { GPUOA_UNIT_OA, &(ops_) } }

static const struct sim_platform platforms[] = {
	{
		/* Core i7-4770, HD Graphics 4600 */
		.name = "hsw_gt2",
		.desc = {
			.platform = "hsw",
			.timestamp_frequency = 12500000,
			.gt_min_frequency = 350000000,
			.gt_max_frequency = 1200000000,
			.slice_mask = 0x1,
			.subslice_mask = 0x3,
			.device_id = 0x0412,
			.revision = 0x06,
			.n_slices = 1,
			.n_subslices = 2,
			.n_eus = 20,
			.threads_per_eu = 7,
			.subslice_stride = 3,
		},
		.ranges = sim_ranges_gen7,
		.reset = sim_reset_gen7,
		.units = ONE_UNIT(sim_oa_gen7),
		.named_by_address = true,
	},
};

/* The platform of this name, or NULL, and then the log says which there are. */
const struct sim_platform *sim_platform_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(platforms); i++)
		if (!strcmp(platforms[i].name, name))
			return &platforms[i];

	pr_err("no platform \"%s\"; there are:\n", name);
	for (i = 0; i < ARRAY_SIZE(platforms); i++)
		pr_err("  %s\n", platforms[i].name);
	return NULL;
}
