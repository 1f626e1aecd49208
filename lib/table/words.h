/* SPDX-License-Identifier: MIT */
/* words.h - the words for values of enumerations: what definitions say and what users read. */
#ifndef GPUOA_LIB_TABLE_WORDS_H
#define GPUOA_LIB_TABLE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The enumeration of gpuoa.h that words are for. */
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

/* The word for a value, of a bit mask for one bit of it; NULL if it has none. */
const char *word_of(enum word_kind kind, uint32_t value);

/* The value that a word of @length characters stands for. False if it stands for none. */
bool word_find(enum word_kind kind, const char *word, size_t length, uint32_t *value);

/* The same, whether the letters are capitals or not. */
bool word_find_any_case(enum word_kind kind, const char *word, size_t length, uint32_t *value);

#endif /* GPUOA_LIB_TABLE_WORDS_H */
