// SPDX-License-Identifier: MIT
/* clauses.c - parser for the clauses of a metric */
#include "definitions/language/clauses.h"

#include <string.h>

#include "definitions/language/infix.h"

/* Returns whether a space is missing between two adjacent strings. */
static bool runs_on(const struct token *before, const struct token *token)
{
	return before->length && token->length && before->text[before->length - 1] != ' ' &&
	       token->text[0] != ' ';
}

bool parse_description(struct parser *parser, const char **string)
{
	struct lexer pieces = parser->lexer;
	struct token before = { .length = 0 };
	size_t length = 0;
	char *joined;

	if (parser->lexer.token.kind != TOKEN_STRING)
		return parser_expected(parser, "a description in quotes");
	while (parser->lexer.token.kind == TOKEN_STRING) {
		if (runs_on(&before, &parser->lexer.token))
			return parser_fail(
				parser,
				"a space is missing between this string and the one before");
		before = parser->lexer.token;
		length += before.length;
		if (!parser_next(parser))
			return false;
	}
	/* The total length is now known: read the strings again, and copy them. */
	joined = parser_alloc(parser, length + 1);
	if (!joined)
		return false;
	*string = joined;
	for (; pieces.token.kind == TOKEN_STRING; lexer_next(&pieces)) {
		memcpy(joined, pieces.token.text, pieces.token.length);
		joined += pieces.token.length;
	}
	return true;
}

/* Parse one or more words that represent bits of a mask. */
static bool parse_words(struct parser *parser, enum word_kind kind, uint32_t *mask,
			const char *what)
{
	uint32_t bit;

	if (!parser_word(parser, kind, &bit))
		return parser_expected(parser, what);
	*mask = 0;
	for (; parser_word(parser, kind, &bit); *mask |= bit) {
		if (*mask & bit)
			return parser_fail(parser, "this word is here twice");
		if (!parser_next(parser))
			return false;
	}
	return true;
}

bool parse_apis(struct parser *parser, uint32_t *apis)
{
	if (parser_is(parser, "all")) {
		*apis = 0;
		return parser_next(parser);
	}
	return parse_words(parser, WORD_API, apis,
			   "an API (IO, BB, OGL, OGL4, OCL, VK, MEDIA) or 'all'");
}

static bool parse_usage(struct parser *parser, struct attributes *attributes)
{
	if (!parse_words(
		    parser, WORD_USAGE, &attributes->usage,
		    "a usage (overview, indicate, correlate, system, frame, batch, draw, glassjaw, tier1..tier4)"))
		return false;
	for (uint32_t i = 0; i < 4; i++) {
		if (!(attributes->usage & GPUOA_USAGE_TIER_1 << i))
			continue;
		if (attributes->tier)
			return parser_fail(parser, "a metric has one tier at most");
		attributes->tier = i + 1;
	}
	return true;
}

/* Parse type, unit of measure and semantic, for example "uint64 ns duration". */
static bool parse_value(struct parser *parser, struct attributes *attributes)
{
	const struct token *token = &parser->lexer.token;
	uint32_t value;

	parser_word(parser, WORD_TYPE, &value);
	attributes->type = value;
	if (!parser_next(parser))
		return false;
	if (token->kind != TOKEN_WORD && token->kind != TOKEN_STRING)
		return parser_expected(parser, "units (a word, or several in quotes)");
	attributes->units = parser_text(parser);
	if (!attributes->units || !parser_next(parser))
		return false;
	if (!parser_word(parser, WORD_SEMANTIC, &value))
		return parser_expected(
			parser,
			"a semantic (duration, event, throughput, ratio, timestamp, flag, raw)");
	attributes->semantic = value;
	return parser_next(parser);
}

static bool parse_watermark(struct parser *parser, double *value)
{
	const struct token *token = &parser->lexer.token;

	if (token->kind == TOKEN_INTEGER)
		*value = (double)token->integer;
	else if (token->kind == TOKEN_REAL)
		*value = token->real;
	else
		return parser_expected(parser, "a number");
	return parser_next(parser);
}

