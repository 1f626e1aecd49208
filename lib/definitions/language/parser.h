/* SPDX-License-Identifier: MIT */
/* parser.h - steps of reading: tokens, names, strings; and where the reader is. */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_PARSER_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_PARSER_H

#include "base/name_map.h"
#include "definitions/language/definition.h"
#include "definitions/language/lexer.h"
#include "table/words.h"

/* Where the next one of each kind goes. */
struct parser_tails {
	struct constant_definition **constants;
	struct metric_definition **infos;
	struct metric_definition **metrics;
	struct bundle_definition **bundles;
	struct set_definition **sets;
	struct set_definition **templates;
	struct family_description **descriptions;
};

struct parser {
	struct lexer lexer;
	struct arena *arena;
	struct definition *definition;
	struct parser_tails tails;
	/* what later statements refer to: */
	struct name_map metrics; /* struct metric_definition */
	struct name_map templates; /* struct set_definition */
	struct name_map registers; /* struct named_registers */
	struct name_map descriptions; /* struct family_description */
	uint32_t bundles; /* read so far */
	uint32_t sets; /* likewise, and templates */
	uint32_t depth; /* of includes */
	uint32_t files; /* that were included */
	bool no_memory;
	/* of the equation that is being read: */
	uint32_t nesting;
	uint32_t nodes;
};

/* Zeroed memory from the arena. NULL ends the parse with -ENOMEM. */
void *parser_alloc(struct parser *parser, size_t size);

/* Copy of the token's text. */
const char *parser_text(struct parser *parser);

/* ---- steps: each returns false when the parse has failed ---- */

static inline bool parser_next(struct parser *parser)
{
	return lexer_next(&parser->lexer);
}

static inline bool parser_is(const struct parser *parser, const char *text)
{
	return lexer_is(&parser->lexer, text);
}

static inline bool parser_expected(struct parser *parser, const char *what)
{
	return lexer_expected(&parser->lexer, what);
}

/* Take this word or sign; anything else is a mistake. */
static inline bool parser_expect(struct parser *parser, const char *text, const char *what)
{
	return parser_is(parser, text) ? parser_next(parser) : parser_expected(parser, what);
}

/* Complain about the token. */
static inline bool parser_fail(struct parser *parser, const char *message)
{
	return lexer_fail(&parser->lexer, parser->lexer.token.location, "%s", message);
}

/* ---- words that stand for values ---- */

/* The value of the token if it is a word of this kind. */
bool parser_word(const struct parser *parser, enum word_kind kind, uint32_t *value);

/* A word that begins a clause or a statement. */
struct keyword {
	const char *word;
	uint32_t value;
};

#define KEYWORDS(array) array, sizeof(array) / sizeof((array)[0])

/* The token's entry, or NULL. */
const struct keyword *parser_keyword(const struct parser *parser, const struct keyword *keywords,
				     size_t count);

/* Does a statement begin here, or the file end? */
bool parser_at_statement(const struct parser *parser);

/* ---- names and strings ---- */

/* Could the token be a name? A name begins with a capital letter, so it can't be taken for a
 * clause. */
bool parser_at_symbol(const struct parser *parser);

bool parse_symbol(struct parser *parser, const char **symbol, const char *what);

/* A name that is being defined: it must not have another meaning in equations. */
bool parse_new_symbol(struct parser *parser, const char **symbol, const char *what);

bool parse_string(struct parser *parser, const char **string, const char *what);

/* Give a name in @names a meaning. If it has one already, complain; @kind says what both are. */
bool parser_define(struct parser *parser, struct name_map *names, const char *name,
		   const void *value, struct location location, const char *kind);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_PARSER_H */
