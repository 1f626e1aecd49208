// SPDX-License-Identifier: MIT
/*
 * prototypes_pec.c - the events that the PEC counters of Xe2 can be programmed to count.
 *
 * Nobody documents their numbers. But the public metric sets say which register selects what a
 * counter counts, and what the metric of that counter means: so each metric of one counter is an
 * event with a meaning. An event is only ever put on counters that some public set has it on.
 *
 * Some events are what the flexible EU registers say. Sets that program those are passed over: in
 * programmed sets they are 0, as in sets that do not.
 */
#include <errno.h>
#include <string.h>

#include "base/name_map.h"
#include "custom/flex.h"
#include "custom/prototypes.h"
#include "table/code.h"
#include "table/table.h"

#define PECS 64

/* A set whose counters are looked at. */
struct survey {
	struct prototypes *prototypes;
	struct name_map names; /* numbers of prototypes */
	size_t room;
	const struct gpuoa_set *set;
	uint64_t selects[PECS];
	uint64_t selected; /* counters whose event is known */
};

/* Do they count something else than they do by themselves? */
static bool has_flex(const struct gpuoa_set *set)
{
	const struct table_registers *lists = table_follow(&set->register_lists);

	for (uint32_t i = 0; i < set->register_list_count; i++) {
		const struct gpuoa_reg *registers = table_follow(&lists[i].registers);

		for (uint32_t k = 0; k < lists[i].count; k++)
			if (lists[i].kind == GPUOA_REGISTER_FLEX && registers[k].value)
				return true;
	}
	return false;
}

static bool has_pec(const struct gpuoa_set *set)
{
	const struct report_format *format = format_get(set->format);

	return format && !has_flex(set) &&
	       format_counter(format, counter_number(BANK_PEC, 0)).bits &&
	       format_counter(format, counter_number(BANK_PEC, PECS - 1)).bits &&
	       !strcmp(table_string(&set->unit), "OA");
}

static void take_register(struct survey *survey, const struct gpuoa_reg *reg)
{
	for (uint32_t n = 0; n < PECS; n++) {
		if (reg->address == pec_register(n)) {
			survey->selects[n] = reg->value;
			survey->selected |= UINT64_C(1) << n;
		} else if (reg->address == pec_register(n) + 4) {
			survey->selects[n] |= (uint64_t)reg->value << 32;
		}
	}
}

static void take_registers(struct survey *survey)
{
	const struct table_registers *lists = table_follow(&survey->set->register_lists);

	survey->selected = 0;
	for (uint32_t i = 0; i < survey->set->register_list_count; i++) {
		const struct gpuoa_reg *registers = table_follow(&lists[i].registers);

		if (lists[i].kind != GPUOA_REGISTER_BOOLEAN || table_follow(&lists[i].condition))
			continue;
		for (uint32_t k = 0; k < lists[i].count; k++)
			take_register(survey, &registers[k]);
	}
}

/* Programmed sets have these metrics, too. */
static bool is_basic(const struct gpuoa_set *set, uint32_t number)
{
	const char *symbol = table_string(&metric_definition(&set_metrics(set)[number])->symbol);

	return !strcmp(symbol, "GpuTime") || !strcmp(symbol, "GpuCoreClocks");
}

/* Does an equation use one counter only, and else what all programmed sets have? */
static bool uses_one(const struct gpuoa_set *set, const uint32_t *code, uint32_t *counter)
{
	const uint32_t *end = code + 1 + code_length(code);
	uint32_t found = 0;

	for (const uint32_t *word = code + 1; word < end; word += code_words(code_op(*word))) {
		const enum code_op op = code_op(*word);
		const uint32_t argument = code_argument(*word);

		if (op == CODE_COUNTER && argument / BANK_SIZE == BANK_PEC) {
			if (found && *counter != argument % BANK_SIZE)
				return false;
			*counter = argument % BANK_SIZE;
			found++;
		} else if (op == CODE_COUNTER || op == CODE_TIMESTAMP || op == CODE_CLOCK) {
			return false;
		} else if ((op == CODE_METRIC || op == CODE_METRIC_REAL) &&
			   !is_basic(set, argument)) {
			return false;
		}
	}
	return found;
}

