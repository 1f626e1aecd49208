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
	CODE_INTEGER_64, /* push an integer, which is in the next two words, low word first */
	CODE_REAL, /* push an IEEE double, which is in the next two words, low word first */
	CODE_COUNTER, /* argument: counter_number() */
	/*
	 * push the delta of timestamps; in information items, the later report's timestamp,
	 * extended to 64 bits
	 */
	CODE_TIMESTAMP,
	/* push the delta of the clock field; in information items, the later report's value */
	CODE_CLOCK,
	CODE_REPORT_ID, /* push the report id of the later report; only in information items */
	CODE_CONTEXT_ID, /* push the context field of the later report; only in information items */
	CODE_CONSTANT, /* push a constant; argument: index in the platform's list */
	CODE_METRIC, /* push an integer metric; argument: its index in the set */
	/* push a float metric, before rounding to 32 bits; argument: its index in the set */
	CODE_METRIC_REAL,
	CODE_QUERY_MODE, /* push 1 in queries, 0 in streams */
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
	CODE_TO_REAL, /* convert the value at the top of the stack to a real */
	CODE_TO_REAL_BELOW, /* convert the value below the top of the stack to a real */
};

#define CODE_WORDS_MAX 1024
#define CODE_DEPTH_MAX 16
#define CODE_ARGUMENT_MAX 0xffffff

static inline uint32_t code_head(uint32_t length, uint32_t depth, bool real)
{
	return length | depth << 16 | (uint32_t)real << 24;
}

/* Return the number of words that follow the header. */
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

/* Return the literal that follows a CODE_INTEGER_64 or CODE_REAL at @word. */
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

/* Return the number of words that an operation has, including its opcode. */
static inline uint32_t code_words(enum code_op op)
{
	return op == CODE_INTEGER_64 || op == CODE_REAL ? 3 : 1;
}

#endif /* GPUOA_LIB_TABLE_CODE_H */
