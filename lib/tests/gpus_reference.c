// SPDX-License-Identifier: MIT
/*
 * gpus_reference.c - Test each metric of each set, and each counter of each format, on each unit of
 * each virtual GPU: the library's values equal the GPU's true counts, and no metric exceeds its
 * maximum under any load. With the stock i915, its only unit is tested in the same way.
 *
 * The true counts are those that the simulator computes for the programmed configuration between
 * the timestamps of two reports. The expected values of metrics are derived from these counts by
 * platforms.facts and the evaluator of rpn.c, which share no code with the library.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "facts.h"
#include "rpn.h"
#include "sim_unit.h"
#include "tap.h"
#include "unit_constants.h"

#define UNITS_MAX 32
#define REPORTS 5 /* per set */
#define PERIOD_NS 1000000
/* space for the reports that are written while the virtual machine is delayed */
#define BUFFER_SIZE (1 << 20)
#define PHASE_PERIOD_NS 7000000 /* longer than a phase of a load, which takes several ms */
#define LOAD_REPORTS 40 /* the reports cover more time than a phase of a load */
#define BOUND_NS 100000 /* length of an interval in which one event more or less is negligible */
#define ROUNDED 1.0001
#define WRAP_EVENTS 1000
#define WRAP_MS 200
#define WRAP_PERIOD_NS 3000000
/* so many that they take longer than WRAP_MS, even with many context switches */
#define WRAP_REPORTS 5000
#define WRAP_STEP 20

static struct facts facts;
static struct sim_unit units[UNITS_MAX];
static size_t unit_count;

/* State of the current test */
static struct {
	const struct sim_unit *unit;
	const struct facts_set *facts;
	const struct gpuoa_set *set;
	struct rpn_constants constants;
	uint32_t format;
	uint64_t period_ns;
} now = { .period_ns = PERIOD_NS };

/* ---- streams ---- */

/* Open a stream. Successive calls alternate between the two ways of delivery. */
static struct gpuoa_reader *open_stream(const struct sim_unit *unit, const struct gpuoa_set *set,
					uint32_t format, uint64_t period_ns)
{
	static bool raw;
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.period_ns = period_ns,
		.format = format,
		.buffer_size = unit->desc.buffer_size_min > BUFFER_SIZE ? 0 : BUFFER_SIZE,
		.notify_reports = 1,
		.disabled = true,
		.delivery = raw ? GPUOA_DELIVERY_RAW : GPUOA_DELIVERY_PREFER_AUX,
	};
	struct gpuoa_reader *reader = NULL;
	int error = gpuoa_stream_open(unit->unit, set, &options, &reader, NULL, 0);

	raw = !raw;
	if (!CHECK(!error))
		printf("# a stream of %s: %s\n", unit->desc.name, strerror(-error));
	return reader;
}

/* ---- counters ---- */

static uint64_t cut(const struct raw_field *field, uint64_t value)
{
	return field->bits < 64 ? value & ((1ull << field->bits) - 1) : value;
}

/* Check that each counter advanced by the true count between two reports. */
static bool counters_are_true(const struct sim_unit *unit, const struct sim_reports *reports,
			      size_t from, size_t to, uint64_t *reference)
{
	const struct raw_format *format = reports->format;
	bool same = true;

	if (!CHECK(sim_unit_reference(unit, format, sim_report_time(reports, from),
				      sim_report_time(reports, to), reference)))
		return false;
	for (size_t i = 0; i < format->count; i++) {
		const struct raw_field *field = &format->fields[i];
		uint64_t found = sim_reports_difference(reports, i, from, to);

		if (found == cut(field, reference[i]))
			continue;
		printf("# %c%u of %s: %" PRIu64 ", but should be %" PRIu64 "\n", field->bank,
		       field->index, format->name, found, reference[i]);
		same = false;
	}
	return CHECK(same);
}

