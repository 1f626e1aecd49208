// SPDX-License-Identifier: MIT
/* exercise.c - Calls all functions of the library on fuzzed definitions and reports. */
#include "exercise.h"

#include <errno.h>
#include <string.h>

#include "gpuoa-catalog.h"

/*
 * Maximum number of sets to test per platform. A platform may have hundreds of sets, but all use
 * the same code.
 */
#define SETS_MAX 8

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

void exercise_constants(struct gpuoa_constants *constants, uint32_t seed)
{
	uint64_t value;

	for (size_t i = 0; i < gpuoa_constants_count(constants); i++) {
		const char *name = gpuoa_constants_name(constants, i);

		if (gpuoa_constants_get(constants, name, &value))
			gpuoa_constants_set(constants, name,
					    (uint64_t)next_random(&seed) >> seed % 24);
	}
}

/* Results of a calculator for all reports passed to it */
struct result {
	union gpuoa_value *rows;
	size_t row_count;
	union gpuoa_value *total;
	union gpuoa_value *max;
	struct gpuoa_interval interval;
	int has_total;
};

static struct result calculate(struct gpuoa_calc *calc, const uint8_t *reports, size_t size,
			       size_t count, size_t part)
{
	const size_t columns = gpuoa_calc_output_count(calc);
	struct result result = { 0 };

	result.rows = calloc((count + 1) * columns + 1, sizeof(*result.rows));
	result.total = calloc(columns + 1, sizeof(*result.total));
	result.max = calloc(columns + 1, sizeof(*result.max));
	MUST(result.rows && result.total && result.max);
	while (count) {
		size_t some = part < count ? part : count, used, rows;

		rows = gpuoa_calc_run(calc, reports, some, result.rows + result.row_count * columns,
				      NULL, some, &used);
		MUST(used == some && rows <= some);
		result.row_count += rows;
		reports += some * size;
		count -= some;
	}
	result.has_total = !gpuoa_calc_total(calc, result.total, &result.interval, true);
	if (result.has_total)
		gpuoa_calc_total_max(calc, result.max);
	return result;
}

static void check_same(const struct result *a, const struct result *b, size_t columns)
{
	const size_t size = columns * sizeof(*a->rows);

	MUST(a->row_count == b->row_count);
	MUST(!memcmp(a->rows, b->rows, a->row_count * size));
	MUST(a->has_total == b->has_total);
	MUST(!memcmp(a->total, b->total, size));
	MUST(!memcmp(a->max, b->max, size));
	MUST(a->interval.begin == b->interval.begin && a->interval.end == b->interval.end);
}

static void result_free(struct result *result)
{
	free(result->rows);
	free(result->total);
	free(result->max);
}

/* Columns must equal rows. */
static void check_columns(struct gpuoa_calc *calc, const uint8_t *reports, size_t count,
			  const struct result *result)
{
	const size_t columns = gpuoa_calc_output_count(calc);
	void **values = calloc(columns + 1, sizeof(*values));
	size_t used;

	MUST(values);
	for (size_t i = 0; i < columns; i++) {
		values[i] = calloc(count + 1, sizeof(uint64_t));
		MUST(values[i]);
	}
	MUST(gpuoa_calc_run_outputs(calc, reports, count, values, NULL, count, &used) ==
	     result->row_count);
	for (size_t i = 0; i < columns; i++) {
		const size_t size = gpuoa_calc_output_type(calc, i) == GPUOA_TYPE_FLOAT ?
					    sizeof(float) :
					    sizeof(uint64_t);

		for (size_t row = 0; row < result->row_count; row++)
			MUST(!memcmp(&result->rows[row * columns + i],
				     (char *)values[i] + row * size, size));
		free(values[i]);
	}
	free(values);
}

