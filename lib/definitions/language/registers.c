// SPDX-License-Identifier: MIT
/* registers.c - parser for lists of registers */
#include "definitions/language/registers.h"

#include <string.h>

#include "definitions/language/infix.h"

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

/* Registers of a list while it is parsed; the array grows by doubling. */
struct register_block {
	struct gpuoa_reg *registers;
	uint32_t count;
	uint32_t room;
};

static bool add_register(struct parser *parser, struct register_block *block, uint32_t address,
			 uint32_t value)
{
	if (block->count == block->room) {
		struct gpuoa_reg *more;

		block->room = block->room ? 2 * block->room : 16;
		more = parser_alloc(parser, block->room * sizeof(*more));
		if (!more)
			return false;
		if (block->count)
			memcpy(more, block->registers, block->count * sizeof(*more));
		block->registers = more;
	}
	block->registers[block->count++] = (struct gpuoa_reg){
		.address = address,
		.value = value,
	};
	return true;
}

/* Parse: 9840=00000080, or 9888=166c01e0,12170280 for several writes to one register */
static bool parse_writes(struct parser *parser, struct register_block *block)
{
	uint32_t address = 0, value = 0;

	if (!parse_hex(parser, &address, "a register (address=value, both hexadecimal) or '}'") ||
	    !parser_next(parser))
		return false;
	if (!parser_is(parser, "="))
		return parser_expected(parser, "'='");
	do {
		if (!lexer_next_hex(&parser->lexer) ||
		    !parse_hex(parser, &value, "the register's value, hexadecimal") ||
		    !add_register(parser, block, address, value) || !lexer_next_hex(&parser->lexer))
			return false;
	} while (parser_is(parser, ","));
	return true;
}

/* A named list of registers, which several sets can use. */
struct named_registers {
	const char *name;
	struct gpuoa_reg *registers;
	uint32_t count;
};

/* Parse: { 9840=00000080 ... } */
static bool parse_register_block(struct parser *parser, struct gpuoa_reg **registers,
				 uint32_t *count)
{
	struct register_block block = { 0 };

	if (!parser_is(parser, "{"))
		return parser_expected(parser, "'{' and a list of registers");
	if (!lexer_next_hex(&parser->lexer))
		return false;
	while (!parser_is(parser, "}"))
		if (!parse_writes(parser, &block))
			return false;
	*registers = block.registers;
	*count = block.count;
	return parser_next(parser);
}

bool parse_named_registers(struct parser *parser)
{
	struct named_registers *named = parser_alloc(parser, sizeof(*named));
	struct location location;

	return named && parser_next_at(parser, &location) &&
	       parse_symbol(parser, &named->name, "the name of a list of registers") &&
	       parser_define(parser, &parser->registers, named->name, named, location,
			     "a list of registers") &&
	       parse_register_block(parser, &named->registers, &named->count);
}

/* Use the named list of registers to which the token refers. */
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

static struct expression *new_condition(struct parser *parser, struct location location,
					enum expression_kind kind)
{
	struct expression *node = parser_alloc(parser, sizeof(*node));

	if (node) {
		node->kind = kind;
		node->location = location;
	}
	return node;
}

static struct expression *combine_conditions(struct parser *parser, struct expression *left,
					     enum code_op op, struct expression *right)
{
	struct expression *node = new_condition(parser, left->location, EXPRESSION_BINARY);

	if (node) {
		node->op = op;
		node->left = left;
		node->right = right;
	}
	return node;
}

/*
 * Restrict an alternative to GPUs to which no earlier alternative applies. @none: condition for
 * those GPUs, which is updated to exclude this alternative
 */
static bool exclude_alternatives(struct parser *parser, struct equation *condition,
				 struct expression **none)
{
	struct expression *own = condition->root, *zero, *not_own;

	if (*none) {
		condition->root = own ? combine_conditions(parser, *none, CODE_AND, own) : *none;
		condition->text = condition->root ? infix_text(condition->root, parser->arena) :
						    NULL;
		if (!condition->text) {
			parser->no_memory = true;
			return false;
		}
	}
	if (!own)
		return true;
	zero = new_condition(parser, own->location, EXPRESSION_INTEGER);
	not_own = zero ? combine_conditions(parser, own, CODE_EQUAL, zero) : NULL;
	if (!not_own)
		return false;
	*none = *none ? combine_conditions(parser, *none, CODE_AND, not_own) : not_own;
	return *none;
}

/* Parse an alternative: [if condition] { registers } */
static bool parse_alternative(struct parser *parser, struct register_list *list,
			      struct expression **none)
{
	if (parser_is(parser, "if") &&
	    (!parser_next(parser) || !parse_equation(parser, &list->condition)))
		return false;
	return exclude_alternatives(parser, &list->condition, none) &&
	       (parser_is(parser, "{") ?
			parse_register_block(parser, &list->registers, &list->count) :
			use_named_registers(parser, list));
}

bool parse_registers(struct parser *parser, uint32_t kind, uint32_t *lists,
		     struct register_list ***tail)
{
	/* condition that is true if no earlier alternative applies; NULL: always true */
	struct expression *none = NULL;
	bool conditional;

	do {
		struct register_list *list = parser_alloc(parser, sizeof(*list));

		if (!list)
			return false;
		list->kind = kind;
		list->location = parser->lexer.token.location;
		if (++*lists > REGISTER_LISTS_MAX)
			return lexer_fail(&parser->lexer, list->location,
					  "a set has %d lists of registers at most",
					  REGISTER_LISTS_MAX);
		/* Skip the first word: the kind of the registers, or "else". */
		if (!parser_next(parser))
			return false;
		conditional = parser_is(parser, "if");
		if (!parse_alternative(parser, list, &none))
			return false;
		**tail = list;
		*tail = &list->next;
	} while (conditional && parser_is(parser, "else"));
	return true;
}