/* Check each interval. The sum of all intervals must equal the total. */
static void check_counters(const struct sim_unit *unit, const struct sim_reports *reports)
{
	uint64_t reference[RAW_FIELDS_MAX], sum[RAW_FIELDS_MAX] = { 0 };

	for (size_t i = 1; i < reports->count; i++) {
		if (!counters_are_true(unit, reports, i - 1, i, reference))
			return;
		for (size_t k = 0; k < reports->format->count; k++)
			sum[k] += reference[k];
	}
	if (!counters_are_true(unit, reports, 0, reports->count - 1, reference))
		return;
	for (size_t k = 0; k < reports->format->count; k++)
		CHECK(sum[k] == reference[k] || reports->format->fields[k].bank == 't');
}

/* ---- metrics ---- */

static bool value_is_true(const struct facts_metric *metric, struct rpn_value expected,
			  union gpuoa_value value)
{
	union gpuoa_value wanted = { .u64 = 0 };

	if (metric->kind->type[0] == 'f') {
		wanted.f32 = rpn_float(expected);
		if (wanted.f32 == value.f32)
			return true;
		printf("# %s: %.9g, but should be %.9g\n", metric->symbol, value.f32, wanted.f32);
		return false;
	}
	wanted.u64 = rpn_integer(expected);
	if (wanted.u64 == value.u64)
		return true;
	printf("# %s: %" PRIu64 ", but should be %" PRIu64 "\n", metric->symbol, value.u64,
	       wanted.u64);
	return false;
}

static void check_values(const struct rpn_set *set, const union gpuoa_value *values)
{
	bool same = true;

	for (size_t i = 0; i < set->facts->metric_count; i++)
		same &= value_is_true(set->facts->metrics[i], set->values[i], values[i]);
	CHECK(same);
}

/* Check that enough metrics are nonzero: a load that leaves them at 0 would test nothing. */
static void check_liveliness(const struct rpn_set *set)
{
	size_t lively = 0, there = 0;

	for (size_t i = 0; i < set->facts->metric_count; i++) {
		there += set->available[i];
		lively += rpn_number(set->values[i]) != 0;
	}
	printf("# %zu of %zu metrics are not 0\n", lively, there);
	CHECK(lively > 1);
}

static void check_metrics(struct rpn_set *set, struct gpuoa_calc *calc,
			  const struct sim_reports *reports)
{
	union gpuoa_value values[FACTS_METRICS_MAX + 16];
	uint64_t reference[RAW_FIELDS_MAX];
	size_t used, last = reports->count - 1;

	REQUIRE(gpuoa_calc_output_count(calc) <= FACTS_METRICS_MAX + 16);
	gpuoa_calc_run(calc, sim_report(reports, 0), 1, values, NULL, 1, &used);
	for (size_t i = 1; i <= last; i++) {
		REQUIRE(counters_are_true(now.unit, reports, i - 1, i, reference));
		CHECK(gpuoa_calc_run(calc, sim_report(reports, i), 1, values, NULL, 1, &used) == 1);
		rpn_evaluate(set, &now.constants, reference, rpn_row);
		check_values(set, values);
	}
	REQUIRE(counters_are_true(now.unit, reports, 0, last, reference));
	REQUIRE(!gpuoa_calc_total(calc, values, NULL, false));
	rpn_evaluate(set, &now.constants, reference, rpn_total);
	check_values(set, values);
	check_liveliness(set);
}

static void check_reports_of_set(const struct sim_reports *reports)
{
	const struct gpuoa_constants *constants = gpuoa_unit_constants(now.unit->unit);
	struct gpuoa_calc *calc;
	struct rpn_set set;

	REQUIRE(!gpuoa_calc_open(now.set, constants, reports->format->id, NULL, &calc, NULL, 0));
	rpn_open(&set, now.facts, reports->format, &now.constants);
	rpn_choose(&set, &now.constants);
	check_metrics(&set, calc, reports);
	rpn_close(&set);
	gpuoa_calc_close(calc);
}

static void metrics_are_true(void)
{
	struct sim_reports reports;
	struct gpuoa_reader *reader;

	REQUIRE(now.set);
	CHECK(gpuoa_set_available(now.set, now.unit->desc.domain,
				  gpuoa_unit_constants(now.unit->unit), NULL, 0) == 1);
	reader = open_stream(now.unit, now.set, 0, now.period_ns);
	REQUIRE(reader);
	REQUIRE(sim_reports_open(&reports, raw_format(now.facts->format)->id, REPORTS));
	CHECK(!gpuoa_reader_enable(reader));
	if (CHECK(sim_reports_read(&reports, reader, REPORTS)))
		check_reports_of_set(&reports);
	sim_reports_close(&reports);
	gpuoa_reader_close(reader);
}

