// SPDX-License-Identifier: MIT
/*
 * mdapi_write.c - convert a compiled equation to MDAPI's form
 *
 * MDAPI reads reports in one equation and computes with the difference, $Self, in another. So find
 * the smallest subexpression that contains all reads of the equation (it may occur several times).
 * It becomes the read equation, and the rest of the equation is computed from $Self.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/complaint.h"
#include "base/decimal.h"
#include "gpu/constants.h"
#include "gpuoa-equation.h"
#include "metadata/equation_flags.h"
#include "report/format.h"
#include "table/code.h"
#include "table/table.h"

/* The subexpression that ends at a given word; operands precede their operator. */
struct part {
	bool whole; /* the word ends a complete value, not a conversion or a part of a literal */
	uint32_t start; /* first word of the subexpression */
	uint32_t reads; /* number of report reads */
	bool metrics; /* contains values of metrics */
};

struct mdapi_writer {
	const struct gpuoa_set *set;
	const struct report_format *format;
	const struct complaint *complaint;
	const uint32_t *words;
	uint32_t count;
	struct part parts[CODE_WORDS_MAX];
	uint32_t last; /* index of the last word of the whole equation */
	/* index of the read equation's last word; .count: there is no read equation */
	uint32_t self;
	char *text;
	size_t size;
	size_t length;
};

static bool is_read(enum code_op op)
{
	return op == CODE_COUNTER || op == CODE_TIMESTAMP || op == CODE_CLOCK;
}

static bool is_metric(enum code_op op)
{
	return op == CODE_METRIC || op == CODE_METRIC_REAL;
}

static void find_parts(struct mdapi_writer *writer)
{
	uint32_t stack[CODE_DEPTH_MAX + 1] = { 0 }, depth = 0;

	for (uint32_t i = 0; i < writer->count; i += code_words(code_op(writer->words[i]))) {
		const enum code_op op = code_op(writer->words[i]);
		struct part *part = &writer->parts[i];

		if (op >= CODE_TO_REAL)
			continue;
		*part = (struct part){
			.whole = true, .start = i, .reads = is_read(op), .metrics = is_metric(op)
		};
		if (op >= CODE_ADD) {
			const struct part *right = &writer->parts[stack[--depth]];
			const struct part *left = &writer->parts[stack[--depth]];

			part->start = left->start;
			part->reads = left->reads + right->reads;
			part->metrics = left->metrics || right->metrics;
		}
		stack[depth++] = i;
		writer->last = i;
	}
}

/* True if the subexpressions that end at the words @end and @other are equal. */
static bool same_part(const struct mdapi_writer *writer, uint32_t end, uint32_t other)
{
	const struct part *part = &writer->parts[end], *same = &writer->parts[other];
	const uint32_t length = end - part->start + code_words(code_op(writer->words[end]));

	return same->whole && other - same->start == end - part->start &&
	       !memcmp(writer->words + part->start, writer->words + same->start,
		       length * sizeof(*writer->words));
}

/*
 * True if the subexpression that ends at the word @end contains all reads, together with its other
 * occurrences.
 */
static bool reads_all(const struct mdapi_writer *writer, uint32_t end)
{
	uint32_t reads = 0;

	for (uint32_t i = 0; i < writer->count; i++)
		if (same_part(writer, end, i))
			reads += writer->parts[i].reads;
	return reads == writer->parts[writer->last].reads;
}

static int find_self(struct mdapi_writer *writer)
{
	writer->self = writer->count;
	if (!writer->parts[writer->last].reads)
		return 0;
	for (uint32_t i = 0; i < writer->count; i++) {
		const struct part *part = &writer->parts[i];

		if (!part->whole || !part->reads || part->metrics || !reads_all(writer, i))
			continue;
		writer->self = i;
		return 0;
	}
	return COMPLAIN(writer->complaint, -EOPNOTSUPP,
			"MDAPI makes one difference of reports: there are metrics between the "
			"counters of this equation");
}

