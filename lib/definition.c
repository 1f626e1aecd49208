// SPDX-License-Identifier: MIT
/* definition.c - reads a metric definition. */
#include "definition.h"

#include <errno.h>
#include <string.h>

#include "parser.h"

void *parser_alloc(struct parser *parser, size_t size)
{
	void *memory = arena_alloc(parser->arena, size);

	if (!memory)
		parser->no_memory = true;
	return memory;
}

const char *parser_text(struct parser *parser)
{
	const char *text = arena_string(parser->arena, parser->lexer.token.text,
					parser->lexer.token.length);

	if (!text)
		parser->no_memory = true;
	return text;
}

const struct word_value *word_find(const struct parser *parser,
				   const struct word_value *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (parser->lexer.token.kind == TOKEN_WORD &&
		    lexer_is(&parser->lexer, words[i].word))
			return &words[i];
	return NULL;
}

bool parse_symbol(struct parser *parser, const char **symbol, const char *what)
{
	const struct token *token = &parser->lexer.token;

	if (token->kind != TOKEN_WORD || token->text[0] < 'A' ||
	    token->text[0] > 'Z')
		return expected(parser, what);
	*symbol = parser_text(parser);
	return *symbol && next(parser);
}

bool parse_string(struct parser *parser, const char **string, const char *what)
{
	if (parser->lexer.token.kind != TOKEN_STRING)
		return expected(parser, what);
	*string = parser_text(parser);
	return *string && next(parser);
}

/* A name that is being given: it must not be one that equations already understand otherwise. */
static bool parse_new_symbol(struct parser *parser, const char **symbol,
			     const char *what)
{
	const char *text = parser->lexer.token.text;
	size_t length = parser->lexer.token.length, letters = 0;

	if (is(parser, "TIMESTAMP") || is(parser, "REPORT_ID") ||
	    is(parser, "QueryMode"))
		return fail(parser,
			    "this name has a meaning of its own in equations");
	if (parser->lexer.token.kind == TOKEN_WORD) {
		while (letters < length && text[letters] >= 'A' &&
		       text[letters] <= 'Z')
			letters++;
		if ((letters == 1 && text[0] <= 'C') ||
		    (letters == 7 && !memcmp(text, "PERFCNT", 7))) {
			while (letters < length && text[letters] >= '0' &&
			       text[letters] <= '9')
				letters++;
			if (letters == length && length > 1)
				return fail(
					parser,
					"this name is one of a hardware counter");
		}
	}
	return parse_symbol(parser, symbol, what);
}

static const char statements[] = "constant, info, group, metric, bundle or set";

static bool at_statement(const struct parser *parser)
{
	return parser->lexer.token.kind == TOKEN_END ||
	       is(parser, "constant") || is(parser, "info") ||
	       is(parser, "group") || is(parser, "metric") ||
	       is(parser, "bundle") || is(parser, "set");
}

/* platform hsw "Haswell" */
static bool parse_platform(struct parser *parser)
{
	struct definition *definition = parser->definition;

	if (!is(parser, "platform"))
		return expected(parser,
				"'platform', a name and a title in quotes");
	if (!next(parser))
		return false;
	if (parser->lexer.token.kind != TOKEN_WORD)
		return expected(parser, "the platform's name");
	definition->name = parser_text(parser);
	return definition->name && next(parser) &&
	       parse_string(parser, &definition->title,
			    "the platform's title in quotes");
}

/* constant EuCoresTotalCount "Execution units of the GPU." */
static bool parse_constant(struct parser *parser,
			   struct constant_definition ***tail)
{
	struct constant_definition *constant =
		parser_alloc(parser, sizeof(*constant));

	if (!constant || !next(parser))
		return false;
	constant->location = parser->lexer.token.location;
	if (!parse_new_symbol(parser, &constant->name, "the constant's name") ||
	    !parse_description(parser, &constant->description))
		return false;
	**tail = constant;
	*tail = &constant->next;
	return true;
}

static bool require(struct parser *parser,
		    const struct metric_definition *metric, uint32_t attribute,
		    const char *what)
{
	if (metric->attributes.given & attribute)
		return true;
	return lexer_fail(&parser->lexer, metric->location, "%s lacks %s",
			  metric->symbol, what);
}

