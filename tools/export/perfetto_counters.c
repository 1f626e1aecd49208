// SPDX-License-Identifier: MIT
/*
 * perfetto_counters.c - Perfetto's descriptions of the counters of a unit
 *
 * Each group path ("EU Array/Vertex Shader") is a block; in addition, Perfetto has seven fixed
 * groups.
 */
#define _GNU_SOURCE /* asprintf */
#include "export/perfetto_counters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/perfetto_words.h"

typedef Perfetto__GpuCounterDescriptor__GpuCounterSpec counter_spec;
typedef Perfetto__GpuCounterDescriptor__GpuCounterBlock counter_block;

#define NO_UNIT PERFETTO__GPU_COUNTER_DESCRIPTOR__MEASURE_UNIT__NONE

int perfetto_counters_make(struct perfetto_counters *counters, const struct columns *columns,
			   uint32_t first)
{
	counters->columns = calloc(columns->count + 1, sizeof(*counters->columns));
	counters->list = calloc(columns->count + 1, sizeof(*counters->list));
	counters->pointers = calloc(columns->count + 1, sizeof(*counters->pointers));
	if (!counters->columns || !counters->list || !counters->pointers)
		return fail("out of memory");
	for (size_t i = 0; i < columns->count; i++) {
		const size_t n = counters->count;

		if (columns->list[i].absent)
			continue;
		counters->columns[n] = &columns->list[i];
		perfetto__gpu_counter_event__gpu_counter__init(&counters->list[n]);
		counters->list[n].has_counter_id = true;
		counters->list[n].counter_id = first + n;
		counters->pointers[n] = &counters->list[n];
		counters->count++;
	}
	return EXIT_OK;
}

void perfetto_counters_free(struct perfetto_counters *counters)
{
	free(counters->columns);
	free(counters->list);
	free(counters->pointers);
	*counters = (struct perfetto_counters){ .count = 0 };
}

/* Set a repeated enum field to a single value. */
static bool put_word(size_t *count, int **list, int word)
{
	*list = malloc(sizeof(**list));
	if (!*list)
		return false;
	**list = word;
	*count = 1;
	return true;
}

static bool put_units(counter_spec *spec, const char *units)
{
	const struct perfetto_units words = perfetto_units(units);

	return (words.numerator == NO_UNIT ||
		put_word(&spec->n_numerator_units, (int **)&spec->numerator_units,
			 words.numerator)) &&
	       (words.denominator == NO_UNIT ||
		put_word(&spec->n_denominator_units, (int **)&spec->denominator_units,
			 words.denominator));
}

/* Describe a metric. The description contains the symbol that -m accepts. */
static bool put_metric(counter_spec *spec, const struct column *column)
{
	struct gpuoa_metric_desc desc = { .description = "", .group = "" };
	const char *blank;

	if (column->metric)
		gpuoa_metric_describe(column->metric, &desc, sizeof(desc));
	blank = *desc.description ? ": " : "";
	if (!strcmp(column->units, "percent")) {
		spec->peak_value_case =
			PERFETTO__GPU_COUNTER_DESCRIPTOR__GPU_COUNTER_SPEC__PEAK_VALUE_DOUBLE_PEAK_VALUE;
		spec->double_peak_value = 100;
	}
	spec->has_select_by_default = true;
	spec->select_by_default = desc.tier == 1;
	spec->name = strdup(column->name);
	if (asprintf(&spec->description, "%s%s%s", column->symbol, blank, desc.description) < 0)
		spec->description = NULL;
	return spec->name && spec->description && put_units(spec, column->units) &&
	       put_word(&spec->n_groups, (int **)&spec->groups, perfetto_group(desc.group));
}

static bool put_specs(Perfetto__GpuCounterDescriptor *description,
		      const struct perfetto_counters *counters)
{
	description->specs = calloc(counters->count + 1, sizeof(*description->specs));
	if (!description->specs)
		return false;
	for (size_t i = 0; i < counters->count; i++) {
		counter_spec *spec = malloc(sizeof(*spec));

		if (!spec)
			return false;
		perfetto__gpu_counter_descriptor__gpu_counter_spec__init(spec);
		spec->has_counter_id = true;
		spec->counter_id = counters->list[i].counter_id;
		description->specs[description->n_specs++] = spec;
		if (!put_metric(spec, counters->columns[i]))
			return false;
	}
	return true;
}

static const char *group_of(const struct column *column)
{
	struct gpuoa_metric_desc desc;

	if (!column->metric)
		return "Information";
	gpuoa_metric_describe(column->metric, &desc, sizeof(desc));
	return desc.group;
}

/* Find the block of a group, or add one with space for @room counters. */
static counter_block *find_block(Perfetto__GpuCounterDescriptor *description, const char *group,
				 size_t room)
{
	counter_block *block;

	for (size_t i = 0; i < description->n_blocks; i++) {
		block = description->blocks[i];
		if (block && !strcmp(block->name, group))
			return block;
	}
	block = malloc(sizeof(*block));
	if (!block)
		return NULL;
	perfetto__gpu_counter_descriptor__gpu_counter_block__init(block);
	block->has_block_id = true;
	block->block_id = description->n_blocks + 1;
	block->name = strdup(group);
	block->counter_ids = calloc(room, sizeof(*block->counter_ids));
	description->blocks[description->n_blocks++] = block;
	return block->name && block->counter_ids ? block : NULL;
}

static bool put_blocks(Perfetto__GpuCounterDescriptor *description,
		       const struct perfetto_counters *counters)
{
	description->blocks = calloc(counters->count + 1, sizeof(*description->blocks));
	if (!description->blocks)
		return false;
	for (size_t i = 0; i < counters->count; i++) {
		counter_block *block =
			find_block(description, group_of(counters->columns[i]), counters->count);

		if (!block)
			return false;
		block->counter_ids[block->n_counter_ids++] = counters->list[i].counter_id;
	}
	return true;
}

Perfetto__GpuCounterDescriptor *perfetto_counters_describe(const struct perfetto_counters *counters)
{
	Perfetto__GpuCounterDescriptor *description = malloc(sizeof(*description));

	if (!description)
		return NULL;
	perfetto__gpu_counter_descriptor__init(description);
	if (put_specs(description, counters) && put_blocks(description, counters))
		return description;
	perfetto_description_free(description);
	return NULL;
}

void perfetto_description_free(Perfetto__GpuCounterDescriptor *description)
{
	perfetto__gpu_counter_descriptor__free_unpacked(description, NULL);
}
