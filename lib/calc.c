// SPDX-License-Identifier: MIT
/* calc.c - the calculator: reports in, rows of values and totals out. */
#include <errno.h>
#include <stdlib.h>

#include "evaluate.h"
#include "format.h"
#include "gpuoa.h"
#include "program.h"
#include "ticks.h"

/* What the reports of one tile hold, one field after the other; element 0 is the last report before it. */
typedef uint32_t field_column[COLUMN_ROWS + 1];

struct gpuoa_calc {
	const struct gpuoa_set *set;
	const struct report_format *format;
	struct gpuoa_constants *constants;
	struct program *program;
	field_column *fields; /* of the program's inputs */
	uint64_t *sums; /* of their differences since the last restart */
	uint64_t *total_sums; /* the same, of the last total */
	union number *total; /* metrics of the last total */

	bool has_last; /* a report has been seen that the next one can be compared with */
	bool has_ticks; /* .ticks is that of some report */
	bool has_anchor; /* the next report's time is near .anchor */
	bool has_total;
	uint64_t ticks; /* of the last report */
	uint64_t anchor;

	uint64_t rows; /* since the last restart */
	uint64_t first; /* ticks at the beginning of the first of them */
	uint64_t end; /* ticks and id of the report at the end of the last of them */
	uint32_t end_id;
};

/* ---- opening and closing ------------------------------------------------------------------------- */

static long missing_in(const struct table_link *link,
		       const struct gpuoa_constants *constants)
{
	const uint32_t *code = table_follow(link);

	return code ? code_missing_constant(code, constants) : -1;
}

/* Constants of a metric that is not there are not needed. */
static long metric_missing(const struct gpuoa_metric *metric,
			   const struct gpuoa_constants *constants)
{
	long missing = -1;

	switch (gpuoa_metric_available(metric, constants)) {
	case 0:
		return -1;
	case 1:
		missing = missing_in(&metric->equation, constants);
		return missing < 0 ? missing_in(&metric->max, constants) :
				     missing;
	default:
		return missing_in(&metric->availability, constants);
	}
}

static long set_missing(const struct gpuoa_set *set,
			const struct gpuoa_constants *constants)
{
	long missing = -1;

	for (uint32_t i = 0; i < set->metric_count && missing < 0; i++)
		missing = metric_missing(&set_metrics(set)[i], constants);
	for (uint32_t i = 0; i < set->info_count && missing < 0; i++)
		missing = missing_in(&set_infos(set)[i].equation, constants);
	return missing;
}

const char *gpuoa_set_missing_constant(const struct gpuoa_set *set,
				       const struct gpuoa_constants *constants)
{
	long missing = set_missing(set, constants);

	return missing < 0 ?
		       NULL :
		       platform_constant_name(constants->platform, missing);
}

static int calc_alloc(struct gpuoa_calc *calc)
{
	uint32_t inputs = calc->program->input_count;

	calc->fields = calloc(inputs, sizeof(*calc->fields));
	calc->sums = calloc(inputs, sizeof(*calc->sums));
	calc->total_sums = calloc(inputs, sizeof(*calc->total_sums));
	calc->total = calloc(calc->set->metric_count, sizeof(*calc->total));
	return calc->fields && calc->sums && calc->total_sums && calc->total ?
		       0 :
		       -ENOMEM;
}

int gpuoa_calc_open(const struct gpuoa_set *set,
		    const struct gpuoa_constants *constants, uint32_t format,
		    struct gpuoa_calc **calc)
{
	const struct report_format *known = format_get(format);
	struct gpuoa_calc *new;
	int error;

	if (!known || constants->platform != table_follow(&set->platform))
		return -EINVAL;
	if (set_missing(set, constants) >= 0)
		return -ENODATA;
	new = calloc(1, sizeof(*new));
	if (!new)
		return -ENOMEM;
	new->set = set;
	new->format = known;
	error = gpuoa_constants_copy(constants, &new->constants);
	if (!error)
		error = program_new(set, new->constants, known, &new->program);
	if (!error)
		error = calc_alloc(new);
	if (error) {
		gpuoa_calc_close(new);
		return error;
	}
	*calc = new;
	return 0;
}

void gpuoa_calc_close(struct gpuoa_calc *calc)
{
	if (!calc)
		return;
	gpuoa_constants_free(calc->constants);
	program_free(calc->program);
	free(calc->fields);
	free(calc->sums);
	free(calc->total_sums);
	free(calc->total);
	free(calc);
}

