// SPDX-License-Identifier: MIT
/* constants.c - values of a platform's constants on one GPU. */
#include "gpu/constants.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/chars.h"
#include "base/complaint.h"
#include "base/sized.h"
#include "gpu/platforms.h"

#define NAME_MAX_LENGTH 63
#define SEPARATORS " \t\r\n,"

struct text {
	const char *start;
	const char *at;
	char *error;
	size_t error_size;
};

/* Get the line and column of position .at; both count from 1. */
static void locate(const struct text *text, unsigned int *line, unsigned int *column)
{
	*line = *column = 1;
	for (const char *c = text->start; c < text->at; c++) {
		++*column;
		if (*c == '\n') {
			++*line;
			*column = 1;
		}
	}
}

__attribute__((format(printf, 3, 4))) static int wrong(const struct text *text, int err,
						       const char *format, ...)
{
	unsigned int line, column;
	va_list arguments;
	int length;

	if (!text->error || !text->error_size)
		return err;
	locate(text, &line, &column);
	length = snprintf(text->error, text->error_size, "%u:%u: ", line, column);
	if (length < 0 || (size_t)length >= text->error_size)
		return err;
	va_start(arguments, format);
	vsnprintf(text->error + length, text->error_size - (size_t)length, format, arguments);
	va_end(arguments);
	return err;
}

static void skip(struct text *text)
{
	for (;;) {
		text->at += strspn(text->at, SEPARATORS);
		if (*text->at != '#')
			return;
		text->at += strcspn(text->at, "\n");
	}
}

static int take_name(struct text *text, char name[NAME_MAX_LENGTH + 1])
{
	size_t length = strcspn(text->at, "=#" SEPARATORS);

	if (!length || text->at[length] != '=')
		return wrong(text, -EINVAL, "expected NAME=NUMBER");
	if (length > NAME_MAX_LENGTH)
		return wrong(text, -ENOENT, "no constant has such a long name");
	memcpy(name, text->at, length);
	name[length] = '\0';
	return 0;
}

