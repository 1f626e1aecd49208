// SPDX-License-Identifier: MIT
/*
 * program_node.c - the graph of values of a program, without duplicates and with the range of each
 * value
 */
#include <errno.h>
#include <stdlib.h>

#include "calc/columns/program_node.h"

/*
 * Limit the number of nodes, because each node and its reciprocal are separate values, and the
 * number of a value has 16 bits.
 */
#define NODE_MAX (UINT16_MAX / 2)

static bool node_same(const struct node *a, const struct node *b)
{
	return a->kind == b->kind && a->op == b->op && a->left == b->left && a->right == b->right &&
	       a->third == b->third && a->literal.integer == b->literal.integer;
}

static uint32_t *node_bucket(struct builder *builder, const struct node *node)
{
	uint64_t hash = node->kind + node->op * 8ull + node->left * 521ull +
			node->right * 32771ull + node->third * 1048583ull + node->literal.integer;

	return &builder->buckets[(hash * 0x9e3779b97f4a7c15ull) >> 56];
}

uint16_t node_fail(struct builder *builder, int err)
{
	if (!builder->err)
		builder->err = err;
	return 0;
}

/* Find or add a node. On failure, builder->err is set and the return value is undefined. */
uint16_t node_get(struct builder *builder, struct node node)
{
	uint32_t *bucket = node_bucket(builder, &node);

	if (builder->err)
		return 0;
	for (uint32_t i = *bucket; i; i = builder->nodes[i - 1].next)
		if (node_same(&builder->nodes[i - 1], &node))
			return i - 1;
	if (builder->count == NODE_MAX)
		return node_fail(builder, -EOVERFLOW);
	if (builder->count == builder->room) {
		uint32_t room = builder->room ? 2 * builder->room : 256;
		struct node *nodes = realloc(builder->nodes, room * sizeof(*nodes));

		if (!nodes)
			return node_fail(builder, -ENOMEM);
		builder->nodes = nodes;
		builder->room = room;
	}
	node.next = *bucket;
	builder->nodes[builder->count] = node;
	*bucket = ++builder->count;
	return builder->count - 1;
}

static uint8_t bits_of(uint64_t integer)
{
	return integer ? 64 - __builtin_clzll(integer) : 0;
}

uint16_t node_integer(struct builder *builder, uint64_t integer)
{
	return node_get(builder, (struct node){ .kind = NODE_INTEGER,
						.literal.integer = integer,
						.bits = bits_of(integer) });
}

/*
 * Return the binary exponent of a normal number; 0 for 0. Subnormals, infinities and NaN yield an
 * exponent beyond TAME_EXPONENT.
 */
static int exponent_of(double real)
{
	union number number = { .real = real };

	return real == 0 ? 0 : (int)(number.integer >> 52 & 0x7ff) - 1023;
}

uint16_t node_real(struct builder *builder, double real)
{
	int exponent = exponent_of(real);

	return node_get(builder, (struct node){ .kind = NODE_REAL,
						.literal.real = real,
						.low = exponent,
						.high = exponent + 1 });
}

/* Operations on integers */

static uint8_t at_most_64(uint32_t bits)
{
	return bits < 64 ? bits : 64;
}

