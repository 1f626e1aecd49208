// SPDX-License-Identifier: MIT
/*
 * maxima_test.c - Check that no metric of any set of any platform exceeds its maximum: when all
 * counters of a GPU saturate, when all shares of EUs are 100 %, and when counters have a random
 * part of their maximum.
 *
 * The maximum of a counter follows from the programmed event. In each clock, an EU counter counts
 * once for each EU that passes its event filter, a thread integrator counts an eighth of the
 * threads that an EU can hold, and any other counter counts once.
 *
 * Throughputs in bytes are excluded: several channels can be busy at once, but the memory they lead
 * to cannot serve them all.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "fixture.h"
#include "gpu/platforms.h"
#include "gpuoa.h"
#include "raw.h"
#include "rpn.h"
#include "tap.h"
#include "unit_constants.h"

#define LOADS 4 /* number of loads; the first one saturates all counters */
#define ROUNDED 1.0001
#define FACTS_SETS_MAX 2048 /* per platform */
#define FLEX_FIRST 7 /* first flexible counter of gen8 to gen12.7: A7 */
#define FLEX_COUNT 14

static struct facts facts;

/*
 * The GPUs under test. Four have one slice, two, two of which one has a part disabled, and eight.
 * The others are the platform's usual part: an early stepping, a late one, and one without its
 * first .n_subslices subslices.
 */
static const struct gpuoa_unit_info gpus[] = {
	{
		.slice_mask = 0x1,
		.subslice_mask = { 0x7 },
		.n_slices = 1,
		.n_subslices = 3,
		.n_eus = 24,
		.threads_per_eu = 7,
		.subslice_stride = 3,
		.l3_bank_mask = 0xf,
	},
	{
		.slice_mask = 0x3,
		.subslice_mask = { 0xff },
		.n_slices = 2,
		.n_subslices = 8,
		.n_eus = 64,
		.threads_per_eu = 8,
		.subslice_stride = 4,
		.l3_bank_mask = 0xff,
	},
	{
		.slice_mask = 0x7,
		.subslice_mask = { 0xfffffd },
		.n_slices = 3,
		.n_subslices = 23,
		.n_eus = 184,
		.threads_per_eu = 10,
		.subslice_stride = 8,
		.l3_bank_mask = 0xffff,
	},
	{
		.slice_mask = 0xff,
		.subslice_mask = { UINT64_MAX },
		.n_slices = 8,
		.n_subslices = 64,
		.n_eus = 512,
		.threads_per_eu = 8,
		.subslice_stride = 8,
		.l3_bank_mask = 0xffffffff,
	},
	{ .revision = 0 },
	{ .revision = 15 },
	{ .revision = 15, .n_subslices = 1 },
};

/* State of the current test */
static struct {
	struct gpuoa_unit_info gpu;
	const struct facts_platform *facts;
	const struct gpuoa_platform *platform;
	struct gpuoa_constants *constants;
	struct rpn_constants values;
	size_t whole; /* number of metrics that were 100 % of the EUs */
	bool covered[FACTS_SETS_MAX][FACTS_METRICS_MAX]; /* metrics that were available */
} now;

/* ---- GPUs ---- */

static void use_part(struct gpuoa_unit_info *gpu, const struct gpu_platform *platform)
{
	gpu->slice_mask = platform->facts[GPU_SLICES];
	gpu->subslice_mask[0] = platform->facts[GPU_SUBSLICES];
	for (uint32_t i = 0; i < gpu->n_subslices; i++)
		gpu->subslice_mask[0] &= gpu->subslice_mask[0] - 1;
	gpu->n_slices = (uint32_t)__builtin_popcountll(gpu->slice_mask);
	gpu->n_subslices = (uint32_t)__builtin_popcountll(gpu->subslice_mask[0]);
	gpu->n_eus = (uint32_t)platform->facts[GPU_EUS] * gpu->n_subslices /
		     (uint32_t)__builtin_popcountll(platform->facts[GPU_SUBSLICES]);
	gpu->threads_per_eu = (uint32_t)platform->facts[GPU_THREADS];
	gpu->subslice_stride = (uint32_t)platform->facts[GPU_SUBSLICE_STRIDE];
	gpu->l3_bank_mask = platform->facts[GPU_L3_BANKS];
}

static void choose_gpu(const struct gpuoa_unit_info *gpu)
{
	now.gpu = *gpu;
	if (!gpu->n_slices)
		use_part(&now.gpu, gpu_platform_find(now.facts->name));
	now.gpu.timestamp_frequency = 12500000;
	now.gpu.gt_min_frequency = 300000000;
	now.gpu.gt_max_frequency = 1200000000;
	now.gpu.n_compute_engines = 1;
	REQUIRE(!gpuoa_constants_new(now.platform, &now.constants));
	unit_constants(&now.gpu, now.constants, &now.values);
	for (size_t i = 0; i < now.values.count; i++)
		gpuoa_constants_set(now.constants, now.values.names[i], now.values.values[i]);
}

/* ---- counters ---- */

#define CLOCKS (now.gpu.gt_max_frequency / 1000) /* per millisecond */

