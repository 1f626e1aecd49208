// SPDX-License-Identifier: MIT
/* calc.c - public functions of the calculator: rows, columns, summaries, totals, descriptions */
#include "calc/calc.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"

/*
 * Use non-temporal stores for columns of more values than this: they leave the caches before the
 * caller reads them.
 */
#define STREAM_VALUES (1024 * 1024)

size_t gpuoa_calc_run(struct gpuoa_calc *calc, const void *reports, size_t count,
		      union gpuoa_value *values, struct gpuoa_interval *intervals, size_t max_rows,
		      size_t *used)
{
	const struct calc_sink sink = { .values = values, .intervals = intervals };

	return calc_run(calc, reports, count, &sink, max_rows, used);
}

/*
 * True if the caller requests at least one column. Otherwise only the sums for totals are computed.
 */
static bool some_column(const struct gpuoa_calc *calc, void *const *columns)
{
	for (uint32_t i = 0; i < calc->program->output_count; i++)
		if (columns[i])
			return true;
	return false;
}

size_t gpuoa_calc_run_outputs(struct gpuoa_calc *calc, const void *reports, size_t count,
			      void *const *columns, struct gpuoa_interval *intervals,
			      size_t max_rows, size_t *used)
{
	const size_t rows = count < max_rows ? count : max_rows;
	const struct calc_sink sink = {
		.columns = some_column(calc, columns) ? columns : NULL,
		.intervals = intervals,
		.stream = rows * gpuoa_calc_output_count(calc) >= STREAM_VALUES,
	};

	return calc_run(calc, reports, count, &sink, max_rows, used);
}

static void clear_summary(struct column_summary *summary)
{
	for (size_t i = 0; i < COLUMN_LANES; i++) {
		summary->sums[i] = 0;
		summary->least[i] = INFINITY;
		summary->largest[i] = -INFINITY;
	}
}

static void add_summary(struct gpuoa_summary *to, const struct column_summary *from, size_t rows)
{
	if (!to->rows) {
		to->least = INFINITY;
		to->largest = -INFINITY;
	}
	to->rows += rows;
	for (size_t i = 0; i < COLUMN_LANES; i++) {
		to->sum += from->sums[i];
		if (from->least[i] < to->least)
			to->least = from->least[i];
		if (from->largest[i] > to->largest)
			to->largest = from->largest[i];
	}
}

/* Reset summaries, and the sums and bounds of the small-delta fast path. */
static void begin_summaries(struct gpuoa_calc *calc)
{
	const size_t lanes = calc->program->block_count * LANE_BLOCK;

	calc_settle(calc);
	memset(calc->small_delta_run.least, 0xff, lanes * sizeof(*calc->small_delta_run.least));
	memset(calc->small_delta_run.largest, 0, lanes * sizeof(*calc->small_delta_run.largest));
	for (uint32_t i = 0; i < calc->program->output_count; i++)
		clear_summary(&calc->summaries[i]);
	if (calc->small_delta[SMALL_DELTA_SUMMARIES])
		program_begin_linears(calc->small_delta[SMALL_DELTA_SUMMARIES]);
}

size_t gpuoa_calc_summarize(struct gpuoa_calc *calc, const void *reports, size_t count,
			    struct gpuoa_summary *summaries)
{
	const struct calc_sink sink = { .summaries = summaries };
	const uint32_t outputs = calc->program->output_count;
	size_t used, rows;

	begin_summaries(calc);
	rows = calc_run(calc, reports, count, &sink, SIZE_MAX, &used);
	if (calc->small_delta_batches)
		program_end_linears(calc->small_delta[SMALL_DELTA_SUMMARIES],
				    &calc->small_delta_run, calc->summaries);
	for (uint32_t i = 0; rows && i < outputs; i++) {
		if (calc->program->outputs[i].result == RESULT_NONE)
			calc->summaries[i].least[0] = calc->summaries[i].largest[0] = 0;
		add_summary(&summaries[i], &calc->summaries[i], rows);
	}
	return rows;
}

size_t gpuoa_calc_output_count(const struct gpuoa_calc *calc)
{
	return calc->program->output_count;
}

static const struct gpuoa_metric *selected(const struct gpuoa_calc *calc, size_t index)
{
	return &set_metrics(calc->set)[calc->selection.metrics[index]];
}

/*
 * Return the role of the output at @index, and change @index to the output's index among those of
 * that role. Beyond the outputs, the role is GPUOA_OUTPUT_VALID.
 */
static enum gpuoa_output_role role_of(const struct gpuoa_calc *calc, size_t *index)
{
	const struct selection *selection = &calc->selection;
	const size_t counts[] = {
		[GPUOA_OUTPUT_METRIC] = selection->metric_count,
		[GPUOA_OUTPUT_INFO] = selection->infos ? calc->set->info_count : 0,
		[GPUOA_OUTPUT_MAX] = selection->maxima ? selection->metric_count : 0,
	};
	unsigned int role = GPUOA_OUTPUT_METRIC;

	for (; role < GPUOA_OUTPUT_VALID && *index >= counts[role]; role++)
		*index -= counts[role];
	return role;
}

enum gpuoa_value_type gpuoa_calc_output_type(const struct gpuoa_calc *calc, size_t index)
{
	const enum gpuoa_output_role role = role_of(calc, &index);

