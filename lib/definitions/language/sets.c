// SPDX-License-Identifier: MIT
/* sets.c - reads metric sets: lists of metrics, lists of registers. */
#include <string.h>

#include "base/chars.h"
#include "definitions/language/parser.h"
#include "report/format.h"

#define TEMPLATES_MAX 8
#define LISTS_MAX 64
#define SETS_MAX 32767

/* metric Symbol "Name" clauses: a metric that only this list has */
static bool parse_own_metric(struct parser *parser, struct metric_use *use, struct attributes *own)
{
	const uint32_t needed = ATTRIBUTE_EQUATION | ATTRIBUTE_VALUE;

	use->is_whole = true;
	if (!parser_next(parser))
		return false;
	use->location = parser->lexer.token.location;
	if (!parse_new_symbol(parser, &use->symbol, "the metric's symbol") ||
	    !parse_string(parser, &own->name, "the metric's name in quotes"))
		return false;
	own->hw_unit = "gpu";
	own->given = ATTRIBUTE_NAME;
	if (!parse_clauses(parser, own))
		return false;
	own->given |= ATTRIBUTE_HW_UNIT;
	if ((own->given & needed) == needed)
		return true;
	return lexer_fail(&parser->lexer, use->location, "%s lacks %s", use->symbol,
			  own->given & ATTRIBUTE_EQUATION ? "a type, units and a semantic" :
							    "an equation");
}

/* Metric clauses  bundle Name clauses */
static bool parse_listed(struct parser *parser, struct metric_use *use, struct attributes *own)
{
	if (parser_is(parser, "bundle")) {
		use->is_bundle = true;
		if (!parser_next(parser))
			return false;
	}
	use->location = parser->lexer.token.location;
	return parse_symbol(parser, &use->symbol,
			    use->is_bundle ? "a bundle's name" :
					     "a metric's symbol, a clause or '}'") &&
	       parse_clauses(parser, own);
}

bool parse_uses(struct parser *parser, const struct attributes *changes, struct metric_use ***tail)
{
	if (!parser_expect(parser, "{", "'{' and a list of metrics"))
		return false;
	while (!parser_is(parser, "}")) {
		struct metric_use *use = parser_alloc(parser, sizeof(*use));
		struct attributes own = { 0 };

		if (!use)
			return false;
		if (!(parser_is(parser, "metric") ? parse_own_metric(parser, use, &own) :
						    parse_listed(parser, use, &own)))
			return false;
		if (changes)
			use->changes = *changes;
		attributes_apply(&use->changes, &own);
		**tail = use;
		*tail = &use->next;
	}
	return parser_next(parser);
}

static bool parse_hex(struct parser *parser, uint32_t *value, const char *what)
{
	const struct token *token = &parser->lexer.token;

	if (token->kind != TOKEN_INTEGER)
		return parser_expected(parser, what);
	if (token->integer > UINT32_MAX)
		return parser_fail(parser, "a register address or value has 32 bits");
	*value = token->integer;
	return true;
}

/* 9840=00000080 */
static bool parse_register(struct parser *parser, struct gpuoa_reg *reg)
{
	return parse_hex(parser, &reg->address,
			 "a register (address=value, both hexadecimal) or '}'") &&
	       parser_next(parser) &&
	       (parser_is(parser, "=") ? lexer_next_hex(&parser->lexer) :
					 parser_expected(parser, "'='")) &&
	       parse_hex(parser, &reg->value, "the register's value, hexadecimal") &&
	       lexer_next_hex(&parser->lexer);
}

/* A list of registers that several sets use by name. */
struct named_registers {
	const char *name;
	struct location location;
	struct gpuoa_reg *registers;
	uint32_t count;
};

/* { 9840=00000080 ... } */
static bool parse_register_block(struct parser *parser, struct gpuoa_reg **registers,
				 uint32_t *count)
{
	uint32_t room = 0;

	if (!parser_is(parser, "{"))
		return parser_expected(parser, "'{' and a list of registers");
	if (!lexer_next_hex(&parser->lexer))
		return false;
	for (; !parser_is(parser, "}"); ++*count) {
		if (*count == room) {
			struct gpuoa_reg *more;

			room = room ? 2 * room : 16;
			more = parser_alloc(parser, room * sizeof(*more));
			if (!more)
				return false;
			if (*count)
				memcpy(more, *registers, *count * sizeof(*more));
			*registers = more;
		}
		if (!parse_register(parser, &(*registers)[*count]))
			return false;
	}
	return parser_next(parser);
}

