// SPDX-License-Identifier: MIT
/*
 * libi915_perf_test.c - every metric of Haswell against libi915_perf.
 *
 * Documentation/accuracy.rst lists where the two differ, and why.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fixture.h"
#include "libi915_perf.h"
#include "tap.h"

#define PAIRS 10000

/* A float holds 24 bits; the peer calculates in doubles as we do. */
#define TOLERANCE 6e-8

static struct peer peer;
static struct gpuoa_constants *constants;

/* One interval, as both libraries see it. */
struct interval {
	struct peer_record records[2];
	struct peer_accumulator accumulator;
	union gpuoa_value values[256];
	union gpuoa_value max[256];
};

static void random_interval(uint64_t *state, struct interval *interval)
{
	struct peer_record *from = &interval->records[0];
	struct peer_record *to = &interval->records[1];

	from->type = to->type = PEER_RECORD_SAMPLE;
	from->size = to->size = sizeof(*from);
	for (int i = 0; i < REPORT_WORDS; i++)
		from->report[i] = fixture_random(state) >> 32;
	fixture_next_report(state, from->report, to->report);
}

static bool calculate(struct gpuoa_calc *calc, const struct peer_set *set,
		      struct interval *interval)
{
	uint32_t reports[2][REPORT_WORDS];
	size_t used;

	memcpy(reports[0], interval->records[0].report, sizeof(reports[0]));
	memcpy(reports[1], interval->records[1].report, sizeof(reports[1]));
	gpuoa_calc_gap(calc);
	if (gpuoa_calc_run(calc, reports, 2, interval->values, NULL, 1,
			   &used) != 1)
		return false;
	if (gpuoa_calc_total(calc, interval->max, NULL, true) ||
	    gpuoa_calc_total_max(calc, interval->max))
		return false;
	memset(&interval->accumulator, 0, sizeof(interval->accumulator));
	peer.accumulate(&interval->accumulator, peer.perf, set,
			&interval->records[0], &interval->records[1]);
	return true;
}

static uint32_t difference(const struct interval *interval, int word)
{
	return interval->records[1].report[word] -
	       interval->records[0].report[word];
}

/* A39 - A36: the peer wraps where we say that nothing happened. */
static bool is_wrapped_subtraction(const char *symbol,
				   const struct interval *interval)
{
	return !strcmp(symbol, "PostPsDepthTestFails") &&
	       difference(interval, 3 + 39) < difference(interval, 3 + 36);
}

static bool close_enough(double ours, double theirs)
{
	return ours == theirs ||
	       fabs(ours - theirs) <= TOLERANCE * fabs(theirs);
}

static bool integer_agrees(const char *symbol, const char *what, uint64_t ours,
			   uint64_t theirs)
{
	if (ours == theirs)
		return true;
	printf("# %s of %s is %llu, the peer says %llu\n", what, symbol,
	       (unsigned long long)ours, (unsigned long long)theirs);
	return false;
}

static bool float_agrees(const char *symbol, const char *what, float ours,
			 double theirs)
{
	if (close_enough(ours, theirs))
		return true;
	printf("# %s of %s is %.9g, the peer says %.17g\n", what, symbol, ours,
	       theirs);
	return false;
}

static bool value_agrees(const struct peer_counter *counter,
			 const struct peer_set *set, struct interval *interval,
			 union gpuoa_value value)
{
	uint64_t *deltas = interval->accumulator.deltas;

	if (counter->storage != PEER_UINT64)
		return float_agrees(counter->symbol, "value", value.f32,
				    counter->read_float(peer.perf, set,
							deltas));
	if (is_wrapped_subtraction(counter->symbol, interval))
		return integer_agrees(counter->symbol, "value", value.u64, 0);
	return integer_agrees(counter->symbol, "value", value.u64,
			      counter->read_uint64(peer.perf, set, deltas));
}

static bool max_agrees(const struct peer_counter *counter,
		       const struct peer_set *set, struct interval *interval,
		       union gpuoa_value max)
{
	uint64_t *deltas = interval->accumulator.deltas;

