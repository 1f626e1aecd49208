// SPDX-License-Identifier: MIT
/* calculation.c - values of the metrics and information items that pass the filter of a set */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "igdmd.h"

/* Rows calculated at once */
#define BATCH 64

enum conversion {
	TO_SAME, /* only the type is added */
	TO_QUOTIENT, /* by .divisor */
	TO_BOOL,
	TO_PREVIOUS_CONTEXT, /* ContextId of the row before */
	/* truncate the timestamp: libgpuoa extends it to 64 bits, the API does not */
	TO_WRAPPED_TIME,
};

struct column {
	enum conversion conversion;
	enum mdapi_value_type type;
	uint64_t mask; /* valid bits of a value without conversion */
	uint32_t source; /* index of the value in a row of the calculator */
	uint32_t divisor;
	bool has_max;
};

struct calculation {
	const struct set *set;
	uint32_t format;
	uint32_t report_size; /* of .format */
	bool queries; /* data consists of results of queries, IGDML_REPORT_SIZE each */
	uint64_t frequency; /* of timestamps, Hz */
	uint64_t time_mask; /* ticks */
	const struct gpuoa_metric **metrics;
	struct column *columns; /* of metrics, then items */
	uint32_t *converted; /* indices of columns whose conversion is not TO_SAME */
	uint32_t converted_count;
	uint32_t metric_count;
	uint32_t column_count;

	struct gpuoa_calc *calc;
	bool with_maxima;
	uint32_t width; /* values of a row of .calc */
	uint32_t maxima; /* index of the first maximum in a row */
	union gpuoa_value *rows; /* BATCH of them */
	struct gpuoa_interval intervals[BATCH];
	uint64_t previous_context; /* context id of the report that begins the next row */
	bool has_last; /* .calc has seen .last */
	uint8_t *last;
};

static void close_calc(struct calculation *calculation)
{
	gpuoa_calc_close(calculation->calc);
	free(calculation->rows);
	calculation->calc = NULL;
	calculation->rows = NULL;
}

static int open_calc(struct calculation *calculation, bool with_maxima)
{
	const struct gpuoa_calc_options options = {
		.size = sizeof(options),
		.metrics = calculation->metrics,
		.metric_count = calculation->metric_count,
		.maxima = with_maxima,
	};
	char error[256];
	int err = gpuoa_calc_open(calculation->set->set, calculation->set->constants,
				  calculation->format, &options, &calculation->calc, error,
				  sizeof(error));

	if (err) {
		igdmd_log("%s: cannot calculate: %s", calculation->set->desc.symbol, error);
		calculation->calc = NULL;
		return err;
	}
	calculation->with_maxima = with_maxima;
	calculation->width = (uint32_t)gpuoa_calc_output_count(calculation->calc);
	calculation->maxima =
		calculation->metric_count + (uint32_t)calculation->set->desc.info_count;
	calculation->rows = malloc((size_t)BATCH * calculation->width * sizeof(union gpuoa_value));
	if (calculation->rows)
		return 0;
	close_calc(calculation);
	return -ENOMEM;
}

void calculation_free(struct calculation *calculation)
{
	if (!calculation)
		return;
	close_calc(calculation);
	free(calculation->metrics);
	free(calculation->columns);
	free(calculation->converted);
	free(calculation->last);
	free(calculation);
}

static struct column column_of_metric(const struct metric *metric)
{
	const bool real = metric->params.result_type == MDAPI_RESULT_FLOAT;

	return (struct column){
		.conversion = metric->divisor > 1 ? TO_QUOTIENT : TO_SAME,
		.type = real ? MDAPI_VALUE_FLOAT : MDAPI_VALUE_UINT64,
		.mask = real ? UINT32_MAX : UINT64_MAX,
		.divisor = metric->divisor,
		.has_max = metric->has_max,
	};
}

static struct column column_of_info(const struct info *info)
{
	struct column column = {
		.conversion = TO_SAME,
		.type = MDAPI_VALUE_UINT64,
		.mask = UINT64_MAX,
	};

	if (info->params.type == MDAPI_INFO_FLAG) {
		column.conversion = TO_BOOL;
		column.type = MDAPI_VALUE_BOOL;
	} else if (info->params.type == MDAPI_INFO_TIMESTAMP) {
		column.conversion = TO_WRAPPED_TIME;
	} else if (!strcmp(info->params.symbol, PREVIOUS_CONTEXT_ID)) {
		column.conversion = TO_PREVIOUS_CONTEXT;
	}
	return column;
}

