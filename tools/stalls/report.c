// SPDX-License-Identifier: MIT
/* report.c - gpuoa stalls report: samples by kernel, function, line, address, process or reason */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "profile/file.h"
#include "stalls/groups.h"
#include "stalls/html.h"
#include "stalls/source.h"
#include "stalls/stalls.h"
#include "stalls/text.h"

struct report_options {
	struct group_options groups;
	int reason; /* sort by this reason; -1: by all samples */
	const char *html; /* page to write; NULL: print a table */
	const char *directories[SOURCE_DIRECTORIES_MAX];
	size_t directory_count;
};

static const char help[] =
	"Usage: gpuoa stalls report [--by KEY] [-k FILE]... [--kernel NAME] [--reason NAME] [-n ROWS] [FILE]\n"
	"\n"
	"Prints where threads of GPU programs were when EUs were sampled, and what they waited for.\n"
	"FILE is a recording of 'gpuoa stalls record' (default: " PROFILE_FILE
	"), or the output of\n"
	"'gpuoa stalls stat --csv' (-: standard input).\n"
	"\n"
	"      --by KEY           a row per kernel, function, line (default), address, process or reason\n" PROFILE_HELP
	"      --kernel NAME      only this kernel\n"
	"      --reason NAME      sort by this reason: scoreboard, send, sync, ...\n"
	"  -n, --rows ROWS        maximum number of rows in a table (default 20; 0: all)\n"
	"      --html FILE        write a page with a flame graph and the source of all kernels\n"
	"      --source DIRECTORY look for sources there first; repeatable\n"
	"\n"
	"STALLED is the share of samples that found the thread stalled. Reasons are in percent of the\n"
	"samples of the row.\n";

static int sort_reason; /* -1: all samples */

static int compare_groups(const void *a, const void *b)
{
	const struct group *one = a, *other = b;
	const uint64_t x = sort_reason < 0 ? one->total : one->counts[sort_reason];
	const uint64_t y = sort_reason < 0 ? other->total : other->counts[sort_reason];

	if (x != y)
		return x > y ? -1 : 1;
	if (one->total != other->total)
		return one->total > other->total ? -1 : 1;
	return one->first < other->first ? -1 : one->first > other->first;
}

static struct field percent_field(const char *name, const char *heading, uint64_t part,
				  uint64_t whole, char text[16], enum output_format format)
{
	if (format != OUTPUT_TABLE)
		return (struct field){ .name = name,
				       .kind = FIELD_DOUBLE,
				       .exact = profile_percent(part, whole) };
	snprintf(text, 16, "%6.1f", profile_percent(part, whole));
	return (struct field){ FIELD_TEXT_MEMBERS(name, heading, text) };
}

/* A text that is absent in JSON and CSV if it is NULL */
static struct field text_field(const char *name, const char *heading, const char *text)
{
	if (!text)
		return (struct field){ .name = name, .heading = heading, .kind = FIELD_NONE };
	return (struct field){ FIELD_TEXT_MEMBERS(name, heading, text) };
}

#define FIELDS_MAX (16 + GPUOA_STALL_REASON_COUNT)