	if (!counter->max_uint64)
		return true;
	if (counter->storage != PEER_UINT64)
		return float_agrees(counter->symbol, "maximum", max.f32,
				    counter->max_float(peer.perf, set, deltas));
	return integer_agrees(counter->symbol, "maximum", max.u64,
			      counter->max_uint64(peer.perf, set, deltas));
}

static void check_interval(const struct gpuoa_set *set,
			   const struct peer_set *theirs,
			   struct interval *interval)
{
	struct gpuoa_set_desc desc;

	gpuoa_set_describe(set, &desc, sizeof(desc));
	for (size_t i = 0; i < desc.metric_count; i++) {
		const struct gpuoa_metric *metric = gpuoa_set_metric(set, i);
		const struct peer_counter *counter;
		struct gpuoa_metric_desc known;

		gpuoa_metric_describe(metric, &known, sizeof(known));
		counter = peer_find_counter(theirs, known.symbol);
		if (!counter)
			continue;
		CHECK(value_agrees(counter, theirs, interval,
				   interval->values[i]));
		CHECK(max_agrees(counter, theirs, interval, interval->max[i]));
	}
}

static void check_set(const char *symbol)
{
	const struct gpuoa_set *set =
		gpuoa_platform_find_set(gpuoa_platform_find("hsw"), symbol);
	const struct peer_set *theirs = peer_find_set(&peer, symbol);
	static struct interval interval;
	struct gpuoa_calc *calc;
	uint64_t state = 11;

	REQUIRE(set && theirs);
	REQUIRE(!gpuoa_calc_open(set, constants, GPUOA_REPORT_A45_B8_C8,
				 &calc));
	for (int i = 0; i < PAIRS && tap.good; i++) {
		random_interval(&state, &interval);
		CHECK(calculate(calc, theirs, &interval));
		check_interval(set, theirs, &interval);
	}
	gpuoa_calc_close(calc);
}

static void RenderBasic_agrees(void)
{
	check_set("RenderBasic");
}

static void ComputeBasic_agrees(void)
{
	check_set("ComputeBasic");
}

static void ComputeExtended_agrees(void)
{
	check_set("ComputeExtended");
}

static void MemoryReads_agrees(void)
{
	check_set("MemoryReads");
}

static void MemoryWrites_agrees(void)
{
	check_set("MemoryWrites");
}

static void SamplerBalance_agrees(void)
{
	check_set("SamplerBalance");
}

/* What the peer has in a set, and we have not, or the other way round. */
static void both_have_the_same_metrics(void)
{
	const struct gpuoa_platform *platform = gpuoa_platform_find("hsw");

	for (size_t s = 0; s < gpuoa_platform_set_count(platform); s++) {
		const struct gpuoa_set *set = gpuoa_platform_set(platform, s);
		const struct peer_set *theirs;
		struct gpuoa_set_desc desc;
		int32_t available = 0;

		gpuoa_set_describe(set, &desc, sizeof(desc));
		theirs = peer_find_set(&peer, desc.symbol);
		REQUIRE(theirs);
		CHECK_STRING(desc.uuid, theirs->uuid);
		for (size_t i = 0; i < desc.metric_count; i++)
			available += gpuoa_metric_available(
				gpuoa_set_metric(set, i), constants);
		CHECK(available == theirs->counter_count);
		for (int32_t i = 0; i < theirs->counter_count; i++)
			CHECK(gpuoa_set_find_metric(
				set, theirs->counters[i].symbol));
	}
}

int main(void)
{
	if (!peer_open(&peer, &peer_haswell_gt2))
		return tap_skip(peer.problem);
	constants = haswell_gt2();
	RUN(both_have_the_same_metrics);
	RUN(RenderBasic_agrees);
	RUN(ComputeBasic_agrees);
	RUN(ComputeExtended_agrees);
	RUN(MemoryReads_agrees);
	RUN(MemoryWrites_agrees);
	RUN(SamplerBalance_agrees);
	gpuoa_constants_free(constants);
	peer_close(&peer);
	return tap_end();
}
