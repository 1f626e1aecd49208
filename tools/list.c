// SPDX-License-Identifier: MIT
/*
 * list.c - gpuoa list: list devices, GPUs, platforms, sets, metrics, registers and constants
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/flag_names.h"
#include "common/lookup.h"
#include "common/scaling.h"
#include "common/tool.h"
#include "gpuoa-device.h"

static void print_device(const struct tool *tool, struct output *output,
			 const struct gpuoa_unit *unit)
{
	const struct gpuoa_platform *platform;
	struct gpuoa_unit_desc desc;
	char formats[256], engines[160];

	gpuoa_unit_describe(unit, &desc, sizeof(desc));
	platform = definitions_find(tool, desc.platform);
	const struct field fields[] = {
		FIELD_OF_TEXT("unit", "DEVICE", desc.name),
		FIELD_OF_TEXT("domain", "UNIT", desc.domain),
		FIELD_OF_TEXT("platform", "PLATFORM", desc.platform),
		FIELD_OF_TEXT("title", "TITLE", platform ? gpuoa_platform_title(platform) : ""),
		FIELD_OF_TEXT("parent", "PARENT", desc.parent),
		FIELD_OF_NUMBER("eu_count", "EUS", desc.eu_count),
		FIELD_OF_NUMBER("threads_per_eu", NULL, desc.threads_per_eu),
		FIELD_OF_NUMBER("slice_count", NULL, desc.slice_count),
		FIELD_OF_NUMBER("subslice_count", NULL, desc.subslice_count),
		FIELD_OF_NUMBER("slice_mask", NULL, desc.slice_mask),
		FIELD_OF_NUMBER("subslice_mask", NULL, desc.subslice_mask),
		FIELD_OF_NUMBER("gt_min_frequency", NULL, desc.gt_min_frequency),
		FIELD_OF_NUMBER("gt_max_frequency", "MAX HZ", desc.gt_max_frequency),
		FIELD_OF_NUMBER("timestamp_frequency", "TIMESTAMP HZ", desc.timestamp_frequency),
		FIELD_OF_NUMBER("timestamp_bits", NULL, desc.timestamp_bits),
		FIELD_OF_NUMBER("exponent_max", NULL, desc.exponent_max),
		FIELD_OF_NUMBER("min_period_ns", "MIN PERIOD NS",
				gpuoa_exponent_to_period(desc.timestamp_frequency, 0)),
		FIELD_OF_NUMBER("buffer_size_min", NULL, desc.buffer_size_min),
		FIELD_OF_NUMBER("buffer_size_max", NULL, desc.buffer_size_max),
		FIELD_OF_WORDS("formats", NULL,
			       flag_names_of_formats(desc.formats, formats, sizeof(formats))),
		FIELD_OF_TEXT("default_format", NULL,
			      gpuoa_format_name(desc.default_format) ?
				      gpuoa_format_name(desc.default_format) :
				      ""),
		FIELD_OF_NUMBER("device_id", NULL, desc.device_id),
		FIELD_OF_NUMBER("revision", NULL, desc.revision),
		FIELD_OF_NUMBER("pmu_type", NULL, desc.pmu_type),
		FIELD_OF_WORDS("engines", NULL,
			       flag_names_of_engines(&desc, engines, sizeof(engines))),
		FIELD_OF_NUMBER("tile", NULL, desc.tile),
		FIELD_OF_NUMBER("gt", NULL, desc.gt),
		FIELD_OF_NUMBER("cs_timestamp_frequency", NULL, desc.cs_timestamp_frequency),
		FIELD_OF_NUMBER("cs_timestamp_bits", NULL, desc.cs_timestamp_bits),
	};
	output_record(output, fields, FIELD_COUNT(fields));
}

static int print_one_device(const struct tool *tool, struct output *output)
{
	struct gpuoa_unit *unit = lookup_unit(tool->device);

	if (!unit)
		return EXIT_FAILED;
	print_device(tool, output, unit);
	gpuoa_unit_close(unit);
	return EXIT_OK;
}

/* Print all devices. */
static int print_devices(const struct tool *tool, struct output *output)
{
	const int count = gpuoa_unit_list(NULL, 0);
	struct tool one = *tool;
	int ret = EXIT_OK;
	char(*names)[16];

	/* If there is no device, this call prints the reason. */
	if (count <= 0)
		return print_one_device(tool, output);
	names = calloc(count, sizeof(*names));
	if (!names)
		return fail("out of memory");
	/*
	 * A device that was added since the first call is ignored. One that was removed is an
	 * error.
	 */
	gpuoa_unit_list(names, count);
	for (int i = 0; i < count && !ret; i++) {
		one.device = names[i];
		ret = print_one_device(&one, output);
	}
	free(names);
	return ret;
}

