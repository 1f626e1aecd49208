// SPDX-License-Identifier: MIT
/*
 * gpus_programmable.c - Test metrics of programmable events on each virtual GPU: counters are
 * programmed as requested and count correctly, the metrics follow from the counters, and the EU
 * activity equals that of the public sets.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "gpuoa-programmable.h"
#include "sim_unit.h"
#include "tap.h"

#define UNITS_MAX 32
#define REPORTS 4
#define PERIOD_NS 1000000
#define BUFFER_SIZE (1 << 20)
#define VALUES_MAX 1024
#define PECS 32 /* number of Xe2 events that are tested */
#define PIXEL_SHADERS 5
/* relative tolerance, because the equations of public metrics truncate intermediate results */
#define SAME 0.0001

static const struct sim_unit *unit; /* the unit under test */

/* A metric to request, and the event that it is expected to count */
struct wanted {
	const char *prototype;
	struct gpuoa_option_value option; /* .value 0: none */
	/* value of the event and filter bits, without the bits that select one of four EUs */
	unsigned int event;
	unsigned int step; /* number of events per count */
	uint64_t id;
};

static struct wanted wanted[] = {
	{ "EuAnyActive", { GPUOA_OPTION_UTILIZATION, 1 }, 0x004, 1, 0 },
	{ "EuStalled", { GPUOA_OPTION_UTILIZATION, 0 }, 0x005, 1, 0 },
	{ "EuThreadsLoaded", { GPUOA_OPTION_UTILIZATION, 0 }, 0x008, 8, 0 },
	{ "EuFpu0Active", { GPUOA_OPTION_THREADS, PIXEL_SHADERS }, 0x050, 1, 0 },
	{ "EuSendActive", { GPUOA_OPTION_AVERAGE, 1 }, 0x002, 1, 0 },
};

#define WANTED (sizeof(wanted) / sizeof(wanted[0]))

/* The current measurement */
struct measured {
	struct gpuoa_definitions *definitions;
	const struct gpuoa_set *set;
	struct gpuoa_constants *constants;
	struct sim_reports reports;
	uint32_t format;
};

static size_t find_prototype(const struct gpuoa_custom *custom, const char *symbol)
{
	const size_t count = gpuoa_custom_event_count(custom);
	struct gpuoa_event_desc desc;
	size_t i = 0;

	while (i < count) {
		gpuoa_custom_describe_event(custom, i, &desc, sizeof(desc));
		if (!strcmp(desc.symbol, symbol))
			break;
		i++;
	}
	return i;
}

static bool is_flexible(const struct gpuoa_custom *custom)
{
	return find_prototype(custom, "EuAnyActive") < gpuoa_custom_event_count(custom);
}

static void want_flexible(struct gpuoa_custom *custom)
{
	for (size_t i = 0; i < WANTED; i++) {
		const struct gpuoa_instance instance = {
			.size = sizeof(instance),
			.options = &wanted[i].option,
			.option_count = wanted[i].option.value ? 1 : 0,
		};

		CHECK(!gpuoa_custom_instantiate(custom, find_prototype(custom, wanted[i].prototype),
						&instance, &wanted[i].id, NULL, 0));
	}
}

/*
 * Instantiate an event of Xe2 with up to two options. @options: two elements; one with value 0 ends
 * the list
 */
static void want_event(struct gpuoa_custom *custom, const char *prototype, const char *symbol,
		       const struct gpuoa_option_value *options)
{
	struct gpuoa_instance instance = {
		.size = sizeof(instance),
		.symbol = symbol,
		.options = options,
	};
	uint64_t id;

	while (instance.option_count < 2 && options && options[instance.option_count].value)
		instance.option_count++;
	CHECK(!gpuoa_custom_instantiate(custom, find_prototype(custom, prototype), &instance, &id,
					NULL, 0));
}

/*
 * Returns the number of parts of the GPU that the event can count: choices of the disaggregation
 * option, without the whole GPU.
 */
static size_t count_parts(const struct gpuoa_custom *custom, const char *prototype)
{
	struct gpuoa_option_desc desc;

	if (!CHECK(!gpuoa_custom_describe_option(custom, find_prototype(custom, prototype), 0,
						 &desc, sizeof(desc))) ||
	    !CHECK(desc.option == GPUOA_OPTION_DISAGGREGATION))
		return 0;
	return desc.choice_count - 1;
}

/*
 * Instantiate the first events without options, one event for each kind of GPU part, one event with
 * a filter, and the test event with each of its options.
 */