static struct gpuoa_calc *open_calc(const struct gpuoa_set *set,
				    const struct gpuoa_constants *constants, uint32_t format,
				    const char *vector, uint8_t every)
{
	struct gpuoa_calc_options options = { .size = sizeof(options), .isa = vector };
	const struct gpuoa_metric **metrics = NULL;
	struct gpuoa_set_desc desc;
	struct gpuoa_calc *calc;
	int err;

	gpuoa_set_describe(set, &desc, sizeof(desc));
	if (every) {
		metrics = calloc(desc.metric_count + 1, sizeof(*metrics));
		MUST(metrics);
		for (size_t i = 0; i < desc.metric_count; i += every)
			metrics[options.metric_count++] = gpuoa_set_get_metric(set, i);
		options.metrics = metrics;
	}
	err = gpuoa_calc_open(set, constants, format, &options, &calc, NULL, 0);
	if (err == -EOPNOTSUPP && vector)
		calc = open_calc(set, constants, format, NULL, every);
	else if (err)
		calc = NULL;
	free(metrics);
	if (calc)
		gpuoa_calc_set_time_base(calc, UINT64_MAX / 3);
	return calc;
}

#define ROWS_AT_ONCE 3

/*
 * Resample all reports into intervals of equal length. Returns the number of ticks that have
 * reports. @values: the values of the last row
 */
static uint64_t run_windows(struct gpuoa_resampler *windows, const uint8_t *reports, size_t size,
			    size_t count, union gpuoa_value *values)
{
	const size_t columns = gpuoa_resampler_output_count(windows);
	struct gpuoa_window spans[ROWS_AT_ONCE];
	uint64_t covered = 0;
	size_t rows, used;

	gpuoa_resampler_set_time_base(windows, 0, UINT64_MAX / 3);
	do {
		rows = gpuoa_resampler_run(windows, 0, reports, count, values, spans, ROWS_AT_ONCE,
					   &used);
		for (size_t i = 0; i < rows; i++)
			covered += spans[i].covered;
		reports += used * size;
		count -= used;
	} while (rows == ROWS_AT_ONCE);
	MUST(!count);
	do {
		rows = gpuoa_resampler_flush(windows, values, spans, ROWS_AT_ONCE);
		for (size_t i = 0; i < rows; i++)
			covered += spans[i].covered;
		if (rows)
			memmove(values, values + (rows - 1) * columns, columns * sizeof(*values));
	} while (rows == ROWS_AT_ONCE);
	return covered;
}

static uint64_t with_windows(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
			     uint32_t format, uint64_t period, const uint8_t *reports, size_t count,
			     union gpuoa_value *values)
{
	const struct gpuoa_resampler_options options = {
		.size = sizeof(options),
		.period_ticks = period,
	};
	struct gpuoa_resampler *windows;
	uint64_t covered;

	MUST(!gpuoa_resampler_open(set, constants, format, &options, &windows, NULL, 0));
	covered = run_windows(windows, reports, gpuoa_format_size(format), count, values);
	gpuoa_resampler_close(windows);
	return covered;
}

/* A single window must equal the total. Many windows must cover the same number of ticks as one. */
static void check_windows(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
			  uint32_t format, size_t columns, const uint8_t *reports, size_t count,
			  const struct result *result)
{
	const uint64_t length = result->interval.end - result->interval.begin;
	union gpuoa_value *values = calloc(ROWS_AT_ONCE * columns + 1, sizeof(*values));
	uint64_t covered;

	MUST(values);
	covered = with_windows(set, constants, format, UINT64_MAX, reports, count, values);
	MUST(covered == length);
	MUST(!result->has_total || !memcmp(values, result->total, columns * sizeof(*values)));
	covered = with_windows(set, constants, format, length / 50 + 1, reports, count, values);
	MUST(covered == length);
	free(values);
}

void exercise_reports(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
		      uint32_t format, const uint8_t *reports, size_t count, struct way way)
{
	static const char *const vectors[] = { "plain", "sse2", "avx2", "avx512" };
	const size_t size = gpuoa_format_size(format);
	struct gpuoa_calc *calc, *other;
	struct result result, same;

	calc = open_calc(set, constants, format, NULL, way.metrics);
	other = open_calc(set, constants, format, vectors[way.vector % 4], way.metrics);
	MUST(!calc == !other);
	if (!calc)
		return;
	result = calculate(calc, reports, size, count, count);
	same = calculate(other, reports, size, count, way.part ? way.part : 1);
	check_same(&result, &same, gpuoa_calc_output_count(calc));
	gpuoa_calc_discontinuity(other);
	check_columns(other, reports, count, &result);
	if (!way.metrics)
		check_windows(set, constants, format, gpuoa_calc_output_count(calc), reports, count,
			      &result);
	result_free(&result);
	result_free(&same);
	gpuoa_calc_close(calc);
	gpuoa_calc_close(other);
}

