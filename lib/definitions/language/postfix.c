// SPDX-License-Identifier: MIT
/*
 * postfix.c - parser for equations in reverse Polish notation, as in the vendor's files
 *
 * The vendor has two families of operators: U... operate on integers, F... on reals. Here, the type
 * of an operator follows from its operands, so that float() is inserted where necessary. As in the
 * vendor's library, U... of a real operand is computed in reals.
 */
#include "definitions/language/postfix.h"

#include <errno.h>
#include <stdio.h>

#include "definitions/language/infix.h"
#include "definitions/language/lexer.h"
#include "report/format.h"

#define NODES_MAX 512

struct postfix_word {
	const char *text;
	size_t length;
};

/* An operand, with its properties. */
struct operand {
	struct expression *expression;
	bool real;
	bool truth; /* used as a truth value: only whether it is 0 matters */
};

struct postfix_reader {
	const struct postfix *postfix;
	struct location location;
	const char *cursor;
	struct postfix_word word;
	struct operand stack[CODE_DEPTH_MAX];
	uint32_t depth;
	uint32_t nodes;
	bool no_memory;
};

#define POSTFIX_FAIL(reader, ...)                                               \
	(diagnostic_set((reader)->postfix->diagnostic, (reader)->postfix->file, \
			(reader)->location, __VA_ARGS__),                       \
	 false)

/* The current word, truncated for messages. */
#define WORD(reader) \
	(int)((reader)->word.length > 40 ? 40 : (reader)->word.length), (reader)->word.text

static bool next_word(struct postfix_reader *reader)
{
	static const char spaces[] = " \t\r\n";

	reader->cursor += strspn(reader->cursor, spaces);
	reader->word.text = reader->cursor;
	reader->word.length = strcspn(reader->cursor, spaces);
	reader->cursor += reader->word.length;
	return reader->word.length;
}

static bool word_is(const struct postfix_reader *reader, const char *text)
{
	return strlen(text) == reader->word.length &&
	       !memcmp(text, reader->word.text, reader->word.length);
}

/* operands */

static struct expression *new_expression(struct postfix_reader *reader, enum expression_kind kind)
{
	struct expression *expression;

	if (++reader->nodes > NODES_MAX) {
		(void)POSTFIX_FAIL(reader, "this equation has more than %d operands and operators",
				   NODES_MAX);
		return NULL;
	}
	expression = arena_alloc(reader->postfix->arena, sizeof(*expression));
	if (!expression) {
		reader->no_memory = true;
		return NULL;
	}
	expression->kind = kind;
	expression->location = reader->location;
	return expression;
}

static bool push(struct postfix_reader *reader, struct expression *expression, bool real)
{
	if (reader->depth == CODE_DEPTH_MAX)
		return POSTFIX_FAIL(reader, "this equation needs more than %d intermediate values",
				    CODE_DEPTH_MAX);
	reader->stack[reader->depth++] = (struct operand){ .expression = expression, .real = real };
	return true;
}

static bool name_expression(struct postfix_reader *reader, struct expression *expression,
			    const char *text, size_t length)
{
	expression->name = arena_string(reader->postfix->arena, text, length);
	if (!expression->name)
		reader->no_memory = true;
	return expression->name;
}

/* Parse a number. */
static bool take_number(struct postfix_reader *reader, struct expression *number)
{
	char text[32];

	snprintf(text, sizeof(text), "%.*s",
		 (int)(reader->word.length < sizeof(text) ? reader->word.length : sizeof(text) - 1),
		 reader->word.text);
	return reader->word.length < sizeof(text) && !postfix_read_number(text, number);
}

static bool push_number(struct postfix_reader *reader)
{
	struct expression number = { 0 };
	struct expression *expression;

	if (!take_number(reader, &number))
		return POSTFIX_FAIL(
			reader, "expected a number, $NAME, a counter or an operator, found '%.*s'",
			WORD(reader));
	expression = new_expression(reader, number.kind);
	if (!expression)
		return false;
	expression->integer = number.integer;
	expression->real = number.real;
	return push(reader, expression, number.kind == EXPRESSION_REAL);
}

static bool push_truth(struct postfix_reader *reader)
{
	struct expression *expression = new_expression(reader, EXPRESSION_INTEGER);

	if (!expression)
		return false;
	expression->integer = word_is(reader, "true");
	return push(reader, expression, false);
}