/* Fields that say where the samples of a group are */
static size_t put_place(struct field *fields, const struct report_options *options,
			const struct profile_place *place, enum output_format format,
			char where[512], char address[32])
{
	const enum by by = options->groups.by;
	size_t n = 0;

	if (by == BY_PROCESS) {
		fields[n] = (struct field)FIELD_OF_NUMBER("pid", "PROCESS", place->pid);
		if (!place->pid)
			fields[n].kind = FIELD_NONE;
		return n + 1;
	}
	fields[n++] = text_field("kernel", "KERNEL", place->kernel);
	/* A line can belong to several functions, which have a row each. */
	if (by == BY_FUNCTION || by == BY_LINE || (by == BY_ADDRESS && format != OUTPUT_TABLE))
		fields[n++] = text_field("function", "FUNCTION", place->function);
	if (by == BY_ADDRESS) {
		snprintf(address, 32,
			 format == OUTPUT_TABLE && place->known ? "+0x%" PRIx64 : "0x%" PRIx64,
			 format == OUTPUT_TABLE ? place->offset : place->address);
		fields[n++] = text_field("address", "ADDRESS", address);
		if (format != OUTPUT_TABLE)
			fields[n++] = (struct field)FIELD_OF_NUMBER("offset", NULL, place->offset);
	}
	if (by != BY_LINE && by != BY_ADDRESS)
		return n;
	if (format == OUTPUT_TABLE) {
		snprintf(where, 512, "%s:%u", place->file ? profile_base_name(place->file) : "",
			 place->line);
		fields[n++] = text_field("line", "LINE", place->file ? where : "");
		return n;
	}
	fields[n++] = text_field("file", NULL, place->file);
	fields[n] = (struct field)FIELD_OF_NUMBER("line", NULL, place->line);
	if (!place->file)
		fields[n].kind = FIELD_NONE;
	return n + 1;
}

static void put_group(struct output *output, const struct report_options *options,
		      const struct profile *profile, const struct group *group)
{
	char share[16], stalled[16], reasons[REASONS_TEXT], where[512], address[32];
	const bool table = output->format == OUTPUT_TABLE;
	struct field fields[FIELDS_MAX];
	size_t n = 0;

	fields[n++] = percent_field("percent", "SAMPLES %", group->total, profile->total, share,
				    output->format);
	fields[n++] = percent_field("stalled_percent", "STALLED %",
				    profile_stalled(group->counts, group->total), group->total,
				    stalled, output->format);
	if (table) {
		reasons_text(reasons, group->counts, group->total, false);
		fields[n++] = text_field("reasons", "REASONS", reasons);
	}
	n += put_place(fields + n, options, group->first, output->format, where, address);
	if (!table) {
		fields[n++] = (struct field)FIELD_OF_NUMBER("samples", NULL, group->total);
		for (unsigned int k = 0; k < GPUOA_STALL_REASON_COUNT; k++)
			fields[n++] = (struct field)FIELD_OF_NUMBER(profile_reason(k), NULL,
								    group->counts[k]);
	}
	output_record(output, fields, n);
}

static void print_totals(const struct report_options *options, const struct tool *tool,
			 const struct profile *profile)
{
	struct occupancy occupancy;

	occupancy_read(&occupancy, tool, options->groups.input.file);
	profile_print_totals(profile, &occupancy);
}

static void print_groups(const struct report_options *options, const struct tool *tool,
			 const struct profile *profile, const struct group *groups, size_t count)
{
	const size_t shown = groups_shown(&options->groups, tool, count);
	struct output output;

	if (tool->format == OUTPUT_TABLE)
		print_totals(options, tool, profile);
	output_begin(&output, tool->format);
	for (size_t i = 0; i < shown; i++)
		put_group(&output, options, profile, &groups[i]);
	output_end(&output);
	if (shown < count)
		note(tool, "%zu more rows; -n 0 prints all", count - shown);
}