/* As elements, and as text */
static void exercise_equation(struct gpuoa_equation equation)
{
	struct gpuoa_equation_element element;
	char text[16];

	MUST(gpuoa_equation_text(equation, text, sizeof(text)) >= 0);
	MUST(memchr(text, 0, sizeof(text)));
	while (gpuoa_equation_next(&equation, &element, sizeof(element)))
		continue;
}

static void exercise_metrics(const struct gpuoa_set *set, size_t count,
			     const struct gpuoa_constants *constants)
{
	for (size_t i = 0; i < count; i++) {
		const struct gpuoa_metric *metric = gpuoa_set_get_metric(set, i);
		struct gpuoa_metric_desc desc;

		gpuoa_metric_describe(metric, &desc, sizeof(desc));
		MUST(gpuoa_set_find_metric(set, desc.symbol) == metric);
		MUST(strlen(desc.name) + strlen(desc.description) + strlen(desc.group) +
			     strlen(desc.units) + strlen(desc.equation) + strlen(desc.max) <
		     SIZE_MAX);
		gpuoa_metric_available(metric, constants, NULL, 0);
		for (int role = GPUOA_EQUATION_VALUE; role <= GPUOA_EQUATION_AVAILABILITY; role++)
			exercise_equation(gpuoa_metric_equation(metric, role));
	}
}

static void exercise_view(const struct gpuoa_set *set, const struct gpuoa_constants *constants)
{
	const struct gpuoa_view_options options = {
		.size = sizeof(options),
		.apis = GPUOA_API_IO,
		.constants = constants,
	};
	struct gpuoa_view *view;

	MUST(!gpuoa_view_open(set, &options, &view, NULL, 0));
	for (size_t i = 0; i < gpuoa_view_count(view); i++)
		MUST(gpuoa_view_find(view, gpuoa_view_get_metric(view, i)) == i);
	gpuoa_view_close(view);
}

static void exercise_set(const struct gpuoa_set *set, const struct gpuoa_constants *constants)
{
	static uint8_t reports[4 * 1024];
	struct gpuoa_set_desc desc;
	struct gpuoa_reg reg;
	uint32_t state = 1;

	for (size_t i = 0; i < sizeof(reports); i++)
		reports[i] = next_random(&state);
	gpuoa_set_describe(set, &desc, sizeof(desc));
	MUST(gpuoa_platform_find_set(desc.platform, desc.symbol, NULL, NULL));
	MUST(gpuoa_platform_find_uuid(desc.platform, desc.uuid));
	exercise_metrics(set, desc.metric_count, constants);
	for (size_t i = 0; i < desc.info_count; i++) {
		struct gpuoa_info_desc info;

		gpuoa_info_describe(gpuoa_set_get_info(set, i), &info, sizeof(info));
		MUST(*info.symbol);
		exercise_equation(gpuoa_info_equation(set, gpuoa_set_get_info(set, i)));
	}
	gpuoa_set_available(set, NULL, constants, NULL, 0);
	gpuoa_set_registers(set, GPUOA_REGISTER_MUX, constants, &reg, 1);
	exercise_reports(set, constants, desc.format, reports, 4,
			 (struct way){ .part = 1, .vector = 0 });
	exercise_view(set, constants);
}

void exercise_platform(const struct gpuoa_platform *platform)
{
	const size_t count = gpuoa_platform_set_count(platform);
	struct gpuoa_constants *constants;

	MUST(*gpuoa_platform_name(platform));
	MUST(!gpuoa_constants_new(platform, &constants));
	/* Use the last sets, because those extend a built-in platform. */
	for (size_t i = count > SETS_MAX ? count - SETS_MAX : 0; i < count; i++)
		gpuoa_calc_missing_constant(gpuoa_platform_get_set(platform, i), constants, NULL,
					    0);
	exercise_constants(constants, 1);
	for (size_t i = count > SETS_MAX ? count - SETS_MAX : 0; i < count; i++)
		exercise_set(gpuoa_platform_get_set(platform, i), constants);
	gpuoa_constants_free(constants);
}