/* A maximum that programmed sets can have, too; else "". */
static const char *usable_max(const struct gpuoa_set *set, const struct gpuoa_metric *metric)
{
	const uint32_t *code = table_follow(&metric->max);
	const uint32_t *end = code ? code + 1 + code_length(code) : NULL;

	for (const uint32_t *word = code ? code + 1 : NULL; word < end;
	     word += code_words(code_op(*word))) {
		const enum code_op op = code_op(*word);

		if (op == CODE_COUNTER || ((op == CODE_METRIC || op == CODE_METRIC_REAL) &&
					   !is_basic(set, code_argument(*word))))
			return "";
	}
	return table_string(&metric_definition(metric)->max);
}

static void add_prototype(struct survey *survey, const struct gpuoa_metric *of, uint32_t counter)
{
	const struct table_metric *metric = metric_definition(of);
	struct prototype *prototype = &survey->prototypes->all[survey->prototypes->count];

	*prototype = (struct prototype){
		.symbol = table_string(&metric->symbol),
		.name = table_string(&metric->name),
		.description = table_string(&metric->description),
		.group = table_string(&metric->group),
		.units = table_string(&metric->units),
		.hw_unit = table_string(&metric->hw_unit),
		.type = metric->type,
		.semantic = metric->semantic,
		.options = metric->type == GPUOA_TYPE_UINT64 ? 1u << GPUOA_OPTION_RATE : 0,
		.select = survey->selects[counter],
		.counters = UINT64_C(1) << counter,
		.equation = table_string(&metric->equation),
		.max = usable_max(survey->set, of),
		.counter = counter,
	};
	survey->prototypes->count++;
}

static bool take_metric(struct survey *survey, uint32_t number)
{
	const struct gpuoa_metric *metric = &set_metrics(survey->set)[number];
	const struct table_metric *definition = metric_definition(metric);
	const size_t count = survey->prototypes->count;
	uint32_t counter = 0, known;

	if (*table_string(&definition->availability) ||
	    !uses_one(survey->set, table_follow(&metric->equation), &counter) ||
	    !(survey->selected >> counter & 1))
		return true;
	known = name_map_find_number(&survey->names, table_string(&definition->symbol), count);
	if (known < count) {
		struct prototype *prototype = &survey->prototypes->all[known];

		if (prototype->select == survey->selects[counter])
			prototype->counters |= UINT64_C(1) << counter;
		return true;
	}
	if (count == survey->room)
		return true;
	add_prototype(survey, metric, counter);
	return name_map_add_number(&survey->names, table_string(&definition->symbol), count);
}

static bool take_set(struct survey *survey)
{
	take_registers(survey);
	for (uint32_t i = 0; i < survey->set->metric_count; i++)
		if (!take_metric(survey, i))
			return false;
	return true;
}

/* Several metrics may be made of one event: what counts the one counts the other. */
static void join_counters(struct prototypes *prototypes)
{
	for (size_t i = 0; i < prototypes->count; i++)
		for (size_t k = 0; k < i; k++)
			if (prototypes->all[i].select == prototypes->all[k].select) {
				prototypes->all[i].counters |= prototypes->all[k].counters;
				prototypes->all[k].counters = prototypes->all[i].counters;
			}
}

int prototypes_find_pec(const struct gpuoa_platform *platform, struct arena *arena,
			struct prototypes *prototypes)
{
	struct survey survey = { .prototypes = prototypes };
	const struct gpuoa_set *sets = platform_sets(platform);
	bool good = true;

	for (uint32_t i = 0; i < platform->set_count; i++)
		survey.room += has_pec(&sets[i]) ? sets[i].metric_count : 0;
	if (!survey.room)
		return 0;
	prototypes->bank = BANK_PEC;
	prototypes->all = arena_alloc(arena, survey.room * sizeof(*prototypes->all));
	if (!prototypes->all)
		return -ENOMEM;
	for (uint32_t i = 0; i < platform->set_count && good; i++) {
		survey.set = &sets[i];
		if (!has_pec(&sets[i]))
			continue;
		good = take_set(&survey);
		if (!prototypes->model && gpuoa_set_find_metric(&sets[i], "GpuTime") &&
		    gpuoa_set_find_metric(&sets[i], "GpuCoreClocks"))
			prototypes->model = &sets[i];
	}
	name_map_free(&survey.names);
	if (!prototypes->model)
		prototypes->count = 0;
	join_counters(prototypes);
	return good ? 0 : -ENOMEM;
}
