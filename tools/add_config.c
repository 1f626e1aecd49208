// SPDX-License-Identifier: MIT
/*
 * add_config.c - gpuoa add-config: add metric sets to the kernel, for programs that use
 * perf_event_open() alone
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/lookup.h"

static const char help[] =
	"Usage: gpuoa add-config -s SET\n"
	"\n"
	"Adds the configuration of a set to gpuoa.ko, unless it has it, and prints the event that records it:\n"
	"\n"
	"  perf record -a -R -e $(gpuoa add-config -s RenderBasic) -F 10000 -- ./app\n"
	"\n"
	"  -s, --set SET          see 'gpuoa list sets'\n";

/*
 * As a table, print only the event, so that a shell script can use it. JSON and CSV also contain
 * the set and its id.
 */
static void print_event(const struct tool *tool, const char *unit, const char *set, uint32_t id)
{
	struct output output;
	char event[48];

	snprintf(event, sizeof(event), "%s/metric_set=%" PRIu32 "/", unit, id);
	if (tool->format == OUTPUT_TABLE) {
		puts(event);
		return;
	}

	const struct field fields[] = {
		FIELD_OF_TEXT("set", NULL, set),
		FIELD_OF_NUMBER("metric_set", NULL, id),
		FIELD_OF_TEXT("event", NULL, event),
	};
	output_begin(&output, tool->format);
	output_record(&output, fields, FIELD_COUNT(fields));
	output_end(&output);
}

static int add_config(const struct tool *tool, struct gpuoa_unit *unit, const char *symbol)
{
	const struct gpuoa_platform *platform = lookup_unit_platform(tool, unit);
	struct gpuoa_constants *constants;
	struct gpuoa_unit_desc desc;
	const struct gpuoa_set *set;
	char error[512];
	uint32_t id;

	if (!platform)
		return EXIT_FAILED;
	gpuoa_unit_describe(unit, &desc, sizeof(desc));
	if (strcmp(desc.driver, "gpuoa"))
		return fail(
			"%s: cannot make an event for perf: %s has no PMU of OA reports; load gpuoa.ko, or use "
			"'gpuoa record'",
			desc.name, desc.driver);
	constants = lookup_constants(platform, &desc);
	if (!constants)
		return EXIT_FAILED;
	set = lookup_set(platform, desc.domain, symbol, constants);
	gpuoa_constants_free(constants);
	if (!set)
		return EXIT_FAILED;
	if (gpuoa_unit_add_set(unit, set, &id, error, sizeof(error)))
		return fail("%s", error);
	print_event(tool, desc.name, symbol, id);
	return EXIT_OK;
}

/* -s is the only option. */
static int take_set(void *options, const struct tool *tool, int option)
{
	const char **symbol = options;

	(void)tool, (void)option;
	*symbol = optarg;
	return EXIT_OK;
}

int cmd_add_config(struct tool *tool, int argc, char **argv)
{
	static const struct option longs[] = {
		{ "set", required_argument, NULL, 's' },
		{ 0 },
	};
	const char *symbol = NULL;
	struct gpuoa_unit *unit;
	int exit_code;

	tool->help = help;
	if (tool_options(tool, argc, argv, "s:", longs, take_set, &symbol, &exit_code) == TOOL_EXIT)
		return exit_code;
	if (optind < argc)
		return usage(tool, "%s: unexpected", argv[optind]);
	if (!symbol)
		return usage(tool, "missing metric set; give -s SET");

	unit = lookup_unit(tool->device);
	if (!unit)
		return EXIT_FAILED;
	exit_code = add_config(tool, unit, symbol);
	gpuoa_unit_close(unit);
	return exit_code;
}
