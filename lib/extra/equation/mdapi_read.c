// SPDX-License-Identifier: MIT
/*
 * mdapi_read.c - translate MDAPI equations to this library's language
 *
 * A read at an offset in MDAPI must be a counter of the report format, and the delta function must
 * match the counter's width.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/complaint.h"
#include "definitions/language/definition.h"
#include "definitions/language/infix.h"
#include "definitions/language/postfix.h"
#include "gpuoa-equation.h"
#include "report/format.h"
#include "table/table.h"

struct operand {
	struct expression *expression;
	uint32_t nodes; /* number of operands and operators */
	bool real;
	bool truth; /* the value is a truth value, 0 or 1 */
};

struct mdapi_reader {
	const struct gpuoa_set *set;
	const struct report_format *format;
	const struct complaint *complaint;
	struct arena arena;
	struct gpuoa_delta delta;
	/* result of the read equation; NULL while that is being parsed */
	const struct operand *self;
	/* the equation being read: */
	const char *part; /* its name in messages */
	const char *cursor;
	size_t column; /* column of the current word */
	char word[64];
	struct operand stack[CODE_DEPTH_MAX];
	uint32_t depth;
	int err;
};

/* Report an error at the current word. Returns false. */
__attribute__((format(printf, 3, 4))) static bool mdapi_fail(struct mdapi_reader *reader, int err,
							     const char *format, ...)
{
	char message[192];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	complaint_print(reader->complaint, "%s:1:%zu: %s", reader->part, reader->column, message);
	reader->err = err;
	return false;
}

/* Allocate an expression. Returns NULL if out of memory, and sets .err. */
static struct expression *mdapi_expression(struct mdapi_reader *reader, enum expression_kind kind)
{
	struct expression *expression = arena_alloc(&reader->arena, sizeof(*expression));

	if (expression)
		expression->kind = kind;
	else
		reader->err = -ENOMEM;
	return expression;
}

static bool mdapi_push(struct mdapi_reader *reader, struct operand operand)
{
	if (reader->depth == CODE_DEPTH_MAX)
		return mdapi_fail(reader, -EINVAL,
				  "this equation needs more than %d intermediate values",
				  CODE_DEPTH_MAX);
	reader->stack[reader->depth++] = operand;
	return true;
}

/*
 * Operators of MDAPI. U... operators convert their operands to integers, which this library cannot
 * do for fractions; F... operators convert them to floats. Bit operations have the same results in
 * both languages, because integers have 64 bits in both.
 */

#define NODES_MAX 512 /* as in this library's equations */

enum family {
	FAMILY_INTEGER,
	FAMILY_REAL,
	FAMILY_TRUTH, /* operates on integers, and the result is 0 or 1 */
	FAMILY_BITS, /* has no equivalent in this library, and is composed of other operators */
	FAMILY_NONE,
};

static const struct mdapi_operation {
	const char *name;
	enum family family;
	enum code_op op;
} operations[] = {
	{ "UADD", FAMILY_INTEGER, CODE_ADD },
	{ "USUB", FAMILY_INTEGER, CODE_SUBTRACT },
	{ "UMUL", FAMILY_INTEGER, CODE_MULTIPLY },
	{ "UDIV", FAMILY_INTEGER, CODE_DIVIDE },
	{ "UMIN", FAMILY_INTEGER, CODE_MINIMUM },
	{ "UMAX", FAMILY_INTEGER, CODE_MAXIMUM },
	{ "AND", FAMILY_INTEGER, CODE_BIT_AND },
	{ "<<", FAMILY_INTEGER, CODE_SHIFT_LEFT },
	{ ">>", FAMILY_INTEGER, CODE_SHIFT_RIGHT },
	{ "FADD", FAMILY_REAL, CODE_ADD },
	{ "FSUB", FAMILY_REAL, CODE_SUBTRACT },
	{ "FMUL", FAMILY_REAL, CODE_MULTIPLY },
	{ "FDIV", FAMILY_REAL, CODE_REAL_DIVIDE },
	{ "FMIN", FAMILY_REAL, CODE_MINIMUM },
	{ "FMAX", FAMILY_REAL, CODE_MAXIMUM },
	{ "==", FAMILY_TRUTH, CODE_EQUAL },
	{ "&&", FAMILY_TRUTH, CODE_AND },
	{ "ULT", FAMILY_TRUTH, CODE_LESS },
	{ "ULTE", FAMILY_TRUTH, CODE_LESS_EQUAL },
	{ "UGT", FAMILY_TRUTH, CODE_GREATER },
	{ "UGTE", FAMILY_TRUTH, CODE_GREATER_EQUAL },
	{ "OR", FAMILY_BITS, CODE_OR },
	{ "XOR", FAMILY_BITS, CODE_NOT_EQUAL },
	{ "XNOR", FAMILY_BITS, CODE_EQUAL },
	{ "FGT", FAMILY_NONE, 0 },
	{ "FLT", FAMILY_NONE, 0 },
	{ "FGTE", FAMILY_NONE, 0 },
	{ "FLTE", FAMILY_NONE, 0 },
};