static bool parse_hw_unit(struct parser *parser, const char **hw_unit)
{
	if (parser->lexer.token.kind != TOKEN_WORD && parser->lexer.token.kind != TOKEN_STRING)
		return parser_expected(parser, "a part of the GPU (gpu, slice, subslice, ...)");
	*hw_unit = parser_text(parser);
	return *hw_unit && parser_next(parser);
}

/* Return the kind of clause that begins at the current token, or 0 if none does. */
static uint32_t current_clause(const struct parser *parser)
{
	static const struct keyword clauses[] = {
		{ "name", ATTRIBUTE_NAME },    { "in", ATTRIBUTE_GROUP },
		{ "max", ATTRIBUTE_MAX },      { "if", ATTRIBUTE_AVAILABILITY },
		{ "uint64", ATTRIBUTE_VALUE }, { "float", ATTRIBUTE_VALUE },
		{ "of", ATTRIBUTE_HW_UNIT },   { "use", ATTRIBUTE_USAGE },
		{ "on", ATTRIBUTE_APIS },      { "watermarks", ATTRIBUTE_WATERMARKS },
		{ "alias", ATTRIBUTE_ALIAS },
	};
	const struct keyword *word = parser_keyword(parser, KEYWORDS(clauses));

	if (word)
		return word->value;
	if (parser->lexer.token.kind == TOKEN_STRING)
		return ATTRIBUTE_DESCRIPTION;
	return parser_is(parser, "=") ? ATTRIBUTE_EQUATION : 0;
}

/* Parse "max none" or "if always", which remove the equation of an earlier definition. */
static bool parse_equation_or(struct parser *parser, struct equation *equation, const char *word)
{
	return parser_is(parser, word) ? parser_next(parser) : parse_equation(parser, equation);
}

static bool parse_clause(struct parser *parser, uint32_t clause, struct attributes *attributes)
{
	/* Parse a clause without a keyword: a description or a type. */
	if (clause != ATTRIBUTE_DESCRIPTION && clause != ATTRIBUTE_VALUE && !parser_next(parser))
		return false;
	switch (clause) {
	case ATTRIBUTE_NAME:
		return parse_string(parser, &attributes->name, "a name in quotes");
	case ATTRIBUTE_DESCRIPTION:
		return parse_description(parser, &attributes->description);
	case ATTRIBUTE_GROUP:
		return parse_string(parser, &attributes->group, "a group in quotes");
	case ATTRIBUTE_EQUATION:
		return parse_equation(parser, &attributes->equation);
	case ATTRIBUTE_MAX:
		return parse_equation_or(parser, &attributes->max, "none");
	case ATTRIBUTE_AVAILABILITY:
		return parse_equation_or(parser, &attributes->availability, "always");
	case ATTRIBUTE_VALUE:
		return parse_value(parser, attributes);
	case ATTRIBUTE_HW_UNIT:
		return parse_hw_unit(parser, &attributes->hw_unit);
	case ATTRIBUTE_USAGE:
		return parse_usage(parser, attributes);
	case ATTRIBUTE_ALIAS:
		return parse_string(parser, &attributes->alias, "a name in quotes");
	case ATTRIBUTE_APIS:
		return parse_apis(parser, &attributes->apis);
	default:
		return parse_watermark(parser, &attributes->low) &&
		       parse_watermark(parser, &attributes->high);
	}
}

bool parse_clauses(struct parser *parser, struct attributes *attributes)
{
	uint32_t clause;

	while ((clause = current_clause(parser))) {
		if (attributes->given & clause)
			return parser_fail(parser, "this clause is here twice");
		attributes->given |= clause;
		if (!parse_clause(parser, clause, attributes))
			return false;
	}
	return true;
}

bool require_value(struct parser *parser, const char *symbol, const struct attributes *attributes,
		   struct location location)
{
	const uint32_t lacking = (ATTRIBUTE_EQUATION | ATTRIBUTE_VALUE) & ~attributes->given;

	return !lacking ||
	       lexer_fail(&parser->lexer, location, "%s lacks %s", symbol,
			  lacking & ATTRIBUTE_EQUATION ? "an equation" :
							 "a type, units and a semantic");
}
