/* SPDX-License-Identifier: MIT */
/* names.h - checks of names and UUIDs in definitions */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_NAMES_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_NAMES_H

#include <stdbool.h>

/* Returns whether a text is a capital letter followed by letters, digits and '_'. */
bool symbol_is_valid(const char *symbol);

/*
 * Return the reason why a name is reserved in equations, so that metrics and constants cannot have
 * it. Returns NULL if it is not reserved.
 */
const char *symbol_meaning(const char *symbol);

/* Returns whether a text is valid as the name of a metric or constant. */
bool symbol_is_free(const char *symbol);

/* Returns whether a text is a UUID: hexadecimal digits in lower case, in the form 8-4-4-4-12. */
bool uuid_is_valid(const char *uuid);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_NAMES_H */
