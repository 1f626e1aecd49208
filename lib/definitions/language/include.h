/* SPDX-License-Identifier: MIT */
/* include.h - goes to a file that a definition includes, and back */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_INCLUDE_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_INCLUDE_H

#include "definitions/language/parser.h"

/* A file whose statements come next, and where the parser was */
struct included {
	struct source_file *source; /* NULL: the file was read before, there is nothing to read */
	struct lexer outer;
	char *text; /* the caller's, for free(), also when something has failed */
};

/* include "file": what the parser reads next is that file. */
bool include_begin(struct parser *parser, struct included *included);

/* The file's statements have been read: go on behind the statement that includes it. */
bool include_end(struct parser *parser, struct included *included);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_INCLUDE_H */
