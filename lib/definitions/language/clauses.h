/* SPDX-License-Identifier: MIT */
/* clauses.h - parser for the clauses of a metric */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_CLAUSES_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_CLAUSES_H

#include "definitions/language/parser.h"

/* Parse a description: one string, or several, which are concatenated. */
bool parse_description(struct parser *parser, const char **string);

/* Parse the APIs after "on". */
bool parse_apis(struct parser *parser, uint32_t *apis);

/* Parse all clauses of a metric, at most one of each kind. */
bool parse_clauses(struct parser *parser, struct attributes *attributes);

/* Check that a metric has an equation, and a type, units and a semantic. */
bool require_value(struct parser *parser, const char *symbol, const struct attributes *attributes,
		   struct location location);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_CLAUSES_H */
