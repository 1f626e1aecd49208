// SPDX-License-Identifier: MIT
/*
 * bench_kernel.c - kernel time per report for AUX areas, RAW samples and read() as in i915; for AUX
 * and RAW also with 10,000 queries in flight.
 *
 * Usage: bench_kernel [UNIT]. UNIT names the unit of the CPU's clock: ns (default) or instructions.
 * Needs gpuoa_bench.ko.
 *
 * The reader acknowledges reports but does not read them, so it spends nearly all of its time in
 * the kernel.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "aux.h"
#include "query/programmed.h"
#include "sim.h"

#define ROUNDS 5
#define TRIES 3
#define REPORT_SIZE 256
#define HEADER_SIZE 8
#define DEBUGFS "/sys/kernel/debug/gpuoa_bench/"

/* Pages of perf's buffer, 16 MiB. perf wakes the reader when it is half full. */
#define BUFFER_ORDER 12

/* Rate of reports and duration of a measurement */
struct rate {
	const char *suffix;
	unsigned int exponent;
	double seconds;
};

static const struct rate rates[] = {
	{ "", 5, 1 }, /* 160,000 */
	{ "_10khz", 9, 2 },
};

enum { RATES = sizeof(rates) / sizeof(rates[0]) };

/* A delivery method */
struct way {
	const char *name;
	int (*open)(const struct rate *rate);
	/* Wait for reports and consume them. */
	void (*take)(void);
	/* Number of reports written since the start */
	uint64_t (*count)(void);
	void (*close)(void);
};

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* control of gpuoa_bench.ko */

static char pmu[32];

static void find_pmu(void)
{
	glob_t found;

	if (glob("/sys/bus/platform/devices/gpuoa_bench/gpuoa/gpuoa*", 0, NULL, &found) ||
	    !found.gl_pathc)
		fail("gpuoa_bench.ko is not loaded");
	snprintf(pmu, sizeof(pmu), "%s", strrchr(found.gl_pathv[0], '/') + 1);
	globfree(&found);
}

static uint64_t pmu_get(const char *class, const char *file)
{
	char path[128];
	uint64_t value;

	snprintf(path, sizeof(path), "%s/%s/%s", class, pmu, file);
	value = file_get(path);
	if (value == UINT64_MAX)
		fail(path);
	return value;
}

static void bench_set(const char *file, unsigned int value)
{
	char path[128], text[16];

	snprintf(path, sizeof(path), DEBUGFS "%s", file);
	snprintf(text, sizeof(text), "%u", value);
	if (file_set(path, text))
		fail(path);
}

static struct perf_event_attr bench_attr(struct gpuoa_attr *gpuoa)
{
	struct perf_event_attr attr = extensible_attr(gpuoa);

	attr.type = pmu_get("/sys/bus/event_source/devices", "type");
	attr.wakeup_watermark = 0;
	return attr;
}

/* AUX areas */

static struct aux_reader aux;

static int aux_begin(const struct rate *rate)
{
	struct gpuoa_attr gpuoa = aux_attr(rate->exponent);
	struct perf_event_attr attr = bench_attr(&gpuoa);
	int error;

	error = aux_open(&aux, &attr, rate->exponent);
	if (!error)
		error = aux_map(&aux, AUX_PAGE << BUFFER_ORDER, true);
	return error ? error : aux_enable(&aux);
}

static void take_data(int fd, struct perf_event_mmap_page *page)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	uint64_t head;

	poll(&wait, 1, -1);
	head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	__atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
}

static void aux_take(void)
{
	take_data(aux.fd, aux.page);
	__atomic_store_n(&aux.page->aux_tail, aux_head(&aux), __ATOMIC_RELEASE);
}

/* An event's count is the number of its reports. */
static uint64_t event_count(int fd)
{
	uint64_t count;

	if (read(fd, &count, sizeof(count)) != sizeof(count))
		fail("read");
	return count;
}

static uint64_t aux_count(void)
{
	return event_count(aux.fd);
}

static void aux_end(void)
{
	aux_disable(&aux);
	aux_close(&aux);
}

/* RAW samples */

static struct reader raw;

static int raw_begin(const struct rate *rate)
{
	struct gpuoa_attr gpuoa = test_oa_attr(rate->exponent);
	struct perf_event_attr attr = bench_attr(&gpuoa);
	int error;

	error = reader_open(&raw, &attr, rate->exponent, BUFFER_ORDER);
	if (!error)
		reader_enable(&raw);
	return error;
}

