// SPDX-License-Identifier: MIT
/*
 * write.c - prints tables in the language of metric definitions, so that they can be loaded again
 */
#include "definitions/load/write.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "definitions/language/parse.h"
#include "gpuoa.h"
#include "report/format.h"
#include "table/table.h"
#include "table/words.h"

#define REGISTERS_OF_LINE 6

/* Output buffer; text that does not fit is only counted. */
struct writer {
	char *to;
	size_t size;
	size_t length;
};

__attribute__((format(printf, 2, 3))) static void put(struct writer *writer, const char *format,
						      ...)
{
	const bool fits = writer->length < writer->size;
	va_list args;

	va_start(args, format);
	writer->length += (size_t)vsnprintf(fits ? writer->to + writer->length : NULL,
					    fits ? writer->size - writer->length : 0, format, args);
	va_end(args);
}

/* Print a clause, unless its text is empty. */
static void put_clause(struct writer *writer, const char *before, const struct table_link *text,
		       const char *after)
{
	if (*table_string(text))
		put(writer, "%s%s%s", before, table_string(text), after);
}

/* Print the words of a mask. */
static void put_words(struct writer *writer, enum word_kind kind, uint32_t mask)
{
	for (uint32_t bit = 1; bit; bit <<= 1) {
		const char *word = mask & bit ? word_of(kind, bit) : NULL;

		if (word)
			put(writer, " %s", word);
	}
}

/* Print names of APIs in capitals, because in lower case they could be clauses. */
static void put_apis(struct writer *writer, uint32_t apis)
{
	put(writer, "on");
	for (uint32_t bit = 1; bit; bit <<= 1) {
		const char *word = apis & bit ? word_of(WORD_API, bit) : NULL;

		if (word)
			put(writer, " ");
		for (; word && *word; word++)
			put(writer, "%c", *word >= 'a' && *word <= 'z' ? *word - 'a' + 'A' : *word);
	}
	put(writer, "%s\n", apis ? "" : " all");
}

static void put_value(struct writer *writer, uint32_t type, const struct table_link *units,
		      uint32_t semantic)
{
	put(writer, "%s \"%s\" %s\n", word_of(WORD_TYPE, type), table_string(units),
	    word_of(WORD_SEMANTIC, semantic));
}

static void put_metric(struct writer *writer, const struct table_metric *metric)
{
	char low[DECIMAL_SIZE], high[DECIMAL_SIZE];

	put(writer, "\t\tmetric %s \"%s\"\n", table_string(&metric->symbol),
	    table_string(&metric->name));
	put_clause(writer, "\t\t\t\"", &metric->description, "\"\n");
	put_clause(writer, "\t\t\tin \"", &metric->group, "\"\n");
	put(writer, "\t\t\t= %s\n\t\t\t", table_string(&metric->equation));
	put_value(writer, metric->type, &metric->units, metric->semantic);
	put_clause(writer, "\t\t\tmax ", &metric->max, "\n");
	put_clause(writer, "\t\t\tif ", &metric->availability, "\n");
	put(writer, "\t\t\tof \"%s\"\n", table_string(&metric->hw_unit)); /* default: "gpu" */
	put_clause(writer, "\t\t\talias \"", &metric->alias, "\"\n");
	if (metric->usage) {
		put(writer, "\t\t\tuse");
		put_words(writer, WORD_USAGE, metric->usage);
		put(writer, "\n");
	}
	if (metric->apis) {
		put(writer, "\t\t\t");
		put_apis(writer, metric->apis);
	}
	if (metric->has_watermarks) {
		decimal_print_number(low, metric->low);
		decimal_print_number(high, metric->high);
		put(writer, "\t\t\twatermarks %s %s\n", low, high);
	}
}

static void put_registers(struct writer *writer, const struct table_registers *list)
{
	const struct gpuoa_reg *registers = table_follow(&list->registers);

	put(writer, "\t%s", word_of(WORD_REGISTERS, list->kind));
	put_clause(writer, " if ", &list->condition_text, "");
	put(writer, " {");
	for (uint32_t i = 0; i < list->count; i++)
		put(writer, "%s%05" PRIx32 "=%08" PRIx32, i % REGISTERS_OF_LINE ? "  " : "\n\t\t",
		    registers[i].address, registers[i].value);
	put(writer, "\n\t}\n");
}

/*
 * Returns whether an earlier set has the same UUID. The UUID belongs to the first set that has it.
 */
static bool shares_uuid(const struct gpuoa_platform *platform, const struct gpuoa_set *set)
{
	return gpuoa_platform_find_uuid(platform, table_string(&set->uuid)) != set;
}

