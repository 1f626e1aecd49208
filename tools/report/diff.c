// SPDX-License-Identifier: MIT
/*
 * diff.c - gpuoa report --diff: compare two recordings
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/output.h"
#include "common/printable.h"
#include "common/terminal.h"
#include "common/timeseries.h"
#include "report/diff.h"

#define SIGNIFICANT 0.05

#define BOLD "\033[1m"
#define FAINT "\033[2m"
#define PLAIN "\033[0m"

static bool is_significant(const struct diff_line *line)
{
	return line->difference.known && line->difference.p < SIGNIFICANT;
}

/*
 * Print a difference in percent of the first value. @sign: prefix of a difference that is not
 * negative
 */
static void print_share(double difference, double of, const char *sign)
{
	const double exact = 100 * difference / fabs(of);
	const double percent = fabs(exact) < 0.05 ? 0 : exact;
	char text[32];

	if (!of || !isfinite(percent))
		snprintf(text, sizeof(text), "-");
	else if (fabs(percent) < 9999.5)
		snprintf(text, sizeof(text), "%s%.*f %%", percent < 0 ? "-" : sign,
			 fabs(percent) < 99.95 ? 1 : 0, fabs(percent));
	else
		snprintf(text, sizeof(text), "%s%.1e %%", percent < 0 ? "-" : sign, fabs(percent));
	printf(" %9s", text);
}

static void print_p(const struct diff_line *line)
{
	char text[16];

	if (!line->difference.known)
		snprintf(text, sizeof(text), "-");
	else if (line->difference.p < 0.001)
		snprintf(text, sizeof(text), "<0.001");
	else
		snprintf(text, sizeof(text), "%.3f", line->difference.p);
	printf(" %6s %c", text, is_significant(line) ? '*' : ' ');
}

static void print_line(const struct diff_line *line, int width, bool colours)
{
	char a[SCALING_TEXT], b[SCALING_TEXT];

	if (colours)
		fputs(is_significant(line) ? BOLD : FAINT, stdout);
	printf("%-*s %6s %6s", width, line->column->symbol,
	       scaling_text(line->a, &line->scaling, a), scaling_text(line->b, &line->scaling, b));
	print_share(line->b - line->a, line->a, "+");
	print_share(line->difference.known ? line->difference.margin : NAN, line->a, "");
	print_p(line);
	printf(" %s%s\n", line->scaling.unit, colours ? PLAIN : "");
}

static int symbol_width(const struct diff_line *lines, size_t count)
{
	size_t widest = strlen("METRIC");

	for (size_t i = 0; i < count; i++)
		if (strlen(lines[i].column->symbol) > widest)
			widest = strlen(lines[i].column->symbol);
	return widest;
}

/*
 * Print a line that describes a recording, such as "A: game.data (RenderBasic of gpuoa0, Tiger Lake
 * GT2, every 1.00 ms)".
 */
static void print_name(char letter, const struct recorded *recorded)
{
	const double ticks = (double)(UINT64_C(2) << recorded->desc.exponent);
	char *text = printable(recorded->file);
	char period[SCALING_LONG];
	struct gpuoa_set_desc set;

	gpuoa_set_describe(recorded->set, &set, sizeof(set));
	scaling_text_seconds(ticks / recorded->unit.timestamp_frequency, period);
	printf("%c: %s (%s of %s, %s, every %s)\n", letter, text ? text : recorded->file,
	       set.symbol, recorded->unit.name, gpuoa_platform_title(recorded->platform), period);
	free(text);
}

static void print_table(const struct recorded *const *recorded, const struct diff_line *lines,
			size_t count, bool zeros)
{
	const bool colours = terminal_has_colours(stdout);
	const int width = symbol_width(lines, count);
	size_t differing = 0, same = 0;

	print_name('A', recorded[0]);
	print_name('B', recorded[1]);
	printf("\n%-*s %6s %6s %9s %9s %6s   UNIT\n", width, "METRIC", "A", "B", "CHANGE", "+-",
	       "P");
	for (size_t i = 0; i < count; i++) {
		if (!zeros && !lines[i].a && !lines[i].b) {
			same++;
			continue;
		}
		differing += is_significant(&lines[i]);
		print_line(&lines[i], width, colours);
	}
	printf("\n%zu of %zu metrics differ by more than chance (*)", differing, count - same);
	printf(same ? "; %zu are 0 in both.\n" : ".\n", same);
	printf("Welch's t-test on means of up to %d blocks of time, less what neighbouring blocks have in common;\n"
	       "+- is the margin of 95 %%, P is corrected for the number of metrics (Holm).\n",
	       DIFF_BLOCKS);
}

static struct field number(const char *name, double value, bool known)
{
	return (struct field){
		.name = name,
		.kind = known ? FIELD_DOUBLE : FIELD_NONE,
		.exact = value,
	};
}