/* List all OA units. If tool->device is set, list only that unit. */
static int list_devices(const struct tool *tool)
{
	struct output output;
	int ret;

	output_begin(&output, tool->format);
	ret = tool->device ? print_one_device(tool, &output) : print_devices(tool, &output);
	output_end(&output);
	return ret;
}

static int list_platforms(const struct tool *tool)
{
	const struct gpuoa_platform *platform;
	struct output output;

	output_begin(&output, tool->format);
	for (size_t i = 0; (platform = definitions_platform(tool, i)); i++) {
		const struct field fields[] = {
			FIELD_OF_TEXT("name", "PLATFORM", gpuoa_platform_name(platform)),
			FIELD_OF_TEXT("title", "TITLE", gpuoa_platform_title(platform)),
			FIELD_OF_NUMBER("set_count", "SETS", gpuoa_platform_set_count(platform)),
		};

		output_record(&output, fields, FIELD_COUNT(fields));
	}
	output_end(&output);
	return EXIT_OK;
}

static const char *const types[] = {
	[GPUOA_DEVICE_TYPE_UNKNOWN] = "",
	[GPUOA_DEVICE_INTEGRATED] = "integrated",
	[GPUOA_DEVICE_DISCRETE] = "discrete",
};

static void print_gpu(struct output *output, const struct gpuoa_device_desc *gpu)
{
	char units[GPUOA_DEVICE_UNITS * sizeof(gpu->units[0])] = "";

	for (uint32_t i = 0; i < gpu->unit_count; i++)
		flag_names_append(units, sizeof(units), gpu->units[i]);
	const struct field fields[] = {
		FIELD_OF_TEXT("name", "GPU", gpu->name),
		FIELD_OF_TEXT("driver", "DRIVER", gpu->driver),
		FIELD_OF_TEXT("platform", "PLATFORM", gpu->platform),
		FIELD_OF_TEXT("title", "TITLE", gpu->title),
		FIELD_OF_TEXT("type", NULL, types[gpu->type]),
		FIELD_OF_TEXT("card", NULL, gpu->card),
		FIELD_OF_TEXT("render", "NODE", gpu->render),
		FIELD_OF_NUMBER("vendor_id", NULL, gpu->vendor_id),
		FIELD_OF_NUMBER("device_id", NULL, gpu->device_id),
		FIELD_OF_NUMBER("subvendor_id", NULL, gpu->subvendor_id),
		FIELD_OF_NUMBER("subdevice_id", NULL, gpu->subdevice_id),
		FIELD_OF_NUMBER("revision", NULL, gpu->revision),
		FIELD_OF_NUMBER("tile_count", NULL, gpu->tile_count),
		FIELD_OF_WORDS("oa_units", "DEVICES", units),
		FIELD_OF_TEXT("reason", "NOT AVAILABLE", gpu->reason),
	};
	output_record(output, fields, FIELD_COUNT(fields));
}

/* List GPUs. An unsupported GPU is listed with the reason. */
static int list_gpus(const struct tool *tool)
{
	int count = gpuoa_device_list(NULL, sizeof(struct gpuoa_device_desc), 0);
	struct gpuoa_device_desc *gpus = calloc(count > 0 ? count : 1, sizeof(*gpus));
	struct output output;
	int now;

	if (!gpus || count < 0)
		goto err_memory;
	/* A GPU that was added since the first call is ignored. */
	now = gpuoa_device_list(gpus, sizeof(*gpus), count);
	if (now < 0)
		goto err_memory;
	output_begin(&output, tool->format);
	for (int i = 0; i < count && i < now; i++)
		if (!tool->device || !strcmp(tool->device, gpus[i].name))
			print_gpu(&output, &gpus[i]);
	output_end(&output);
	free(gpus);
	return EXIT_OK;

err_memory:
	free(gpus);
	return fail("out of memory");
}

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
		FIELD_OF_TEXT("remark", "REMARK", desc.remark),
	};
	output_record(output, fields, FIELD_COUNT(fields));
}

/*
 * List the sets of a unit, and whether a GPU with @constants has each of them. @domain: domain of
 * the unit; "": sets of all domains
 */
static int list_sets(const struct tool *tool, const struct gpuoa_platform *platform,
		     const char *domain, const struct gpuoa_constants *constants)
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