static void want_pec(struct gpuoa_custom *custom)
{
	static const char *const of_parts[] = { "XVE_STALL_CYCLES",
						"L3_MISS",
						"RASTERIZER_OUTPUT_READY_CYCLES",
						"GPU_MEMORY_BYTE_READ",
						"RENDER_CACHE_OUTPUT_READY_CYCLES",
						"COPY_ENGINE_READ_REQUEST" };
	static const struct gpuoa_option_value utilization[2] = { { GPUOA_OPTION_UTILIZATION, 1 } };
	static const struct gpuoa_option_value average[2] = { { GPUOA_OPTION_AVERAGE, 1 } };
	const size_t cores = count_parts(custom, "TEST_EVENT1_CYCLES");
	const struct gpuoa_instance plain = { .size = sizeof(plain) };
	uint64_t id;

	for (size_t i = 0; i < PECS; i++)
		CHECK(!gpuoa_custom_instantiate(custom, i, &plain, &id, NULL, 0));
	for (size_t i = 0; i < sizeof(of_parts) / sizeof(of_parts[0]); i++) {
		const struct gpuoa_option_value last[2] = {
			{ GPUOA_OPTION_DISAGGREGATION, count_parts(custom, of_parts[i]) },
		};

		want_event(custom, of_parts[i], NULL, last);
	}
	want_event(custom, "XVE_ACTIVE_PS_CYCLES", NULL, NULL);
	want_event(custom, "TEST_EVENT1_CYCLES", "TestAll", NULL);
	want_event(custom, "TEST_EVENT1_CYCLES", "TestUtilization", utilization);
	want_event(custom, "TEST_EVENT1_CYCLES", "TestAverage", average);
	CHECK(cores > 1);
	for (size_t n = 1; n <= cores; n++) {
		const struct gpuoa_option_value core[2] = {
			{ GPUOA_OPTION_DISAGGREGATION, n },
			{ n % 2 ? GPUOA_OPTION_UTILIZATION : GPUOA_OPTION_AVERAGE, 1 },
		};

		want_event(custom, "TEST_EVENT1_CYCLES", n % 2 ? "TestCoreUtilization" : "TestCore",
			   core);
	}
}

/* ---- streams ---- */

static bool read_reports(struct measured *measured, struct gpuoa_reader *reader)
{
	struct gpuoa_reader_desc desc;

	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	measured->format = desc.format;
	return CHECK(sim_reports_open(&measured->reports, desc.format, REPORTS)) &&
	       CHECK(sim_reports_read(&measured->reports, reader, REPORTS));
}

/* Read some reports of @measured->set, and call @check for the programmed counters. */
static bool measure(struct measured *measured, void (*check)(struct measured *measured))
{
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.period_ns = PERIOD_NS,
		.buffer_size = BUFFER_SIZE,
		.notify_reports = 1,
	};
	struct gpuoa_reader *reader = NULL;
	char error[256];
	int err = gpuoa_stream_open(unit->unit, measured->set, &options, &reader, error,
				    sizeof(error));
	bool good;

	if (!CHECK(!err)) {
		printf("# %s: %s\n", unit->desc.name, error);
		return false;
	}
	good = read_reports(measured, reader);
	if (good)
		check(measured);
	sim_reports_close(&measured->reports);
	gpuoa_reader_close(reader);
	return good;
}

/* ---- programmed counters ---- */

/*
 * Return the sum of the flexible EU counters that count @event, either in all EUs or in one of
 * four.
 */
static uint64_t count_event(const struct measured *measured, const uint64_t *reference,
			    unsigned int event, unsigned int *counters)
{
	static const uint32_t addresses[] = {
		0xe458, 0xe558, 0xe658, 0xe758, 0xe45c, 0xe55c, 0xe65c
	};
	struct gpuoa_reg regs[16];
	const int count = gpuoa_set_registers(measured->set, GPUOA_REGISTER_FLEX, NULL, regs, 16);
	uint64_t sum = 0;

	*counters = 0;
	for (unsigned int i = 0; i < 14; i++) {
		for (int k = 0; k < count; k++) {
			const uint32_t select = regs[k].value >> 12 * (i % 2) & 0xfff;

			if (regs[k].address != addresses[i / 2] || (select & 0xff) != event ||
			    (select >> 8 && (select >> 8 < 7 || select >> 8 > 10)))
				continue;
			sum += reference[raw_find(measured->reports.format, 'A', 7 + i)];
			++*counters;
		}
	}
	return sum;
}

/* ---- metrics ---- */

static uint64_t constant(const struct measured *measured, const char *name)
{
	uint64_t value = 0;

	CHECK(!gpuoa_constants_get(measured->constants, name, &value));
	return value;
}

