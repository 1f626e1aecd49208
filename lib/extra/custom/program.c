// SPDX-License-Identifier: MIT
/* program.c - generate the registers and equations of sets with programmable counters */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "definitions/language/infix.h"
#include "definitions/language/lexer.h"
#include "definitions/load/extend.h"
#include "definitions/load/load.h"
#include "extra/custom/custom.h"
#include "extra/custom/flex.h"
#include "extra/custom/match.h"
#include "extra/custom/uuid.h"

#define EQUATION_SIZE 1024
#define THREADS_OF_STEP 8

/* The set being generated. */
struct programming {
	struct gpuoa_custom *custom;
	const struct complaint *complaint;
	struct custom_set *set;
	struct match match;
};

/* The raw count, before normalization. */
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
	else if (count == 1)
		snprintf(text, size, "A%" PRIu32, c[0]);
	else
		snprintf(text, size, "(A%" PRIu32 " + A%" PRIu32 " + A%" PRIu32 " + A%" PRIu32 ")",
			 c[0], c[1], c[2], c[3]);
}

/* Write an expression for the number of EUs that the instance counts. */
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

/*
 * Write the equation of a metric that a flexible EU counter or a counter with a fixed event counts.
 */
static void eu_equation(const struct programming *at, const struct instance *instance, char *text)
{
	const struct prototype *prototype = instance->prototype;
	const uint64_t *values = instance->values;
	const bool bytes = prototype->options & 1u << GPUOA_OPTION_BYTE;
	const unsigned int step = prototype->of_threads ? THREADS_OF_STEP : 1;
	char self[EQUATION_SIZE / 2], eus[64];

	self_text(at, instance, self, sizeof(self));
	eus_text(at, instance, eus, sizeof(eus));
	if (values[GPUOA_OPTION_UTILIZATION])
		snprintf(text, EQUATION_SIZE, "%s * %u / (GpuCoreClocks * %s%s%s)", self,
			 100 * step, eus, step > 1 ? " * " : "",
			 step > 1 ? at->custom->prototypes.eu_threads : "");
	else if (values[GPUOA_OPTION_AVERAGE])
		snprintf(text, EQUATION_SIZE, step > 1 ? "%s * 8 // %s" : "%s // %s", self, eus);
	else if (values[GPUOA_OPTION_RATE])
		snprintf(text, EQUATION_SIZE,
			 step > 1 ? "%s * 8 / GpuTime" :
			 bytes	  ? "%s * 64 / GpuTime" :
				    "%s / GpuTime",
			 self);
	else if (values[GPUOA_OPTION_BYTE])
		snprintf(text, EQUATION_SIZE, "%s * %d", self, BYTES_OF_EVENT);
	else
		snprintf(text, EQUATION_SIZE, step > 1 ? "%s * 8" : "%s", self);
}

static void make_equation(const struct programming *at, const struct instance *instance, char *text)
{
	uint64_t select;

	if (at->custom->prototypes.bank != BANK_PEC) {
		eu_equation(at, instance, text);
		return;
	}
	custom_selects(at->custom, instance, &select);
	pec_equation(&at->custom->prototypes, instance->prototype, instance->values,
		     match_counter(&at->match, select), text, EQUATION_SIZE);
}

/* Set type, semantic and units of the metric. */
static void make_value(const struct programming *at, const struct instance *instance,
		       struct attributes *attributes)
{
	const struct prototype *prototype = instance->prototype;
	const uint64_t *values = instance->values;
	const bool bytes = prototype->options & 1u << GPUOA_OPTION_BYTE ||
			   !strcmp(prototype->units, "bytes");

	attributes->type = prototype->type;
	attributes->semantic = prototype->semantic;
	attributes->units = prototype->units;
	if (values[GPUOA_OPTION_UTILIZATION]) {
		attributes->type = GPUOA_TYPE_FLOAT;
		attributes->semantic = GPUOA_SEMANTIC_DURATION;
		attributes->units = "percent";
	} else if (values[GPUOA_OPTION_RATE]) {
		attributes->type = GPUOA_TYPE_FLOAT;
		attributes->semantic = GPUOA_SEMANTIC_THROUGHPUT;
		attributes->units = bytes ? "gbps" : NULL;
	} else if (values[GPUOA_OPTION_BYTE]) {
		if (at->custom->prototypes.bank != BANK_PEC)
			attributes->semantic = GPUOA_SEMANTIC_THROUGHPUT;
		attributes->units = "bytes";
	}
}

