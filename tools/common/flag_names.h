/* SPDX-License-Identifier: MIT */
/*
 * flag_names.h - write the names of the bits that are set in the library's masks
 */
#ifndef GPUOA_TOOLS_COMMON_FLAG_NAMES_H
#define GPUOA_TOOLS_COMMON_FLAG_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "gpuoa.h"

#define FORMAT_BITS 64 /* number of bits of gpuoa_unit_desc.formats */

/* Append a word to a text, which may be empty; truncate it if it does not fit. */
void flag_names_append(char *text, size_t size, const char *word);

/* Each of these functions writes space-separated names to @text, and returns @text. */
const char *flag_names_of_apis(uint32_t apis, char *text, size_t size);
const char *flag_names_of_usage(uint32_t usage, char *text, size_t size);
const char *flag_names_of_sampling(uint32_t sampling, char *text, size_t size);
const char *flag_names_of_formats(uint64_t formats, char *text, size_t size);
const char *flag_names_of_engines(const struct gpuoa_unit_desc *unit, char *text, size_t size);

#endif /* GPUOA_TOOLS_COMMON_FLAG_NAMES_H */
