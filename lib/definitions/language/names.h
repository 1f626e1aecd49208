/* SPDX-License-Identifier: MIT */
/* names.h - which names and UUIDs a definition may give */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_NAMES_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_NAMES_H

#include <stdbool.h>

/* A capital letter, then letters, digits and '_'. */
bool symbol_is_valid(const char *symbol);

/*
 * The reason why a name can't be that of a metric or a constant: equations understand it otherwise.
 * NULL if there is none.
 */
const char *symbol_meaning(const char *symbol);

/* Could it be the name of a metric or a constant? */
bool symbol_is_free(const char *symbol);

/* 8-4-4-4-12 hexadecimal digits, lower case */
bool uuid_is_valid(const char *uuid);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_NAMES_H */