static const char *choose(const char *given, const char *otherwise)
{
	return given ? given : otherwise;
}

/* Return the unit of a rate per ns, for example "cycles per ns". */
static const char *units_per_ns(struct gpuoa_custom *custom, const char *units)
{
	char text[128];

	snprintf(text, sizeof(text), "%s per ns", units);
	return custom_string(custom, text);
}

/* Set name, description and availability condition for the part of the GPU that is counted. */
static int make_texts(const struct programming *at, const struct instance *instance,
		      struct attributes *attributes)
{
	const struct prototype *prototype = instance->prototype;
	char text[EQUATION_SIZE];

	attributes->name = choose(instance->name, prototype->name);
	attributes->description = choose(instance->description, prototype->description);
	if (at->custom->prototypes.bank != BANK_PEC)
		return 0;
	if (!instance->name) {
		pec_name(prototype, instance->values, text, PEC_NAME_SIZE);
		attributes->name = custom_string(at->custom, text);
	}
	if (!instance->description) {
		pec_description(prototype, instance->values, text, sizeof(text));
		attributes->description = custom_string(at->custom, text);
	}
	if (!attributes->name || !attributes->description)
		return -ENOMEM;
	pec_availability(prototype, instance->values, text, sizeof(text));
	return custom_equation(at->custom, text, instance->use->symbol, &attributes->availability,
			       at->complaint);
}

static int make_metric(const struct programming *at, const struct instance *instance)
{
	const struct prototype *prototype = instance->prototype;
	struct attributes *a = &instance->use->changes;
	const char *max = instance->values[GPUOA_OPTION_UTILIZATION] ? "100" : "";
	char text[EQUATION_SIZE];
	int err;

	*a = (struct attributes){
		.given = ATTRIBUTES_COMPLETE,
		.group = prototype->group,
		.hw_unit = prototype->hw_unit,
		.alias = prototype->symbol,
	};
	make_equation(at, instance, text);
	make_value(at, instance, a);
	if (!a->units)
		a->units = units_per_ns(at->custom, prototype->units);
	a->units = choose(instance->units, a->units);
	if (!a->units)
		return -ENOMEM;
	err = make_texts(at, instance, a);
	if (!err)
		err = custom_equation(at->custom, text, instance->use->symbol, &a->equation,
				      at->complaint);
	return err ? err :
		     custom_equation(at->custom, max, instance->use->symbol, &a->max,
				     at->complaint);
}

static uint32_t eu_value(const struct match *match, uint32_t index)
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

/*
 * Return the filters of PEC7 to PEC20 for one EU_PERF_CNTL register. The events of these counters
 * are in the PEC registers.
 */
static uint32_t pec_filter_value(const struct match *match, uint32_t index)
{
	uint32_t value = 0;

	for (uint32_t i = 0; i < match->count; i++) {
		const uint32_t n = match->events[i].counter - EU_COUNTER_FIRST;
		const uint32_t filter = (uint32_t)(match->events[i].select >> PEC_FILTER_SHIFT);

		if (n / 2 == index)
			value |= filter << (EU_COARSE_SHIFT + FLEX_EVENT_BITS * (n % 2));
	}
	return value;
}

/* Write the PEC registers in order of the counters. */
static uint32_t make_pec(const struct match *match, struct gpuoa_reg *registers)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < MATCH_MAX; n++) {
		for (uint32_t i = 0; i < match->count; i++) {
			if (match->events[i].counter != n)
				continue;
			for (uint32_t copy = 0; copy < pec_copies(n); copy++) {
				registers[count++] =
					(struct gpuoa_reg){ pec_register(n, copy),
							    (uint32_t)match->events[i].select };
				registers[count++] =
					(struct gpuoa_reg){ pec_register(n, copy) + 4, 0 };
			}
		}
	}
	return count;
}