/* Returns the operator with this name, or NULL. */
static const struct mdapi_operation *mdapi_find_operation(const char *word)
{
	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
		if (!strcmp(operations[i].name, word))
			return &operations[i];
	return NULL;
}

/* Make a binary expression. After an error, which has been recorded, it has no expression. */
static struct operand binary(struct mdapi_reader *reader, enum code_op op, struct operand left,
			     struct operand right)
{
	struct operand result = { .nodes = left.nodes + right.nodes + 1 };

	if (reader->err)
		return result;
	if (result.nodes > NODES_MAX) {
		mdapi_fail(reader, -EINVAL, "this equation has more than %d operands and operators",
			   NODES_MAX);
		return result;
	}
	result.expression = mdapi_expression(reader, EXPRESSION_BINARY);
	if (result.expression) {
		result.expression->op = op;
		result.expression->left = left.expression;
		result.expression->right = right.expression;
	}
	return result;
}

static struct operand real_of(struct mdapi_reader *reader, struct operand operand)
{
	struct operand result = { .nodes = operand.nodes + 1, .real = true };

	result.expression = mdapi_expression(reader, EXPRESSION_UNARY);
	if (result.expression) {
		result.expression->op = CODE_TO_REAL;
		result.expression->left = operand.expression;
	}
	return result;
}

/* Return @left & ~@right, computed by a subtraction that has no borrow, so that nothing wraps. */
static struct operand bits_without(struct mdapi_reader *reader, struct operand left,
				   struct operand right)
{
	return binary(reader, CODE_SUBTRACT, left, binary(reader, CODE_BIT_AND, left, right));
}

/*
 * Compose "or" and "xor" of other operators: a
 *  b = (a & ~b) + b; a ^ b = (a & ~b) + (b & ~a).
 */
static struct operand combine_bits(struct mdapi_reader *reader, enum code_op op,
				   struct operand left, struct operand right)
{
	struct operand all = { .expression = mdapi_expression(reader, EXPRESSION_INTEGER),
			       .nodes = 1 };
	struct operand sum;

	if (left.truth && right.truth && op == CODE_OR) {
		sum = binary(reader, CODE_OR, left, right);
		sum.truth = true;
		return sum;
	}
	sum = binary(reader, CODE_ADD, bits_without(reader, left, right),
		     op == CODE_OR ? right : bits_without(reader, right, left));
	if (op != CODE_EQUAL || !all.expression)
		return sum;
	all.expression->integer = UINT64_MAX;
	return binary(reader, CODE_SUBTRACT, all, sum);
}

/* Replace the operands on the stack by the result of the operator. Returns false on error. */
static bool mdapi_apply(struct mdapi_reader *reader, const struct mdapi_operation *operation)
{
	struct operand left, right, result;

	if (reader->depth < 2)
		return mdapi_fail(reader, -EINVAL, "%s lacks an operand", operation->name);
	right = reader->stack[--reader->depth];
	left = reader->stack[--reader->depth];
	if (operation->family == FAMILY_NONE)
		return mdapi_fail(reader, -EOPNOTSUPP, "%s: only integers are compared",
				  operation->name);
	if (operation->family != FAMILY_REAL && (left.real || right.real))
		return mdapi_fail(reader, -EOPNOTSUPP, "%s cuts the fraction of an operand off",
				  operation->name);
	if (operation->family == FAMILY_REAL && operation->op != CODE_REAL_DIVIDE && !left.real &&
	    !right.real)
		left = real_of(reader, left);
	result = operation->family == FAMILY_BITS ?
			 combine_bits(reader, operation->op, left, right) :
			 binary(reader, operation->op, left, right);
	result.real = operation->family == FAMILY_REAL;
	result.truth |= operation->family == FAMILY_TRUTH;
	return !reader->err && mdapi_push(reader, result);
}

