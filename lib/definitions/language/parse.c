// SPDX-License-Identifier: MIT
/* parse.c - parser for the statements of a metric definition */
#include "definitions/language/parse.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/chars.h"
#include "definitions/language/clauses.h"
#include "definitions/language/parser.h"
#include "definitions/language/registers.h"
#include "definitions/language/sets.h"
#include "definitions/language/source_file.h"
#include "definitions/language/uses.h"

/* An included file, and the position in the including file at which parsing continues */
struct included {
	struct source_file *source; /* NULL: the file was included before, and is skipped */
	struct lexer outer;
	char *text; /* text of the included file, which the caller frees, also after an error */
};

#define DEPTH_MAX 8
#define FILES_MAX 64

/* Return the path named by the token. It is relative to the directory of the current file. */
static char *included_path(struct parser *parser)
{
	const struct token *token = &parser->lexer.token;
	const char *from = token->location.file->path, *slash = strrchr(from, '/');
	size_t directory = slash && token->text[0] != '/' ? slash - from + 1 : 0;
	char *path = parser_alloc(parser, directory + token->length + 1);

	if (path) {
		memcpy(path, from, directory);
		memcpy(path + directory, token->text, token->length);
	}
	return path;
}

static struct source_file *find_source(const struct parser *parser,
				       const struct source_file *identity)
{
	struct source_file *source = parser->definition->sources;

	while (source && (source->device != identity->device || source->inode != identity->inode))
		source = source->next;
	return source;
}

static bool begin_source(struct parser *parser, struct source_file *source, const char *text,
			 size_t size)
{
	if (++parser->depth > DEPTH_MAX)
		return lexer_fail(&parser->lexer, source->included,
				  "files include each other more than %d deep", DEPTH_MAX);
	if (++parser->files > FILES_MAX)
		return lexer_fail(&parser->lexer, source->included,
				  "more than %d files are included", FILES_MAX);
	source->next = parser->definition->sources;
	parser->definition->sources = source;
	source->open = true;
	lexer_init(&parser->lexer, source, text, size, parser->lexer.diagnostic);
	if (parser_is(parser, "platform"))
		return parser_fail(parser, "a platform's own file can't be included");
	return true;
}

/* Parse the statement: include "file". After it, the parser reads that file. */
static bool include_begin(struct parser *parser, struct included *included)
{
	struct source_file *source = parser_alloc(parser, sizeof(*source)), *known;
	size_t size;
	int err;

	*included = (struct included){ 0 };
	if (!source || !parser_next(parser))
		return false;
	if (parser->lexer.token.kind != TOKEN_STRING)
		return parser_expected(parser, "a file's name in quotes");
	source->included = parser->lexer.token.location;
	source->path = included_path(parser);
	if (!source->path)
		return false;
	err = source_file_read(source->path, &included->text, &size, source);
	if (err) {
		parser->no_memory = err == -ENOMEM;
		return lexer_fail(&parser->lexer, source->included, "%s: %s", source->path,
				  source_file_error(err));
	}
	known = find_source(parser, source);
	if (known && known->open)
		return lexer_fail(&parser->lexer, source->included, "%s includes itself",
				  source->path);
	included->outer = parser->lexer;
	if (known)
		return true;
	included->source = source;
	return begin_source(parser, source, included->text, size);
}

/* Continue after the include statement. */
static bool include_end(struct parser *parser, struct included *included)
{
	if (included->source) {
		included->source->open = false;
		parser->depth--;
		parser->lexer = included->outer;
	}
	return parser_next(parser);
}

/*
 * Maximum number of runs of digits in a symbol for which "{}" can stand; further runs match only
 * themselves.
 */
#define RUNS_MAX 6

struct runs {
	uint32_t count;
	struct {
		const char *begin;
		size_t length;
	} runs[RUNS_MAX];
};

static struct runs find_runs(const char *symbol)
{
	struct runs runs = { 0 };

	while (*symbol && runs.count < RUNS_MAX) {
		size_t length = strspn(symbol, "0123456789");

		if (length) {
			runs.runs[runs.count].begin = symbol;
			runs.runs[runs.count++].length = length;
		}
		symbol += length ? length : 1;
	}
	return runs;
}

/* Print the symbol with "{}" in place of each run of digits in @mask. */
static void write_pattern(const char *symbol, const struct runs *runs, uint32_t mask, char *pattern)
{
	for (uint32_t i = 0; i < runs->count; i++) {
		const char *begin = runs->runs[i].begin;

		if (!(mask & 1u << i))
			continue;
		memcpy(pattern, symbol, begin - symbol);
		pattern += begin - symbol;
		*pattern++ = '{';
		*pattern++ = '}';
		symbol = begin + runs->runs[i].length;
	}
	strcpy(pattern, symbol);
}

