/* SPDX-License-Identifier: MIT */
/*
 * symbols.h - names of constants, and how their values follow from the facts of a GPU.
 */
#ifndef GPUOA_SYMBOLS_H
#define GPUOA_SYMBOLS_H

#include "gpu/gpu.h"

enum symbol_rule {
	SYMBOL_UNKNOWN, /* the value is what the user says */
	SYMBOL_FACT, /* the fact itself: can be given */
	SYMBOL_MHZ, /* likewise, in MHz */
	SYMBOL_COUNT, /* bits of the mask */
	SYMBOL_BIT, /* one bit of it, the @number'th */
	SYMBOL_SUBSLICE, /* bit @number of slice @slice in the subslice mask */
	SYMBOL_EUS_PER_SUBSLICE,
	SYMBOL_GRF_BLOCKS,
	SYMBOL_PIPES, /* geometry */
	SYMBOL_PIXEL_PIPES, /* color and depth */
	SYMBOL_L3_NODE_MASK, /* a node has four banks */
	SYMBOL_L3_NODES,
	SYMBOL_L3_NODE, /* the @number'th */
	SYMBOL_SQIDIS, /* one for each node, or a number of its own */
	SYMBOL_COPY_ENGINES, /* one for two nodes */
	SYMBOL_QUERY_MODE,
};

struct symbol {
	uint8_t rule; /* enum symbol_rule */
	uint8_t fact; /* enum gpu_fact */
	uint8_t slice;
	uint8_t number;
};

/* What a name stands for; several names can stand for the same. */
struct symbol symbol_find(const char *name);

static inline bool symbol_same(struct symbol a, struct symbol b)
{
	return a.rule != SYMBOL_UNKNOWN && a.rule == b.rule && a.fact == b.fact &&
	       a.slice == b.slice && a.number == b.number;
}

/* Value on a GPU. Where it is from; GPUOA_ORIGIN_NONE, and no value, if that is not known. */
enum gpuoa_origin symbol_value(struct symbol symbol, const struct gpu *gpu, uint64_t *value);

enum gpuoa_constant_kind symbol_kind(struct symbol symbol);

#endif /* GPUOA_SYMBOLS_H */
