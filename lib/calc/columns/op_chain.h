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
	OP_CHAIN_ADD_FITS, /* add, and detect results of 2^52 or more */
	OP_CHAIN_MULTIPLY_FITS,
	OP_CHAIN_STORE, /* store to a column */
	OP_CHAIN_SUMMARIZE,
	OP_CHAIN_PUT_FLOATS, /* write to a slot */
	/* write each float to the slot as a word with 32 upper zero bits */
	OP_CHAIN_PUT_FLOAT_WORDS,
	OP_CHAIN_PUT_INTEGERS,
	OP_CHAIN_FETCH, /* prefetch memory, while the registers have no value */
	OP_CHAIN_END,
	OP_CHAIN_TASK_COUNT,
};

/* Where a chain writes the values of one output of a batch */
struct op_chain_slot {
	char *values; /* address for the value of the batch's first row; NULL: not stored */
	bool stream; /* use non-temporal stores */
};

/* Memory to prefetch while chains run */
struct op_chain_fetch {
	const char *next;
	const char *end;
	size_t share; /* bytes for each link */
};

struct op_chain_link {
	/* the link's function, a link_fn, which is declared in the vector code only */
	void (*run)(void);
	const void *b; /* the operands: columns, or the dwords of a lane */
	const double *c;
	/*
	 * Column, summary, slot or prefetch state that the link writes to. Links of a task ..._FITS
	 * write a nonzero word there on overflow.
	 */
	void *out;
};

/* An output that is a sum of lanes, times a constant factor */
struct lane_sum {
	const struct lane *lanes; /* all lanes of the batch */
	const uint16_t *numbers; /* indexes of the lanes to add; all sums are below 2^32 */
	uint32_t count;
	uint32_t factor;
};

/* Minimum and maximum of the sums of lanes, before they are multiplied by the factor */
struct lane_bounds {
	_Alignas(64) uint32_t least[LANE_BLOCK];
	uint32_t largest[LANE_BLOCK];
};

/* The vector code for chains, which processes whole batches only */
struct op_chain_ops {
	uint32_t strips; /* number of strips in a batch */
	void (*task[OP_CHAIN_TASK_COUNT])(void);
	void (*step[STEP_COUNT])(void);
	void (*run)(const struct op_chain_link *first);

	/* Operations on 32-bit integers that are performed without a chain */
	void (*put_lanes)(const struct op_chain_slot *slot, const struct lane_sum *sum);
	void (*bound_lanes)(struct lane_bounds *bounds, const struct lane_sum *sum);
};

#endif /* GPUOA_LIB_CALC_COLUMNS_OP_CHAIN_H */
