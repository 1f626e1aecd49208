// SPDX-License-Identifier: MIT
/* compile_set.c - metric sets and their registers. */
#include <stdlib.h>
#include <string.h>

#include "compiler.h"

static bool put_registers(struct compiler *compiler,
			  const struct set_definition *set, size_t set_record)
{
	struct blob *blob = compiler->blob;
	const struct register_list *list;
	struct gpuoa_set *record;
	uint32_t count = 0;
	size_t lists;

	for (list = set->registers; list; list = list->next)
		count++;
	if (!count)
		return true;
	lists = blob_reserve(blob, count * sizeof(struct table_registers),
			     _Alignof(struct table_registers));
	record = blob_at(blob, set_record);
	if (!record)
		return false;
	record->register_list_count = count;
	LINK(blob, set_record, struct gpuoa_set, register_lists, lists);

	compiler->emitter.query_only = false;
	for (list = set->registers; list;
	     list = list->next, lists += sizeof(struct table_registers)) {
		struct table_registers *registers = blob_at(blob, lists);

		if (equation_uses_query_mode(&list->condition))
			return FAIL(
				compiler, list->condition.root->location,
				"registers are written for queries and streams alike");
		registers->kind = list->kind;
		registers->count = list->count;
		if (list->count)
			LINK(blob, lists, struct table_registers, registers,
			     blob_pool(blob, list->registers,
				       list->count * sizeof(struct gpuoa_reg),
				       _Alignof(struct gpuoa_reg)));
		if (!put_equation(compiler, &list->condition, ROLE_CONDITION,
				  lists + offsetof(struct table_registers,
						   condition)) ||
		    blob->failed)
			return false;
	}
	return true;
}

static bool check_set(struct compiler *compiler,
		      const struct set_definition *set)
{
	const struct set_definition *other = compiler->definition->sets;

	for (; other != set; other = other->next) {
		if (!strcmp(other->symbol, set->symbol))
			return FAIL(compiler, set->location,
				    "set %s is there already, in line %u",
				    set->symbol, other->location.line);
		if (!strcmp(other->uuid, set->uuid))
			return FAIL(compiler, set->location,
				    "set %s has the same uuid as set %s",
				    set->symbol, other->symbol);
	}
	return true;
}

static bool put_set(struct compiler *compiler, const struct set_definition *set,
		    size_t record)
{
	struct blob *blob = compiler->blob;
	struct gpuoa_set *fixed = blob_at(blob, record);

	if (!fixed || !check_set(compiler, set))
		return false;
	fixed->apis = set->apis;
	fixed->format = set->format;
	fixed->info_count = compiler->info_count;
	LINK(blob, record, struct gpuoa_set, platform, compiler->platform);
	LINK(blob, record, struct gpuoa_set, symbol,
	     blob_string(blob, set->symbol));
	LINK(blob, record, struct gpuoa_set, name,
	     blob_string(blob, set->name));
	LINK(blob, record, struct gpuoa_set, uuid,
	     blob_string(blob, set->uuid));
	LINK(blob, record, struct gpuoa_set, infos, compiler->infos);

	compiler->emitter.set = set;
	compiler->emitter.format = format_get(set->format);
	return put_set_metrics(compiler, set, record) &&
	       put_registers(compiler, set, record);
}

static bool put_set_indices(struct compiler *compiler, uint32_t count)
{
	const char **names = malloc((count + 1) * sizeof(*names));
	const struct set_definition *set;
	uint32_t i;

	if (!names) {
		compiler->blob->failed = true;
		return false;
	}
	for (i = 0, set = compiler->definition->sets; set; set = set->next)
		names[i++] = set->symbol;
	PLATFORM_RECORD(compiler, set_symbols,
			put_index(compiler->blob, names, count));
	for (i = 0, set = compiler->definition->sets; set; set = set->next)
		names[i++] = set->uuid;
	PLATFORM_RECORD(compiler, set_uuids,
			put_index(compiler->blob, names, count));
	free(names);
	return true;
}

bool put_sets(struct compiler *compiler)
{
	struct blob *blob = compiler->blob;
	const struct set_definition *set;
	struct gpuoa_platform *platform;
	uint32_t count = 0;
	size_t sets;

	for (set = compiler->definition->sets; set; set = set->next)
		if (++count > INDEX_MAX)
			return FAIL(compiler, set->location,
				    "a platform has %d sets at most",
				    INDEX_MAX);
	sets = blob_reserve(blob, count * sizeof(struct gpuoa_set),
			    _Alignof(struct gpuoa_set));
	platform = blob_at(blob, compiler->platform);
	if (!platform)
		return false;
	platform->set_count = count;
	PLATFORM_RECORD(compiler, sets, count ? sets : 0);
	for (set = compiler->definition->sets; set;
	     set = set->next, sets += sizeof(struct gpuoa_set))
		if (!put_set(compiler, set, sets))
			return false;
	return put_set_indices(compiler, count);
}
