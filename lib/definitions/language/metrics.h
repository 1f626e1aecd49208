/* SPDX-License-Identifier: MIT */
/* metrics.h - parser for statements about metrics */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_METRICS_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_METRICS_H

#include "definitions/language/parser.h"

/* Parse: metric|info Symbol "Name" clauses. @defaults are those of the group. */
bool parse_metric(struct parser *parser, const struct attributes *defaults,
		  struct metric_definition ***tail);

/*
 * Parse a metric that sets can list, and that other statements can change. The compiler reports
 * duplicate names.
 */
bool parse_shared_metric(struct parser *parser, const struct attributes *defaults);

/* Parse: change Symbol Symbol ... clauses. Applies to the whole platform. */
bool parse_change(struct parser *parser);

/* Parse: group "EU Array" clauses. Sets the defaults of the following metrics. */
bool parse_group(struct parser *parser, struct attributes *defaults);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_METRICS_H */
