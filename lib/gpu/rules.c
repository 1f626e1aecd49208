// SPDX-License-Identifier: MIT
/* rules.c - rules that derive the value of each constant from the facts of a GPU */
#include "gpu/rules.h"

#include <stdlib.h>
#include <string.h>

#include "base/chars.h"
#include "gpu/platforms.h"

#define BANKS_PER_NODE 4 /* usually */
#define NUMBER_MAX 63 /* largest number of a slice, and of other parts with masks of 64 bits */
#define SUBSLICE_MAX 127

/* Numbers of units that MDAPI assumes for all GPUs */
#define RENDER_OUTPUTS_OF_SLICE 4
#define SHADING_UNITS_OF_THREAD 4

/*
 * A name and its rule. Names are stored in the records, so that tables need no relocation when the
 * library is loaded.
 */
struct named_rule {
	char name[28];
	struct rule rule;
};

#define FACT(name, fact)                      \
	{                                     \
		name,                         \
		{                             \
			RULE_FACT, fact, 0, 0 \
		}                             \
	}
#define RULE(name, rule, fact)           \
	{                                \
		name,                    \
		{                        \
			rule, fact, 0, 0 \
		}                        \
	}

#define ABSENT(name) RULE(name, RULE_ABSENT, 0)

/* In the order of strcmp(). */
static const struct named_rule rules[] = {
	ABSENT("ApertureSize"),
	ABSENT("Capabilities"),
	RULE("ColorPipeTotalCount", RULE_PIXEL_PIPES, GPU_SLICES),
	FACT("ComputeEngineTotalCount", GPU_COMPUTE_ENGINES),
	RULE("CopyEngineMask", RULE_COPY_ENGINE_MASK, GPU_L3_BANKS),
	RULE("CopyEngineTotalCount", RULE_COPY_ENGINES, GPU_L3_BANKS),
	RULE("DepthPipeTotalCount", RULE_PIXEL_PIPES, GPU_SLICES),
	FACT("DualSubsliceMask", GPU_SUBSLICES),
	ABSENT("EdramSize"),
	RULE("EuCoresPerSubsliceCount", RULE_EUS_PER_SUBSLICE, GPU_EUS),
	FACT("EuCoresTotalCount", GPU_EUS),
	RULE("EuDualSubslicesTotalCount", RULE_COUNT, GPU_SUBSLICES),
	RULE("EuSlicesTotalCount", RULE_COUNT, GPU_SLICES),
	RULE("EuSubslicesTotalCount", RULE_COUNT, GPU_SUBSLICES),
	FACT("EuThreadsCount", GPU_THREADS),
	RULE("GeometryPipeTotalCount", RULE_PIPES, GPU_SLICES),
	ABSENT("GpuCurrentFrequencyMHz"),
	ABSENT("GpuFrequencyOverrideEnabled"),
	FACT("GpuMaxFrequency", GPU_MAX_FREQUENCY),
	RULE("GpuMaxFrequencyMHz", RULE_MHZ, GPU_MAX_FREQUENCY),
	FACT("GpuMinFrequency", GPU_MIN_FREQUENCY),
	RULE("GpuMinFrequencyMHz", RULE_MHZ, GPU_MIN_FREQUENCY),
	FACT("GpuTimestampFrequency", GPU_TIMESTAMP_FREQUENCY),
	RULE("GtCopyEngineMask", RULE_COPY_ENGINE_MASK, GPU_L3_BANKS),
	FACT("GtDualSubsliceMask", GPU_SUBSLICES),
	FACT("GtL3BankMask", GPU_L3_BANKS),
	RULE("GtL3NodeMask", RULE_L3_NODE_MASK, GPU_L3_BANKS),
	FACT("GtSliceMask", GPU_SLICES),
	RULE("GtSqidiMask", RULE_SQIDI_MASK, GPU_L3_BANKS),
	FACT("GtSubsliceMask", GPU_SUBSLICES),
	FACT("GtXeCoreMask", GPU_SUBSLICES),
	FACT("L3BankMask", GPU_L3_BANKS),
	RULE("L3BankTotalCount", RULE_COUNT, GPU_L3_BANKS),
	RULE("L3NodeMask", RULE_L3_NODE_MASK, GPU_L3_BANKS),
	RULE("L3NodeTotalCount", RULE_L3_NODES, GPU_L3_BANKS),
	ABSENT("L3Size"),
	ABSENT("LLCSize"),
	RULE("MaxTimestamp", RULE_MAX_TIMESTAMP, GPU_TIMESTAMP_BITS),
	FACT("MediaOABufferMaxSize", GPU_MEDIA_BUFFER_MAX),
	FACT("MediaOABufferMinSize", GPU_MEDIA_BUFFER_MIN),
	ABSENT("MemoryPeakThroghputMB"),
	RULE("NumberOfRenderOutputUnits", RULE_RENDER_OUTPUTS, GPU_SLICES),
	RULE("NumberOfShadingUnits", RULE_SHADING_UNITS, GPU_THREADS),
	FACT("OABufferMaxSize", GPU_BUFFER_MAX),
	FACT("OABufferMinSize", GPU_BUFFER_MIN),
	ABSENT("PavpDisabled"),
	FACT("PciDeviceId", GPU_DEVICE_ID),
	RULE("PlatformIndex", RULE_PLATFORM_INDEX, GPU_DEVICE_ID),
	RULE("PlatformVersion", RULE_PLATFORM_VERSION, GPU_DEVICE_ID),
	RULE("QueryMode", RULE_QUERY_MODE, 0),
	RULE("SamplersTotalCount", RULE_COUNT, GPU_SUBSLICES),
	FACT("SkuRevisionId", GPU_REVISION),
	FACT("SliceMask", GPU_SLICES),
	RULE("SliceTotalCount", RULE_COUNT, GPU_SLICES),
	RULE("SqidiMask", RULE_SQIDI_MASK, GPU_L3_BANKS),
	RULE("SqidiTotalCount", RULE_SQIDIS, GPU_L3_BANKS),
	FACT("SubsliceMask", GPU_SUBSLICES),
	RULE("VectorEngineGrfBlocksCount", RULE_GRF_BLOCKS, GPU_THREADS),
	RULE("VectorEnginePerXeCoreCount", RULE_EUS_PER_SUBSLICE, GPU_EUS),
	FACT("VectorEngineThreadsCount", GPU_THREADS),
	FACT("VectorEngineTotalCount", GPU_EUS),
	FACT("XeCoreMask", GPU_SUBSLICES),
	RULE("XeCoreTotalCount", RULE_COUNT, GPU_SUBSLICES),
};