static bool push_expression(struct mdapi_reader *reader, struct expression *expression, bool real)
{
	return expression && mdapi_push(reader, (struct operand){
							.expression = expression,
							.nodes = 1,
							.real = real,
						});
}

static bool push_named(struct mdapi_reader *reader, enum expression_kind kind, const char *name,
		       bool real)
{
	struct expression *expression = mdapi_expression(reader, kind);

	if (!expression)
		return false;
	expression->name = arena_string(&reader->arena, name, strlen(name));
	if (!expression->name)
		reader->err = -ENOMEM;
	return expression->name && push_expression(reader, expression, real);
}

static bool push_number(struct mdapi_reader *reader)
{
	struct expression number = { 0 }, *expression;

	if (postfix_read_number(reader->word, &number))
		return mdapi_fail(reader, -EINVAL, "'%s' is no word of an equation", reader->word);
	expression = mdapi_expression(reader, number.kind);
	if (expression)
		*expression = number;
	return push_expression(reader, expression, number.kind == EXPRESSION_REAL);
}

/* Parse "dw@0x10" or "rd40@0x10:0xa0". If there is no second offset, *high is UINT64_MAX. */
static bool parse_offsets(struct mdapi_reader *reader, uint64_t *offset, uint64_t *high)
{
	char *text = strchr(reader->word, '@') + 1, *colon = strchr(text, ':');
	struct expression low = { 0 }, upper = { .integer = UINT64_MAX };
	bool good;

	if (colon)
		*colon = '\0';
	good = !postfix_read_number(text, &low) && low.kind == EXPRESSION_INTEGER &&
	       (!colon ||
		(!postfix_read_number(colon + 1, &upper) && upper.kind == EXPRESSION_INTEGER));
	if (colon)
		*colon = ':';
	*offset = low.integer;
	*high = upper.integer;
	return good || mdapi_fail(reader, -EINVAL, "'%s' has no offset", reader->word);
}

/*
 * Check that a read ("dw", "qw" or "rd40") covers the whole field, and that the delta function has
 * the width of the field.
 */
static bool check_field(struct mdapi_reader *reader, struct report_field field, const char *name,
			uint32_t read_bits, uint64_t high)
{
	const bool whole = field.bits == read_bits || (read_bits == 64 && field.bits > 40);

	if (!whole || (field.bits == 40 ? field.high != high : high != UINT64_MAX))
		return mdapi_fail(reader, -EOPNOTSUPP, "'%s' reads a part of %s, which has %u bits",
				  reader->word, name, field.bits);
	if ((reader->delta.kind == GPUOA_DELTA_BITS || reader->delta.kind == GPUOA_DELTA_TIME) &&
	    reader->delta.bits == field.bits)
		return true;
	return mdapi_fail(reader, -EOPNOTSUPP,
			  "%s has %u bits: no other delta function than DELTA %u", name, field.bits,
			  field.bits);
}

static bool push_counter(struct mdapi_reader *reader, uint32_t counter, uint32_t read_bits,
			 uint64_t high)
{
	static const char *const prefixes[] = { "A", "B", "C", "PEC" };
	const struct report_field field = format_counter(reader->format, counter);
	char name[16];

	snprintf(name, sizeof(name), "%s%u", prefixes[counter / BANK_SIZE], counter % BANK_SIZE);
	return check_field(reader, field, name, read_bits, high) &&
	       push_named(reader, EXPRESSION_COUNTER, name, false);
}

static bool push_read(struct mdapi_reader *reader, uint32_t read_bits)
{
	const struct report_format *format = reader->format;
	uint64_t offset, high;
	uint32_t counter;

	if (reader->self)
		return mdapi_fail(reader, -EINVAL, "'%s': only the read equation reads reports",
				  reader->word);
	if (!parse_offsets(reader, &offset, &high))
		return false;
	if (offset >= format->size)
		return mdapi_fail(reader, -EINVAL, "'%s' is beyond the %u bytes of format %s",
				  reader->word, format->size, format->name);
	counter = format_counter_at(format, offset);
	if (counter < COUNTER_COUNT)
		return push_counter(reader, counter, read_bits, high);
	if (offset == format->timestamp.offset)
		return check_field(reader, format->timestamp, "TIMESTAMP", read_bits, high) &&
		       push_named(reader, EXPRESSION_SOURCE, "TIMESTAMP", false);
	if (format->clock.bits && offset == format->clock.offset)
		return check_field(reader, format->clock, "CLOCK", read_bits, high) &&
		       push_named(reader, EXPRESSION_SOURCE, "CLOCK", false);
	return mdapi_fail(reader, -EOPNOTSUPP, "'%s': no counter of format %s begins there",
			  reader->word, format->name);
}

