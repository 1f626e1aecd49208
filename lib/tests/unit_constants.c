// SPDX-License-Identifier: MIT
/* unit_constants.c - Constants of a GPU, computed from the kernel's description of its unit */
#include "unit_constants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t count(uint64_t mask)
{
	uint64_t n = 0;

	for (; mask; mask >>= 1)
		n += mask & 1;
	return n;
}

/* Divide @mask into groups of @size bits. Return the number of groups that are not 0. */
static uint64_t count_groups(uint64_t mask, unsigned int size)
{
	uint64_t n = 0;

	for (; mask; mask >>= size)
		n += (mask & ((1ull << size) - 1)) != 0;
	return n;
}

/*
 * Parse names such as "GtSlice0", "GtXeCore12" and "GtSlice1XeCore3". sscanf() sets the length by
 * %n only if everything before it matched.
 */
static bool is_part(const struct gpuoa_unit_info *info, const char *name, uint64_t *value)
{
	unsigned int slice, number;
	int end = 0;

	if (sscanf(name, "GtSlice%uXeCore%u%n", &slice, &number, &end) == 2 && !name[end]) {
		number += slice * info->subslice_stride;
		*value = info->subslice_mask[number / 64 % 2] >> number % 64 & 1;
	} else if (sscanf(name, "GtXeCore%u%n", &number, &end) == 1 && !name[end]) {
		*value = info->subslice_mask[number / 64 % 2] >> number % 64 & 1;
	} else if (sscanf(name, "GtSlice%u%n", &slice, &end) == 1 && !name[end]) {
		*value = info->slice_mask >> slice & 1;
	} else {
		return false;
	}
	return true;
}

/*
 * Values by name; some constants have several names. An L3 node has four banks, and a copy engine
 * is connected to two nodes.
 */
static uint64_t value_of(const struct gpuoa_unit_info *info, const char *name)
{
	const struct {
		const char *names;
		uint64_t value;
	} facts[] = {
		{ " GpuTimestampFrequency ", info->timestamp_frequency },
		{ " GpuMinFrequency ", info->gt_min_frequency },
		{ " GpuMaxFrequency ", info->gt_max_frequency },
		{ " SliceMask ", info->slice_mask },
		{ " SubsliceMask DualSubsliceMask XeCoreMask ", info->subslice_mask[0] },
		{ " EuSlicesTotalCount SliceTotalCount GeometryPipeTotalCount ", info->n_slices },
		{ " ColorPipeTotalCount DepthPipeTotalCount ", 2 * info->n_slices },
		{ " EuSubslicesTotalCount EuDualSubslicesTotalCount XeCoreTotalCount ",
		  info->n_subslices },
		{ " EuCoresTotalCount VectorEngineTotalCount ", info->n_eus },
		{ " EuThreadsCount VectorEngineThreadsCount ", info->threads_per_eu },
		{ " ComputeEngineTotalCount ", info->n_compute_engines },
		{ " SkuRevisionId ", info->revision },
		{ " L3BankTotalCount ", count(info->l3_bank_mask) },
		{ " L3NodeTotalCount SqidiTotalCount ", count_groups(info->l3_bank_mask, 4) },
		{ " CopyEngineTotalCount ", count_groups(info->l3_bank_mask, 8) },
		{ " VectorEngineGrfBlocksCount ", info->threads_per_eu == 10 ? 32 : 64 },
		{ " QueryMode ", 0 },
	};
	uint64_t value;
	char word[64];

	snprintf(word, sizeof(word), " %s ", name);
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		if (strstr(facts[i].names, word))
			return facts[i].value;
	if (is_part(info, name, &value))
		return value;
	printf("Bail out! what is the constant %s?\n", name);
	exit(1);
}

void unit_constants(const struct gpuoa_unit_info *info, const struct gpuoa_constants *known,
		    struct rpn_constants *constants)
{
	memset(constants, 0, sizeof(*constants));
	constants->count = gpuoa_constants_count(known);
	for (size_t i = 0; i < constants->count; i++) {
		constants->names[i] = gpuoa_constants_name(known, i);
		constants->values[i] = value_of(info, constants->names[i]);
	}
}
