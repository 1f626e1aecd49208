/* SPDX-License-Identifier: MIT */
/*
 * chain.h - arithmetic of a whole tile that stays in registers: chains of links.
 *
 * A chain works on a strip, as many rows as eight vectors hold, and then on the next strip of the
 * tile. Its value is in the registers from the first link to the last: each link is a function that
 * makes a new value of it, with an operand from memory, or puts it somewhere; and then jumps to the
 * next. Nothing is stored between two steps, and what to do is looked up once for eight vectors. A
 * link that loads a value begins anew.
 */
#ifndef GPUOA_LIB_CALC_COLUMNS_CHAIN_H
#define GPUOA_LIB_CALC_COLUMNS_CHAIN_H

#include "calc/columns/column.h"

/* What links do, but for steps. */
enum chain_task {
	CHAIN_WIDEN, /* begin with a lane */
	CHAIN_LOAD, /* begin with a column */
	CHAIN_ADD_LANE,
	CHAIN_ADD_FITS, /* a step, and tell if a result is not below 2^52 */
	CHAIN_MULTIPLY_FITS,
	CHAIN_STORE, /* to a column */
	CHAIN_SUMMARIZE,
	CHAIN_PUT_FLOATS, /* to a slot */
	CHAIN_PUT_FLOAT_WORDS, /* 32 bits of zero above each float */
	CHAIN_PUT_INTEGERS,
	CHAIN_FETCH, /* prefetch; nothing is in the registers */
	CHAIN_END,
	CHAIN_TASK_COUNT,
};

/* Where the results of a tile go. */
struct chain_slot {
	char *values; /* of the tile's first row; NULL: nowhere */
	bool stream; /* past the caches */
};

/* What is prefetched while chains run */
struct chain_fetch {
	const char *next;
	const char *end;
	size_t share; /* of each link */
};

struct chain_link {
	void (*run)(void); /* in truth of a type that only the vector code knows */
	const void *b; /* operands: columns, or dwords of a lane */
	const double *c;
	void *out; /* column, summary, slot, fetch; of ..._FITS a word, which is not 0 if one
		      doesn't */
};

/* A sum of lanes times a factor. */
struct lane_sum {
	const struct lane *lanes; /* of all of the tile */
	const uint16_t *numbers; /* of those that are added; all sums are below 2^32 */
	uint32_t count;
	uint32_t factor;
};

/* The least and the largest sums, before they are multiplied. */
struct lane_bounds {
	_Alignas(64) uint32_t least[LANE_BLOCK];
	uint32_t largest[LANE_BLOCK];
};

/* The vector code for chains. Tiles are whole. */
struct chain_ops {
	uint32_t strips; /* of a tile */
	void (*task[CHAIN_TASK_COUNT])(void);
	void (*step[STEP_COUNT])(void);
	void (*run)(const struct chain_link *first);

	/* What takes no chain: integers all the way. */
	void (*put_lanes)(const struct chain_slot *slot, const struct lane_sum *sum);
	void (*bound_lanes)(struct lane_bounds *bounds, const struct lane_sum *sum);
};

#endif /* GPUOA_LIB_CALC_COLUMNS_CHAIN_H */