size_t gpuoa_calc_columns(const struct gpuoa_calc *calc)
{
	return calc->set->metric_count + calc->set->info_count;
}

/* ---- time ---------------------------------------------------------------------------------------- */

void gpuoa_calc_gap(struct gpuoa_calc *calc)
{
	calc->has_last = false;
}

void gpuoa_calc_anchor(struct gpuoa_calc *calc, uint64_t gpu_ticks)
{
	calc->anchor = gpu_ticks;
	calc->has_anchor = true;
}

static void advance_ticks(struct gpuoa_calc *calc, uint32_t timestamp)
{
	if (calc->has_anchor)
		calc->ticks = ticks_near(calc->anchor, timestamp);
	else
		calc->ticks = calc->has_ticks ?
				      ticks_after(calc->ticks, timestamp) :
				      timestamp;
	calc->has_anchor = false;
	calc->has_ticks = true;
}

/* ---- rows ---------------------------------------------------------------------------------------- */

/* Take the fields of @count reports, as fields @first and following. */
static void gather(struct gpuoa_calc *calc, const char *reports, size_t count,
		   size_t first)
{
	for (uint32_t i = 0; i < calc->program->input_count; i++) {
		const char *field = reports + calc->program->inputs[i].offset;
		uint32_t *fields = calc->fields[i] + first;

		for (size_t row = 0; row < count;
		     row++, field += calc->format->size)
			fields[row] = report_dword(field, 0);
	}
}

static void subtract(struct gpuoa_calc *calc, size_t rows)
{
	for (uint32_t i = 0; i < calc->program->input_count; i++) {
		uint64_t *differences = calc->program->columns[i].integers;
		const uint32_t *fields = calc->fields[i];
		uint64_t sum = 0;

		for (size_t row = 0; row < rows; row++) {
			differences[row] =
				(uint32_t)(fields[row + 1] - fields[row]);
			sum += differences[row];
		}
		calc->sums[i] += sum;
	}
}

static void put_metrics(const struct gpuoa_calc *calc,
			union gpuoa_value *values, size_t rows)
{
	const struct program *program = calc->program;
	size_t columns = gpuoa_calc_columns(calc);

	for (uint32_t i = 0; i < program->output_count; i++) {
		const struct program_output *output = &program->outputs[i];
		const union column *column = &program->columns[output->column];
		union gpuoa_value *value = values + i;

		switch (output->result) {
		case RESULT_INTEGER:
			for (size_t row = 0; row < rows;
			     row++, value += columns)
				value->u64 = column->integers[row];
			break;
		case RESULT_FLOAT:
			for (size_t row = 0; row < rows;
			     row++, value += columns)
				*value = (union gpuoa_value){
					.f32 = (float)column->reals[row]
				};
			break;
		default:
			for (size_t row = 0; row < rows;
			     row++, value += columns)
				value->u64 = 0;
			break;
		}
	}
}

static void put_infos(const struct gpuoa_calc *calc, uint64_t ticks,
		      uint32_t id, union gpuoa_value *values)
{
	const struct evaluation evaluation = {
		.constants = calc->constants,
		.timestamp = ticks,
		.report_id = id,
	};
	const struct gpuoa_info *infos = set_infos(calc->set);

	for (uint32_t i = 0; i < calc->set->info_count; i++)
		values[i].u64 = evaluate(table_follow(&infos[i].equation),
					 &evaluation, GPUOA_UINT64)
					.integer;
}

/* Times and information items, row by row. */
static void put_times(struct gpuoa_calc *calc, const char *reports,
		      union gpuoa_value *values,
		      struct gpuoa_interval *intervals, size_t rows)
{
	const uint64_t *ticks = calc->program->columns[0].integers;
	size_t columns = gpuoa_calc_columns(calc);

	for (size_t row = 0; row < rows;
	     row++, reports += calc->format->size, values += columns) {
		struct gpuoa_interval interval;

		advance_ticks(calc, calc->fields[0][row + 1]);
		interval.end = calc->ticks;
		interval.begin = interval.end - ticks[row];
		if (!calc->rows++)
			calc->first = interval.begin;
		calc->end = interval.end;
		calc->end_id = report_read(reports, calc->format->report_id);
		put_infos(calc, calc->end, calc->end_id,
			  values + calc->set->metric_count);
		if (intervals)
			intervals[row] = interval;
	}
}