static struct report_field field_of(const struct mdapi_writer *writer, uint32_t word)
{
	switch (code_op(word)) {
	case CODE_TIMESTAMP:
		return writer->format->timestamp;
	case CODE_CLOCK:
		return writer->format->clock;
	default:
		return format_counter(writer->format, code_argument(word));
	}
}

/* Write the name of the delta function that fits the fields that are read. */
static int check_widths(const struct mdapi_writer *writer, char *delta, size_t size)
{
	const uint32_t end = writer->self;
	uint32_t bits = 0;
	bool time = true;

	for (uint32_t i = writer->parts[end].start; i <= end;
	     i += code_words(code_op(writer->words[i]))) {
		const enum code_op op = code_op(writer->words[i]);
		struct report_field field;

		if (!is_read(op))
			continue;
		field = field_of(writer, writer->words[i]);
		if (!field.bits)
			return COMPLAIN(writer->complaint, -EOPNOTSUPP,
					"the equation has counters that are in no report");
		if (bits && field.bits != bits)
			return COMPLAIN(writer->complaint, -EOPNOTSUPP,
					"MDAPI has one delta function for all that is read: there "
					"are counters of %u bits and of %u",
					bits, field.bits);
		bits = field.bits;
		time &= op == CODE_TIMESTAMP;
	}
	snprintf(delta, size, time ? "NS_TIME" : "DELTA %u", bits);
	return 0;
}

__attribute__((format(printf, 2, 3))) static void put(struct mdapi_writer *writer,
						      const char *format, ...)
{
	const size_t room = writer->length < writer->size ? writer->size - writer->length : 0;
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(room ? writer->text + writer->length : NULL, room, format, args);
	va_end(args);
	writer->length += (size_t)length;
}

static void put_read(struct mdapi_writer *writer, struct report_field field)
{
	if (field.bits == 40)
		put(writer, "rd40@0x%x:0x%x", field.offset, field.high);
	else
		put(writer, "%s@0x%x", field.bits == 32 ? "dw" : "qw", field.offset);
}

static void put_operand(struct mdapi_writer *writer, const uint32_t *word)
{
	const uint32_t argument = code_argument(*word);
	char decimal[DECIMAL_SIZE];

	switch (code_op(*word)) {
	case CODE_INTEGER:
		put(writer, "%" PRIu32, argument);
		break;
	case CODE_INTEGER_64:
		put(writer, "%" PRIu64, code_literal(word));
		break;
	case CODE_REAL:
		decimal_print(decimal, code_real(code_literal(word)));
		put(writer, "%s", decimal);
		break;
	case CODE_CONSTANT:
		put(writer, "$%s", platform_constant_name(set_platform(writer->set), argument));
		break;
	case CODE_METRIC:
	case CODE_METRIC_REAL:
		put(writer, "$$%s",
		    table_string(&metric_definition(&set_metrics(writer->set)[argument])->symbol));
		break;
	case CODE_QUERY_MODE:
		put(writer, "$QueryMode");
		break;
	default:
		put_read(writer, field_of(writer, *word));
	}
}

/*
 * MDAPI's words for each operator. It has no operators "!=" and "
 *
 * ", which are composed of others.
 */
static const char *const operators[] = {
	[CODE_ADD] = "UADD",	       [CODE_SUBTRACT] = "USUB",
	[CODE_MULTIPLY] = "UMUL",      [CODE_DIVIDE] = "UDIV",
	[CODE_MINIMUM] = "UMIN",       [CODE_MAXIMUM] = "UMAX",
	[CODE_BIT_AND] = "AND",	       [CODE_SHIFT_LEFT] = "<<",
	[CODE_SHIFT_RIGHT] = ">>",     [CODE_EQUAL] = "==",
	[CODE_NOT_EQUAL] = "== 0 ==",  [CODE_LESS] = "ULT",
	[CODE_LESS_EQUAL] = "ULTE",    [CODE_GREATER] = "UGT",
	[CODE_GREATER_EQUAL] = "UGTE", [CODE_AND] = "&&",
	[CODE_OR] = "OR 0 UGT",	       [CODE_REAL_ADD] = "FADD",
	[CODE_REAL_SUBTRACT] = "FSUB", [CODE_REAL_MULTIPLY] = "FMUL",
	[CODE_REAL_DIVIDE] = "FDIV",   [CODE_REAL_MINIMUM] = "FMIN",
	[CODE_REAL_MAXIMUM] = "FMAX",
};