/* ---- maxima ---- */

static const char *const loads[] = { "idle", "frames", "compute", "steady" };

/* Select a load of all units. The load "steady" exercises nearly all counters. */
static void choose_load(const char *load)
{
	for (size_t i = 0; i < unit_count; i++)
		CHECK(sim_unit_switch(&units[i], "workload", load));
}

/*
 * Returns the upper bound of a metric. For a percentage it is at most 100, even if the metric
 * defines no maximum.
 */
static double bound_of(const struct rpn_set *set, size_t metric, const uint64_t *differences)
{
	const struct facts_metric *facts = set->facts->metrics[metric];

	if (*facts->max)
		return rpn_number(rpn_maximum(set, metric, &now.constants, differences, rpn_total));
	return strcmp(facts->kind->units, "percent") ? INFINITY : 100;
}

static double number_of(const struct facts_metric *metric, union gpuoa_value value)
{
	return metric->kind->type[0] == 'f' ? value.f32 : value.u64;
}

static void check_bounds(struct rpn_set *set, const uint64_t *differences,
			 const union gpuoa_value *values, const char *load)
{
	rpn_evaluate(set, &now.constants, differences, rpn_row);
	for (size_t i = 0; i < set->facts->metric_count; i++) {
		double bound = bound_of(set, i, differences);
		double value = number_of(set->facts->metrics[i], values[i]);

		if (!CHECK(value <= bound * ROUNDED))
			printf("# %s, %s: %g, but at most %g\n", load,
			       set->facts->metrics[i]->symbol, value, bound);
	}
}

static void check_bounds_of_load(struct rpn_set *set, struct gpuoa_calc *calc,
				 const struct sim_reports *reports, const char *load)
{
	const struct raw_format *format = reports->format;
	const size_t time = raw_find(format, 't', 0);
	const uint64_t least = now.unit->info.timestamp_frequency * BOUND_NS / 1000000000;
	union gpuoa_value values[FACTS_METRICS_MAX + 16];
	uint64_t differences[RAW_FIELDS_MAX];
	size_t used, looked_at = 0;

	for (size_t i = 0; i < reports->count; i++) {
		const int rows =
			gpuoa_calc_run(calc, sim_report(reports, i), 1, values, NULL, 1, &used);

		if (rows != 1 || !i || sim_reports_difference(reports, time, i - 1, i) < least)
			continue;
		for (size_t k = 0; k < format->count; k++)
			differences[k] = sim_reports_difference(reports, k, i - 1, i);
		check_bounds(set, differences, values, load);
		looked_at++;
	}
	CHECK(looked_at > 0);
}

static void check_loads(struct rpn_set *set, struct gpuoa_reader *reader,
			struct sim_reports *reports)
{
	const struct gpuoa_constants *constants = gpuoa_unit_constants(now.unit->unit);
	struct gpuoa_calc *calc;

	for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++) {
		choose_load(loads[i]);
		REQUIRE(!gpuoa_calc_open(now.set, constants, reports->format->id, NULL, &calc, NULL,
					 0));
		if (CHECK(sim_reports_read(reports, reader, LOAD_REPORTS)))
			check_bounds_of_load(set, calc, reports, loads[i]);
		gpuoa_calc_close(calc);
	}
}

static void metrics_keep_to_their_maxima(void)
{
	struct sim_reports reports;
	struct gpuoa_reader *reader;
	struct rpn_set set;

	REQUIRE(now.set);
	reader = open_stream(now.unit, now.set, 0, PERIOD_NS);
	REQUIRE(reader);
	REQUIRE(sim_reports_open(&reports, raw_format(now.facts->format)->id, LOAD_REPORTS));
	rpn_open(&set, now.facts, reports.format, &now.constants);
	rpn_choose(&set, &now.constants);
	if (CHECK(!gpuoa_reader_enable(reader)))
		check_loads(&set, reader, &reports);
	rpn_close(&set);
	sim_reports_close(&reports);
	gpuoa_reader_close(reader);
}

/* ---- shares of the load ---- */

