// SPDX-License-Identifier: MIT
/*
 * evaluation_print.c - output of rows, windows and totals to stdout or to a sink
 */
#include "common/evaluation_print.h"
#include "common/scaling.h"

#include <stdio.h>

#include "common/row.h"

void evaluation_print_header(struct evaluation *evaluation)
{
	const struct gpuoa_interval nothing = { 0 };
	const struct gpuoa_window no_window = { 0 };

	if (evaluation->request.sink)
		return;
	if (evaluation->windows) {
		output_header(&evaluation->output, evaluation->fields,
			      row_window_fields(evaluation, &no_window, evaluation->values,
						evaluation->fields));
		return;
	}
	output_header(&evaluation->output, evaluation->fields,
		      row_fields(evaluation, &nothing, evaluation->values, evaluation->fields));
}

void evaluation_print_row(struct evaluation *evaluation, const struct gpuoa_interval *interval,
			  const union gpuoa_value *row)
{
	output_record(&evaluation->output, evaluation->fields,
		      row_fields(evaluation, interval, row, evaluation->fields));
}

/* Windows between marks have no requested length. */
static void print_window(struct evaluation *evaluation, const struct gpuoa_window *window,
			 const union gpuoa_value *values)
{
	const struct marks *marks = evaluation->request.marks;
	const bool marked = marks && window->number && window->number < marks->count;

	row_table_print(&evaluation->table, evaluation,
			&(struct row_table_row){
				.begin = marks && window->covered ? window->data.begin :
								    window->begin,
				.end = window->end,
				.covered = window->covered,
				.mark = marked ? &marks->values[window->number] : NULL,
				.values = values,
			});
}

void evaluation_print_windows(struct evaluation *evaluation, size_t rows)
{
	const struct evaluation_sink *sink = evaluation->request.sink;

	for (size_t i = 0; i < rows; i++) {
		const union gpuoa_value *row = evaluation->values + i * evaluation->row_size;

		/* There may be no reports before the first mark or after the last one. */
		if (evaluation->request.marks && !evaluation->spans[i].covered)
			continue;
		evaluation->intervals_done++;
		if (sink) {
			sink->take_window(sink->context, evaluation, &evaluation->spans[i], row);
			continue;
		}
		if (evaluation->tool->format == OUTPUT_TABLE)
			print_window(evaluation, &evaluation->spans[i], row);
		else
			output_record(&evaluation->output, evaluation->fields,
				      row_window_fields(evaluation, &evaluation->spans[i], row,
							evaluation->fields));
	}
}

/* Format the rate in addition to the number: "20.9 GB/s". Ratios are already in percent. */
static const char *rate_cell(const struct column *column, const union gpuoa_value *row,
			     double seconds, char text[SCALING_LONG])
{
	const struct scaling scaling = scaling_of(column);
	const double value = gpuoa_value_to_double(column->type, row[column->index]);
	struct gpuoa_measure_desc units;

	gpuoa_measure_describe(column->units, &units, sizeof(units));
	*text = '\0';
	if (!column->absent && units.quantity == GPUOA_QUANTITY_TIME)
		return scaling_text_seconds(value * units.scale, text);
	if (column->absent || scaling.relative || (!scaling.rate && scaling.is_word))
		return text;
	return scaling_text_unit(scaling_value(&scaling, value, seconds), &scaling, text);
}

/* Print one metric per line. */
static void print_table(struct evaluation *evaluation, const union gpuoa_value *row,
			const union gpuoa_value *max, double seconds)
{
	for (size_t i = 0; i < evaluation->columns.count; i++) {
		const struct column *column = &evaluation->columns.list[i];
		struct field value = column_field(column, row), most = column_field(column, max);
		char rate[SCALING_LONG];

		value.heading = "VALUE";
		value.grouped = true;
		most.heading = "MAX";
		most.grouped = true;
		most.optional = 2;
		if (!column->has_max)
			most.kind = FIELD_NONE;
		output_record(
			&evaluation->output,
			(struct field[]){
				value,
				{ .heading = "UNIT",
				  .kind = FIELD_TEXT,
				  .text = scaling_units(column->units) },
				{ .heading = "METRIC", .kind = FIELD_TEXT, .text = column->symbol },
				{ .heading = "RATE",
				  .kind = FIELD_TEXT,
				  .text = rate_cell(column, row, seconds, rate),
				  .optional = 3 },
				most,
				{ .heading = "NAME",
				  .kind = FIELD_TEXT,
				  .text = column->name,
				  .optional = 1 },
			},
			6);
	}
	output_end(&evaluation->output);
}

void evaluation_print_totals(struct evaluation *evaluation, const struct gpuoa_interval *interval)
{
	const union gpuoa_value *row = evaluation->values;
	union gpuoa_value *max = evaluation->values + evaluation->row_size;

	if (evaluation->tool->format != OUTPUT_TABLE) {
		evaluation_print_row(evaluation, interval, row);
		fflush(stdout);
		return;
	}
	if (evaluation->request.repeated) {
		row_table_print(&evaluation->table, evaluation,
				&(struct row_table_row){
					.begin = interval->begin,
					.end = interval->end,
					.covered = interval->end - interval->begin,
					.values = row,
				});
		fflush(stdout);
		return;
	}
	gpuoa_calc_total_max(evaluation->calc, max);
	print_table(evaluation, row, max,
		    (double)(interval->end - interval->begin) / (double)evaluation->frequency);
}
