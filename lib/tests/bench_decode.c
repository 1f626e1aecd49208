// SPDX-License-Identifier: MIT
/*
 * bench_decode.c - Measure the throughput of decoding, compared with libi915_perf and with only
 * reading the reports
 *
 * All counters of RenderBasic are decoded. "materialised" means that every value is written to
 * memory, "aggregated" that the sum, minimum and maximum of each metric are kept. One thread
 * decodes. All variants run in interleaved rounds, and the medians are printed. The limits are
 * measured as well: the memory bandwidth for reading the reports and for writing as many bytes as
 * the values have, and the rate of aggregation for reports that are in the cache.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "fixture.h"
#include "report/format.h"
#include "libi915_perf.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define REPORTS 4000000ul /* the reports take 1 GB, more than any cache */
#define REPORT_SIZE 256
#define BATCH 250000ul /* the values of a batch also take more memory than any cache */
/* fewer than for libgpuoa, because libi915_perf is no faster with cached reports */
#define PEER_REPORTS 250000ul
#define CACHED_REPORTS \
	(1 + 31 * 64ul) /* 31 batches of 64 rows: 0.5 MB, fits in the private cache of a core */
#define HUGE_PAGE (2ul << 20)
#define ROUNDS 7
#define THREADS_MAX 8

struct bench {
	const char *platform;
	const struct gpuoa_set *set;
	struct gpuoa_constants *constants;
	struct gpuoa_set_desc desc;
	struct gpuoa_calc *calc;
	char *reports;
	void **columns;
	size_t column_count;
	struct gpuoa_summary *summaries;
};

struct peer_bench {
	struct peer peer;
	const struct peer_set *set;
	struct peer_counter *counters; /* of the set */
	struct peer_record *records;
	double *values;
};

static void out_of_memory(void)
{
	fputs("bench_decode: out of memory\n", stderr);
	exit(1);
}

/* Allocate aligned memory. A large block is in huge pages, as in an optimised program. */
static void *memory(size_t count, size_t size)
{
	const size_t align = count * size < HUGE_PAGE ? 64 : HUGE_PAGE;
	const size_t bytes = (count * size + align) & -align;
	void *block = aligned_alloc(align, bytes);

	if (!block)
		out_of_memory();
	if (align == HUGE_PAGE)
		madvise(block, bytes, MADV_HUGEPAGE);
	return memset(block, 0, bytes);
}

/* Return the CPU time of this thread, which excludes other load on the machine. */
static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return time.tv_sec + time.tv_nsec * 1e-9;
}

static double elapsed(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec * 1e-9;
}

