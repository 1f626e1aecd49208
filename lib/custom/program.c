// SPDX-License-Identifier: MIT
/* program.c - makes the registers and equations of sets whose counters are programmed. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/chars.h"
#include "custom/flex.h"
#include "custom/program.h"
#include "custom/selects.h"
#include "custom/uuid.h"
#include "definitions/language/infix_text.h"

#define EQUATION_SIZE 1024
#define BYTES_OF_EVENT 64
#define THREADS_OF_STEP 8

/* A set that is being made. */
struct programming {
	struct gpuoa_custom *custom;
	const struct complaint *complaint;
	struct custom_set *set;
	struct match match;
};

/* ---- equations ---- */

/* The public equation with the counter that the event got. */
static void replace_counter(const struct prototype *prototype, uint32_t counter, char *text,
			    size_t size)
{
	const char *from = prototype->equation;
	char name[16];
	size_t length = 0;

	snprintf(name, sizeof(name), "PEC%" PRIu32, prototype->counter);
	while (*from && length + sizeof(name) < size) {
		const size_t skip = strlen(name);
		const bool begins =
			from == prototype->equation ||
			(!is_letter(from[-1]) && !is_digit(from[-1]) && from[-1] != '_');

		if (begins && !strncmp(from, name, skip) && !is_digit(from[skip])) {
			length += (size_t)snprintf(text + length, size - length, "PEC%" PRIu32,
						   counter);
			from += skip;
		} else {
			text[length++] = *from++;
		}
	}
	text[length] = '\0';
}

/* What is counted, before anything is made of it. */
static void self_text(const struct programming *at, const struct instance *instance, char *text,
		      size_t size)
{
	uint64_t selects[EU_QUARTERS];
	const uint32_t count = custom_selects(at->custom, instance, selects);
	uint32_t c[EU_QUARTERS] = { 0 };

	for (uint32_t i = 0; i < count; i++)
		c[i] = match_counter(&at->match, selects[i]);
	if (!count)
		snprintf(text, size, "%s", instance->prototype->fixed);
	else if (instance->prototype->equation)
		replace_counter(instance->prototype, c[0], text, size);
	else if (count == 1)
		snprintf(text, size, "A%" PRIu32, c[0]);
	else
		snprintf(text, size, "(A%" PRIu32 " + A%" PRIu32 " + A%" PRIu32 " + A%" PRIu32 ")",
			 c[0], c[1], c[2], c[3]);
}

/* How many EUs can be counted. */
static void eus_text(const struct programming *at, const struct instance *instance, char *text,
		     size_t size)
{
	const unsigned int parts = (instance->values[GPUOA_OPTION_ROW] ? 2 : 1) *
				   (instance->values[GPUOA_OPTION_EU] ? EU_QUARTERS : 1);

	if (parts == 1)
		snprintf(text, size, "%s", at->custom->prototypes.eu_count);
	else
		snprintf(text, size, "(%s // %u)", at->custom->prototypes.eu_count, parts);
}

/* The equation, and what kind of value it gives. */
static void make_equation(const struct programming *at, const struct instance *instance, char *text,
			  struct attributes *attributes)
{
	const struct prototype *prototype = instance->prototype;
	const uint64_t *values = instance->values;
	const bool bytes = prototype->options & 1u << GPUOA_OPTION_BYTE ||
			   !strcmp(prototype->units, "bytes");
	const unsigned int step = prototype->of_threads ? THREADS_OF_STEP : 1;
	char self[EQUATION_SIZE / 2], eus[64];

	self_text(at, instance, self, sizeof(self));
	eus_text(at, instance, eus, sizeof(eus));
	attributes->type = prototype->type;
	attributes->semantic = prototype->semantic;
	attributes->units = prototype->units;
	if (values[GPUOA_OPTION_UTILIZATION]) {
		snprintf(text, EQUATION_SIZE, "%s * %u / (GpuCoreClocks * %s%s%s)", self,
			 100 * step, eus, step > 1 ? " * " : "",
			 step > 1 ? at->custom->prototypes.eu_threads : "");
		attributes->type = GPUOA_TYPE_FLOAT;
		attributes->semantic = GPUOA_SEMANTIC_DURATION;
		attributes->units = "percent";
	} else if (values[GPUOA_OPTION_AVERAGE]) {
		snprintf(text, EQUATION_SIZE, step > 1 ? "%s * 8 // %s" : "%s // %s", self, eus);
	} else if (values[GPUOA_OPTION_RATE]) {
		snprintf(text, EQUATION_SIZE,
			 prototype->equation ? "(%s) / GpuTime" :
			 step > 1	     ? "%s * 8 / GpuTime" :
			 bytes		     ? "%s * 64 / GpuTime" :
					       "%s / GpuTime",
			 self);
		attributes->type = GPUOA_TYPE_FLOAT;
		attributes->semantic = GPUOA_SEMANTIC_THROUGHPUT;
		attributes->units = bytes ? "gbps" : NULL;
	} else if (values[GPUOA_OPTION_BYTE]) {
		snprintf(text, EQUATION_SIZE, "%s * %d", self, BYTES_OF_EVENT);
		attributes->semantic = GPUOA_SEMANTIC_THROUGHPUT;
		attributes->units = "bytes";
	} else {
		snprintf(text, EQUATION_SIZE, step > 1 ? "%s * 8" : "%s", self);
	}
}