static void print_records(enum output_format format, const struct diff_line *lines, size_t count)
{
	struct output output;

	output_begin(&output, format);
	for (size_t i = 0; i < count; i++) {
		const struct diff_line *line = &lines[i];
		const bool known = line->difference.known;
		const struct field fields[] = {
			FIELD_OF_TEXT("symbol", NULL, line->column->symbol),
			FIELD_OF_TEXT("name", NULL, line->column->name),
			FIELD_OF_TEXT("units", NULL, scaling_units(line->column->units)),
			FIELD_OF_TEXT("level_units", NULL, line->scaling.unit),
			number("a", line->a, true),
			number("b", line->b, true),
			number("difference", line->difference.mean, known),
			number("margin", line->difference.margin, known),
			number("p", line->p, known),
			number("p_corrected", line->difference.p, known),
			{ .name = "significant",
			  .kind = known ? FIELD_BOOL : FIELD_NONE,
			  .truth = is_significant(line) },
		};

		output_record(&output, fields, FIELD_COUNT(fields));
	}
	output_end(&output);
}

/* Print the result on stdout. @recorded: the streams of both recordings */
static void diff_print(const struct tool *tool, const struct recorded *const *recorded,
		       const struct diff_line *lines, size_t count, bool metrics_asked)
{
	if (tool->format == OUTPUT_TABLE)
		print_table(recorded, lines, count, metrics_asked);
	else
		print_records(tool->format, lines, count);
}

#define ROWS_PER_BLOCK 4 /* minimum number of rows in a block */
#define COVERED_LEAST 0.9 /* minimum fraction of a block's time for which there must be reports */

/* One of the two recordings: the time series of its metrics, and their means in blocks of time */
struct side {
	struct timeseries *unit;
	struct timeseries_list units;
	double *blocks; /* DIFF_BLOCKS values per column */
	size_t block_count;
};

/* Implement evaluation_sink.take_window(). */
static void take_block(void *context, const struct evaluation *evaluation,
		       const struct gpuoa_window *window, const union gpuoa_value *row)
{
	const struct series *series;
	struct side *side = context;
	const double seconds = (double)window->covered / evaluation->frequency;

	if (window->covered < COVERED_LEAST * (window->end - window->begin) ||
	    side->block_count == DIFF_BLOCKS)
		return;
	series = &side->unit->series;
	for (size_t i = 0; i < series->track_count; i++) {
		const struct column *column = &evaluation->columns.list[i];

		if (!column->absent)
			side->blocks[i * DIFF_BLOCKS + side->block_count] = scaling_value(
				&series->tracks[i].scaling,
				gpuoa_value_to_double(column->type, row[column->index]), seconds);
	}
	side->block_count++;
}

/*
 * Read the stream again, resampled into windows. Notes about the stream were already printed, so
 * they are not repeated.
 */
static int find_blocks(struct side *side, const struct tool *tool,
		       const struct report_options *options, const char *file)
{
	const struct series *series = &side->unit->series;
	const uint64_t begin = series->steps[0].begin, end = series->steps[series->count - 1].end;
	const struct evaluation_sink sink = { .take_window = take_block, .context = side };
	size_t blocks = series->rows / ROWS_PER_BLOCK;
	struct tool quiet = *tool;
	struct evaluation_request request;
	struct recorded recorded;
	int ret;

	blocks = blocks < DIFF_BLOCKS ? blocks : DIFF_BLOCKS;
	if (!blocks)
		return EXIT_OK;
	quiet.quiet = true;
	ret = recorded_open_stream(&recorded, &quiet, file, side->unit->recorded.desc.stream,
				   options->recording.set);
	if (ret)
		return ret;
	request = recorded_request(&recorded);
	request.metrics = options->recording.metrics;
	request.sink = &sink;
	request.part = true;
	request.begin_tick = begin;
	request.window_ns = gpuoa_ticks_to_ns(series->frequency, (end - begin) / blocks);
	ret = recorded_evaluate(&recorded, &quiet, &request);
	recorded_close(&recorded);
	return ret;
}

/* Open one of the two recordings. A damaged file is an error, even if a part of it can be read. */
static int open_side(struct side *side, const struct tool *tool,
		     const struct report_options *options, const char *file)
{
	struct timeseries_request request = { .recording = options->recording, .steps = 64 };
	int ret;

	request.recording.file = file;
	ret = timeseries_read(&side->units, tool, &request);

	if (ret)
		return ret;
	side->unit = side->units.list;
	if (side->units.count > 1)
		note(tool, "%s: has %zu units; showing %s; select another with -d", file,
		     side->units.count, side->unit->recorded.unit.name);
	side->blocks =
		calloc(side->unit->series.track_count + 1, DIFF_BLOCKS * sizeof(*side->blocks));
	return side->blocks ? find_blocks(side, tool, options, file) : fail("out of memory");
}

