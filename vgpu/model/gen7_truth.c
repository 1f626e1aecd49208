// SPDX-License-Identifier: GPL-2.0-only
/*
 * gen7_truth.c - reference values of Haswell's RenderBasic metrics, computed in C.
 */
#include "env.h"

#include <gpuoa_host.h>

#include "fraction.h"
#include "gen7.h"
#include "gen7_truth.h"

/**
 * DOC: Reference metrics
 *
 * The library computes metrics from reports, with equations that it parses from text. This file
 * computes the same documented metrics in C, from the exact integrals of the workload instead of
 * reports. Comparing the two checks the complete path of a report against code that shares nothing
 * with it.
 *
 * Integer metrics are exact; a division truncates where the metric's definition divides integers.
 * Float metrics are exact fractions. A negative difference is 0, and so is a quotient with a
 * divisor of 0.
 */

/**
 * struct gen7_delta - counts between two points in time
 * @m: output file
 * @desc: the GPU
 * @ticks: timestamp ticks
 * @a: A counters
 * @b: B counters of RenderBasic
 * @c: C counters of RenderBasic
 */
struct gen7_delta {
	struct seq_file *m;
	const struct gpuoa_unit_desc *desc;
	u64 ticks;
	u64 a[GEN7_N_A];
	u64 b[SIM_N_B];
	u64 c[SIM_N_C];
};

#define CLOCKS(delta) ((delta)->c[2])
#define CACHE_LINE 64

static u64 gen7_read(const struct sim_source *source, const __uint128_t *sum)
{
	return sum[source->signal] * source->share >> SIM_COUNTER_BITS;
}

static u64 gen7_difference(const struct sim_source *source, const __uint128_t *from,
			   const __uint128_t *to)
{
	return gen7_read(source, to) - gen7_read(source, from);
}

static void print_integer(const struct gen7_delta *d, const char *name, __uint128_t value)
{
	sim_put_metric(d->m, name, value, 1);
}

static u64 gpu_time_ns(const struct gen7_delta *d)
{
	return sim_div((__uint128_t)d->ticks * NSEC_PER_SEC, d->desc->timestamp_frequency);
}

static __uint128_t all_eu_clocks(const struct gen7_delta *d)
{
	return (__uint128_t)CLOCKS(d) * d->desc->n_eus;
}

/* Print cycles summed over all EUs as a percentage of all EUs' clocks. */
static void print_eu_share(const struct gen7_delta *d, const char *name, u64 cycles)
{
	sim_put_metric(d->m, name, (__uint128_t)cycles * 100, all_eu_clocks(d));
}

static void print_clock_share(const struct gen7_delta *d, const char *name, u64 clocks)
{
	sim_put_metric(d->m, name, (__uint128_t)clocks * 100, CLOCKS(d));
}

static void print_quotient(const struct gen7_delta *d, const char *name, u64 numerator,
			   u64 denominator)
{
	print_integer(d, name, sim_div(numerator, denominator));
}

/**
 * struct stage_counters - counters of a shader stage
 * @name: prefix of the names of its metrics
 * @active: index of the A counter of cycles in which threads execute
 * @stall: index of the A counter of cycles in which threads wait
 * @threads: index of the A counter of threads
 */
struct stage_counters {
	const char *name;
	u8 active;
	u8 stall;
	u8 threads;
};

static const struct stage_counters stages[] = {
	{ "Vs", 2, 3, 5 },    { "Hs", 7, 8, 10 },   { "Ds", 12, 13, 15 },
	{ "Cs", 17, 18, 20 }, { "Gs", 22, 23, 25 }, { "Ps", 27, 28, 30 },
};

#define METRIC_NAME_SIZE 24

static const char *stage_metric(const struct stage_counters *stage, const char *metric, char *name)
{
	snprintf(name, METRIC_NAME_SIZE, "%s%s", stage->name, metric);
	return name;
}

/*
 * Duration of a stage in us: the EUs' active and stall cycles, split in proportion to the stages'
 * counters, divided by all EU cycles, times the elapsed time.
 */
static u64 stage_duration(const struct gen7_delta *d, const struct stage_counters *stage,
			  u64 all_active, u64 all_stall)
{
	__uint128_t cycles = sim_div((__uint128_t)d->a[stage->active] * d->a[0], all_active) +
			     sim_div((__uint128_t)d->a[stage->stall] * d->a[1], all_stall);

	return sim_div(cycles * gpu_time_ns(d), all_eu_clocks(d) * NSEC_PER_USEC);
}

static void print_stages(const struct gen7_delta *d)
{
	u64 all_active = 0, all_stall = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(stages); i++) {
		all_active += d->a[stages[i].active];
		all_stall += d->a[stages[i].stall];
	}
	for (i = 0; i < ARRAY_SIZE(stages); i++) {
		const struct stage_counters *stage = &stages[i];
		u64 active = d->a[stage->active], stall = d->a[stage->stall];
		u64 duration = stage_duration(d, stage, all_active, all_stall);
		u64 threads = d->a[stage->threads];
		char name[METRIC_NAME_SIZE];

		print_integer(d, stage_metric(stage, "Threads", name), threads);
		print_eu_share(d, stage_metric(stage, "EuActive", name), active);
		print_eu_share(d, stage_metric(stage, "EuStall", name), stall);
		print_quotient(d, stage_metric(stage, "EuActivePerThread", name), active, threads);
		print_quotient(d, stage_metric(stage, "EuStallPerThread", name), stall, threads);
		print_integer(d, stage_metric(stage, "Duration", name), duration);
	}
}

