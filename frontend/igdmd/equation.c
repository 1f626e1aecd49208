// SPDX-License-Identifier: MIT
/* equation.c - equations as lists of elements */
#include <stdlib.h>
#include <string.h>

#include "igdmd.h"

static void destroy(struct mdapi_equation *base)
{
	(void)base; /* Do nothing: the metric or information item owns the equation. */
}

static uint32_t get_element_count(struct mdapi_equation *base)
{
	return ((struct equation *)base)->count;
}

static struct mdapi_element *get_element(struct mdapi_equation *base, uint32_t index)
{
	struct equation *equation = (struct equation *)base;

	return index < equation->count ? &equation->elements[index] : NULL;
}

static const IGDMD_TABLE(mdapi_equation_table) table = {
	.functions = {
		.destroy = destroy,
		.free = destroy,
		.get_element_count = get_element_count,
		.get_element = get_element,
	},
};

static struct equation *new_equation(size_t count)
{
	struct equation *equation = igdmd_alloc(1, sizeof(*equation));

	if (!equation)
		return NULL;
	equation->base.table = &table.functions;
	equation->elements = igdmd_alloc(count, sizeof(*equation->elements));
	if (!equation->elements) {
		free(equation);
		return NULL;
	}
	return equation;
}

void equation_free(struct equation *equation)
{
	if (!equation)
		return;
	free(equation->elements);
	free(equation->names);
	free(equation);
}

static struct mdapi_element *add(struct equation *equation, enum mdapi_element_type type)
{
	struct mdapi_element *element = &equation->elements[equation->count++];

	element->type = type;
	return element;
}

static void add_operation(struct equation *equation, enum mdapi_operation operation)
{
	add(equation, MDAPI_ELEMENT_OPERATION)->operation = operation;
}

static void add_integer(struct equation *equation, uint64_t value)
{
	add(equation, MDAPI_ELEMENT_UINT64)->integer = value;
}

struct equation *equation_new_number(uint64_t value)
{
	struct equation *equation = new_equation(1);

	if (equation)
		add_integer(equation, value);
	return equation;
}

struct equation *equation_new_info(const char *symbol)
{
	struct equation *equation = new_equation(1);

	if (!equation)
		return NULL;
	equation->names = strdup(symbol);
	if (!equation->names) {
		equation_free(equation);
		return NULL;
	}
	add(equation, MDAPI_ELEMENT_INFO)->name = equation->names;
	return equation;
}

/* ---- from MDAPI's notation ------------------------------------------------------------------ */

static const struct {
	const char *name;
	enum mdapi_operation operation;
} operations[] = {
	{ ">>", MDAPI_OPERATION_SHIFT_RIGHT }, { "<<", MDAPI_OPERATION_SHIFT_LEFT },
	{ "AND", MDAPI_OPERATION_AND },	       { "OR", MDAPI_OPERATION_OR },
	{ "XOR", MDAPI_OPERATION_XOR },	       { "XNOR", MDAPI_OPERATION_XNOR },
	{ "&&", MDAPI_OPERATION_LOGICAL_AND }, { "==", MDAPI_OPERATION_EQUALS },
	{ "UADD", MDAPI_OPERATION_UADD },      { "USUB", MDAPI_OPERATION_USUB },
	{ "UMUL", MDAPI_OPERATION_UMUL },      { "UDIV", MDAPI_OPERATION_UDIV },
	{ "FADD", MDAPI_OPERATION_FADD },      { "FSUB", MDAPI_OPERATION_FSUB },
	{ "FMUL", MDAPI_OPERATION_FMUL },      { "FDIV", MDAPI_OPERATION_FDIV },
	{ "UGT", MDAPI_OPERATION_UGT },	       { "ULT", MDAPI_OPERATION_ULT },
	{ "UGTE", MDAPI_OPERATION_UGTE },      { "ULTE", MDAPI_OPERATION_ULTE },
	{ "UMIN", MDAPI_OPERATION_UMIN },      { "UMAX", MDAPI_OPERATION_UMAX },
	{ "FMIN", MDAPI_OPERATION_FMIN },      { "FMAX", MDAPI_OPERATION_FMAX },
};

