/* SPDX-License-Identifier: MIT */
/* include.h - parsing of included files */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_INCLUDE_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_INCLUDE_H

#include "definitions/language/parser.h"

/* An included file, and the position at which to continue afterwards */
struct included {
	struct source_file *source; /* NULL: the file was included before, and is skipped */
	struct lexer outer;
	char *text; /* text of the file, to be freed by the caller, also on error */
};

/* Parse: include "file". The parser continues in that file. */
bool include_begin(struct parser *parser, struct included *included);

/* Continue after the include statement. */
bool include_end(struct parser *parser, struct included *included);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_INCLUDE_H */