/*
 * Return the part of all EUs that pass the event's filter: bits 11:8 can select one EU of four,
 * bits 7:4 one row of two.
 */
static double part_of_eus(uint32_t event)
{
	const uint32_t fine = event >> 8 & 0xf, coarse = event >> 4 & 0xf;
	const double part = fine >= 7 && fine <= 10 ? 0.25 : 1;

	return coarse == 7 || coarse == 8 ? part / 2 : part;
}

/*
 * Return the maximum of an EU counter per millisecond. Event 8 counts an eighth of the loaded
 * threads, any other event EU cycles.
 */
static uint64_t eu_cycles(uint32_t event)
{
	const double each = (event & 0xf) == 8 ? now.gpu.threads_per_eu / 8. : 1;

	return CLOCKS * now.gpu.n_eus * each * part_of_eus(event);
}

/* Find the event of a flexible counter. Each register programs two counters. */
static bool find_event(const struct gpuoa_reg *regs, size_t count, unsigned int counter,
		       uint32_t *event)
{
	static const uint32_t addresses[] = {
		0xe458, 0xe558, 0xe658, 0xe758, 0xe45c, 0xe55c, 0xe65c
	};
	const unsigned int index = counter - FLEX_FIRST;

	if (counter < FLEX_FIRST || index >= FLEX_COUNT)
		return false;
	for (size_t i = count; i--;)
		if (regs[i].address == addresses[index / 2]) {
			*event = regs[i].value >> 12 * (index % 2) & 0xfff;
			return true;
		}
	return false;
}

/*
 * Return the maximum of a field per millisecond. On Haswell, A0 to A30 count EU cycles and threads.
 */
static uint64_t saturated(const struct raw_field *field, const struct gpuoa_reg *flex, size_t count)
{
	const bool haswell = !strcmp(now.facts->name, "hsw");
	uint32_t event;

	if (field->bank == 't')
		return now.gpu.timestamp_frequency / 1000;
	if (field->bank == 'A' && haswell && field->index <= 30)
		return CLOCKS * now.gpu.n_eus;
	if (field->bank == 'A' && !haswell && find_event(flex, count, field->index, &event))
		return eu_cycles(event);
	return CLOCKS;
}

static void put(const struct raw_field *field, uint8_t *report, uint64_t value)
{
	const unsigned int low = field->bits == 40 ? 4 : field->bits / 8;

	for (unsigned int i = 0; i < low; i++)
		report[field->low + i] = value >> 8 * i;
	if (field->bits == 40)
		report[field->high] = value >> 32;
}

/* ---- metrics ---- */

/*
 * Returns whether a metric can exceed its maximum. Fpu1ActiveAdjusted adds eight cycles for each
 * double-precision cycle to the cycles of FPU1. L30Bank<N>OutputReady of Alder Lake S and N adds
 * two events of a bank that never occur in the same clock; here, both saturate.
 */
static bool exceeds(const struct facts_metric *metric)
{
	return !strcmp(metric->symbol, "Fpu1ActiveAdjusted") ||
	       (!strncmp(metric->symbol, "L30Bank", 7) &&
		(!strncmp(metric->equation, "C 6 READ C 7 READ UADD 100", 26) ||
		 !strncmp(metric->equation, "C 7 READ C 6 READ UADD 100", 26)));
}

/*
 * Returns whether a metric is the instructions per clock of two FPUs. Its maximum of 2 holds only
 * if the cycles in which both FPUs are active do not exceed those of either FPU; only the load that
 * saturates all counters ensures this.
 */
static bool is_rate_of_fpus(const struct facts_metric *metric)
{
	return !strcmp(metric->symbol, "EuAvgIpcRate") || !strcmp(metric->symbol, "XveAvgIpcRate");
}

static double bound_of(const struct rpn_set *set, size_t metric, const uint64_t *differences,
		       bool saturated)
{
	const struct facts_metric *facts = set->facts->metrics[metric];

	if (!strcmp(facts->kind->units, "bytes") || exceeds(facts) ||
	    (!saturated && is_rate_of_fpus(facts)))
		return INFINITY;
	if (*facts->max)
		return rpn_number(rpn_maximum(set, metric, &now.values, differences, rpn_total));
	return strcmp(facts->kind->units, "percent") ? INFINITY : 100;
}

/* Returns whether a metric is a percentage that uses flexible counters only. */
static bool is_share_of_eus(const struct facts_metric *metric, bool flexible)
{
	unsigned int counter;

	return flexible && !strcmp(metric->kind->units, "percent") && *metric->equation == 'A' &&
	       sscanf(metric->equation, "A %u", &counter) == 1 && counter >= FLEX_FIRST &&
	       counter < FLEX_FIRST + FLEX_COUNT && !exceeds(metric);
}

