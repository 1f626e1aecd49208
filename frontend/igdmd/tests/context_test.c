// SPDX-License-Identifier: MIT
/* context_test.c - calculation contexts, on fake GPUs, against the resampler of libgpuoa */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "client.h"
#include "fake_gpu.h"
#include "lib/tests/tap.h"

#define REPORTS 200
#define TICKS 1000 /* between reports */
#define TILES 2

/* A fake GPU, a set for each of its tiles, and reports of these tiles */
static struct machine {
	const struct fake_gpu *gpu;
	uint32_t tiles;
	struct mdapi_adapters *adapters;
	struct mdapi_adapter *adapter;
	struct mdapi_device *devices[TILES];
	struct mdapi_set *sets[TILES];
	const struct gpuoa_set *definition;
	struct gpuoa_constants *constants; /* of all tiles */
	uint32_t format;
	uint32_t report_size;
	uint8_t *reports[TILES];
	struct mdapi_context *context;
	uint32_t metrics; /* of .context */
	uint32_t columns;
} m;

/*
 * Make reports of one tile, the first one at time @begin. Every seventh report is of a context
 * switch; the timer triggers the others.
 */
static uint8_t *make_reports(uint64_t begin, uint64_t seed)
{
	uint8_t *reports = calloc(REPORTS, m.report_size), *last = NULL;

	for (size_t i = 0; i < REPORTS; i++) {
		uint8_t *next = reports + i * m.report_size;

		fake_next_report(m.definition, &seed, last, next, i ? TICKS : begin,
				 i % 7 == 6 ? GPUOA_REASON_CONTEXT_SWITCH : GPUOA_REASON_TIMER);
		last = next;
	}
	return reports;
}

static bool machine_begin(const struct fake_gpu *gpu, uint32_t tiles, const char *symbol,
			  uint64_t begin)
{
	struct fake_gpu machine = *gpu;
	struct gpuoa_set_desc desc;
	struct gpuoa_unit *unit;

	machine.tiles = tiles;
	fake_begin(&machine, NULL);
	m = (struct machine){ .gpu = gpu, .tiles = tiles };
	if (!CHECK(OpenAdapterGroup(&m.adapters) == MDAPI_OK))
		return false;
	m.adapter = CALL(m.adapters, get_adapter, 0);
	m.definition =
		gpuoa_platform_find_set(gpuoa_platform_find(gpu->platform), symbol, "OA", NULL);
	gpuoa_set_describe(m.definition, &desc, sizeof(desc));
	m.format = desc.format;
	m.report_size = (uint32_t)desc.report_size;
	if (!CHECK(!gpuoa_unit_open("fake0.0", &unit, NULL, 0)) ||
	    !CHECK(!gpuoa_constants_copy(gpuoa_unit_constants(unit), &m.constants)))
		return false;
	for (uint32_t i = 0; i < tiles; i++) {
		if (!CHECK(CALL(m.adapter, open_sub_device_1_16, i, &m.devices[i]) == MDAPI_OK))
			return false;
		m.sets[i] = find_set(CALL(m.devices[i], get_group, 0), symbol);
		m.reports[i] = make_reports(begin, 88172645463325252 + i);
		if (i)
			CHECK(!gpuoa_constants_add(m.constants, gpuoa_unit_constants(unit)));
	}
	gpuoa_unit_close(unit);
	return true;
}

static void close_context(void)
{
	if (m.context)
		CHECK(CALL(m.adapters, destroy_context, m.context) == MDAPI_OK);
	m.context = NULL;
}

static void machine_end(void)
{
	close_context();
	for (uint32_t i = 0; i < m.tiles; i++) {
		CHECK(CALL(m.adapter, close_device, m.devices[i]) == MDAPI_OK);
		free(m.reports[i]);
	}
	CHECK(CALL(m.adapters, close) == MDAPI_OK);
	CHECK(!fake.units_open);
	gpuoa_constants_free(m.constants);
}

/* Return the shortest time in ns that is at least @ticks ticks. */
static uint64_t ns_of(uint64_t ticks)
{
	return (ticks * 1000000000 + m.gpu->timestamp_frequency - 1) / m.gpu->timestamp_frequency;
}

