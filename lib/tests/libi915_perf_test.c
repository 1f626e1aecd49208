// SPDX-License-Identifier: MIT
/*
 * libi915_perf_test.c - Compares each metric of each platform in libi915_perf with libgpuoa.
 *
 * Documentation/user/accuracy.rst lists the differences and their causes. peer_rules.h states them
 * as calculations: libi915_perf's values must equal the facts evaluated by these rules, and the
 * values of libgpuoa must equal libi915_perf's unless the rules note a difference.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "facts.h"
#include "fixture.h"
#include "libi915_perf.h"
#include "peer_rules.h"
#include "raw.h"
#include "rpn.h"
#include "tap.h"

/*
 * PAIRS: number of pairs of reports per set and GPU. MAXIMA: number of pairs for which maxima are
 * compared. Compile with -DPAIRS=... to test more.
 */
#ifdef PAIRS
#define MAXIMA PAIRS
#elif defined(__SANITIZE_ADDRESS__)
#define PAIRS 50
#define MAXIMA 5
#else
#define PAIRS 5000
#define MAXIMA 100
#endif
#define ROUNDS 2 /* number of GPUs per platform: a complete GPU, and one with parts missing */

/* A float has 24 significant bits; both libraries calculate in doubles. */
#define TOLERANCE 6e-8

static struct facts facts;

/* State of the current test */
static struct {
	struct peer_gpu gpu;
	struct peer peer;
	const struct facts_platform *facts;
	const struct gpuoa_platform *platform;
	struct gpuoa_constants *constants;
	struct rpn_constants values;
	bool is_revised; /* whether the set is revised */
	size_t revisions; /* differences found in it */
	bool divides_early[FACTS_METRICS_MAX]; /* from peer_equations() */
} now;

/*
 * Sets whose registers or equations were changed by later versions of intel-gpu-tools without
 * changing the UUID. This library has the later versions.
 */
static const struct {
	const char *platform;
	const char *set;
} revised[] = {
	{ "mtlgt2", "Ext7" },	{ "mtlgt2", "Ext17" },	{ "mtlgt2", "Ext508" },
	{ "mtlgt2", "Ext509" }, { "mtlgt2", "Ext510" }, { "mtlgt2", "Ext511" },
	{ "mtlgt3", "Ext1" },	{ "mtlgt3", "Ext7" },	{ "mtlgt3", "Ext17" },
	{ "mtlgt3", "Ext508" }, { "mtlgt3", "Ext509" }, { "mtlgt3", "Ext510" },
	{ "mtlgt3", "Ext511" }, { "mtlgt3", "Ext512" }, { "mtlgt3", "Ext513" },
	{ "mtlgt3", "Ext514" }, { "mtlgt3", "Ext515" },
};

/*
 * Sets of libi915_perf that libgpuoa does not have, or has with other registers and therefore
 * another UUID (Documentation/upstream/metric-xml.rst). A space precedes and follows each name.
 */
#define GT3_SETS \
	" HDCAndSF L3_1 L3_2 L3_3 RasterizerAndPixelBackend Sampler TDL_1 TDL_2 AsyncCompute "

static const struct {
	const char *platform;
	const char *sets;
} replaced[] = {
	{ "sklgt2", " MemoryWrites HDCAndSF AsyncCompute " },
	{ "sklgt3", GT3_SETS },
	{ "sklgt4", GT3_SETS },
	{ "kblgt2", " HDCAndSF AsyncCompute " },
	{ "kblgt3", GT3_SETS },
	{ "cflgt2", " HDCAndSF AsyncCompute " },
	{ "cflgt3", GT3_SETS },
	{ "bxt", " HDCAndSF AsyncCompute " },
	{ "glk", " HDCAndSF " },
	{ "icl", " HDCAndSF " },
	{ "mtlgt2", " Ext85 Ext118 Ext130 Ext131 Ext155 Ext156 Ext173 Ext174 Ext175 Ext176 Ext177 "
		    "Ext181 Ext604 " },
};

/* Sets that have the same registers in both libraries but not the same metrics */
static const struct {
	const char *platform;
	const char *set;
	bool lost; /* libgpuoa lacks some metrics of libi915_perf's set */
} other_metrics[] = {
	{ "sklgt4", "ComputeExtra", false }, { "dg1", "TestOa", true },
	{ "mtlgt2", "Ext113", true },	     { "mtlgt2", "Ext158", false },
	{ "mtlgt2", "Ext1010", false },
};