/* Check the value of a metric after its event was counted @count times. */
static void check_value(const struct measured *measured, const struct wanted *one, uint64_t count,
			uint64_t clocks, const struct gpuoa_custom *custom,
			const union gpuoa_value *values)
{
	const uint64_t eus = constant(measured, "EuCoresTotalCount");
	const struct gpuoa_metric *metric;
	struct gpuoa_metric_desc desc;
	const char *set, *symbol;
	float share;

	CHECK(!gpuoa_custom_get_assignment(custom, one->id, &set, &symbol));
	metric = gpuoa_set_find_metric(measured->set, symbol);
	REQUIRE(metric);
	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	if (one->option.value && one->option.option == GPUOA_OPTION_UTILIZATION) {
		share = (float)((double)(count * 100) / (double)(clocks * eus));
		CHECK(desc.type == GPUOA_TYPE_FLOAT && values[desc.index].f32 == share);
		CHECK(share >= 0 && share <= 100);
		return;
	}
	if (one->option.value && one->option.option == GPUOA_OPTION_AVERAGE)
		count /= eus;
	if (!CHECK(desc.type == GPUOA_TYPE_UINT64 && values[desc.index].u64 == count * one->step))
		printf("# %s: %" PRIu64 ", but should be %" PRIu64 "\n", symbol,
		       values[desc.index].u64, count * one->step);
}

static const struct gpuoa_custom *custom_of_test;
static unsigned int test_events; /* number of values of test-event metrics that were checked */

static bool is_here(const struct measured *measured, uint64_t id)
{
	struct gpuoa_set_desc desc;
	const char *set, *metric;

	gpuoa_set_describe(measured->set, &desc, sizeof(desc));
	return CHECK(!gpuoa_custom_get_assignment(custom_of_test, id, &set, &metric)) &&
	       !strcmp(set, desc.symbol);
}

static void check_interval(struct measured *measured, struct gpuoa_calc *calc, size_t to)
{
	const struct raw_format *format = measured->reports.format;
	union gpuoa_value values[VALUES_MAX];
	uint64_t reference[RAW_FIELDS_MAX];
	unsigned int counters;
	size_t used;

	REQUIRE(gpuoa_calc_output_count(calc) <= VALUES_MAX);
	REQUIRE(sim_unit_reference(unit, format, sim_report_time(&measured->reports, to - 1),
				   sim_report_time(&measured->reports, to), reference));
	REQUIRE(gpuoa_calc_run(calc, sim_report(&measured->reports, to), 1, values, NULL, 1,
			       &used) == 1);
	for (size_t i = 0; i < WANTED; i++) {
		if (!is_here(measured, wanted[i].id))
			continue;
		const uint64_t count = count_event(measured, reference, wanted[i].event, &counters);

		CHECK(counters == 1 || counters == 4);
		CHECK(count > 0 || strcmp(wanted[i].prototype, "EuAnyActive"));
		check_value(measured, &wanted[i], count, reference[raw_find(format, 'k', 0)],
			    custom_of_test, values);
	}
}

static void check_flexible(struct measured *measured)
{
	union gpuoa_value values[VALUES_MAX];
	struct gpuoa_calc *calc;
	size_t used;

	REQUIRE(!gpuoa_calc_open(measured->set, measured->constants, measured->format, NULL, &calc,
				 NULL, 0));
	gpuoa_calc_run(calc, sim_report(&measured->reports, 0), 1, values, NULL, 1, &used);
	for (size_t i = 1; i < measured->reports.count; i++)
		check_interval(measured, calc, i);
	gpuoa_calc_close(calc);
}

static bool begins_with(const char *symbol, const char *begin)
{
	return !strncmp(symbol, begin, strlen(begin));
}

/*
 * Each Xe core has one test event per clock. The simulator counts fractions of a clock for the sum
 * over all cores, and whole clocks for the clock itself. Therefore, the sum for n cores may differ
 * from n times the clocks by up to n - 1 events.
 */
