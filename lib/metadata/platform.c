// SPDX-License-Identifier: MIT
/* platform.c - platforms and their sets. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/sized.h"
#include "gpu/platforms.h"
#include "gpuoa.h"
#include "metadata/evaluate.h"
#include "report/format.h"
#include "table/table.h"

static bool begins_with(const char *string, const char *beginning)
{
	return !strncmp(string, beginning, strlen(beginning));
}

static enum gpuoa_category set_category(const struct gpuoa_set *set)
{
	static const struct {
		char beginning[16];
		enum gpuoa_category category;
	} names[] = {
		{ "Render", GPUOA_CATEGORY_RENDER },
		{ "Rasterizer", GPUOA_CATEGORY_RENDER },
		{ "Depth", GPUOA_CATEGORY_RENDER },
		{ "Compute", GPUOA_CATEGORY_COMPUTE },
		{ "AsyncCompute", GPUOA_CATEGORY_COMPUTE },
		{ "Media", GPUOA_CATEGORY_MEDIA },
		{ "VME", GPUOA_CATEGORY_MEDIA },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (begins_with(table_string(&set->symbol), names[i].beginning))
			return names[i].category;
	/* Units OAM<n> and OAMG count events of media engines; OAMERT counts memory traffic. */
	if (begins_with(table_string(&set->unit), "OAM") &&
	    strcmp(table_string(&set->unit), "OAMERT") != 0)
		return GPUOA_CATEGORY_MEDIA;
	return GPUOA_CATEGORY_GENERIC;
}

static bool has_reasons(const struct gpuoa_set *set)
{
	for (uint32_t i = 0; i < set->info_count; i++)
		if (!strcmp(table_string(&set_infos(set)[i].symbol), "ReportReason"))
			return true;
	return false;
}

/*
 * True if batches can request reports of a set. This applies to all sets of unit OA (render and
 * compute), even if their definition does not list the API BB, which only some platforms use. On
 * Ponte Vecchio, the necessary commands are not known.
 */
static bool batches_report(const struct gpuoa_set *set)
{
	const struct gpu_platform *platform =
		gpu_platform_find(table_string(&set_platform(set)->name));

	return platform && platform->batches && !strcmp(table_string(&set->unit), "OA");
}

/* Return the mask of events that can trigger reports of a set, enum gpuoa_sampling. */
static uint32_t set_sampling(const struct gpuoa_set *set)
{
	uint32_t sampling = 0;

	if (!set->apis || (set->apis & GPUOA_API_IO))
		sampling |= GPUOA_SAMPLING_TIMER | GPUOA_SAMPLING_TRACER;
	if (batches_report(set))
		sampling |= GPUOA_SAMPLING_QUERY;
	/* Reports of Haswell have no reason, because the timer triggers all of them. */
	if (has_reasons(set))
		sampling |= GPUOA_SAMPLING_TRIGGER;
	return sampling;
}

void gpuoa_set_describe(const struct gpuoa_set *set, struct gpuoa_set_desc *desc, size_t size)
{
	const struct report_format *format = format_get(set->format);
	const uint32_t sampling = set_sampling(set);
	const struct gpuoa_set_desc known = {
		.symbol = table_string(&set->symbol),
		.name = table_string(&set->name),
		.uuid = table_string(&set->uuid),
		.platform = set_platform(set),
		.apis = set->apis,
		.format = set->format,
		.metric_count = set->metric_count,
		.info_count = set->info_count,
		.domain = table_string(&set->unit),
		.availability = table_string(&set->availability_text),
		.remark = table_string(&set->remark),
		.category = set_category(set),
		.sampling = sampling,
		.format_name = format->name,
		.report_size = format->size,
		.register_count = set->register_count,
		.domain_index = set->domain,
		.index = set_index(set),
		.counter_count = format_counter_count(format),
		.query_report_size = sampling & GPUOA_SAMPLING_QUERY ? format->size : 0,
	};

	sized_give(desc, size, &known, sizeof(known));
}

/*
 * Returns whether a list of registers is written on this GPU: 1, 0, or -ENOENT if its condition
 * needs a constant without value.
 */
static int registers_apply(const struct table_registers *list,
			   const struct gpuoa_constants *constants)
{
	const uint32_t *condition = table_follow(&list->condition);

	return condition ? evaluate_condition(condition, constants) : 1;
}

int gpuoa_set_registers(const struct gpuoa_set *set, enum gpuoa_register_kind kind,
			const struct gpuoa_constants *constants, struct gpuoa_reg *regs, size_t max)
{
	const struct table_registers *lists = table_follow(&set->register_lists);
	size_t count = 0;

	if (!constants_fit(constants, set_platform(set)))
		return -EINVAL;
	for (uint32_t i = 0; i < set->register_list_count; i++) {
		int apply =
			lists[i].kind == (uint32_t)kind ? registers_apply(&lists[i], constants) : 0;

		if (apply < 0)
			return -ENODATA;
		count += apply ? lists[i].count : 0;
	}
	if (count > max)
		return (int)count;
	for (uint32_t i = 0; i < set->register_list_count; i++) {
		if (!lists[i].count || lists[i].kind != (uint32_t)kind ||
		    !registers_apply(&lists[i], constants))
			continue;
		memcpy(regs, table_follow(&lists[i].registers), lists[i].count * sizeof(*regs));
		regs += lists[i].count;
	}
	return (int)count;
}