/* Metrics of gen9 with a maximum that the vendor corrected in later definitions */
static const char *const corrected_maxima[] = {
	"L3SamplerThroughput",	   "L3ShaderThroughput", "L3TotalThroughput",
	"GtiDepthThroughput",	   "GtiRccThroughput",	 "GtiL3Throughput",
	"GtiHdcLookupsThroughput", "GtiWriteThroughput", "TypedBytesRead",
	"TypedBytesWritten",	   "UntypedBytesRead",	 "UntypedBytesWritten",
};

static struct {
	const struct raw_format *format;
	uint64_t state;
	struct peer_record *records; /* PAIRS + 1 */
	uint8_t *reports; /* the same reports, contiguous */
	uint64_t *differences; /* for each of the PAIRS pairs, the differences of all fields */
} input;

/* Number of values that differ from libi915_perf's, for each reason */
static uint64_t reasons[PEER_NOTES];

/* ---- sets and metrics ---- */

static void open_constants(void)
{
	now.values.count = gpuoa_constants_count(now.constants);
	for (size_t i = 0; i < now.values.count; i++) {
		const char *name = gpuoa_constants_name(now.constants, i);
		uint64_t value = now.gpu.revision;

		if (strcmp(name, "SkuRevisionId") && !CHECK(peer_constant(&now.peer, name, &value)))
			printf("# the peer has no constant %s\n", name);
		now.values.names[i] = name;
		now.values.values[i] = value;
		gpuoa_constants_set(now.constants, name, value);
	}
}

static const struct facts_set *find_facts(const struct peer_set *theirs)
{
	for (size_t i = 0; i < now.facts->set_count; i++)
		if (!strcmp(now.facts->sets[i].uuid, theirs->uuid))
			return &now.facts->sets[i];
	return NULL;
}

/* Return the index of a metric in a set, or -1. */
static long find_metric(const struct facts_set *set, const char *symbol)
{
	for (size_t i = 0; i < set->metric_count; i++)
		if (!strcmp(set->metrics[i]->symbol, symbol))
			return i;
	return -1;
}

static bool is_replaced(const char *set)
{
	char name[64];

	snprintf(name, sizeof(name), " %s ", set);
	for (size_t i = 0; i < sizeof(replaced) / sizeof(replaced[0]); i++)
		if (!strcmp(replaced[i].platform, now.gpu.platform) &&
		    strstr(replaced[i].sets, name))
			return true;
	return false;
}

static bool has_other_metrics(const char *set, bool *lost)
{
	*lost = false;
	for (size_t i = 0; i < sizeof(other_metrics) / sizeof(other_metrics[0]); i++) {
		if (strcmp(other_metrics[i].platform, now.gpu.platform) ||
		    strcmp(other_metrics[i].set, set))
			continue;
		*lost = other_metrics[i].lost;
		return true;
	}
	return false;
}

static void same_metrics(const struct peer_set *theirs, const struct gpuoa_set *ours)
{
	struct gpuoa_set_desc desc;
	int32_t available = 0;
	bool lost;

	gpuoa_set_describe(ours, &desc, sizeof(desc));
	CHECK_STRING(desc.symbol, theirs->symbol);
	CHECK((int32_t)desc.format == theirs->format);
	if (has_other_metrics(theirs->symbol, &lost))
		return;
	for (size_t i = 0; i < desc.metric_count; i++)
		available += gpuoa_metric_available(gpuoa_set_get_metric(ours, i), now.constants,
						    NULL, 0);
	CHECK(available == theirs->counter_count);
	for (int32_t i = 0; i < theirs->counter_count; i++)
		CHECK(gpuoa_set_find_metric(ours, peer_counter(&now.peer, theirs, i).symbol));
}

/* libi915_perf does not have all sets of libgpuoa. */
static void sets_and_metrics(void)
{
	const struct peer_set *set = NULL;

	while ((set = peer_next_set(&now.peer, set)) && tap.good) {
		const struct gpuoa_set *ours = gpuoa_platform_find_uuid(now.platform, set->uuid);

		if (CHECK(!ours == is_replaced(set->symbol)) && ours)
			same_metrics(set, ours);
		if (!tap.good)
			printf("# ... in %s\n", set->symbol);
	}
}

/* ---- registers ---- */

static bool is_same(const struct gpuoa_reg *ours, const struct peer_register *theirs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (ours[i].address != theirs[i].address || ours[i].value != theirs[i].value)
			return false;
	return true;
}