static bool is_test_value_right(const struct measured *measured,
				const struct gpuoa_metric_desc *desc,
				const union gpuoa_value *values, uint64_t clocks)
{
	const struct gpuoa_metric *all = gpuoa_set_find_metric(measured->set, "TestAll");
	const union gpuoa_value *value = &values[desc->index];
	const uint64_t cores = constant(measured, "XeCoreTotalCount");
	struct gpuoa_metric_desc all_desc;
	uint64_t sum;

	if (begins_with(desc->symbol, "TestCoreUtilization"))
		return value->f32 == 100;
	if (begins_with(desc->symbol, "TestCore"))
		return value->u64 == clocks;
	/*
	 * The remaining metrics of the test event use the same counter as TestAll, so they are in
	 * the same set.
	 */
	if (!CHECK(all))
		return false;
	gpuoa_metric_describe(all, &all_desc, sizeof(all_desc));
	sum = values[all_desc.index].u64;
	if (begins_with(desc->symbol, "TestUtilization"))
		return value->f32 == (float)((double)(sum / cores * 100) / (double)clocks);
	if (begins_with(desc->symbol, "TestAverage"))
		return value->u64 == sum / cores;
	return sum > (clocks - 1) * cores && sum < (clocks + 1) * cores;
}

/* Returns the number of values that were checked: 1 for a metric of the test event, else 0. */
static unsigned int check_test_event(const struct measured *measured,
				     const struct gpuoa_metric_desc *desc,
				     const union gpuoa_value *values, uint64_t clocks)
{
	if (!begins_with(desc->symbol, "Test"))
		return 0;
	if (!CHECK(is_test_value_right(measured, desc, values, clocks)))
		printf("# %s: %" PRIu64 " (%f) in %" PRIu64 " clocks\n", desc->symbol,
		       values[desc->index].u64, (double)values[desc->index].f32, clocks);
	return 1;
}

/* Check the metrics that equal a single counter. */
static void check_plain(struct measured *measured, const union gpuoa_value *values,
			const uint64_t *reference, unsigned int *checked)
{
	const uint64_t clocks = reference[raw_find(measured->reports.format, 'k', 0)];
	const struct gpuoa_metric *metric;
	struct gpuoa_metric_desc desc;
	unsigned int pec;
	char rest;

	for (size_t i = 0; (metric = gpuoa_set_get_metric(measured->set, i)); i++) {
		gpuoa_metric_describe(metric, &desc, sizeof(desc));
		test_events += check_test_event(measured, &desc, values, clocks);
		if (desc.type != GPUOA_TYPE_UINT64 ||
		    sscanf(desc.equation, "PEC%u%c", &pec, &rest) != 1)
			continue;
		CHECK(values[i].u64 == reference[raw_find(measured->reports.format, 'P', pec)]);
		++*checked;
	}
}

static void check_pec(struct measured *measured)
{
	const struct sim_reports *reports = &measured->reports;
	union gpuoa_value values[VALUES_MAX];
	uint64_t reference[RAW_FIELDS_MAX];
	unsigned int checked = 0;
	struct gpuoa_calc *calc;
	size_t used;

	REQUIRE(!gpuoa_calc_open(measured->set, measured->constants, measured->format, NULL, &calc,
				 NULL, 0));
	gpuoa_calc_run(calc, sim_report(reports, 0), 1, values, NULL, 1, &used);
	for (size_t i = 1; i < reports->count; i++) {
		if (!CHECK(sim_unit_reference(unit, reports->format,
					      sim_report_time(reports, i - 1),
					      sim_report_time(reports, i), reference)) ||
		    !CHECK(gpuoa_calc_run(calc, sim_report(reports, i), 1, values, NULL, 1,
					  &used) == 1))
			break;
		check_plain(measured, values, reference, &checked);
	}
	CHECK(checked > 0);
	gpuoa_calc_close(calc);
}

/* Measure all created sets. */
static void measure_all(struct measured *measured, int count, bool flexible)
{
	const struct gpuoa_platform *platform =
		gpuoa_definitions_get_platform(measured->definitions, 0);
	char symbol[32];

	if (!CHECK(!gpuoa_constants_of_unit(&unit->desc, sizeof(unit->desc), platform,
					    &measured->constants)))
		return;
	for (int i = 1; i <= count; i++) {
		snprintf(symbol, sizeof(symbol), "Custom%d", i);
		measured->set = gpuoa_platform_find_set(platform, symbol, NULL, NULL);
		if (CHECK(measured->set))
			measure(measured, flexible ? check_flexible : check_pec);
	}
	gpuoa_constants_free(measured->constants);
}

static void run_custom(struct gpuoa_custom *custom)
{
	const bool flexible = is_flexible(custom);
	struct measured measured = { 0 };
	char error[256];
	int count;

	custom_of_test = custom;
	if (flexible)
		want_flexible(custom);
	else
		want_pec(custom);
	count = gpuoa_custom_schedule(custom, NULL, error, sizeof(error));
	CHECK(count >= 1);
	test_events = 0;
	if (CHECK(!gpuoa_custom_build(custom, &measured.definitions, error, sizeof(error))))
		measure_all(&measured, count, flexible);
	else
		printf("# %s\n", error);
	CHECK(flexible || test_events > 3 * (REPORTS - 1));
	gpuoa_definitions_free(measured.definitions);
}