/* Return an upper bound of the result of an operation on integers, in bits. */
static uint8_t result_bits(enum code_op op, uint8_t left, uint8_t right)
{
	switch (op) {
	case CODE_ADD:
		return at_most_64((left > right ? left : right) + 1);
	case CODE_MULTIPLY:
		return at_most_64(left + right);
	case CODE_SUBTRACT:
	case CODE_DIVIDE:
	case CODE_SHIFT_RIGHT:
		return left;
	case CODE_MINIMUM:
	case CODE_BIT_AND:
		return left < right ? left : right;
	case CODE_MAXIMUM:
		return left > right ? left : right;
	case CODE_SHIFT_LEFT:
		return 64;
	default: /* comparisons, logical and, logical or */
		return 1;
	}
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static bool is_integer(const struct node *node, uint64_t integer)
{
	return node->kind == NODE_INTEGER && node->literal.integer == integer;
}

/* Build an operation, folding constants. */
static uint16_t node_plain(struct builder *builder, enum code_op op, uint16_t left, uint16_t right)
{
	const struct node *a, *b;

	if (builder->err)
		return 0;
	a = &builder->nodes[left];
	b = &builder->nodes[right];
	if (a->kind == NODE_INTEGER && b->kind == NODE_INTEGER)
		return node_integer(builder,
				    integer_operation(op, a->literal.integer, b->literal.integer));
	if ((op == CODE_MULTIPLY || op == CODE_DIVIDE) && is_integer(b, 1))
		return left;
	return node_get(builder, (struct node){ .kind = NODE_INTEGER_OPERATION,
						.op = op,
						.left = left,
						.right = right,
						.bits = result_bits(op, a->bits, b->bits) });
}

/*
 * Build x * factor // divisor, where factor and divisor are literals, with the fraction in lowest
 * terms. Metrics compute the product modulo 2^64, so the fraction is reduced only if the product
 * has at most 64 bits; information items are exact.
 */
static uint16_t node_scaled(struct builder *builder, uint16_t value, uint64_t factor,
			    uint64_t divisor)
{
	uint64_t common = common_divisor(factor, divisor);

	factor /= common;
	divisor /= common;
	if (builder->nodes[value].bits + bits_of(factor) > 64)
		return node_get(builder, (struct node){ .kind = NODE_SCALE,
							.left = value,
							.right = node_integer(builder, factor),
							.third = node_integer(builder, divisor),
							.bits = 64 });
	value = node_plain(builder, CODE_MULTIPLY, value, node_integer(builder, factor));
	return node_plain(builder, CODE_DIVIDE, value, node_integer(builder, divisor));
}

/* True if @product is x * literal, and its quotient by another literal can be reduced. */
static bool can_scale(const struct builder *builder, const struct node *product,
		      const struct node *divisor)
{
	if (product->kind != NODE_INTEGER_OPERATION || product->op != CODE_MULTIPLY ||
	    divisor->kind != NODE_INTEGER || !divisor->literal.integer ||
	    builder->nodes[product->right].kind != NODE_INTEGER ||
	    !builder->nodes[product->right].literal.integer)
		return false;
	return builder->info ||
	       builder->nodes[product->left].bits + builder->nodes[product->right].bits <= 64;
}

uint16_t node_integers(struct builder *builder, enum code_op op, uint16_t left, uint16_t right)
{
	const struct node *a, *b;

	if (builder->err)
		return 0;
	a = &builder->nodes[left];
	b = &builder->nodes[right];
	/* Swap operands so that a literal is on the right, where other functions expect it. */
	if (op == CODE_MULTIPLY && a->kind == NODE_INTEGER)
		return node_plain(builder, op, right, left);
	if (op == CODE_DIVIDE && can_scale(builder, a, b))
		return node_scaled(builder, a->left, builder->nodes[a->right].literal.integer,
				   b->literal.integer);
	return node_plain(builder, op, left, right);
}

/* Operations on reals */

static int16_t smaller(int a, int b)
{
	int least = a < b ? a : b;

	return least < -TAME_EXPONENT ? -TAME_EXPONENT - 1 : least;
}

static int16_t larger(int a, int b)
{
	int most = a > b ? a : b;

	return most > TAME_EXPONENT ? TAME_EXPONENT + 1 : most;
}

/* Compute the range of an operation's result. Exponents beyond TAME_EXPONENT saturate. */
static void note_range(struct node *node, const struct node *a, const struct node *b)
{
	if (!node_is_tame(a) || !node_is_tame(b)) {
		node->low = -TAME_EXPONENT - 1;
		node->high = TAME_EXPONENT + 1;
		return;
	}
	switch (node->op) {
	case CODE_REAL_MULTIPLY:
		node->low = smaller(a->low + b->low, a->low + b->low);
		node->high = larger(a->high + b->high, a->high + b->high);
		break;
	case CODE_REAL_DIVIDE:
		node->low = smaller(a->low - b->high - 1, a->low - b->high - 1);
		node->high = larger(a->high - b->low + 1, a->high - b->low + 1);
		break;
	case CODE_REAL_ADD:
	/* A nonzero difference is at least one unit in the last place of the operands. */
	case CODE_REAL_SUBTRACT:
		node->low = smaller(a->low - 53, b->low - 53);
		node->high = larger(a->high + 1, b->high + 1);
		break;
	default:
		node->low = smaller(a->low, b->low);
		node->high = larger(a->high, b->high);
		break;
	}
}

uint16_t node_reals(struct builder *builder, enum code_op op, uint16_t left, uint16_t right)
{
	struct node node = { .kind = NODE_REAL_OPERATION, .op = op, .left = left, .right = right };
	const struct node *a, *b;

	if (builder->err)
		return 0;
	a = &builder->nodes[left];
	b = &builder->nodes[right];
	if (a->kind == NODE_REAL && b->kind == NODE_REAL)
		return node_real(builder, real_operation(op, a->literal.real, b->literal.real));
	note_range(&node, a, b);
	return node_get(builder, node);
}

uint16_t node_to_real(struct builder *builder, uint16_t integer)
{
	const struct node *node;

	if (builder->err)
		return 0;
	node = &builder->nodes[integer];
	if (node->kind == NODE_INTEGER)
		return node_real(builder, (double)node->literal.integer);
	return node_get(builder,
			(struct node){ .kind = NODE_TO_REAL, .left = integer, .high = 64 });
}

uint16_t node_to_integer(struct builder *builder, uint16_t real)
{
	const struct node *node;

	if (builder->err)
		return 0;
	node = &builder->nodes[real];
	if (node->kind == NODE_REAL)
		return node_integer(builder, real_to_integer(node->literal.real));
	return node_get(builder,
			(struct node){ .kind = NODE_TO_INTEGER, .left = real, .bits = 64 });
}