static bool open_context(struct mdapi_context_options options)
{
	options.type = MDAPI_CONTEXT_STREAM;
	options.input_count = m.tiles;
	options.sets = m.sets;
	close_context();
	if (!CHECK(CALL(m.adapters, create_context, &options, &m.context) == MDAPI_OK))
		return false;
	m.metrics = CALL(m.context, get_params)->metric_count;
	m.columns = m.metrics + CALL(m.context, get_params)->info_count;
	return true;
}

/*
 * Pass @chunk reports of each tile per call, with a buffer for @room reports, and mark the last
 * call as such. Returns all aggregated reports.
 */
static uint8_t *aggregate(uint32_t chunk, uint32_t room, uint32_t *size)
{
	const uint8_t *reports[TILES];
	uint32_t sizes[TILES];
	uint8_t *aggregated = calloc(10 * REPORTS, m.report_size);
	enum mdapi_result result;

	*size = 0;
	for (uint32_t i = 0; i < REPORTS; i += chunk) {
		const uint32_t count = i + chunk < REPORTS ? chunk : REPORTS - i;

		for (uint32_t j = 0; j < m.tiles; j++) {
			reports[j] = m.reports[j] + (size_t)i * m.report_size;
			sizes[j] = count * m.report_size;
		}
		do {
			uint32_t used = room * m.report_size;

			result = CALL(m.context, aggregate, reports, sizes, aggregated + *size,
				      &used, i + count == REPORTS);
			*size += used;
			memset(sizes, 0, sizeof(sizes));
		} while (result == MDAPI_TRY_AGAIN);
		CHECK(result == MDAPI_OK);
	}
	return aggregated;
}

struct rows {
	struct mdapi_value *values;
	uint32_t count;
};

static struct rows calculate(const uint8_t *reports, uint32_t size)
{
	const uint32_t space = size / m.report_size * m.columns * 16;
	struct rows rows = { .values = calloc(size / m.report_size + 1, (size_t)m.columns * 16) };

	CHECK(CALL(m.context, calculate, reports, size, rows.values, space, &rows.count, NULL, 0) ==
	      MDAPI_OK);
	return rows;
}

static struct rows aggregate_and_calculate(void)
{
	uint32_t size;
	uint8_t *aggregated = aggregate(REPORTS, 10 * REPORTS, &size);
	struct rows rows = calculate(aggregated, size);

	free(aggregated);
	return rows;
}

/*
 * Rows that the library's resampler computes from the same reports, without the rows of windows
 * that have no data
 */
struct expected {
	struct gpuoa_resampler *resampler;
	size_t width;
	union gpuoa_value *values;
	struct gpuoa_window *windows;
	size_t count;
};

static void expect(struct expected *expected, struct gpuoa_resampler_options options)
{
	const size_t max = 10 * REPORTS;
	size_t used, kept = 0;

	options.size = sizeof(options);
	options.inputs = m.tiles;
	*expected = (struct expected){ .windows = calloc(max, sizeof(struct gpuoa_window)) };
	if (!CHECK(!gpuoa_resampler_open(m.definition, m.constants, m.format, &options,
					 &expected->resampler, NULL, 0)))
		abort();
	expected->width = gpuoa_resampler_output_count(expected->resampler);
	expected->values = calloc(max * expected->width, sizeof(*expected->values));
	for (size_t i = 0; i < REPORTS; i++)
		for (uint32_t j = 0; j < m.tiles; j++)
			expected->count += gpuoa_resampler_run(
				expected->resampler, j, m.reports[j] + i * m.report_size, 1,
				expected->values + expected->count * expected->width,
				expected->windows + expected->count, max - expected->count, &used);
	expected->count += gpuoa_resampler_flush(
		expected->resampler, expected->values + expected->count * expected->width,
		expected->windows + expected->count, max - expected->count);
	for (size_t i = 0; i < expected->count; i++) {
		if (!expected->windows[i].covered)
			continue;
		expected->windows[kept] = expected->windows[i];
		memmove(expected->values + kept++ * expected->width,
			expected->values + i * expected->width,
			expected->width * sizeof(*expected->values));
	}
	expected->count = kept;
}