/* One row per reason */
static void print_reasons(const struct report_options *options, const struct tool *tool,
			  const struct profile *profile)
{
	uint64_t counts[GPUOA_STALL_REASONS] = { 0 }, total = 0;
	bool done[GPUOA_STALL_REASONS] = { false };
	struct output output;
	char share[16];

	for (size_t i = 0; i < profile->count; i++) {
		const struct profile_place *place = &profile->places[i];

		if (options->groups.kernel && strcmp(options->groups.kernel, place->kernel))
			continue;
		for (unsigned int k = 0; k < GPUOA_STALL_REASONS; k++)
			counts[k] += place->counts[k];
		total += place->total;
	}
	if (tool->format == OUTPUT_TABLE)
		print_totals(options, tool, profile);
	output_begin(&output, tool->format);
	for (unsigned int i = 0; i < GPUOA_STALL_REASON_COUNT; i++) {
		struct gpuoa_stall_reason_desc desc;
		unsigned int most = GPUOA_STALL_REASON_COUNT;

		for (unsigned int k = 0; k < GPUOA_STALL_REASON_COUNT; k++)
			if (!done[k] &&
			    (most == GPUOA_STALL_REASON_COUNT || counts[k] > counts[most]))
				most = k;
		done[most] = true;
		gpuoa_stall_describe_reason(most, &desc, sizeof(desc));
		{
			const struct field fields[] = {
				percent_field("percent", "SAMPLES %", counts[most], total, share,
					      tool->format),
				text_field("reason", "REASON", desc.name),
				FIELD_OF_NUMBER("samples", "SAMPLES", counts[most]),
				text_field("title", "MEANING", desc.title),
			};

			output_record(&output, fields, FIELD_COUNT(fields));
		}
	}
	output_end(&output);
}

static int report(const struct report_options *options, const struct tool *tool,
		  const struct profile *profile)
{
	struct group *groups;
	size_t count;
	int ret = groups_make(profile, options->groups.by, options->groups.kernel, &groups, &count);

	if (!ret && !count)
		ret = fail("%s: no samples in the kernel '%s'", options->groups.input.file,
			   options->groups.kernel);
	if (!ret && options->groups.by == BY_REASON) {
		print_reasons(options, tool, profile);
	} else if (!ret) {
		sort_reason = options->reason;
		qsort(groups, count, sizeof(*groups), compare_groups);
		print_groups(options, tool, profile, groups, count);
	}
	free(groups);
	return ret;
}

static int take_option(void *context, const struct tool *tool, int option)
{
	struct report_options *options = context;

	switch (option) {
	case 'H':
		options->html = optarg;
		return EXIT_OK;
	case 's':
		if (options->directory_count == SOURCE_DIRECTORIES_MAX)
			return usage(tool, "more than %d directories", SOURCE_DIRECTORIES_MAX);
		options->directories[options->directory_count++] = optarg;
		return EXIT_OK;
	case 'r':
		options->reason = gpuoa_stall_find_reason(optarg);
		if (options->reason >= 0)
			return EXIT_OK;
		return usage(tool,
			     "unknown reason '%s'; 'gpuoa stalls report --by reason' lists "
			     "all",
			     optarg);
	default:
		return groups_take_option(&options->groups, tool, option);
	}
}

int stalls_report(struct tool *tool, int argc, char **argv)
{
	static const struct option longs[] = {
		{ "reason", required_argument, NULL, 'r' },
		{ "html", required_argument, NULL, 'H' },
		{ "source", required_argument, NULL, 's' },
		GROUP_LONGS,
		{ 0 },
	};
	struct report_options options = { .groups = GROUP_OPTIONS, .reason = -1 };
	struct profile profile;
	int ret;

	tool->help = help;
	if (tool_options(tool, argc, argv, GROUP_SHORTS, longs, take_option, &options, &ret) ==
	    TOOL_EXIT)
		return ret;
	if (optind + 1 < argc)
		return usage(tool, "more than one FILE");
	if (options.html && (options.groups.kernel || tool->format != OUTPUT_TABLE))
		return usage(tool,
			     "--html writes a page of all kernels; remove --kernel, --csv and "
			     "--json");
	if (options.directory_count && !options.html)
		return usage(tool, "--source is for --html and for 'gpuoa stalls annotate'");
	if (options.html && file_has_magic(options.html, "PERF"))
		return fail("%s: cannot write the page: the file is a recording; give another name",
			    options.html);
	options.groups.input.file = optind < argc ? argv[optind] : PROFILE_FILE;
	ret = profile_read(&profile, tool, &options.groups.input);
	if (ret)
		return ret;
	ret = options.html ? html_write(&profile, tool, options.groups.input.file, options.html,
					options.directories, options.directory_count) :
			     report(&options, tool, &profile);
	profile_free(&profile);
	return ret;
}
