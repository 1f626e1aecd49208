/* SPDX-License-Identifier: MIT */
/* metrics.h - reads statements about metrics */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_METRICS_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_METRICS_H

#include "definitions/language/parser.h"

/* metric|info Symbol "Name" clauses; @defaults are those of the group */
bool parse_metric(struct parser *parser, const struct attributes *defaults,
		  struct metric_definition ***tail);

/*
 * Read a metric that sets may list, and that other statements may change. If there are two of a
 * name, the compiler will complain.
 */
bool parse_shared_metric(struct parser *parser, const struct attributes *defaults);

/* change Symbol Symbol ... clauses: for the whole platform */
bool parse_change(struct parser *parser);

/* group "EU Array" clauses: what the metrics that follow have in common */
bool parse_group(struct parser *parser, struct attributes *defaults);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_METRICS_H */