/* Patterns of names that contain numbers; '#' stands for a number. */
static const struct named_rule families[] = {
	RULE("GtCopyEngine#", RULE_COPY_ENGINE, GPU_L3_BANKS),
	RULE("GtL3Bank#", RULE_BIT, GPU_L3_BANKS),
	RULE("GtL3Node#", RULE_L3_NODE, GPU_L3_BANKS),
	RULE("GtSlice#", RULE_BIT, GPU_SLICES),
	RULE("GtSlice#DualSubslice#", RULE_SUBSLICE, GPU_SUBSLICES),
	RULE("GtSlice#XeCore#", RULE_SUBSLICE, GPU_SUBSLICES),
	RULE("GtSqidi#", RULE_SQIDI, GPU_L3_BANKS),
	RULE("GtXeCore#", RULE_BIT, GPU_SUBSLICES),
};

/* Match a decimal number without leading zeros, up to SUBSLICE_MAX. */
static const char *match_number(const char *name, uint8_t *number)
{
	const char *first = name;
	unsigned int value = 0;

	for (; is_digit(*name) && value <= SUBSLICE_MAX; name++)
		value = 10 * value + (unsigned int)(*name - '0');
	if (name == first || value > SUBSLICE_MAX || (*first == '0' && name > first + 1))
		return NULL;
	*number = (uint8_t)value;
	return name;
}

