/* SPDX-License-Identifier: MIT */
/* describe.h - descriptions of families of metrics */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_DESCRIBE_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_DESCRIBE_H

#include "definitions/language/parser.h"

/* Parse: describe "Pattern{}" "Text {1}." */
bool parse_describe(struct parser *parser);

/* Assign the descriptions of families to metrics and information items without one. */
bool describe_families(struct parser *parser);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_DESCRIBE_H */
