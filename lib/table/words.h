/* SPDX-License-Identifier: MIT */
/* words.h - names of enumeration values in definitions and in output */
#ifndef GPUOA_LIB_TABLE_WORDS_H
#define GPUOA_LIB_TABLE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The enumerations of gpuoa.h that have names for their values */
enum word_kind {
	WORD_API,
	WORD_USAGE,
	WORD_SEMANTIC,
	WORD_TYPE,
	WORD_REGISTERS,
	WORD_CATEGORY,
	WORD_SAMPLING,
	WORD_QUANTITY,
	WORD_CONSTANT,
	WORD_ORIGIN,
	WORD_MARK,
	WORD_INFO,
	WORD_ELEMENT,
	WORD_OPERATION,
	WORD_FIELD,
	WORD_REASON,
	WORD_DELIVERY,
	WORD_ENGINE,
	WORD_QUERY_MODE,
};

/*
 * Returns the name of a value; for bit masks, of a value with a single bit. Returns NULL if it has
 * none.
 */
const char *word_of(enum word_kind kind, uint32_t value);

/* Find the value that has a name of @length characters. Returns false if there is none. */
bool word_find(enum word_kind kind, const char *word, size_t length, uint32_t *value);

/* The same, ignoring case. */
bool word_find_any_case(enum word_kind kind, const char *word, size_t length, uint32_t *value);

#endif /* GPUOA_LIB_TABLE_WORDS_H */
