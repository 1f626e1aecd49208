// SPDX-License-Identifier: MIT
/*
 * i915_reader.c - Compares each metric that i915-perf-reader prints, for recordings of the stock
 * i915, with the virtual GPU's true counts: i915_reader SET FILE...
 *
 * FILE is the output of `i915-perf-reader -c all` for a recording of SET. It contains the intervals
 * in which one context ran, or a single interval if reports have no context.
 *
 * The expected metrics are computed from the GPU's counters by rpn.c, as in gpus_reference.c, with
 * the equations that the reader's library has.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "peer_rules.h"
#include "rpn.h"
#include "sim_unit.h"
#include "tap.h"
#include "unit_constants.h"

#define INTERVALS_MAX 20 /* number checked per file */
#define COMPLAINTS_MAX 10

static struct sim_unit unit;
static struct facts facts;
static struct rpn_constants constants;

/* State of the test */
static struct {
	const struct facts_set *facts;
	const char *file;
	struct rpn_set set;
	size_t intervals;
	size_t values;
	size_t wrong;
} now;

/* An interval that the reader printed; metrics that it did not print are NAN. */
struct interval {
	bool begun;
	uint64_t from;
	uint64_t to;
	double values[FACTS_METRICS_MAX];
};

static bool begins(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (!strncmp(text, *words, strlen(*words)))
			return true;
	return false;
}

static bool contains(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (strstr(text, *words))
			return true;
	return false;
}

/*
 * Returns whether a metric is divided by the number of EUs. For these, i915-perf-reader first
 * rounds down to whole clocks.
 */
static bool is_of_eus(const char *symbol)
{
	static const char *const stages[] = { "Eu", "Cs", "Vs", "Hs", "Ds", "Gs", "Ps", NULL };
	static const char *const kinds[] = { "Active", "Stall", "Occupancy", "Fpu", "Send", NULL };

	return begins(symbol, stages) && contains(symbol, kinds);
}

/* Compare a printed value, which has six decimal places. @clocks: GPU clocks in the interval */
static bool is_near(const char *symbol, double shown, double wanted, double clocks)
{
	double off = 1e-6 + 1e-6 * fabs(wanted);

	if (is_of_eus(symbol))
		off += 100 / (clocks + 1);
	return fabs(shown - wanted) <= off;
}

static int find_metric(const char *symbol)
{
	for (size_t i = 0; i < now.facts->metric_count; i++)
		if (!strcmp(now.facts->metrics[i]->symbol, symbol))
			return i;
	return -1;
}

static void compare(const struct interval *interval)
{
	const int clocks = find_metric("GpuCoreClocks");

	for (size_t i = 0; i < now.facts->metric_count; i++) {
		const char *symbol = now.facts->metrics[i]->symbol;
		const double wanted = rpn_number(now.set.values[i]);
		const double shown = interval->values[i];

		if (!now.set.available[i])
			continue;
		now.values++;
		if (is_near(symbol, shown, wanted,
			    clocks < 0 ? 0 : rpn_number(now.set.values[clocks])))
			continue;
		if (now.wrong++ < COMPLAINTS_MAX)
			printf("# %#" PRIx64 " to %#" PRIx64 ": %s: shown %f, reference %f\n",
			       interval->from, interval->to, symbol, shown, wanted);
	}
}

static void end_interval(struct interval *interval)
{
	uint64_t reference[RAW_FIELDS_MAX];

	if (!interval->begun || now.intervals == INTERVALS_MAX)
		return;
	REQUIRE(sim_unit_reference(&unit, now.set.format, interval->from, interval->to, reference));
	rpn_evaluate(&now.set, &constants, reference, rpn_row);
	compare(interval);
	now.intervals++;
}

static void begin_interval(struct interval *interval, const char *line)
{
	const char *times = strstr(line, "GPU=");

	interval->begun = times && sscanf(times, "GPU=%" SCNx64 "-%" SCNx64, &interval->from,
					  &interval->to) == 2;
	for (size_t i = 0; i < FACTS_METRICS_MAX; i++)
		interval->values[i] = NAN;
}

/*
 * In the output, each line "Time: CPU=FROM-TO GPU=FROM-TO" is followed by lines " SYMBOL: VALUE".
 */
static void take_line(struct interval *interval, const char *line)
{
	char symbol[96];
	double value;
	int metric;

	if (!strncmp(line, "Time:", 5)) {
		end_interval(interval);
		begin_interval(interval, line);
	} else if (sscanf(line, "   %95[^:]: %lf", symbol, &value) == 2) {
		metric = find_metric(symbol);
		if (metric >= 0)
			interval->values[metric] = value;
	}
}

static void read_file(FILE *file)
{
	struct interval interval = { 0 };
	char line[512];

	while (fgets(line, sizeof(line), file))
		take_line(&interval, line);
	end_interval(&interval);
}

static void what_is_shown_is_true(void)
{
	FILE *file = fopen(now.file, "re");

	REQUIRE(file);
	now.intervals = 0;
	now.values = 0;
	now.wrong = 0;
	rpn_open(&now.set, peer_equations(now.facts, NULL), raw_format(now.facts->format),
		 &constants);
	rpn_choose(&now.set, &constants);
	read_file(file);
	rpn_close(&now.set);
	fclose(file);
	printf("# %zu values of %zu intervals, %zu wrong\n", now.values, now.intervals, now.wrong);
	CHECK(now.values > 0);
	CHECK(!now.wrong);
}

static const struct facts_set *find_set(const char *symbol)
{
	const struct facts_platform *platform = facts_find(&facts, unit.desc.platform);

	for (size_t i = 0; i < platform->set_count; i++)
		if (!strcmp(platform->sets[i].symbol, symbol) &&
		    rpn_holds(platform->sets[i].availability, &constants))
			return &platform->sets[i];
	return NULL;
}

int main(int argc, char **argv)
{
	char sentence[96];

	if (sim_units_open(&unit, 1) != 1)
		return tap_skip("no OA unit");
	facts_read(&facts);
	unit_constants(&unit.info, gpuoa_unit_constants(unit.unit), &constants);
	for (int i = 1; i + 1 < argc; i += 2) {
		now.facts = find_set(argv[i]);
		now.file = argv[i + 1];
		if (!now.facts) {
			printf("Bail out! there is no set %s\n", argv[i]);
			return 1;
		}
		snprintf(sentence, sizeof(sentence), "what i915-perf-reader shows of %s", argv[i]);
		tap_run(what_is_shown_is_true, sentence);
	}
	sim_units_close(&unit, 1);
	facts_free(&facts);
	return tap_end();
}