static void check_values(const struct rpn_set *set, const uint64_t *differences,
			 const union gpuoa_value *values, bool saturated, bool flexible)
{
	for (size_t i = 0; i < set->facts->metric_count; i++) {
		const struct facts_metric *metric = set->facts->metrics[i];
		const double bound = bound_of(set, i, differences, saturated);
		const double value = metric->kind->type[0] == 'f' ? values[i].f32 : values[i].u64;
		const bool whole = saturated && is_share_of_eus(metric, flexible) &&
				   set->available[i];

		now.whole += whole;
		now.covered[set->facts - now.facts->sets][i] |= set->available[i];
		if (!CHECK(value <= bound * ROUNDED && (!whole || value * ROUNDED >= 100)))
			printf("# %s of %s: %g, maximum %g\n", metric->symbol, set->facts->symbol,
			       value, bound);
	}
}

/*
 * Return a random part of a field's maximum; 0 in one of four cases. Time and clocks pass at any
 * load. On Haswell, a B or C counter counts the clocks.
 */
static uint64_t part_of(const struct raw_field *field, uint64_t most)
{
	static uint64_t state = 25;
	const uint64_t random = fixture_random(&state);

	if (field->bank == 't' || field->bank == 'k' ||
	    (field->bank != 'A' && !strcmp(now.facts->name, "hsw")))
		return most;
	return random % 4 ? (uint64_t)((double)most * (double)(random >> 40) / (1 << 24)) : 0;
}

static void check_set(const struct facts_set *set, struct gpuoa_calc *calc,
		      const struct gpuoa_reg *flex, size_t count)
{
	const struct raw_format *format = raw_format(set->format);
	uint8_t reports[2][RAW_SIZE_MAX] = { 0 };
	union gpuoa_value values[FACTS_METRICS_MAX + 16];
	uint64_t differences[RAW_FIELDS_MAX];
	struct rpn_set rpn;
	size_t used;

	REQUIRE(format && gpuoa_calc_output_count(calc) <= FACTS_METRICS_MAX + 16);
	rpn_open(&rpn, set, format, &now.values);
	rpn_choose(&rpn, &now.values);
	for (unsigned int load = 0; load < LOADS; load++) {
		for (size_t i = 0; i < format->count; i++) {
			const uint64_t most = saturated(&format->fields[i], flex, count);

			differences[i] = load ? part_of(&format->fields[i], most) : most;
			put(&format->fields[i], reports[1], differences[i]);
		}
		rpn_evaluate(&rpn, &now.values, differences, rpn_total);
		gpuoa_calc_discontinuity(calc);
		gpuoa_calc_run(calc, reports[0], 1, values, NULL, 1, &used);
		if (CHECK(gpuoa_calc_run(calc, reports[1], 1, values, NULL, 1, &used) == 1))
			check_values(&rpn, differences, values, !load, count);
	}
	rpn_close(&rpn);
}

static void choose_set(const struct facts_set *facts)
{
	const struct gpuoa_set *set =
		gpuoa_platform_find_set(now.platform, facts->symbol, facts->unit, now.constants);
	struct gpuoa_reg flex[64];
	struct gpuoa_calc *calc;
	size_t count;

	REQUIRE(set);
	count = gpuoa_set_registers(set, GPUOA_REGISTER_FLEX, now.constants, flex,
				    sizeof(flex) / sizeof(flex[0]));
	REQUIRE(count <= sizeof(flex) / sizeof(flex[0]));
	REQUIRE(!gpuoa_calc_open(set, now.constants, raw_format(facts->format)->id, NULL, &calc,
				 NULL, 0));
	check_set(facts, calc, flex, count);
	gpuoa_calc_close(calc);
}

/*
 * Check that a metric was available on some GPU. Metrics for queries only are exempt, because they
 * read a register that is in no report.
 */
static void check_covered(size_t set, size_t metric)
{
	const struct facts_metric *facts = now.facts->sets[set].metrics[metric];

	if (strstr(facts->availability, "QueryMode"))
		return;
	if (!CHECK(now.covered[set][metric]))
		printf("# %s of %s was not available on any GPU\n", facts->symbol,
		       now.facts->sets[set].symbol);
}

static void metrics_keep_to_their_maxima(void)
{
	for (size_t g = 0; g < sizeof(gpus) / sizeof(gpus[0]); g++) {
		choose_gpu(&gpus[g]);
		for (size_t i = 0; i < now.facts->set_count; i++)
			if (rpn_holds(now.facts->sets[i].availability, &now.values))
				choose_set(&now.facts->sets[i]);
		gpuoa_constants_free(now.constants);
	}
	for (size_t i = 0; i < now.facts->set_count; i++)
		for (size_t k = 0; k < now.facts->sets[i].metric_count; k++)
			check_covered(i, k);
}

int main(void)
{
	size_t whole = 0;

	facts_read(&facts);
	for (size_t i = 0; i < facts.platform_count; i++) {
		char sentence[96];

		memset(&now, 0, sizeof(now));
		now.facts = &facts.platforms[i];
		now.platform = gpuoa_platform_find(now.facts->name);
		CHECK(now.facts->set_count <= FACTS_SETS_MAX);
		snprintf(sentence, sizeof(sentence), "%s: metrics keep to their maxima",
			 now.facts->name);
		if (CHECK(now.platform))
			tap_run(metrics_keep_to_their_maxima, sentence);
		whole += now.whole;
	}
	printf("# %zu shares of EUs were 100 %%\n", whole);
	facts_free(&facts);
	return whole ? tap_end() : 1;
}