/*
 * Match a name with a pattern. The last number in the name becomes .number, the number before it
 * .slice; both are 0 before.
 */
static bool match(const char *pattern, const char *name, struct rule *rule)
{
	for (; *pattern; pattern++) {
		if (*pattern == '#') {
			rule->slice = rule->number;
			name = match_number(name, &rule->number);
			if (!name)
				return false;
		} else if (*name++ != *pattern) {
			return false;
		}
	}
	return !*name;
}

static int compare_name(const void *name, const void *rule)
{
	return strcmp(name, ((const struct named_rule *)rule)->name);
}

struct rule rule_find(const char *name)
{
	const struct named_rule *found = bsearch(name, rules, sizeof(rules) / sizeof(rules[0]),
						 sizeof(rules[0]), compare_name);

	if (found)
		return found->rule;
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
		struct rule rule = families[i].rule;

		if (match(families[i].name, name, &rule) && rule.slice <= NUMBER_MAX &&
		    (rule.number <= NUMBER_MAX || rule.fact == GPU_SUBSLICES))
			return rule;
	}
	return (struct rule){ .kind = RULE_UNKNOWN };
}

static uint64_t count_bits(uint64_t mask)
{
	return (uint64_t)__builtin_popcountll(mask);
}

/*
 * Combine each @size bits of a mask into one: bit n of the result is set if one of bits @size * n
 * to @size * n + @size - 1 is set.
 */
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

/* Return the mask of SQIDIs: one for each L3 node, or a fixed number for the platform. */
static uint64_t sqidi_mask(const struct gpu *gpu, uint64_t nodes)
{
	const uint64_t count = gpu->facts[GPU_SQIDIS];

	return count ? (UINT64_C(1) << count) - 1 : nodes;
}

/*
 * Return the time after which timestamps wrap. They have 32 or 56 bits; the calculation uses 128
 * bits because 2^56 ticks in ns overflow 64 bits.
 */
static uint64_t max_timestamp(uint64_t bits, uint64_t frequency)
{
	const unsigned __int128 ns = ((unsigned __int128)1 << bits) * 1000000000;

	if (!frequency || bits > 63 || ns / frequency > UINT64_MAX)
		return UINT64_MAX;
	return (uint64_t)(ns / frequency);
}

static uint64_t bit_of(uint64_t mask, unsigned int number)
{
	return mask >> number & 1;
}

/* Return bit @bit of a mask. The mask of subslices has up to 128 bits, other masks have 64. */
static uint64_t bit_of_fact(const struct gpu *gpu, enum gpu_fact fact, uint64_t bit)
{
	if (fact == GPU_SUBSLICES && bit >= 64)
		return bit < 128 ? bit_of(gpu->facts[GPU_SUBSLICES_HIGH], bit - 64) : 0;
	return bit_of(gpu->facts[fact], bit);
}

static uint64_t count_of_fact(const struct gpu *gpu, enum gpu_fact fact)
{
	return count_bits(gpu->facts[fact]) +
	       (fact == GPU_SUBSLICES ? count_bits(gpu->facts[GPU_SUBSLICES_HIGH]) : 0);
}

static uint64_t subslice_there(struct rule rule, const struct gpu *gpu)
{
	uint64_t stride = gpu->facts[GPU_SUBSLICE_STRIDE];

	if (rule.number >= stride)
		return 0;
	return bit_of_fact(gpu, GPU_SUBSLICES, rule.slice * stride + rule.number);
}

/* Return the number of EUs per subslice. On some platforms, MDAPI counts a dual subslice as two. */
static uint64_t eus_per_subslice(const struct gpu *gpu, uint64_t eus)
{
	const uint64_t subslices = count_of_fact(gpu, GPU_SUBSLICES);

	return divide(eus, gpu->platform ? gpu->platform->mdapi_subslices * subslices : subslices);
}

/*
 * Return the value of a rule that depends on the platform, and on the PCI id if MDAPI has several
 * versions of the platform.
 */