/*
 * If an occurrence of the read equation begins at word @start, return its last word, else .count.
 */
static uint32_t self_from(const struct mdapi_writer *writer, uint32_t start)
{
	uint32_t end;

	if (writer->self == writer->count)
		return writer->count;
	end = start + writer->self - writer->parts[writer->self].start;
	return end < writer->count && writer->parts[end].start == start &&
			       same_part(writer, writer->self, end) ?
		       end :
		       writer->count;
}

/* Write words @from to @to. With @norm, write $Self for each occurrence of the read equation. */
static void put_words(struct mdapi_writer *writer, uint32_t from, uint32_t to, bool norm)
{
	const char *space = "";

	for (uint32_t i = from; i <= to; i += code_words(code_op(writer->words[i]))) {
		const enum code_op op = code_op(writer->words[i]);
		const uint32_t self = norm ? self_from(writer, i) : writer->count;

		if (op >= CODE_TO_REAL)
			continue; /* F... operators convert implicitly */
		put(writer, "%s", space);
		space = " ";
		if (self < writer->count) {
			put(writer, "$Self");
			i = self;
		} else if (op >= CODE_ADD) {
			put(writer, "%s", operators[op]);
		} else {
			put_operand(writer, &writer->words[i]);
		}
	}
}

/* Begin a new string in the output buffer. Returns its address. */
static const char *begin_string(struct mdapi_writer *writer)
{
	put(writer, "%s", ""); /* the string may remain empty */
	return writer->length < writer->size ? writer->text + writer->length : "";
}

static int write_all(struct mdapi_writer *writer, struct gpuoa_mdapi_equation *mdapi)
{
	const bool reads = writer->self < writer->count;
	char delta[16] = "";
	int err = reads ? check_widths(writer, delta, sizeof(delta)) : 0;

	if (err)
		return err;
	mdapi->read = begin_string(writer);
	if (reads)
		put_words(writer, writer->parts[writer->self].start, writer->self, false);
	writer->length++;
	mdapi->delta = begin_string(writer);
	put(writer, "%s", delta);
	writer->length++;
	mdapi->norm = begin_string(writer);
	if (writer->self != writer->last)
		put_words(writer, 0, writer->last, true);
	writer->length++;
	return writer->length <= writer->size ? 0 : -ENOSPC;
}

static int check(const struct gpuoa_equation *equation, const struct complaint *complaint)
{
	if (!equation->code)
		return COMPLAIN(complaint, -ENOENT, "the equation is empty");
	if (equation->word != equation->code + 1)
		return COMPLAIN(complaint, -EINVAL, "a part of the equation has been taken");
	if (equation->flags & EQUATION_OF_INFO)
		return COMPLAIN(complaint, -EOPNOTSUPP,
				"it is of an information item, which reads one report");
	return 0;
}

int gpuoa_equation_to_mdapi(const struct gpuoa_equation *equation,
			    struct gpuoa_mdapi_equation *mdapi, char *text, size_t size,
			    char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct mdapi_writer *writer;
	int err = check(equation, &complaint);

	if (err)
		return complaint_end(&complaint, err);
	writer = calloc(1, sizeof(*writer));
	if (!writer)
		return complaint_end(&complaint, -ENOMEM);
	writer->set = equation->set;
	writer->format = format_get(equation->set->format);
	writer->complaint = &complaint;
	writer->words = equation->code + 1;
	writer->count = code_length(equation->code);
	writer->text = text;
	writer->size = size;
	find_parts(writer);
	err = find_self(writer);
	if (!err)
		err = write_all(writer, mdapi);
	free(writer);
	return complaint_end(&complaint, err);
}
