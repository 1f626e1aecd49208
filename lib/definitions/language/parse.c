// SPDX-License-Identifier: MIT
/* parse.c - parser for the statements of a metric definition */
#include "definitions/language/parse.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "definitions/language/describe.h"
#include "definitions/language/clauses.h"
#include "definitions/language/include.h"
#include "definitions/language/metrics.h"
#include "definitions/language/parser.h"
#include "definitions/language/registers.h"
#include "definitions/language/sets.h"
#include "definitions/language/source_file.h"
#include "definitions/language/uses.h"

#define STATEMENTS \
	"include, constant, info, group, metric, change, describe, bundle, registers, template or set"

/* Parse: language 1. The version of the language that the file needs. */
static bool parse_language(struct parser *parser)
{
	const struct token *token = &parser->lexer.token;

	if (!parser_is(parser, "language"))
		return true;
	if (!parser_next(parser))
		return false;
	if (token->kind != TOKEN_INTEGER || !token->integer)
		return parser_expected(parser, "the number of a version");
	if (token->integer > LANGUAGE_VERSION)
		return lexer_fail(&parser->lexer, token->location,
				  "this file is of version %llu of the language, and this library "
				  "knows version %d",
				  (unsigned long long)token->integer, LANGUAGE_VERSION);
	return parser_next(parser);
}

/* Parse: platform hsw "Haswell" */
static bool parse_platform(struct parser *parser)
{
	struct definition *definition = parser->definition;

	if (!parser_is(parser, "platform"))
		return parser_expected(parser, "'platform', a name and a title in quotes");
	definition->location = parser->lexer.token.location;
	if (!parser_next(parser))
		return false;
	if (parser->lexer.token.kind != TOKEN_WORD)
		return parser_expected(parser, "the platform's name");
	definition->name = parser_text(parser);
	return definition->name && parser_next(parser) &&
	       parse_string(parser, &definition->title, "the platform's title in quotes");
}

/* Parse: constant EuCoresTotalCount "Execution units of the GPU." */
static bool parse_constant(struct parser *parser)
{
	struct constant_definition *constant = parser_alloc(parser, sizeof(*constant));

	if (!constant || !parser_next(parser))
		return false;
	constant->location = parser->lexer.token.location;
	if (!parse_new_symbol(parser, &constant->name, "the constant's name") ||
	    !parse_description(parser, &constant->description))
		return false;
	*parser->tails.constants = constant;
	parser->tails.constants = &constant->next;
	return true;
}

static bool parse_statements(struct parser *parser);

/* Parse: include "file" */
static bool parse_include(struct parser *parser)
{
	struct included included;
	bool good;

	good = include_begin(parser, &included) && (!included.source || parse_statements(parser)) &&
	       include_end(parser, &included);
	free(included.text);
	return good;
}

static bool parse_statement(struct parser *parser, struct attributes *defaults)
{
	static const struct attributes none;

	if (parser_is(parser, "include"))
		return parse_include(parser);
	if (parser_is(parser, "constant"))
		return parse_constant(parser);
	if (parser_is(parser, "info"))
		return parse_metric(parser, &none, &parser->tails.infos);
	if (parser_is(parser, "group"))
		return parse_group(parser, defaults);
	if (parser_is(parser, "metric"))
		return parse_shared_metric(parser, defaults);
	if (parser_is(parser, "change"))
		return parse_change(parser);
	if (parser_is(parser, "describe"))
		return parse_describe(parser);
	if (parser_is(parser, "bundle"))
		return parse_bundle(parser);
	if (parser_is(parser, "registers"))
		return parse_named_registers(parser);
	if (parser_is(parser, "template"))
		return parse_template(parser);
	if (parser_is(parser, "set"))
		return parse_set(parser);
	return parser_expected(parser, STATEMENTS);
}

static bool parse_statements(struct parser *parser)
{
	struct attributes defaults = { 0 };

	while (parser->lexer.token.kind != TOKEN_END)
		if (!parse_statement(parser, &defaults))
			return false;
	/* If the first token is invalid, the lexer has failed already. */
	return !parser->lexer.failed;
}

static void init_tails(struct parser *parser)
{
	struct definition *definition = parser->definition;

	parser->tails = (struct parser_tails){
		.constants = &definition->constants,
		.infos = &definition->infos,
		.metrics = &definition->metrics,
		.bundles = &definition->bundles,
		.sets = &definition->sets,
		.templates = &definition->templates,
		.descriptions = &definition->descriptions,
	};
}

int definition_parse(const char *file, const char *text, size_t size,
		     const struct source_file *identity, struct arena *arena,
		     struct definition **definition, struct diagnostic *diagnostic)
{
	struct parser parser = { .arena = arena };
	struct source_file *source;
	bool good;

	diagnostic->text[0] = '\0';
	parser.definition = parser_alloc(&parser, sizeof(*parser.definition));
	source = parser_alloc(&parser, sizeof(*source));
	if (!parser.definition || !source)
		return -ENOMEM;
	*source = *identity;
	source->path = arena_string(arena, file, strlen(file));
	if (!source->path)
		return -ENOMEM;
	source->open = true;
	parser.definition->file = source->path;
	parser.definition->sources = source;
	init_tails(&parser);
	lexer_init(&parser.lexer, source, text, size, diagnostic);
	good = parse_language(&parser) && parse_platform(&parser) && parse_statements(&parser) &&
	       describe_families(&parser);
	name_map_free(&parser.metrics);
	name_map_free(&parser.templates);
	name_map_free(&parser.registers);
	name_map_free(&parser.descriptions);
	if (!good)
		return parser.no_memory ? -ENOMEM : -EINVAL;
	*definition = parser.definition;
	return 0;
}

int definition_parse_file(const char *path, struct arena *arena, struct definition **definition,
			  struct diagnostic *diagnostic)
{
	struct source_file identity = { 0 };
	char *text;
	size_t size;
	int err = source_file_read(path, &text, &size, &identity);

	if (err) {
		snprintf(diagnostic->text, sizeof(diagnostic->text), "%s: %s", path,
			 source_file_error(err));
		return err;
	}
	err = definition_parse(path, text, size, &identity, arena, definition, diagnostic);
	free(text);
	return err;
}
