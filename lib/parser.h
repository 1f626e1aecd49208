/* SPDX-License-Identifier: MIT */
/* parser.h - what the two files of the parser share. */
#ifndef GPUOA_PARSER_H
#define GPUOA_PARSER_H

#include "definition.h"
#include "lexer.h"

struct parser {
	struct lexer lexer;
	struct arena *arena;
	struct definition *definition;
	bool no_memory;
	/* of the equation that is being read: */
	uint32_t nesting;
	uint32_t nodes;
};

/* Zeroed memory from the arena. NULL ends the parse with -ENOMEM. */
void *parser_alloc(struct parser *parser, size_t size);

/* Copy of the token's text. */
const char *parser_text(struct parser *parser);

/* Read an equation. */
bool parse_equation(struct parser *parser, struct equation *equation);

#endif /* GPUOA_PARSER_H */