/* Parse $Name. */
static bool push_name(struct postfix_reader *reader)
{
	const struct postfix *postfix = reader->postfix;
	struct expression *expression = new_expression(reader, EXPRESSION_NAME);
	enum gpuoa_value_type type = GPUOA_TYPE_UINT64;
	int err;

	if (!expression ||
	    !name_expression(reader, expression, reader->word.text + 1, reader->word.length - 1))
		return false;
	if (!strcmp(expression->name, "QueryMode")) {
		expression->kind = EXPRESSION_SOURCE;
		expression->op = CODE_QUERY_MODE;
		return push(reader, expression, false);
	}
	err = postfix->resolve(postfix->context, expression->name, &type);
	if (err == -ENOENT)
		return POSTFIX_FAIL(
			reader, "'%.*s' is neither a counter of this set nor a constant of a GPU",
			WORD(reader));
	reader->no_memory = err;
	return !err && push(reader, expression, type == GPUOA_TYPE_FLOAT);
}

static const struct bank {
	const char *name;
	const char *prefix; /* in infix notation */
	enum counter_bank bank;
	/* operator that reads one of the two clocks, which are not banks of counters */
	enum code_op op;
} banks[] = {
	{ "A", "A", BANK_A, 0 },
	{ "B", "B", BANK_B, 0 },
	{ "C", "C", BANK_C, 0 },
	{ "PEC", "PEC", BANK_PEC, 0 },
	{ "PERFCNT", "PERFCNT", BANK_PERFCNT, 0 },
	{ "GPU_TIME", "TIMESTAMP", 0, CODE_TIMESTAMP },
	{ "GPU_CLOCK", "CLOCK", 0, CODE_CLOCK },
};

static const struct bank *find_bank(const struct postfix_reader *reader)
{
	for (size_t i = 0; i < sizeof(banks) / sizeof(banks[0]); i++)
		if (word_is(reader, banks[i].name))
			return &banks[i];
	return NULL;
}

/* Parse the counter number and the word READ that follow a bank. */
static bool read_index(struct postfix_reader *reader, const struct bank *bank, uint64_t *index)
{
	struct expression number;

	if (!next_word(reader) || !take_number(reader, &number) ||
	    number.kind != EXPRESSION_INTEGER)
		return POSTFIX_FAIL(reader, "expected the number of a counter behind %s",
				    bank->name);
	*index = number.integer;
	if (*index >= (bank->op ? 1 : BANK_SIZE))
		return POSTFIX_FAIL(reader, "there is no %s %.*s", bank->name, WORD(reader));
	if (!next_word(reader) || !word_is(reader, "READ"))
		return POSTFIX_FAIL(reader, "expected READ behind %s %u", bank->name,
				    (unsigned int)*index);
	return true;
}

/* Parse: A 7 READ */
static bool push_counter(struct postfix_reader *reader, const struct bank *bank)
{
	struct expression *expression =
		new_expression(reader, bank->op ? EXPRESSION_SOURCE : EXPRESSION_COUNTER);
	char name[16];
	uint64_t index;

	if (!expression || !read_index(reader, bank, &index))
		return false;
	if (bank->op)
		snprintf(name, sizeof(name), "%s", bank->prefix);
	else
		snprintf(name, sizeof(name), "%s%u", bank->prefix, (unsigned int)index);
	expression->op = bank->op;
	expression->integer = counter_number(bank->bank, index);
	return name_expression(reader, expression, name, strlen(name)) &&
	       push(reader, expression, false);
}

/* operators */

enum family {
	FAMILY_ANY, /* U...: integers or reals */
	FAMILY_INTEGER, /* integers only */
	FAMILY_REAL, /* F...: converts operands to real */
	FAMILY_TRUTH, /* truth values */
};

static const struct operation {
	const char *name;
	enum code_op op;
	enum family family;
} operations[] = {
	{ "UADD", CODE_ADD, FAMILY_ANY },
	{ "USUB", CODE_SUBTRACT, FAMILY_ANY },
	{ "UMUL", CODE_MULTIPLY, FAMILY_ANY },
	{ "UDIV", CODE_DIVIDE, FAMILY_ANY },
	{ "UMIN", CODE_MINIMUM, FAMILY_ANY },
	{ "UMAX", CODE_MAXIMUM, FAMILY_ANY },
	{ "FADD", CODE_ADD, FAMILY_REAL },
	{ "FSUB", CODE_SUBTRACT, FAMILY_REAL },
	{ "FMUL", CODE_MULTIPLY, FAMILY_REAL },
	{ "FDIV", CODE_REAL_DIVIDE, FAMILY_REAL },
	{ "FMIN", CODE_MINIMUM, FAMILY_REAL },
	{ "FMAX", CODE_MAXIMUM, FAMILY_REAL },
	{ "AND", CODE_BIT_AND, FAMILY_INTEGER },
	{ "<<", CODE_SHIFT_LEFT, FAMILY_INTEGER },
	{ ">>", CODE_SHIFT_RIGHT, FAMILY_INTEGER },
	{ "&&", CODE_AND, FAMILY_TRUTH },
	{ "||", CODE_OR, FAMILY_TRUTH },
	/*
	 * Translate the vendor's OR, which is bitwise, to the logical operator. Only conditions use
	 * OR, and for these both operators have the same result.
	 */
	{ "OR", CODE_OR, FAMILY_TRUTH },
	{ "==", CODE_EQUAL, FAMILY_INTEGER },
	{ "ULT", CODE_LESS, FAMILY_INTEGER },
	{ "ULTE", CODE_LESS_EQUAL, FAMILY_INTEGER },
	{ "UGT", CODE_GREATER, FAMILY_INTEGER },
	{ "UGTE", CODE_GREATER_EQUAL, FAMILY_INTEGER },
};

