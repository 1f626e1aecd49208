/* SPDX-License-Identifier: MIT */
/* program_place.h - which operation computes which node of the graph, and where its value is. */
#ifndef GPUOA_LIB_CALC_COLUMNS_PROGRAM_PLACE_H
#define GPUOA_LIB_CALC_COLUMNS_PROGRAM_PLACE_H

#include "calc/columns/program_node.h"

/* Of each node, while operations still name nodes: where its value is. */
struct placement {
	uint16_t value; /* another node's where a conversion is none */
	uint16_t reciprocal; /* 0: none */
	uint16_t divides; /* steps that divide by it */
	bool needed;
	bool placed;
};

/* Numbers of values: nodes, and behind them reciprocals. */
struct placer {
	struct builder *builder;
	struct placement *placements;
	uint16_t *stack; /* nodes that wait for their operands */
	bool *outputs; /* those that need no operation (any more) */
	uint32_t values;
};

/* List the operations of all nodes and outputs; they name values where columns will be. */
void program_place_nodes(struct placer *placer);

#endif /* GPUOA_LIB_CALC_COLUMNS_PROGRAM_PLACE_H */
