/* SPDX-License-Identifier: MIT */
/* program_place.h - convert the graph of values to a list of operations */
#ifndef GPUOA_LIB_CALC_COLUMNS_PROGRAM_PLACE_H
#define GPUOA_LIB_CALC_COLUMNS_PROGRAM_PLACE_H

#include "calc/columns/program_node.h"

/* Location of a node's value, while operations still refer to nodes. */
struct placement {
	uint16_t value; /* the operand's value if the node is a no-op conversion */
	uint16_t reciprocal; /* value of the reciprocal; 0: none */
	uint16_t divides; /* number of divisions by this node */
	bool needed;
	bool placed;
};

/* Values are numbered: first the nodes, then the reciprocals. */
struct placer {
	struct builder *builder;
	struct placement *placements;
	uint16_t *stack; /* nodes waiting for their operands */
	bool *outputs; /* outputs that need no (further) operation */
	uint32_t values;
};

/* Create the operations of all nodes and outputs; they refer to values instead of columns. */
void program_place_nodes(struct placer *placer);

#endif /* GPUOA_LIB_CALC_COLUMNS_PROGRAM_PLACE_H */
