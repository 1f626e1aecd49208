// SPDX-License-Identifier: MIT
/* infix.c - parser for equations in infix notation, with the usual precedence */
#include "definitions/language/infix.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/chars.h"
#include "base/decimal.h"
#include "report/format.h"

/* Maximum nesting depth; equations translated from postfix order are nested deeply. */
#define NESTING_MAX 256
#define NODES_MAX 512

static const struct binary_operator operators[] = {
	{ "or", 1, CODE_OR },
	{ "and", 2, CODE_AND },
	{ "==", COMPARISON, CODE_EQUAL },
	{ "!=", COMPARISON, CODE_NOT_EQUAL },
	{ "<", COMPARISON, CODE_LESS },
	{ "<=", COMPARISON, CODE_LESS_EQUAL },
	{ ">", COMPARISON, CODE_GREATER },
	{ ">=", COMPARISON, CODE_GREATER_EQUAL },
	{ "&", 4, CODE_BIT_AND },
	{ "<<", 5, CODE_SHIFT_LEFT },
	{ ">>", 5, CODE_SHIFT_RIGHT },
	{ "+", 6, CODE_ADD },
	{ "-", 6, CODE_SUBTRACT },
	{ "*", 7, CODE_MULTIPLY },
	{ "/", 7, CODE_REAL_DIVIDE },
	{ "//", 7, CODE_DIVIDE },
};

const struct binary_operator *infix_operator(enum code_op op)
{
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
		if (operators[i].op == op)
			return &operators[i];
	return NULL;
}

static const struct binary_operator *current_operator(const struct parser *parser)
{
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
		if (parser_is(parser, operators[i].text))
			return &operators[i];
	return NULL;
}

static struct expression *new_expression(struct parser *parser, enum expression_kind kind)
{
	struct expression *expression;

	if (++parser->nodes > NODES_MAX) {
		lexer_fail(&parser->lexer, parser->lexer.token.location,
			   "this equation has more than %d operands and operators", NODES_MAX);
		return NULL;
	}
	expression = parser_alloc(parser, sizeof(*expression));
	if (expression) {
		expression->kind = kind;
		expression->location = parser->lexer.token.location;
	}
	return expression;
}

/* Parse a counter such as "A12": a bank, and a number without leading zeros. */
static bool counter_of_word(const struct token *token, uint64_t *counter)
{
	static const struct {
		const char *prefix;
		enum counter_bank bank;
	} banks[] = { { "A", BANK_A },
		      { "B", BANK_B },
		      { "C", BANK_C },
		      { "PEC", BANK_PEC },
		      { "PERFCNT", BANK_PERFCNT } };

	for (size_t i = 0; i < sizeof(banks) / sizeof(banks[0]); i++) {
		size_t length = strlen(banks[i].prefix), digits = token->length - length;
		uint32_t index = 0;

		if (token->length <= length || memcmp(token->text, banks[i].prefix, length) ||
		    digits > 2)
			continue;
		for (size_t d = length; d < token->length; d++) {
			if (!is_digit(token->text[d]))
				return false;
			index = index * 10 + (token->text[d] - '0');
		}
		if (index >= BANK_SIZE || (digits == 2 && index < 10))
			return false;
		*counter = counter_number(banks[i].bank, index);
		return true;
	}
	return false;
}

static struct expression *parse_binary(struct parser *parser, int precedence);

static struct expression *parse_nested(struct parser *parser)
{
	struct expression *expression;

	if (++parser->nesting > NESTING_MAX) {
		lexer_fail(&parser->lexer, parser->lexer.token.location,
			   "parentheses are nested more than %d deep", NESTING_MAX);
		return NULL;
	}
	expression = parse_binary(parser, 1);
	parser->nesting--;
	return expression;
}

/* Parse the arguments of a function: "(a)" for float, or "(a, b)" for min and max. */
static struct expression *parse_call(struct parser *parser, enum code_op op)
{
	struct expression *call =
		new_expression(parser, op == CODE_TO_REAL ? EXPRESSION_UNARY : EXPRESSION_BINARY);

	if (!call)
		return NULL;
	call->op = op;
	if (!parser_next(parser) || !parser_expect(parser, "(", "'('"))
		return NULL;
	call->left = parse_nested(parser);
	if (!call->left)
		return NULL;
	if (call->kind == EXPRESSION_BINARY) {
		if (!parser_expect(parser, ",", "an operator or ','"))
			return NULL;
		call->right = parse_nested(parser);
		if (!call->right)
			return NULL;
	}
	return parser_expect(parser, ")", "an operator or ')'") ? call : NULL;
}

static struct expression *parse_parentheses(struct parser *parser)
{
	struct expression *inner;

	if (!parser_next(parser))
		return NULL;
	inner = parse_nested(parser);
	if (!inner || !parser_expect(parser, ")", "an operator or ')'"))
		return NULL;
	return inner;
}

static struct expression *parse_word(struct parser *parser)
{
	static const struct {
		const char *word;
		enum code_op op;
	} calls[] = {
		{ "float", CODE_TO_REAL },
		{ "min", CODE_MINIMUM },
		{ "max", CODE_MAXIMUM },
	}, sources[] = {
		{ "TIMESTAMP", CODE_TIMESTAMP },
		{ "CLOCK", CODE_CLOCK },
		{ "REPORT_ID", CODE_REPORT_ID },
		{ "CONTEXT_ID", CODE_CONTEXT_ID },
		{ "QueryMode", CODE_QUERY_MODE },
	};
	struct expression *expression;

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (parser_is(parser, calls[i].word))
			return parse_call(parser, calls[i].op);