/*
 * The EU cycles in the load "steady", by the stage whose threads execute or wait, in 1/1024 of all
 * EU cycles. The names are those by which metrics refer to the stage.
 */
static const struct stage {
	const char *name;
	const char *unit; /* name used for vector engines */
	double active;
	double stall;
} stages[] = {
	{ "", "_ALL", 648, 267 },  { "Vs", "_VS", 90, 40 }, { "Hs", "_HS", 22, 9 },
	{ "Ds", "_DS", 45, 20 },   { "Gs", "_GS", 31, 13 }, { "Cs", "_CS", 60, 35 },
	{ "Ps", "_PS", 400, 150 },
};

/*
 * fraction of the executing cycles in which a pipe is active; 0: the metric counts waiting threads
 */
static const struct share {
	const char *format;
	bool of_vector_engines;
	double active;
} shares[] = {
	{ "%sEuActive", false, 1 },
	{ "%sEuStall", false, 0 },
	{ "%sFpuActive", false, 160. / 256 },
	{ "%sFpu0Active", false, 160. / 256 },
	{ "%sEmActive", false, 96. / 256 },
	{ "%sFpu1Active", false, 96. / 256 },
	{ "%sSendActive", false, 40. / 256 },
	{ "Eu%sSendActive", false, 40. / 256 },
	{ "XVE_ACTIVE%s", true, 1 },
	{ "XVE_STALL%s", true, 0 },
	{ "XVE_INST_EXECUTED_ALU0%s_UTILIZATION", true, 160. / 256 },
	{ "XVE_INST_EXECUTED_ALU1%s_UTILIZATION", true, 96. / 256 },
	{ "XVE_INST_EXECUTED_SEND%s_UTILIZATION", true, 40. / 256 },
};

/*
 * Fraction of the load that a round of eight contexts causes. Each number is the part of one
 * context, in eighths.
 */
static const double context_weights = (8 + 5 + 6 + 3 + 8 + 5 + 6 + 3) / 8. / 8;

/*
 * Returns whether a metric has the name of a share and a stage. "XVE_ACTIVE" and "XVE_ACTIVE_ALL"
 * both cover all stages.
 */
static bool is_called(const char *symbol, const struct share *share, const struct stage *stage)
{
	char name[80];

	snprintf(name, sizeof(name), share->format,
		 share->of_vector_engines ? stage->unit : stage->name);
	if (!strcmp(symbol, name))
		return true;
	snprintf(name, sizeof(name), share->format, "");
	return !*stage->name && !strcmp(symbol, name);
}

/*
 * Returns whether a metric is the occupancy. Five threads are loaded on each EU that is not idle.
 */
static bool is_occupancy(const char *symbol)
{
	return !strcmp(symbol, "EuThreadOccupancy") || !strcmp(symbol, "XveThreadOccupancy") ||
	       !strcmp(symbol, "XVE_THREADS_OCCUPANCY_ALL");
}

/*
 * Return the expected percentage of a metric with this name, or -1. The only PEC events of Xe2 that
 * the simulator implements are the test events, which count every clock.
 */
static double share_of_load(const struct facts_set *set, const char *symbol)
{
	if (raw_find(raw_format(set->format), 'P', 0) >= 0)
		return strcmp(symbol, "TEST_EVENT1") && strcmp(symbol, "TEST_EVENT2") ? -1 : 100;
	if (is_occupancy(symbol))
		return (stages[0].active + stages[0].stall) * 5 / now.unit->info.threads_per_eu *
		       context_weights * 100 / 1024;
	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++)
		for (size_t k = 0; k < sizeof(stages) / sizeof(stages[0]); k++)
			if (is_called(symbol, &shares[i], &stages[k]))
				return (shares[i].active ? shares[i].active * stages[k].active :
							   stages[k].stall) *
				       context_weights * 100 / 1024;
	return -1;
}

static bool has_shares(const struct facts_set *set)
{
	for (size_t i = 0; i < set->metric_count; i++)
		if (share_of_load(set, set->metrics[i]->symbol) >= 0)
			return true;
	return false;
}

