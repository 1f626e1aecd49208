// SPDX-License-Identifier: MIT
/*
 * summary.c - print a summary of a recording: the minimum, mean, 99th percentile and maximum of
 * each metric
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/printable.h"
#include "common/roles.h"
#include "common/terminal.h"
#include "report/summary.h"

#define NUMBER_WIDTH 6
#define NUMBERS 5
#define BAR_LEAST 8 /* minimum width of a bar; a narrower one would not be useful */
#define BAR_MOST 32
#define NAME_LEAST 16
#define NAME_MOST 48

#define RED "\033[31m"
#define YELLOW "\033[33m"
#define GREEN "\033[32m"
#define FAINT "\033[2m"
#define PLAIN "\033[0m"

static int widest(const struct columns *columns, const struct summary *summary, bool units)
{
	size_t most = strlen(units ? "UNIT" : "METRIC");

	for (size_t i = 0; i < columns->count; i++) {
		const size_t length =
			strlen(units ? summary->scalings[i].unit : columns->list[i].symbol);

		if (length > most)
			most = length;
	}
	return most;
}

/* Divide the remaining width between bars and names. Bars get their width first. */
static void lay_out(struct summary_table *table, const struct columns *columns,
		    const struct summary *summary)
{
	int left = terminal_width(stdout);

	table->symbol_width = widest(columns, summary, false);
	table->unit_width = widest(columns, summary, true);
	left -= table->symbol_width + NUMBERS * (NUMBER_WIDTH + 1) + 1 + table->unit_width + 1;
	if (left < BAR_LEAST)
		return;
	table->bar_width = left < BAR_MOST ? left : BAR_MOST;
	left -= table->bar_width + 2;
	if (left >= NAME_LEAST)
		table->name_width = left < NAME_MOST ? left : NAME_MOST;
}

static void print_heading(const struct summary *summary, const struct evaluation *evaluation)
{
	const double frequency = evaluation->frequency;
	char time[SCALING_LONG], mean[SCALING_LONG];

	printf("%s of GPU time, %" PRIu64 " intervals of %s on average",
	       scaling_text_seconds(summary->covered / frequency, time), summary->rows,
	       scaling_text_seconds(summary->covered / frequency / summary->rows, mean));
	puts("");
	if (summary->gaps)
		printf("%" PRIu64 " gap%s of %s altogether", summary->gaps,
		       summary->gaps == 1 ? "" : "s",
		       scaling_text_seconds((summary->end - summary->begin - summary->covered) /
						    frequency,
					    time));
	if (evaluation->lost)
		printf("%s%" PRIu64 " reports lost", summary->gaps ? ", " : "", evaluation->lost);
	puts(summary->gaps || evaluation->lost ? "\n" : "");
}

static void print_columns(const struct summary_table *table)
{
	static const char *const headings[NUMBERS] = { "SUM", "MIN", "MEAN", "P99", "MAX" };

	printf("%-*s", table->symbol_width, "METRIC");
	for (size_t i = 0; i < NUMBERS; i++)
		printf(" %*s", NUMBER_WIDTH, headings[i]);
	printf(" %-*s", table->unit_width, "UNIT");
	if (table->bar_width)
		printf(" %-*s", table->bar_width, "OF LIMIT");
	puts("");
}

static const char *colour_of(const struct column *column, double mean)
{
	if (!column->metric)
		return "";
	switch (gpuoa_metric_classify(column->metric, mean)) {
	case GPUOA_WATERMARK_HIGH:
		return RED;
	case GPUOA_WATERMARK_MEDIUM:
		return YELLOW;
	default:
		return GREEN;
	}
}

/* Return the length of a bar in eighths of a character: the fraction that @value is of @limit. */
static int eighths(const struct summary_table *table, double value, double limit)
{
	const int most = 8 * table->bar_width;
	const double part = limit > 0 ? value / limit * most : 0;

	if (!(part > 0))
		return 0;
	if (part < 1)
		return 1; /* a value above 0 always has a visible bar */
	return part < most ? (int)(part + 0.5) : most;
}

