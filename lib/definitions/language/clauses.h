/* SPDX-License-Identifier: MIT */
/* clauses.h - reads the clauses of a metric */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_CLAUSES_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_CLAUSES_H

#include "definitions/language/parser.h"

/* A description: one string, or several that are joined. */
bool parse_description(struct parser *parser, const char **string);

/* APIs behind "on". */
bool parse_apis(struct parser *parser, uint32_t *apis);

/* All clauses of a metric that follow; each once. */
bool parse_clauses(struct parser *parser, struct attributes *attributes);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_CLAUSES_H */