static void print_overview(const struct gen7_delta *d)
{
	u64 time = gpu_time_ns(d), clocks = CLOCKS(d);
	__uint128_t used = ((__uint128_t)d->a[0] + d->a[1]) * 100;
	__uint128_t all = all_eu_clocks(d) * 100;

	print_integer(d, "GpuTime", time);
	print_integer(d, "GpuCoreClocks", clocks);
	print_integer(d, "AvgGpuCoreFrequency", sim_div((__uint128_t)clocks * NSEC_PER_SEC, time));
	print_clock_share(d, "GpuBusy", d->a[41]);
	print_eu_share(d, "EuActive", d->a[0]);
	print_eu_share(d, "EuStall", d->a[1]);
	/* 100 % minus active and stall, which are 0 if there are no clocks. */
	if (clocks)
		sim_put_metric(d->m, "EuIdle", all > used ? all - used : 0, all_eu_clocks(d));
	else
		sim_put_metric(d->m, "EuIdle", 100, 1);
}

static void print_samplers(const struct gen7_delta *d)
{
	__uint128_t requests = (__uint128_t)d->b[6] + d->b[7];
	__uint128_t busy = (__uint128_t)d->b[0] + d->b[1];
	u32 slices = d->desc->n_slices;

	print_clock_share(d, "Sampler0Busy", d->b[0]);
	print_clock_share(d, "Sampler1Busy", d->b[1]);
	sim_put_metric(d->m, "SamplersBusy", busy * 100, (__uint128_t)CLOCKS(d) * 2);
	print_clock_share(d, "Sampler0Bottleneck", d->b[2]);
	print_clock_share(d, "Sampler1Bottleneck", d->b[3]);
	print_clock_share(d, "SamplerBottleneck", max(d->b[2], d->b[3]));
	print_integer(d, "Sampler0Texels", (__uint128_t)d->b[4] * 4);
	print_integer(d, "Sampler1Texels", (__uint128_t)d->b[5] * 4);
	print_integer(d, "SamplerTexels", ((__uint128_t)d->b[4] + d->b[5]) * 4 * slices);
	print_integer(d, "L3SamplerThroughput", requests * 2 * slices * CACHE_LINE);
}

static void print_samples(const struct gen7_delta *d)
{
	print_integer(d, "HiDepthTestFails", d->a[33]);
	print_integer(d, "EarlyDepthTestFails", d->a[35]);
	print_integer(d, "SamplesKilledInPs", d->a[36]);
	print_integer(d, "AlphaTestFails", d->a[37]);
	print_integer(d, "PostPsStencilTestFails", d->a[38]);
	/* A39 includes killed samples. */
	print_integer(d, "PostPsDepthTestFails", d->a[39] > d->a[36] ? d->a[39] - d->a[36] : 0);
	print_integer(d, "SamplesWritten", d->a[40]);
	print_integer(d, "SamplesBlended", (__uint128_t)d->c[5] * d->desc->n_slices * 4);
}

static void print_memory(const struct gen7_delta *d)
{
	print_integer(d, "GtiVfThroughput", (__uint128_t)d->c[1] * CACHE_LINE);
	print_integer(d, "GtiDepthThroughput", (__uint128_t)d->c[0] * CACHE_LINE);
	print_integer(d, "GtiRccThroughput", (__uint128_t)d->c[3] * CACHE_LINE);
	print_integer(d, "GtiL3Throughput", (__uint128_t)d->c[4] * CACHE_LINE);
	/* Reads are counted in pairs of cache lines. */
	print_integer(d, "GtiReadThroughput", (__uint128_t)d->c[6] * CACHE_LINE * 2);
	print_integer(d, "GtiWriteThroughput", (__uint128_t)d->c[7] * CACHE_LINE);
}

/**
 * gen7_print_metrics() - Implement &sim_oa_ops.print_metrics: print all metrics of RenderBasic.
 * @m: output file
 * @desc: the GPU
 * @ticks: timestamp ticks between the two points in time
 * @from: integrals at the first
 * @to: integrals at the second
 *
 * The result does not depend on the unit's configuration.
 */
void gen7_print_metrics(struct seq_file *m, const struct gpuoa_unit_desc *desc, u64 ticks,
			const __uint128_t *from, const __uint128_t *to)
{
	const struct gen7_set *render_basic = &gen7_sets[0];
	struct gen7_delta d = { .m = m, .desc = desc, .ticks = ticks };
	unsigned int i;

	for (i = 0; i < GEN7_N_A; i++)
		d.a[i] = gen7_difference(&gen7_a[i], from, to);
	for (i = 0; i < SIM_N_B; i++)
		d.b[i] = gen7_difference(&render_basic->b[i], from, to);
	for (i = 0; i < SIM_N_C; i++)
		d.c[i] = gen7_difference(&render_basic->c[i], from, to);

	print_overview(&d);
	print_stages(&d);
	print_samplers(&d);
	print_samples(&d);
	print_memory(&d);
}