/* Read the current timestamp. */
static uint64_t timestamp(void)
{
	uint64_t tick = 0, ahead = 0;

	CHECK(sim_unit_number(now.unit, "tick", &tick));
	CHECK(sim_unit_number(now.unit, "time_offset", &ahead));
	return tick + ahead;
}

/* Check the EU activity over a whole round of contexts. */
static void check_shares(struct rpn_set *set)
{
	const uint64_t from = timestamp(), to = from + now.unit->info.timestamp_frequency / 125;
	uint64_t reference[RAW_FIELDS_MAX];

	while (tap.good && timestamp() < to)
		usleep(1000);
	REQUIRE(sim_unit_reference(now.unit, set->format, from, to, reference));
	rpn_evaluate(set, &now.constants, reference, rpn_total);
	for (size_t i = 0; i < set->facts->metric_count; i++) {
		const char *symbol = set->facts->metrics[i]->symbol;
		const double expected = share_of_load(set->facts, symbol);
		const double value = rpn_number(set->values[i]);

		if (expected >= 0 && !CHECK(fabs(value - expected) <= 0.001))
			printf("# %s: %g, but the load has %g\n", symbol, value, expected);
	}
}

static void shares_are_those_of_the_load(void)
{
	const struct raw_format *format = raw_format(now.facts->format);
	struct gpuoa_reader *reader;
	struct rpn_set set;

	REQUIRE(now.set);
	reader = open_stream(now.unit, now.set, 0, PERIOD_NS);
	REQUIRE(reader);
	rpn_open(&set, now.facts, format, &now.constants);
	rpn_choose(&set, &now.constants);
	if (CHECK(!gpuoa_reader_enable(reader)))
		check_shares(&set);
	rpn_close(&set);
	gpuoa_reader_close(reader);
}

/* ---- the sets of a unit ---- */

static void run(void (*test)(void), const char *what)
{
	char sentence[160];

	snprintf(sentence, sizeof(sentence), "%s, %s %s: %s", now.unit->desc.name,
		 now.unit->desc.platform, now.unit->desc.domain, what);
	tap_run(test, sentence);
	fflush(stdout);
}

static void choose_unit(const struct sim_unit *unit)
{
	now.unit = unit;
	unit_constants(&unit->info, gpuoa_unit_constants(unit->unit), &now.constants);
}

static bool is_of_unit(const struct facts_set *set)
{
	return !strcmp(set->unit, now.unit->desc.domain) &&
	       rpn_holds(set->availability, &now.constants);
}

static void choose_set(const struct facts_set *set)
{
	now.facts = set;
	now.set = gpuoa_platform_find_set(now.unit->platform, set->symbol, set->unit,
					  gpuoa_unit_constants(now.unit->unit));
}

static const struct facts_platform *facts_of_unit(void)
{
	return facts_find(&facts, now.unit->desc.platform);
}

static void check_sets(const struct sim_unit *unit)
{
	const struct facts_platform *platform;
	char what[128];

	choose_unit(unit);
	platform = facts_of_unit();
	for (size_t i = 0; i < platform->set_count; i += sim_sample()) {
		const struct facts_set *set = &platform->sets[i];

		if (!is_of_unit(set))
			continue;
		choose_set(set);
		snprintf(what, sizeof(what), "metrics of %s", set->symbol);
		run(metrics_are_true, what);
		/*
		 * The clock of a GPU of gpuoa-vgpu sometimes exceeds the maximum that i915 reads
		 * from it.
		 */
		if (sim_unit_is_stock(unit))
			continue;
		snprintf(what, sizeof(what), "maxima of %s", set->symbol);
		run(metrics_keep_to_their_maxima, what);
		if (!has_shares(set))
			continue;
		snprintf(what, sizeof(what), "shares of the load in %s", set->symbol);
		run(shares_are_those_of_the_load, what);
	}
}

/* Use the unit's first set, in tests for which any set will do. */
static void choose_first_set(const struct sim_unit *unit)
{
	const struct facts_platform *platform;

	choose_unit(unit);
	platform = facts_of_unit();
	for (size_t i = platform->set_count; i--;)
		if (is_of_unit(&platform->sets[i]))
			choose_set(&platform->sets[i]);
	now.format = raw_format(now.facts->format)->id;
}

/* ---- formats ---- */

