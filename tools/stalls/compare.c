// SPDX-License-Identifier: MIT
/* compare.c - gpuoa stalls compare: how the samples of two recordings differ */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stalls/groups.h"
#include "stalls/stalls.h"
#include "stalls/text.h"

/* A key, and its samples in both files */
struct row {
	const struct profile_place *place;
	uint64_t total[2];
	uint64_t stalled[2];
	double share[2]; /* percent of all samples of the file */
};

static const char help[] =
	"Usage: gpuoa stalls compare [--by KEY] [-k FILE]... [--kernel NAME] [-n ROWS] BEFORE AFTER\n"
	"\n"
	"Prints how the samples of two recordings differ, by descending difference.\n"
	"\n"
	"      --by KEY           a row per kernel, function, line (default), process or reason\n" PROFILE_HELP
	"      --kernel NAME      only this kernel\n"
	"  -n, --rows ROWS        maximum number of rows in a table (default 20; 0: all)\n"
	"\n"
	"BEFORE, AFTER and DIFFERENCE are percentages of all samples of a file, so they can be compared\n"
	"if the recordings have different lengths. STALLED is in percent of the samples of the row.\n"
	"Addresses are not compared: they differ after each change of a kernel.\n";

static int compare_rows(const void *a, const void *b)
{
	const struct row *one = a, *other = b;
	const double x = fabs(one->share[1] - one->share[0]);
	const double y = fabs(other->share[1] - other->share[0]);

	if (x != y)
		return x > y ? -1 : 1;
	return 0;
}

static void fill(struct row *row, int file, const struct group *group,
		 const struct profile *profile)
{
	row->place = group->first;
	row->total[file] = group->total;
	row->stalled[file] = profile_stalled(group->counts, group->total);
	row->share[file] = profile_percent(group->total, profile->total);
}

/* Merge the groups of both files, which are sorted by key. Returns the number of rows. */
static size_t merge(const struct profile profiles[2], struct group *const groups[2],
		    const size_t counts[2], enum by by, struct row *rows)
{
	size_t at[2] = { 0, 0 }, count = 0;

	while (at[0] < counts[0] || at[1] < counts[1]) {
		int order = at[0] == counts[0] ? 1 : at[1] == counts[1] ? -1 : 0;

		if (!order)
			order = groups_compare_keys(groups[0][at[0]].first, groups[1][at[1]].first,
						    by);
		if (order <= 0)
			fill(&rows[count], 0, &groups[0][at[0]++], &profiles[0]);
		if (order >= 0)
			fill(&rows[count], 1, &groups[1][at[1]++], &profiles[1]);
		count++;
	}
	qsort(rows, count, sizeof(*rows), compare_rows);
	return count;
}

/* A row per reason */
static size_t merge_reasons(const struct profile profiles[2], struct profile_place *places,
			    struct row *rows)
{
	for (unsigned int k = 0; k < GPUOA_STALL_REASON_COUNT; k++) {
		places[k] = (struct profile_place){ .kernel = profile_reason(k) };
		rows[k] = (struct row){ .place = &places[k] };
		for (int i = 0; i < 2; i++) {
			rows[k].total[i] = profiles[i].counts[k];
			rows[k].stalled[i] = k == GPUOA_STALL_ACTIVE ? 0 : rows[k].total[i];
			rows[k].share[i] =
				profile_percent(profiles[i].counts[k], profiles[i].total);
		}
	}
	qsort(rows, GPUOA_STALL_REASON_COUNT, sizeof(*rows), compare_rows);
	return GPUOA_STALL_REASON_COUNT;
}

static struct field number_field(const char *name, const char *heading, double value,
				 const char *format, char text[16], enum output_format output)
{
	if (output != OUTPUT_TABLE)
		return (struct field){ .name = name, .kind = FIELD_DOUBLE, .exact = value };
	snprintf(text, 16, format, value);
	return (struct field){ FIELD_TEXT_MEMBERS(name, heading, text) };
}

static struct field text_field(const char *name, const char *heading, const char *text)
{
	if (!text)
		return (struct field){ .name = name, .heading = heading, .kind = FIELD_NONE };
	return (struct field){ FIELD_TEXT_MEMBERS(name, heading, text) };
}