/* metric|info Symbol "Name" clauses; @defaults are those of the group */
static bool parse_metric(struct parser *parser,
			 const struct attributes *defaults,
			 struct metric_definition ***tail)
{
	struct metric_definition *metric =
		parser_alloc(parser, sizeof(*metric));
	struct attributes own = { 0 };

	if (!metric || !next(parser))
		return false;
	metric->location = parser->lexer.token.location;
	metric->attributes.hw_unit = "gpu";
	attributes_apply(&metric->attributes, defaults);
	if (!parse_new_symbol(parser, &metric->symbol, "the metric's symbol") ||
	    !parse_string(parser, &own.name, "the metric's name in quotes"))
		return false;
	own.given = ATTRIBUTE_NAME;
	if (!parse_clauses(parser, &own))
		return false;
	if (!at_statement(parser))
		return expected(parser,
				"an operator, a clause or the next statement");
	attributes_apply(&metric->attributes, &own);
	if (!require(parser, metric, ATTRIBUTE_DESCRIPTION,
		     "a description in quotes") ||
	    !require(parser, metric, ATTRIBUTE_EQUATION, "an equation") ||
	    !require(parser, metric, ATTRIBUTE_VALUE,
		     "a type, units and a semantic"))
		return false;
	**tail = metric;
	*tail = &metric->next;
	return true;
}

/* group "EU Array" clauses: what the metrics that follow have in common */
static bool parse_group(struct parser *parser, struct attributes *defaults)
{
	*defaults = (struct attributes){ .given = ATTRIBUTE_GROUP };
	return next(parser) &&
	       parse_string(parser, &defaults->group,
			    "the group's path in quotes") &&
	       parse_clauses(parser, defaults);
}

/* bundle Name { metrics } */
static bool parse_bundle(struct parser *parser,
			 struct bundle_definition ***tail)
{
	struct bundle_definition *bundle =
		parser_alloc(parser, sizeof(*bundle));
	struct metric_use **uses;

	if (!bundle || !next(parser))
		return false;
	uses = &bundle->uses;
	bundle->location = parser->lexer.token.location;
	if (!parse_symbol(parser, &bundle->name, "the bundle's name") ||
	    !parse_uses(parser, NULL, &uses))
		return false;
	**tail = bundle;
	*tail = &bundle->next;
	return true;
}

static bool parse_file(struct parser *parser)
{
	struct definition *definition = parser->definition;
	struct constant_definition **constants = &definition->constants;
	struct metric_definition **infos = &definition->infos,
				 **metrics = &definition->metrics;
	struct bundle_definition **bundles = &definition->bundles;
	struct set_definition **sets = &definition->sets;
	struct attributes defaults = { 0 }, none = { 0 };

	if (!parse_platform(parser))
		return false;
	while (parser->lexer.token.kind != TOKEN_END) {
		bool good;

		if (is(parser, "constant"))
			good = parse_constant(parser, &constants);
		else if (is(parser, "info"))
			good = parse_metric(parser, &none, &infos);
		else if (is(parser, "group"))
			good = parse_group(parser, &defaults);
		else if (is(parser, "metric"))
			good = parse_metric(parser, &defaults, &metrics);
		else if (is(parser, "bundle"))
			good = parse_bundle(parser, &bundles);
		else if (is(parser, "set"))
			good = parse_set(parser, &sets);
		else
			good = expected(parser, statements);
		if (!good)
			return false;
	}
	return true;
}

int definition_parse(const char *file, const char *text, size_t size,
		     struct arena *arena, struct definition **definition,
		     struct diagnostic *diagnostic)
{
	struct parser parser = { .arena = arena };

	diagnostic->text[0] = '\0';
	parser.definition = parser_alloc(&parser, sizeof(*parser.definition));
	if (!parser.definition)
		return -ENOMEM;
	parser.definition->file = arena_string(arena, file, strlen(file));
	if (!parser.definition->file)
		return -ENOMEM;
	lexer_init(&parser.lexer, parser.definition->file, text, size,
		   diagnostic);
	if (!parse_file(&parser))
		return parser.no_memory ? -ENOMEM : -EINVAL;
	*definition = parser.definition;
	return 0;
}
