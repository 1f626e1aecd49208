/* SPDX-License-Identifier: MIT */
/* uses.h - parser for lists of metrics in sets and bundles */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_USES_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_USES_H

#include "definitions/language/parser.h"

/* Parse a list: { Metric Metric clauses bundle Name ... }. @changes apply to all metrics in it. */
bool parse_uses(struct parser *parser, const struct attributes *changes, struct metric_use ***tail);

/* Parse the statement: bundle Name { metrics } */
bool parse_bundle(struct parser *parser);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_USES_H */
