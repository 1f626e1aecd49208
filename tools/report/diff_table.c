// SPDX-License-Identifier: MIT
/*
 * diff_table.c - output of the comparison of two recordings
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/output.h"
#include "common/printable.h"
#include "report/diff.h"
#include "common/terminal.h"

#define SIGNIFICANT 0.05

#define BOLD "\033[1m"
#define FAINT "\033[2m"
#define PLAIN "\033[0m"

static bool is_significant(const struct diff_line *line)
{
	return line->difference.known && line->difference.p < SIGNIFICANT;
}

/*
 * Print a difference in percent of the first value; @sign: prefix of values that are not negative
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

/* Print "A: game.data (RenderBasic of gpuoa0, Tiger Lake GT2, every 1.00 ms)". */
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
			FIELD_OF_TEXT("scaling_units", NULL, line->scaling.unit),
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

void diff_print(const struct tool *tool, const struct recorded *const *recorded,
		const struct diff_line *lines, size_t count, bool metrics_asked)
{
	if (tool->format == OUTPUT_TABLE)
		print_table(recorded, lines, count, metrics_asked);
	else
		print_records(tool->format, lines, count);
}
