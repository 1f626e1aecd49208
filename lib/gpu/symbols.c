// SPDX-License-Identifier: MIT
/* symbols.c - names of constants, and how their values follow from the facts of a GPU. */
#include "gpu/symbols.h"

#include <stdlib.h>
#include <string.h>

#define BANKS_PER_NODE 4
#define NODES (64 / BANKS_PER_NODE)
#define NUMBER_MAX 63

/*
 * Names stand in the records themselves: such tables need no relocation when the library is loaded.
 */
struct symbol_name {
	char name[28];
	struct symbol symbol;
};

#define FACT(name, fact)                        \
	{                                       \
		name,                           \
		{                               \
			SYMBOL_FACT, fact, 0, 0 \
		}                               \
	}
#define RULE(name, rule, fact)           \
	{                                \
		name,                    \
		{                        \
			rule, fact, 0, 0 \
		}                        \
	}

/* In the order of strcmp(). */
static const struct symbol_name symbols[] = {
	RULE("ColorPipeTotalCount", SYMBOL_PIXEL_PIPES, GPU_SLICES),
	FACT("ComputeEngineTotalCount", GPU_COMPUTE_ENGINES),
	RULE("CopyEngineTotalCount", SYMBOL_COPY_ENGINES, GPU_L3_BANKS),
	RULE("DepthPipeTotalCount", SYMBOL_PIXEL_PIPES, GPU_SLICES),
	FACT("DualSubsliceMask", GPU_SUBSLICES),
	RULE("EuCoresPerSubsliceCount", SYMBOL_EUS_PER_SUBSLICE, GPU_EUS),
	FACT("EuCoresTotalCount", GPU_EUS),
	RULE("EuDualSubslicesTotalCount", SYMBOL_COUNT, GPU_SUBSLICES),
	RULE("EuSlicesTotalCount", SYMBOL_COUNT, GPU_SLICES),
	RULE("EuSubslicesTotalCount", SYMBOL_COUNT, GPU_SUBSLICES),
	FACT("EuThreadsCount", GPU_THREADS),
	RULE("GeometryPipeTotalCount", SYMBOL_PIPES, GPU_SLICES),
	FACT("GpuMaxFrequency", GPU_MAX_FREQUENCY),
	RULE("GpuMaxFrequencyMHz", SYMBOL_MHZ, GPU_MAX_FREQUENCY),
	FACT("GpuMinFrequency", GPU_MIN_FREQUENCY),
	RULE("GpuMinFrequencyMHz", SYMBOL_MHZ, GPU_MIN_FREQUENCY),
	FACT("GpuTimestampFrequency", GPU_TIMESTAMP_FREQUENCY),
	FACT("GtDualSubsliceMask", GPU_SUBSLICES),
	FACT("GtL3BankMask", GPU_L3_BANKS),
	RULE("GtL3NodeMask", SYMBOL_L3_NODE_MASK, GPU_L3_BANKS),
	FACT("GtSliceMask", GPU_SLICES),
	FACT("GtSubsliceMask", GPU_SUBSLICES),
	FACT("GtXeCoreMask", GPU_SUBSLICES),
	FACT("L3BankMask", GPU_L3_BANKS),
	RULE("L3BankTotalCount", SYMBOL_COUNT, GPU_L3_BANKS),
	RULE("L3NodeMask", SYMBOL_L3_NODE_MASK, GPU_L3_BANKS),
	RULE("L3NodeTotalCount", SYMBOL_L3_NODES, GPU_L3_BANKS),
	RULE("QueryMode", SYMBOL_QUERY_MODE, 0),
	FACT("SkuRevisionId", GPU_REVISION),
	FACT("SliceMask", GPU_SLICES),
	RULE("SliceTotalCount", SYMBOL_COUNT, GPU_SLICES),
	RULE("SqidiTotalCount", SYMBOL_SQIDIS, GPU_L3_BANKS),
	FACT("SubsliceMask", GPU_SUBSLICES),
	RULE("VectorEngineGrfBlocksCount", SYMBOL_GRF_BLOCKS, GPU_THREADS),
	RULE("VectorEnginePerXeCoreCount", SYMBOL_EUS_PER_SUBSLICE, GPU_EUS),
	FACT("VectorEngineThreadsCount", GPU_THREADS),
	FACT("VectorEngineTotalCount", GPU_EUS),
	FACT("XeCoreMask", GPU_SUBSLICES),
	RULE("XeCoreTotalCount", SYMBOL_COUNT, GPU_SUBSLICES),
};

