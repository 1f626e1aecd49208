/* SPDX-License-Identifier: MIT */
/* uses.h - reads lists of metrics: of sets and of bundles */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_USES_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_USES_H

#include "definitions/language/parser.h"

/* { Metric  Metric clauses  bundle Name  ... }; @changes apply to all of them. */
bool parse_uses(struct parser *parser, const struct attributes *changes, struct metric_use ***tail);

/* bundle Name { metrics } */
bool parse_bundle(struct parser *parser);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_USES_H */
