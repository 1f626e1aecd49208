// SPDX-License-Identifier: MIT
/*
 * mark.c - gpuoa mark: add a mark to all running recordings
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "gpuoa-time.h"
#include "common/lookup.h"

static const char help[] =
	"Usage: gpuoa mark [NUMBER]\n"
	"\n"
	"Adds a mark to all streams and recordings of a unit, including those of other programs:\n"
	"\n"
	"  gpuoa record -s RenderBasic -- sh -c 'load; gpuoa mark 1; draw; gpuoa mark 2; save'\n"
	"  gpuoa report --marks gpuoa.data\n"
	"\n"
	"NUMBER identifies the mark (default 0, hexadecimal with 0x).\n";

static void print_marker(const struct tool *tool, const struct gpuoa_stream_marker *marker)
{
	const struct field fields[] = {
		FIELD_OF_NUMBER("value", NULL, marker->value),
		FIELD_OF_NUMBER("ticks", NULL, marker->gpu_ticks),
		FIELD_OF_NUMBER("monotonic_ns", NULL, marker->cpu_ns),
		FIELD_OF_NUMBER("error_ns", NULL, marker->error_ns),
	};
	struct output output;

	if (tool->format == OUTPUT_TABLE)
		return;
	output_begin(&output, tool->format);
	output_record(&output, fields, FIELD_COUNT(fields));
	output_end(&output);
}

static int mark(const struct tool *tool, struct gpuoa_unit *unit, uint64_t value)
{
	struct gpuoa_stream_marker marker;
	struct gpuoa_unit_desc desc;
	const int err = gpuoa_unit_insert_marker(unit, value, &marker, sizeof(marker));

	gpuoa_unit_describe(unit, &desc, sizeof(desc));
	switch (err) {
	case 0:
		print_marker(tool, &marker);
		return EXIT_OK;
	case -ENODATA:
		return fail(
			"%s: cannot mark: no program samples the unit; start 'gpuoa record' first",
			desc.name);
	case -EACCES:
		return fail(
			"cannot mark: permission denied; run as root or with CAP_PERFMON, or set dev.gpuoa.paranoid to 0");
	case -ENOTTY:
		if (strcmp(desc.driver, "gpuoa"))
			return fail("%s: cannot mark: its driver %s has no marks; load gpuoa.ko",
				    desc.name, desc.driver);
		return fail("%s: cannot mark: gpuoa.ko is too old; install a newer one", desc.name);
	case -EOPNOTSUPP:
		return fail(
			"%s: cannot mark: the unit is used by a flight recorder; record without --overwrite",
			desc.name);
	default:
		return fail("cannot mark: %s", strerror(-err));
	}
}

int cmd_mark(struct tool *tool, int argc, char **argv)
{
	struct gpuoa_unit *unit;
	uint64_t value = 0;
	int exit_code;

	tool->help = help;
	if (tool_options(tool, argc, argv, "", NULL, NULL, NULL, &exit_code) == TOOL_EXIT)
		return exit_code;
	if (optind < argc && !parse_number(argv[optind], &value))
		return usage(tool, "'%s' is not a number", argv[optind]);
	if (optind + 1 < argc)
		return usage(tool, "%s: unexpected", argv[optind + 1]);
	unit = lookup_unit(tool->device);
	if (!unit)
		return EXIT_FAILED;
	exit_code = mark(tool, unit, value);
	gpuoa_unit_close(unit);
	return exit_code;
}
