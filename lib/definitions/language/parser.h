/* SPDX-License-Identifier: MIT */
/* parser.h - parser steps: tokens, names, strings; and the parser's state */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_PARSER_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_PARSER_H

#include "base/name_map.h"
#include "definitions/language/definition.h"
#include "definitions/language/lexer.h"
#include "table/words.h"

/* Ends of the lists to which parsed objects are appended. */
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
	/* objects that later statements can refer to, by name: */
	struct name_map metrics; /* struct metric_definition */
	struct name_map templates; /* struct set_definition */
	struct name_map registers; /* struct named_registers */
	struct name_map descriptions; /* struct family_description */
	uint32_t bundles; /* number of bundles parsed */
	uint32_t sets; /* number of sets and templates parsed */
	uint32_t depth; /* depth of nested includes */
	uint32_t files; /* number of included files */
	bool no_memory;
	/* of the current equation: */
	uint32_t nesting;
	uint32_t nodes;
};

/* Allocate zeroed memory from the arena. If it returns NULL, parsing ends with -ENOMEM. */
void *parser_alloc(struct parser *parser, size_t size);

/* Return a copy of the token's text. */
const char *parser_text(struct parser *parser);

/* ---- steps: return false on error ---- */

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

/* Consume this word or sign; report an error if the token is different. */
static inline bool parser_expect(struct parser *parser, const char *text, const char *what)
{
	return parser_is(parser, text) ? parser_next(parser) : parser_expected(parser, what);
}

/* Report an error at the token. */
static inline bool parser_fail(struct parser *parser, const char *message)
{
	return lexer_fail(&parser->lexer, parser->lexer.token.location, "%s", message);
}

/* ---- words that represent values ---- */

/* Get the value of the token if it is a word of this kind. */
bool parser_word(const struct parser *parser, enum word_kind kind, uint32_t *value);

/* A word that begins a clause or statement. */
struct keyword {
	const char *word;
	uint32_t value;
};

#define KEYWORDS(array) array, sizeof(array) / sizeof((array)[0])

/* Return the entry of the token, or NULL. */
const struct keyword *parser_keyword(const struct parser *parser, const struct keyword *keywords,
				     size_t count);

/* Is the token the begin of a statement, or the end of the file? */
bool parser_at_statement(const struct parser *parser);

/* ---- names and strings ---- */

/*
 * Can the token be a name? Names begin with a capital letter, which distinguishes them from
 * clauses.
 */
bool parser_at_symbol(const struct parser *parser);

bool parse_symbol(struct parser *parser, const char **symbol, const char *what);

/* Parse a name that is defined here. It must not be reserved in equations. */
bool parse_new_symbol(struct parser *parser, const char **symbol, const char *what);

bool parse_string(struct parser *parser, const char **string, const char *what);

/* Define a name in @names. Reports an error if it is defined already; @kind is the kind of both. */
bool parser_define(struct parser *parser, struct name_map *names, const char *name,
		   const void *value, struct location location, const char *kind);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_PARSER_H */
