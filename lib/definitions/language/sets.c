// SPDX-License-Identifier: MIT
/* sets.c - parser for metric sets and templates of sets */
#include "definitions/language/sets.h"

#include <string.h>

#include "definitions/language/clauses.h"
#include "definitions/language/infix.h"
#include "definitions/language/names.h"
#include "definitions/language/registers.h"
#include "definitions/language/uses.h"
#include "report/format.h"

#define TEMPLATES_MAX 8
#define SETS_MAX 32767

/* Parse: uuid "..." [shared]. With "shared", another set has the same UUID and registers. */
static bool parse_uuid(struct parser *parser, struct set_definition *set)
{
	struct location location = parser->lexer.token.location;

	if (!parse_string(parser, &set->uuid, "a UUID in quotes"))
		return false;
	if (!uuid_is_valid(set->uuid))
		return lexer_fail(&parser->lexer, location,
				  "a UUID has 8-4-4-4-12 hexadecimal digits, lower case");
	set->shares_uuid = parser_is(parser, "shared");
	return !set->shares_uuid || parser_next(parser);
}

static bool parse_format(struct parser *parser, struct set_definition *set)
{
	const struct report_format *format;
	const char *name;

	if (parser->lexer.token.kind != TOKEN_WORD)
		return parser_expected(parser, "the name of a report format");
	name = parser_text(parser);
	if (!name)
		return false;
	format = format_find(name);
	if (!format)
		return parser_expected(parser, "the name of a report format");
	set->format = format->id;
	return parser_next(parser);
}

static bool parse_metrics(struct parser *parser, struct metric_use ***tail)
{
	struct attributes changes = { 0 };

	return parse_clauses(parser, &changes) && parse_uses(parser, &changes, tail);
}

/* Parse: unit OAM0 */
static bool parse_unit(struct parser *parser, struct set_definition *set)
{
	return parse_symbol(parser, &set->unit, "the name of an OA unit");
}

static bool parse_availability(struct parser *parser, struct set_definition *set)
{
	return parse_equation(parser, &set->availability);
}

static bool parse_set_apis(struct parser *parser, struct set_definition *set)
{
	return parse_apis(parser, &set->apis);
}

/* Parse: remark "..." */
static bool parse_remark(struct parser *parser, struct set_definition *set)
{
	return parse_string(parser, &set->remark, "the remark in quotes");
}

/* The clauses that a set can have at most once, by keyword */
static const struct {
	const char *word;
	bool (*parse)(struct parser *parser, struct set_definition *set);
} set_clauses[] = {
	{ "uuid", parse_uuid }, { "format", parse_format },   { "on", parse_set_apis },
	{ "unit", parse_unit }, { "if", parse_availability }, { "remark", parse_remark },
};

#define SET_CLAUSES (sizeof(set_clauses) / sizeof(set_clauses[0]))

/* A set being parsed. */
struct set_parser {
	struct set_definition *set;
	struct register_list **registers;
	struct metric_use **uses;
	struct metric_use **changes;
	uint32_t lists; /* number of register lists */
	uint32_t given; /* mask of the clauses that have been parsed */
};

static bool parse_set_clause(struct parser *parser, struct set_parser *at)
{
	uint32_t kind;

	if (parser_word(parser, WORD_REGISTERS, &kind))
		return parse_registers(parser, kind, &at->lists, &at->registers);
	if (parser_is(parser, "metrics"))
		return parser_next(parser) && parse_metrics(parser, &at->uses);
	if (parser_is(parser, "change"))
		return parser_next(parser) && parse_metrics(parser, &at->changes);
	for (uint32_t i = 0; i < SET_CLAUSES; i++) {
		if (!parser_is(parser, set_clauses[i].word))
			continue;
		if (at->given & 1u << i)
			return parser_fail(parser, "this clause is here twice");
		at->given |= 1u << i;
		return parser_next(parser) && set_clauses[i].parse(parser, at->set);
	}
	return parser_expected(
		parser,
		"uuid, format, on, unit, if, remark, mux, boolean, flex, metrics, change or '}'");
}

/* Copy the lists of registers of the template. The lists of the set are appended later. */
static bool copy_registers(struct parser *parser, struct set_parser *at,
			   const struct register_list *list)
{
	for (; list; list = list->next, at->lists++) {
		struct register_list *copy = parser_alloc(parser, sizeof(*copy));

		if (!copy)
			return false;
		*copy = *list;
		*at->registers = copy;
		at->registers = &copy->next;
	}
	return true;
}

