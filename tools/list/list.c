// SPDX-License-Identifier: MIT
/*
 * list.c - the lists of devices and platforms
 */
#include <stdlib.h>

#include "common/tool.h"
#include "list/list.h"
#include "common/lookup.h"
#include "common/flag_names.h"

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

	/* This prints the reason why there is no device. */
	if (count <= 0)
		return print_one_device(tool, output);
	names = calloc(count, sizeof(*names));
	if (!names)
		return fail("out of memory");
	/* Ignore a device added since the first call; a removed device is an error. */
	gpuoa_unit_list(names, count);
	for (int i = 0; i < count && !ret; i++) {
		one.device = names[i];
		ret = print_one_device(&one, output);
	}
	free(names);
	return ret;
}

int list_devices(const struct tool *tool)
{
	struct output output;
	int ret;

	output_begin(&output, tool->format);
	ret = tool->device ? print_one_device(tool, &output) : print_devices(tool, &output);
	output_end(&output);
	return ret;
}

int list_platforms(const struct tool *tool)
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