static void put_row(struct output *output, enum by by, const struct row *row)
{
	const bool table = output->format == OUTPUT_TABLE;
	const struct profile_place *place = row->place;
	char texts[5][16], line[512];
	struct field fields[14];
	double stalled[2];
	size_t n = 0;

	for (int i = 0; i < 2; i++)
		stalled[i] = profile_percent(row->stalled[i], row->total[i]);
	fields[n++] = number_field("before_percent", "BEFORE %", row->share[0], "%6.1f", texts[0],
				   output->format);
	fields[n++] = number_field("after_percent", "AFTER %", row->share[1], "%6.1f", texts[1],
				   output->format);
	fields[n++] = number_field("difference", "DIFFERENCE", row->share[1] - row->share[0],
				   "%+6.1f", texts[2], output->format);
	fields[n++] = number_field("before_stalled_percent", "STALLED BEFORE %", stalled[0],
				   "%6.1f", texts[3], output->format);
	fields[n++] = number_field("after_stalled_percent", "AFTER %", stalled[1], "%6.1f",
				   texts[4], output->format);
	if (!table) {
		fields[n++] = (struct field)FIELD_OF_NUMBER("before_samples", NULL, row->total[0]);
		fields[n++] = (struct field)FIELD_OF_NUMBER("after_samples", NULL, row->total[1]);
	}
	if (by == BY_PROCESS) {
		fields[n] = (struct field)FIELD_OF_NUMBER("pid", "PROCESS", place->pid);
		if (!place->pid)
			fields[n].kind = FIELD_NONE;
		output_record(output, fields, n + 1);
		return;
	}
	fields[n++] = by == BY_REASON ? text_field("reason", "REASON", place->kernel) :
					text_field("kernel", "KERNEL", place->kernel);
	if (by == BY_FUNCTION || by == BY_LINE)
		fields[n++] = text_field("function", "FUNCTION", place->function);
	if (by == BY_LINE && table) {
		snprintf(line, sizeof(line), "%s:%u",
			 place->file ? profile_base_name(place->file) : "", place->line);
		fields[n++] = text_field("line", "LINE", place->file ? line : "");
	} else if (by == BY_LINE) {
		fields[n++] = text_field("file", NULL, place->file);
		fields[n] = (struct field)FIELD_OF_NUMBER("line", NULL, place->line);
		if (!place->file)
			fields[n].kind = FIELD_NONE;
		n++;
	}
	output_record(output, fields, n);
}

static void print_rows(const struct group_options *options, const struct tool *tool,
		       const struct row *rows, size_t count)
{
	const size_t shown = groups_shown(options, tool, count);
	struct output output;

	output_begin(&output, tool->format);
	for (size_t i = 0; i < shown; i++)
		put_row(&output, options->by, &rows[i]);
	output_end(&output);
	if (shown < count)
		note(tool, "%zu more rows; -n 0 prints all", count - shown);
}

static int compare(const struct group_options *options, const struct tool *tool,
		   const struct profile profiles[2])
{
	struct profile_place reasons[GPUOA_STALL_REASON_COUNT];
	struct group *groups[2] = { NULL, NULL };
	size_t counts[2] = { 0, 0 }, count;
	struct row *rows = NULL;
	int ret = EXIT_OK;

	for (int i = 0; i < 2 && !ret; i++)
		ret = groups_make(&profiles[i], options->by, options->kernel, &groups[i],
				  &counts[i]);
	if (!ret && !counts[0] && !counts[1])
		ret = fail("no samples in the kernel '%s'", options->kernel);
	if (!ret) {
		rows = calloc(counts[0] + counts[1] + GPUOA_STALL_REASON_COUNT, sizeof(*rows));
		if (!rows)
			ret = fail("out of memory");
	}
	if (!ret) {
		count = options->by == BY_REASON ?
				merge_reasons(profiles, reasons, rows) :
				merge(profiles, groups, counts, options->by, rows);
		if (tool->format == OUTPUT_TABLE)
			printf("%" PRIu64 " samples before, %" PRIu64
			       " after; %.1f %% and %.1f %% stalled\n\n",
			       profiles[0].total, profiles[1].total,
			       profile_percent(profile_stalled(profiles[0].counts,
							       profiles[0].total),
					       profiles[0].total),
			       profile_percent(profile_stalled(profiles[1].counts,
							       profiles[1].total),
					       profiles[1].total));
		print_rows(options, tool, rows, count);
	}
	free(groups[0]);
	free(groups[1]);
	free(rows);
	return ret;
}

static int take_option(void *context, const struct tool *tool, int option)
{
	struct group_options *options = context;
	int ret = groups_take_option(options, tool, option);

	if (!ret && option == 'b' && options->by == BY_ADDRESS)
		return usage(tool, "addresses cannot be compared: they differ after each change of "
				   "a kernel; use --by line");
	return ret;
}

int stalls_compare(struct tool *tool, int argc, char **argv)
{
	static const struct option longs[] = {
		GROUP_LONGS,
		{ 0 },
	};
	struct group_options options = GROUP_OPTIONS;
	struct profile profiles[2];
	int ret;

	tool->help = help;
	if (tool_options(tool, argc, argv, GROUP_SHORTS, longs, take_option, &options, &ret) ==
	    TOOL_EXIT)
		return ret;
	if (optind + 2 != argc)
		return usage(tool, "two recordings are needed");
	if (options.kernel && options.by == BY_REASON)
		return usage(tool, "--by reason compares all kernels; remove --kernel");
	options.input.file = argv[optind];
	ret = profile_read(&profiles[0], tool, &options.input);
	if (ret)
		return ret;
	options.input.file = argv[optind + 1];
	ret = profile_read(&profiles[1], tool, &options.input);
	if (!ret) {
		ret = compare(&options, tool, profiles);
		profile_free(&profiles[1]);
	}
	profile_free(&profiles[0]);
	return ret;
}