static enum gpuoa_provenance platform_value(struct rule rule, const struct gpu *gpu,
					    uint64_t *value)
{
	int number = -1;

	if (gpu->platform && rule.kind == RULE_PLATFORM_INDEX)
		number = gpu->platform->mdapi_index ? gpu->platform->mdapi_index : -1;
	else if (gpu->platform)
		number = gpu_mdapi_version(gpu->platform, gpu_knows(gpu, GPU_DEVICE_ID) ?
								  gpu->facts[GPU_DEVICE_ID] :
								  0);
	*value = number < 0 ? 0 : (uint64_t)number;
	return number < 0 ? GPUOA_PROVENANCE_NONE : GPUOA_PROVENANCE_DERIVED;
}

static uint64_t calculate(struct rule rule, const struct gpu *gpu)
{
	uint64_t fact = gpu->facts[rule.fact];
	uint64_t nodes = groups_of(fact, gpu->facts[GPU_NODE_BANKS] ?
						 (unsigned int)gpu->facts[GPU_NODE_BANKS] :
						 BANKS_PER_NODE);

	switch ((enum rule_kind)rule.kind) {
	case RULE_FACT:
		return fact;
	case RULE_MHZ:
		return fact / 1000000;
	case RULE_COUNT:
		return count_of_fact(gpu, rule.fact);
	case RULE_BIT:
		return bit_of_fact(gpu, rule.fact, rule.number);
	case RULE_SUBSLICE:
		return subslice_there(rule, gpu);
	case RULE_EUS_PER_SUBSLICE:
		return eus_per_subslice(gpu, fact);
	case RULE_RENDER_OUTPUTS:
		return RENDER_OUTPUTS_OF_SLICE * count_bits(fact);
	case RULE_SHADING_UNITS:
		return SHADING_UNITS_OF_THREAD * fact;
	case RULE_GRF_BLOCKS:
		return fact > 8 ? 32 : 64;
	case RULE_PIPES:
		return gpu->facts[GPU_GEOMETRY_PIPES] * count_bits(fact);
	case RULE_PIXEL_PIPES:
		return (gpu->facts[GPU_SUBSLICE_STRIDE] > 2 ? 2 : 1) * count_bits(fact);
	case RULE_L3_NODE_MASK:
		return nodes;
	case RULE_L3_NODES:
		return count_bits(nodes);
	case RULE_L3_NODE:
		return bit_of(nodes, rule.number);
	case RULE_SQIDIS:
		return gpu->facts[GPU_SQIDIS] ? gpu->facts[GPU_SQIDIS] : count_bits(nodes);
	case RULE_SQIDI_MASK:
		return sqidi_mask(gpu, nodes);
	case RULE_SQIDI:
		return bit_of(sqidi_mask(gpu, nodes), rule.number);
	case RULE_COPY_ENGINES:
		return count_bits(groups_of(nodes, 2));
	case RULE_COPY_ENGINE_MASK:
		return groups_of(nodes, 2);
	case RULE_COPY_ENGINE:
		return bit_of(groups_of(nodes, 2), rule.number);
	case RULE_MAX_TIMESTAMP:
		return max_timestamp(fact, gpu->facts[GPU_TIMESTAMP_FREQUENCY]);
	case RULE_PLATFORM_INDEX: /* platform_value() */
	case RULE_PLATFORM_VERSION:
	case RULE_ABSENT:
	case RULE_QUERY_MODE: /* stored in the constants, not derived from facts */
	case RULE_UNKNOWN:
		break;
	}
	return 0;
}

/* Return the second fact that a value depends on; if there is only one, return that one. */
static enum gpu_fact other_fact(struct rule rule)
{
	switch ((enum rule_kind)rule.kind) {
	case RULE_SUBSLICE:
	case RULE_PIXEL_PIPES:
		return GPU_SUBSLICE_STRIDE;
	case RULE_EUS_PER_SUBSLICE:
		return GPU_SUBSLICES;
	case RULE_PIPES:
		return GPU_GEOMETRY_PIPES;
	case RULE_MAX_TIMESTAMP:
		return GPU_TIMESTAMP_FREQUENCY;
	default:
		return rule.fact;
	}
}