/* Return the index of an item in a row of the calculator, which outputs all items of the set. */
static uint32_t source_of(const struct calculation *calculation, const struct info *info)
{
	const struct set *set = calculation->set;

	if (!strcmp(info->params.symbol, PREVIOUS_CONTEXT_ID))
		info = set_find_info(set, "ContextId");
	return calculation->metric_count + (uint32_t)(info - set->infos);
}

static void set_columns(struct calculation *calculation)
{
	const struct set *set = calculation->set;

	for (uint32_t i = 0; i < calculation->metric_count; i++) {
		calculation->metrics[i] = set->filtered_metrics[i]->metric;
		calculation->columns[i] = column_of_metric(set->filtered_metrics[i]);
		calculation->columns[i].source = i;
	}
	for (uint32_t i = calculation->metric_count; i < calculation->column_count; i++) {
		const struct info *info = set->filtered_infos[i - calculation->metric_count];

		calculation->columns[i] = column_of_info(info);
		calculation->columns[i].source = source_of(calculation, info);
	}
	for (uint32_t i = 0; i < calculation->column_count; i++)
		if (calculation->columns[i].conversion != TO_SAME)
			calculation->converted[calculation->converted_count++] = i;
}

enum mdapi_result calculation_new(const struct set *set, struct calculation **result)
{
	const struct mdapi_set_params_1_0 *params = &set->filtered_params.base;
	const struct device *device = set->group->device;
	struct calculation *calculation = igdmd_alloc(1, sizeof(*calculation));
	struct gpuoa_field_desc time;
	int err;

	if (!calculation)
		return MDAPI_NO_MEMORY;
	*calculation = (struct calculation){
		.set = set,
		.format = set->desc.format,
		.report_size = params->report_size,
		.queries = !(params->apis & MDAPI_API_STREAM),
		.frequency = device->frequency,
		.time_mask = UINT64_MAX,
		.metric_count = params->metric_count,
		.column_count = params->metric_count + params->info_count,
		.metrics = igdmd_alloc(params->metric_count, sizeof(*calculation->metrics)),
		.columns = igdmd_alloc(params->metric_count + params->info_count,
				       sizeof(*calculation->columns)),
		.converted = igdmd_alloc(params->metric_count + params->info_count,
					 sizeof(*calculation->converted)),
		.last = igdmd_alloc(1, params->report_size),
	};
	if (!gpuoa_report_field(calculation->format, GPUOA_FIELD_TIMESTAMP, 0, &time,
				sizeof(time)) &&
	    time.bits < 64)
		calculation->time_mask = (1ull << time.bits) - 1;
	err = calculation->metrics && calculation->columns && calculation->converted &&
			      calculation->last ?
		      0 :
		      -ENOMEM;
	if (!err) {
		set_columns(calculation);
		err = open_calc(calculation, false);
	}
	if (err) {
		calculation_free(calculation);
		return igdmd_result(err);
	}
	*result = calculation;
	return MDAPI_OK;
}

void calculation_restart(struct calculation *calculation)
{
	gpuoa_calc_discontinuity(calculation->calc);
	calculation->has_last = false;
}

bool calculation_has_last(const struct calculation *calculation)
{
	return calculation->has_last;
}

/* Reopen the calculator with or without maxima, and pass it the last report again. */
static int use_maxima(struct calculation *calculation, bool with_maxima)
{
	int err;

	if (calculation->calc && calculation->with_maxima == with_maxima)
		return 0;
	close_calc(calculation);
	err = open_calc(calculation, with_maxima);
	if (!err && calculation->has_last) {
		size_t used;

		gpuoa_calc_run(calculation->calc, calculation->last, 1, calculation->rows, NULL, 1,
			       &used);
	}
	return err;
}

/* ---- conversion of rows --------------------------------------------------------------------- */

/* Convert the value of a metric. */
static uint64_t convert_number(const struct column *column, uint64_t value)
{
	switch (column->conversion) {
	case TO_QUOTIENT:
		return value / column->divisor;
	case TO_BOOL:
		return value != 0;
	case TO_SAME:
	case TO_PREVIOUS_CONTEXT:
	case TO_WRAPPED_TIME:
		break;
	}
	return value & column->mask;
}