static const char *choose(const char *given, const char *otherwise)
{
	return given ? given : otherwise;
}

/* "cycles per ns" */
static const char *units_per_ns(struct gpuoa_custom *custom, const char *units)
{
	char text[128];

	snprintf(text, sizeof(text), "%s per ns", units);
	return custom_string(custom, text);
}

static int make_metric(const struct programming *at, const struct instance *instance)
{
	const struct prototype *prototype = instance->prototype;
	struct attributes *a = &instance->use->changes;
	const char *max = instance->values[GPUOA_OPTION_UTILIZATION] ? "100" :
			  instance->values[GPUOA_OPTION_RATE]	     ? "" :
								       prototype->max;
	char text[EQUATION_SIZE];
	int err;

	*a = (struct attributes){
		.given = ATTRIBUTE_NAME | ATTRIBUTE_DESCRIPTION | ATTRIBUTE_GROUP |
			 ATTRIBUTE_EQUATION | ATTRIBUTE_MAX | ATTRIBUTE_AVAILABILITY |
			 ATTRIBUTE_VALUE | ATTRIBUTE_HW_UNIT | ATTRIBUTE_USAGE | ATTRIBUTE_APIS |
			 ATTRIBUTE_ALIAS,
		.name = choose(instance->name, prototype->name),
		.description = choose(instance->description, prototype->description),
		.group = prototype->group,
		.hw_unit = prototype->hw_unit,
		.alias = prototype->symbol,
	};
	make_equation(at, instance, text, a);
	if (!a->units)
		a->units = units_per_ns(at->custom, prototype->units);
	a->units = choose(instance->units, a->units);
	if (!a->units)
		return -ENOMEM;
	err = custom_equation(at->custom, text, instance->use->symbol, &a->equation, at->complaint);
	return err ? err :
		     custom_equation(at->custom, max, instance->use->symbol, &a->max,
				     at->complaint);
}

/* ---- registers ---- */

static uint32_t flex_value(const struct match *match, uint32_t index)
{
	uint32_t value = 0;

	for (uint32_t i = 0; i < match->count; i++) {
		const uint32_t n = match->events[i].counter - EU_COUNTER_FIRST;
		const uint32_t select = (uint32_t)match->events[i].select;

		if (n / 2 != index)
			continue;
		value |= (select & ((1u << FLEX_EVENT_BITS) - 1)) << FLEX_EVENT_BITS * (n % 2);
		value |= (select >> EU_UPPER_SHIFT & 1) << (FLEX_UPPER_BIT + n % 2);
	}
	return value;
}

static uint32_t make_flex(const struct match *match, struct gpuoa_reg *registers)
{
	for (uint32_t i = 0; i < FLEX_REGISTERS; i++)
		registers[i] = (struct gpuoa_reg){ flex_registers[i], flex_value(match, i) };
	return FLEX_REGISTERS;
}

/* In order of the counters. */
static uint32_t make_pec(const struct match *match, struct gpuoa_reg *registers)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < MATCH_MAX; n++) {
		for (uint32_t i = 0; i < match->count; i++) {
			const uint64_t select = match->events[i].select;

			if (match->events[i].counter != n)
				continue;
			registers[count++] =
				(struct gpuoa_reg){ pec_register(n), (uint32_t)select };
			registers[count++] =
				(struct gpuoa_reg){ pec_register(n) + 4, (uint32_t)(select >> 32) };
		}
	}
	return count;
}

static int make_registers(const struct programming *at)
{
	const bool pec = at->custom->prototypes.bank == BANK_PEC;
	struct register_list *list = arena_alloc(&at->custom->arena, sizeof(*list));
	struct set_definition *set = at->set->definition;

	if (!list)
		return -ENOMEM;
	list->kind = pec ? GPUOA_REGISTER_BOOLEAN : GPUOA_REGISTER_FLEX;
	list->registers = arena_alloc(&at->custom->arena, 2 * MATCH_MAX * sizeof(*list->registers));
	if (!list->registers)
		return -ENOMEM;
	list->count = pec ? make_pec(&at->match, list->registers) :
			    make_flex(&at->match, list->registers);
	set->registers = list;
	set->uuid = custom_uuid(at->custom, set);
	set->shares_uuid = true;
	return set->uuid ? 0 : -ENOMEM;
}

int custom_program(struct gpuoa_custom *custom, const struct complaint *complaint)
{
	struct programming at = { .custom = custom, .complaint = complaint };
	int err = 0;

	for (at.set = custom->sets; at.set && !err; at.set = at.set->next) {
		if (!at.set->programmed)
			continue;
		if (!custom_match(custom, at.set, NULL, &at.match)) /* each was matched before */
			return -ENOSPC;
		err = make_registers(&at);
		for (const struct instance *i = custom->instances; i && !err; i = i->next)
			if (i->set == at.set)
				err = make_metric(&at, i);
	}
	return err;
}