bool parse_named_registers(struct parser *parser)
{
	struct named_registers *named = parser_alloc(parser, sizeof(*named));

	if (!named || !parser_next(parser))
		return false;
	named->location = parser->lexer.token.location;
	return parse_symbol(parser, &named->name, "the name of a list of registers") &&
	       parser_define(parser, &parser->registers, named->name, named, named->location,
			     "a list of registers") &&
	       parse_register_block(parser, &named->registers, &named->count);
}

/* The list that the token names. */
static bool use_named_registers(struct parser *parser, struct register_list *list)
{
	struct location location = parser->lexer.token.location;
	const struct named_registers *named;
	const char *name;

	if (!parse_symbol(parser, &name, "'{' and a list of registers, or the name of one"))
		return false;
	named = name_map_find(&parser->registers, name);
	if (!named)
		return lexer_fail(&parser->lexer, location,
				  "there is no list of registers '%s' before this line", name);
	list->registers = named->registers;
	list->count = named->count;
	return true;
}

/* mux|boolean|flex [if condition] { registers }, or the name of such a list */
static bool parse_registers(struct parser *parser, uint32_t kind, struct register_list ***tail)
{
	struct register_list *list = parser_alloc(parser, sizeof(*list));

	if (!list)
		return false;
	list->kind = kind;
	list->location = parser->lexer.token.location;
	if (!parser_next(parser))
		return false;
	if (parser_is(parser, "if") &&
	    (!parser_next(parser) || !parse_equation(parser, &list->condition)))
		return false;
	if (!(parser_is(parser, "{") ?
		      parse_register_block(parser, &list->registers, &list->count) :
		      use_named_registers(parser, list)))
		return false;
	**tail = list;
	*tail = &list->next;
	return true;
}

bool uuid_is_valid(const char *uuid)
{
	for (size_t i = 0; i < 36; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;
		char c = uuid[i];

		if (dash ? c != '-' : !(is_digit(c) || (c >= 'a' && c <= 'f')))
			return false;
	}
	return !uuid[36];
}

/* uuid "..." [shared]: the same registers as another set, which has this UUID, too */
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

/* unit OAM0 */
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

/* Clauses that a set has once, each with the word that begins it. */
static const struct {
	const char *word;
	bool (*parse)(struct parser *parser, struct set_definition *set);
} set_clauses[] = {
	{ "uuid", parse_uuid }, { "format", parse_format },   { "on", parse_set_apis },
	{ "unit", parse_unit }, { "if", parse_availability },
};

#define SET_CLAUSES (sizeof(set_clauses) / sizeof(set_clauses[0]))

/* A set that is being read. */
struct set_parser {
	struct set_definition *set;
	struct register_list **registers;
	struct metric_use **uses;
	struct metric_use **changes;
	uint32_t lists; /* of registers */
	uint32_t given; /* bit: number of the clause */
};

static bool parse_set_clause(struct parser *parser, struct set_parser *at)
{
	uint32_t kind;

	if (parser_word(parser, WORD_REGISTERS, &kind)) {
		if (++at->lists > LISTS_MAX)
			return lexer_fail(&parser->lexer, parser->lexer.token.location,
					  "a set has %d lists of registers at most", LISTS_MAX);
		return parse_registers(parser, kind, &at->registers);
	}
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
		parser, "uuid, format, on, unit, if, mux, boolean, flex, metrics, change or '}'");
}

/* Copy the template's lists of registers; the set's own ones follow. */
static bool copy_registers(struct parser *parser, struct set_parser *at,
			   const struct register_list *list)
{
	for (; list; list = list->next, at->lists++) {
		struct register_list *copy = parser_alloc(parser, sizeof(*copy));

		if (!copy)
			return false;
		*copy = *list;
		copy->next = NULL;
		*at->registers = copy;
		at->registers = &copy->next;
	}
	return true;
}

/* like Template */
static bool parse_like(struct parser *parser, struct set_parser *at)
{
	struct set_definition *set = at->set;
	const struct set_definition *like;
	struct location location;
	const char *name;

	if (!parser_next(parser))
		return false;
	location = parser->lexer.token.location;
	if (!parse_symbol(parser, &name, "the template's name"))
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
	if (!set->name)
		set->name = like->name;
	return copy_registers(parser, at, like->registers);
}

/* Symbol ["Name"] [like Template] { clauses } */
static bool parse_set_body(struct parser *parser, struct set_parser *at, const char *what)
{
	struct set_definition *set = at->set;

	if (!parser_next(parser))
		return false;
	set->location = parser->lexer.token.location;
	if (!parse_symbol(parser, &set->symbol, what))
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

/* Sets may be like a built-in set; templates may not. */
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
	/* A set that is like a built-in one takes this from there. */
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