static bool contains(const struct peer_register *theirs, size_t count, const struct gpuoa_reg *ours,
		     size_t ours_count)
{
	for (size_t i = 0; ours_count && i + ours_count <= count; i++)
		if (is_same(ours, theirs + i, ours_count))
			return true;
	return false;
}

/* Keep only the highest bit of a mask. */
static void keep_last(struct gpuoa_constants *constants, const char *name)
{
	uint64_t mask, last = 1;

	REQUIRE(!gpuoa_constants_get(constants, name, &mask));
	while (last <= mask / 2)
		last *= 2;
	gpuoa_constants_set(constants, name, last);
}

/*
 * Returns whether libi915_perf writes the registers of another slice or subslice. Some sets of
 * Broadwell have alternative lists, one per slice or subslice. libgpuoa writes the first one that
 * fits, libi915_perf 1.27 all of them, and 2.0 always the last one.
 */
static bool writes_other_alternatives(const struct gpuoa_set *set, enum gpuoa_register_kind kind,
				      const struct peer_register *theirs, size_t count)
{
	static struct gpuoa_reg last[4096];
	struct gpuoa_constants *constants;
	size_t n;

	if (strcmp(now.facts->name, "bdw") || gpuoa_constants_copy(now.constants, &constants))
		return false;
	keep_last(constants, "SliceMask");
	keep_last(constants, "SubsliceMask");
	n = gpuoa_set_registers(set, kind, constants, last, sizeof(last) / sizeof(*last));
	gpuoa_constants_free(constants);
	return contains(theirs, count, last, n);
}

static void check_list(const struct gpuoa_set *ours, enum gpuoa_register_kind kind,
		       const struct peer_register *theirs, uint32_t count)
{
	static struct gpuoa_reg regs[4096];
	size_t ours_count =
		gpuoa_set_registers(ours, kind, now.constants, regs, sizeof(regs) / sizeof(*regs));
	const bool same = ours_count == count && is_same(regs, theirs, count);

	if (now.is_revised)
		now.revisions += !same;
	else
		CHECK(same || contains(theirs, count, regs, ours_count) ||
		      writes_other_alternatives(ours, kind, theirs, count));
}

static void check_registers(const struct peer_set *theirs)
{
	const struct gpuoa_set *ours = gpuoa_platform_find_uuid(now.platform, theirs->uuid);

	REQUIRE(ours);
	check_list(ours, GPUOA_REGISTER_MUX, theirs->mux, theirs->mux_count);
	check_list(ours, GPUOA_REGISTER_BOOLEAN, theirs->boolean, theirs->boolean_count);
	check_list(ours, GPUOA_REGISTER_FLEX, theirs->flex, theirs->flex_count);
}

/* ---- values ---- */

static uint8_t *report(size_t index)
{
	return input.reports + index * input.format->size;
}

/* Write the same report for both libraries. */
static void make_record(size_t index)
{
	struct peer_record *record = &input.records[index];

	record->type = PEER_RECORD_SAMPLE;
	record->size = sizeof(*record);
	memcpy(record->report, report(index), input.format->size);
}

/* libi915_perf 2.0 reads all bits of timestamps of 64 bits, of which the reports here have 32. */
static void extend_timestamps(void)
{
	const size_t ticks = raw_find(input.format, 't', 0);
	const size_t offset = input.format->fields[ticks].low;
	uint64_t sum = 0;

	if (offset != sizeof(sum))
		return;
	for (size_t i = 0; i <= PAIRS; i++) {
		memcpy((uint8_t *)input.records[i].report + offset, &sum, sizeof(sum));
		if (i < PAIRS)
			sum += input.differences[i * input.format->count + ticks];
	}
}

static void make_reports(const char *format)
{
	input.format = raw_format(format);
	make_record(0);
	for (size_t i = 0; i < PAIRS; i++) {
		raw_next(input.format, &input.state, report(i), report(i + 1), 64);
		raw_differences(input.format, report(i), report(i + 1),
				input.differences + i * input.format->count);
		make_record(i + 1);
	}
	extend_timestamps();
}

/* For Meteor Lake, 2.0 expects timestamps of twice the frequency that it is given. */
static bool halves_ticks(void)
{
	return now.peer.is_2_0 && !strncmp(now.facts->name, "mtl", 3);
}