static bool is_constant(const struct mdapi_reader *reader, const char *name)
{
	const struct gpuoa_platform *platform = set_platform(reader->set);
	const struct table_constant *constants = table_follow(&platform->constants);

	for (uint32_t i = 0; i < platform->constant_count; i++)
		if (!strcmp(table_string(&constants[i].name), name))
			return true;
	return !strcmp(name, "QueryMode");
}

/* True if the value of the metric is its delta, without a normalization. */
static bool is_plain(const struct gpuoa_metric *metric)
{
	const uint32_t *code = table_follow(&metric->equation);

	return code && code_length(code) == 1 &&
	       metric_definition(metric)->type != GPUOA_TYPE_FLOAT &&
	       (code_op(code[1]) == CODE_COUNTER || code_op(code[1]) == CODE_TIMESTAMP ||
		code_op(code[1]) == CODE_CLOCK);
}

/* Push the operand "$$Name": the value of a metric. */
static bool push_metric(struct mdapi_reader *reader, const char *name)
{
	const struct gpuoa_metric *metric = gpuoa_set_find_metric(reader->set, name);

	if (!reader->self)
		return mdapi_fail(reader, -EINVAL,
				  "'%s': the read equation has no values of metrics", reader->word);
	if (!metric)
		return mdapi_fail(reader, -EINVAL, "'%s' is no metric of set %s", reader->word,
				  table_string(&reader->set->symbol));
	return push_named(reader, EXPRESSION_NAME, name,
			  metric_definition(metric)->type == GPUOA_TYPE_FLOAT);
}

/* Push the operand "$Name": a constant, or the delta of a metric before its normalization. */
static bool push_symbol(struct mdapi_reader *reader, const char *name)
{
	const struct gpuoa_metric *metric = gpuoa_set_find_metric(reader->set, name);

	if (is_constant(reader, name))
		return push_named(reader, EXPRESSION_NAME, name, false);
	if (!metric)
		return mdapi_fail(reader, -EINVAL,
				  "'%s' is neither a constant nor a metric of set %s", reader->word,
				  table_string(&reader->set->symbol));
	if (!is_plain(metric))
		return mdapi_fail(reader, -EOPNOTSUPP,
				  "'%s': differences are not kept; '$%s' is the metric's value",
				  reader->word, reader->word);
	return push_named(reader, EXPRESSION_NAME, name, false);
}

static bool push_self(struct mdapi_reader *reader)
{
	if (!reader->self || !reader->self->expression)
		return mdapi_fail(reader, -EINVAL,
				  "'$Self' is what a read equation gives, and here is none");
	return mdapi_push(reader, *reader->self);
}

static bool take_words(struct mdapi_reader *reader, const char *text, bool macro);

/* Replace a macro, a word that stands for several words. */
static bool take_macro(struct mdapi_reader *reader, bool *taken)
{
	static const struct {
		const char *name;
		bool alone; /* must be the whole equation */
		/* the macro averages over all EUs: it also divides by their number */
		bool of_units;
		const char *before, *behind;
	} macros[] = {
		{ "GpuDuration", true, false, "$Self 100 FMUL $$GpuCoreClocks", "FDIV" },
		{ "EuAggrDuration", true, true, "$Self 100 FMUL $$GpuCoreClocks", "UMUL FDIV" },
		{ "GpuDurationSlice", false, false, "$Self $GpuSliceClocksCount", "FDIV 100 FMUL" },
		{ "EuAggrDurationSlice", false, true, "$Self $GpuSliceClocksCount",
		  "UMUL FDIV 100 FMUL" },
	};
	const char *units = is_constant(reader, "VectorEngineTotalCount") ?
				    "$VectorEngineTotalCount" :
				    "$EuCoresTotalCount";
	char text[128];

	for (size_t i = 0; i < sizeof(macros) / sizeof(macros[0]); i++) {
		if (strcmp(macros[i].name, reader->word))
			continue;
		*taken = true;
		if (macros[i].alone &&
		    (reader->depth || reader->cursor[strspn(reader->cursor, " ")]))
			return mdapi_fail(reader, -EOPNOTSUPP, "'%s' must stand alone",
					  reader->word);
		snprintf(text, sizeof(text), "%s %s %s", macros[i].before,
			 macros[i].of_units ? units : "", macros[i].behind);
		return take_words(reader, text, true);
	}
	return false;
}

