/* SPDX-License-Identifier: MIT */
/*
 * words.h - names of the library's bits and enumerations
 */
#ifndef GPUOA_WORDS_H
#define GPUOA_WORDS_H

#include <stddef.h>
#include <stdint.h>

/* Each fills in text, words with a space between, and returns it. */
const char *words_of_apis(uint32_t apis, char *text, size_t size);
const char *words_of_usage(uint32_t usage, char *text, size_t size);
const char *words_of_formats(uint64_t formats, char *text, size_t size);

const char *word_of_semantic(int semantic);
const char *word_of_type(int type);

#endif /* GPUOA_WORDS_H */