/* "dw@0x4", "qw@0x8" or "rd40@0x10:0xa0" */
static bool add_read(struct equation *equation, const char *word)
{
	static const struct {
		const char *prefix;
		enum mdapi_element_type type;
	} kinds[] = {
		{ "dw@", MDAPI_ELEMENT_READ_UINT32 },
		{ "qw@", MDAPI_ELEMENT_READ_UINT64 },
		{ "rd40@", MDAPI_ELEMENT_READ_40_BITS },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const size_t length = strlen(kinds[i].prefix);
		struct mdapi_element *element;
		char *end;

		if (strncmp(word, kinds[i].prefix, length))
			continue;
		element = add(equation, kinds[i].type);
		element->read.offset = (uint32_t)strtoul(word + length, &end, 0);
		if (*end == ':')
			element->read.high_offset = (uint32_t)strtoul(end + 1, NULL, 0);
		return true;
	}
	return false;
}

static void add_name(struct equation *equation, char *word,
		     bool (*is_symbol)(const void *context, const char *name), const void *context)
{
	if (!strcmp(word, "$Self"))
		add(equation, MDAPI_ELEMENT_SELF);
	else if (word[1] == '$')
		add(equation, MDAPI_ELEMENT_METRIC)->name = word + 2;
	else
		add(equation,
		    is_symbol(context, word + 1) ? MDAPI_ELEMENT_SYMBOL : MDAPI_ELEMENT_COUNTER)
			->name = word + 1;
}

static void add_word(struct equation *equation, char *word,
		     bool (*is_symbol)(const void *context, const char *name), const void *context)
{
	if (*word == '$') {
		add_name(equation, word, is_symbol, context);
		return;
	}
	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
		if (!strcmp(word, operations[i].name)) {
			add_operation(equation, operations[i].operation);
			return;
		}
	if (add_read(equation, word))
		return;
	if (strchr(word, '.') || strchr(word, 'e'))
		add(equation, MDAPI_ELEMENT_FLOAT)->real = strtof(word, NULL);
	else
		add_integer(equation, strtoull(word, NULL, 0));
}

struct equation *equation_new_text(const char *text,
				   bool (*is_symbol)(const void *context, const char *name),
				   const void *context)
{
	struct equation *equation;
	char *position, *word;

	if (!*text)
		return NULL;
	equation = new_equation(strlen(text) / 2 + 1);
	if (!equation)
		return NULL;
	equation->names = strdup(text);
	if (!equation->names) {
		equation_free(equation);
		return NULL;
	}
	for (word = strtok_r(equation->names, " ", &position); word;
	     word = strtok_r(NULL, " ", &position))
		add_word(equation, word, is_symbol, context);
	return equation;
}

/* ---- from libgpuoa's equations -------------------------------------------------------------- */

/* Maximum number of elements into which one element of libgpuoa's equation is converted */
#define ELEMENTS_MAX 3

static void add_field(struct equation *equation, uint32_t format, enum gpuoa_field field,
		      uint32_t index)
{
	struct gpuoa_field_desc desc;
	struct mdapi_element *element;

	if (gpuoa_report_field(format, field, index, &desc, sizeof(desc))) {
		add_integer(equation, 0);
		return;
	}
	element = add(equation, desc.bits == 32 ? MDAPI_ELEMENT_READ_UINT32 :
				desc.bits == 40 ? MDAPI_ELEMENT_READ_40_BITS :
						  MDAPI_ELEMENT_READ_UINT64);
	element->read.offset = desc.offset;
	element->read.high_offset = desc.high;
	if (desc.bits == 56) {
		add_integer(equation, (1ull << 56) - 1);
		add_operation(equation, MDAPI_OPERATION_AND);
	}
}

