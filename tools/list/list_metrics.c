// SPDX-License-Identifier: MIT
/*
 * list_metrics.c - the list of metrics, and whether a GPU has them
 */
#include <errno.h>
#include <stdio.h>

#include "common/scaling.h"
#include "list/list.h"
#include "common/lookup.h"
#include "common/flag_names.h"

/* Whether the GPU has a metric; if not, or if it is unknown, the reason */
struct availability {
	struct field known; /* true, false, or none for unknown */
	char why[256];
};

static struct availability find_availability(const struct gpuoa_metric *metric,
					     const struct gpuoa_constants *constants)
{
	struct availability availability = { .known = { .name = "available", .kind = FIELD_BOOL } };
	const int ret = gpuoa_metric_available(metric, constants, availability.why,
					       sizeof(availability.why));

	availability.known.truth = ret > 0;
	if (ret < 0)
		availability.known.kind = FIELD_NONE;
	return availability;
}

static struct field watermark(const char *name, const struct gpuoa_metric_desc *desc, double value)
{
	if (!desc->has_watermarks)
		return (struct field){ .name = name };
	return (struct field){ .name = name, .kind = FIELD_DOUBLE, .exact = value };
}

static void print_metric(struct output *output, const struct gpuoa_metric *metric,
			 const struct gpuoa_constants *constants)
{
	struct gpuoa_metric_desc desc;
	struct availability availability;
	struct gpuoa_set_desc set_desc;
	struct gpuoa_measure_desc units;
	char usage[128], apis[64], postfix[8192];

	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	gpuoa_set_describe(desc.set, &set_desc, sizeof(set_desc));
	gpuoa_measure_describe(desc.units, &units, sizeof(units));
	gpuoa_equation_text(gpuoa_metric_equation(metric, GPUOA_EQUATION_VALUE), postfix,
			    sizeof(postfix));
	availability = find_availability(metric, constants);
	const struct field fields[] = {
		{ FIELD_TEXT_MEMBERS("set", "SET", set_desc.symbol), .optional = 2 },
		FIELD_OF_TEXT("symbol", "METRIC", desc.symbol),
		FIELD_OF_TEXT("units", "UNIT", scaling_units(desc.units)),
		{ FIELD_TEXT_MEMBERS("group", "GROUP", desc.group), .optional = 1 },
		FIELD_OF_TEXT("name", NULL, desc.name),
		availability.known,
		FIELD_OF_TEXT("why", "NOT AVAILABLE", availability.why),
		FIELD_OF_TEXT("description", "DESCRIPTION", desc.description),
		FIELD_OF_TEXT("type", NULL, gpuoa_type_name(desc.type)),
		FIELD_OF_TEXT("semantic", NULL, gpuoa_semantic_name(desc.semantic)),
		FIELD_OF_TEXT("hw_unit", NULL, desc.hw_unit),
		FIELD_OF_TEXT("equation", NULL, desc.equation),
		FIELD_OF_TEXT("limit_equation", NULL, desc.max),
		FIELD_OF_TEXT("availability", NULL, desc.availability),
		FIELD_OF_NUMBER("tier", NULL, desc.tier),
		FIELD_OF_WORDS("usage", NULL,
			       flag_names_of_usage(desc.usage, usage, sizeof(usage))),
		FIELD_OF_WORDS("apis", NULL, flag_names_of_apis(desc.apis, apis, sizeof(apis))),
		{ .name = "query_only", .kind = FIELD_BOOL, .truth = desc.query_only },
		watermark("low", &desc, desc.low),
		watermark("high", &desc, desc.high),
		FIELD_OF_TEXT("domain", NULL, set_desc.domain),
		FIELD_OF_NUMBER("index", NULL, desc.index),
		FIELD_OF_TEXT("quantity", NULL, gpuoa_quantity_name(units.quantity)),
		FIELD_OF_TEXT("si_unit", NULL, units.symbol),
		{ .name = "si_scale", .kind = FIELD_DOUBLE, .exact = units.scale },
		FIELD_OF_TEXT("postfix", NULL, postfix),
	};
	output_record(output, fields, FIELD_COUNT(fields));
}

static void print_metrics(struct output *output, const struct gpuoa_set *set,
			  const struct gpuoa_constants *constants)
{
	const struct gpuoa_metric *metric;

	for (size_t i = 0; (metric = gpuoa_set_get_metric(set, i)); i++)
		print_metric(output, metric, constants);
}

int list_metrics_of_set(const struct tool *tool, const struct gpuoa_set *set,
			const struct gpuoa_constants *constants)
{
	struct output output;

	output_begin(&output, tool->format);
	print_metrics(&output, set, constants);
	output_end(&output);
	return EXIT_OK;
}

int list_metrics(const struct tool *tool, const struct gpuoa_platform *platform, const char *domain,
		 const struct gpuoa_constants *constants)
{
	const struct gpuoa_set *set;
	struct output output;

	output_begin(&output, tool->format);
	for (size_t i = 0; (set = gpuoa_platform_get_set(platform, i)); i++)
		if (set_is_of_domain(set, domain))
			print_metrics(&output, set, constants);
	output_end(&output);
	return EXIT_OK;
}