/* Parse: like Template */
static bool parse_like(struct parser *parser, struct set_parser *at)
{
	struct set_definition *set = at->set;
	const struct set_definition *like;
	struct location location;
	const char *name;

	if (!parser_next_at(parser, &location) ||
	    !parse_symbol(parser, &name, "the template's name"))
		return false;
	like = name_map_find(&parser->templates, name);
	if (!like) {
		set->like_builtin = name;
		set->like_location = location;
		set->unit = NULL;
		return true;
	}
	set->like = like;
	set->depth = like->depth + 1;
	if (set->depth > TEMPLATES_MAX)
		return lexer_fail(&parser->lexer, location,
				  "templates are like each other more than %d deep", TEMPLATES_MAX);
	set->uuid = like->uuid;
	set->format = like->format;
	set->apis = like->apis;
	set->unit = like->unit;
	set->availability = like->availability;
	set->remark = like->remark;
	if (!set->name)
		set->name = like->name;
	return copy_registers(parser, at, like->registers);
}

/* Parse: Symbol ["Name"] [like Template] { clauses } */
static bool parse_set_body(struct parser *parser, struct set_parser *at, const char *what)
{
	struct set_definition *set = at->set;

	if (!parser_next_at(parser, &set->location) || !parse_symbol(parser, &set->symbol, what))
		return false;
	if (parser->lexer.token.kind == TOKEN_STRING &&
	    !parse_string(parser, &set->name, "the set's name"))
		return false;
	if (parser_is(parser, "like") && !parse_like(parser, at))
		return false;
	if (!parser_expect(parser, "{",
			   set->like || set->like_builtin ?
				   "'{'" :
				   "the set's name in quotes, 'like' or '{'"))
		return false;
	while (!parser_is(parser, "}"))
		if (!parse_set_clause(parser, at))
			return false;
	return parser_next(parser);
}

static bool set_parser_init(struct parser *parser, struct set_parser *at)
{
	struct set_definition *set = parser_alloc(parser, sizeof(*set));

	if (!set)
		return false;
	*at = (struct set_parser){
		.set = set,
		.registers = &set->registers,
		.uses = &set->uses,
		.changes = &set->changes,
	};
	set->unit = "OA";
	if (++parser->sets > SETS_MAX)
		return lexer_fail(&parser->lexer, parser->lexer.token.location,
				  "a platform has %d sets and templates at most", SETS_MAX);
	return true;
}

/*
 * Parse the template of a set. Only a set can have a built-in set as template; a template cannot.
 */
static bool check_template(struct parser *parser, const struct set_definition *template)
{
	if (!template->like_builtin)
		return true;
	return lexer_fail(&parser->lexer, template->like_location,
			  "there is no template '%s' before this line", template->like_builtin);
}

bool parse_template(struct parser *parser)
{
	struct set_parser at;

	if (!set_parser_init(parser, &at) || !parse_set_body(parser, &at, "the template's name") ||
	    !check_template(parser, at.set) ||
	    !parser_define(parser, &parser->templates, at.set->symbol, at.set, at.set->location,
			   "a template"))
		return false;
	*parser->tails.templates = at.set;
	parser->tails.templates = &at.set->next;
	return true;
}

static bool set_lacks(struct parser *parser, const struct set_definition *set, const char *what)
{
	return lexer_fail(&parser->lexer, set->location, "set %s lacks %s", set->symbol, what);
}

static bool has_metrics(const struct set_definition *set)
{
	for (; set; set = set->like)
		if (set->uses)
			return true;
	return false;
}

bool parse_set(struct parser *parser)
{
	struct set_parser at;

	if (!set_parser_init(parser, &at) || !parse_set_body(parser, &at, "the set's symbol"))
		return false;
	/* If the template is a built-in set, missing properties are copied from it later. */
	if (at.set->like_builtin)
		goto good;
	if (!at.set->uuid)
		return set_lacks(parser, at.set, "a uuid");
	if (!at.set->format)
		return set_lacks(parser, at.set, "a format");
	if (!has_metrics(at.set))
		return set_lacks(parser, at.set, "metrics");
	if (!at.set->name)
		at.set->name = at.set->symbol;
good:
	*parser->tails.sets = at.set;
	parser->tails.sets = &at.set->next;
	return true;
}
