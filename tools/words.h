/* SPDX-License-Identifier: MIT */
/*
 * words.h - names of the library's bits and enumerations
 */
#ifndef GPUOA_WORDS_H
#define GPUOA_WORDS_H

#include <stddef.h>
#include <stdint.h>

#define FORMAT_BITS 64 /* of gpuoa_unit_desc.formats */

/* Each fills in text, words with a space between, and returns it. */
const char *words_of_apis(uint32_t apis, char *text, size_t size);
const char *words_of_usage(uint32_t usage, char *text, size_t size);
const char *words_of_sampling(uint32_t sampling, char *text, size_t size);
const char *words_of_formats(uint64_t formats, char *text, size_t size);

/* A format by its name; 0 if there is no such format. */
uint32_t format_of_word(const char *name);

const char *word_of_semantic(int semantic);
const char *word_of_type(int type);
const char *word_of_category(int category);
const char *word_of_quantity(int quantity);
const char *word_of_constant(int kind);
const char *word_of_origin(int origin);

#endif /* GPUOA_WORDS_H */
