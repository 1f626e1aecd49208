// SPDX-License-Identifier: MIT
/* parser.c - reads a metric definition: statements and what they have in common. */
#include "definitions/language/parser.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "definitions/language/definition.h"

void *parser_alloc(struct parser *parser, size_t size)
{
	void *memory = arena_alloc(parser->arena, size);

	if (!memory)
		parser->no_memory = true;
	return memory;
}

const char *parser_text(struct parser *parser)
{
	const char *text =
		arena_string(parser->arena, parser->lexer.token.text, parser->lexer.token.length);

	if (!text)
		parser->no_memory = true;
	return text;
}

bool parser_word(const struct parser *parser, enum word_kind kind, uint32_t *value)
{
	const struct token *token = &parser->lexer.token;

	if (token->kind != TOKEN_WORD)
		return false;
	/* APIs are written as their names are: in capitals. */
	return kind == WORD_API ? word_find_any_case(kind, token->text, token->length, value) :
				  word_find(kind, token->text, token->length, value);
}

const struct keyword *parser_keyword(const struct parser *parser, const struct keyword *keywords,
				     size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (parser->lexer.token.kind == TOKEN_WORD &&
		    lexer_is(&parser->lexer, keywords[i].word))
			return &keywords[i];
	return NULL;
}

static bool at_symbol(const struct parser *parser)
{
	const struct token *token = &parser->lexer.token;

	return token->kind == TOKEN_WORD && token->text[0] >= 'A' && token->text[0] <= 'Z';
}

bool parse_symbol(struct parser *parser, const char **symbol, const char *what)
{
	if (!at_symbol(parser))
		return parser_expected(parser, what);
	*symbol = parser_text(parser);
	return *symbol && parser_next(parser);
}

bool parse_string(struct parser *parser, const char **string, const char *what)
{
	if (parser->lexer.token.kind != TOKEN_STRING)
		return parser_expected(parser, what);
	*string = parser_text(parser);
	return *string && parser_next(parser);
}

bool parser_define(struct parser *parser, struct name_map *names, const char *name,
		   const void *value, struct location location, const char *kind)
{
	size_t before = names->count;

	if (!name_map_add(names, name, value)) {
		parser->no_memory = true;
		return false;
	}
	if (names->count != before)
		return true;
	return lexer_fail(&parser->lexer, location, "there is %s %s already", kind, name);
}

/* "A12", "PEC3": as a hardware counter is called */
static bool is_counter_name(const char *name)
{
	static const char *const banks[] = { "A", "B", "C", "PEC", "PERFCNT" };

	for (size_t i = 0; i < sizeof(banks) / sizeof(banks[0]); i++) {
		const size_t length = strlen(banks[i]);
		const char *digits = name + length;

		if (!strncmp(name, banks[i], length) && *digits &&
		    !digits[strspn(digits, "0123456789")])
			return true;
	}
	return false;
}

/*
 * The reason why a name cannot be that of a metric: equations understand it otherwise. NULL if
 * there is none.
 */
static const char *other_meaning(const char *name)
{
	static const char *const words[] = { "TIMESTAMP", "CLOCK", "REPORT_ID", "CONTEXT_ID",
					     "QueryMode" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(name, words[i]))
			return "this name has a meaning of its own in equations";
	return is_counter_name(name) ? "this name is one of a hardware counter" : NULL;
}

bool symbol_is_valid(const char *symbol)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "abcdefghijklmnopqrstuvwxyz0123456789_";

	return *symbol >= 'A' && *symbol <= 'Z' && !symbol[strspn(symbol, letters)];
}

bool symbol_is_free(const char *symbol)
{
	return symbol_is_valid(symbol) && !other_meaning(symbol);
}

bool parse_new_symbol(struct parser *parser, const char **symbol, const char *what)
{
	const struct location location = parser->lexer.token.location;
	const char *meaning;

	if (!parse_symbol(parser, symbol, what))
		return false;
	meaning = other_meaning(*symbol);
	return !meaning || lexer_fail(&parser->lexer, location, "%s", meaning);
}

static const char statements[] =
	"include, constant, info, group, metric, change, describe, bundle, registers, template or set";

static bool at_statement(const struct parser *parser)
{
	static const struct keyword words[] = {
		{ "include", 0 },   { "constant", 0 }, { "info", 0 },	  { "group", 0 },
		{ "metric", 0 },    { "change", 0 },   { "describe", 0 }, { "bundle", 0 },
		{ "registers", 0 }, { "template", 0 }, { "set", 0 },
	};

	return parser->lexer.token.kind == TOKEN_END || parser_keyword(parser, KEYWORDS(words));
}

/* language 1: what reads this file must know that version of the language */
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

/* platform hsw "Haswell" */
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

/* constant EuCoresTotalCount "Execution units of the GPU." */
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

static bool require(struct parser *parser, const struct metric_definition *metric,
		    uint32_t attribute, const char *what)
{
	if (metric->attributes.given & attribute)
		return true;
	return lexer_fail(&parser->lexer, metric->location, "%s lacks %s", metric->symbol, what);
}