	expression = new_expression(parser, EXPRESSION_NAME);
	if (!expression)
		return NULL;
	if (counter_of_word(&parser->lexer.token, &expression->integer))
		expression->kind = EXPRESSION_COUNTER;
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		if (parser_is(parser, sources[i].word)) {
			expression->kind = EXPRESSION_SOURCE;
			expression->op = sources[i].op;
		}
	}
	expression->name = parser_text(parser);
	return expression->name && parser_next(parser) ? expression : NULL;
}

static struct expression *parse_operand(struct parser *parser)
{
	struct token *token = &parser->lexer.token;
	struct expression *expression;

	if (parser_is(parser, "("))
		return parse_parentheses(parser);
	if (token->kind == TOKEN_WORD)
		return parse_word(parser);
	if (token->kind != TOKEN_INTEGER && token->kind != TOKEN_REAL) {
		parser_expected(parser, "a counter, a name, a number or '('");
		return NULL;
	}
	expression = new_expression(parser, token->kind == TOKEN_REAL ? EXPRESSION_REAL :
									EXPRESSION_INTEGER);
	if (!expression)
		return NULL;
	expression->integer = token->integer;
	expression->real = token->real;
	return parser_next(parser) ? expression : NULL;
}

/* Parse a sequence of operators that have at least the given precedence. */
static struct expression *parse_binary(struct parser *parser, int precedence)
{
	struct expression *left = parse_operand(parser);
	const struct binary_operator *sign;

	while (left && (sign = current_operator(parser)) && sign->precedence >= precedence) {
		struct expression *binary = new_expression(parser, EXPRESSION_BINARY);

		if (!binary || !parser_next(parser))
			return NULL;
		binary->op = sign->op;
		binary->left = left;
		binary->right = parse_binary(parser, sign->precedence + 1);
		if (!binary->right)
			return NULL;
		left = binary;
		if (sign->precedence == COMPARISON && (sign = current_operator(parser)) &&
		    sign->precedence == COMPARISON) {
			parser_expected(parser, "no second comparison (use 'and')");
			return NULL;
		}
	}
	return left;
}

/* Copy the source text from @begin to @end, without comments and with single spaces. */
static const char *even_out(struct parser *parser, const char *begin, const char *end)
{
	char *text = arena_string(parser->arena, begin, end - begin), *out = text;
	bool space = false;

	if (!text) {
		parser->no_memory = true;
		return NULL;
	}
	for (const char *in = text; *in; in++) {
		if (*in == '#')
			in += strcspn(in, "\n");
		if (*in == ' ' || *in == '\t' || *in == '\n' || *in == '\r') {
			space = true;
			continue;
		}
		if (space)
			*out++ = ' ';
		space = false;
		*out++ = *in;
	}
	*out = '\0';
	return text;
}

bool parse_equation(struct parser *parser, struct equation *equation)
{
	const char *begin = parser->lexer.token.text;

	parser->nodes = 0;
	equation->root = parse_binary(parser, 1);
	if (!equation->root)
		return false;
	equation->text = even_out(parser, begin, parser->lexer.last_end);
	return equation->text;
}

/* Output buffer; if .to is NULL, only the length is computed. */
struct output {
	char *to;
	size_t length;
};

static void put(struct output *text, const char *string)
{
	const size_t length = strlen(string);

	if (text->to)
		memcpy(text->to + text->length, string, length);
	text->length += length;
}

static void put_number(struct output *text, const struct expression *expression)
{
	char number[DECIMAL_SIZE];

	if (expression->kind == EXPRESSION_INTEGER)
		snprintf(number, sizeof(number), "%" PRIu64, expression->integer);
	else
		decimal_print(number, expression->real);
	put(text, number);
}

static void put_expression(struct output *text, const struct expression *expression);

/* Print an operand, with parentheses if its operator has a lower precedence than @precedence. */
static void put_operand(struct output *text, const struct expression *operand, int precedence)
{
	const struct binary_operator *sign =
		operand->kind == EXPRESSION_BINARY ? infix_operator(operand->op) : NULL;
	const bool enclose = sign && sign->precedence < precedence;

	if (enclose)
		put(text, "(");
	put_expression(text, operand);
	if (enclose)
		put(text, ")");
}

static void put_binary(struct output *text, const struct expression *expression)
{
	const struct binary_operator *sign = infix_operator(expression->op);

	if (!sign) {
		put(text, expression->op == CODE_MINIMUM ? "min(" : "max(");
		put_expression(text, expression->left);
		put(text, ", ");
		put_expression(text, expression->right);
		put(text, ")");
		return;
	}
	put_operand(text, expression->left, sign->precedence + (sign->precedence == COMPARISON));
	put(text, " ");
	put(text, sign->text);
	put(text, " ");
	put_operand(text, expression->right, sign->precedence + 1);
}

static void put_expression(struct output *text, const struct expression *expression)
{
	switch (expression->kind) {
	case EXPRESSION_INTEGER:
	case EXPRESSION_REAL:
		put_number(text, expression);
		break;
	case EXPRESSION_UNARY:
		put(text, "float(");
		put_expression(text, expression->left);
		put(text, ")");
		break;
	case EXPRESSION_BINARY:
		put_binary(text, expression);
		break;
	default:
		put(text, expression->name);
	}
}

const char *infix_text(const struct expression *expression, struct arena *arena)
{
	struct output text = { 0 };

	put_expression(&text, expression);
	text.to = arena_alloc(arena, text.length + 1);
	text.length = 0;
	if (text.to)
		put_expression(&text, expression);
	return text.to;
}
