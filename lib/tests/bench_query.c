// SPDX-License-Identifier: MIT
/*
 * bench_query.c - Measure the cost of 10,000 queries in flight: writing their commands and reading
 * their results
 *
 * This program takes the place of the GPU: it writes the results that the commands request. The
 * kernel is not involved in queries, so this is their total cost.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fixture.h"
#include "extra/query/pool.h"
#include "reader/stream/programmed.h"

#define QUERIES 10000
#define SOME 100 /* results per call */
#define ROUNDS 9
#define ADDRESS 0x10000000
#define DWORDS 64

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return time.tv_sec + time.tv_nsec * 1e-9;
}

static void fail(const char *what)
{
	fprintf(stderr, "bench_query: %s\n", what);
	exit(1);
}

struct bench {
	const struct gpuoa_set *set;
	struct gpuoa_constants *constants;
	struct gpuoa_query_pool *pool;
	struct gpuoa_query_desc desc;
	char *memory;
	union gpuoa_value *values;
	double emit, ready, get, get_one; /* s, minimum of all rounds */
};

static void begin(struct bench *bench, const char *name)
{
	const struct gpuoa_query_options options = { .size = sizeof(options), .count = QUERIES };
	const struct gpuoa_platform *platform = gpuoa_platform_find(name);
	char error[256];
	const struct complaint complaint = complaint_begin(error, sizeof(error));
	struct programmed *programmed;

	*bench = (struct bench){ .emit = 1e9, .ready = 1e9, .get = 1e9, .get_one = 1e9 };
	if (gpuoa_constants_new(platform, &bench->constants) ||
	    gpuoa_constants_assume(bench->constants))
		fail("no constants");
	bench->set = gpuoa_platform_find_set(platform, "RenderBasic", "OA", NULL);
	if (gpuoa_query_describe(bench->set, bench->constants, &options, &bench->desc,
				 sizeof(bench->desc), error, sizeof(error)))
		fail(error);
	bench->memory = aligned_alloc(bench->desc.alignment, bench->desc.memory_size);
	programmed = programmed_new(bench->set);
	if (!programmed)
		fail("no memory");
	programmed_switch(programmed, true);
	if (query_pool_open(programmed, bench->constants, &options, bench->memory,
			    bench->desc.memory_size, ADDRESS, &bench->pool, &complaint))
		fail(error);
	programmed_put(programmed);
	bench->values = calloc(SOME * gpuoa_calc_output_count(gpuoa_query_calc(bench->pool)),
			       sizeof(*bench->values));
}

static void end(struct bench *bench)
{
	gpuoa_query_pool_close(bench->pool);
	gpuoa_constants_free(bench->constants);
	free(bench->memory);
	free(bench->values);
}

/*
 * Write a report and the side data after it, in place of the GPU that executes the commands of a
 * query.
 */
static void play(const struct bench *bench, char *report, uint32_t id, uint64_t *state)
{
	struct query_notes *notes = (void *)(report + bench->pool->notes_offset);
	const uint64_t ticks = 1000000 + id * 1000;
	uint32_t context = 1;

	for (size_t i = 0; i < bench->pool->notes_offset; i += sizeof(uint32_t)) {
		const uint32_t count = fixture_random(state) >> 40;

		memcpy(report + i, &count, sizeof(count));
	}
	memcpy(report, &id, sizeof(id));
	if (bench->pool->format.context.bits)
		memcpy(report + bench->pool->format.context.offset, &context, sizeof(context));
	memcpy(report + bench->pool->format.timestamp.offset, &ticks,
	       bench->pool->format.timestamp.bits > 32 ? 8 : 4);
	*notes = (struct query_notes){ .ticks = ticks, .tag = id };
}

static void keep_least(double *least, double since)
{
	const double took = now() - since;

	if (took < *least)
		*least = took;
}

static void run(struct bench *bench)
{
	static struct gpuoa_query_result results[SOME];
	uint32_t dwords[DWORDS];
	uint64_t state = 1;
	double start = now();
	int ready = 0;

	for (uint32_t i = 0; i < QUERIES; i++)
		if (gpuoa_query_begin(bench->pool, i, dwords, DWORDS, NULL, 0) < 0 ||
		    gpuoa_query_end(bench->pool, i, dwords, DWORDS, NULL, 0) < 0)
			fail("no commands");
	keep_least(&bench->emit, start);
	for (uint32_t i = 0; i < QUERIES; i++) {
		const uint32_t id = bench->pool->queries[i].id;
		char *slot = query_memory(bench->pool, i);

		play(bench, slot, id, &state);
		play(bench, slot + bench->desc.end_offset, id + 1, &state);
	}
	start = now();
	for (uint32_t i = 0; i < QUERIES; i++)
		ready += gpuoa_query_ready(bench->pool, i);
	keep_least(&bench->ready, start);
	if (ready != QUERIES)
		fail("not all are ready");
	start = now();
	for (uint32_t i = 0; i < QUERIES; i += SOME)
		if (gpuoa_query_get(bench->pool, i, SOME, NULL, bench->values, results,
				    sizeof(results[0]), NULL, 0) != SOME)
			fail("no result");
	keep_least(&bench->get, start);
	start = now();
	for (uint32_t i = 0; i < QUERIES; i++)
		if (gpuoa_query_get(bench->pool, i, 1, NULL, bench->values, results,
				    sizeof(results[0]), NULL, 0) != 1)
			fail("no result");
	keep_least(&bench->get_one, start);
	gpuoa_query_reset(bench->pool, 0, QUERIES, NULL, 0);
}

int main(void)
{
	static const char *const platforms[] = { "hsw", "sklgt2", "tglgt2", "lnl" };

	for (size_t i = 0; i < sizeof(platforms) / sizeof(platforms[0]); i++) {
		struct bench bench;

		begin(&bench, platforms[i]);
		for (int round = 0; round < ROUNDS; round++)
			run(&bench);
		printf("bench: query.%s.commands %.1f ns\n", platforms[i],
		       bench.emit / QUERIES * 1e9);
		printf("bench: query.%s.ready %.1f ns\n", platforms[i],
		       bench.ready / QUERIES * 1e9);
		printf("bench: query.%s.result %.1f ns\n", platforms[i], bench.get / QUERIES * 1e9);
		printf("bench: query.%s.result_alone %.1f ns\n", platforms[i],
		       bench.get_one / QUERIES * 1e9);
		end(&bench);
	}
	return 0;
}
