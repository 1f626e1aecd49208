// SPDX-License-Identifier: MIT
/*
 * check.c - gpuoa stalls check: whether EU stalls can be sampled, and why not
 *
 * gpuoa doctor reads the table: the verdict, padded to 8 characters, a space and the reason; then a
 * line with the remedy after "-> ", if there is one.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gpuoa-stalls.h"
#include "stalls/stalls.h"

static const char help[] =
	"Usage: gpuoa stalls check\n"
	"\n"
	"Checks whether EU stalls can be sampled: 'ok'; 'limited', with a remedy; or 'absent', if the GPU,\n"
	"its driver or the kernel has no EU stall sampling. The exit status is 0 if it is 'ok', else 1.\n";

static void print(const struct tool *tool, const char *verdict, const char *found,
		  const char *remedy)
{
	const struct field fields[] = {
		FIELD_OF_TEXT("verdict", NULL, verdict),
		FIELD_OF_TEXT("found", NULL, found),
		FIELD_OF_TEXT("remedy", NULL, remedy),
	};
	struct output output;

	if (tool->format == OUTPUT_TABLE) {
		printf("%-8s %s\n", verdict, found);
		if (*remedy)
			printf("         -> %s\n", remedy);
		return;
	}
	output_begin(&output, tool->format);
	output_record(&output, fields, FIELD_COUNT(fields));
	output_end(&output);
}

int stalls_check(struct tool *tool, int argc, char **argv)
{
	struct gpuoa_stall_options options = { .size = sizeof(options), .disabled = true };
	struct gpuoa_stall_stream *stream;
	struct gpuoa_stall_desc desc;
	char text[768], *remedy;
	int ret, err;

	tool->help = help;
	if (tool_options(tool, argc, argv, "", NULL, NULL, NULL, &ret) == TOOL_EXIT)
		return ret;
	if (optind < argc)
		return usage(tool, "%s: unexpected", argv[optind]);
	err = gpuoa_stall_open(tool->device, &options, &stream, text, sizeof(text));
	if (!err) {
		gpuoa_stall_describe(stream, &desc, sizeof(desc));
		gpuoa_stall_close(stream);
		snprintf(text, sizeof(text), "%s (%s): EU stalls can be sampled", desc.device,
			 desc.title);
		print(tool, "ok", text, "");
		return EXIT_OK;
	}
	/* Messages of the library have the reason before the remedy. */
	remedy = strstr(text, "; ");
	if (remedy) {
		*remedy = '\0';
		remedy += 2;
	}
	print(tool, err == -EOPNOTSUPP || err == -ENODEV ? "absent" : "limited", text,
	      remedy ? remedy : "");
	return EXIT_FAILED;
}
