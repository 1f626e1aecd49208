/* SPDX-License-Identifier: MIT */
/* parser.h - what the files of the parser share. */
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

/* A file may say which version of the language it is of: "language 1". Newer ones are refused. */
#define LANGUAGE_VERSION 1

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

/* ---- parts of statements ---- */

/* A name: begins with a capital letter, so that it can't be taken for a clause. */
bool parse_symbol(struct parser *parser, const char **symbol, const char *what);

/* A capital letter, then letters, digits and '_'. */
bool symbol_is_valid(const char *symbol);

/* Could it be the name of a metric or a constant? Not if equations understand it otherwise. */
bool symbol_is_free(const char *symbol);

/* 8-4-4-4-12 hexadecimal digits, lower case */
bool uuid_is_valid(const char *uuid);

bool parse_string(struct parser *parser, const char **string, const char *what);

/* A name that is being defined: it must not have another meaning in equations. */
bool parse_new_symbol(struct parser *parser, const char **symbol, const char *what);

/* A description: one string, or several that are joined. */
bool parse_description(struct parser *parser, const char **string);

/* APIs behind "on". */
bool parse_apis(struct parser *parser, uint32_t *apis);

/* All clauses of a metric that follow; each once. */
bool parse_clauses(struct parser *parser, struct attributes *attributes);

bool parse_equation(struct parser *parser, struct equation *equation);

/* How an operator is written. Operators group to the left. */
struct binary_operator {
	const char *text;
	int precedence;
	enum code_op op;
};

/* Comparisons do not chain. */
#define COMPARISON 3

/* NULL: @op is written as a call, as min(). */
const struct binary_operator *infix_operator(enum code_op op);

/* { Metric  Metric clauses  bundle Name  ... }; @changes apply to all of them. */
bool parse_uses(struct parser *parser, const struct attributes *changes, struct metric_use ***tail);

/* Give a name in @names a meaning. If it has one already, complain; @kind says what both are. */
bool parser_define(struct parser *parser, struct name_map *names, const char *name,
		   const void *value, struct location location, const char *kind);

/* ---- statements ---- */

/* Read all statements up to the end of the file. */
bool parse_statements(struct parser *parser);

/* include "file" */
bool parse_include(struct parser *parser);

/* registers Name { registers } */
bool parse_named_registers(struct parser *parser);

/* template Name "Name of sets" { clauses } */
bool parse_template(struct parser *parser);

/* set Symbol "Name" like Template { clauses } */
bool parse_set(struct parser *parser);

/* describe "Pattern{}" "Text {1}." */
bool parse_describe(struct parser *parser);

/* Give metrics and information items that have no description that of their family. */
bool describe_families(struct parser *parser);

/* The largest of the vendor's files has 3 MiB. */
#define SOURCE_SIZE_MAX (16 << 20)

/*
 * Read @path into memory that free() takes. -errno: it can't be read, -EFBIG, or -EINVAL: it is no
 * plain file.
 */
int source_file_read(const char *path, char **text, size_t *size, struct source_file *identity);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_PARSER_H */