static void raw_take(void)
{
	take_data(raw.fd, raw.page);
}

static uint64_t raw_count(void)
{
	return event_count(raw.fd);
}

static void raw_end(void)
{
	reader_disable(&raw);
	reader_close(&raw);
}

/* read() */

static int copy_fd;
static uint64_t copied, copy_errors;

static int copy_begin(const struct rate *rate)
{
	bench_set("exponent", rate->exponent);
	copy_fd = open(DEBUGFS "copy", O_RDONLY | O_CLOEXEC);
	return copy_fd < 0 ? -errno : 0;
}

static void copy_take(void)
{
	static uint8_t buffer[1 << 20];
	ssize_t n = read(copy_fd, buffer, sizeof(buffer));

	if (n > 0)
		copied += n / (HEADER_SIZE + REPORT_SIZE);
	else
		copy_errors++;
}

static uint64_t copy_count(void)
{
	return copied;
}

static void copy_end(void)
{
	close(copy_fd);
}

/* Wakeups by the timer of read(), without reports */

static void wake_take(void)
{
	if (read(copy_fd, NULL, 0))
		copy_errors++;
	copied++;
}

/* queries in flight: begun and ended, but without a result */

#define QUERIES 10000
#define QUERY_DWORDS 64
#define QUERY_ADDRESS 0x10000000

static struct gpuoa_constants *query_constants;
static struct gpuoa_query_pool *queries;
static void *query_memory;

static void check(int error, const char *what)
{
	if (error >= 0)
		return;
	errno = -error;
	fail(what);
}

static void queries_begin(void)
{
	const struct gpuoa_query_options options = { .size = sizeof(options), .count = QUERIES };
	const struct gpuoa_platform *platform = gpuoa_platform_find("sklgt2");
	const struct gpuoa_set *set = gpuoa_platform_find_set(platform, "RenderBasic", NULL, NULL);
	const struct complaint complaint = complaint_begin(NULL, 0);
	uint32_t dwords[QUERY_DWORDS];
	struct programmed *programmed;
	struct gpuoa_query_desc desc;

	check(gpuoa_constants_new(platform, &query_constants), "constants");
	check(gpuoa_constants_assume(query_constants), "constants");
	check(gpuoa_query_describe(set, query_constants, &options, &desc, sizeof(desc), NULL, 0),
	      "query");
	query_memory = aligned_alloc(desc.alignment, desc.memory_size);
	programmed = programmed_new(set);
	check(programmed ? 0 : -ENOMEM, "memory");
	programmed_switch(programmed, true);
	check(query_pool_open(programmed, query_constants, &options, query_memory, desc.memory_size,
			      QUERY_ADDRESS, &queries, &complaint),
	      "pool");
	programmed_put(programmed);
	for (uint32_t i = 0; i < QUERIES; i++) {
		check(gpuoa_query_begin(queries, i, dwords, QUERY_DWORDS, NULL, 0), "begin");
		check(gpuoa_query_end(queries, i, dwords, QUERY_DWORDS, NULL, 0), "end");
	}
}

static void queries_end(void)
{
	if (gpuoa_query_ready(queries, QUERIES - 1))
		fail("a query has a result");
	gpuoa_query_pool_close(queries);
	gpuoa_constants_free(query_constants);
	free(query_memory);
}

static int aux_queries_begin(const struct rate *rate)
{
	queries_begin();
	return aux_begin(rate);
}

static void aux_queries_end(void)
{
	aux_end();
	queries_end();
}

static int raw_queries_begin(const struct rate *rate)
{
	queries_begin();
	return raw_begin(rate);
}

static void raw_queries_end(void)
{
	raw_end();
	queries_end();
}

/* measurement */

static const struct way ways[] = {
	{ "aux", aux_begin, aux_take, aux_count, aux_end },
	{ "raw", raw_begin, raw_take, raw_count, raw_end },
	{ "read", copy_begin, copy_take, copy_count, copy_end },
	{ "wake", copy_begin, wake_take, copy_count, copy_end },
	{ "aux_queries", aux_queries_begin, aux_take, aux_count, aux_queries_end },
	{ "raw_queries", raw_queries_begin, raw_take, raw_count, raw_queries_end },
};

