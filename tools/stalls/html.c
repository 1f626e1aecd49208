// SPDX-License-Identifier: MIT
/*
 * html.c - write a page with the flame graph and the annotated source of a profile
 *
 * The page has the stacks and the sources as JSON; page/page.js draws them. It loads nothing.
 */
#include "stalls/html.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/quote.h"
#include "profile/frames.h"
#include "stalls/source.h"
#include "stalls/verdict.h"

#define CONTEXT 4 /* lines before and after those that have samples */

static const char style[] =
#include "page_css.inc"
	;
static const char body[] =
#include "page_html.inc"
	;
static const char script[] =
#include "page_js.inc"
	;

/* Write a JSON string that is safe inside a script element. */
static void put_string(FILE *file, const char *text)
{
	put_json_string(file, text, "<>&'");
}

static void put_counts(FILE *file, const uint64_t *counts)
{
	putc('[', file);
	for (unsigned int k = 0; k < GPUOA_STALL_REASON_COUNT; k++)
		fprintf(file, "%s%" PRIu64, k ? "," : "", counts[k]);
	putc(']', file);
}

static void put_reasons(FILE *file)
{
	fputs("\"reasons\":[", file);
	for (unsigned int k = 0; k < GPUOA_STALL_REASON_COUNT; k++) {
		struct gpuoa_stall_reason_desc desc;

		gpuoa_stall_describe_reason(k, &desc, sizeof(desc));
		fprintf(file, "%s{\"name\":\"%s\",\"stage\":%" PRIu32 ",\"title\":", k ? "," : "",
			desc.name, desc.stage);
		put_string(file, desc.title);
		putc('}', file);
	}
	fputs("]", file);
}

static void put_stacks(FILE *file, const struct profile *profile)
{
	struct frame frames[FRAMES_MAX];
	struct stack stack = { .place = NULL };

	fputs(",\n\"stacks\":[", file);
	for (bool first = true; frames_next(profile, &stack); first = false) {
		const size_t count = frames_of(&stack, frames);

		fputs(!first ? ",\n{\"frames\":[" : "\n{\"frames\":[", file);
		for (size_t k = 0; k < count; k++) {
			if (k)
				putc(',', file);
			put_string(file, frame_name(&frames[k]));
		}
		fputs("],\"counts\":", file);
		put_counts(file, stack.counts);
		putc('}', file);
	}
	putc(']', file);
}

static int compare_lines(const void *a, const void *b)
{
	const struct profile_place *one = *(const struct profile_place *const *)a;
	const struct profile_place *other = *(const struct profile_place *const *)b;
	const int order = strcmp(one->file, other->file);

	if (order)
		return order;
	return one->line < other->line ? -1 : one->line > other->line;
}

/* Write the lines that have samples, and those around them. @places are sorted by line. */
static void put_text(FILE *file, const struct source *source,
		     const struct profile_place *const *places, size_t count)
{
	const char *separator = "";
	uint64_t next = 1;

	for (size_t i = 0; i < count; i++) {
		const uint64_t line = places[i]->line;

		if (line > CONTEXT && line - CONTEXT > next)
			next = line - CONTEXT;
		for (; next <= source->count && next <= line + CONTEXT; next++) {
			fprintf(file, "%s\"%" PRIu64 "\":", separator, next);
			put_string(file, source_line(source, (uint32_t)next));
			separator = ",";
		}
	}
}

/* Write the text of a file, and the counts of the lines that have samples. */
static void put_source(FILE *file, const struct tool *tool,
		       const struct profile_place *const *places, size_t count,
		       const char *const *directories, size_t directory_count)
{
	struct source source;
	bool first = true;
	const int err = source_read(&source, places[0]->file, directories, directory_count);

	if (err)
		note(tool, "%s: cannot read the source: %s; give its directory with --source",
		     places[0]->file, strerror(-err));
	fputs("{\"path\":", file);
	put_string(file, places[0]->file);
	fputs(",\"text\":{", file);
	put_text(file, &source, places, count);
	fputs("},\"lines\":{", file);
	for (size_t i = 0, end; i < count; i = end) {
		uint64_t counts[GPUOA_STALL_REASONS] = { 0 };

		for (end = i; end < count && places[end]->line == places[i]->line; end++)
			for (unsigned int k = 0; k < GPUOA_STALL_REASON_COUNT; k++)
				counts[k] += places[end]->counts[k];
		fprintf(file, "%s\"%" PRIu32 "\":", first ? "" : ",", places[i]->line);
		put_counts(file, counts);
		first = false;
	}
	fputs("}}", file);
	source_free(&source);
}

static int put_sources(FILE *file, const struct tool *tool, const struct profile *profile,
		       const char *const *directories, size_t directory_count)
{
	const struct profile_place **places = calloc(profile->count + 1, sizeof(*places));
	size_t count = 0;

	if (!places)
		return fail("out of memory");
	for (size_t i = 0; i < profile->count; i++)
		if (profile->places[i].file)
			places[count++] = &profile->places[i];
	qsort(places, count, sizeof(*places), compare_lines);
	fputs(",\n\"sources\":[", file);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i; end < count && !strcmp(places[end]->file, places[i]->file);)
			end++;
		fputs(i ? ",\n" : "\n", file);
		put_source(file, tool, places + i, end - i, directories, directory_count);
	}
	fputs("]", file);
	free(places);
	return EXIT_OK;
}

static int put_page(FILE *file, const struct tool *tool, const struct profile *profile,
		    const char *input, const char *const *directories, size_t count)
{
	const struct verdict verdict = verdict_of(profile->counts);
	struct occupancy occupancy;
	char text[VERDICT_TEXT];
	int ret;

	occupancy_read(&occupancy, tool, input);
	verdict_text(&verdict, &occupancy, text);
	fprintf(file,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<title>EU stalls</title>\n<style>\n%s</style>\n</head>\n%s"
		"<script type=\"application/json\" id=\"data\">\n{",
		style, body);
	put_reasons(file);
	fputs(",\n\"input\":", file);
	put_string(file, input);
	fputs(",\n\"verdict\":", file);
	put_string(file, text);
	fprintf(file, ",\n\"addresses\":%zu", profile->count);
	put_stacks(file, profile);
	ret = put_sources(file, tool, profile, directories, count);
	fprintf(file, "}\n</script>\n<script>\n%s</script>\n</body>\n</html>\n", script);
	return ret;
}

int html_write(const struct profile *profile, const struct tool *tool, const char *input,
	       const char *path, const char *const *directories, size_t count)
{
	FILE *file = fopen(path, "we");
	bool failed;
	int ret;

	if (!file)
		return fail("cannot write %s: %s", path, strerror(errno));
	ret = put_page(file, tool, profile, input, directories, count);
	failed = ferror(file);
	if ((fclose(file) || failed) && !ret)
		return fail("cannot write %s: %s", path, strerror(errno));
	return ret;
}