static bool starts(const struct mdapi_reader *reader, const char *prefix)
{
	return !strncmp(reader->word, prefix, strlen(prefix));
}

static bool take_word(struct mdapi_reader *reader)
{
	static const char *const others[] = {
		"fl@", "rd8@", "rd16@", "bm@", "i$", "prev$$", "mask$"
	};
	const struct mdapi_operation *operation = mdapi_find_operation(reader->word);
	bool taken = false;

	if (operation)
		return mdapi_apply(reader, operation);
	if (starts(reader, "dw@"))
		return push_read(reader, 32);
	if (starts(reader, "qw@"))
		return push_read(reader, 64);
	if (starts(reader, "rd40@"))
		return push_read(reader, 40);
	if (!strcmp(reader->word, "$Self"))
		return push_self(reader);
	if (starts(reader, "$$"))
		return push_metric(reader, reader->word + 2);
	if (starts(reader, "$"))
		return push_symbol(reader, reader->word + 1);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (starts(reader, others[i]))
			return mdapi_fail(reader, -EOPNOTSUPP, "'%s': equations have no %s",
					  reader->word, others[i]);
	if (take_macro(reader, &taken) || taken)
		return !reader->err;
	return push_number(reader);
}

/*
 * Parse the words of a text. @macro: the text replaces a macro, and error messages give the column
 * of the macro
 */
static bool take_words(struct mdapi_reader *reader, const char *text, bool macro)
{
	static const char spaces[] = " \t\r\n";
	const char *const behind = reader->cursor;

	for (reader->cursor = text;;) {
		size_t length;

		reader->cursor += strspn(reader->cursor, spaces);
		if (!macro)
			reader->column = (size_t)(reader->cursor - text) + 1;
		length = strcspn(reader->cursor, spaces);
		if (!length)
			break;
		if (length >= sizeof(reader->word))
			return mdapi_fail(reader, -EINVAL, "'%.40s...' is no word of an equation",
					  reader->cursor);
		memcpy(reader->word, reader->cursor, length);
		reader->word[length] = '\0';
		reader->cursor += length;
		if (!take_word(reader))
			return false;
	}
	if (macro)
		reader->cursor = behind;
	return true;
}

/* Parse one of the three equations. If it is empty, @operand is unchanged. */
static bool take_equation(struct mdapi_reader *reader, const char *part, const char *text,
			  struct operand *operand)
{
	reader->part = part;
	reader->depth = 0;
	if (!take_words(reader, text ? text : "", false))
		return false;
	if (reader->depth > 1)
		return mdapi_fail(reader, -EINVAL, "expected an operator: %u values are left",
				  reader->depth);
	if (reader->depth)
		*operand = reader->stack[0];
	return true;
}

static bool take_delta(struct mdapi_reader *reader, const char *text)
{
	const uint32_t timestamp_bits = reader->format->timestamp.bits;

	reader->part = "delta";
	reader->column = 1;
	return !gpuoa_delta_parse(text ? text : "", timestamp_bits, &reader->delta) ||
	       mdapi_fail(reader, -EINVAL, "'%s' is no delta function", text);
}

static bool take_all(struct mdapi_reader *reader, const struct gpuoa_mdapi_equation *mdapi,
		     struct operand *value)
{
	struct operand self = { 0 };
	bool taken;

	if (!take_delta(reader, mdapi->delta) || !take_equation(reader, "read", mdapi->read, &self))
		return false;
	reader->self = &self;
	*value = self;
	taken = take_equation(reader, "norm", mdapi->norm, value);
	reader->self = NULL;
	return taken && (value->expression || mdapi_fail(reader, -EINVAL, "there is no equation"));
}

int gpuoa_equation_from_mdapi(const struct gpuoa_set *set, const struct gpuoa_mdapi_equation *mdapi,
			      char *text, size_t size, char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct mdapi_reader reader = {
		.set = set,
		.format = format_get(set->format),
		.complaint = &complaint,
	};
	struct operand value = { 0 };
	const char *infix = NULL;
	int length = -ENOMEM;

	if (take_all(&reader, mdapi, &value))
		infix = infix_text(value.expression, &reader.arena);
	if (infix)
		length = snprintf(text, size, "%s", infix);
	else if (reader.err)
		length = reader.err;
	arena_free(&reader.arena);
	return length < 0 ? complaint_end(&complaint, length) : length;
}