static size_t digits_in(const struct runs *runs, uint32_t mask)
{
	size_t digits = 0;

	for (uint32_t i = 0; i < runs->count; i++)
		if (mask & 1u << i)
			digits += runs->runs[i].length;
	return digits;
}

/*
 * Find the description whose pattern matches the symbol and has the most literal characters. @mask:
 * result: the runs of digits for which "{}" stands
 */
static const struct family_description *find_description(struct parser *parser, const char *symbol,
							 const struct runs *runs, uint32_t *mask)
{
	const struct family_description *best = NULL;
	char *pattern = parser_alloc(parser, strlen(symbol) + RUNS_MAX + 1);

	if (!pattern)
		return NULL;
	for (uint32_t m = 0; m < 1u << runs->count; m++) {
		const struct family_description *found;

		write_pattern(symbol, runs, m, pattern);
		found = name_map_find(&parser->descriptions, pattern);
		if (found && (!best || digits_in(runs, m) < digits_in(runs, *mask))) {
			best = found;
			*mask = m;
		}
	}
	return best;
}

/* Return the run of digits that replaces {number}: the number-th run in @mask. */
static const char *digits_of(const struct runs *runs, uint32_t mask, uint32_t number,
			     size_t *length)
{
	for (uint32_t i = 0; i < runs->count; i++) {
		if (!(mask & 1u << i) || --number)
			continue;
		*length = runs->runs[i].length;
		return runs->runs[i].begin;
	}
	*length = 0;
	return "";
}

/*
 * Print @text to @out, with digits in place of {1}, {2} and so on. If @out is NULL, only compute
 * the length. Returns the length.
 */
static size_t fill_in(const char *text, const struct runs *runs, uint32_t mask, char *out)
{
	size_t total = 0;

	while (*text) {
		const char *piece = text;
		size_t length = strcspn(text, "{"), skip = length;

		if (!length) {
			piece = digits_of(runs, mask, text[1] - '0', &length);
			skip = 3;
		}
		if (out)
			memcpy(out + total, piece, length);
		total += length;
		text += skip;
	}
	return total;
}

static bool describe_metric(struct parser *parser, struct metric_definition *metric)
{
	struct attributes *a = &metric->attributes;
	struct runs runs = find_runs(metric->symbol);
	const struct family_description *family;
	uint32_t mask;
	char *text;

	if (a->given & ATTRIBUTE_DESCRIPTION)
		return true;
	family = find_description(parser, metric->symbol, &runs, &mask);
	if (!family)
		return !parser->no_memory;
	text = parser_alloc(parser, fill_in(family->text, &runs, mask, NULL) + 1);
	if (!text)
		return false;
	fill_in(family->text, &runs, mask, text);
	a->description = text;
	a->given |= ATTRIBUTE_DESCRIPTION;
	return true;
}

/* Give metrics and information items without a description that of their family. */
static bool describe_families(struct parser *parser)
{
	struct metric_definition *metric;

	for (metric = parser->definition->metrics; metric; metric = metric->next)
		if (!describe_metric(parser, metric))
			return false;
	for (metric = parser->definition->infos; metric; metric = metric->next)
		if (!describe_metric(parser, metric))
			return false;
	return true;
}

/*
 * Check that a pattern has only letters, digits, '_', and "{}" that are not adjacent to a digit.
 * Counts the "{}" in @holes.
 */
static bool check_pattern(struct parser *parser, const char *pattern, struct location location,
			  uint32_t *holes)
{
	*holes = 0;
	for (const char *p = pattern; *p; p++) {
		if (*p == '{' && p[1] == '}') {
			if ((p > pattern && is_digit(p[-1])) || is_digit(p[2]))
				return lexer_fail(
					&parser->lexer, location,
					"{} stands for all digits: none can be beside it");
			++*holes;
			p++;
		} else if (!is_digit(*p) && *p != '_' && !is_letter(*p)) {
			return lexer_fail(&parser->lexer, location,
					  "a pattern has letters, digits, '_' and {} only");
		}
	}
	if (*holes > RUNS_MAX)
		return lexer_fail(&parser->lexer, location, "a pattern has %d times {} at most",
				  RUNS_MAX);
	return *pattern || lexer_fail(&parser->lexer, location, "this pattern is empty");
}

