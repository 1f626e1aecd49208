// SPDX-License-Identifier: MIT
/* definition.c - reads a metric definition. */
#include "definition.h"

#include <errno.h>
#include <string.h>

#include "format.h"
#include "parser.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

struct word_value {
	const char *word;
	uint32_t value;
};

static const struct word_value api_words[] = {
	{ "IO", GPUOA_API_IO },	      { "BB", GPUOA_API_BB },
	{ "OGL", GPUOA_API_OGL },     { "OGL4", GPUOA_API_OGL4 },
	{ "OCL", GPUOA_API_OCL },     { "VK", GPUOA_API_VK },
	{ "MEDIA", GPUOA_API_MEDIA },
};

static const struct word_value usage_words[] = {
	{ "overview", GPUOA_USAGE_OVERVIEW },
	{ "indicate", GPUOA_USAGE_INDICATE },
	{ "correlate", GPUOA_USAGE_CORRELATE },
	{ "system", GPUOA_USAGE_SYSTEM },
	{ "frame", GPUOA_USAGE_FRAME },
	{ "batch", GPUOA_USAGE_BATCH },
	{ "draw", GPUOA_USAGE_DRAW },
	{ "tier1", GPUOA_USAGE_TIER_1 },
	{ "tier2", GPUOA_USAGE_TIER_2 },
	{ "tier3", GPUOA_USAGE_TIER_3 },
	{ "tier4", GPUOA_USAGE_TIER_4 },
};

static const struct word_value semantic_words[] = {
	{ "duration", GPUOA_SEMANTIC_DURATION },
	{ "event", GPUOA_SEMANTIC_EVENT },
	{ "throughput", GPUOA_SEMANTIC_THROUGHPUT },
	{ "ratio", GPUOA_SEMANTIC_RATIO },
	{ "timestamp", GPUOA_SEMANTIC_TIMESTAMP },
	{ "flag", GPUOA_SEMANTIC_FLAG },
	{ "raw", GPUOA_SEMANTIC_RAW },
};

static const struct word_value type_words[] = {
	{ "uint64", GPUOA_UINT64 },
	{ "float", GPUOA_FLOAT },
};

static const struct word_value register_words[] = {
	{ "mux", GPUOA_REGISTERS_MUX },
	{ "boolean", GPUOA_REGISTERS_BOOLEAN },
	{ "flex", GPUOA_REGISTERS_FLEX },
};

static const struct word_value *word_find(const struct parser *parser,
					  const struct word_value *words,
					  size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (parser->lexer.token.kind == TOKEN_WORD &&
		    lexer_is(&parser->lexer, words[i].word))
			return &words[i];
	return NULL;
}

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

static bool next(struct parser *parser)
{
	return lexer_next(&parser->lexer);
}

static bool is(const struct parser *parser, const char *text)
{
	return lexer_is(&parser->lexer, text);
}

static bool expected(struct parser *parser, const char *what)
{
	return lexer_expected(&parser->lexer, what);
}

static bool expect(struct parser *parser, const char *sign, const char *what)
{
	return is(parser, sign) ? next(parser) : expected(parser, what);
}

static bool fail(struct parser *parser, const char *message)
{
	return lexer_fail(&parser->lexer, parser->lexer.token.location, "%s",
			  message);
}