static void programmed_events_are_counted(void)
{
	struct gpuoa_custom *custom;

	REQUIRE(!gpuoa_custom_new(unit->platform, &custom));
	if (gpuoa_custom_event_count(custom))
		run_custom(custom);
	else
		CHECK(!strcmp(gpuoa_platform_name(unit->platform), "hsw"));
	gpuoa_custom_free(custom);
}

/* ---- comparison with public sets ---- */

/* Return the total of a metric over all reports. */
static double total_of(const struct measured *measured, const struct gpuoa_set *set,
		       const struct gpuoa_constants *constants, const char *symbol)
{
	const struct gpuoa_metric *metric = gpuoa_set_find_metric(set, symbol);
	union gpuoa_value values[VALUES_MAX];
	struct gpuoa_metric_desc desc;
	struct gpuoa_calc *calc;
	size_t used;

	if (!CHECK(metric) ||
	    !CHECK(!gpuoa_calc_open(set, constants, measured->format, NULL, &calc, NULL, 0)))
		return NAN;
	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	for (size_t i = 0; i < measured->reports.count; i++)
		gpuoa_calc_run(calc, sim_report(&measured->reports, i), 1, values, NULL, 1, &used);
	CHECK(!gpuoa_calc_total(calc, values, NULL, false));
	gpuoa_calc_close(calc);
	return gpuoa_value_to_double(desc.type, values[desc.index]);
}

/*
 * The public set counts EU activity with the same counters, so its value must equal that of the
 * programmed metric.
 */
static void compare_with_public(struct measured *measured)
{
	const struct gpuoa_set *public =
		gpuoa_platform_find_set(unit->platform, "RenderBasic", NULL, NULL);
	const double mine = total_of(measured, measured->set, measured->constants, "EuAnyActive");
	const double theirs =
		total_of(measured, public, gpuoa_unit_constants(unit->unit), "EuActive");

	printf("# %s: %.3f and %.3f %%\n", unit->desc.name, mine, theirs);
	CHECK(mine > 1 && fabs(mine - theirs) < SAME * theirs);
}

static void compare(struct gpuoa_custom *custom)
{
	const struct gpuoa_option_value utilization = { GPUOA_OPTION_UTILIZATION, 1 };
	const struct gpuoa_instance instance = { .size = sizeof(instance),
						 .options = &utilization,
						 .option_count = 1 };
	struct measured measured = { 0 };
	const struct gpuoa_platform *platform;
	uint64_t id;

	CHECK(!gpuoa_custom_instantiate(custom, find_prototype(custom, "EuAnyActive"), &instance,
					&id, NULL, 0));
	CHECK(!gpuoa_custom_assign(custom, id, "Mine", NULL, 0));
	REQUIRE(!gpuoa_custom_build(custom, &measured.definitions, NULL, 0));
	platform = gpuoa_definitions_get_platform(measured.definitions, 0);
	measured.set = gpuoa_platform_find_set(platform, "Mine", NULL, NULL);
	if (CHECK(!gpuoa_constants_of_unit(&unit->desc, sizeof(unit->desc), platform,
					   &measured.constants)))
		measure(&measured, compare_with_public);
	gpuoa_constants_free(measured.constants);
	gpuoa_definitions_free(measured.definitions);
}

static void programmed_eu_metrics_equal_public_sets(void)
{
	const struct gpuoa_set *public =
		gpuoa_platform_find_set(unit->platform, "RenderBasic", NULL, NULL);
	struct gpuoa_custom *custom;

	REQUIRE(!gpuoa_custom_new(unit->platform, &custom));
	if (is_flexible(custom) && public && gpuoa_set_find_metric(public, "EuActive"))
		compare(custom);
	gpuoa_custom_free(custom);
}

int main(void)
{
	static struct sim_unit units[UNITS_MAX];
	const size_t count = sim_units_open(units, UNITS_MAX);

	if (!count)
		return tap_skip("no OA unit");
	for (size_t i = 0; i < count; i++) {
		if (strcmp(units[i].desc.domain, "OA") != 0)
			continue;
		unit = &units[i];
		CHECK(sim_unit_switch(unit, "workload", "steady"));
		RUN(programmed_events_are_counted);
		RUN(programmed_eu_metrics_equal_public_sets);
	}
	sim_units_close(units, count);
	return tap_end();
}
