// SPDX-License-Identifier: MIT
/*
 * doctor.c - gpuoa doctor: explain why this process cannot measure, and how to change that
 */
#include <stdio.h>

#include "common/lookup.h"
#include "gpuoa-device.h"
#include "common/tool.h"

static const char help[] =
	"Usage: gpuoa doctor\n"
	"\n"
	"Checks the requirements of sampling, and prints remedies: a GPU and its driver (i915, xe or\n"
	"gpuoa.ko), device nodes, rights, sysctls. The exit status is 1 if something is 'denied', else 0.\n";

static const char *const verdicts[] = {
	[GPUOA_ACCESS_GRANTED] = "ok",
	[GPUOA_ACCESS_LIMITED] = "limited",
	[GPUOA_ACCESS_DENIED] = "denied",
};

static void print_text(const struct gpuoa_access *access)
{
	printf("%-8s %s\n", verdicts[access->verdict], access->found);
	if (*access->remedy)
		printf("         -> %s\n", access->remedy);
}

static void print_record(struct output *output, const struct gpuoa_access *access)
{
	const struct field fields[] = {
		FIELD_OF_TEXT("topic", NULL, gpuoa_access_topic_name(access->topic)),
		FIELD_OF_TEXT("verdict", NULL, verdicts[access->verdict]),
		FIELD_OF_TEXT("found", NULL, access->found),
		FIELD_OF_TEXT("remedy", NULL, access->remedy),
	};

	output_record(output, fields, FIELD_COUNT(fields));
}

static int print_all(const struct tool *tool, const struct gpuoa_access *access, int count)
{
	struct output output;
	int exit_code = EXIT_OK;

	output_begin(&output, tool->format);
	for (int i = 0; i < count; i++) {
		if (access[i].verdict == GPUOA_ACCESS_DENIED)
			exit_code = EXIT_FAILED;
		if (tool->format != OUTPUT_TABLE)
			print_record(&output, &access[i]);
		else if (!tool->quiet || access[i].verdict != GPUOA_ACCESS_GRANTED)
			print_text(&access[i]);
	}
	output_end(&output);
	return exit_code;
}

int cmd_doctor(struct tool *tool, int argc, char **argv)
{
	struct gpuoa_access access[ACCESS_CHECKS_MAX];
	int exit_code, count;

	tool->help = help;
	if (tool_options(tool, argc, argv, "", NULL, NULL, NULL, &exit_code) == TOOL_EXIT)
		return exit_code;
	if (optind < argc)
		return usage(tool, "%s: unexpected", argv[optind]);
	count = gpuoa_check_access(tool->device, access, sizeof(access[0]), ACCESS_CHECKS_MAX);
	if (count < 0)
		return fail("%s: no such OA unit; see 'gpuoa list devices'", tool->device);
	return print_all(tool, access, count < ACCESS_CHECKS_MAX ? count : ACCESS_CHECKS_MAX);
}