enum { AUX, RAW, READ, WAKE, AUX_QUERIES, RAW_QUERIES, WAYS };

static uint64_t clock_ns(clockid_t id)
{
	struct timespec time;

	clock_gettime(id, &time);
	return time.tv_sec * 1000000000ULL + time.tv_nsec;
}

/* Cost per report and per wakeup */
struct cost {
	double report;
	double wakeup;
};

/*
 * Measure from wakeup to wakeup, so that all time belongs to consumed reports. Includes time in
 * interrupts and in this thread.
 */
static struct cost measure(const struct way *way, const struct rate *rate)
{
	uint64_t begin, reports, interrupts, self, wakeups = 0;
	double spent;

	errno = -way->open(rate);
	if (errno)
		fail(way->name);
	way->take();
	begin = clock_ns(CLOCK_MONOTONIC);
	reports = way->count();
	interrupts = file_get(DEBUGFS "cost_ns");
	self = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	for (; clock_ns(CLOCK_MONOTONIC) < begin + rate->seconds * 1e9; wakeups++)
		way->take();
	self = clock_ns(CLOCK_THREAD_CPUTIME_ID) - self;
	interrupts = file_get(DEBUGFS "cost_ns") - interrupts;
	reports = way->count() - reports;
	way->close();
	spent = interrupts + self;
	return (struct cost){ spent / reports, spent / wakeups };
}

static uint64_t losses(void)
{
	return pmu_get("/sys/class/gpuoa", "statistics/overflows") +
	       pmu_get("/sys/class/gpuoa", "statistics/reports_lost") + copy_errors;
}

/* Repeat the measurement if reports were lost. */
static struct cost measure_whole(const struct way *way, const struct rate *rate)
{
	struct cost cost;
	uint64_t lost;

	for (int i = 0; i < TRIES; i++) {
		lost = losses();
		cost = measure(way, rate);
		if (losses() == lost)
			return cost;
	}
	fprintf(stderr, "bench_kernel: %s%s: the machine is too busy\n", way->name, rate->suffix);
	exit(1);
}

static int compare(const void *a, const void *b)
{
	const struct cost *x = a, *y = b;

	return (x->report > y->report) - (x->report < y->report);
}

static struct cost median(struct cost *costs)
{
	qsort(costs, ROUNDS, sizeof(*costs), compare);
	return costs[ROUNDS / 2];
}

static void bench_rate(const struct rate *rate, const char *unit)
{
	struct cost costs[WAYS][ROUNDS], medians[WAYS];

	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < WAYS; i++)
			costs[i][round] = measure_whole(&ways[i], rate);
	for (int i = 0; i < WAYS; i++) {
		medians[i] = median(costs[i]);
		if (i != WAKE)
			printf("bench: kernel.%s%s.%s_per_report %.2f %s\n", ways[i].name,
			       rate->suffix, unit, medians[i].report, unit);
		printf("bench: kernel.%s%s.%s_per_wakeup %.0f %s\n", ways[i].name, rate->suffix,
		       unit, medians[i].wakeup, unit);
	}
	printf("bench: kernel.aux%s.%s_per_wakeup_without_wake %.0f %s\n", rate->suffix, unit,
	       medians[AUX].wakeup - medians[WAKE].wakeup, unit);
	for (int i = RAW; i <= READ; i++)
		printf("bench: kernel.%s%s.%s_vs_aux %.1f x\n", ways[i].name, rate->suffix, unit,
		       medians[i].report / medians[AUX].report);
	for (int i = AUX_QUERIES; i < WAYS; i++) {
		const int without = i - AUX_QUERIES + AUX;

		printf("bench: kernel.%s%s.%s_vs_%s %.3f x\n", ways[i].name, rate->suffix, unit,
		       ways[without].name, medians[i].report / medians[without].report);
	}
	fflush(stdout);
}

/* Interrupts are handled by the last CPU. If there is another CPU, stay off it. */
static void stay_on_first_cpu(void)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		fail("sched_setaffinity");
}

int main(int argc, char **argv)
{
	const char *unit = argc > 1 ? argv[1] : "ns";

	find_pmu();
	stay_on_first_cpu();
	/* Page faults that read from disk would dominate. */
	if (mlockall(MCL_CURRENT))
		fail("mlockall");
	bench_set("reader", getpid());
	for (int i = 0; i < RATES; i++)
		bench_rate(&rates[i], unit);
	return 0;
}