static const char *metric_symbol(const void *set, size_t number)
{
	return table_string(&metric_definition(&set_metrics(set)[number])->symbol);
}

const struct gpuoa_metric *gpuoa_set_get_metric(const struct gpuoa_set *set, size_t index)
{
	return index < set->metric_count ? &set_metrics(set)[index] : NULL;
}

/* Search linearly, because few metrics have an alias. */
static const struct gpuoa_metric *find_alias(const struct gpuoa_set *set, const char *alias)
{
	const struct gpuoa_metric *metrics = set_metrics(set);

	for (uint32_t i = 0; *alias && i < set->metric_count; i++)
		if (!strcmp(table_string(&metric_definition(&metrics[i])->alias), alias))
			return &metrics[i];
	return NULL;
}

const struct gpuoa_metric *gpuoa_set_find_metric(const struct gpuoa_set *set, const char *symbol)
{
	long number =
		table_index_find(table_follow(&set->metric_symbols), symbol, metric_symbol, set);

	return number < 0 ? find_alias(set, symbol) : &set_metrics(set)[number];
}

static const struct gpuoa_platform *platforms(void)
{
	return table_follow(&table_builtin()->platforms);
}

size_t gpuoa_platform_count(void)
{
	return table_builtin()->platform_count;
}

const struct gpuoa_platform *gpuoa_platform_get(size_t index)
{
	return index < gpuoa_platform_count() ? &platforms()[index] : NULL;
}

const struct gpuoa_platform *gpuoa_platform_find(const char *name)
{
	for (size_t i = 0; i < gpuoa_platform_count(); i++)
		if (!strcmp(gpuoa_platform_name(&platforms()[i]), name))
			return &platforms()[i];
	return NULL;
}

const char *gpuoa_platform_name(const struct gpuoa_platform *platform)
{
	return table_string(&platform->name);
}

const char *gpuoa_platform_title(const struct gpuoa_platform *platform)
{
	return table_string(&platform->title);
}

static const char *set_symbol(const void *platform, size_t number)
{
	return table_string(&platform_sets(platform)[number].symbol);
}

static const char *set_uuid(const void *platform, size_t number)
{
	return table_string(&platform_sets(platform)[number].uuid);
}

size_t gpuoa_platform_set_count(const struct gpuoa_platform *platform)
{
	return platform->set_count;
}

const struct gpuoa_set *gpuoa_platform_get_set(const struct gpuoa_platform *platform, size_t index)
{
	return index < platform->set_count ? &platform_sets(platform)[index] : NULL;
}

/*
 * Returns whether a set is for @unit, a name of @length characters. If @length is 0, every set
 * is.
 */
static bool set_is_of(const struct gpuoa_set *set, const char *unit, size_t length)
{
	const char *own = table_string(&set->unit);

	return !length || (strlen(own) == length && !memcmp(own, unit, length));
}

/*
 * Find the first set with symbol @name and unit @unit (see set_is_of()) that is available on a GPU.
 * If @constants is NULL, any GPU is meant.
 */
static const struct gpuoa_set *find_named(const struct gpuoa_platform *platform, const char *unit,
					  size_t length, const char *name,
					  const struct gpuoa_constants *constants)
{
	long number =
		table_index_find(table_follow(&platform->set_symbols), name, set_symbol, platform);
	const struct gpuoa_set *set = number < 0 ? NULL : &platform_sets(platform)[number];

	while (set && (!set_is_of(set, unit, length) ||
		       (constants && gpuoa_set_available(set, NULL, constants, NULL, 0) < 1)))
		set = table_follow(&set->same_symbol);
	return set;
}

/* Find a set like find_named(), but the unit may be a prefix of @symbol: "OAM0/MediaSet1". */
static const struct gpuoa_set *find_symbol(const struct gpuoa_platform *platform,
					   const char *symbol,
					   const struct gpuoa_constants *constants)
{
	const char *slash = strchr(symbol, '/');

	if (!slash)
		return find_named(platform, "", 0, symbol, constants);
	if (slash == symbol)
		return NULL;
	return find_named(platform, symbol, slash - symbol, slash + 1, constants);
}

const struct gpuoa_set *gpuoa_platform_find_set(const struct gpuoa_platform *platform,
						const char *symbol, const char *domain,
						const struct gpuoa_constants *constants)
{
	const size_t length = domain ? strlen(domain) : 0;

	if (!length)
		return find_symbol(platform, symbol, constants);
	if (strchr(symbol, '/')) {
		if (strncmp(symbol, domain, length) || symbol[length] != '/')
			return NULL;
		symbol += length + 1;
	}
	return find_named(platform, domain, length, symbol, constants);
}

const struct gpuoa_set *gpuoa_platform_find_uuid(const struct gpuoa_platform *platform,
						 const char *uuid)
{
	long number =
		table_index_find(table_follow(&platform->set_uuids), uuid, set_uuid, platform);

	return number < 0 ? NULL : &platform_sets(platform)[number];
}
