// SPDX-License-Identifier: MIT
/* gpu.c - derive further facts of a GPU from known ones */
#include "gpu/gpu.h"

#include "gpu/platforms.h"

void gpu_give(struct gpu *gpu, enum gpu_fact fact, uint64_t value)
{
	gpu->facts[fact] = value;
	gpu->provenances[fact] = GPUOA_PROVENANCE_GIVEN;
}

/* Set an assumed or derived fact, unless the fact is already known. */
static void gpu_add(struct gpu *gpu, enum gpu_fact fact, uint64_t value,
		    enum gpuoa_provenance provenance)
{
	if (gpu_knows(gpu, fact))
		return;
	gpu->facts[fact] = value;
	gpu->provenances[fact] = provenance;
}

static void keep_given(struct gpu *gpu)
{
	for (int i = 0; i < GPU_FACT_COUNT; i++)
		if (gpu->provenances[i] != GPUOA_PROVENANCE_GIVEN)
			gpu->provenances[i] = GPUOA_PROVENANCE_NONE;
}

/* Return the bits of a subslice mask that belong to one slice. */
static uint64_t slice_bits(unsigned int slice, uint64_t stride)
{
	uint64_t bits = stride < 64 ? (UINT64_C(1) << stride) - 1 : UINT64_MAX;

	return slice * stride < 64 ? bits << (slice * stride) : 0;
}

/* Return the mask of slices; a slice is present if one of its subslices is. */
static uint64_t slices_of(const struct gpu *gpu)
{
	const uint64_t stride = gpu->facts[GPU_SUBSLICE_STRIDE];
	uint64_t slices = 0;

	for (uint64_t bit = 0; stride && bit < 128 && bit / stride < 64; bit++)
		if (gpu->facts[bit < 64 ? GPU_SUBSLICES : GPU_SUBSLICES_HIGH] >> bit % 64 & 1)
			slices |= UINT64_C(1) << bit / stride;
	return slices;
}

static uint64_t subslices_in(uint64_t slices, uint64_t subslices, uint64_t stride)
{
	uint64_t kept = 0;

	for (unsigned int slice = 0; slice < 64; slice++)
		if (slices >> slice & 1)
			kept |= subslices & slice_bits(slice, stride);
	return kept;
}

/* Assume the facts of the usual part that do not contradict known facts. */
static void assume_part(struct gpu *gpu)
{
	const uint64_t *usual = gpu->platform->facts;
	uint64_t per_subslice =
		usual[GPU_EUS] / (uint64_t)__builtin_popcountll(usual[GPU_SUBSLICES]);

	gpu_add(gpu, GPU_SLICES, usual[GPU_SLICES], GPUOA_PROVENANCE_ASSUMED);
	gpu_add(gpu, GPU_SUBSLICES,
		subslices_in(gpu->facts[GPU_SLICES], usual[GPU_SUBSLICES],
			     gpu->facts[GPU_SUBSLICE_STRIDE]),
		GPUOA_PROVENANCE_ASSUMED);
	gpu_add(gpu, GPU_EUS,
		per_subslice * (uint64_t)__builtin_popcountll(gpu->facts[GPU_SUBSLICES]),
		GPUOA_PROVENANCE_ASSUMED);
	for (int i = 0; i < GPU_PART_FACTS; i++)
		gpu_add(gpu, i, usual[i], GPUOA_PROVENANCE_ASSUMED);
}

bool gpu_has_part(const struct gpu *gpu)
{
	return gpu->platform && *gpu->platform->part;
}

void gpu_complete(struct gpu *gpu, bool assume)
{
	static const enum gpu_fact common[] = { GPU_SUBSLICE_STRIDE, GPU_GEOMETRY_PIPES, GPU_SQIDIS,
						GPU_NODE_BANKS };
	const uint64_t device = gpu_knows(gpu, GPU_DEVICE_ID) ? gpu->facts[GPU_DEVICE_ID] : 0;

	keep_given(gpu);
	for (size_t i = 0; gpu_has_part(gpu) && i < sizeof(common) / sizeof(common[0]); i++)
		gpu_add(gpu, common[i], gpu_usual(gpu->platform, device, common[i]),
			GPUOA_PROVENANCE_DERIVED);
	if (gpu_knows(gpu, GPU_SUBSLICES) && gpu_knows(gpu, GPU_SUBSLICE_STRIDE))
		gpu_add(gpu, GPU_SLICES, slices_of(gpu), GPUOA_PROVENANCE_DERIVED);
	if (assume && gpu_has_part(gpu))
		assume_part(gpu);
}
