// SPDX-License-Identifier: MIT
/* annotate.c - gpuoa stalls annotate: source of kernels, with the samples of each line */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/printable.h"
#include "stalls/source.h"
#include "stalls/stalls.h"
#include "stalls/text.h"
#include "stalls/wait.h"

#define CONTEXT_LINES 2
#define TAB 8

struct annotate_options {
	struct profile_input input;
	const char *kernel; /* only this kernel; NULL: all */
	const char *directories[SOURCE_DIRECTORIES_MAX];
	size_t directory_count;
	bool addresses; /* also print each instruction */
};

/* The samples of a kernel in a source file, or those without a line */
struct listing {
	const struct profile *profile;
	const struct profile_place **places; /* sorted by line, then by offset */
	size_t count;
	uint64_t total; /* samples of the kernel */
};

static const char help[] =
	"Usage: gpuoa stalls annotate [-k FILE]... [--kernel NAME] [--source DIRECTORY]... [-a] [FILE]\n"
	"\n"
	"Prints the source of kernels, with the samples and stall reasons of each line.\n"
	"FILE is a recording of 'gpuoa stalls record' (default: " PROFILE_FILE
	"), or the output of\n"
	"'gpuoa stalls stat --csv' (-: standard input).\n"
	"\n" PROFILE_HELP "      --kernel NAME      only this kernel\n"
	"      --source DIRECTORY  look for sources there first; repeatable\n"
	"  -a, --addresses        also print the samples and the dependency of each instruction\n"
	"\n"
	"Percentages of samples are those of the kernel. Kernels have lines if they were compiled\n"
	"with -g or -gline-tables-only.\n";

static int compare_places(const void *a, const void *b)
{
	const struct profile_place *one = *(const struct profile_place *const *)a;
	const struct profile_place *other = *(const struct profile_place *const *)b;
	int order = strcmp(one->kernel, other->kernel);

	if (!order)
		order = strcmp(one->file ? one->file : "", other->file ? other->file : "");
	if (order)
		return order;
	if (one->line != other->line)
		return one->line < other->line ? -1 : 1;
	return one->offset < other->offset ? -1 : one->offset > other->offset;
}

/* Copy a line of a source, with tabs as spaces and control characters escaped. */
static char *clean(const char *line)
{
	char *expanded = malloc(TAB * strlen(line) + 1), *text;
	size_t column = 0;

	if (!expanded)
		return NULL;
	for (; *line && *line != '\r'; line++) {
		if (*line != '\t') {
			expanded[column++] = *line;
			continue;
		}
		do
			expanded[column++] = ' ';
		while (column % TAB);
	}
	expanded[column] = '\0';
	text = printable(expanded);
	free(expanded);
	return text;
}

struct row {
	uint64_t counts[GPUOA_STALL_REASONS];
	uint64_t total;
};

static void add_place(struct row *row, const struct profile_place *place)
{
	for (unsigned int k = 0; k < GPUOA_STALL_REASONS; k++)
		row->counts[k] += place->counts[k];
	row->total += place->total;
}

#define ROW_COLUMNS "%9s %9s  %-40s"

static void print_row(const struct row *row, uint64_t total, const char *name, const char *text)
{
	char share[16] = "", stalled[16] = "", reasons[REASONS_TEXT] = "";

	if (row->total) {
		snprintf(share, sizeof(share), "%.1f", profile_percent(row->total, total));
		snprintf(stalled, sizeof(stalled), "%.1f",
			 profile_percent(profile_stalled(row->counts, row->total), row->total));
		reasons_text(reasons, row->counts, row->total, false);
	}
	printf(ROW_COLUMNS " %8s  %s\n", share, stalled, reasons, name, text);
}

static void print_unsampled(const struct source *source, uint32_t begin, uint32_t end)
{
	static const struct row none = { .total = 0 };

	for (uint32_t number = begin; number < end && number <= source->count; number++) {
		char *text = clean(source_line(source, number));
		char name[16];

		snprintf(name, sizeof(name), "%u", number);
		print_row(&none, 0, name, text ? text : "");
		free(text);
	}
}

/*
 * Print lines without samples: the first ones after the sampled line @begin - 1, unless that is 0,
 * and the last ones before the sampled line @end, unless that is 0.
 */
static void print_between(const struct source *source, uint32_t begin, uint32_t end)
{
	const uint32_t after = begin > 1 ? begin + CONTEXT_LINES : begin;
	const uint32_t before = end > CONTEXT_LINES ? end - CONTEXT_LINES : 1;

	if (!end) {
		print_unsampled(source, begin, after);
	} else if (before <= after) {
		print_unsampled(source, begin, end);
	} else {
		print_unsampled(source, begin, after);
		if (begin > 1 && source->count)
			print_row(&(const struct row){ .total = 0 }, 0, "...", "");
		print_unsampled(source, before, end);
	}
}

/* An instruction that another one waits for, and its line */
struct dependency {
	struct wait wait;
	char text[WAIT_TEXT]; /* "": nothing is known */
};

