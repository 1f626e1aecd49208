/* SPDX-License-Identifier: MIT */
/*
 * op_chain.h - op chains: arithmetic on a whole batch that keeps its value in registers
 *
 * A chain processes a strip, the rows that fit in eight vectors, and then the next strip of the
 * batch. Its value remains in registers from the first link to the last. A link is a function that
 * combines the value with an operand from memory, or stores it, and then jumps to the next link. No
 * intermediate value is stored, and the dispatch cost is paid once for eight vectors. A link that
 * loads a value starts a new computation.
 */
#ifndef GPUOA_LIB_CALC_COLUMNS_OP_CHAIN_H
#define GPUOA_LIB_CALC_COLUMNS_OP_CHAIN_H

#include "calc/columns/column.h"

/* Tasks of links, except steps. */
enum op_chain_task {
	OP_CHAIN_WIDEN, /* load a lane */
	OP_CHAIN_LOAD, /* load a column */
	OP_CHAIN_ADD_LANE,
	OP_CHAIN_ADD_FITS, /* a step that also detects results of 2^52 or more */
	OP_CHAIN_MULTIPLY_FITS,
	OP_CHAIN_STORE, /* store to a column */
	OP_CHAIN_SUMMARIZE,
	OP_CHAIN_PUT_FLOATS, /* write to a slot */
	OP_CHAIN_PUT_FLOAT_WORDS, /* write floats to a slot, each with 32 zero bits above it */
	OP_CHAIN_PUT_INTEGERS,
	OP_CHAIN_FETCH, /* prefetch; the registers have no value */
	OP_CHAIN_END,
	OP_CHAIN_TASK_COUNT,
};

/* Destination of the results of a batch. */
struct op_chain_slot {
	char *values; /* address for the batch's first row; NULL: none */
	bool stream; /* use non-temporal stores */
};

/* Memory to prefetch while chains run */
struct op_chain_fetch {
	const char *next;
	const char *end;
	size_t share; /* bytes for each link */
};

struct op_chain_link {
	void (*run)(void); /* a link_fn, a type private to the vector code */
	const void *b; /* operands: columns, or dwords of a lane */
	const double *c;
	/*
	 * The column, summary, slot or fetch to write to. ..._FITS set a word nonzero on overflow.
	 */
	void *out;
};

/* A sum of lanes, times a factor. */
struct lane_sum {
	const struct lane *lanes; /* all lanes of the batch */
	const uint16_t *numbers; /* indexes of the lanes to add; all sums are below 2^32 */
	uint32_t count;
	uint32_t factor;
};

/* Minimum and maximum of the sums, before the multiplication. */
struct lane_bounds {
	_Alignas(64) uint32_t least[LANE_BLOCK];
	uint32_t largest[LANE_BLOCK];
};

/* Vector code for chains; batches must be whole. */
struct op_chain_ops {
	uint32_t strips; /* number of strips in a batch */
	void (*task[OP_CHAIN_TASK_COUNT])(void);
	void (*step[STEP_COUNT])(void);
	void (*run)(const struct op_chain_link *first);

	/* Integer operations that need no chain. */
	void (*put_lanes)(const struct op_chain_slot *slot, const struct lane_sum *sum);
	void (*bound_lanes)(struct lane_bounds *bounds, const struct lane_sum *sum);
};

#endif /* GPUOA_LIB_CALC_COLUMNS_OP_CHAIN_H */