static struct register_list *add_list(const struct programming *at, enum gpuoa_register_kind kind,
				      uint32_t room)
{
	struct register_list **tail = &at->set->definition->registers, *list;

	list = arena_alloc(&at->custom->arena, sizeof(*list));
	if (!list)
		return NULL;
	list->kind = kind;
	list->registers = arena_alloc(&at->custom->arena, room * sizeof(*list->registers));
	if (!list->registers)
		return NULL;
	while (*tail)
		tail = &(*tail)->next;
	*tail = list;
	return list;
}

/*
 * Write the flexible EU registers always: values that another set left there would filter events.
 */
static int make_registers(const struct programming *at)
{
	const bool pec = at->custom->prototypes.bank == BANK_PEC;
	struct set_definition *set = at->set->definition;
	struct register_list *list;

	set->registers = NULL;
	if (pec) {
		list = add_list(at, GPUOA_REGISTER_BOOLEAN, PEC_REGISTERS_MAX);
		if (!list)
			return -ENOMEM;
		list->count = make_pec(&at->match, list->registers);
	}
	list = add_list(at, GPUOA_REGISTER_FLEX, FLEX_REGISTERS);
	if (!list)
		return -ENOMEM;
	for (; list->count < FLEX_REGISTERS; list->count++)
		list->registers[list->count] = (struct gpuoa_reg){
			flex_registers[list->count],
			pec ? pec_filter_value(&at->match, list->count) :
			      eu_value(&at->match, list->count),
		};
	set->uuid = custom_uuid(at->custom, set);
	set->shares_uuid = true;
	return set->uuid ? 0 : -ENOMEM;
}

/*
 * Generate the registers and equations of all sets with programmable counters. Returns 0 or a
 * negative errno.
 */
static int custom_program(struct gpuoa_custom *custom, const struct complaint *complaint)
{
	struct programming at = { .custom = custom, .complaint = complaint };
	int err = 0;

	for (at.set = custom->sets; at.set && !err; at.set = at.set->next) {
		if (!at.set->programmed)
			continue;
		/* each set was matched before */
		if (!custom_match(custom, at.set, NULL, &at.match))
			return -ENOSPC;
		err = make_registers(&at);
		for (const struct instance *i = custom->instances; i && !err; i = i->next)
			if (i->set == at.set)
				err = make_metric(&at, i);
	}
	return err;
}

/*
 * Add the constants that equations of assigned instances use. The compiler drops constants that no
 * equation uses.
 */
static int add_constants(const struct gpuoa_custom *custom, struct definition *definition,
			 struct arena *arena)
{
	bool good = true;

	if (custom->prototypes.bank != BANK_PEC)
		return 0;
	for (const struct instance *i = custom->instances; i && good; i = i->next)
		good = !i->set ||
		       pec_add_flag(i->prototype, i->values, &definition->constants, arena);
	return good && pec_add_constant(&definition->constants, arena) ? 0 : -ENOMEM;
}

/*
 * Link the list of sets anew for each build, because sets of the platform come before those of the
 * builder.
 */
int gpuoa_custom_build(struct gpuoa_custom *custom, struct gpuoa_definitions **definitions,
		       char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct definition definition = custom->definition;
	const struct definition *const list[] = { &definition };
	struct set_definition **tail = &definition.sets;
	struct arena arena = { 0 };
	int err;

	custom->diagnostic.text[0] = '\0';
	err = custom_program(custom, &complaint);
	for (struct custom_set *set = custom->sets; set && !err; set = set->next) {
		*tail = set->definition;
		set->definition->next = NULL;
		tail = &set->definition->next;
		if (!set->definition->uses)
			err = COMPLAIN(&complaint, -EINVAL, "set %s has no metrics",
				       set->definition->symbol);
	}
	if (err)
		return complaint_end(&complaint, err);
	err = add_constants(custom, &definition, &arena);
	if (!err)
		err = definition_extend(&definition, custom->platform, &arena, &custom->diagnostic);
	if (!err)
		err = definitions_compile(list, 1, definitions, &custom->diagnostic);
	if (err)
		diagnostic_complain(&complaint, err, definition.name, &custom->diagnostic);
	arena_free(&arena);
	return err;
}