/* Draw a bar that is solid from 0 to the mean, and light from there to the 99th percentile. */
static void print_bar(const struct summary_table *table, const struct column *column,
		      const struct summary_line *line)
{
	static const char *const blocks[] = { "",	"\u258f", "\u258e", "\u258d",
					      "\u258c", "\u258b", "\u258a", "\u2589" };
	const int mean = eighths(table, line->mean, line->limit);
	const int p99 = (eighths(table, line->p99, line->limit) + 7) / 8;
	int n = 0;

	if (table->colours)
		fputs(colour_of(column, line->mean), stdout);
	for (; n < mean / 8; n++)
		fputs(table->utf8 ? "\u2588" : "#", stdout);
	if (mean % 8 && (table->utf8 || mean % 8 >= 4)) {
		fputs(table->utf8 ? blocks[mean % 8] : "#", stdout);
		n++;
	}
	if (table->colours)
		fputs(PLAIN FAINT, stdout);
	for (; n < p99; n++)
		fputs(table->utf8 ? "\u2591" : "-", stdout);
	if (table->colours)
		fputs(PLAIN, stdout);
	printf("%*s", table->name_width ? table->bar_width - n : 0, "");
}

static void print_number(double value, const struct scaling *scaling)
{
	char text[SCALING_TEXT];

	printf(" %*s", NUMBER_WIDTH, scaling_text(value, scaling, text));
}

static void print_name(const struct summary_table *table, const char *name)
{
	char *text = printable(name);

	if (text && strlen(text) <= (size_t)table->name_width)
		printf("  %s", text);
	else if (text)
		printf("  %.*s...", table->name_width - 3, text);
	free(text);
}

static void print_line(struct summary_table *table, const struct column *column,
		       const struct scaling *scaling, const struct summary_line *line)
{
	printf("%-*s", table->symbol_width, column->symbol);
	if (column->absent) {
		printf(" %*s\n", NUMBER_WIDTH, "-");
		return;
	}
	if (scaling->rate)
		print_number(line->total, scaling);
	else
		printf(" %*s", NUMBER_WIDTH, "");
	print_number(line->least, scaling);
	print_number(line->mean, scaling);
	print_number(line->p99, scaling);
	print_number(line->largest, scaling);
	table->estimated |= !line->is_exact;
	if (table->name_width || (table->bar_width && line->has_limit))
		printf(" %-*s ", table->unit_width, scaling->unit);
	else
		printf(" %s", scaling->unit);
	if (table->bar_width && line->has_limit)
		print_bar(table, column, line);
	else
		printf("%*s", table->name_width ? table->bar_width : 0, "");
	if (table->name_width)
		print_name(table, column->name);
	puts("");
}

/*
 * Print a word of a list. The first word follows the heading; a word that does not fit is on a new
 * line.
 */
static void print_word(const char *heading, const char *word, int *at)
{
	const int length = strlen(word) + 1;

	if (!*at)
		*at = printf("\n%s", heading) - 1;
	if (*at + length > terminal_width(stdout) && *at > (int)strlen(heading)) {
		printf("\n%*s", (int)strlen(heading), "");
		*at = strlen(heading);
	}
	printf(" %s", word);
	*at += length;
}

/* Below the table, list the metrics that are always 0. */
static void print_zeros(const struct summary_table *table)
{
	int at = 0;

	for (size_t i = 0; i < table->zero_count; i++)
		print_word("Always 0:", table->zeros[i], &at);
	if (at)
		puts("");
}

/*
 * Below the table, print the averages of ratios over time. MEAN weighs a ratio by the GPU's clocks.
 * Other tools, such as intel_gpu_top, weigh by time; the results differ if the clock varies.
 */
static void print_over_time(const struct summary_table *table)
{
	static const struct scaling percent = { .relative = true, .unit = "%" };
	char word[SCALING_LONG + SCALING_TEXT], number[SCALING_LONG];
	int at = 0;

	for (size_t i = 0; i < table->over_time_count; i++) {
		snprintf(word, sizeof(word), "%.60s %s%s", table->over_time[i].symbol,
			 scaling_text_unit(table->over_time[i].percent, &percent, number),
			 i + 1 < table->over_time_count ? "," : "");
		print_word("Mean over time:", word, &at);
	}
	if (at)
		puts("");
}

static bool is_zero(const struct column *column, const struct summary_line *line)
{
	return !column->absent && !line->least && !line->largest;
}

static struct field number(const char *name, double value, bool known)
{
	return (struct field){
		.name = name,
		.kind = known ? FIELD_DOUBLE : FIELD_NONE,
		.exact = value,
	};
}