static void expected_free(struct expected *expected)
{
	gpuoa_resampler_close(expected->resampler);
	free(expected->values);
	free(expected->windows);
}

static double value_of(const struct mdapi_value *value)
{
	return value->type == MDAPI_VALUE_FLOAT ? (double)value->f32 : (double)value->u64;
}

/* @slack: allowed error of a value, in counter events (an event counts up to 64 bytes) */
static void compare(const struct rows *rows, const struct expected *expected, double slack)
{
	const uint64_t mask = m.gpu->timestamp_bits == 32 ? UINT32_MAX : UINT64_MAX;

	if (!CHECK(rows->count == expected->count)) {
		printf("# %u rows, %zu expected\n", rows->count, expected->count);
		return;
	}
	CHECK(m.metrics > 20);
	for (uint32_t j = 0; j < m.metrics; j++) {
		const struct mdapi_metric_params *params =
			CALL(CALL(m.context, get_metric, j), get_params);
		struct gpuoa_metric_desc desc;

		gpuoa_metric_describe(gpuoa_set_find_metric(m.definition, params->symbol), &desc,
				      sizeof(desc));
		for (uint32_t i = 0; i < rows->count; i++) {
			const double value = value_of(&rows->values[i * m.columns + j]);
			const union gpuoa_value plain =
				expected->values[i * expected->width + desc.index];
			double want = desc.type == GPUOA_TYPE_FLOAT ? (double)plain.f32 :
								      (double)plain.u64;

			if (!strcmp(params->symbol, "AvgGpuCoreFrequencyMHz"))
				want = (double)(plain.u64 / 1000000);
			if (!CHECK(fabs(value - want) <= slack * (64 + 1e-4 * fabs(want)))) {
				printf("# row %u, %s: %.9g, expected %.9g\n", i, params->symbol,
				       value, want);
				return;
			}
		}
	}
	for (uint32_t i = 0; i < rows->count; i++)
		CHECK(rows->values[(i + 1) * m.columns - 1].u64 ==
		      gpuoa_ticks_to_ns(m.gpu->timestamp_frequency,
					expected->windows[i].data.end & mask));
}

/* ---- windows -------------------------------------------------------------------------------- */

static void rows_of_a_period_are_those_of_the_resampler(void)
{
	static const struct fake_gpu *const gpus[] = { &fake_tgl, &fake_skl, &fake_lnl };
	static const uint32_t periods[] = { 2500, 700, 100000, 31000 };

	for (size_t k = 0; k < 3; k++)
		for (size_t i = 0; i < 4; i++) {
			/* The 32-bit timestamps wrap after half of the reports. */
			const uint64_t begin = (1ull << 32) - REPORTS / 2 * TICKS;
			struct expected expected;
			struct rows rows;

			if (!machine_begin(gpus[k], 1, "RenderBasic", begin) ||
			    !open_context((struct mdapi_context_options){
				    .period_ns = ns_of(periods[i]) }))
				return;
			rows = aggregate_and_calculate();
			expect(&expected, (struct gpuoa_resampler_options){
						  .period_ticks = periods[i], .start = begin });
			/*
			 * If several window edges are between two reports, the resampler rounds
			 * differently.
			 */
			compare(&rows, &expected, periods[i] < TICKS ? 1 : 0);
			CHECK(rows.count == (REPORTS - 1) * TICKS / periods[i] +
						    ((REPORTS - 1) * TICKS % periods[i] != 0));
			expected_free(&expected);
			free(rows.values);
			machine_end();
		}
}

