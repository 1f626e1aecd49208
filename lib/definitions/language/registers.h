/* SPDX-License-Identifier: MIT */
/* registers.h - reads lists of registers */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_REGISTERS_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_REGISTERS_H

#include "definitions/language/parser.h"

/* registers Name { registers } */
bool parse_named_registers(struct parser *parser);

/* mux|boolean|flex [if condition] { registers }, or the name of such a list */
bool parse_registers(struct parser *parser, uint32_t kind, struct register_list ***tail);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_REGISTERS_H */