static void put_record(struct summary_table *table, const struct column *column,
		       const struct scaling *scaling, const struct summary_line *line)
{
	const bool known = !column->absent;

	output_record(&table->output,
		      (struct field[]){
			      FIELD_OF_TEXT("symbol", NULL, column->symbol),
			      FIELD_OF_TEXT("name", NULL, column->name),
			      FIELD_OF_TEXT("units", NULL, scaling_units(column->units)),
			      FIELD_OF_TEXT("level_units", NULL, scaling->unit),
			      number("sum", line->total, known && scaling->rate),
			      number("min", line->least, known),
			      number("mean", line->mean, known),
			      number("p99", line->p99, known),
			      number("max", line->largest, known),
			      number("limit", line->limit, known && line->has_limit),
			      number("p99_error", line->is_exact ? 0 : QUANTILE_ERROR, known),
			      number("over_time", line->over_time, known && line->is_share),
		      },
		      12);
}

static void summary_table_begin(struct summary_table *table, const struct summary *summary,
				const struct evaluation *evaluation)
{
	*table = (struct summary_table){
		.format = evaluation->tool->format,
		.utf8 = terminal_is_utf8(),
		.colours = terminal_has_colours(stdout),
	};
	output_begin(&table->output, table->format);
	if (table->format != OUTPUT_TABLE)
		return;
	table->metrics_asked = evaluation->request.metrics;
	table->over_time = calloc(evaluation->columns.count + 1, sizeof(*table->over_time));
	/* A metric that -m names is printed even if it is always 0. */
	if (!table->metrics_asked)
		table->zeros = calloc(evaluation->columns.count + 1, sizeof(*table->zeros));
	lay_out(table, &evaluation->columns, summary);
	print_heading(summary, evaluation);
	print_columns(table);
}

static void summary_table_line(struct summary_table *table, const struct column *column,
			       const struct scaling *scaling, const struct summary_line *line)
{
	if (table->format != OUTPUT_TABLE) {
		put_record(table, column, scaling, line);
		return;
	}
	if (table->zeros && is_zero(column, line)) {
		table->zeros[table->zero_count++] = column->symbol;
		return;
	}
	print_line(table, column, scaling, line);
	if (table->over_time && line->is_share && (line->answers_role || table->metrics_asked))
		table->over_time[table->over_time_count++] = (struct over_time){
			.symbol = column->symbol,
			.percent = line->over_time,
		};
}

static void summary_table_end(struct summary_table *table)
{
	output_end(&table->output);
	print_over_time(table);
	print_zeros(table);
	free(table->over_time);
	free(table->zeros);
	if (table->estimated)
		printf("\nP99 is right to within %.1f %% of its value.\n", 100 * QUANTILE_ERROR);
}

#define P99 0.99

static bool allocate(struct summary *summary, const struct evaluation *evaluation)
{
	const struct columns *columns = &evaluation->columns;

	summary->count = columns->count;
	summary->scalings = calloc(columns->count + 1, sizeof(*summary->scalings));
	summary->quantiles = calloc(columns->count + 1, sizeof(*summary->quantiles));
	summary->integrals = calloc(columns->count + 1, sizeof(*summary->integrals));
	if (!summary->scalings || !summary->quantiles || !summary->integrals)
		return false;
	for (size_t i = 0; i < columns->count; i++)
		summary->scalings[i] = scaling_of(&columns->list[i]);
	return true;
}

static void take_column(struct summary *summary, size_t number, const struct column *column,
			const void *values, const double *seconds, size_t count)
{
	struct quantile *quantile = &summary->quantiles[number];
	const struct scaling *scaling = &summary->scalings[number];

	for (size_t i = 0; i < count; i++) {
		const double value = scaling_column_value(column, values, i);

		if (!quantile_add(quantile, scaling_value(scaling, value, seconds[i])))
			summary->no_memory = true;
	}
}

static void take_times(struct summary *summary, const struct gpuoa_interval *intervals,
		       size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!summary->rows)
			summary->begin = intervals[i].begin;
		else if (summary->end != intervals[i].begin)
			summary->gaps++;
		summary->end = intervals[i].end;
		summary->covered += intervals[i].end - intervals[i].begin;
		summary->rows++;
	}
}