static void accumulate(const struct peer_set *theirs, size_t pair,
		       struct peer_accumulator *accumulator)
{
	uint64_t ticks =
		input.differences[pair * input.format->count + raw_find(input.format, 't', 0)];

	memset(accumulator, 0, sizeof(*accumulator));
	now.peer.accumulate(accumulator, now.peer.perf, theirs, &input.records[pair],
			    &input.records[pair + 1]);
	CHECK(accumulator->deltas[0] == (halves_ticks() ? ticks / 2 : ticks));
	accumulator->deltas[0] = ticks;
}

/* A counter of libi915_perf, and the metric of libgpuoa that corresponds to it */
struct pair {
	struct peer_counter counter;
	const struct facts_metric *metric;
	size_t index; /* index of the metric, both in the facts and in libgpuoa's set */
};

static struct rpn_value peer_value(const struct peer_set *set, const struct pair *pair, bool max,
				   struct peer_accumulator *accumulator)
{
	const struct peer_counter *counter = &pair->counter;
	uint64_t *deltas = accumulator->deltas;
	struct rpn_value value = { 0 };

	value.real = counter->storage != PEER_UINT64;
	if (value.real)
		value.number = (max ? counter->max_float : counter->read_float)(now.peer.perf, set,
										deltas);
	else
		value.integer = (max ? counter->max_uint64 : counter->read_uint64)(now.peer.perf,
										   set, deltas);
	return value;
}

/*
 * Check that libi915_perf's value equals that of the facts, evaluated by the rules of libi915_perf.
 */
static void check_rules(const struct pair *pair, const char *what, struct rpn_value theirs,
			struct rpn_value expected)
{
	if (theirs.real == expected.real &&
	    (theirs.real ? theirs.number == expected.number : theirs.integer == expected.integer))
		return;
	if (now.is_revised) {
		now.revisions++;
		return;
	}
	CHECK(false);
	printf("# the peer's %s of %s: %.17g (%llu), by its rules %.17g (%llu), notes %x\n", what,
	       pair->metric->symbol, theirs.number, (unsigned long long)theirs.integer,
	       expected.number, (unsigned long long)expected.integer, expected.notes);
}

static bool is_close(struct rpn_value theirs, union gpuoa_value ours)
{
	if (!theirs.real)
		return ours.u64 == rpn_integer(theirs);
	return ours.f32 == (float)theirs.number ||
	       fabs(ours.f32 - theirs.number) <= TOLERANCE * fabs(theirs.number);
}

/* Check that libgpuoa's value equals libi915_perf's, unless the rules noted a difference. */
static void check_ours(const struct pair *pair, const char *what, struct rpn_value theirs,
		       union gpuoa_value ours)
{
	if (is_close(theirs, ours))
		return;
	for (int i = 0; i < PEER_NOTES; i++)
		reasons[i] += theirs.notes >> i & 1;
	if (theirs.notes || now.is_revised)
		return;
	CHECK(false);
	printf("# %s of %s: %.9g (%llu), the peer says %.17g (%llu)\n", what, pair->metric->symbol,
	       ours.f32, (unsigned long long)ours.u64, theirs.number,
	       (unsigned long long)theirs.integer);
}

/*
 * Returns whether libi915_perf has a wrong maximum of 100, as if the metric were a percentage. In
 * fact it counts cycles per thread, which are unbounded, or cycles of all vector engines.
 */
static bool has_mistaken_max(const struct pair *pair)
{
	static const char ending[] = "EuActivePerThread";
	const char *symbol = pair->metric->symbol;
	const size_t length = strlen(symbol);

	if (!pair->counter.max_uint64)
		return false;
	return !strcmp(symbol, "XVE_ACTIVE_CYCLES_HS") ||
	       (length >= sizeof(ending) - 1 &&
		!strcmp(symbol + length - (sizeof(ending) - 1), ending));
}

static bool has_corrected_max(const char *symbol)
{
	static const char *const gen9[] = { "skl", "kbl", "cfl", "bxt", "glk" };
	bool found = false;

	for (size_t i = 0; i < sizeof(gen9) / sizeof(gen9[0]); i++)
		found |= !strncmp(now.gpu.platform, gen9[i], 3);
	for (size_t i = 0; found && i < sizeof(corrected_maxima) / sizeof(*corrected_maxima); i++)
		if (!strcmp(corrected_maxima[i], symbol))
			return true;
	return false;
}

