// SPDX-License-Identifier: MIT
/* bench_decode.c - how fast reports become rows of values, and how fast libi915_perf makes them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fixture.h"
#include "libi915_perf.h"

#define REPORTS 65536
#define REPORT_SIZE (4 * REPORT_WORDS)
#define BATCH 1024
#define SECONDS 1.0

/* Time of this thread: what else the machine does is left out. */
static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return time.tv_sec + time.tv_nsec * 1e-9;
}

/* A report each 80 us of a GPU at 1 GHz: up to 80,000 events of each kind. */
static uint32_t *make_reports(void)
{
	uint32_t *reports = calloc(REPORTS, REPORT_SIZE);
	uint64_t state = 1;

	if (!reports)
		return NULL;
	for (size_t i = REPORT_WORDS; i < REPORTS * REPORT_WORDS; i++)
		reports[i] = reports[i - REPORT_WORDS] +
			     fixture_random(&state) % 80000;
	for (size_t i = 1; i < REPORTS; i++)
		reports[i * REPORT_WORDS + 1] = 1000 * i;
	return reports;
}

/* Reports a second: every metric of every interval, best of several rounds. */
static double decode(struct gpuoa_calc *calc, const uint32_t *reports,
		     union gpuoa_value *values)
{
	double end = now() + SECONDS, best = 0;

	while (now() < end) {
		double begin = now(), rate;
		size_t used;

		for (size_t i = 0; i < REPORTS; i += BATCH)
			gpuoa_calc_run(calc, reports + i * REPORT_WORDS, BATCH,
				       values, NULL, BATCH, &used);
		rate = REPORTS / (now() - begin);
		best = rate > best ? rate : best;
	}
	return best;
}

static volatile double peer_sink;

static void peer_decode_one(const struct peer *peer, const struct peer_set *set,
			    const struct peer_record *from,
			    const struct peer_record *to)
{
	struct peer_accumulator accumulator = { 0 };
	double sum = 0;

	peer->accumulate(&accumulator, peer->perf, set, from, to);
	for (int32_t i = 0; i < set->counter_count; i++) {
		const struct peer_counter *counter = &set->counters[i];

		if (counter->storage == PEER_UINT64)
			sum += counter->read_uint64(peer->perf, set,
						    accumulator.deltas);
		else
			sum += counter->read_float(peer->perf, set,
						   accumulator.deltas);
	}
	peer_sink = sum;
}

static double peer_decode(const struct peer *peer, const struct peer_set *set,
			  const struct peer_record *records)
{
	double end = now() + SECONDS, best = 0;

	while (now() < end) {
		double begin = now(), rate;

		for (size_t i = 1; i < REPORTS; i++)
			peer_decode_one(peer, set, &records[i - 1],
					&records[i]);
		rate = REPORTS / (now() - begin);
		best = rate > best ? rate : best;
	}
	return best;
}

static void compare(const uint32_t *reports, double rate)
{
	struct peer_record *records = calloc(REPORTS, sizeof(*records));
	const struct peer_set *set;
	struct peer peer = { .problem = "out of memory" };

	if (!records || !peer_open(&peer, &peer_haswell_gt2)) {
		fprintf(stderr, "bench_decode: %s\n", peer.problem);
		free(records);
		return;
	}
	for (size_t i = 0; i < REPORTS; i++) {
		records[i].type = PEER_RECORD_SAMPLE;
		records[i].size = sizeof(records[i]);
		memcpy(records[i].report, reports + i * REPORT_WORDS,
		       REPORT_SIZE);
	}
	set = peer_find_set(&peer, "RenderBasic");
	printf("bench: decode.hsw.materialised.vs_libi915_perf %.2f x\n",
	       rate / peer_decode(&peer, set, records));
	peer_close(&peer);
	free(records);
}

int main(void)
{
	struct gpuoa_constants *constants = haswell_gt2();
	const struct gpuoa_set *set = gpuoa_platform_find_set(
		gpuoa_platform_find("hsw"), "RenderBasic");
	uint32_t *reports = make_reports();
	union gpuoa_value *values;
	struct gpuoa_calc *calc;
	double rate;

	if (!reports ||
	    gpuoa_calc_open(set, constants, GPUOA_REPORT_A45_B8_C8, &calc))
		return 1;
	values = calloc(BATCH * gpuoa_calc_columns(calc), sizeof(*values));
	if (!values)
		return 1;
	rate = decode(calc, reports, values);
	printf("bench: decode.hsw.materialised %.0f reports/s\n", rate);
	compare(reports, rate);
	gpuoa_calc_close(calc);
	gpuoa_constants_free(constants);
	free(values);
	free(reports);
	return 0;
}