/* Names with numbers in them, at each '#'. */
static const struct symbol_name families[] = {
	RULE("GtL3Bank#", SYMBOL_BIT, GPU_L3_BANKS),
	RULE("GtL3Node#", SYMBOL_L3_NODE, GPU_L3_BANKS),
	RULE("GtSlice#", SYMBOL_BIT, GPU_SLICES),
	RULE("GtSlice#DualSubslice#", SYMBOL_SUBSLICE, GPU_SUBSLICES),
	RULE("GtSlice#XeCore#", SYMBOL_SUBSLICE, GPU_SUBSLICES),
	RULE("GtXeCore#", SYMBOL_BIT, GPU_SUBSLICES),
};

/* A number as it is printed, without zeros before it, up to NUMBER_MAX. */
static const char *match_number(const char *name, uint8_t *number)
{
	const char *first = name;
	unsigned int value = 0;

	for (; *name >= '0' && *name <= '9' && value <= NUMBER_MAX; name++)
		value = 10 * value + (unsigned int)(*name - '0');
	if (name == first || value > NUMBER_MAX || (*first == '0' && name > first + 1))
		return NULL;
	*number = (uint8_t)value;
	return name;
}

/* The last number is .number, one before it .slice. */
static bool match(const char *pattern, const char *name, struct symbol *symbol)
{
	symbol->slice = symbol->number = 0;
	for (; *pattern; pattern++) {
		if (*pattern == '#') {
			symbol->slice = symbol->number;
			name = match_number(name, &symbol->number);
			if (!name)
				return false;
		} else if (*name++ != *pattern) {
			return false;
		}
	}
	return !*name;
}

static int compare_name(const void *name, const void *symbol)
{
	return strcmp(name, ((const struct symbol_name *)symbol)->name);
}

struct symbol symbol_find(const char *name)
{
	const struct symbol_name *found = bsearch(name, symbols,
						  sizeof(symbols) / sizeof(symbols[0]),
						  sizeof(symbols[0]), compare_name);

	if (found)
		return found->symbol;
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
		struct symbol symbol = families[i].symbol;

		if (match(families[i].name, name, &symbol))
			return symbol;
	}
	return (struct symbol){ .rule = SYMBOL_UNKNOWN };
}

static uint64_t count_bits(uint64_t mask)
{
	return (uint64_t)__builtin_popcountll(mask);
}

/* Bit n: any of bits @size * n .. @size * n + @size - 1. */
static uint64_t groups_of(uint64_t mask, unsigned int size)
{
	uint64_t groups = 0;

	for (unsigned int bit = 0; bit < 64; bit++)
		groups |= (mask >> bit & 1) << bit / size;
	return groups;
}

static uint64_t divide(uint64_t sum, uint64_t count)
{
	return count ? sum / count : 0;
}

static uint64_t subslice_there(struct symbol symbol, const struct gpu *gpu)
{
	uint64_t stride = gpu->facts[GPU_SUBSLICE_STRIDE];
	uint64_t bit = symbol.slice * stride + symbol.number;

	if (symbol.number >= stride || bit >= 64)
		return 0;
	return gpu->facts[GPU_SUBSLICES] >> bit & 1;
}