/* Whether a GPU has a metric, and the reason if it does not or if that is unknown */
struct availability {
	struct field known; /* true or false; no value: unknown */
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

static int list_metrics_of_set(const struct tool *tool, const struct gpuoa_set *set,
			       const struct gpuoa_constants *constants)
{
	struct output output;

	output_begin(&output, tool->format);
	print_metrics(&output, set, constants);
	output_end(&output);
	return EXIT_OK;
}

static int list_metrics(const struct tool *tool, const struct gpuoa_platform *platform,
			const char *domain, const struct gpuoa_constants *constants)
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

/* Size of a register's address or value as text, which has the form used in metric definitions */
#define HEX_SIZE 11

static void print_register(struct output *output, enum gpuoa_register_kind kind,
			   const struct gpuoa_reg *reg)
{
	char address[HEX_SIZE], value[HEX_SIZE];

	snprintf(address, sizeof(address), "0x%05" PRIx32, reg->address);
	snprintf(value, sizeof(value), "0x%08" PRIx32, reg->value);
	const struct field fields[] = {
		FIELD_OF_TEXT("kind", "KIND", gpuoa_register_kind_name(kind)),
		FIELD_OF_TEXT("address", "ADDRESS", address),
		FIELD_OF_TEXT("value", "VALUE", value),
	};
	output_record(output, fields, FIELD_COUNT(fields));
}

/* Print the registers of one kind. Returns the number of registers, or a negative errno. */
static int print_kind(struct output *output, const struct gpuoa_set *set,
		      enum gpuoa_register_kind kind, const struct gpuoa_constants *constants)
{
	const int count = gpuoa_set_registers(set, kind, constants, NULL, 0);
	struct gpuoa_reg *regs = count > 0 ? calloc((size_t)count, sizeof(*regs)) : NULL;

	if (regs)
		gpuoa_set_registers(set, kind, constants, regs, (size_t)count);
	for (int i = 0; regs && i < count; i++)
		print_register(output, kind, &regs[i]);
	free(regs);
	return count > 0 && !regs ? -1 : count;
}

/* List the registers that are written to the GPU when a set is programmed. */
static int list_registers(const struct tool *tool, const struct gpuoa_set *set,
			  const struct gpuoa_constants *constants)
{
	static const enum gpuoa_register_kind kinds[] = {
		GPUOA_REGISTER_MUX,
		GPUOA_REGISTER_BOOLEAN,
		GPUOA_REGISTER_FLEX,
	};
	struct output output;
	int count = 0;

	output_begin(&output, tool->format);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]) && count >= 0; i++)
		count = print_kind(&output, set, kinds[i], constants);
	output_end(&output);
	return count >= 0 ? EXIT_OK :
			    fail("the set's registers depend on a constant that "
				 "this GPU does not report");
}

static void print_constant(struct output *output, const struct gpuoa_constant_desc *desc)
{
	const struct field fields[] = {
		FIELD_OF_TEXT("name", "CONSTANT", desc->name),
		{ .name = "value",
		  .heading = "VALUE",
		  .kind = desc->provenance == GPUOA_PROVENANCE_NONE ? FIELD_NONE : FIELD_NUMBER,
		  .number = desc->value },
		FIELD_OF_TEXT("origin", "ORIGIN", gpuoa_provenance_name(desc->provenance)),
		FIELD_OF_TEXT("kind", NULL, gpuoa_constant_kind_name(desc->kind)),
		FIELD_OF_TEXT("description", "DESCRIPTION", desc->description),
	};

	output_record(output, fields, FIELD_COUNT(fields));
}

static int list_constants(const struct tool *tool, const struct gpuoa_constants *constants)
{
	struct gpuoa_constant_desc desc;
	struct output output;

	output_begin(&output, tool->format);
	for (size_t i = 0; !gpuoa_constants_describe(constants, i, &desc, sizeof(desc)); i++)
		print_constant(&output, &desc);
	output_end(&output);
	return EXIT_OK;
}

static const char help[] =
	"Usage: gpuoa list [devices | gpus | platforms | sets | metrics | registers | constants] [-P PLATFORM] [-s SET]\n"
	"\n"
	"Lists OA units (the default), GPUs and why they cannot be measured, sets and metrics, or registers and constants.\n"
	"\n"
	"  -P, --platform NAME    sets, metrics, registers or constants of this platform instead of this machine's GPU; no\n"
	"                         device is needed. Registers and constants are those of its most common GPU\n"
	"  -s, --set SET          metrics or registers of this set only\n"
	"\n"
	"Sets and metrics are those of the OA unit named by -d (default: the first one). Media units have other sets.\n";

struct list_options {
	const char *what;
	const char *platform;
	const char *set;
};