static int compare_doubles(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double median(double *values)
{
	qsort(values, ROUNDS, sizeof(*values), compare_doubles);
	return values[ROUNDS / 2];
}

/* reports */

static void put_counter(char *report, struct report_field field, uint64_t value)
{
	uint32_t dword = (uint32_t)value;

	memcpy(report + field.offset, &dword, sizeof(dword));
	if (field.bits == 40)
		report[field.high] = (char)(value >> 32);
}

/*
 * Make the reports: one every 80 us from a GPU at 1 GHz, with up to 80,000 events of each kind
 * between two reports.
 */
static void make_reports(const struct bench *bench)
{
	const struct report_format *format = format_get(bench->desc.format);
	uint64_t counters[COUNTER_COUNT] = { 0 }, state = 1;

	for (size_t i = 0; i < REPORTS; i++) {
		char *report = bench->reports + i * REPORT_SIZE;

		put_counter(report, format->report_id, 1 << 19);
		put_counter(report, format->timestamp, 1000 * i);
		if (format->clock.bits)
			put_counter(report, format->clock, 80000 * i);
		for (uint32_t n = 0; n < COUNTER_COUNT; n++) {
			struct report_field field = format_counter(format, n);

			if (!field.bits)
				continue;
			counters[n] += fixture_random(&state) % 80000;
			put_counter(report, field, counters[n]);
		}
	}
}

/* this library */

static double aggregate(struct gpuoa_calc *calc, const struct bench *bench)
{
	double begin = now();

	gpuoa_calc_discontinuity(calc);
	gpuoa_calc_summarize(calc, bench->reports, REPORTS, bench->summaries);
	return REPORTS / (now() - begin);
}

static double materialise(const struct bench *bench)
{
	double begin = now();
	size_t used;

	gpuoa_calc_discontinuity(bench->calc);
	for (size_t i = 0; i < REPORTS; i += BATCH)
		gpuoa_calc_run_outputs(bench->calc, bench->reports + i * REPORT_SIZE, BATCH,
				       bench->columns, NULL, BATCH, &used);
	return REPORTS / (now() - begin);
}

static volatile uint64_t read_sink;

/* The compiler vectorizes this loop. */
__attribute__((optimize("O3"))) static void read_reports(const char *reports, size_t count)
{
	const uint64_t *words = (const uint64_t *)reports;
	uint64_t sum = 0;

	for (size_t i = 0; i < count * (REPORT_SIZE / sizeof(*words)); i++)
		sum += words[i];
	read_sink = sum;
}

/* Measure the memory bandwidth for reading: no decoder that aggregates can be faster. */
static double read_alone(const struct bench *bench)
{
	double begin = now();

	read_reports(bench->reports, REPORTS);
	return REPORTS / (now() - begin);
}

static size_t value_size(const struct bench *bench, size_t column)
{
	return gpuoa_calc_output_type(bench->calc, column) == GPUOA_TYPE_FLOAT ? sizeof(float) :
										 sizeof(uint64_t);
}

/*
 * Write with non-temporal stores, which bypass the caches. They have the highest bandwidth for data
 * that is not read soon.
 */
static void write_column(void *column, size_t bytes)
{
#ifdef __SSE2__
	const __m128i value = _mm_set1_epi32((int)bytes);

	for (__m128i *to = column, *end = to + bytes / sizeof(*to); to < end; to++)
		_mm_stream_si128(to, value);
	_mm_sfence();
#else
	memset(column, (int)bytes, bytes);
#endif
}

/*
 * Measure the memory bandwidth for reading and writing: no decoder that writes all values can be
 * faster.
 */
static double read_and_write(const struct bench *bench)
{
	double begin = now();

	for (size_t i = 0; i < REPORTS; i += BATCH) {
		read_reports(bench->reports + i * REPORT_SIZE, BATCH);
		for (size_t n = 0; n < bench->column_count; n++)
			write_column(bench->columns[n], BATCH * value_size(bench, n));
	}
	return REPORTS / (now() - begin);
}

/* Decodes the same cached reports repeatedly, so that memory bandwidth does not matter. */
static double aggregate_cached(const struct bench *bench)
{
	const size_t rounds = REPORTS / 4 / CACHED_REPORTS;
	double begin = now();

	for (size_t i = 0; i < rounds; i++) {
		gpuoa_calc_discontinuity(bench->calc);
		gpuoa_calc_summarize(bench->calc, bench->reports, CACHED_REPORTS, bench->summaries);
	}
	return rounds * CACHED_REPORTS / (now() - begin);
}

static struct gpuoa_calc *open_calc(const struct bench *bench, size_t metric_count)
{
	const struct gpuoa_metric **metrics = NULL;
	struct gpuoa_calc_options options = { .size = sizeof(options), .no_infos = true };
	struct gpuoa_calc *calc;
	int error;

	if (metric_count) {
		metrics = memory(metric_count, sizeof(*metrics));
		for (size_t i = 0; i < metric_count; i++)
			metrics[i] = gpuoa_set_get_metric(bench->set, i);
		options.metrics = metrics;
		options.metric_count = metric_count;
	}
	error = gpuoa_calc_open(bench->set, bench->constants, bench->desc.format, &options, &calc,
				NULL, 0);
	free(metrics);
	if (error) {
		fprintf(stderr, "bench_decode: %s: %s\n", bench->platform, strerror(-error));
		exit(1);
	}
	return calc;
}

static void bench_open(struct bench *bench, const char *platform)
{
	const struct gpuoa_platform *found = gpuoa_platform_find(platform);

	*bench = (struct bench){
		.platform = platform,
		.set = gpuoa_platform_find_set(found, "RenderBasic", NULL, NULL),
	};
	gpuoa_set_describe(bench->set, &bench->desc, sizeof(bench->desc));
	if (gpuoa_constants_new(found, &bench->constants) ||
	    gpuoa_constants_assume(bench->constants))
		out_of_memory();
	bench->calc = open_calc(bench, 0);
	bench->reports = memory(REPORTS, REPORT_SIZE);
	make_reports(bench);
	bench->column_count = gpuoa_calc_output_count(bench->calc);
	bench->summaries = memory(bench->column_count, sizeof(*bench->summaries));
	bench->columns = memory(bench->column_count, sizeof(*bench->columns));
	for (size_t i = 0; i < bench->column_count; i++)
		bench->columns[i] = memory(BATCH, value_size(bench, i));
}

static void bench_close(struct bench *bench)
{
	for (size_t i = 0; i < bench->column_count; i++)
		free(bench->columns[i]);
	free(bench->columns);
	free(bench->summaries);
	free(bench->reports);
	gpuoa_calc_close(bench->calc);
	gpuoa_constants_free(bench->constants);
}

/* the peer */

static double peer_value(const struct peer_bench *bench, const struct peer_counter *counter,
			 uint64_t *deltas)
{
	const struct peer *peer = &bench->peer;

	if (counter->storage == PEER_UINT64)
		return (double)counter->read_uint64(peer->perf, bench->set, deltas);
	return counter->read_float(peer->perf, bench->set, deltas);
}

static void peer_deltas(const struct peer_bench *bench, size_t i,
			struct peer_accumulator *accumulator)
{
	memset(accumulator, 0, sizeof(*accumulator));
	bench->peer.accumulate(accumulator, bench->peer.perf, bench->set, &bench->records[i - 1],
			       &bench->records[i]);
}

static double peer_aggregate(const struct peer_bench *bench)
{
	struct gpuoa_summary summaries[256] = { 0 };
	double begin = now();

	for (size_t i = 1; i < PEER_REPORTS; i++) {
		struct peer_accumulator accumulator;

		peer_deltas(bench, i, &accumulator);
		for (int32_t n = 0; n < bench->set->counter_count; n++) {
			double value = peer_value(bench, &bench->counters[n], accumulator.deltas);
			struct gpuoa_summary *summary = &summaries[n];

			summary->sum += value;
			if (value < summary->least)
				summary->least = value;
			if (value > summary->largest)
				summary->largest = value;
		}
	}
	read_sink = (uint64_t)summaries[0].sum;
	return PEER_REPORTS / (now() - begin);
}

static double peer_materialise(const struct peer_bench *bench)
{
	double *value = bench->values, begin = now();

	for (size_t i = 1; i < PEER_REPORTS; i++) {
		struct peer_accumulator accumulator;

		peer_deltas(bench, i, &accumulator);
		for (int32_t n = 0; n < bench->set->counter_count; n++)
			*value++ = peer_value(bench, &bench->counters[n], accumulator.deltas);
	}
	return PEER_REPORTS / (now() - begin);
}

static const struct peer_gpu *find_gpu(const char *platform)
{
	const struct peer_gpu *gpu = peer_gpus;

	while (gpu->platform && strcmp(gpu->platform, platform))
		gpu++;
	return gpu;
}

static bool peer_bench_open(struct peer_bench *peer, const struct bench *bench)
{
	const struct peer_gpu *gpu = find_gpu(bench->platform);

	memset(peer, 0, sizeof(*peer));
	if (!gpu->platform || !peer_open(&peer->peer, gpu)) {
		fprintf(stderr, "bench_decode: %s: %s\n", bench->platform,
			gpu->platform ? peer->peer.problem : "not known to libi915_perf");
		return false;
	}
	peer->set = peer_find_set(&peer->peer, "RenderBasic");
	peer->counters = memory(peer->set->counter_count, sizeof(*peer->counters));
	for (int32_t n = 0; n < peer->set->counter_count; n++)
		peer->counters[n] = peer_counter(&peer->peer, peer->set, n);
	peer->records = memory(PEER_REPORTS, sizeof(*peer->records));
	peer->values = memory(PEER_REPORTS * peer->set->counter_count, sizeof(*peer->values));
	for (size_t i = 0; i < PEER_REPORTS; i++) {
		peer->records[i].type = PEER_RECORD_SAMPLE;
		peer->records[i].size = sizeof(peer->records[i]);
		memcpy(peer->records[i].report, bench->reports + i * REPORT_SIZE, REPORT_SIZE);
	}
	return true;
}

static void peer_bench_close(struct peer_bench *peer)
{
	free(peer->counters);
	free(peer->records);
	free(peer->values);
	peer_close(&peer->peer);
}

/* measurements */

static void print(const struct bench *bench, const char *name, double value, const char *unit)
{
	printf(unit[0] == 'x' ? "bench: decode.%s.%s %.2f %s\n" : "bench: decode.%s.%s %.0f %s\n",
	       bench->platform, name, value, unit);
	fflush(stdout);
}

static void measure_alone(const struct bench *bench)
{
	double aggregated[ROUNDS], materialised[ROUNDS], of_read[ROUNDS], of_both[ROUNDS];

	for (int i = 0; i < ROUNDS; i++) {
		aggregated[i] = aggregate(bench->calc, bench);
		of_read[i] = aggregated[i] / read_alone(bench);
		materialised[i] = materialise(bench);
		of_both[i] = materialised[i] / read_and_write(bench);
	}
	print(bench, "aggregated", median(aggregated), "reports/s");
	print(bench, "materialised", median(materialised), "reports/s");
	print(bench, "aggregated.of_read", median(of_read), "x");
	print(bench, "materialised.of_read_and_write", median(of_both), "x");
}

static void measure_beside(const struct bench *bench)
{
	double aggregated[ROUNDS], cached[ROUNDS], read[ROUNDS], materialised[ROUNDS], both[ROUNDS];
	struct peer_bench peer;

	if (!peer_bench_open(&peer, bench))
		return;
	for (int i = 0; i < ROUNDS; i++) {
		const double peer_sums = peer_aggregate(&peer);
		const double peer_values = peer_materialise(&peer);

		aggregated[i] = aggregate(bench->calc, bench) / peer_sums;
		read[i] = read_alone(bench) / peer_sums;
		cached[i] = aggregate_cached(bench) / peer_sums;
		materialised[i] = materialise(bench) / peer_values;
		both[i] = read_and_write(bench) / peer_values;
	}
	print(bench, "aggregated.vs_libi915_perf", median(aggregated), "x");
	print(bench, "aggregated.limit_of_memory.vs_libi915_perf", median(read), "x");
	print(bench, "aggregated.in_caches.vs_libi915_perf", median(cached), "x");
	print(bench, "materialised.vs_libi915_perf", median(materialised), "x");
	print(bench, "materialised.limit_of_memory.vs_libi915_perf", median(both), "x");
	peer_bench_close(&peer);
}

/*
 * Measure the time per report for the first 1, 4, 16, ... metrics, relative to that for all
 * metrics.
 */
static void measure_metrics(const struct bench *bench)
{
	for (size_t count = 1; count < bench->column_count; count *= 4) {
		struct gpuoa_calc *calc = open_calc(bench, count);
		double ratio[ROUNDS];
		char name[64];

		for (int i = 0; i < ROUNDS; i++)
			ratio[i] = aggregate(bench->calc, bench) / aggregate(calc, bench);
		snprintf(name, sizeof(name), "time_of_%zu_metrics.vs_all", count);
		print(bench, name, median(ratio), "x");
		gpuoa_calc_close(calc);
	}
}

static void *run_thread(void *context)
{
	const struct bench *bench = context;
	struct gpuoa_calc *calc = open_calc(bench, 0);
	struct bench own = *bench;

	own.summaries = memory(bench->column_count, sizeof(*own.summaries));
	aggregate(calc, &own);
	free(own.summaries);
	gpuoa_calc_close(calc);
	return NULL;
}

/* Measure the speedup by a second CPU for two threads that share no data. */
static void *count_alone(void *context)
{
	uint64_t state = (uintptr_t)context;

	for (long i = 0; i < 100000000; i++)
		fixture_random(&state);
	read_sink = state;
	return NULL;
}

/* Measure the speedup by a second CPU for two threads that read from memory. */
static void *read_in_thread(void *context)
{
	read_alone(context);
	return NULL;
}

/* Speed of all threads together, relative to the speed of one thread */
struct speed {
	double clock;
	double cpu; /* from CPU time, which excludes the time in which a thread waits for a CPU */
};

static double process_time(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return time.tv_sec + time.tv_nsec * 1e-9;
}

static struct speed run_threads(const struct bench *bench, void *(*run)(void *), long count)
{
	const double begin = elapsed(), cpu = process_time();
	pthread_t threads[THREADS_MAX];

	for (long i = 0; i < count; i++)
		if (pthread_create(&threads[i], NULL, run, (void *)bench))
			out_of_memory();
	for (long i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return (struct speed){ count / (elapsed() - begin),
			       count * count / (process_time() - cpu) };
}

static void measure_work(const struct bench *bench, const char *work, void *(*run)(void *),
			 long count)
{
	double clock[ROUNDS], cpu[ROUNDS];
	char name[64];

	for (int i = 0; i < ROUNDS; i++) {
		const struct speed all = run_threads(bench, run, count);
		const struct speed one = run_threads(bench, run, 1);

		clock[i] = all.clock / one.clock;
		cpu[i] = all.cpu / one.cpu;
	}
	snprintf(name, sizeof(name), "threads_%ld%s.vs_1", count, work);
	print(bench, name, median(clock), "x");
	snprintf(name, sizeof(name), "threads_%ld%s.vs_1.by_cpu_time", count, work);
	print(bench, name, median(cpu), "x");
}

static void measure_threads(const struct bench *bench)
{
	const long processors = sysconf(_SC_NPROCESSORS_ONLN);

	for (long count = 2; count <= processors && count <= THREADS_MAX; count *= 2) {
		measure_work(bench, "", run_thread, count);
		measure_work(bench, ".counting", count_alone, count);
		measure_work(bench, ".reading", read_in_thread, count);
	}
}

static void measure(const char *platform)
{
	struct bench bench;

	bench_open(&bench, platform);
	measure_alone(&bench);
	measure_beside(&bench);
	measure_metrics(&bench);
	measure_threads(&bench);
	bench_close(&bench);
}

/* Usage: bench_decode [PLATFORM...] */
int main(int argc, char **argv)
{
	static const char *const platforms[] = { "hsw", "sklgt2", "tglgt2" };

	for (int i = 1; i < argc; i++)
		measure(argv[i]);
	for (size_t i = 0; argc < 2 && i < sizeof(platforms) / sizeof(platforms[0]); i++)
		measure(platforms[i]);
	return 0;
}
