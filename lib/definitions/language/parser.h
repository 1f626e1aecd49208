/* SPDX-License-Identifier: MIT */
/* parser.h - parser steps: tokens, names, strings; and the parser's state */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_PARSER_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_PARSER_H

#include "base/name_map.h"
#include "definitions/language/definition.h"
#include "definitions/language/lexer.h"
#include "table/words.h"

/* Ends of the lists to which parsed objects are appended */
struct parser_tails {
	struct constant_definition **constants;
	struct metric_definition **infos;
	struct metric_definition **metrics;
	struct bundle_definition **bundles;
	struct set_definition **sets;
	struct set_definition **templates;
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

/*
 * Allocate zeroed memory from the arena. Returns NULL if out of memory; then parsing ends with
 * -ENOMEM.
 */
void *parser_alloc(struct parser *parser, size_t size);

/* Return a copy of the token's text. */
const char *parser_text(struct parser *parser);

/* ---- steps: return false on error ---- */

static inline bool parser_next(struct parser *parser)
{
	return lexer_next(&parser->lexer);
}

/* Consume the current token, and return the location of the next one in @location. */
static inline bool parser_next_at(struct parser *parser, struct location *location)
{
	const bool good = parser_next(parser);

	*location = parser->lexer.token.location;
	return good;
}

static inline bool parser_is(const struct parser *parser, const char *text)
{
	return lexer_is(&parser->lexer, text);
}

static inline bool parser_expected(struct parser *parser, const char *what)
{
	return lexer_expected(&parser->lexer, what);
}

/* Consume the current token if it is this word or sign; otherwise report an error. */
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

/* Get the value of the current token, if it is the name of a value of enumeration @kind. */
bool parser_word(const struct parser *parser, enum word_kind kind, uint32_t *value);

/* A word that begins a clause or statement, and the value that identifies it */
struct keyword {
	const char *word;
	uint32_t value;
};

#define KEYWORDS(array) array, sizeof(array) / sizeof((array)[0])

/* Return the entry for the word of the current token, or NULL. */
const struct keyword *parser_keyword(const struct parser *parser, const struct keyword *keywords,
				     size_t count);

/* Returns whether the current token begins a statement or is the end of the file. */
bool parser_at_statement(const struct parser *parser);

/* ---- names and strings ---- */

/*
 * Returns whether the current token can be a name. Names begin with a capital letter, unlike
 * clauses.
 */
bool parser_at_symbol(const struct parser *parser);

bool parse_symbol(struct parser *parser, const char **symbol, const char *what);

/* Parse the name of a new object. It must not be reserved in equations. */
bool parse_new_symbol(struct parser *parser, const char **symbol, const char *what);

bool parse_string(struct parser *parser, const char **string, const char *what);

/*
 * Add the name of a new object to @names. Reports an error if an object has the name already; @kind
 * is what the message calls the objects.
 */
bool parser_define(struct parser *parser, struct name_map *names, const char *name,
		   const void *value, struct location location, const char *kind);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_PARSER_H */