/* Reject options that the selected list does not use, so that no option is silently ignored. */
static int check_options(const struct list_options *options, const struct tool *tool)
{
	const bool metrics = !strcmp(options->what, "metrics");
	const bool registers = !strcmp(options->what, "registers");
	const bool of_platform = metrics || registers || !strcmp(options->what, "sets") ||
				 !strcmp(options->what, "constants");

	if (!of_platform && strcmp(options->what, "devices") && strcmp(options->what, "gpus") &&
	    strcmp(options->what, "platforms"))
		return usage(
			tool,
			"unknown list '%s'; give devices, gpus, platforms, sets, metrics, registers or constants",
			options->what);
	if (options->set && !metrics && !registers)
		return usage(tool,
			     "-s SET is only for 'gpuoa list metrics' and 'gpuoa list registers'");
	if (registers && !options->set)
		return usage(tool, "missing metric set; give -s SET");
	if (options->platform && !of_platform)
		return usage(
			tool,
			"-P PLATFORM is only for 'gpuoa list sets', 'metrics', 'registers' and 'constants'");
	return EXIT_OK;
}

static int take_option(void *argument, const struct tool *tool, int option)
{
	struct list_options *options = argument;

	(void)tool;
	*(option == 'P' ? &options->platform : &options->set) = optarg;
	return EXIT_OK;
}

static int parse_options(struct list_options *options, struct tool *tool, int argc, char **argv,
			 int *exit_code)
{
	static const struct option longs[] = {
		{ "platform", required_argument, NULL, 'P' },
		{ "set", required_argument, NULL, 's' },
		{ 0 },
	};

	if (tool_options(tool, argc, argv, "P:s:", longs, take_option, options, exit_code) ==
	    TOOL_EXIT)
		return TOOL_EXIT;
	if (optind + 1 < argc) {
		*exit_code = usage(tool, "more than one list; give one");
		return TOOL_EXIT;
	}
	options->what = optind < argc ? argv[optind] : "devices";
	*exit_code = check_options(options, tool);
	return *exit_code ? TOOL_EXIT : EXIT_OK;
}

/* Print a list of a platform, or of a unit. @domain: domain of the unit; "": no unit */
static int list_of_platform(const struct tool *tool, const struct list_options *options,
			    const struct gpuoa_platform *platform, const char *domain,
			    const struct gpuoa_constants *constants)
{
	const struct gpuoa_set *set;

	if (!strcmp(options->what, "sets"))
		return list_sets(tool, platform, domain, constants);
	if (!strcmp(options->what, "constants"))
		return list_constants(tool, constants);
	if (!options->set)
		return list_metrics(tool, platform, domain, constants);
	set = lookup_set(platform, domain, options->set, constants);
	if (!set)
		return EXIT_FAILED;
	if (!strcmp(options->what, "registers"))
		return list_registers(tool, set, constants);
	return list_metrics_of_set(tool, set, constants);
}

static int list_without_device(const struct tool *tool, const struct list_options *options)
{
	const struct gpuoa_platform *platform = lookup_platform(tool, options->platform);
	struct gpuoa_constants *constants;
	int ret;

	if (!platform)
		return EXIT_FAILED;
	if (gpuoa_constants_new(platform, &constants))
		return fail("out of memory");
	/*
	 * Usual constants are assumed for lists of constants and registers only. Which sets and
	 * metrics there are depends on the GPU, which is unknown here.
	 */
	if (!strcmp(options->what, "constants") || !strcmp(options->what, "registers"))
		gpuoa_constants_assume(constants);
	ret = list_of_platform(tool, options, platform, "", constants);
	gpuoa_constants_free(constants);
	return ret;
}

static int list_of_unit(const struct tool *tool, const struct list_options *options,
			const struct gpuoa_unit *unit)
{
	const struct gpuoa_platform *platform = lookup_unit_platform(tool, unit);
	struct gpuoa_constants *constants;
	struct gpuoa_unit_desc desc;
	int ret;

	if (!platform)
		return EXIT_FAILED;
	gpuoa_unit_describe(unit, &desc, sizeof(desc));
	constants = lookup_constants(platform, &desc);
	if (!constants)
		return EXIT_FAILED;
	ret = list_of_platform(tool, options, platform, desc.domain, constants);
	gpuoa_constants_free(constants);
	return ret;
}

static int list_with_device(const struct tool *tool, const struct list_options *options)
{
	struct gpuoa_unit *unit = lookup_unit(tool->device);
	int ret;

	if (!unit)
		return EXIT_FAILED;
	ret = list_of_unit(tool, options, unit);
	gpuoa_unit_close(unit);
	return ret;
}

int cmd_list(struct tool *tool, int argc, char **argv)
{
	struct list_options options = { 0 };
	int ret;

	tool->help = help;
	if (parse_options(&options, tool, argc, argv, &ret) == TOOL_EXIT)
		return ret;
	if (!strcmp(options.what, "devices"))
		return list_devices(tool);
	if (!strcmp(options.what, "gpus"))
		return list_gpus(tool);
	if (!strcmp(options.what, "platforms"))
		return list_platforms(tool);
	return options.platform ? list_without_device(tool, &options) :
				  list_with_device(tool, &options);
}
