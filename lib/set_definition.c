// SPDX-License-Identifier: MIT
/* set_definition.c - reads metric sets: lists of metrics, lists of registers. */
#include <string.h>

#include "format.h"
#include "parser.h"

static const struct word_value register_words[] = {
	{ "mux", GPUOA_REGISTERS_MUX },
	{ "boolean", GPUOA_REGISTERS_BOOLEAN },
	{ "flex", GPUOA_REGISTERS_FLEX },
};

bool parse_uses(struct parser *parser, const struct attributes *changes,
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
		word_find(parser, WORDS(register_words));

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

bool parse_set(struct parser *parser, struct set_definition ***tail)
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