/* Begin with this report: there is nothing yet to compare it with. */
static void take_first(struct gpuoa_calc *calc, const void *report)
{
	gather(calc, report, 1, 0);
	advance_ticks(calc, calc->fields[0][0]);
	calc->has_last = true;
}

static void run_tile(struct gpuoa_calc *calc, const char *reports,
		     union gpuoa_value *values,
		     struct gpuoa_interval *intervals, size_t rows)
{
	gather(calc, reports, rows, 1);
	subtract(calc, rows);
	program_run(calc->program, rows);
	put_metrics(calc, values, rows);
	put_times(calc, reports, values, intervals, rows);
	for (uint32_t i = 0; i < calc->program->input_count; i++)
		calc->fields[i][0] = calc->fields[i][rows];
}

size_t gpuoa_calc_run(struct gpuoa_calc *calc, const void *reports,
		      size_t count, union gpuoa_value *values,
		      struct gpuoa_interval *intervals, size_t max_rows,
		      size_t *used)
{
	const char *report = reports;
	size_t rows = 0, total;

	*used = 0;
	if (!count)
		return 0;
	if (!calc->has_last) {
		take_first(calc, report);
		*used = 1;
	}
	total = count - *used < max_rows ? count - *used : max_rows;
	report += *used * calc->format->size;
	while (rows < total) {
		size_t tile = total - rows < COLUMN_ROWS ? total - rows :
							   COLUMN_ROWS;

		run_tile(calc, report, values + rows * gpuoa_calc_columns(calc),
			 intervals ? intervals + rows : NULL, tile);
		report += tile * calc->format->size;
		rows += tile;
	}
	*used += rows;
	return rows;
}

/* ---- totals -------------------------------------------------------------------------------------- */

/* Sums by counter, as equations ask for them. */
static void spread_sums(const struct gpuoa_calc *calc, uint64_t *counters)
{
	memset(counters, 0, COUNTER_COUNT * sizeof(*counters));
	for (uint32_t i = 1; i < calc->program->input_count; i++)
		counters[calc->program->inputs[i].counter] =
			calc->total_sums[i];
}

static union gpuoa_value to_value(union number number,
				  enum gpuoa_value_type type)
{
	if (type == GPUOA_FLOAT)
		return (union gpuoa_value){ .f32 = (float)number.real };
	return (union gpuoa_value){ .u64 = number.integer };
}

/* Evaluate one equation of each metric that is there; the others, and those without one, are 0. */
static void evaluate_metrics(const struct gpuoa_calc *calc, bool max,
			     union number *numbers, union gpuoa_value *values)
{
	const struct gpuoa_metric *metrics = set_metrics(calc->set);
	uint64_t counters[COUNTER_COUNT];
	const struct evaluation evaluation = {
		.constants = calc->constants,
		.counters = counters,
		.timestamp = calc->total_sums[0],
		.metrics = calc->total,
	};

	spread_sums(calc, counters);
	for (uint32_t i = 0; i < calc->set->metric_count; i++) {
		const uint32_t *code = table_follow(max ? &metrics[i].max :
							  &metrics[i].equation);
		enum gpuoa_value_type type =
			metric_definition(&metrics[i])->type;
		union number number = { .integer = 0 };

		if (code && calc->program->outputs[i].result != RESULT_NONE)
			number = evaluate(code, &evaluation, type);
		if (numbers)
			numbers[i] = number;
		values[i] = to_value(number, type);
	}
}

int gpuoa_calc_total(struct gpuoa_calc *calc, union gpuoa_value *values,
		     struct gpuoa_interval *interval, bool restart)
{
	size_t size = calc->program->input_count * sizeof(*calc->sums);

	if (!calc->rows)
		return -ENODATA;
	memcpy(calc->total_sums, calc->sums, size);
	evaluate_metrics(calc, false, calc->total, values);
	put_infos(calc, calc->end, calc->end_id,
		  values + calc->set->metric_count);
	if (interval)
		*interval = (struct gpuoa_interval){ .begin = calc->first,
						     .end = calc->end };
	calc->has_total = true;
	if (restart) {
		memset(calc->sums, 0, size);
		calc->rows = 0;
	}
	return 0;
}

int gpuoa_calc_total_max(struct gpuoa_calc *calc, union gpuoa_value *values)
{
	if (!calc->has_total)
		return -ENODATA;
	evaluate_metrics(calc, true, NULL, values);
	memset(values + calc->set->metric_count, 0,
	       calc->set->info_count * sizeof(*values));
	return 0;
}
