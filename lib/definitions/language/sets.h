/* SPDX-License-Identifier: MIT */
/* sets.h - parser for metric sets and templates of sets */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_SETS_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_SETS_H

#include "definitions/language/parser.h"

/* Parse the statement: template Name "Name of sets" { clauses } */
bool parse_template(struct parser *parser);

/* Parse the statement: set Symbol "Name" like Template { clauses } */
bool parse_set(struct parser *parser);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_SETS_H */