static void check_max(const struct peer_set *theirs, struct rpn_set *rules, const struct pair *pair,
		      const uint64_t *differences, struct peer_accumulator *accumulator,
		      const union gpuoa_value *max)
{
	struct rpn_value value, expected;

	if (has_mistaken_max(pair)) {
		CHECK(peer_value(theirs, pair, true, accumulator).integer == 100);
		CHECK(strcmp(pair->metric->max, "100"));
		return;
	}
	CHECK(!pair->counter.max_uint64 == !*pair->metric->max);
	if (!pair->counter.max_uint64 || has_corrected_max(pair->metric->symbol))
		return;
	value = peer_value(theirs, pair, true, accumulator);
	expected = rpn_maximum(rules, pair->index, &now.values, differences, peer_rules);
	check_rules(pair, "maximum", value, expected);
	value.notes = expected.notes;
	check_ours(pair, "maximum", value, max[pair->index]);
}

/*
 * Check all metrics in one interval. @values: libgpuoa's values. @max: libgpuoa's maxima, or NULL
 */
static void check_interval(const struct peer_set *theirs, struct rpn_set *rules,
			   const struct pair *pairs, size_t row, const bool *available,
			   const union gpuoa_value *values, const union gpuoa_value *max)
{
	const uint64_t *differences = input.differences + row * input.format->count;
	struct peer_accumulator accumulator;

	accumulate(theirs, row, &accumulator);
	for (size_t i = 0; i < rules->facts->metric_count; i++) {
		rpn_evaluate_metric(rules, i, &now.values, differences, peer_rules);
		if (!available[i])
			rules->values[i].notes |= PEER_ABSENT;
		if (now.divides_early[i])
			rules->values[i].notes |= PEER_TRUNCATED;
	}
	for (int32_t i = 0; i < theirs->counter_count; i++) {
		const struct pair *pair = &pairs[i];
		struct rpn_value expected = rules->values[pair->index];
		struct rpn_value value = peer_value(theirs, pair, false, &accumulator);

		check_rules(pair, "value", value, expected);
		value.notes = expected.notes;
		check_ours(pair, "value", value, values[pair->index]);
		if (max)
			check_max(theirs, rules, pair, differences, &accumulator, max);
	}
}

/* Values are calculated for all rows at once, maxima row by row. */
static void check_calc(const struct peer_set *theirs, struct rpn_set *rules,
		       const struct pair *pairs, const bool *available, struct gpuoa_calc *calc)
{
	size_t columns = gpuoa_calc_output_count(calc), used;
	union gpuoa_value *values = calloc(PAIRS * columns, sizeof(*values));
	union gpuoa_value max[FACTS_METRICS_MAX + 16];

	REQUIRE(values && columns <= FACTS_METRICS_MAX + 16);
	CHECK(gpuoa_calc_run(calc, input.reports, PAIRS + 1, values, NULL, PAIRS, &used) == PAIRS);
	for (size_t row = 0; row < PAIRS && tap.good; row++) {
		if (row < MAXIMA) {
			gpuoa_calc_discontinuity(calc);
			gpuoa_calc_total(calc, max, NULL, true);
			gpuoa_calc_run(calc, report(row), 2, values + row * columns, NULL, 1,
				       &used);
			CHECK(!gpuoa_calc_total(calc, max, NULL, true));
			CHECK(!gpuoa_calc_total_max(calc, max));
		}
		check_interval(theirs, rules, pairs, row, available, values + row * columns,
			       row < MAXIMA ? max : NULL);
	}
	free(values);
}

/* For each counter of libi915_perf, find the corresponding metric of the facts. */
static void find_pairs(const struct peer_set *theirs, const struct facts_set *set,
		       struct pair *pairs)
{
	for (int32_t i = 0; i < theirs->counter_count; i++) {
		const struct peer_counter counter = peer_counter(&now.peer, theirs, i);
		long index = find_metric(set, counter.symbol);

		REQUIRE(index >= 0);
		pairs[i] = (struct pair){ counter, set->metrics[index], index };
	}
}

