// SPDX-License-Identifier: MIT
/*
 * row.c - conversion of rows to output fields
 */
#include "common/row.h"

uint64_t row_ns(const struct evaluation *evaluation, uint64_t ticks)
{
	const struct evaluation_request *request = &evaluation->request;
	uint64_t ns = 0;

	if (!request->time)
		return gpuoa_ticks_to_ns(evaluation->frequency, ticks);
	gpuoa_time_to_cpu(request->time, request->clock_id, ticks, &ns, NULL);
	return ns;
}

static struct field number_field(const char *name, uint64_t number)
{
	return (struct field){ .name = name, .kind = FIELD_NUMBER, .number = number };
}

static size_t interval_fields(const struct evaluation *evaluation,
			      const struct gpuoa_interval *interval, enum totals_style style,
			      struct field *fields)
{
	if (style == TOTALS_ROW) {
		fields[0] = number_field("timestamp_ns", row_ns(evaluation, interval->end));
		return 1;
	}
	fields[0] = number_field("begin_ticks", interval->begin);
	fields[1] = number_field("end_ticks", interval->end);
	fields[2] = number_field("begin_ns", row_ns(evaluation, interval->begin));
	fields[3] = number_field("end_ns", row_ns(evaluation, interval->end));
	return 4;
}

size_t row_fields(const struct evaluation *evaluation, const struct gpuoa_interval *interval,
		  const union gpuoa_value *row, struct field *fields)
{
	const struct evaluation_request *request = &evaluation->request;
	const struct columns *columns = &evaluation->columns;
	size_t n = 0;

	if (request->unit) {
		fields[n++] = (struct field)FIELD_OF_TEXT("unit", NULL, request->unit);
		fields[n++] = (struct field)FIELD_OF_TEXT("set", NULL, evaluation->set.symbol);
	}
	n += interval_fields(evaluation, interval, request->rows ? TOTALS_ROW : request->totals,
			     fields + n);

	for (size_t i = 0; i < columns->count; i++)
		fields[n++] = column_field(&columns->list[i], row);
	return n;
}

size_t row_window_fields(const struct evaluation *evaluation, const struct gpuoa_window *window,
			 const union gpuoa_value *row, struct field *fields)
{
	const struct marks *marks = evaluation->request.marks;
	const struct gpuoa_interval interval = { window->begin, window->end };
	const struct columns *columns = &evaluation->columns;
	size_t n = interval_fields(evaluation, marks && window->covered ? &window->data : &interval,
				   TOTALS_INTERVAL, fields);

	if (marks)
		fields[n++] = marks_field(marks, window->number);
	fields[n++] = number_field("covered_ticks", window->covered);
	for (size_t i = 0; i < columns->count; i++)
		fields[n++] = column_field(&columns->list[i], row);
	return n;
}