static uint64_t convert(struct calculation *calculation, const struct column *column,
			uint64_t value, const struct gpuoa_interval *interval)
{
	const uint64_t previous = calculation->previous_context;

	if (column->conversion == TO_PREVIOUS_CONTEXT) {
		calculation->previous_context = value;
		return previous;
	}
	if (column->conversion == TO_WRAPPED_TIME) {
		const uint64_t ticks = calculation->queries ? interval->begin : interval->end;

		return gpuoa_ticks_to_ns(calculation->frequency, ticks & calculation->time_mask);
	}
	return convert_number(column, value);
}

/* If a metric has no maximum, use its value. */
static void convert_maxima(const struct calculation *calculation, const union gpuoa_value *row,
			   const struct mdapi_value *values, struct mdapi_value *maxima)
{
	const union gpuoa_value *max = row + calculation->maxima;

	for (uint32_t i = 0; i < calculation->metric_count; i++) {
		const struct column *column = &calculation->columns[i];

		maxima[i] = values[i];
		if (column->has_max)
			maxima[i].u64 = convert_number(column, max[i].u64);
	}
}

/* Most columns are copied without a conversion. These loops copy them without branches. */
static void convert_row(struct calculation *calculation, const union gpuoa_value *row,
			const struct gpuoa_interval *interval, struct mdapi_value *values)
{
	const struct column *columns = calculation->columns;

	for (uint32_t i = 0; i < calculation->metric_count; i++) {
		values[i].type = columns[i].type;
		values[i].u64 = row[i].u64 & columns[i].mask;
	}
	for (uint32_t i = calculation->metric_count; i < calculation->column_count; i++) {
		values[i].type = columns[i].type;
		values[i].u64 = row[columns[i].source].u64 & columns[i].mask;
	}
	for (uint32_t i = 0; i < calculation->converted_count; i++) {
		const struct column *column = &columns[calculation->converted[i]];

		values[calculation->converted[i]].u64 =
			convert(calculation, column, row[column->source].u64, interval);
	}
}

struct output {
	struct mdapi_value *values;
	struct mdapi_value *maxima; /* may be NULL */
	uint32_t rows;
};

static void put_rows(struct calculation *calculation, size_t count, struct output *output)
{
	const union gpuoa_value *row = calculation->rows;

	for (size_t i = 0; i < count; i++) {
		convert_row(calculation, row, &calculation->intervals[i], output->values);
		if (output->maxima) {
			convert_maxima(calculation, row, output->values, output->maxima);
			output->maxima += calculation->metric_count;
		}
		output->values += calculation->column_count;
		row += calculation->width;
	}
	output->rows += (uint32_t)count;
}

/* ---- calculation ---------------------------------------------------------------------------- */

static void remember(struct calculation *calculation, const uint8_t *report)
{
	memcpy(calculation->last, report, calculation->report_size);
	calculation->has_last = true;
}

static uint64_t context_of(const struct calculation *calculation, const uint8_t *report)
{
	struct gpuoa_report_desc desc;

	return !gpuoa_report_describe(calculation->set->set, calculation->format, report, &desc,
				      sizeof(desc)) &&
			       desc.has_context ?
		       desc.context_id :
		       0;
}

static void run_all(struct calculation *calculation, const uint8_t *reports, size_t count,
		    struct output *output)
{
	if (!calculation->has_last)
		calculation->previous_context = context_of(calculation, reports);
	remember(calculation, reports + (count - 1) * calculation->report_size);
	while (count) {
		size_t used;

		put_rows(calculation,
			 gpuoa_calc_run(calculation->calc, reports, count, calculation->rows,
					calculation->intervals, BATCH, &used),
			 output);
		reports += used * calculation->report_size;
		count -= used;
	}
}

static bool is_of_timer(const struct calculation *calculation, const uint8_t *report)
{
	struct gpuoa_report_desc desc;

	return !gpuoa_report_describe(calculation->set->set, calculation->format, report, &desc,
				      sizeof(desc)) &&
	       desc.has_reason && (desc.reason & GPUOA_REASON_TIMER);
}

