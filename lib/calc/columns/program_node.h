/* SPDX-License-Identifier: MIT */
/*
 * program_node.h - the graph of values that a program computes.
 *
 * Equations become a graph of nodes (program_build.c), that a list of operations on values
 * (program_place.c), and values get columns (program_columns.c).
 */
#ifndef GPUOA_LIB_CALC_COLUMNS_PROGRAM_NODE_H
#define GPUOA_LIB_CALC_COLUMNS_PROGRAM_NODE_H

#include "calc/columns/program.h"
#include "table/number.h"

#define NODE_BUCKETS 256

/* Integers of so many bits are kept as doubles without looking. */
#define SMALL_BITS 52

/*
 * Reals whose magnitude is between these powers of two have reciprocals and quotients far from the
 * ends.
 */
#define TAME_EXPONENT 400

enum node_kind {
	NODE_INPUT,
	NODE_INTEGER, /* literal */
	NODE_REAL, /* literal */
	NODE_INTEGER_OPERATION,
	NODE_REAL_OPERATION,
	NODE_SCALE, /* left * factor / divisor */
	NODE_TO_REAL,
	NODE_TO_INTEGER,
};

/* A value, and the column that holds it. Nodes that are the same are one. */
struct node {
	enum node_kind kind;
	enum code_op op;
	uint16_t left;
	uint16_t right;
	uint16_t third;
	union number literal;
	uint32_t next; /* in the bucket, + 1 */
	/* what is known of it: */
	uint8_t bits; /* integers are below 2^bits */
	int16_t low; /* reals are 0, or 2^low at least */
	int16_t high; /* and 2^high at most */
};

struct builder {
	const struct program_request *request;
	struct program *program;
	struct program_output *metrics; /* of the set's metrics that are needed */
	struct node *nodes;
	uint32_t count;
	uint32_t room;
	uint32_t buckets[NODE_BUCKETS]; /* first node, + 1 */
	bool info; /* an information item is being built: its values are absolute */
	uint16_t valid; /* of what is being built: 1 if nothing was divided by 0 until now, else 0
			 */
	uint16_t *valid_metrics; /* the same of the set's metrics; NULL: nobody asks */
	int err;
};

static inline bool node_is_small(const struct node *node)
{
	return node->bits <= SMALL_BITS;
}

static inline bool node_is_literal(const struct node *node)
{
	return node->kind == NODE_INTEGER || node->kind == NODE_REAL;
}

static inline bool node_is_tame(const struct node *node)
{
	return node->low >= -TAME_EXPONENT && node->high <= TAME_EXPONENT;
}

/*
 * ---- nodes: each returns the number of one. After a failure, builder->err is set and that means
 * nothing ----
 */

uint16_t node_fail(struct builder *builder, int err);
uint16_t node_get(struct builder *builder, struct node node);
uint16_t node_integer(struct builder *builder, uint64_t integer);
uint16_t node_real(struct builder *builder, double real);
uint16_t node_integers(struct builder *builder, enum code_op op, uint16_t left, uint16_t right);
uint16_t node_reals(struct builder *builder, enum code_op op, uint16_t left, uint16_t right);
uint16_t node_to_real(struct builder *builder, uint16_t integer);
uint16_t node_to_integer(struct builder *builder, uint16_t real);

#endif /* GPUOA_LIB_CALC_COLUMNS_PROGRAM_NODE_H */