static void counters_of_a_format_are_true(void)
{
	struct sim_reports reports;
	struct gpuoa_reader *reader;

	reader = open_stream(now.unit, now.set, now.format, PERIOD_NS);
	REQUIRE(reader);
	REQUIRE(sim_reports_open(&reports, now.format, REPORTS));
	CHECK(!gpuoa_reader_enable(reader));
	if (CHECK(sim_reports_read(&reports, reader, REPORTS)))
		check_counters(now.unit, &reports);
	sim_reports_close(&reports);
	gpuoa_reader_close(reader);
}

/*
 * In the first report, each counter is WRAP_EVENTS below its wrap. Check that the counters wrap
 * correctly.
 */
static void check_wraps(const struct sim_reports *reports)
{
	const struct raw_format *format = reports->format;
	const size_t last = reports->count - 1;
	size_t wrapped = 0;

	for (size_t i = 0; i < format->count; i++) {
		const struct raw_field *field = &format->fields[i];
		uint64_t first = raw_get(field, sim_report(reports, 0));

		if (field->bank == 't')
			continue;
		CHECK(cut(field, first + WRAP_EVENTS) == 0);
		CHECK(sim_reports_wrapped(reports, i, 0, last) ==
		      (sim_reports_difference(reports, i, 0, last) >= WRAP_EVENTS));
		wrapped += sim_reports_wrapped(reports, i, 0, last);
	}
	printf("# %zu counters wrapped\n", wrapped);
	CHECK(wrapped > 1);
}

static void counters_wrap(void)
{
	struct sim_reports reports;
	struct gpuoa_reader *reader;
	char events[16];

	reader = open_stream(now.unit, now.set, now.format, PERIOD_NS);
	REQUIRE(reader);
	REQUIRE(sim_reports_open(&reports, now.format, REPORTS));
	snprintf(events, sizeof(events), "%d", WRAP_EVENTS);
	CHECK(sim_unit_switch(now.unit, "wrap_counters", events));
	CHECK(!gpuoa_reader_enable(reader));
	if (CHECK(sim_reports_read(&reports, reader, REPORTS))) {
		check_counters(now.unit, &reports);
		check_wraps(&reports);
		check_reports_of_set(&reports);
	}
	CHECK(sim_unit_switch(now.unit, "wrap_counters", "0"));
	sim_reports_close(&reports);
	gpuoa_reader_close(reader);
}

static void check_formats(const struct sim_unit *unit)
{
	char what[96];

	choose_first_set(unit);
	if (!sim_unit_is_stock(unit))
		run(counters_wrap, "counters wrap, and nothing is miscounted");
	for (uint32_t format = 1; format < 64; format++) {
		if (!(unit->info.formats[format / 64] >> format % 64 & 1))
			continue;
		now.format = format;
		snprintf(what, sizeof(what), "counters of format %s", gpuoa_format_name(format));
		run(counters_of_a_format_are_true, what);
	}
}

/* ---- time ---- */

/* Find the two reports between which the timestamp wrapped. */
static bool find_wrap(const struct sim_reports *reports, struct sim_reports *pair)
{
	*pair = *reports;
	pair->count = 2;
	for (size_t i = 1; i < reports->count; i++) {
		if (sim_report_time(pair, 1) < sim_report_time(pair, 0))
			return true;
		pair->data += reports->format->size;
	}
	return false;
}

static bool read_to_wrap(struct sim_reports *reports, struct gpuoa_reader *reader,
			 struct sim_reports *pair)
{
	reports->count = 0;
	do {
		if (reports->count + WRAP_STEP > reports->room ||
		    !sim_reports_more(reports, reader, reports->count + WRAP_STEP))
			return false;
	} while (!find_wrap(reports, pair));
	return true;
}

/* Check reports while the timestamp wraps. @wrap: makes the timestamp wrap in WRAP_MS */
static void check_wrap_of_time(bool (*wrap)(void))
{
	struct sim_reports reports, pair;
	struct gpuoa_reader *reader;

	reader = open_stream(now.unit, now.set, now.format, WRAP_PERIOD_NS);
	REQUIRE(reader);
	REQUIRE(sim_reports_open(&reports, now.format, WRAP_REPORTS));
	CHECK(wrap());
	CHECK(!gpuoa_reader_enable(reader));
	if (CHECK(read_to_wrap(&reports, reader, &pair))) {
		check_counters(now.unit, &pair);
		check_reports_of_set(&pair);
	}
	sim_reports_close(&reports);
	gpuoa_reader_close(reader);
}

