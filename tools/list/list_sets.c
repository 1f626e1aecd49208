// SPDX-License-Identifier: MIT
/*
 * list_sets.c - the list of metric sets, and whether a GPU has them
 */
#include "list/list.h"
#include "common/lookup.h"
#include "common/flag_names.h"

static void print_set(struct output *output, const struct gpuoa_set *set,
		      const struct gpuoa_constants *constants)
{
	struct gpuoa_set_desc desc;
	char apis[64], sampling[32], why[256];
	const int available = gpuoa_set_available(set, NULL, constants, why, sizeof(why));

	gpuoa_set_describe(set, &desc, sizeof(desc));
	const struct field fields[] = {
		FIELD_OF_TEXT("set", "SET", desc.symbol),
		FIELD_OF_TEXT("name", "NAME", desc.name),
		FIELD_OF_TEXT("platform", NULL, gpuoa_platform_name(desc.platform)),
		{ FIELD_TEXT_MEMBERS("format", "FORMAT", desc.format_name), .optional = 3 },
		FIELD_OF_NUMBER("metric_count", "METRICS", desc.metric_count),
		FIELD_OF_NUMBER("info_count", NULL, desc.info_count),
		FIELD_OF_WORDS("apis", NULL, flag_names_of_apis(desc.apis, apis, sizeof(apis))),
		{ FIELD_TEXT_MEMBERS("uuid", "UUID", desc.uuid), .optional = 1 },
		{ FIELD_TEXT_MEMBERS("domain", "DOMAIN", desc.domain), .optional = 2 },
		FIELD_OF_TEXT("category", NULL, gpuoa_category_name(desc.category)),
		FIELD_OF_WORDS("sampling", NULL,
			       flag_names_of_sampling(desc.sampling, sampling, sizeof(sampling))),
		FIELD_OF_NUMBER("report_size", NULL, desc.report_size),
		FIELD_OF_NUMBER("register_count", NULL, desc.register_count),
		FIELD_OF_TEXT("availability", NULL, desc.availability),
		{ .name = "available",
		  .kind = available < 0 ? FIELD_NONE : FIELD_BOOL,
		  .truth = available > 0 },
		FIELD_OF_TEXT("why", "NOT AVAILABLE", why),
	};
	output_record(output, fields, FIELD_COUNT(fields));
}

int list_sets(const struct tool *tool, const struct gpuoa_platform *platform, const char *domain,
	      const struct gpuoa_constants *constants)
{
	const struct gpuoa_set *set;
	struct output output;

	output_begin(&output, tool->format);
	for (size_t i = 0; (set = gpuoa_platform_get_set(platform, i)); i++)
		if (set_is_of_domain(set, domain))
			print_set(&output, set, constants);
	output_end(&output);
	return EXIT_OK;
}