/* Check that each '{' in a description begins one of {1} to {holes}. */
static bool check_text(struct parser *parser, const char *text, struct location location,
		       uint32_t holes)
{
	for (text = strchr(text, '{'); text; text = strchr(text + 3, '{')) {
		if (!holes)
			return lexer_fail(&parser->lexer, location,
					  "'{' has no meaning here, for the pattern has no {}");
		if (text[1] < '1' || (uint32_t)(text[1] - '0') > holes || text[2] != '}')
			return lexer_fail(&parser->lexer, location,
					  "'{' must begin one of {1} .. {%u} here", holes);
	}
	return true;
}

/* Parse: describe "Pattern{}" "Text {1}." */
static bool parse_describe(struct parser *parser)
{
	struct family_description *family = parser_alloc(parser, sizeof(*family));
	struct location location, text;
	uint32_t holes;

	if (!family || !parser_next_at(parser, &location) ||
	    !parse_string(parser, &family->pattern, "a pattern of symbols in quotes") ||
	    !check_pattern(parser, family->pattern, location, &holes))
		return false;
	text = parser->lexer.token.location;
	return parse_description(parser, &family->text) &&
	       check_text(parser, family->text, text, holes) &&
	       parser_define(parser, &parser->descriptions, family->pattern, family, location,
			     "a description of");
}

/* Check that the next statement or the end of the file follows the clauses of a metric. */
static bool end_of_clauses(struct parser *parser)
{
	return parser_at_statement(parser) ||
	       parser_expected(parser, "an operator, a clause or the next statement");
}

/*
 * Parse the statement: metric
 * info Symbol "Name" clauses. @defaults: attributes of the group that the metric is in
 */
static bool parse_metric(struct parser *parser, const struct attributes *defaults,
			 struct metric_definition ***tail)
{
	struct metric_definition *metric = parser_alloc(parser, sizeof(*metric));
	struct attributes own = { .given = ATTRIBUTE_NAME };

	if (!metric)
		return false;
	metric->attributes.hw_unit = "gpu";
	attributes_apply(&metric->attributes, defaults);
	**tail = metric;
	*tail = &metric->next;
	if (!parser_next_at(parser, &metric->location) ||
	    !parse_new_symbol(parser, &metric->symbol, "the metric's symbol") ||
	    !parse_string(parser, &own.name, "the metric's name in quotes") ||
	    !parse_clauses(parser, &own) || !end_of_clauses(parser))
		return false;
	attributes_apply(&metric->attributes, &own);
	return require_value(parser, metric->symbol, &metric->attributes, metric->location);
}

/*
 * Parse a metric that all sets can list, and that later statements can change. The compiler reports
 * duplicate names.
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
 * Insert a metric at the head of the list of metrics that a statement changes. The last element
 * links to itself, so that the link of every element in the list is not NULL.
 */
static bool parse_changed_metric(struct parser *parser, struct metric_definition **changed)
{
	struct location location = parser->lexer.token.location;
	struct metric_definition *metric;
	const char *symbol;

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

/*
 * Parse the statement: change Symbol Symbol ... clauses, from its first symbol on. The changes
 * apply to the whole platform.
 */
static bool parse_change(struct parser *parser)
{
	struct metric_definition *changed = NULL;
	struct attributes changes = { 0 };

	do {
		if (!parse_changed_metric(parser, &changed))
			return false;
	} while (parser_at_symbol(parser));
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

/*
 * Parse the statement: group "EU Array" clauses. It sets the defaults of the metrics that follow.
 */
static bool parse_group(struct parser *parser, struct attributes *defaults)
{
	*defaults = (struct attributes){ .given = ATTRIBUTE_GROUP };
	return parser_next(parser) &&
	       parse_string(parser, &defaults->group, "the group's path in quotes") &&
	       parse_clauses(parser, defaults);
}

#define STATEMENTS \
	"include, constant, info, group, metric, change, describe, bundle, registers, template or set"

/* Parse the statement: language 1. It declares which version of the language the file needs. */
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

/* Parse a statement such as: constant EuCoresTotalCount "Execution units of the GPU." */
static bool parse_constant(struct parser *parser)
{
	struct constant_definition *constant = parser_alloc(parser, sizeof(*constant));

	if (!constant)
		return false;
	*parser->tails.constants = constant;
	parser->tails.constants = &constant->next;
	return parser_next_at(parser, &constant->location) &&
	       parse_new_symbol(parser, &constant->name, "the constant's name") &&
	       parse_description(parser, &constant->description);
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
		return parser_next(parser) && parse_change(parser);
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
	/* If the first token is invalid, lexer_init() has already reported the error. */
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
	};
}

int definition_parse(const char *file, const char *text, size_t size,
		     const struct source_file *identity, struct arena *arena,
		     struct definition **definition, struct diagnostic *diagnostic)
{
	struct parser parser = { .arena = arena };
	struct source_file *source;
	bool good;

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