static void aggregated_reports_have_one_item(void)
{
	uint32_t size;
	uint8_t *aggregated;

	if (!machine_begin(&fake_tgl, 1, "RenderBasic", 5000) ||
	    !open_context((struct mdapi_context_options){ .period_ns = ns_of(2500) }))
		return;
	CHECK(CALL(m.context, get_params)->info_count == 1);
	CHECK_STRING(CALL(CALL(m.context, get_info, 0), get_params)->symbol, "QueryBeginTime");
	CHECK(CALL(m.context, get_info, 1) == NULL);
	CHECK(CALL(m.context, get_metric, m.metrics) == NULL);
	aggregated = aggregate(REPORTS, REPORTS, &size);
	CHECK(size / m.report_size == 81);
	for (uint32_t i = 0; i < 80; i++)
		CHECK(gpuoa_report_timestamp(m.format, aggregated + (size_t)i * m.report_size) ==
		      5000 + 2500 * i);
	free(aggregated);
	machine_end();
}

static void parts_of_the_data_give_the_same_reports(void)
{
	static const uint32_t chunks[] = { 1, 7, 64 };
	uint8_t *whole, *parts;
	uint32_t whole_size, size;

	if (!machine_begin(&fake_lnl, 2, "RenderBasic", 5000))
		return;
	for (size_t i = 0; i < 3; i++)
		for (uint32_t room = 1; room < 4; room++) {
			const struct mdapi_context_options options = { .period_ns = ns_of(2400) };

			if (!open_context(options))
				return;
			whole = aggregate(REPORTS, 10 * REPORTS, &whole_size);
			if (!open_context(options))
				return;
			parts = aggregate(chunks[i], room, &size);
			CHECK(size == whole_size && !memcmp(whole, parts, size));
			free(whole);
			free(parts);
		}
	machine_end();
}

static void windows_are_calculated_one_by_one(void)
{
	/*
	 * One window before the data, one that begins before it, three inside, one that ends after
	 * it, one after it
	 */
	const struct gpuoa_interval list[] = {
		{ 1000, 4000 },	   { 9000, 12500 },    { 13500, 14500 },   { 20300, 30700 },
		{ 90000, 100000 }, { 200000, 300000 }, { 300000, 300001 },
	};
	const size_t count = sizeof(list) / sizeof(list[0]);
	struct mdapi_window windows[sizeof(list) / sizeof(list[0])];
	struct mdapi_context_options options = { .windows = windows,
						 .window_count = count,
						 .period_ns = UINT64_MAX };
	struct expected expected;
	struct rows rows;

	if (!machine_begin(&fake_lnl, 1, "RenderBasic", 10000))
		return;
	for (size_t i = 0; i < count; i++)
		windows[i] = (struct mdapi_window){ ns_of(list[i].begin), ns_of(list[i].end) };
	if (!open_context(options))
		return;
	rows = aggregate_and_calculate();
	expect(&expected, (struct gpuoa_resampler_options){ .list = list, .list_count = count });
	compare(&rows, &expected, 0);
	CHECK(rows.count == 5);
	expected_free(&expected);
	free(rows.values);
	/* The first interval of each window begins with the window. */
	options.period_ns = ns_of(4000);
	if (!open_context(options))
		return;
	rows = aggregate_and_calculate();
	CHECK(rows.count == 1 + 1 + 3 + 3 + 3);
	free(rows.values);
	machine_end();
}

/* ---- several tiles -------------------------------------------------------------------------- */

static void tiles_are_added(void)
{
	const int64_t offsets[] = { 0, 20000 };
	const int64_t ticks[] = { 0, 384 };
	struct expected expected;
	struct rows rows;

	if (!machine_begin(&fake_lnl, 2, "RenderBasic", 10000) ||
	    !open_context((struct mdapi_context_options){ .period_ns = ns_of(2500) }))
		return;
	rows = aggregate_and_calculate();
	expect(&expected, (struct gpuoa_resampler_options){ .period_ticks = 2500, .start = 10000 });
	compare(&rows, &expected, 0);
	expected_free(&expected);
	free(rows.values);
	/*
	 * The window begins where the data of the later tile begins. Clock offsets are rounded
	 * differently from the resampler.
	 */
	if (!open_context((struct mdapi_context_options){ .period_ns = ns_of(20000),
							  .offsets = (int64_t *)offsets }))
		return;
	rows = aggregate_and_calculate();
	CHECK(rows.count == 10);
	expect(&expected, (struct gpuoa_resampler_options){
				  .period_ticks = 20000, .start = 10384, .offsets = ticks });
	expected.count = 9; /* The last row lacks the end of the later tile's data. */
	rows.count = 9;
	compare(&rows, &expected, 1);
	expected_free(&expected);
	free(rows.values);
	machine_end();
}

