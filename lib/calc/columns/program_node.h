/* SPDX-License-Identifier: MIT */
/*
 * program_node.h - the graph of values that a program computes
 *
 * Equations are compiled to a graph of nodes (program_build.c), then to a list of operations on
 * values (program_place.c); finally values are allocated to columns (program_build.c).
 */
#ifndef GPUOA_LIB_CALC_COLUMNS_PROGRAM_NODE_H
#define GPUOA_LIB_CALC_COLUMNS_PROGRAM_NODE_H

#include "calc/columns/program.h"
#include "table/number.h"

#define NODE_BUCKETS 256

/* Integers of up to this number of bits are stored as doubles without a check. */
#define SMALL_BITS 52

/*
 * Tame reals have a magnitude between 2^-TAME_EXPONENT and 2^TAME_EXPONENT, so that their
 * reciprocals and quotients neither overflow nor underflow.
 */
#define TAME_EXPONENT 400

enum node_kind {
	NODE_INPUT,
	NODE_INTEGER, /* an integer literal */
	NODE_REAL, /* a real literal */
	NODE_INTEGER_OPERATION,
	NODE_REAL_OPERATION,
	NODE_SCALE, /* left * factor / divisor */
	NODE_TO_REAL,
	NODE_TO_INTEGER,
};

/* A value of a program. Equal values share one node. */
struct node {
	enum node_kind kind;
	enum code_op op;
	uint16_t left;
	uint16_t right;
	uint16_t third;
	union number literal;
	uint32_t next; /* number of the next node in the hash bucket, plus one */
	/* range of the value: */
	uint8_t bits; /* integers are below 2^bits */
	int16_t low; /* reals other than 0 are at least 2^low */
	int16_t high; /* reals are at most 2^high */
};

struct builder {
	const struct program_request *request;
	struct program *program;
	struct program_output *metrics; /* for each needed metric of the set: its output */
	struct node *nodes;
	uint32_t count;
	uint32_t room;
	uint32_t buckets[NODE_BUCKETS]; /* first node, + 1 */
	bool info; /* an information item is being built: its operands are values, not deltas */
	uint16_t valid; /* node of the current equation's validity: 1 if no divisor was 0, else 0 */
	/* nodes of the validity of the set's metrics; NULL: not requested */
	uint16_t *valid_metrics;
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
 * Each of these functions returns the number of a node. On failure, builder->err is set and the
 * return value is undefined.
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