/* A name: starts with a capital letter or a digit, so that it can't be taken for a clause. */
static bool parse_symbol(struct parser *parser, const char **symbol,
			 const char *what)
{
	const struct token *token = &parser->lexer.token;

	if (token->kind != TOKEN_WORD || token->text[0] < 'A' ||
	    token->text[0] > 'Z')
		return expected(parser, what);
	*symbol = parser_text(parser);
	return *symbol && next(parser);
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

static bool parse_string(struct parser *parser, const char **string,
			 const char *what)
{
	if (parser->lexer.token.kind != TOKEN_STRING)
		return expected(parser, what);
	*string = parser_text(parser);
	return *string && next(parser);
}

/* A description may be split into several strings. */
static bool parse_description(struct parser *parser, const char **string)
{
	const char *more;

	if (!parse_string(parser, string, "a description in quotes"))
		return false;
	while (parser->lexer.token.kind == TOKEN_STRING) {
		size_t length = strlen(*string);
		char *joined;

		if (!parse_string(parser, &more, "a string"))
			return false;
		joined = parser_alloc(parser, length + strlen(more) + 1);
		if (!joined)
			return false;
		memcpy(joined, *string, length);
		strcpy(joined + length, more);
		*string = joined;
	}
	return true;
}

/* One or more words of a list, as a bit mask. */
static bool parse_words(struct parser *parser, const struct word_value *words,
			size_t count, uint32_t *mask, const char *what)
{
	const struct word_value *word = word_find(parser, words, count);

	if (!word)
		return expected(parser, what);
	*mask = 0;
	for (; word; word = word_find(parser, words, count)) {
		if (*mask & word->value)
			return fail(parser, "this word is here twice");
		*mask |= word->value;
		if (!next(parser))
			return false;
	}
	return true;
}

static bool parse_apis(struct parser *parser, uint32_t *apis)
{
	if (is(parser, "all")) {
		*apis = 0;
		return next(parser);
	}
	return parse_words(
		parser, api_words, LENGTH(api_words), apis,
		"an API (IO, BB, OGL, OGL4, OCL, VK, MEDIA) or 'all'");
}

static bool parse_usage(struct parser *parser, struct attributes *attributes)
{
	static const uint32_t tiers[] = { GPUOA_USAGE_TIER_1,
					  GPUOA_USAGE_TIER_2,
					  GPUOA_USAGE_TIER_3,
					  GPUOA_USAGE_TIER_4 };
	uint32_t rest = 0;

	if (!parse_words(
		    parser, usage_words, LENGTH(usage_words),
		    &attributes->usage,
		    "a usage (overview, indicate, correlate, system, frame, batch, draw, tier1..tier4)"))
		return false;
	attributes->tier = 0;
	for (uint32_t i = 0; i < LENGTH(tiers); i++) {
		if (attributes->usage & tiers[i]) {
			attributes->tier = i + 1;
			rest = attributes->usage & ~tiers[i];
		}
	}
	for (uint32_t i = 0; i < LENGTH(tiers); i++)
		if (rest & tiers[i])
			return fail(parser, "a metric has one tier at most");
	return true;
}

/* "uint64 ns duration": type, units, semantic */
static bool parse_value(struct parser *parser, struct attributes *attributes)
{
	const struct word_value *word =
		word_find(parser, type_words, LENGTH(type_words));
	const struct token *token = &parser->lexer.token;

	attributes->type = word->value;
	if (!next(parser))
		return false;
	if (token->kind != TOKEN_WORD && token->kind != TOKEN_STRING)
		return expected(parser, "units (a word, or several in quotes)");
	attributes->units = parser_text(parser);
	if (!attributes->units || !next(parser))
		return false;
	word = word_find(parser, semantic_words, LENGTH(semantic_words));
	if (!word)
		return expected(
			parser,
			"a semantic (duration, event, throughput, ratio, timestamp, flag, raw)");
	attributes->semantic = word->value;
	return next(parser);
}

static bool parse_watermark(struct parser *parser, double *value)
{
	const struct token *token = &parser->lexer.token;

	if (token->kind == TOKEN_INTEGER)
		*value = (double)token->integer;
	else if (token->kind == TOKEN_REAL)
		*value = token->real;
	else
		return expected(parser, "a number");
	return next(parser);
}

static bool parse_hw_unit(struct parser *parser, const char **hw_unit)
{
	if (parser->lexer.token.kind != TOKEN_WORD)
		return expected(
			parser,
			"a part of the GPU (gpu, slice, subslice, ...)");
	*hw_unit = parser_text(parser);
	return *hw_unit && next(parser);
}

/* Which clause begins here; 0 if none does. */
static uint32_t current_clause(const struct parser *parser)
{
	static const struct word_value clauses[] = {
		{ "name", ATTRIBUTE_NAME },
		{ "in", ATTRIBUTE_GROUP },
		{ "max", ATTRIBUTE_MAX },
		{ "if", ATTRIBUTE_AVAILABILITY },
		{ "uint64", ATTRIBUTE_VALUE },
		{ "float", ATTRIBUTE_VALUE },
		{ "of", ATTRIBUTE_HW_UNIT },
		{ "use", ATTRIBUTE_USAGE },
		{ "on", ATTRIBUTE_APIS },
		{ "watermarks", ATTRIBUTE_WATERMARKS },
	};
	const struct word_value *word =
		word_find(parser, clauses, LENGTH(clauses));

	if (word)
		return word->value;
	if (parser->lexer.token.kind == TOKEN_STRING)
		return ATTRIBUTE_DESCRIPTION;
	return is(parser, "=") ? ATTRIBUTE_EQUATION : 0;
}

static bool parse_clause(struct parser *parser, uint32_t clause,
			 struct attributes *attributes)
{
	/* A description and a type are clauses without a keyword. */
	if (clause != ATTRIBUTE_DESCRIPTION && clause != ATTRIBUTE_VALUE &&
	    !next(parser))
		return false;
	switch (clause) {
	case ATTRIBUTE_NAME:
		return parse_string(parser, &attributes->name,
				    "a name in quotes");
	case ATTRIBUTE_DESCRIPTION:
		return parse_description(parser, &attributes->description);
	case ATTRIBUTE_GROUP:
		return parse_string(parser, &attributes->group,
				    "a group in quotes");
	case ATTRIBUTE_EQUATION:
		return parse_equation(parser, &attributes->equation);
	case ATTRIBUTE_MAX:
		return parse_equation(parser, &attributes->max);
	case ATTRIBUTE_AVAILABILITY:
		return parse_equation(parser, &attributes->availability);
	case ATTRIBUTE_VALUE:
		return parse_value(parser, attributes);
	case ATTRIBUTE_HW_UNIT:
		return parse_hw_unit(parser, &attributes->hw_unit);
	case ATTRIBUTE_USAGE:
		return parse_usage(parser, attributes);
	case ATTRIBUTE_APIS:
		return parse_apis(parser, &attributes->apis);
	default:
		return parse_watermark(parser, &attributes->low) &&
		       parse_watermark(parser, &attributes->high);
	}
}

/* All clauses that follow; each once. */
static bool parse_clauses(struct parser *parser, struct attributes *attributes)
{
	uint32_t clause;

	while ((clause = current_clause(parser))) {
		if (attributes->given & clause)
			return fail(parser, "this clause is here twice");
		attributes->given |= clause;
		if (!parse_clause(parser, clause, attributes))
			return false;
	}
	return true;
}

void attributes_apply(struct attributes *attributes,
		      const struct attributes *changes)
{
	uint32_t given = changes->given;

	attributes->given |= given;
	if (given & ATTRIBUTE_NAME)
		attributes->name = changes->name;
	if (given & ATTRIBUTE_DESCRIPTION)
		attributes->description = changes->description;
	if (given & ATTRIBUTE_GROUP)
		attributes->group = changes->group;
	if (given & ATTRIBUTE_EQUATION)
		attributes->equation = changes->equation;
	if (given & ATTRIBUTE_MAX)
		attributes->max = changes->max;
	if (given & ATTRIBUTE_AVAILABILITY)
		attributes->availability = changes->availability;
	if (given & ATTRIBUTE_VALUE) {
		attributes->type = changes->type;
		attributes->units = changes->units;
		attributes->semantic = changes->semantic;
	}
	if (given & ATTRIBUTE_HW_UNIT)
		attributes->hw_unit = changes->hw_unit;
	if (given & ATTRIBUTE_USAGE) {
		attributes->usage = changes->usage;
		attributes->tier = changes->tier;
	}
	if (given & ATTRIBUTE_APIS)
		attributes->apis = changes->apis;
	if (given & ATTRIBUTE_WATERMARKS) {
		attributes->low = changes->low;
		attributes->high = changes->high;
	}
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

/* { Metric  Metric clauses  bundle Name  ... } */
static bool parse_uses(struct parser *parser, const struct attributes *changes,
		       struct metric_use ***tail)
{
	if (!expect(parser, "{", "'{' and a list of metrics"))
		return false;
	while (!is(parser, "}")) {
		struct metric_use *use = parser_alloc(parser, sizeof(*use));
		struct attributes own = { 0 };

		if (!use)
			return false;
		if (is(parser, "bundle")) {
			use->is_bundle = true;
			if (!next(parser))
				return false;
		}
		use->location = parser->lexer.token.location;
		if (!parse_symbol(
			    parser, &use->symbol,
			    use->is_bundle ?
				    "a bundle's name" :
				    "a metric's symbol, a clause or '}'") ||
		    !parse_clauses(parser, &own))
			return false;
		if (changes)
			use->changes = *changes;
		attributes_apply(&use->changes, &own);
		**tail = use;
		*tail = &use->next;
	}
	return next(parser);
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

static bool parse_hex(struct parser *parser, uint32_t *value, const char *what)
{
	const struct token *token = &parser->lexer.token;

	if (token->kind != TOKEN_INTEGER)
		return expected(parser, what);
	if (token->integer > UINT32_MAX)
		return fail(parser, "a register address or value has 32 bits");
	*value = token->integer;
	return true;
}

/* 9840=00000080 */
static bool parse_register(struct parser *parser, struct gpuoa_reg *reg)
{
	return parse_hex(
		       parser, &reg->address,
		       "a register (address=value, both hexadecimal) or '}'") &&
	       next(parser) &&
	       (is(parser, "=") ? lexer_next_hex(&parser->lexer) :
				  expected(parser, "'='")) &&
	       parse_hex(parser, &reg->value,
			 "the register's value, hexadecimal") &&
	       lexer_next_hex(&parser->lexer);
}

/* mux|boolean|flex [if condition] { registers } */
static bool parse_registers(struct parser *parser, uint32_t kind,
			    struct register_list ***tail)
{
	struct register_list *list = parser_alloc(parser, sizeof(*list));
	uint32_t room = 0;

	if (!list)
		return false;
	list->kind = kind;
	list->location = parser->lexer.token.location;
	if (!next(parser))
		return false;
	if (is(parser, "if") &&
	    (!next(parser) || !parse_equation(parser, &list->condition)))
		return false;
	if (!is(parser, "{"))
		return expected(parser, "'{' and a list of registers");
	if (!lexer_next_hex(&parser->lexer))
		return false;
	for (; !is(parser, "}"); list->count++) {
		if (list->count == room) {
			struct gpuoa_reg *more;

			room = room ? 2 * room : 16;
			more = parser_alloc(parser, room * sizeof(*more));
			if (!more)
				return false;
			if (list->count)
				memcpy(more, list->registers,
				       list->count * sizeof(*more));
			list->registers = more;
		}
		if (!parse_register(parser, &list->registers[list->count]))
			return false;
	}
	**tail = list;
	*tail = &list->next;
	return next(parser);
}

static bool is_uuid(const char *uuid)
{
	for (size_t i = 0; i < 36; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;
		char c = uuid[i];

		if (dash ? c != '-' :
			   !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
			return false;
	}
	return !uuid[36];
}

static bool parse_uuid(struct parser *parser, struct set_definition *set)
{
	struct location location = parser->lexer.token.location;

	if (!parse_string(parser, &set->uuid, "a UUID in quotes"))
		return false;
	return is_uuid(set->uuid) ?
		       true :
		       lexer_fail(
			       &parser->lexer, location,
			       "a UUID has 8-4-4-4-12 hexadecimal digits, lower case");
}

static bool parse_format(struct parser *parser, struct set_definition *set)
{
	const struct report_format *format;
	const char *name;

	if (parser->lexer.token.kind != TOKEN_WORD)
		return expected(parser, "the name of a report format");
	name = parser_text(parser);
	if (!name)
		return false;
	format = format_find(name);
	if (!format)
		return expected(parser, "the name of a report format");
	set->format = format->id;
	return next(parser);
}

static bool parse_metrics(struct parser *parser, struct metric_use ***tail)
{
	struct attributes changes = { 0 };

	return parse_clauses(parser, &changes) &&
	       parse_uses(parser, &changes, tail);
}

static bool parse_set_clause(struct parser *parser, struct set_definition *set,
			     struct register_list ***registers,
			     struct metric_use ***uses)
{
	const struct word_value *kind =
		word_find(parser, register_words, LENGTH(register_words));

	if (kind)
		return parse_registers(parser, kind->value, registers);
	if (is(parser, "uuid"))
		return set->uuid ? fail(parser, "this clause is here twice") :
				   next(parser) && parse_uuid(parser, set);
	if (is(parser, "format"))
		return set->format ? fail(parser, "this clause is here twice") :
				     next(parser) && parse_format(parser, set);
	if (is(parser, "on"))
		return next(parser) && parse_apis(parser, &set->apis);
	if (is(parser, "metrics"))
		return next(parser) && parse_metrics(parser, uses);
	return expected(parser,
			"uuid, format, on, mux, boolean, flex, metrics or '}'");
}

/* set Symbol "Name" { clauses } */
static bool parse_set(struct parser *parser, struct set_definition ***tail)
{
	struct set_definition *set = parser_alloc(parser, sizeof(*set));
	struct register_list **registers;
	struct metric_use **uses;

	if (!set || !next(parser))
		return false;
	registers = &set->registers;
	uses = &set->uses;
	set->location = parser->lexer.token.location;
	if (!parse_symbol(parser, &set->symbol, "the set's symbol") ||
	    !parse_string(parser, &set->name, "the set's name in quotes") ||
	    !expect(parser, "{", "'{'"))
		return false;
	while (!is(parser, "}"))
		if (!parse_set_clause(parser, set, &registers, &uses))
			return false;
	if (!set->uuid)
		return lexer_fail(&parser->lexer, set->location,
				  "set %s lacks a uuid", set->symbol);
	if (!set->format)
		return lexer_fail(&parser->lexer, set->location,
				  "set %s lacks a format", set->symbol);
	if (!set->uses)
		return lexer_fail(&parser->lexer, set->location,
				  "set %s lacks metrics", set->symbol);
	**tail = set;
	*tail = &set->next;
	return next(parser);
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
			good = expected(
				parser,
				"constant, info, group, metric, bundle, set or a clause");
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