static void without_a_period_the_timer_of_the_first_tile_counts(void)
{
	struct mdapi_window window;
	uint8_t sum[1024];
	uint8_t *aggregated;
	uint32_t size, made = 0;

	if (!machine_begin(&fake_lnl, 2, "RenderBasic", 10000) ||
	    !open_context((struct mdapi_context_options){ .period_ns = 0 }))
		return;
	aggregated = aggregate(5, 2, &size);
	for (uint32_t i = 0; i < REPORTS; i++) {
		const size_t at = (size_t)i * m.report_size;
		uint8_t *report = aggregated + (size_t)made * m.report_size;

		if (i % 7 == 6)
			continue;
		memcpy(sum, m.reports[0] + at, m.report_size);
		CHECK(!gpuoa_report_add(m.format, sum, m.reports[1] + at));
		memcpy(sum, report, 8); /* the report id */
		CHECK(!memcmp(sum, report, m.report_size));
		made++;
	}
	CHECK(size == made * m.report_size && made == REPORTS - REPORTS / 7);
	free(aggregated);
	window = (struct mdapi_window){ ns_of(20000), ns_of(25000) };
	if (!open_context((struct mdapi_context_options){ .windows = &window, .window_count = 1 }))
		return;
	aggregated = aggregate(REPORTS, REPORTS, &size);
	/* One of the six reports is of a context switch, so it is not counted. */
	CHECK(size == 5 * m.report_size);
	free(aggregated);
	machine_end();
}

/* ---- one interval at a time ----------------------------------------------------------------- */

static void intervals_can_be_calculated_one_at_a_time(void)
{
	struct mdapi_window windows[2];
	const struct mdapi_context_options options = { .windows = windows,
						       .window_count = 2,
						       .period_ns = 0 };
	struct mdapi_context_options with_period = options;
	struct mdapi_value *values;
	uint32_t begin = 0, results[3] = { 0 }, made = 0;
	struct rows rows;

	if (!machine_begin(&fake_lnl, 1, "RenderBasic", 10000))
		return;
	windows[0] = (struct mdapi_window){ ns_of(1000), ns_of(50000) };
	windows[1] = (struct mdapi_window){ ns_of(60000), ns_of(90000) };
	with_period.period_ns = ns_of(4000);
	if (!open_context(with_period))
		return;
	rows = aggregate_and_calculate();
	if (!open_context(with_period))
		return;
	values = calloc(m.columns, sizeof(*values));
	for (;;) {
		/* Pass at most three reports per call. */
		const uint32_t count = REPORTS - begin < 3 ? REPORTS - begin : 3;
		const uint8_t *reports = m.reports[0] + (size_t)begin * m.report_size;
		const uint32_t size = count * m.report_size;
		uint32_t used = 0;
		const enum mdapi_result result =
			CALL(m.context, calculate_window, &reports, &size, &used, values,
			     m.columns * (uint32_t)sizeof(*values), NULL, 0, false);

		CHECK(used % m.report_size == 0 && used <= size);
		begin += used / m.report_size;
		if (result == MDAPI_OK) {
			CHECK(!memcmp(values, rows.values + (size_t)made * m.columns,
				      m.columns * sizeof(*values)));
			made++;
			results[0]++;
		} else if (result == MDAPI_NOT_ENOUGH_DATA) {
			CHECK(used == size);
			results[1]++;
		} else {
			CHECK(result == MDAPI_NO_RESULT);
			if (made == rows.count)
				break;
			results[2]++;
		}
		if (!CHECK(begin < REPORTS))
			break;
	}
	CHECK(made == rows.count && made == 11 + 8);
	CHECK(results[1] > 10);
	CHECK(results[2] == 2); /* Two intervals end before the data begins. */
	free(values);
	free(rows.values);
	machine_end();
}