static void check_set(const struct peer_set *theirs)
{
	const struct facts_set *set = find_facts(theirs);
	const struct gpuoa_set *ours = gpuoa_platform_find_uuid(now.platform, theirs->uuid);
	struct pair pairs[FACTS_METRICS_MAX];
	bool available[FACTS_METRICS_MAX];
	static struct rpn_set rules;
	struct gpuoa_calc *calc;

	REQUIRE(set && ours && theirs->counter_count <= FACTS_METRICS_MAX);
	if (!input.format || strcmp(input.format->name, set->format))
		make_reports(set->format);
	find_pairs(theirs, set, pairs);
	rpn_open(&rules, peer_equations(set, now.divides_early), input.format, &now.values);
	rpn_choose(&rules, &now.values);
	/* libi915_perf also calculates metrics that are unavailable, if other metrics use them. */
	memcpy(available, rules.available, sizeof(available));
	memset(rules.available, true, sizeof(rules.available));
	if (tap.good &&
	    CHECK(!gpuoa_calc_open(ours, now.constants, input.format->id, NULL, &calc, NULL, 0))) {
		check_calc(theirs, &rules, pairs, available, calc);
		gpuoa_calc_close(calc);
	}
	rpn_close(&rules);
}

static bool is_revised(const char *set)
{
	for (size_t i = 0; i < sizeof(revised) / sizeof(revised[0]); i++)
		if (!strcmp(revised[i].platform, now.gpu.platform) && !strcmp(revised[i].set, set))
			return true;
	return false;
}

/* Compare all sets. A set that is listed as revised must differ in at least one respect. */
static void sets_agree(void)
{
	const struct peer_set *set = NULL;
	bool lost;

	while ((set = peer_next_set(&now.peer, set)) && tap.good) {
		if (is_replaced(set->symbol))
			continue;
		now.is_revised = !now.peer.is_2_0 && is_revised(set->symbol);
		now.revisions = 0;
		check_registers(set);
		has_other_metrics(set->symbol, &lost);
		if (!lost)
			check_set(set);
		if (!CHECK(!now.is_revised || now.revisions) || !tap.good)
			printf("# ... in %s\n", set->symbol);
	}
}

/* ---- platforms ---- */

static void run(void (*test)(void), const char *name)
{
	char sentence[128];

	snprintf(sentence, sizeof(sentence), "%s%s: %s", now.gpu.platform,
		 now.gpu.missing_subslices ? ", parts missing" : "", name);
	tap_run(test, sentence);
}

static void check_gpu(const struct peer_gpu *gpu, int round)
{
	memset(&now, 0, sizeof(now));
	now.gpu = *gpu;
	if (round) {
		now.gpu.missing_subslices = 1;
		now.gpu.slices = 1;
		now.gpu.revision = 5;
	}
	now.facts = facts_find(&facts, gpu->platform);
	now.platform = gpuoa_platform_find(gpu->platform);
	if (!now.facts || !now.platform || !peer_open(&now.peer, &now.gpu) ||
	    gpuoa_constants_new(now.platform, &now.constants)) {
		printf("Bail out! %s cannot be opened\n", gpu->platform);
		exit(1);
	}
	run(open_constants, "the peer has all constants");
	run(sets_and_metrics, "sets and metrics are the same");
	run(sets_agree, "registers, values and maxima agree");
	gpuoa_constants_free(now.constants);
	peer_close(&now.peer);
}

/* Check that each deviation that this test excuses did occur. */
static void every_excused_deviation_occurs(void)
{
	static const char *const names[] = { "wrapped", "truncated", "overflowed", "absent" };

	for (int i = 0; i < PEER_NOTES; i++) {
		printf("# %s: %llu\n", names[i], (unsigned long long)reasons[i]);
		CHECK(reasons[i]);
	}
}

int main(int argc, char **argv)
{
	struct peer peer;

	if (!peer_open(&peer, &peer_haswell_gt2))
		return tap_skip(peer.problem);
	peer_close(&peer);
	facts_read(&facts);
	input.state = 11;
	input.records = calloc(PAIRS + 1, sizeof(*input.records));
	input.reports = calloc(PAIRS + 1, RAW_SIZE_MAX);
	input.differences = calloc(PAIRS, RAW_FIELDS_MAX * sizeof(*input.differences));
	if (!input.records || !input.reports || !input.differences) {
		printf("Bail out! no memory\n");
		return 1;
	}
	for (const struct peer_gpu *gpu = peer_gpus; gpu->platform; gpu++)
		for (int round = 0; round < ROUNDS; round++)
			if (argc == 1 || !strcmp(argv[1], gpu->platform))
				check_gpu(gpu, round);
	if (argc == 1)
		RUN(every_excused_deviation_occurs);
	free(input.records);
	free(input.reports);
	free(input.differences);
	facts_free(&facts);
	return tap_end();
}