static void close_side(struct side *side)
{
	timeseries_free(&side->units);
	free(side->blocks);
}

/* Find the metric in the other recording that corresponds to a column; -1: there is none. */
static long find_column(const struct side *side, const struct column *column,
			const struct scaling *scaling)
{
	const struct columns *columns = &side->unit->evaluation.columns;

	for (size_t i = 0; i < columns->count; i++)
		if (!columns->list[i].absent && !strcmp(columns->list[i].symbol, column->symbol) &&
		    !strcmp(side->unit->series.tracks[i].scaling.unit, scaling->unit))
			return i;
	return -1;
}

static struct sample sample_column(const struct side *side, size_t column)
{
	return sample_of(side->blocks + column * DIFF_BLOCKS, side->block_count);
}

static size_t compare(const struct side *a, const struct side *b, struct diff_line *lines)
{
	const struct columns *columns = &a->unit->evaluation.columns;
	size_t count = 0;

	for (size_t i = 0; i < columns->count; i++) {
		const struct series_track *track = &a->unit->series.tracks[i];
		struct diff_line *line = &lines[count];
		struct sample of_a, of_b;
		long other;

		if (!columns->list[i].metric || track->absent)
			continue;
		other = find_column(b, &columns->list[i], &track->scaling);
		if (other < 0)
			continue;
		of_a = sample_column(a, i);
		of_b = sample_column(b, other);
		*line = (struct diff_line){
			.column = &columns->list[i],
			.scaling = track->scaling,
			.a = track->average,
			.b = b->unit->series.tracks[other].average,
			.difference = difference_of(&of_a, &of_b),
		};
		line->p = line->difference.p;
		count++;
	}
	return count;
}

/* A metric that is 0 in both recordings does not count as a test. */
static void correct(struct diff_line *lines, size_t count)
{
	double **p = calloc(count + 1, sizeof(*p));
	size_t tests = 0;

	for (size_t i = 0; p && i < count; i++)
		if (lines[i].difference.known && (lines[i].a || lines[i].b))
			p[tests++] = &lines[i].difference.p;
	if (p)
		statistics_correct(p, tests);
	free(p);
}

/*
 * Warn if the recordings differ in kind, such that metrics of the same name may have different
 * meanings.
 */
static void warn(const struct tool *tool, const struct recorded *a, const struct recorded *b)
{
	struct gpuoa_set_desc set_a, set_b;

	gpuoa_set_describe(a->set, &set_a, sizeof(set_a));
	gpuoa_set_describe(b->set, &set_b, sizeof(set_b));
	if (strcmp(set_a.symbol, set_b.symbol))
		note(tool,
		     "%s has %s and %s has %s: metric sets differ and may cause changes; record both with one set",
		     a->file, set_a.symbol, b->file, set_b.symbol);
	if (strcmp(a->unit.platform, b->unit.platform) || a->unit.device_id != b->unit.device_id ||
	    a->unit.eu_count != b->unit.eu_count)
		note(tool,
		     "%s is of %s with %u EUs and %s of %s with %u EUs: GPUs differ and may cause changes",
		     a->file, gpuoa_platform_title(a->platform), a->unit.eu_count, b->file,
		     gpuoa_platform_title(b->platform), b->unit.eu_count);
	if (a->desc.exponent != b->desc.exponent)
		note(tool,
		     "%s and %s have different periods; their smallest and largest values are not comparable",
		     a->file, b->file);
}

int report_diff(const struct tool *tool, const struct report_options *options)
{
	const char *const files[] = { options->recording.file, options->other };
	const struct recorded *recorded[2];
	struct diff_line *lines = NULL;
	struct side sides[2] = { 0 };
	size_t count;
	int ret = open_side(&sides[0], tool, options, files[0]);

	if (!ret)
		ret = open_side(&sides[1], tool, options, files[1]);
	if (!ret) {
		lines = calloc(sides[0].unit->series.track_count + 1, sizeof(*lines));
		if (!lines)
			ret = fail("out of memory");
	}
	if (!ret) {
		count = compare(&sides[0], &sides[1], lines);
		if (!count)
			ret = fail("%s and %s have no metric in common", files[0], files[1]);
		correct(lines, count);
		recorded[0] = &sides[0].unit->recorded;
		recorded[1] = &sides[1].unit->recorded;
		warn(tool, recorded[0], recorded[1]);
		diff_print(tool, recorded, lines, count, options->recording.metrics);
	}
	free(lines);
	close_side(&sides[0]);
	close_side(&sides[1]);
	return ret;
}