static bool wrap_32_bits(void)
{
	char ms[16];

	snprintf(ms, sizeof(ms), "%d", WRAP_MS);
	return sim_unit_switch(now.unit, "wrap_timestamp", ms);
}

static void timestamp_wraps(void)
{
	check_wrap_of_time(wrap_32_bits);
}

/*
 * Make the 56-bit timestamp wrap. time_offset: number of ticks by which the visible clock is ahead
 * of the simulator's own clock
 */
static bool wrap_56_bits(void)
{
	uint64_t ahead, tick;
	char ticks[32];

	if (!sim_unit_number(now.unit, "time_offset", &ahead) ||
	    !sim_unit_number(now.unit, "tick", &tick))
		return false;
	ahead += (-tick & ((1ull << 56) - 1)) - now.unit->info.timestamp_frequency * WRAP_MS / 1000;
	snprintf(ticks, sizeof(ticks), "%" PRIu64, ahead);
	return sim_unit_switch(now.unit, "time_offset", ticks);
}

static void wide_timestamp_wraps(void)
{
	check_wrap_of_time(wrap_56_bits);
}

static uint64_t timestamp_bits(const struct raw_format *format)
{
	return format->fields[raw_find(format, 't', 0)].bits;
}

/* All units of a GPU share its clock, which can only be moved forwards. */
static void check_time(const struct sim_unit *unit)
{
	if (sim_unit_is_stock(unit))
		return;
	choose_first_set(unit);
	if (timestamp_bits(raw_format_of_id(now.format)) == 32)
		run(timestamp_wraps, "the timestamp wraps");
	else
		run(wide_timestamp_wraps, "the timestamp of 56 bits wraps");
}

/* ---- several units ---- */

static void open_all(struct gpuoa_reader **readers)
{
	for (size_t i = 0; i < unit_count; i++) {
		choose_first_set(&units[i]);
		readers[i] = open_stream(&units[i], now.set, 0, (1 + i % 3) * PERIOD_NS);
	}
	for (size_t i = 0; i < unit_count; i++)
		CHECK(readers[i] && !gpuoa_reader_enable(readers[i]));
}

static void check_one_of_all(const struct sim_unit *unit, struct gpuoa_reader *reader)
{
	struct gpuoa_reader_desc desc;
	struct sim_reports reports;

	REQUIRE(reader);
	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	REQUIRE(sim_reports_open(&reports, desc.format, REPORTS));
	if (CHECK(sim_reports_read(&reports, reader, REPORTS)))
		check_counters(unit, &reports);
	sim_reports_close(&reports);
}

static void all_units_stream_at_once(void)
{
	struct gpuoa_reader *readers[UNITS_MAX] = { NULL };

	open_all(readers);
	for (size_t i = 0; i < unit_count; i++)
		check_one_of_all(&units[i], readers[i]);
	for (size_t i = 0; i < unit_count; i++)
		if (readers[i])
			gpuoa_reader_close(readers[i]);
}

/* ---- */

/* These loads change during the measurement. */
static void check_phases(const struct sim_unit *unit)
{
	choose_first_set(unit);
	now.period_ns = PHASE_PERIOD_NS;
	run(metrics_are_true, "metrics of a load that changes");
	now.period_ns = PERIOD_NS;
}

int main(void)
{
	unit_count = sim_units_open(units, UNITS_MAX);
	if (!unit_count)
		return tap_skip("no OA unit");
	facts_read(&facts);
	for (size_t i = 0; i < unit_count; i++)
		check_phases(&units[i]);
	choose_load("steady");
	RUN(all_units_stream_at_once);
	for (size_t i = 0; i < unit_count; i++)
		check_formats(&units[i]);
	for (size_t i = 0; i < unit_count; i++)
		check_sets(&units[i]);
	for (size_t i = 0; i < unit_count; i++)
		check_time(&units[i]);
	sim_units_close(units, unit_count);
	facts_free(&facts);
	return tap_end();
}
