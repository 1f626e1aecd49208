// SPDX-License-Identifier: MIT
/* calc_total.c - evaluate equations over the sums of many intervals */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "calc/calc.h"

/* Store the sums by counter number, for equations. Returns the sum of the clock. */
static uint64_t spread_sums(const struct gpuoa_calc *calc, uint64_t *counters)
{
	uint64_t clock = 0;

	memset(counters, 0, COUNTER_COUNT * sizeof(*counters));
	for (uint32_t i = 0; i < calc->program->input_count; i++) {
		const struct program_input *input = &calc->program->inputs[i];

		if (input->absolute)
			continue;
		if (input->source < COUNTER_COUNT)
			counters[input->source] = calc->total_sums[i];
		else if (input->source == SOURCE_CLOCK)
			clock = calc->total_sums[i];
	}
	return clock;
}

static union gpuoa_value to_value(union number number, enum gpuoa_value_type type)
{
	if (type == GPUOA_TYPE_FLOAT)
		return (union gpuoa_value){ .f32 = real_to_float(number.real) };
	return (union gpuoa_value){ .u64 = number.integer };
}

/*
 * Evaluate one equation of each metric. Unavailable metrics and those without such an equation are
 * 0.
 */
static void evaluate_metrics(struct gpuoa_calc *calc, bool max, union number *numbers)
{
	const struct gpuoa_metric *metrics = set_metrics(calc->set);
	uint64_t counters[COUNTER_COUNT];
	const struct evaluation evaluation = {
		.constants = calc->constants,
		.counters = counters,
		.timestamp = calc->total_sums[INPUT_TICKS],
		.clock = spread_sums(calc, counters),
		.metrics = calc->total,
		.valid = calc->total_valid,
	};

	for (uint32_t i = 0; i < calc->set->metric_count; i++) {
		const uint32_t *code = table_follow(max ? &metrics[i].max : &metrics[i].equation);

		numbers[i] = (union number){ .integer = 0 };
		if (!max)
			calc->total_valid[i] = false;
		if (!code || !calc->selection.needed[i] ||
		    gpuoa_metric_available(&metrics[i], calc->constants, NULL, 0) <= 0)
			continue;
		numbers[i] = evaluate(code, &evaluation, metric_definition(&metrics[i])->type);
		if (!max && calc->selection.validity)
			calc->total_valid[i] = evaluate_valid(code, &evaluation);
	}
}

static void put_metrics(const struct gpuoa_calc *calc, const union number *numbers,
			union gpuoa_value *values)
{
	for (uint32_t i = 0; i < calc->selection.metric_count; i++)
		values[i] = to_value(numbers[calc->selection.metrics[i]],
				     gpuoa_calc_output_type(calc, i));
}

/* Returns the position after the last value. */
static union gpuoa_value *put_infos(const struct gpuoa_calc *calc, const struct evaluation *end,
				    union gpuoa_value *values)
{
	const struct gpuoa_info *infos = set_infos(calc->set);

	for (uint32_t i = 0; calc->selection.infos && i < calc->set->info_count; i++)
		values++->u64 =
			evaluate(table_follow(&infos[i].equation), end, GPUOA_TYPE_UINT64).integer;
	return values;
}

static void put_validity(const struct gpuoa_calc *calc, union gpuoa_value *values)
{
	for (uint32_t i = 0; i < calc->selection.metric_count; i++)
		values[i].u64 = calc->total_valid[calc->selection.metrics[i]];
}

void calc_evaluate(struct gpuoa_calc *calc, const uint64_t *sums, const struct evaluation *end,
		   union gpuoa_value *values)
{
	memcpy(calc->total_sums, sums, calc->program->input_count * sizeof(*sums));
	evaluate_metrics(calc, false, calc->total);
	put_metrics(calc, calc->total, values);
	values = put_infos(calc, end, values + calc->selection.metric_count);
	if (calc->selection.maxima) {
		evaluate_metrics(calc, true, calc->total_max);
		put_metrics(calc, calc->total_max, values);
		values += calc->selection.metric_count;
	}
	if (calc->selection.validity)
		put_validity(calc, values);
	calc->has_total = true;
}

static void begin_anew(struct gpuoa_calc *calc)
{
	memset(calc->sums, 0, calc->program->input_count * sizeof(*calc->sums));
	calc->rows = 0;
}

void calc_take_sums(struct gpuoa_calc *calc, uint64_t *sums)
{
	calc_settle(calc);
	memcpy(sums, calc->sums, calc->program->input_count * sizeof(*sums));
	begin_anew(calc);
}

int gpuoa_calc_total(struct gpuoa_calc *calc, union gpuoa_value *values,
		     struct gpuoa_interval *interval, bool restart)
{
	if (!calc->rows)
		return -ENODATA;
	calc_settle(calc);
	calc_evaluate(calc, calc->sums, &calc->end, values);
	if (interval)
		*interval =
			(struct gpuoa_interval){ .begin = calc->first, .end = calc->end.timestamp };
	if (restart)
		begin_anew(calc);
	return 0;
}

int gpuoa_calc_total_max(struct gpuoa_calc *calc, union gpuoa_value *values)
{
	if (!calc->has_total)
		return -ENODATA;
	evaluate_metrics(calc, true, calc->total_max);
	put_metrics(calc, calc->total_max, values);
	memset(values + calc->selection.metric_count, 0,
	       (gpuoa_calc_output_count(calc) - calc->selection.metric_count) * sizeof(*values));
	return 0;
}
