/* SPDX-License-Identifier: MIT */
/* program_place.h - convert the graph of values to a list of operations */
#ifndef GPUOA_LIB_CALC_COLUMNS_PROGRAM_PLACE_H
#define GPUOA_LIB_CALC_COLUMNS_PROGRAM_PLACE_H

#include "calc/columns/program_node.h"

/* The value of a node, while operations still refer to values and not to columns */
struct placement {
	/* number of the value; that of the operand if the node is a conversion that does nothing */
	uint16_t value;
	uint16_t reciprocal; /* number of the reciprocal's value; 0: no reciprocal */
	uint16_t divides; /* number of divisions in which this node is the divisor */
	bool placed;
};

/* State of the conversion. Values are numbered: first those of the nodes, then the reciprocals. */
struct placer {
	struct builder *builder;
	struct placement *placements;
	uint16_t *stack; /* nodes waiting for their operands */
	bool *outputs; /* for each output: whether it needs no further operation */
	uint32_t values;
};

/*
 * Create the operations of all nodes and outputs. These refer to values; columns are allocated
 * later.
 */
void program_place_nodes(struct placer *placer);

#endif /* GPUOA_LIB_CALC_COLUMNS_PROGRAM_PLACE_H */