/* ---- contexts ------------------------------------------------------------------------------- */

static void context_without_aggregation_calculates_as_the_set(void)
{
	const uint32_t space = REPORTS * 4096;
	struct mdapi_value *values, *maxima, *more;
	const uint8_t *reports;
	uint32_t size, count, other;

	if (!machine_begin(&fake_tgl, 1, "RenderBasic", 5000) ||
	    !open_context((struct mdapi_context_options){ .period_ns = 0 }))
		return;
	CHECK(CALL(m.context, get_params)->info_count ==
	      CALL(m.sets[0], get_params)->base.info_count);
	CHECK(CALL(m.sets[0], set_api_filter, MDAPI_API_STREAM) == MDAPI_OK);
	values = calloc(1, space);
	maxima = calloc(1, space);
	more = calloc(1, space);
	size = m.columns * 16 * REPORTS;
	CHECK(CALL(m.sets[0], calculate_1_5, m.reports[0], REPORTS * m.report_size, values, size,
		   &count, NULL, 0) == MDAPI_OK);
	/* Calculate in two parts: the set and the context keep the last report independently. */
	CHECK(CALL(m.context, calculate, m.reports[0], 50 * m.report_size, more,
		   m.columns * 16 * 49, &other, maxima, m.metrics * 16 * 49) == MDAPI_OK);
	CHECK(other == 49);
	CHECK(CALL(m.context, calculate, m.reports[0] + (size_t)50 * m.report_size,
		   (REPORTS - 50) * m.report_size, more + (size_t)49 * m.columns,
		   m.columns * 16 * (REPORTS - 50), &other, NULL, 0) == MDAPI_OK);
	CHECK(count == REPORTS - 1 && other == REPORTS - 50);
	CHECK(!memcmp(values, more, (size_t)count * m.columns * 16));
	reports = m.reports[0];
	size = m.report_size;
	CHECK(CALL(m.context, aggregate, &reports, &size, (uint8_t *)more, &other, false) ==
	      MDAPI_NOT_SUPPORTED);
	free(values);
	free(maxima);
	free(more);
	machine_end();
}

static enum mdapi_result try(struct mdapi_context_options options)
{
	struct mdapi_context *context = NULL;
	const enum mdapi_result result = CALL(m.adapters, create_context, &options, &context);

	if (context)
		CALL(m.adapters, destroy_context, context);
	return result;
}