/* Code of Xe3p is not decoded; its addresses have more bits. */
static void find_dependency(struct dependency *dependency, const struct profile *profile,
			    const struct profile_place *place)
{
	struct gpuoa_code_location location;
	struct gpuoa_kernel_desc kernel;
	struct gpuoa_code_line line;
	char place_of_line[256];
	bool has_line;

	*dependency = (struct dependency){ .text = "" };
	if (!place->known || place->address > UINT32_MAX ||
	    gpuoa_code_map_find(profile->map, place->pid, place->address, 0, &location,
				sizeof(location)) ||
	    !location.symbols ||
	    gpuoa_symbols_describe_kernel(location.symbols, location.kernel_index, &kernel,
					  sizeof(kernel)) ||
	    !wait_find(&dependency->wait, kernel.code, kernel.size, location.offset))
		return;
	has_line = dependency->wait.found &&
		   !gpuoa_symbols_find_line(location.symbols, location.kernel_index,
					    dependency->wait.producer, &line, sizeof(line));
	if (has_line)
		snprintf(place_of_line, sizeof(place_of_line), "%s:%" PRIu32,
			 profile_base_name(line.file), line.line);
	wait_text(&dependency->wait, has_line ? place_of_line : NULL, dependency->text);
}

static void print_instructions(const struct listing *listing, size_t begin, size_t end)
{
	for (size_t i = begin; i < end; i++) {
		struct row row = { .total = 0 };
		struct dependency dependency;
		char name[32], text[sizeof(dependency.text) + 16] = "", *clean_text;

		add_place(&row, listing->places[i]);
		find_dependency(&dependency, listing->profile, listing->places[i]);
		if (*dependency.text)
			snprintf(text, sizeof(text), "waits for %s", dependency.text);
		clean_text = printable(text);
		snprintf(name, sizeof(name), "%s0x%" PRIx64, listing->places[i]->known ? "+" : "",
			 listing->places[i]->offset);
		print_row(&row, listing->total, name, clean_text ? clean_text : "");
		free(clean_text);
	}
}

/* Print the lines of a file that have samples, and those around them. */
static void print_lines(const struct annotate_options *options, const struct listing *listing,
			const struct source *source)
{
	uint32_t next = 1;

	printf(ROW_COLUMNS " %8s  SOURCE\n", "SAMPLES %", "STALLED %", "REASONS", "LINE");
	for (size_t i = 0, end; i < listing->count; i = end) {
		const uint32_t number = listing->places[i]->line;
		const char *line = source_line(source, number);
		struct row row = { .total = 0 };
		char name[16], *text;

		for (end = i; end < listing->count && listing->places[end]->line == number; end++)
			add_place(&row, listing->places[end]);
		print_between(source, next, number);
		snprintf(name, sizeof(name), "%u", number);
		text = clean(line ? line : "");
		print_row(&row, listing->total, name, text ? text : "");
		free(text);
		if (options->addresses)
			print_instructions(listing, i, end);
		next = number + 1;
	}
	print_between(source, next, 0);
}

/* Write a row of CSV or JSON for each line, or for each instruction. */
static void put_lines(const struct annotate_options *options, const struct listing *listing,
		      const struct source *source, struct output *output)
{
	for (size_t i = 0, end; i < listing->count; i = end) {
		const struct profile_place *place = listing->places[i];
		const char *line = source_line(source, place->line);
		struct field fields[10 + GPUOA_STALL_REASON_COUNT];
		struct dependency dependency;
		struct row row = { .total = 0 };
		size_t n = 0;

		for (end = i; end < listing->count && listing->places[end]->line == place->line &&
			      (end == i || !options->addresses);
		     end++)
			add_place(&row, listing->places[end]);
		fields[n++] = (struct field)FIELD_OF_TEXT("kernel", NULL, place->kernel);
		fields[n] = (struct field)FIELD_OF_TEXT("file", NULL, place->file);
		fields[n++].kind = place->file ? FIELD_TEXT : FIELD_NONE;
		fields[n] = (struct field)FIELD_OF_NUMBER("line", NULL, place->line);
		fields[n++].kind = place->file ? FIELD_NUMBER : FIELD_NONE;
		if (options->addresses) {
			find_dependency(&dependency, listing->profile, place);
			fields[n++] = (struct field)FIELD_OF_NUMBER("offset", NULL, place->offset);
			fields[n] = (struct field)FIELD_OF_TEXT("waits_for", NULL, dependency.text);
			fields[n++].kind = *dependency.text ? FIELD_TEXT : FIELD_NONE;
			fields[n] = (struct field)FIELD_OF_NUMBER("producer_offset", NULL,
								  dependency.wait.producer);
			fields[n++].kind = dependency.wait.found ? FIELD_NUMBER : FIELD_NONE;
		}
		fields[n++] = (struct field)FIELD_OF_NUMBER("samples", NULL, row.total);
		for (unsigned int k = 0; k < GPUOA_STALL_REASON_COUNT; k++)
			fields[n++] = (struct field)FIELD_OF_NUMBER(profile_reason(k), NULL,
								    row.counts[k]);
		fields[n] = (struct field)FIELD_OF_TEXT("source", NULL, line);
		fields[n++].kind = line ? FIELD_TEXT : FIELD_NONE;
		output_record(output, fields, n);
	}
}

