// SPDX-License-Identifier: MIT
/* compile_set.c - metric sets and their registers */
#include <stdlib.h>
#include <string.h>

#include "definitions/compiler/compiler.h"

/* Maximum number of sets that have the same symbol, counted over all units */
#define SAME_SYMBOL_MAX 64

static bool put_registers(struct compiler *compiler, const struct set_definition *set,
			  size_t set_record)
{
	struct blob *blob = compiler->blob;
	const struct register_list *list;
	struct gpuoa_set *record;
	uint32_t count = 0, register_count = 0;
	size_t lists;

	for (list = set->registers; list; list = list->next, count++)
		register_count += list->count;
	if (!count)
		return true;
	lists = blob_reserve(blob, count * sizeof(struct table_registers),
			     _Alignof(struct table_registers));
	record = blob_at(blob, set_record);
	if (!record)
		return false;
	record->register_count = register_count;
	record->register_list_count = count;
	LINK(blob, set_record, struct gpuoa_set, register_lists, lists);

	for (list = set->registers; list;
	     list = list->next, lists += sizeof(struct table_registers)) {
		struct table_registers *registers = blob_at(blob, lists);

		if (emit_uses_query_mode(&list->condition))
			return COMPILE_FAIL(compiler, list->condition.root->location,
					    "registers are written for queries and streams alike");
		registers->kind = list->kind;
		registers->count = list->count;
		if (list->count)
			LINK(blob, lists, struct table_registers, registers,
			     blob_pool(blob, list->registers,
				       list->count * sizeof(struct gpuoa_reg),
				       _Alignof(struct gpuoa_reg)));
		LINK(blob, lists, struct table_registers, condition_text,
		     blob_string(blob, list->condition.text));
		if (!compile_equation(compiler, &list->condition, ROLE_CONDITION,
				      lists + offsetof(struct table_registers, condition)) ||
		    blob->failed)
			return false;
	}
	return true;
}

/* The sets of a platform; a set's number is its index. */
struct set_list {
	const struct set_definition **sets;
	/* for each set: number of the next set with the same symbol, plus one; 0: none */
	uint32_t *next;
	uint32_t count;
	struct name_map symbols; /* maps a symbol to the number of the first set that has it */
	struct name_map uuids; /* UUID: struct set_definition */
	struct name_map domains; /* unit: number of the domain */
	uint32_t domain_count;
};

/*
 * True if two sets can have the same symbol: their units differ, or both are available on some GPUs
 * only.
 */
static bool may_share_symbol(const struct set_definition *one, const struct set_definition *two)
{
	return strcmp(one->unit, two->unit) || (one->availability.root && two->availability.root);
}

/* Append a set to the list of sets with the same symbol. */
static bool name_symbol(struct compiler *compiler, struct set_list *list, uint32_t number)
{
	const struct set_definition *set = list->sets[number];
	uint32_t other = name_map_find_number(&list->symbols, set->symbol, list->count);

	if (other == list->count) {
		if (name_map_add_number(&list->symbols, set->symbol, number))
			return true;
		compiler->blob->failed = true;
		return false;
	}
	for (uint32_t i = 0;; i++) {
		if (!may_share_symbol(list->sets[other], set))
			return COMPILE_FAIL(
				compiler, set->location, "set %s is there already, in %s",
				set->symbol,
				lexer_place(list->sets[other]->location, set->location).text);
		if (i == SAME_SYMBOL_MAX)
			return COMPILE_FAIL(compiler, set->location,
					    "more than %d sets are called %s", SAME_SYMBOL_MAX,
					    set->symbol);
		if (!list->next[other])
			break;
		other = list->next[other] - 1;
	}
	list->next[other] = number + 1;
	return true;
}

/*
 * Link the sets with equal symbols. Sets of unit OA come first, because gpuoa_platform_find_set()
 * prefers them.
 */
static bool name_symbols(struct compiler *compiler, struct set_list *list)
{
	for (uint32_t pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < list->count; i++) {
			bool other = strcmp(list->sets[i]->unit, "OA");

			if (other == pass && !name_symbol(compiler, list, i))
				return false;
		}
	}
	return true;
}

static bool name_uuids(struct compiler *compiler, struct set_list *list)
{
	for (uint32_t i = 0; i < list->count; i++) {
		const struct set_definition *set = list->sets[i];
		const struct set_definition *other = name_map_find(&list->uuids, set->uuid);

		if (other && set->shares_uuid)
			continue;
		if (other)
			return COMPILE_FAIL(compiler, set->location,
					    "set %s has the same uuid as set %s", set->symbol,
					    other->symbol);
		if (!name_map_add(&list->uuids, set->uuid, set)) {
			compiler->blob->failed = true;
			return false;
		}
	}
	return true;
}

static bool put_set_availability(struct compiler *compiler, const struct set_definition *set,
				 size_t record)
{
	if (emit_uses_query_mode(&set->availability))
		return COMPILE_FAIL(compiler, set->availability.root->location,
				    "a set is there for queries and streams alike");
	return compile_equation(compiler, &set->availability, ROLE_CONDITION,
				record + offsetof(struct gpuoa_set, availability));
}

