// SPDX-License-Identifier: MIT
/*
 * compile_constants.c - constants of a platform: numbered when equations use them, then stored as
 * records
 */
#include <stdlib.h>

#include "definitions/compiler/compiler.h"

static bool add_slot(struct compiler *compiler, const struct constant_definition *definition,
		     struct constant_slot *slot)
{
	struct constant_numbers *constants = &compiler->constants;
	const struct constant_slot *first = name_map_find(&constants->slots, definition->name);

	if (first)
		return COMPILE_FAIL(
			compiler, definition->location, "%s is there already, in %s",
			definition->name,
			lexer_place(first->definition->location, definition->location).text);
	slot->definition = definition;
	if (!name_map_add(&constants->slots, definition->name, slot)) {
		compiler->blob->failed = true;
		return false;
	}
	/*
	 * Include the constants of the platform's main file always, and those of other files only
	 * if an equation uses them.
	 */
	if (definition->location.file && definition->location.file->included.line)
		return true;
	constants->used[constants->count++] = definition;
	slot->number = constants->count;
	return true;
}

bool compile_begin_constants(struct compiler *compiler)
{
	struct constant_numbers *constants = &compiler->constants;
	const struct constant_definition *definition;
	size_t count = 1;

	for (definition = compiler->definition->constants; definition;
	     definition = definition->next)
		count++;
	constants->all = calloc(count, sizeof(*constants->all));
	constants->used = calloc(count, sizeof(*constants->used));
	if (!constants->all || !constants->used) {
		compiler->blob->failed = true;
		return false;
	}
	definition = compiler->definition->constants;
	for (size_t i = 0; definition; definition = definition->next, i++)
		if (!add_slot(compiler, definition, &constants->all[i]))
			return false;
	return true;
}

static bool put_constant_names(struct compiler *compiler)
{
	const struct constant_numbers *constants = &compiler->constants;
	const char **names = calloc(constants->count + 1, sizeof(*names));

	if (!names) {
		compiler->blob->failed = true;
		return false;
	}
	for (uint32_t i = 0; i < constants->count; i++)
		names[i] = constants->used[i]->name;
	PLATFORM_RECORD(compiler, constant_names,
			compile_index(compiler->blob, names, constants->count));
	free(names);
	return true;
}

bool compile_constants(struct compiler *compiler)
{
	const struct constant_numbers *constants = &compiler->constants;
	struct blob *blob = compiler->blob;
	size_t record = blob_reserve(blob, constants->count * sizeof(struct table_constant),
				     _Alignof(struct table_constant));
	struct gpuoa_platform *platform = blob_at(blob, compiler->platform);

	if (!platform)
		return false;
	if (constants->count > TABLE_INDEX_MAX)
		return COMPILE_FAIL(compiler, constants->used[TABLE_INDEX_MAX]->location,
				    "the equations of a platform use %d constants at most",
				    TABLE_INDEX_MAX);
	platform->constant_count = constants->count;
	PLATFORM_RECORD(compiler, constants, constants->count ? record : 0);
	for (uint32_t i = 0; i < constants->count; i++) {
		LINK(blob, record, struct table_constant, name,
		     blob_string(blob, constants->used[i]->name));
		LINK(blob, record, struct table_constant, description,
		     blob_string(blob, constants->used[i]->description));
		record += sizeof(struct table_constant);
	}
	return put_constant_names(compiler);
}
