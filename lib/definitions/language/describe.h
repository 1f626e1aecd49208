/* SPDX-License-Identifier: MIT */
/* describe.h - reads descriptions of whole families of metrics, and gives them to their metrics */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_DESCRIBE_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_DESCRIBE_H

#include "definitions/language/parser.h"

/* describe "Pattern{}" "Text {1}." */
bool parse_describe(struct parser *parser);

/* Give metrics and information items that have no description that of their family. */
bool describe_families(struct parser *parser);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_DESCRIBE_H */