/* Write the record of a set. Its strings have been stored before, by compile_pool_strings(). */
static bool describe_set(struct compiler *compiler, const struct set_definition *set, size_t record)
{
	struct blob *blob = compiler->blob;
	struct gpuoa_set *fixed = blob_at(blob, record);

	if (!fixed)
		return false;
	fixed->apis = set->apis;
	fixed->format = set->format;
	fixed->info_count = compiler->info_count;
	LINK(blob, record, struct gpuoa_set, platform, compiler->platform);
	LINK(blob, record, struct gpuoa_set, symbol, blob_string(blob, set->symbol));
	LINK(blob, record, struct gpuoa_set, name, blob_string(blob, set->name));
	LINK(blob, record, struct gpuoa_set, uuid, blob_string(blob, set->uuid));
	LINK(blob, record, struct gpuoa_set, unit, blob_string(blob, set->unit));
	LINK(blob, record, struct gpuoa_set, availability_text,
	     blob_string(blob, set->availability.text));
	LINK(blob, record, struct gpuoa_set, remark, blob_string(blob, set->remark));
	LINK(blob, record, struct gpuoa_set, infos, compiler->infos);
	return true;
}

/* Number the domains in the order in which sets first use them. */
static bool number_domain(struct compiler *compiler, struct set_list *list,
			  const struct set_definition *set, size_t record)
{
	struct gpuoa_set *fixed = blob_at(compiler->blob, record);
	uint32_t domain = name_map_find_number(&list->domains, set->unit, list->domain_count);

	if (!fixed)
		return false;
	fixed->domain = domain;
	if (domain < list->domain_count)
		return true;
	if (name_map_add_number(&list->domains, set->unit, domain)) {
		list->domain_count++;
		return true;
	}
	compiler->blob->failed = true;
	return false;
}

static bool put_set(struct compiler *compiler, const struct set_definition *set, size_t record)
{
	compiler->emitter.set = set;
	compiler->emitter.format = format_get(set->format);
	return compile_set_metrics(compiler, set, record) &&
	       put_set_availability(compiler, set, record) && put_registers(compiler, set, record);
}

/* Write the indices of sets by symbol (with the first set of each symbol) and by UUID. */
static bool put_set_indices(struct compiler *compiler, const struct set_list *list)
{
	const char **names = calloc(list->count + 1, sizeof(*names));

	if (!names) {
		compiler->blob->failed = true;
		return false;
	}
	for (uint32_t i = 0; i < list->count; i++)
		names[i] = list->sets[i]->symbol;
	for (uint32_t i = 0; i < list->count; i++)
		if (list->next[i])
			names[list->next[i] - 1] = NULL;
	PLATFORM_RECORD(compiler, set_symbols, compile_index(compiler->blob, names, list->count));
	for (uint32_t i = 0; i < list->count; i++)
		names[i] = name_map_find(&list->uuids, list->sets[i]->uuid) == list->sets[i] ?
				   list->sets[i]->uuid :
				   NULL;
	PLATFORM_RECORD(compiler, set_uuids, compile_index(compiler->blob, names, list->count));
	free(names);
	return true;
}

static bool put_set_list(struct compiler *compiler, struct set_list *list)
{
	const size_t size = sizeof(struct gpuoa_set);
	struct blob *blob = compiler->blob;
	struct gpuoa_platform *platform;
	size_t sets;

	if (!name_symbols(compiler, list) || !name_uuids(compiler, list))
		return false;
	sets = blob_reserve(blob, list->count * size, _Alignof(struct gpuoa_set));
	platform = blob_at(blob, compiler->platform);
	if (!platform)
		return false;
	platform->set_count = list->count;
	platform->inherited = compiler->definition->inherited;
	PLATFORM_RECORD(compiler, sets, list->count ? sets : 0);
	for (uint32_t i = 0; i < list->count; i++) {
		if (list->next[i])
			LINK(blob, sets + i * size, struct gpuoa_set, same_symbol,
			     sets + (list->next[i] - 1) * size);
		if (!describe_set(compiler, list->sets[i], sets + i * size) ||
		    !number_domain(compiler, list, list->sets[i], sets + i * size))
			return false;
	}
	for (uint32_t i = 0; i < list->count; i++)
		if (!put_set(compiler, list->sets[i], sets + i * size))
			return false;
	return put_set_indices(compiler, list);
}

void compile_pool_strings(struct blob *blob, const struct definition *definition)
{
	const struct set_definition *set;

	blob_string(blob, definition->name);
	blob_string(blob, definition->title);
	for (set = definition->sets; set; set = set->next) {
		blob_string(blob, set->symbol);
		blob_string(blob, set->name);
		blob_string(blob, set->uuid);
		blob_string(blob, set->unit);
		blob_string(blob, set->availability.text);
		blob_string(blob, set->remark);
	}
}

bool compile_sets(struct compiler *compiler)
{
	const struct set_definition *set;
	struct set_list list = { 0 };
	bool good = false;
	uint32_t count = 0;

	for (set = compiler->definition->sets; set; set = set->next) {
		if (++count > TABLE_INDEX_MAX)
			return COMPILE_FAIL(compiler, set->location,
					    "a platform has %d sets at most", TABLE_INDEX_MAX);
		if (set->like_builtin && !set->like)
			return COMPILE_FAIL(compiler, set->like_location,
					    "there is no template '%s' before this line",
					    set->like_builtin);
	}
	list.sets = calloc(count + 1, sizeof(*list.sets));
	list.next = calloc(count + 1, sizeof(*list.next));
	for (set = compiler->definition->sets; list.sets && set; set = set->next)
		list.sets[list.count++] = set;
	if (list.sets && list.next)
		good = put_set_list(compiler, &list);
	else
		compiler->blob->failed = true;
	name_map_free(&list.symbols);
	name_map_free(&list.uuids);
	name_map_free(&list.domains);
	free(list.sets);
	free(list.next);
	return good;
}
