/* SPDX-License-Identifier: MIT */
/*
 * code.h - equations in compiled form: postfix words.
 *
 * Types are settled when a definition is compiled: an operation works either on integers or on
 * reals, and every conversion is an operation of its own. Word 0 is a head (length, stack depth,
 * type of the result); then each operation is one word, opcode and argument; the 64-bit literals
 * have two more behind them.
 */
#ifndef GPUOA_LIB_TABLE_CODE_H
#define GPUOA_LIB_TABLE_CODE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum code_op {
	/* push */
	CODE_INTEGER, /* argument: the value */
	CODE_INTEGER_64, /* the value follows, low word first */
	CODE_REAL, /* likewise: an IEEE double */
	CODE_COUNTER, /* argument: counter_number() */
	CODE_TIMESTAMP, /* metrics: delta; information items: time of the later report, extended */
	CODE_CLOCK, /* metrics: delta of the report's clock field; information items: the later
		       report's */
	CODE_REPORT_ID, /* of the later report; information items only */
	CODE_CONTEXT_ID, /* likewise: the context field as it stands there */
	CODE_CONSTANT, /* argument: number in the platform's list */
	CODE_METRIC, /* argument: number in the set, uint64 */
	CODE_METRIC_REAL, /* likewise, float: its value before the rounding to 32 bits */
	CODE_QUERY_MODE, /* 1 in queries, 0 in streams */
	/* two integers to an integer */
	CODE_ADD,
	CODE_SUBTRACT,
	CODE_MULTIPLY,
	CODE_DIVIDE,
	CODE_MINIMUM,
	CODE_MAXIMUM,
	CODE_BIT_AND,
	CODE_SHIFT_LEFT,
	CODE_SHIFT_RIGHT,
	CODE_EQUAL,
	CODE_NOT_EQUAL,
	CODE_LESS,
	CODE_LESS_EQUAL,
	CODE_GREATER,
	CODE_GREATER_EQUAL,
	CODE_AND,
	CODE_OR,
	/* two reals to a real */
	CODE_REAL_ADD,
	CODE_REAL_SUBTRACT,
	CODE_REAL_MULTIPLY,
	CODE_REAL_DIVIDE,
	CODE_REAL_MINIMUM,
	CODE_REAL_MAXIMUM,
	/* one operand */
	CODE_TO_REAL, /* the last value */
	CODE_TO_REAL_BELOW, /* the one before the last */
};

#define CODE_WORDS_MAX 1024
#define CODE_DEPTH_MAX 16
#define CODE_ARGUMENT_MAX 0xffffff

static inline uint32_t code_head(uint32_t length, uint32_t depth, bool real)
{
	return length | depth << 16 | (uint32_t)real << 24;
}

/* Number of words behind the head. */
static inline uint32_t code_length(const uint32_t *code)
{
	return code[0] & 0xffff;
}

static inline bool code_is_real(const uint32_t *code)
{
	return code[0] >> 24;
}

static inline uint32_t code_word(enum code_op op, uint32_t argument)
{
	return op | argument << 8;
}

static inline enum code_op code_op(uint32_t word)
{
	return word & 0xff;
}

static inline uint32_t code_argument(uint32_t word)
{
	return word >> 8;
}

/* The literal behind a CODE_INTEGER_64 or CODE_REAL at @word. */
static inline uint64_t code_literal(const uint32_t *word)
{
	return word[1] | (uint64_t)word[2] << 32;
}

static inline double code_real(uint64_t literal)
{
	double real;

	memcpy(&real, &literal, sizeof(real));
	return real;
}

/* Words that an operation takes, its own included. */
static inline uint32_t code_words(enum code_op op)
{
	return op == CODE_INTEGER_64 || op == CODE_REAL ? 3 : 1;
}

#endif /* GPUOA_LIB_TABLE_CODE_H */