/* The clauses of a metric end where the next statement begins. */
static bool end_of_clauses(struct parser *parser)
{
	return at_statement(parser) ||
	       parser_expected(parser, "an operator, a clause or the next statement");
}

/* metric|info Symbol "Name" clauses; @defaults are those of the group */
static bool parse_metric(struct parser *parser, const struct attributes *defaults,
			 struct metric_definition ***tail)
{
	struct metric_definition *metric = parser_alloc(parser, sizeof(*metric));
	struct attributes own = { 0 };

	if (!metric || !parser_next(parser))
		return false;
	metric->location = parser->lexer.token.location;
	metric->attributes.hw_unit = "gpu";
	attributes_apply(&metric->attributes, defaults);
	if (!parse_new_symbol(parser, &metric->symbol, "the metric's symbol") ||
	    !parse_string(parser, &own.name, "the metric's name in quotes"))
		return false;
	own.given = ATTRIBUTE_NAME;
	if (!parse_clauses(parser, &own) || !end_of_clauses(parser))
		return false;
	attributes_apply(&metric->attributes, &own);
	if (!require(parser, metric, ATTRIBUTE_EQUATION, "an equation") ||
	    !require(parser, metric, ATTRIBUTE_VALUE, "a type, units and a semantic"))
		return false;
	**tail = metric;
	*tail = &metric->next;
	return true;
}

/*
 * Read a metric that sets may list, and that other statements may change. If there are two of a
 * name, the compiler will complain.
 */
static bool parse_shared_metric(struct parser *parser, const struct attributes *defaults)
{
	struct metric_definition **place = parser->tails.metrics, *metric;

	if (!parse_metric(parser, defaults, &parser->tails.metrics))
		return false;
	metric = *place;
	parser->no_memory |= !name_map_add(&parser->metrics, metric->symbol, metric);
	return !parser->no_memory;
}

/*
 * Add a metric to the list of those that a statement changes. The newest comes first; the last one
 * refers to itself, so that each member of the list is known by a pointer that is not NULL.
 */
static bool parse_changed_metric(struct parser *parser, struct metric_definition **changed)
{
	struct location location = parser->lexer.token.location;
	struct metric_definition *metric;
	const char *symbol = NULL;

	if (!parse_symbol(parser, &symbol, "a metric's symbol"))
		return false;
	metric = (void *)name_map_find(&parser->metrics, symbol);
	if (!metric)
		return lexer_fail(&parser->lexer, location,
				  "there is no metric '%s' before this line", symbol);
	if (metric->changed || metric == *changed)
		return lexer_fail(&parser->lexer, location, "%s is here twice", symbol);
	metric->changed = *changed ? *changed : metric;
	*changed = metric;
	return true;
}

/* change Symbol Symbol ... clauses: for the whole platform */
static bool parse_change(struct parser *parser)
{
	struct metric_definition *changed = NULL;
	struct attributes changes = { 0 };

	if (!parser_next(parser))
		return false;
	do {
		if (!parse_changed_metric(parser, &changed))
			return false;
	} while (at_symbol(parser));
	if (!parse_clauses(parser, &changes) || !end_of_clauses(parser))
		return false;
	while (changed) {
		struct metric_definition *metric = changed;

		attributes_apply(&metric->attributes, &changes);
		changed = metric->changed == metric ? NULL : metric->changed;
		metric->changed = NULL;
	}
	return true;
}

/* group "EU Array" clauses: what the metrics that follow have in common */
static bool parse_group(struct parser *parser, struct attributes *defaults)
{
	*defaults = (struct attributes){ .given = ATTRIBUTE_GROUP };
	return parser_next(parser) &&
	       parse_string(parser, &defaults->group, "the group's path in quotes") &&
	       parse_clauses(parser, defaults);
}

/* bundle Name { metrics } */
static bool parse_bundle(struct parser *parser)
{
	struct bundle_definition *bundle = parser_alloc(parser, sizeof(*bundle));
	struct metric_use **uses;

	if (!bundle || !parser_next(parser))
		return false;
	uses = &bundle->uses;
	bundle->location = parser->lexer.token.location;
	if (!parse_symbol(parser, &bundle->name, "the bundle's name") ||
	    !parse_uses(parser, NULL, &uses))
		return false;
	/*
	 * A bundle that contains something adds a metric wherever it is used: so the bound on
	 * metrics also bounds bundles of bundles.
	 */
	if (!bundle->uses)
		return lexer_fail(&parser->lexer, bundle->location, "bundle %s is empty",
				  bundle->name);
	bundle->number = parser->bundles++;
	*parser->tails.bundles = bundle;
	parser->tails.bundles = &bundle->next;
	return true;
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
	return parser_expected(parser, statements);
}

bool parse_statements(struct parser *parser)
{
	struct attributes defaults = { 0 };

	while (parser->lexer.token.kind != TOKEN_END)
		if (!parse_statement(parser, &defaults))
			return false;
	/* A file whose first token cannot be read has none. */
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
			 strerror(-err));
		return err;
	}
	err = definition_parse(path, text, size, &identity, arena, definition, diagnostic);
	free(text);
	return err;
}
