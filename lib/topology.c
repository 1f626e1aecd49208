// SPDX-License-Identifier: MIT
/*
 * topology.c - what a unit is, as constants of its platform's equations
 */
#include <errno.h>

#include "topology.h"

int gpuoa_topology_constants(const struct gpuoa_unit_desc *desc,
			     const struct gpuoa_platform *platform,
			     struct gpuoa_constants **constants)
{
	const struct {
		const char *name;
		uint64_t value;
	} known[] = {
		{ "GpuTimestampFrequency", desc->timestamp_frequency },
		{ "GpuMinFrequency", desc->gt_min_frequency },
		{ "GpuMaxFrequency", desc->gt_max_frequency },
		{ "EuCoresTotalCount", desc->eu_count },
		{ "EuSlicesTotalCount", desc->slice_count },
		{ "EuSubslicesTotalCount", desc->subslice_count },
		{ "EuThreadsCount", desc->threads_per_eu },
		{ "SliceMask", desc->slice_mask },
		{ "SubsliceMask", desc->subslice_mask },
		{ "SkuRevisionId", desc->revision },
	};
	int err;

	*constants = NULL;
	if (!platform)
		return 0;
	err = gpuoa_constants_new(platform, constants);
	if (err)
		return err;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		err = gpuoa_constants_set(*constants, known[i].name,
					  known[i].value);
		if (err && err != -ENOENT)
			goto err_free;
	}
	return 0;

err_free:
	gpuoa_constants_free(*constants);
	*constants = NULL;
	return err;
}