/* Return the value of a digit, or -1. */
static int digit(char c)
{
	if (is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static int take_number(struct text *text, uint64_t *value)
{
	const char *first = text->at;
	int base = 10, next;

	if (first[0] == '0' && (first[1] == 'x' || first[1] == 'X')) {
		text->at = first += 2;
		base = 16;
	}
	for (*value = 0; (next = digit(*text->at)) >= 0 && next < base; text->at++)
		if (__builtin_mul_overflow(*value, (uint64_t)base, value) ||
		    __builtin_add_overflow(*value, (uint64_t)next, value))
			return wrong(text, -ERANGE, "a constant has 64 bits at most");
	if (text->at == first || (*text->at && !strchr("#" SEPARATORS, *text->at)))
		return wrong(text, -EINVAL, "expected a number, 42 or 0x2a");
	return 0;
}

static int take_constant(struct gpuoa_constants *constants, struct text *text)
{
	char name[NAME_MAX_LENGTH + 1];
	struct text name_at = *text;
	uint64_t value;
	int err = take_name(text, name);

	if (err)
		return err;
	text->at += strlen(name) + 1;
	err = take_number(text, &value);
	if (err)
		return err;
	err = gpuoa_constants_set(constants, name, value);
	if (err == -ENOENT)
		return wrong(&name_at, err, "%s's equations use no %s",
			     table_string(&constants->platform->name), name);
	if (err)
		return wrong(&name_at, err, "%s can't have this value", name);
	return 0;
}

/* Parse into a copy, so that @constants are unchanged on error. */
int gpuoa_constants_parse(struct gpuoa_constants *constants, const char *string, char *error,
			  size_t error_size)
{
	struct text text = { string, string, error, error_size };
	struct gpuoa_constants *copy;
	int ret = gpuoa_constants_copy(constants, &copy);

	complaint_begin(error, error_size);
	if (ret)
		return wrong(&text, ret, "out of memory");
	skip(&text);
	while (*text.at && !ret) {
		ret = take_constant(copy, &text);
		skip(&text);
	}
	if (!ret)
		constants_assign(constants, copy);
	gpuoa_constants_free(copy);
	return ret;
}

static size_t constants_size(const struct gpuoa_platform *platform)
{
	return sizeof(struct gpuoa_constants) +
	       platform->constant_count * sizeof(struct constant_value);
}

static const char *constant_key(const void *platform, size_t number)
{
	return platform_constant_name(platform, number);
}

/* Return the number of a constant, or -1. */
static long constants_find(const struct gpuoa_constants *constants, const char *name)
{
	const struct gpuoa_platform *platform = constants->platform;

	return table_index_find(table_follow(&platform->constant_names), name, constant_key,
				platform);
}

void constants_refresh(struct gpuoa_constants *constants)
{
	gpu_complete(&constants->gpu, constants->assume);
	for (uint32_t i = 0; i < constants->platform->constant_count; i++) {
		struct constant_value *value = &constants->values[i];
		bool given = value->provenance == GPUOA_PROVENANCE_GIVEN;

		if (given && value->rule.kind != RULE_FACT)
			continue;
		value->provenance = rule_value(value->rule, &constants->gpu, &value->value);
		value->given = value->provenance != GPUOA_PROVENANCE_NONE;
	}
}

int gpuoa_constants_new(const struct gpuoa_platform *platform, struct gpuoa_constants **constants)
{
	struct gpuoa_constants *new = calloc(1, constants_size(platform));

	if (!new)
		return -ENOMEM;
	new->platform = platform;
	new->gpu.platform = gpu_platform_find(table_string(&platform->name));
	for (uint32_t i = 0; i < platform->constant_count; i++)
		new->values[i].rule = rule_find(platform_constant_name(platform, i));
	constants_refresh(new);
	*constants = new;
	return 0;
}

int gpuoa_constants_copy(const struct gpuoa_constants *constants, struct gpuoa_constants **copy)
{
	const size_t size = constants_size(constants->platform);
	struct gpuoa_constants *new = malloc(size);

	if (!new)
		return -ENOMEM;
	memcpy(new, constants, size);
	*copy = new;
	return 0;
}

void constants_assign(struct gpuoa_constants *constants, const struct gpuoa_constants *from)
{
	memcpy(constants, from, constants_size(from->platform));
}

void gpuoa_constants_free(struct gpuoa_constants *constants)
{
	free(constants);
}

/* Set a value for all names of the platform that have the same rule. */
static int set_values(struct gpuoa_constants *constants, long number, struct rule rule,
		      uint64_t value)
{
	int ret = -ENOENT;

	for (uint32_t i = 0; i < constants->platform->constant_count; i++) {
		struct constant_value *constant = &constants->values[i];

		if ((long)i != number && !rule_same(constant->rule, rule))
			continue;
		constant->value = value;
		constant->given = true;
		constant->provenance = GPUOA_PROVENANCE_GIVEN;
		ret = 0;
	}
	return ret;
}

int gpuoa_constants_set(struct gpuoa_constants *constants, const char *name, uint64_t value)
{
	struct rule rule = rule_find(name);

	switch ((enum rule_kind)rule.kind) {
	case RULE_FACT:
		gpu_give(&constants->gpu, rule.fact, value);
		constants_refresh(constants);
		return 0;
	case RULE_QUERY_MODE:
		if (value > GPUOA_QUERY_GLOBAL)
			return -EINVAL;
		constants->query_mode = (uint8_t)value;
		constants->query_mode_given = true;
		return 0;
	default:
		return set_values(constants, constants_find(constants, name), rule, value);
	}
}

/* Find a constant that has the same rule under another name. */
static const struct constant_value *find_same(const struct gpuoa_constants *constants,
					      struct rule rule)
{
	for (uint32_t i = 0; i < constants->platform->constant_count; i++)
		if (rule_same(constants->values[i].rule, rule))
			return &constants->values[i];
	return NULL;
}

int gpuoa_constants_get(const struct gpuoa_constants *constants, const char *name, uint64_t *value)
{
	long number = constants_find(constants, name);
	struct constant_value found = { .given = false };
	const struct constant_value *same;

	if (number >= 0) {
		found = constants->values[number];
	} else {
		found.rule = rule_find(name);
		if (found.rule.kind == RULE_UNKNOWN)
			return -ENOENT;
		found.given = rule_value(found.rule, &constants->gpu, &found.value);
		if (found.rule.kind == RULE_QUERY_MODE)
			found.value = constants->query_mode;
		same = find_same(constants, found.rule);
		if (same)
			found = *same;
	}
	if (!found.given)
		return -ENODATA;
	*value = found.value;
	return 0;
}

int gpuoa_constants_assume(struct gpuoa_constants *constants)
{
	if (!gpu_has_part(&constants->gpu))
		return -ENODATA;
	constants->assume = true;
	constants_refresh(constants);
	return 0;
}

const char *gpuoa_constants_part(const struct gpuoa_constants *constants)
{
	return gpu_has_part(&constants->gpu) ? constants->gpu.platform->part : NULL;
}

void gpuoa_constants_transfer(struct gpuoa_constants *to, const struct gpuoa_constants *from)
{
	for (int fact = 0; fact < GPU_FACT_COUNT; fact++)
		if (from->gpu.provenances[fact] == GPUOA_PROVENANCE_GIVEN)
			gpu_give(&to->gpu, fact, from->gpu.facts[fact]);
	to->assume |= from->assume && gpu_has_part(&to->gpu);
	if (from->query_mode_given)
		gpuoa_constants_set(to, "QueryMode", from->query_mode);
	constants_refresh(to);
	for (uint32_t i = 0; i < from->platform->constant_count; i++) {
		const struct constant_value *value = &from->values[i];

		if (value->provenance == GPUOA_PROVENANCE_GIVEN && value->rule.kind != RULE_FACT)
			gpuoa_constants_set(to, platform_constant_name(from->platform, i),
					    value->value);
	}
}

int gpuoa_constants_add(struct gpuoa_constants *constants, const struct gpuoa_constants *other)
{
	if (constants->platform != other->platform)
		return -EINVAL;
	for (uint32_t i = 0; i < constants->platform->constant_count; i++) {
		struct constant_value *sum = &constants->values[i];
		const struct constant_value *value = &other->values[i];

		if (!rule_is_total(sum->rule))
			continue;
		sum->given &= value->given;
		sum->value = sum->given ? sum->value + value->value : 0;
		sum->provenance = sum->given ? GPUOA_PROVENANCE_GIVEN : GPUOA_PROVENANCE_NONE;
	}
	return 0;
}

size_t gpuoa_constants_count(const struct gpuoa_constants *constants)
{
	return constants->platform->constant_count;
}

const char *gpuoa_constants_name(const struct gpuoa_constants *constants, size_t index)
{
	if (index >= constants->platform->constant_count)
		return NULL;
	return platform_constant_name(constants->platform, index);
}

int gpuoa_constants_describe(const struct gpuoa_constants *constants, size_t index,
			     struct gpuoa_constant_desc *desc, size_t size)
{
	const struct gpuoa_platform *platform = constants->platform;
	const struct table_constant *definitions = table_follow(&platform->constants);
	const struct constant_value *value;
	struct gpuoa_constant_desc known;

	if (index >= platform->constant_count)
		return -ERANGE;
	value = &constants->values[index];
	known = (struct gpuoa_constant_desc){
		.name = table_string(&definitions[index].name),
		.description = table_string(&definitions[index].description),
		.kind = rule_constant_kind(value->rule),
		.provenance = value->provenance,
		.value = value->value,
	};
	sized_give(desc, size, &known, sizeof(known));
	return 0;
}