void summary_take(void *context, const struct evaluation *evaluation, void *const *columns,
		  const struct gpuoa_interval *intervals, size_t count)
{
	struct summary *summary = context;
	double seconds[EVALUATION_BATCH];

	if (!summary->scalings && !allocate(summary, evaluation))
		summary->no_memory = true;
	if (summary->no_memory)
		return;
	for (size_t i = 0; i < count; i++)
		seconds[i] =
			(double)(intervals[i].end - intervals[i].begin) / evaluation->frequency;
	take_times(summary, intervals, count);
	for (size_t i = 0; i < summary->count; i++) {
		const struct column *column = &evaluation->columns.list[i];

		if (column->absent)
			continue;
		take_column(summary, i, column, columns[column->index], seconds, count);
		summary->integrals[i] +=
			scaling_integral(column->type, columns[column->index], intervals, count);
	}
}

static bool is_share(const struct column *column)
{
	struct gpuoa_metric_desc desc;

	if (!column->metric)
		return false;
	gpuoa_metric_describe(column->metric, &desc, sizeof(desc));
	return role_is_share(&desc);
}

/*
 * Find the columns whose metric has a role in the set (enum role). @answers: set to true for each
 * of these columns
 */
static bool find_roles(const struct summary *summary, const struct evaluation *evaluation,
		       bool *answers)
{
	const struct columns *columns = &evaluation->columns;
	bool *available = calloc(evaluation->set.metric_count + 1, sizeof(*available));
	size_t roles[ROLE_COUNT];

	if (!available)
		return false;
	for (size_t i = 0; i < summary->count; i++)
		if (columns->list[i].metric && !columns->list[i].absent)
			available[columns->list[i].index] = true;
	roles_find(evaluation->request.set, available, roles);
	free(available);
	for (size_t i = 0; i < summary->count; i++)
		for (int role = 0; role < ROLE_COUNT; role++)
			answers[i] |= columns->list[i].metric &&
				      columns->list[i].index == roles[role];
	return true;
}

static struct summary_line line_of(struct summary *summary, const struct evaluation *evaluation,
				   size_t number)
{
	const struct column *column = &evaluation->columns.list[number];
	const double seconds = (double)summary->covered / evaluation->frequency;
	const union gpuoa_value *total = evaluation->values + column->index;
	const union gpuoa_value *limit = total + evaluation->row_size;
	const struct scaling *scaling = &summary->scalings[number];
	struct quantile *quantile = &summary->quantiles[number];

	return (struct summary_line){
		.total = gpuoa_value_to_double(column->type, *total) * scaling->factor,
		.least = quantile->least,
		.mean = scaling_value(scaling, gpuoa_value_to_double(column->type, *total),
				      seconds),
		.over_time = summary->covered ? summary->integrals[number] / summary->covered : 0,
		.p99 = quantile_get(quantile, P99),
		.largest = quantile->largest,
		.limit = scaling_value(scaling, gpuoa_value_to_double(column->type, *limit),
				       seconds),
		.has_limit = column->has_max,
		.is_share = is_share(column),
		.is_exact = quantile_is_exact(quantile),
	};
}

int summary_print(struct summary *summary, struct evaluation *evaluation)
{
	const struct column *list = evaluation->columns.list;
	struct summary_table table;
	bool *answers;

	if (summary->no_memory)
		return fail("out of memory");
	if (gpuoa_calc_total(evaluation->calc, evaluation->values, NULL, false))
		return EXIT_OK;
	gpuoa_calc_total_max(evaluation->calc, evaluation->values + evaluation->row_size);
	answers = calloc(summary->count + 1, sizeof(*answers));
	if (!answers || !find_roles(summary, evaluation, answers)) {
		free(answers);
		return fail("out of memory");
	}
	summary_table_begin(&table, summary, evaluation);
	for (size_t i = 0; i < summary->count; i++) {
		struct summary_line line = { 0 };

		if (!list[i].absent)
			line = line_of(summary, evaluation, i);
		line.answers_role = answers[i];
		summary_table_line(&table, &list[i], &summary->scalings[i], &line);
	}
	summary_table_end(&table);
	free(answers);
	return EXIT_OK;
}

void summary_free(struct summary *summary)
{
	for (size_t i = 0; summary->quantiles && i < summary->count; i++)
		quantile_free(&summary->quantiles[i]);
	free(summary->quantiles);
	free(summary->integrals);
	free(summary->scalings);
	*summary = (struct summary){ 0 };
}
