/* SPDX-License-Identifier: MIT */
/*
 * rules.h - the rule behind each name of a constant: how its value follows from the facts of a GPU.
 */
#ifndef GPUOA_LIB_GPU_RULES_H
#define GPUOA_LIB_GPU_RULES_H

#include "gpu/gpu.h"

enum rule_kind {
	RULE_UNKNOWN, /* the value is what the user says */
	RULE_FACT, /* the fact itself: can be given */
	RULE_MHZ, /* likewise, in MHz */
	RULE_COUNT, /* bits of the mask */
	RULE_BIT, /* one bit of it, the @number'th */
	RULE_SUBSLICE, /* bit @number of slice @slice in the subslice mask */
	RULE_EUS_PER_SUBSLICE,
	RULE_RENDER_OUTPUTS, /* of all slices */
	RULE_SHADING_UNITS,
	RULE_PLATFORM_INDEX, /* in MDAPI's enumeration */
	RULE_PLATFORM_VERSION, /* by PCI id, where MDAPI knows several */
	RULE_GRF_BLOCKS,
	RULE_PIPES, /* geometry */
	RULE_PIXEL_PIPES, /* color and depth */
	RULE_L3_NODE_MASK, /* a node has four banks */
	RULE_L3_NODES,
	RULE_L3_NODE, /* the @number'th */
	RULE_SQIDIS, /* one for each node, or a number of its own */
	RULE_SQIDI_MASK,
	RULE_SQIDI, /* the @number'th */
	RULE_COPY_ENGINES, /* one for two nodes */
	RULE_COPY_ENGINE_MASK,
	RULE_COPY_ENGINE, /* the @number'th */
	RULE_MAX_TIMESTAMP, /* ns after which the timestamp of reports begins at 0 again */
	RULE_ABSENT, /* a name that MDAPI has, and that nothing here tells the value of */
	RULE_QUERY_MODE,
};

struct rule {
	uint8_t kind; /* enum rule_kind */
	uint8_t fact; /* enum gpu_fact */
	uint8_t slice;
	uint8_t number;
};

/* The rule for a name. Several names can have the same rule. */
struct rule rule_find(const char *name);

static inline bool rule_same(struct rule a, struct rule b)
{
	return a.kind != RULE_UNKNOWN && a.kind != RULE_ABSENT && a.kind == b.kind &&
	       a.fact == b.fact && a.slice == b.slice && a.number == b.number;
}

/*
 * Compute the value on a GPU. Returns where it is from: GPUOA_ORIGIN_NONE if facts are missing and
 * there is no value.
 */
enum gpuoa_origin rule_value(struct rule rule, const struct gpu *gpu, uint64_t *value);

enum gpuoa_constant_kind rule_constant_kind(struct rule rule);

/* Does the constant count parts of the whole GPU, so that two GPUs together have the sum? */
bool rule_is_total(struct rule rule);

#endif /* GPUOA_LIB_GPU_RULES_H */
