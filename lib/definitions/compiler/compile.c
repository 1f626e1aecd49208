// SPDX-License-Identifier: MIT
/* compile.c - compiles definitions to tables: platforms, their constants and information items */
#include "definitions/compiler/compile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "definitions/compiler/compiler.h"

static bool put_info(struct compiler *compiler, const struct metric_definition *definition,
		     size_t record)
{
	const struct attributes *a = &definition->attributes;
	struct blob *blob = compiler->blob;
	struct gpuoa_info *info = blob_at(blob, record);

	if (!info)
		return false;
	if (a->type != GPUOA_TYPE_UINT64)
		return COMPILE_FAIL(compiler, definition->location, "information items are uint64");
	info->semantic = a->semantic;
	LINK(blob, record, struct gpuoa_info, symbol, blob_string(blob, definition->symbol));
	LINK(blob, record, struct gpuoa_info, name, blob_string(blob, a->name));
	LINK(blob, record, struct gpuoa_info, description, blob_string(blob, a->description));
	LINK(blob, record, struct gpuoa_info, units, blob_string(blob, a->units));
	LINK(blob, record, struct gpuoa_info, equation_text, blob_string(blob, a->equation.text));
	return compile_equation(compiler, &a->equation, ROLE_INFO,
				record + offsetof(struct gpuoa_info, equation));
}

static bool put_infos(struct compiler *compiler)
{
	struct blob *blob = compiler->blob;
	const struct metric_definition *info, *other;
	size_t record;

	for (info = compiler->definition->infos; info; info = info->next, compiler->info_count++) {
		if (compiler->info_count == INFOS_MAX)
			return COMPILE_FAIL(compiler, info->location,
					    "a platform has %d information items at most",
					    INFOS_MAX);
		for (other = compiler->definition->infos; other != info; other = other->next)
			if (!strcmp(other->symbol, info->symbol))
				return COMPILE_FAIL(
					compiler, info->location, "%s is there already, in %s",
					info->symbol,
					lexer_place(other->location, info->location).text);
	}
	if (!compiler->info_count)
		return true;
	record = compiler->infos = blob_reserve(blob,
						compiler->info_count * sizeof(struct gpuoa_info),
						_Alignof(struct gpuoa_info));
	for (info = compiler->definition->infos; info;
	     info = info->next, record += sizeof(struct gpuoa_info))
		if (!put_info(compiler, info, record))
			return false;
	return true;
}

static bool no_memory(struct compiler *compiler)
{
	compiler->blob->failed = true;
	return false;
}

static bool name_metrics(struct compiler *compiler)
{
	const struct metric_definition *metric;

	for (metric = compiler->definition->metrics; metric; metric = metric->next) {
		const struct metric_definition *first =
			name_map_find(&compiler->metrics, metric->symbol);
		const struct constant_slot *constant =
			name_map_find(&compiler->constants.slots, metric->symbol);

		if (first)
			return COMPILE_FAIL(compiler, metric->location,
					    "%s is there already, in %s", metric->symbol,
					    lexer_place(first->location, metric->location).text);
		if (constant)
			return COMPILE_FAIL(
				compiler, metric->location, "%s is the name of a constant, in %s",
				metric->symbol,
				lexer_place(constant->definition->location, metric->location).text);
		if (!name_map_add(&compiler->metrics, metric->symbol, metric))
			return no_memory(compiler);
	}
	return true;
}

static bool name_bundles(struct compiler *compiler)
{
	const struct bundle_definition *bundle;

	for (bundle = compiler->definition->bundles; bundle; bundle = bundle->next) {
		if (name_map_find(&compiler->bundles, bundle->name))
			return COMPILE_FAIL(compiler, bundle->location,
					    "there is a bundle %s already", bundle->name);
		if (!name_map_add(&compiler->bundles, bundle->name, bundle))
			return no_memory(compiler);
	}
	return true;
}

static bool put_platform(struct compiler *compiler)
{
	const struct definition *definition = compiler->definition;

	PLATFORM_RECORD(compiler, name, blob_string(compiler->blob, definition->name));
	PLATFORM_RECORD(compiler, title, blob_string(compiler->blob, definition->title));
	compiler->emitter.definition = definition;
	compiler->emitter.constants = &compiler->constants;
	compiler->emitter.diagnostic = compiler->diagnostic;
	return compile_begin_constants(compiler) && name_metrics(compiler) &&
	       name_bundles(compiler) && put_infos(compiler) && compile_sets(compiler) &&
	       compile_constants(compiler);
}

static void compiler_free(struct compiler *compiler)
{
	name_map_free(&compiler->metrics);
	name_map_free(&compiler->bundles);
	name_map_free(&compiler->set_metrics);
	name_map_free(&compiler->constants.slots);
	free(compiler->constants.all);
	free(compiler->constants.used);
}

static bool check_platforms(const struct definition *const *definitions, size_t count,
			    struct diagnostic *diagnostic)
{
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < i; j++) {
			if (!strcmp(definitions[i]->name, definitions[j]->name)) {
				diagnostic_set(diagnostic, definitions[i]->file,
					       definitions[i]->location,
					       "platform %s is in %s already", definitions[i]->name,
					       definitions[j]->file);
				return false;
			}
		}
	}
	return true;
}

int compile_definitions(const struct definition *const *definitions, size_t count,
			struct blob *blob, struct diagnostic *diagnostic)
{
	size_t root = blob_reserve(blob, sizeof(struct table_root), 8);
	size_t platforms = blob_reserve(blob, count * sizeof(struct gpuoa_platform),
					_Alignof(struct gpuoa_platform));
	bool good = check_platforms(definitions, count, diagnostic);
	struct metric_pool metric_pool = { 0 };
	struct table_root *head;

	LINK(blob, root, struct table_root, platforms, count ? platforms : 0);
	for (size_t i = 0; i < count; i++)
		compile_pool_strings(blob, definitions[i]);
	for (size_t i = 0; good && i < count; i++) {
		struct compiler compiler = {
			.definition = definitions[i],
			.blob = blob,
			.metric_pool = &metric_pool,
			.diagnostic = diagnostic,
			.platform = platforms + i * sizeof(struct gpuoa_platform),
		};

		good = put_platform(&compiler);
		compiler_free(&compiler);
	}
	blob_free(&metric_pool.keys);
	free(metric_pool.records);
	blob_reserve(blob, 0, 8);
	head = blob_at(blob, root);
	if (!head)
		return -ENOMEM;
	if (!good)
		return -EINVAL;
	*head = (struct table_root){
		.size = blob->size,
		.platform_count = count,
		.platforms = head->platforms,
	};
	return 0;
}