static void put_set(struct writer *writer, const struct gpuoa_set *set, bool shared)
{
	const struct table_registers *lists = table_follow(&set->register_lists);

	put(writer, "\nset %s \"%s\" {\n", table_string(&set->symbol), table_string(&set->name));
	put(writer, "\tuuid \"%s\"%s\n", table_string(&set->uuid), shared ? " shared" : "");
	put(writer, "\tformat %s\n\tunit %s\n\t", format_get(set->format)->name,
	    table_string(&set->unit));
	put_apis(writer, set->apis);
	put_clause(writer, "\tif ", &set->availability_text, "\n");
	if (*table_string(&set->remark))
		put(writer, "\tremark \"%s\"\n", table_string(&set->remark));
	put(writer, "\tmetrics {\n");
	for (uint32_t i = 0; i < set->metric_count; i++)
		put_metric(writer, metric_definition(&set_metrics(set)[i]));
	put(writer, "\t}\n");
	for (uint32_t i = 0; i < set->register_list_count; i++)
		put_registers(writer, &lists[i]);
	put(writer, "}\n");
}

/* Objects that the built-in platform of the same name also has are not printed. */

static bool same_constant(const struct gpuoa_platform *base, const struct table_constant *constant)
{
	const struct table_constant *constants = base ? table_follow(&base->constants) : NULL;

	for (uint32_t i = 0; base && i < base->constant_count; i++)
		if (!strcmp(table_string(&constants[i].name), table_string(&constant->name)))
			return !strcmp(table_string(&constants[i].description),
				       table_string(&constant->description));
	return false;
}

static void put_constants(struct writer *writer, const struct gpuoa_platform *platform,
			  const struct gpuoa_platform *base)
{
	const struct table_constant *constants = table_follow(&platform->constants);

	for (uint32_t i = 0; i < platform->constant_count; i++)
		if (!same_constant(base, &constants[i]))
			put(writer, "constant %s \"%s\"\n", table_string(&constants[i].name),
			    table_string(&constants[i].description));
}

static bool same_info(const struct gpuoa_set *base, const struct gpuoa_info *info)
{
	const struct gpuoa_info *other =
		base ? gpuoa_set_find_info(base, table_string(&info->symbol)) : NULL;

	return other && other->semantic == info->semantic &&
	       !strcmp(table_string(&other->name), table_string(&info->name)) &&
	       !strcmp(table_string(&other->description), table_string(&info->description)) &&
	       !strcmp(table_string(&other->units), table_string(&info->units)) &&
	       !strcmp(table_string(&other->equation_text), table_string(&info->equation_text));
}

/* Print the information items of the first set; all sets have the same items. */
static void put_infos(struct writer *writer, const struct gpuoa_platform *platform,
		      const struct gpuoa_platform *base)
{
	const struct gpuoa_set *set = gpuoa_platform_get_set(platform, 0);

	for (uint32_t i = 0; set && i < set->info_count; i++) {
		const struct gpuoa_info *info = &set_infos(set)[i];

		if (same_info(base ? gpuoa_platform_get_set(base, 0) : NULL, info))
			continue;
		put(writer, "info %s \"%s\"\n", table_string(&info->symbol),
		    table_string(&info->name));
		put_clause(writer, "\t\"", &info->description, "\"\n");
		put(writer, "\t= %s\n\t", table_string(&info->equation_text));
		put_value(writer, GPUOA_TYPE_UINT64, &info->units, info->semantic);
	}
}

static void put_head(struct writer *writer, const struct gpuoa_platform *platform)
{
	put(writer, "language %d\nplatform %s \"%s\"\n\n", LANGUAGE_VERSION,
	    gpuoa_platform_name(platform), gpuoa_platform_title(platform));
}

size_t gpuoa_platform_text(const struct gpuoa_platform *platform, char *text, size_t size)
{
	const struct gpuoa_platform *base = gpuoa_platform_find(gpuoa_platform_name(platform));
	struct writer writer = { .to = text, .size = size };

	if (base == platform)
		base = NULL;
	put_head(&writer, platform);
	put_constants(&writer, platform, base);
	put_infos(&writer, platform, base);
	for (uint32_t i = platform->inherited; i < platform->set_count; i++)
		put_set(&writer, &platform_sets(platform)[i],
			shares_uuid(platform, &platform_sets(platform)[i]));
	return writer.length;
}

size_t write_set_text(const struct gpuoa_set *set, char *text, size_t size)
{
	struct writer writer = { .to = text, .size = size };

	put_head(&writer, set_platform(set));
	put_constants(&writer, set_platform(set), NULL);
	put_infos(&writer, set_platform(set), NULL);
	put_set(&writer, set, false);
	return writer.length;
}