static uint64_t calculate(struct symbol symbol, const struct gpu *gpu)
{
	uint64_t fact = gpu->facts[symbol.fact];
	uint64_t nodes = groups_of(fact, BANKS_PER_NODE);

	switch ((enum symbol_rule)symbol.rule) {
	case SYMBOL_FACT:
		return fact;
	case SYMBOL_MHZ:
		return fact / 1000000;
	case SYMBOL_COUNT:
		return count_bits(fact);
	case SYMBOL_BIT:
		return fact >> symbol.number & 1;
	case SYMBOL_SUBSLICE:
		return subslice_there(symbol, gpu);
	case SYMBOL_EUS_PER_SUBSLICE:
		return divide(fact, count_bits(gpu->facts[GPU_SUBSLICES]));
	case SYMBOL_GRF_BLOCKS:
		return fact > 8 ? 32 : 64;
	case SYMBOL_PIPES:
		return gpu->facts[GPU_GEOMETRY_PIPES] * count_bits(fact);
	case SYMBOL_PIXEL_PIPES:
		return (gpu->facts[GPU_SUBSLICE_STRIDE] > 2 ? 2 : 1) * count_bits(fact);
	case SYMBOL_L3_NODE_MASK:
		return nodes;
	case SYMBOL_L3_NODES:
		return count_bits(nodes);
	case SYMBOL_L3_NODE:
		return symbol.number < NODES ? nodes >> symbol.number & 1 : 0;
	case SYMBOL_SQIDIS:
		return gpu->facts[GPU_SQIDIS] ? gpu->facts[GPU_SQIDIS] : count_bits(nodes);
	case SYMBOL_COPY_ENGINES:
		return count_bits(groups_of(nodes, 2));
	case SYMBOL_QUERY_MODE: /* this library reads streams */
	case SYMBOL_UNKNOWN:
		break;
	}
	return 0;
}

/* The second fact that a value depends on, or the first one again. */
static enum gpu_fact other_fact(struct symbol symbol)
{
	switch ((enum symbol_rule)symbol.rule) {
	case SYMBOL_SUBSLICE:
	case SYMBOL_PIXEL_PIPES:
		return GPU_SUBSLICE_STRIDE;
	case SYMBOL_EUS_PER_SUBSLICE:
		return GPU_SUBSLICES;
	case SYMBOL_PIPES:
		return GPU_GEOMETRY_PIPES;
	default:
		return symbol.fact;
	}
}

enum gpuoa_origin symbol_value(struct symbol symbol, const struct gpu *gpu, uint64_t *value)
{
	enum gpuoa_origin origin = gpu->origins[symbol.fact];
	enum gpuoa_origin other = gpu->origins[other_fact(symbol)];

	*value = 0;
	if (symbol.rule == SYMBOL_UNKNOWN)
		return GPUOA_ORIGIN_NONE;
	if (symbol.rule == SYMBOL_QUERY_MODE)
		return GPUOA_ORIGIN_DERIVED;
	if (origin == GPUOA_ORIGIN_NONE || other == GPUOA_ORIGIN_NONE)
		return GPUOA_ORIGIN_NONE;
	*value = calculate(symbol, gpu);
	if (symbol.rule == SYMBOL_FACT)
		return origin;
	return origin == GPUOA_ORIGIN_ASSUMED || other == GPUOA_ORIGIN_ASSUMED ?
		       GPUOA_ORIGIN_ASSUMED :
		       GPUOA_ORIGIN_DERIVED;
}

enum gpuoa_constant_kind symbol_kind(struct symbol symbol)
{
	switch ((enum symbol_rule)symbol.rule) {
	case SYMBOL_FACT:
		break;
	case SYMBOL_BIT:
	case SYMBOL_SUBSLICE:
	case SYMBOL_L3_NODE:
		return GPUOA_CONSTANT_FLAG;
	case SYMBOL_L3_NODE_MASK:
		return GPUOA_CONSTANT_MASK;
	case SYMBOL_MHZ:
	case SYMBOL_QUERY_MODE:
	case SYMBOL_UNKNOWN:
		return GPUOA_CONSTANT_NUMBER;
	default:
		return GPUOA_CONSTANT_COUNT;
	}
	switch ((enum gpu_fact)symbol.fact) {
	case GPU_TIMESTAMP_FREQUENCY:
	case GPU_MIN_FREQUENCY:
	case GPU_MAX_FREQUENCY:
		return GPUOA_CONSTANT_FREQUENCY;
	case GPU_SLICES:
	case GPU_SUBSLICES:
	case GPU_L3_BANKS:
		return GPUOA_CONSTANT_MASK;
	case GPU_REVISION:
		return GPUOA_CONSTANT_NUMBER;
	default:
		return GPUOA_CONSTANT_COUNT;
	}
}
