// SPDX-License-Identifier: MIT
/*
 * cmd_list.c - gpuoa list: list devices, GPUs, platforms, sets, metrics and constants
 */
#include <stdio.h>
#include <string.h>

#include "list/list.h"
#include "common/lookup.h"

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

/* Reject options that the list does not use, so that none is silently ignored. */
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

static int parse_options(struct list_options *options, struct tool *tool, int argc, char **argv,
			 int *exit_code)
{
	static const struct option longs[] = {
		{ "platform", required_argument, NULL, 'P' },
		{ "set", required_argument, NULL, 's' },
		{ 0 },
	};
	int option;

	while ((option = tool_getopt(tool, argc, argv, "P:s:", longs, exit_code)) != -1) {
		switch (option) {
		case TOOL_EXIT:
			return TOOL_EXIT;
		case 'P':
			options->platform = optarg;
			break;
		case 's':
			options->set = optarg;
			break;
		}
	}
	if (optind + 1 < argc) {
		*exit_code = usage(tool, "more than one list; give one");
		return TOOL_EXIT;
	}
	options->what = optind < argc ? argv[optind] : "devices";
	*exit_code = check_options(options, tool);
	return *exit_code ? TOOL_EXIT : EXIT_OK;
}

/* Print the list of a platform, or of a unit of @domain ("": no unit). */
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
	 * Sets and metrics depend on the GPU, which is unknown here: assume no constants for them.
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