enum gpuoa_provenance rule_value(struct rule rule, const struct gpu *gpu, uint64_t *value)
{
	enum gpuoa_provenance provenance = gpu->provenances[rule.fact];
	enum gpuoa_provenance other = gpu->provenances[other_fact(rule)];

	*value = 0;
	if (rule.kind == RULE_UNKNOWN || rule.kind == RULE_ABSENT)
		return GPUOA_PROVENANCE_NONE;
	if (rule.kind == RULE_QUERY_MODE)
		return GPUOA_PROVENANCE_DERIVED;
	if (rule.kind == RULE_PLATFORM_INDEX || rule.kind == RULE_PLATFORM_VERSION)
		return platform_value(rule, gpu, value);
	if (provenance == GPUOA_PROVENANCE_NONE || other == GPUOA_PROVENANCE_NONE)
		return GPUOA_PROVENANCE_NONE;
	*value = calculate(rule, gpu);
	if (rule.kind == RULE_FACT)
		return provenance;
	return provenance == GPUOA_PROVENANCE_ASSUMED || other == GPUOA_PROVENANCE_ASSUMED ?
		       GPUOA_PROVENANCE_ASSUMED :
		       GPUOA_PROVENANCE_DERIVED;
}

enum gpuoa_constant_kind rule_constant_kind(struct rule rule)
{
	switch ((enum rule_kind)rule.kind) {
	case RULE_FACT:
		break;
	case RULE_BIT:
	case RULE_SUBSLICE:
	case RULE_L3_NODE:
	case RULE_SQIDI:
	case RULE_COPY_ENGINE:
		return GPUOA_CONSTANT_FLAG;
	case RULE_L3_NODE_MASK:
	case RULE_SQIDI_MASK:
	case RULE_COPY_ENGINE_MASK:
		return GPUOA_CONSTANT_MASK;
	case RULE_MHZ:
	case RULE_QUERY_MODE:
	case RULE_MAX_TIMESTAMP:
	case RULE_ABSENT:
	case RULE_UNKNOWN:
		return GPUOA_CONSTANT_NUMBER;
	default:
		return GPUOA_CONSTANT_COUNT;
	}
	switch ((enum gpu_fact)rule.fact) {
	case GPU_TIMESTAMP_FREQUENCY:
	case GPU_MIN_FREQUENCY:
	case GPU_MAX_FREQUENCY:
		return GPUOA_CONSTANT_FREQUENCY;
	case GPU_SLICES:
	case GPU_SUBSLICES:
	case GPU_L3_BANKS:
		return GPUOA_CONSTANT_MASK;
	case GPU_REVISION:
	case GPU_DEVICE_ID:
	case GPU_BUFFER_MIN:
	case GPU_BUFFER_MAX:
	case GPU_MEDIA_BUFFER_MIN:
	case GPU_MEDIA_BUFFER_MAX:
		return GPUOA_CONSTANT_NUMBER;
	default:
		return GPUOA_CONSTANT_COUNT;
	}
}

bool rule_is_total(struct rule rule)
{
	switch ((enum rule_kind)rule.kind) {
	case RULE_COUNT:
	case RULE_PIPES:
	case RULE_PIXEL_PIPES:
	case RULE_L3_NODES:
	case RULE_SQIDIS:
	case RULE_COPY_ENGINES:
		return true;
	case RULE_FACT:
		return rule.fact == GPU_EUS || rule.fact == GPU_COMPUTE_ENGINES;
	default:
		return false;
	}
}

uint64_t rule_usual_value(const char *platform, const char *constant)
{
	struct gpu gpu = { .platform = gpu_platform_find(platform) };
	uint64_t value;

	gpu_complete(&gpu, true);
	rule_value(rule_find(constant), &gpu, &value);
	return value;
}
