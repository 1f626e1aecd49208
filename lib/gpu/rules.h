/* SPDX-License-Identifier: MIT */
/* rules.h - rules that derive the value of each constant from the facts of a GPU */
#ifndef GPUOA_LIB_GPU_RULES_H
#define GPUOA_LIB_GPU_RULES_H

#include "base/private.h"
#include "gpu/gpu.h"

enum rule_kind {
	RULE_UNKNOWN, /* no rule: only the user can set the value */
	RULE_FACT, /* the value is that of the fact; if the constant is set, the fact is set */
	RULE_MHZ, /* the fact in MHz */
	RULE_COUNT, /* number of set bits in the mask */
	RULE_BIT, /* bit @number of the mask */
	RULE_SUBSLICE, /* bit @number of slice @slice in the subslice mask */
	RULE_EUS_PER_SUBSLICE,
	RULE_RENDER_OUTPUTS, /* of all slices */
	RULE_SHADING_UNITS,
	RULE_PLATFORM_INDEX, /* number in MDAPI's enumeration */
	RULE_PLATFORM_VERSION, /* version of the platform by PCI id, if MDAPI has several */
	RULE_GRF_BLOCKS,
	RULE_PIPES, /* geometry */
	RULE_PIXEL_PIPES, /* color and depth */
	RULE_L3_NODE_MASK, /* a node has four banks */
	RULE_L3_NODES,
	RULE_L3_NODE, /* node @number */
	RULE_SQIDIS, /* one SQIDI per L3 node, or a fixed number for the platform */
	RULE_SQIDI_MASK,
	RULE_SQIDI, /* SQIDI @number */
	RULE_COPY_ENGINES, /* one for two nodes */
	RULE_COPY_ENGINE_MASK,
	RULE_COPY_ENGINE, /* engine @number */
	RULE_MAX_TIMESTAMP, /* time in ns after which the timestamps of reports wrap */
	RULE_ABSENT, /* a constant of MDAPI for which no driver reports a value */
	RULE_QUERY_MODE,
};

struct rule {
	uint8_t kind; /* enum rule_kind */
	uint8_t fact; /* enum gpu_fact */
	uint8_t slice;
	uint8_t number;
};

/* Find the rule for a name. Several names can have the same rule. */
struct rule rule_find(const char *name);

static inline bool rule_same(struct rule a, struct rule b)
{
	return a.kind != RULE_UNKNOWN && a.kind != RULE_ABSENT && a.kind == b.kind &&
	       a.fact == b.fact && a.slice == b.slice && a.number == b.number;
}

/*
 * Compute the value of a constant on a GPU. Returns the provenance of the value, or
 * GPUOA_PROVENANCE_NONE if needed facts are missing.
 */
enum gpuoa_provenance rule_value(struct rule rule, const struct gpu *gpu, uint64_t *value);

/*
 * Return the value of a constant on the usual part of a platform; 0 if it is unknown. The
 * platform's definitions need not have such a constant.
 */
uint64_t rule_usual_value(const char *platform, const char *constant)
	GPUOA_PRIVATE(rule_usual_value);

enum gpuoa_constant_kind rule_constant_kind(struct rule rule);

/*
 * Returns whether the constant counts parts of the whole GPU, so that the values of two GPUs can be
 * added.
 */
bool rule_is_total(struct rule rule);

#endif /* GPUOA_LIB_GPU_RULES_H */