static void run_async(struct calculation *calculation, const uint8_t *reports, size_t count,
		      struct output *output)
{
	for (; count; count--, reports += calculation->report_size) {
		const bool first = !calculation->has_last;
		size_t used;

		if (is_of_timer(calculation, reports))
			continue;
		if (first) {
			/*
			 * Output a row with a zero-length interval and the information items of the
			 * report.
			 */
			calculation->previous_context = context_of(calculation, reports);
			gpuoa_calc_run(calculation->calc, reports, 1, calculation->rows, NULL, 1,
				       &used);
		}
		gpuoa_calc_run(calculation->calc, reports, 1, calculation->rows,
			       calculation->intervals, 1, &used);
		if (first) {
			const uint32_t maxima = calculation->maxima;

			memset(calculation->rows, 0,
			       calculation->metric_count * sizeof(*calculation->rows));
			memset(calculation->rows + maxima, 0,
			       (calculation->width - maxima) * sizeof(*calculation->rows));
		}
		put_rows(calculation, 1, output);
		remember(calculation, reports);
	}
}

/* Each result is a separate interval. If there is no time between its reports, values are 0. */
static enum mdapi_result run_queries(struct calculation *calculation, const uint8_t *results,
				     size_t count, struct output *output)
{
	const size_t size = calculation->report_size;
	uint8_t *pair = malloc(2 * size);

	if (!pair)
		return MDAPI_NO_MEMORY;
	for (size_t i = 0; i < count; i++, results += IGDML_REPORT_SIZE) {
		size_t used;

		memcpy(pair, results, size);
		memcpy(pair + size, results + IGDML_END_OFFSET, size);
		calculation_restart(calculation);
		if (gpuoa_calc_run(calculation->calc, pair, 2, calculation->rows,
				   calculation->intervals, 1, &used) != 1) {
			memset(calculation->rows, 0,
			       calculation->width * sizeof(*calculation->rows));
			calculation->intervals[0] = (struct gpuoa_interval){ 0 };
		}
		put_rows(calculation, 1, output);
	}
	calculation_restart(calculation);
	free(pair);
	return MDAPI_OK;
}

/* Returns the number of rows that result from @count reports. */
static size_t count_rows(const struct calculation *calculation, const uint8_t *reports,
			 size_t count, bool async)
{
	size_t rows = 0;

	if (calculation->queries)
		return count;
	if (!async) /* There is no row for the first report, because a row needs two reports. */
		return count && !calculation->has_last ? count - 1 : count;
	for (; count; count--, reports += calculation->report_size)
		rows += !is_of_timer(calculation, reports);
	return rows;
}

/* Return true if a buffer of @size bytes has space for @rows rows of @columns values. */
static bool fits(uint32_t size, uint32_t columns, size_t rows)
{
	return columns ? size / (columns * sizeof(struct mdapi_value)) >= rows : true;
}

enum mdapi_result calculation_run(struct calculation *calculation,
				  const struct calculation_buffers *buffers, bool async)
{
	const bool with_maxima = buffers->maxima && buffers->maxima_size;
	const uint32_t size = calculation->queries ? IGDML_REPORT_SIZE : calculation->report_size;
	const size_t count = buffers->size / size;
	const size_t rows = count_rows(calculation, buffers->reports, count, async);
	struct output output = {
		.values = buffers->values,
		.maxima = with_maxima ? buffers->maxima : NULL,
	};
	enum mdapi_result result = MDAPI_OK;
	int err;

	if (buffers->row_count)
		*buffers->row_count = 0;
	if (!buffers->size || !calculation->column_count)
		return MDAPI_OK;
	if (buffers->size % size ||
	    buffers->values_size % (calculation->column_count * sizeof(struct mdapi_value)) ||
	    !fits(buffers->values_size, calculation->column_count, rows) ||
	    (with_maxima && !fits(buffers->maxima_size, calculation->metric_count, rows)))
		return MDAPI_INVALID_PARAMETER;
	err = use_maxima(calculation, with_maxima);
	if (err)
		return igdmd_result(err);
	if (calculation->queries)
		result = run_queries(calculation, buffers->reports, count, &output);
	else if (async)
		run_async(calculation, buffers->reports, count, &output);
	else
		run_all(calculation, buffers->reports, count, &output);
	if (buffers->row_count)
		*buffers->row_count = output.rows;
	return result;
}
