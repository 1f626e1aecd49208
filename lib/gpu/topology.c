// SPDX-License-Identifier: MIT
/* topology.c - constants from the description of a unit's GPU */
#include "gpu/topology.h"

#include <string.h>

#include "base/sized.h"
#include "gpu/constants.h"

int topology_constants(const struct gpuoa_unit_desc *desc, const struct gpuoa_platform *platform,
		       struct gpuoa_constants **constants)
{
	const bool media = !strncmp(desc->domain, "OAM", 3);
	const uint64_t facts[GPU_FACT_COUNT] = {
		[GPU_TIMESTAMP_FREQUENCY] = desc->timestamp_frequency,
		[GPU_MIN_FREQUENCY] = desc->gt_min_frequency,
		[GPU_MAX_FREQUENCY] = desc->gt_max_frequency,
		[GPU_SLICES] = desc->slice_mask,
		[GPU_SUBSLICES] = desc->subslice_mask,
		[GPU_SUBSLICES_HIGH] = desc->subslice_mask_high,
		[GPU_SUBSLICE_STRIDE] = desc->subslice_stride,
		[GPU_EUS] = desc->eu_count,
		[GPU_THREADS] = desc->threads_per_eu,
		[GPU_L3_BANKS] = desc->l3_bank_mask,
		[GPU_COMPUTE_ENGINES] = desc->compute_engine_count,
		[GPU_REVISION] = desc->revision,
		[GPU_DEVICE_ID] = desc->device_id,
		[GPU_TIMESTAMP_BITS] = desc->timestamp_bits,
		[GPU_BUFFER_MIN] = media ? 0 : desc->buffer_size_min,
		[GPU_BUFFER_MAX] = media ? 0 : desc->buffer_size_max,
		[GPU_MEDIA_BUFFER_MIN] = media ? desc->buffer_size_min : 0,
		[GPU_MEDIA_BUFFER_MAX] = media ? desc->buffer_size_max : 0,
	};
	int err;

	*constants = NULL;
	if (!platform)
		return 0;
	err = gpuoa_constants_new(platform, constants);
	if (err)
		return err;
	/*
	 * A fact that is 0 was not reported by the driver, except the revision: that of a first
	 * stepping is 0.
	 */
	for (int i = 0; i < GPU_FACT_COUNT; i++)
		if (facts[i] || i == GPU_REVISION)
			constants_give(*constants, i, facts[i]);
	constants_refresh(*constants);
	return 0;
}

int gpuoa_constants_of_unit(const struct gpuoa_unit_desc *desc, size_t size,
			    const struct gpuoa_platform *platform,
			    struct gpuoa_constants **constants)
{
	struct gpuoa_unit_desc known;

	const struct complaint complaint = { 0 };
	const int err = sized_take_desc(&known, sizeof(known), desc, size, "fields of the unit",
					&complaint);

	if (err)
		return err;
	return topology_constants(&known, platform, constants);
}
