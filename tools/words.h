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
const char *words_of_formats(uint64_t formats, char *text, size_t size);

/* A format by its name; 0 if there is no such format. */
uint32_t format_of_word(const char *name);

/* Why a metric is not there. @available: what gpuoa_metric_available() says: 0, or that it depends on the GPU */
struct gpuoa_metric_desc;
const char *words_of_absence(const struct gpuoa_metric_desc *desc,
			     int available, char *text, size_t size);

const char *word_of_semantic(int semantic);
const char *word_of_type(int type);

#endif /* GPUOA_WORDS_H */
