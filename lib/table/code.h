/* SPDX-License-Identifier: MIT */
/*
 * code.h - compiled equations: postfix code in 32-bit words
 *
 * Types are resolved at compile time: each operation works either on integers or on reals, and
 * conversions are explicit operations. Word 0 is a header with the length, the stack depth and the
 * result type. Each operation is one word with opcode and argument; 64-bit literals occupy two more
 * words.
 */
#ifndef GPUOA_LIB_TABLE_CODE_H
#define GPUOA_LIB_TABLE_CODE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum code_op {
	/* push a value */
	CODE_INTEGER, /* argument: the value */
	CODE_INTEGER_64, /* the next two words hold the value, low word first */
	CODE_REAL, /* the next two words hold an IEEE double, low word first */
	CODE_COUNTER, /* argument: counter_number() */
	/* metrics: delta; information items: extended timestamp of the later report */
	CODE_TIMESTAMP,
	CODE_CLOCK, /* delta of the clock field; information items: the later report's value */
	CODE_REPORT_ID, /* report id of the later report; only for information items */
	CODE_CONTEXT_ID, /* raw context field of the later report; only for information items */
	CODE_CONSTANT, /* argument: index in the platform's list */
	CODE_METRIC, /* argument: index in the set; uint64 */
	CODE_METRIC_REAL, /* argument: index in the set; float, before the rounding to 32 bits */
	CODE_QUERY_MODE, /* 1 in queries, 0 in streams */
	/* binary operations on integers */
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
	/* binary operations on reals */
	CODE_REAL_ADD,
	CODE_REAL_SUBTRACT,
	CODE_REAL_MULTIPLY,
	CODE_REAL_DIVIDE,
	CODE_REAL_MINIMUM,
	CODE_REAL_MAXIMUM,
	/* conversions of one operand */
	CODE_TO_REAL, /* convert the top of the stack */
	CODE_TO_REAL_BELOW, /* convert the value below the top */
};

#define CODE_WORDS_MAX 1024
#define CODE_DEPTH_MAX 16
#define CODE_ARGUMENT_MAX 0xffffff

static inline uint32_t code_head(uint32_t length, uint32_t depth, bool real)
{
	return length | depth << 16 | (uint32_t)real << 24;
}

/* Number of words after the header. */
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

/* The literal after a CODE_INTEGER_64 or CODE_REAL at @word. */
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

/* Number of words of an operation, including its opcode. */
static inline uint32_t code_words(enum code_op op)
{
	return op == CODE_INTEGER_64 || op == CODE_REAL ? 3 : 1;
}

#endif /* GPUOA_LIB_TABLE_CODE_H */