static void add_operator(struct equation *equation, const struct gpuoa_equation_element *element)
{
	static const enum mdapi_operation integer[] = {
		[GPUOA_OPERATION_ADD] = MDAPI_OPERATION_UADD,
		[GPUOA_OPERATION_SUBTRACT] = MDAPI_OPERATION_USUB,
		[GPUOA_OPERATION_MULTIPLY] = MDAPI_OPERATION_UMUL,
		[GPUOA_OPERATION_DIVIDE] = MDAPI_OPERATION_UDIV,
		[GPUOA_OPERATION_MINIMUM] = MDAPI_OPERATION_UMIN,
		[GPUOA_OPERATION_MAXIMUM] = MDAPI_OPERATION_UMAX,
		[GPUOA_OPERATION_BIT_AND] = MDAPI_OPERATION_AND,
		[GPUOA_OPERATION_SHIFT_LEFT] = MDAPI_OPERATION_SHIFT_LEFT,
		[GPUOA_OPERATION_SHIFT_RIGHT] = MDAPI_OPERATION_SHIFT_RIGHT,
		[GPUOA_OPERATION_EQUAL] = MDAPI_OPERATION_EQUALS,
		[GPUOA_OPERATION_NOT_EQUAL] = MDAPI_OPERATION_EQUALS, /* == 0 == */
		[GPUOA_OPERATION_LESS] = MDAPI_OPERATION_ULT,
		[GPUOA_OPERATION_LESS_EQUAL] = MDAPI_OPERATION_ULTE,
		[GPUOA_OPERATION_GREATER] = MDAPI_OPERATION_UGT,
		[GPUOA_OPERATION_GREATER_EQUAL] = MDAPI_OPERATION_UGTE,
		[GPUOA_OPERATION_AND] = MDAPI_OPERATION_LOGICAL_AND,
		[GPUOA_OPERATION_OR] = MDAPI_OPERATION_OR, /* OR 0 UGT */
	};
	static const enum mdapi_operation real[] = {
		[GPUOA_OPERATION_ADD] = MDAPI_OPERATION_FADD,
		[GPUOA_OPERATION_SUBTRACT] = MDAPI_OPERATION_FSUB,
		[GPUOA_OPERATION_MULTIPLY] = MDAPI_OPERATION_FMUL,
		[GPUOA_OPERATION_DIVIDE] = MDAPI_OPERATION_FDIV,
		[GPUOA_OPERATION_MINIMUM] = MDAPI_OPERATION_FMIN,
		[GPUOA_OPERATION_MAXIMUM] = MDAPI_OPERATION_FMAX,
	};

	add_operation(equation, element->is_real && element->operation <= GPUOA_OPERATION_MAXIMUM ?
					real[element->operation] :
					integer[element->operation]);
	if (element->operation == GPUOA_OPERATION_NOT_EQUAL) {
		add_integer(equation, 0);
		add_operation(equation, MDAPI_OPERATION_EQUALS);
	} else if (element->operation == GPUOA_OPERATION_OR) {
		add_integer(equation, 0);
		add_operation(equation, MDAPI_OPERATION_UGT);
	}
}

static void add_element(struct equation *equation, uint32_t format,
			const struct gpuoa_equation_element *element)
{
	switch (element->kind) {
	case GPUOA_ELEMENT_INTEGER:
		add_integer(equation, element->integer);
		break;
	case GPUOA_ELEMENT_REAL:
		add(equation, MDAPI_ELEMENT_FLOAT)->real = (float)element->real;
		break;
	case GPUOA_ELEMENT_COUNTER:
		add_field(equation, format,
			  element->bank == 'A' ? GPUOA_FIELD_COUNTER_A :
			  element->bank == 'B' ? GPUOA_FIELD_COUNTER_B :
			  element->bank == 'C' ? GPUOA_FIELD_COUNTER_C :
						 GPUOA_FIELD_COUNTER_PEC,
			  (uint32_t)element->index);
		break;
	case GPUOA_ELEMENT_TIMESTAMP:
		add_field(equation, format, GPUOA_FIELD_TIMESTAMP, 0);
		break;
	case GPUOA_ELEMENT_CLOCK:
		add_field(equation, format, GPUOA_FIELD_CLOCK, 0);
		break;
	case GPUOA_ELEMENT_REPORT_ID:
		add_field(equation, format, GPUOA_FIELD_REPORT_ID, 0);
		break;
	case GPUOA_ELEMENT_CONTEXT_ID:
		add_field(equation, format, GPUOA_FIELD_CONTEXT_ID, 0);
		break;
	/*
	 * The cast is safe, because these names are constant strings in the tables of definitions.
	 */
	case GPUOA_ELEMENT_CONSTANT:
		add(equation, MDAPI_ELEMENT_SYMBOL)->name = (char *)element->name;
		break;
	case GPUOA_ELEMENT_METRIC:
		add(equation, MDAPI_ELEMENT_METRIC)->name = (char *)element->name;
		break;
	case GPUOA_ELEMENT_QUERY_MODE:
		add(equation, MDAPI_ELEMENT_SYMBOL)->name = "QueryMode";
		break;
	case GPUOA_ELEMENT_OPERATOR:
		add_operator(equation, element);
		break;
	}
}

struct equation *equation_new_gpuoa(struct gpuoa_equation source, uint32_t format)
{
	struct gpuoa_equation counted = source;
	struct gpuoa_equation_element element;
	struct equation *equation;
	size_t count = 0;

	while (gpuoa_equation_next(&counted, &element, sizeof(element)))
		count += ELEMENTS_MAX;
	equation = count ? new_equation(count) : NULL;
	while (equation && gpuoa_equation_next(&source, &element, sizeof(element)))
		add_element(equation, format, &element);
	return equation;
}
