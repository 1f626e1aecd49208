// SPDX-License-Identifier: MIT
/*
 * evaluation_print.c - rows, windows and totals on stdout, or to who takes them
 */
#include "evaluation_print.h"

#include <stdio.h>

#include "row.h"

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

void evaluation_print_windows(struct evaluation *evaluation, size_t rows)
{
	const struct evaluation_sink *sink = evaluation->request.sink;

	for (size_t i = 0; i < rows; i++) {
		const union gpuoa_value *row = evaluation->values + i * evaluation->row_size;

		/* Before the first mark, and behind the last one, there may be nothing. */
		if (evaluation->request.marks && !evaluation->spans[i].covered)
			continue;
		evaluation->intervals_done++;
		if (sink) {
			sink->take_window(sink->context, evaluation, &evaluation->spans[i], row);
			continue;
		}
		output_record(&evaluation->output, evaluation->fields,
			      row_window_fields(evaluation, &evaluation->spans[i], row,
						evaluation->fields));
	}
}

/* One metric per line, for people. */
static void print_table(struct evaluation *evaluation, const union gpuoa_value *row,
			const union gpuoa_value *max)
{
	for (size_t i = 0; i < evaluation->columns.count; i++) {
		const struct column *column = &evaluation->columns.list[i];
		struct field value = column_field(column, row), most = column_field(column, max);

		value.heading = "VALUE";
		most.heading = "MAX";
		if (!column->has_max)
			most.kind = FIELD_NONE;
		output_record(
			&evaluation->output,
			(struct field[]){
				value,
				most,
				{ .heading = "UNIT", .kind = FIELD_TEXT, .text = column->units },
				{ .heading = "METRIC", .kind = FIELD_TEXT, .text = column->symbol },
				{ .heading = "NAME", .kind = FIELD_TEXT, .text = column->name },
			},
			5);
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
	gpuoa_calc_total_max(evaluation->calc, max);
	print_table(evaluation, row, max);
}