	if (role == GPUOA_OUTPUT_METRIC || role == GPUOA_OUTPUT_MAX)
		return metric_definition(selected(calc, index))->type;
	return GPUOA_TYPE_UINT64;
}

const struct gpuoa_metric *gpuoa_calc_excluded(const struct gpuoa_calc *calc, size_t index,
					       char *reason, size_t size)
{
	for (size_t i = 0; i < calc->selection.metric_count; i++) {
		if (calc->program->outputs[i].result != RESULT_NONE || index--)
			continue;
		gpuoa_metric_available(selected(calc, i), calc->constants, reason, size);
		return selected(calc, i);
	}
	return NULL;
}

static void describe_metric(const struct gpuoa_metric *metric, struct gpuoa_output_desc *column)
{
	struct gpuoa_metric_desc desc;

	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	*column = (struct gpuoa_output_desc){
		.symbol = desc.symbol,
		.name = desc.name,
		.description = desc.description,
		.units = desc.units,
		.type = desc.type,
		.metric = metric,
	};
}

static void describe_info(const struct gpuoa_info *info, struct gpuoa_output_desc *column)
{
	struct gpuoa_info_desc desc;

	gpuoa_info_describe(info, &desc, sizeof(desc));
	*column = (struct gpuoa_output_desc){
		.symbol = desc.symbol,
		.name = desc.name,
		.description = desc.description,
		.units = desc.units,
		.type = GPUOA_TYPE_UINT64,
		.info = info,
	};
}

int gpuoa_calc_output_describe(const struct gpuoa_calc *calc, size_t index,
			       struct gpuoa_output_desc *desc, size_t size)
{
	struct gpuoa_output_desc known;
	enum gpuoa_output_role role;

	if (index >= gpuoa_calc_output_count(calc))
		return -ERANGE;
	role = role_of(calc, &index);
	if (role == GPUOA_OUTPUT_INFO)
		describe_info(&set_infos(calc->set)[index], &known);
	else
		describe_metric(selected(calc, index), &known);
	known.role = role;
	if (role == GPUOA_OUTPUT_VALID) {
		known.type = GPUOA_TYPE_UINT64;
		known.units = "";
	}
	sized_give(desc, size, &known, sizeof(known));
	return 0;
}

/*
 * Store the sums of deltas by counter number, as equations expect them. Returns the number of GPU
 * clocks.
 */
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
 * Evaluate one equation of each metric. The result is 0 for unavailable metrics and for metrics
 * without such an equation.
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

/* Store the information items at @values. Returns the position after the last one. */
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

/*
 * Evaluate information item @symbol of a report with this header. Returns false if the platform
 * does not have the item.
 */
static bool read_item(const struct gpuoa_set *set, const char *symbol,
		      const struct evaluation *header, uint32_t *value)
{
	const struct gpuoa_info *info = gpuoa_set_find_info(set, symbol);

	if (!info)
		return false;
	*value = evaluate(table_follow(&info->equation), header, GPUOA_TYPE_UINT64).integer;
	return true;
}

static void read_context(const struct gpuoa_set *set, const struct evaluation *header,
			 struct gpuoa_report_desc *desc)
{
	uint32_t valid = 0;

	if (!read_item(set, "ContextIdValid", header, &valid) || !valid)
		return;
	desc->has_context = read_item(set, "ContextId", header, &desc->context_id);
}

uint32_t gpuoa_report_reasons(const struct gpuoa_set *set)
{
	const uint32_t always = GPUOA_REASON_TIMER | GPUOA_REASON_TRIGGER_1 |
				GPUOA_REASON_TRIGGER_2 | GPUOA_REASON_CONTEXT_SWITCH |
				GPUOA_REASON_IDLE | GPUOA_REASON_CLOCK;

	if (!gpuoa_set_find_info(set, "ReportReason"))
		return 0;
	/* Platforms with SourceId also have MMIO triggers. */
	return gpuoa_set_find_info(set, "SourceId") ? always | GPUOA_REASON_MMIO : always;
}

int gpuoa_report_describe(const struct gpuoa_set *set, uint32_t format, const void *report,
			  struct gpuoa_report_desc *desc, size_t size)
{
	const struct report_format *known_format = format_get(format);
	struct gpuoa_report_desc known = { 0 };
	struct evaluation header;

	if (!known_format)
		return -EINVAL;
	/* Constants are not needed for any of the items read here. */
	header = calc_header(known_format, NULL, report);
	known.timestamp = header.timestamp;
	known.clock = header.clock;
	known.has_clock = known_format->clock.bits;
	known.has_reason = read_item(set, "ReportReason", &header, &known.reason);
	known.has_frequency = read_item(set, "CoreFrequencyMHz", &header, &known.frequency_mhz);
	known.has_trigger = read_item(set, "SourceId", &header, &known.trigger);
	read_context(set, &header, &known);
	/*
	 * A report triggered by MMIO has the written number in place of the context, unless it also
	 * reports a context switch.
	 */
	known.has_marker = known.has_reason && known.reason & GPUOA_REASON_MMIO &&
			   !known.has_context;
	known.marker = known.has_marker ? header.context_id : 0;
	sized_give(desc, size, &known, sizeof(known));
	return 0;
}
