/* SPDX-License-Identifier: MIT */
/* registers.h - parser for lists of registers */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_REGISTERS_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_REGISTERS_H

#include "definitions/language/parser.h"

/* Parse the statement: registers Name { registers } */
bool parse_named_registers(struct parser *parser);

#define REGISTER_LISTS_MAX 64 /* per set */

/*
 * Parse: mux|boolean|flex [if condition] { registers } [else ...]. The name of a list may replace {
 * registers }. @lists counts the lists of the set.
 */
bool parse_registers(struct parser *parser, uint32_t kind, uint32_t *lists,
		     struct register_list ***tail);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_REGISTERS_H */