static void print_listing(const struct annotate_options *options, const struct tool *tool,
			  const struct listing *listing, struct output *output)
{
	const char *path = listing->places[0]->file;
	struct source source = { .text = NULL };
	int err;

	if (path) {
		err = source_read(&source, path, options->directories, options->directory_count);
		if (err)
			note(tool,
			     "%s: cannot read the source: %s; give its directory with --source",
			     path, strerror(-err));
	}
	if (tool->format != OUTPUT_TABLE) {
		put_lines(options, listing, &source, output);
	} else if (path) {
		printf("%s\n", path);
		print_lines(options, listing, &source);
		printf("\n");
	} else {
		struct row row = { .total = 0 };

		for (size_t i = 0; i < listing->count; i++)
			add_place(&row, listing->places[i]);
		printf(ROW_COLUMNS " %8s\n", "SAMPLES %", "STALLED %", "REASONS", "LINE");
		print_row(&row, listing->total, "none", "");
		if (options->addresses)
			print_instructions(listing, 0, listing->count);
		printf("\n");
	}
	source_free(&source);
}

/* Print the files of a kernel. */
static void print_kernel(const struct annotate_options *options, const struct tool *tool,
			 struct listing *listing, struct output *output)
{
	const struct profile_place **places = listing->places;
	const size_t count = listing->count;
	struct row row = { .total = 0 };
	char reasons[REASONS_TEXT];

	for (size_t i = 0; i < count; i++)
		add_place(&row, places[i]);
	listing->total = row.total;
	if (tool->format == OUTPUT_TABLE) {
		char *name = printable(places[0]->kernel);

		reasons_text(reasons, row.counts, row.total, false);
		printf("%s: %.1f %% of all samples, %.1f %% stalled%s%s\n\n", name ? name : "",
		       profile_percent(row.total, listing->profile->total),
		       profile_percent(profile_stalled(row.counts, row.total), row.total),
		       *reasons ? ": " : "", reasons);
		free(name);
	}
	for (size_t i = 0, end; i < count; i = end) {
		const char *file = places[i]->file ? places[i]->file : "";

		for (end = i + 1; end < count; end++)
			if (strcmp(file, places[end]->file ? places[end]->file : ""))
				break;
		listing->places = places + i;
		listing->count = end - i;
		print_listing(options, tool, listing, output);
	}
}

static int annotate(const struct annotate_options *options, const struct tool *tool,
		    const struct profile *profile)
{
	const struct profile_place **places = calloc(profile->count + 1, sizeof(*places));
	struct output output;
	size_t count = 0;

	if (!places)
		return fail("out of memory");
	for (size_t i = 0; i < profile->count; i++)
		if (!options->kernel || !strcmp(options->kernel, profile->places[i].kernel))
			places[count++] = &profile->places[i];
	qsort(places, count, sizeof(*places), compare_places);
	output_begin(&output, tool->format);
	for (size_t i = 0, end; i < count; i = end) {
		struct listing listing = { .profile = profile, .places = places + i };

		for (end = i + 1; end < count; end++)
			if (strcmp(places[i]->kernel, places[end]->kernel))
				break;
		listing.count = end - i;
		print_kernel(options, tool, &listing, &output);
	}
	output_end(&output);
	free(places);
	if (!count)
		return fail("%s: no samples in the kernel '%s'", options->input.file,
			    options->kernel);
	return EXIT_OK;
}

static int take_option(void *context, const struct tool *tool, int option)
{
	struct annotate_options *options = context;

	switch (option) {
	case 'K':
		options->kernel = optarg;
		return EXIT_OK;
	case 's':
		if (options->directory_count == SOURCE_DIRECTORIES_MAX)
			return usage(tool, "more than %d directories", SOURCE_DIRECTORIES_MAX);
		options->directories[options->directory_count++] = optarg;
		return EXIT_OK;
	case 'a':
		options->addresses = true;
		return EXIT_OK;
	default:
		return profile_take_option(&options->input, tool, option);
	}
}

int stalls_annotate(struct tool *tool, int argc, char **argv)
{
	static const struct option longs[] = {
		{ "kernel", required_argument, NULL, 'K' },
		{ "source", required_argument, NULL, 's' },
		{ "addresses", no_argument, NULL, 'a' },
		PROFILE_LONGS,
		{ 0 },
	};
	struct annotate_options options = { .kernel = NULL };
	struct profile profile;
	int ret;

	tool->help = help;
	if (tool_options(tool, argc, argv, PROFILE_SHORTS "a", longs, take_option, &options,
			 &ret) == TOOL_EXIT)
		return ret;
	if (optind + 1 < argc)
		return usage(tool, "more than one FILE");
	options.input.file = optind < argc ? argv[optind] : PROFILE_FILE;
	ret = profile_read(&profile, tool, &options.input);
	if (ret)
		return ret;
	ret = annotate(&options, tool, &profile);
	profile_free(&profile);
	return ret;
}