static void wrong_arguments_are_rejected(void)
{
	struct mdapi_window windows[2] = { { 10, 20 }, { 20, 30 } };
	struct mdapi_set *sets[2];
	struct mdapi_context_options good;
	struct mdapi_value value[1024];
	const uint8_t *reports[2];
	uint32_t sizes[2], size = 0, used[2];
	uint8_t made[1024];

	if (!machine_begin(&fake_lnl, 2, "RenderBasic", 5000))
		return;
	memcpy(sets, m.sets, sizeof(sets));
	good = (struct mdapi_context_options){ .type = MDAPI_CONTEXT_STREAM,
					       .input_count = 2,
					       .sets = sets,
					       .windows = windows,
					       .window_count = 2,
					       .period_ns = 1 };
	CHECK(try(good) == MDAPI_OK);
#define TRY(change)                                           \
	({                                                    \
		struct mdapi_context_options tried = good;    \
		change;                                       \
		CHECK(try(tried) == MDAPI_INVALID_PARAMETER); \
	})
	TRY(tried.type = MDAPI_CONTEXT_QUERY);
	TRY(tried.input_count = 0);
	TRY(tried.sets = NULL);
	TRY(tried.windows = NULL);
	windows[1].begin = 19;
	TRY((void)tried);
	windows[1] = (struct mdapi_window){ 30, 30 };
	TRY((void)tried);
	windows[0] = (struct mdapi_window){ 21, 20 };
	TRY(tried.window_count = 1);
	windows[0].begin = windows[0].end;
	good.window_count = 1;
	CHECK(try(good) == MDAPI_OK);
	sets[1] = find_set(CALL(m.devices[1], get_group, 0), "ComputeBasic");
	TRY((void)tried);
	sets[1] = NULL;
	TRY((void)tried);
	CHECK(CALL(m.sets[0], set_api_filter, MDAPI_API_OCL) == MDAPI_OK);
	TRY(tried.input_count = 1);
	CHECK(CALL(m.sets[0], set_api_filter, 0) == MDAPI_OK);
	CHECK(CALL(m.adapters, create_context, NULL, &m.context) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(m.adapters, create_context, &good, NULL) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(m.adapters, destroy_context, NULL) == MDAPI_INVALID_PARAMETER);

	if (!open_context((struct mdapi_context_options){ .period_ns = ns_of(2500) }))
		return;
	for (uint32_t i = 0; i < 2; i++) {
		reports[i] = m.reports[i];
		sizes[i] = m.report_size;
	}
	CHECK(CALL(m.context, aggregate, reports, sizes, made, NULL, false) ==
	      MDAPI_INVALID_PARAMETER);
	CHECK(CALL(m.context, aggregate, NULL, sizes, made, &size, false) ==
	      MDAPI_INVALID_PARAMETER);
	CHECK(CALL(m.context, aggregate, reports, NULL, made, &size, false) ==
	      MDAPI_INVALID_PARAMETER);
	CHECK(CALL(m.context, aggregate, reports, sizes, NULL, &size, false) == MDAPI_OK);
	CHECK(size >= 2 * m.report_size && size % m.report_size == 0);
	CHECK(CALL(m.context, aggregate, reports, sizes, NULL, &size, false) ==
	      MDAPI_INVALID_PARAMETER);
	sizes[1]++;
	CHECK(CALL(m.context, aggregate, reports, sizes, made, &size, false) ==
	      MDAPI_INVALID_PARAMETER);
	sizes[1]--;
	CHECK(CALL(m.context, calculate, NULL, m.report_size, value, 16, NULL, NULL, 0) ==
	      MDAPI_INVALID_PARAMETER);
	CHECK(CALL(m.context, calculate, reports[0], m.report_size, NULL, 16, NULL, NULL, 0) ==
	      MDAPI_INVALID_PARAMETER);
	CHECK(CALL(m.context, calculate, reports[0], m.report_size + 1, value, m.columns * 16, NULL,
		   NULL, 0) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(m.context, calculate, reports[0], 3 * m.report_size, value, m.columns * 16, NULL,
		   NULL, 0) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(m.context, calculate_window, reports, sizes, NULL, value, sizeof(value), NULL, 0,
		   false) == MDAPI_INVALID_PARAMETER);
	CHECK(CALL(m.context, calculate_window, reports, sizes, used, value, 16, NULL, 0, false) ==
	      MDAPI_INVALID_PARAMETER);
	CHECK(CALL(m.context, calculate_window, reports, sizes, used, value, sizeof(value), NULL, 0,
		   false) == MDAPI_NOT_ENOUGH_DATA);
	CHECK(CALL(m.context, calculate_window, reports, sizes, used, value, sizeof(value), NULL, 0,
		   true) == MDAPI_NO_RESULT);
	/* without a period there are no intervals */
	if (!open_context((struct mdapi_context_options){ .period_ns = 0 }))
		return;
	CHECK(CALL(m.context, calculate_window, reports, sizes, used, value, sizeof(value), NULL, 0,
		   false) == MDAPI_NOT_SUPPORTED);
	machine_end();
}

int main(void)
{
	RUN(rows_of_a_period_are_those_of_the_resampler);
	RUN(aggregated_reports_have_one_item);
	RUN(parts_of_the_data_give_the_same_reports);
	RUN(windows_are_calculated_one_by_one);
	RUN(tiles_are_added);
	RUN(without_a_period_the_timer_of_the_first_tile_counts);
	RUN(intervals_can_be_calculated_one_at_a_time);
	RUN(context_without_aggregation_calculates_as_the_set);
	RUN(wrong_arguments_are_rejected);
	return tap_end();
}
