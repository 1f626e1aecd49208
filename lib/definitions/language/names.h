/* SPDX-License-Identifier: MIT */
/* names.h - checks of names and UUIDs in definitions */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_NAMES_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_NAMES_H

#include <stdbool.h>

/* Is it a capital letter followed by letters, digits and '_'? */
bool symbol_is_valid(const char *symbol);

/*
 * Return the reason why a name is reserved in equations, and cannot be that of a metric or
 * constant. NULL if it is not reserved.
 */
const char *symbol_meaning(const char *symbol);

/* Is it valid as the name of a metric or constant? */
bool symbol_is_free(const char *symbol);

/* Are these 8-4-4-4-12 hexadecimal digits, in lower case? */
bool uuid_is_valid(const char *uuid);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_NAMES_H */