static const struct operation *find_operation(const struct postfix_reader *reader)
{
	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
		if (word_is(reader, operations[i].name))
			return &operations[i];
	return NULL;
}

static bool convert(struct postfix_reader *reader, struct operand *operand)
{
	struct expression *call = new_expression(reader, EXPRESSION_UNARY);

	if (!call)
		return false;
	call->op = CODE_TO_REAL;
	call->left = operand->expression;
	*operand = (struct operand){ .expression = call, .real = true };
	return true;
}

static bool apply(struct postfix_reader *reader, const struct operation *operation)
{
	struct operand *left, *right;
	struct expression *binary;
	bool real;

	if (reader->depth < 2)
		return POSTFIX_FAIL(reader, "%s lacks an operand", operation->name);
	right = &reader->stack[--reader->depth];
	left = &reader->stack[reader->depth - 1];
	real = left->real || right->real;
	if (real && (operation->family == FAMILY_INTEGER || operation->family == FAMILY_TRUTH))
		return POSTFIX_FAIL(reader, "%s of a fractional number", operation->name);
	if ((left->truth || right->truth) && operation->family != FAMILY_TRUTH)
		return POSTFIX_FAIL(reader, "%s of a result of OR", operation->name);
	binary = new_expression(reader, EXPRESSION_BINARY);
	if (!binary)
		return false;
	binary->op = operation->op;
	if (operation->family == FAMILY_REAL && !real && operation->op != CODE_REAL_DIVIDE &&
	    !convert(reader, left))
		return false;
	if (operation->family == FAMILY_REAL)
		real = true;
	else if (real && operation->op == CODE_DIVIDE)
		binary->op = CODE_REAL_DIVIDE;
	binary->left = left->expression;
	binary->right = right->expression;
	*left = (struct operand){
		.expression = binary,
		.real = real,
		.truth = !strcmp(operation->name, "OR"),
	};
	return true;
}

static bool take_word(struct postfix_reader *reader)
{
	const struct operation *operation = find_operation(reader);
	const struct bank *bank = find_bank(reader);

	if (operation)
		return apply(reader, operation);
	if (bank)
		return push_counter(reader, bank);
	if (reader->word.text[0] == '$')
		return push_name(reader);
	if (word_is(reader, "true") || word_is(reader, "false"))
		return push_truth(reader);
	return push_number(reader);
}

static bool read_all(struct postfix_reader *reader)
{
	while (next_word(reader))
		if (!take_word(reader))
			return false;
	if (!reader->depth)
		return POSTFIX_FAIL(reader, "expected an equation, found nothing");
	if (reader->depth > 1)
		return POSTFIX_FAIL(reader, "expected an operator at the end: %u values are left",
				    reader->depth);
	if (reader->stack[0].truth && !reader->postfix->condition)
		return POSTFIX_FAIL(reader, "OR is understood in conditions only");
	return true;
}

int postfix_read(const struct postfix *postfix, const char *text, struct location location,
		 struct equation *equation)
{
	struct postfix_reader reader = {
		.postfix = postfix,
		.location = location,
		.cursor = text,
	};

	if (!read_all(&reader))
		return reader.no_memory ? -ENOMEM : -EINVAL;
	equation->root = reader.stack[0].expression;
	equation->text = infix_text(equation->root, postfix->arena);
	return equation->text ? 0 : -ENOMEM;
}

int postfix_read_number(const char *text, struct expression *number)
{
	static const struct source_file nowhere = { .path = "" };
	struct diagnostic unused;
	struct lexer lexer;

	lexer_init(&lexer, &nowhere, text, strlen(text), &unused);
	number->kind = lexer.token.kind == TOKEN_REAL ? EXPRESSION_REAL : EXPRESSION_INTEGER;
	number->integer = lexer.token.integer;
	number->real = lexer.token.real;
	if (strchr(text, '#') || lexer.failed ||
	    (lexer.token.kind != TOKEN_REAL && lexer.token.kind != TOKEN_INTEGER))
		return -EINVAL;
	return lexer_next(&lexer) && lexer.token.kind == TOKEN_END ? 0 : -EINVAL;
}
