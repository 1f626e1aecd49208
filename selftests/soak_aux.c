// SPDX-License-Identifier: MIT
/*
 * soak_aux.c - many reports through the AUX area at the shortest period: no report is torn, and all
 * losses are announced.
 *
 * soak_aux [REPORTS [SLOWDOWN]] uses a virtual Haswell whose time is SLOWDOWN times slower than
 * that of the CPU.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "aux.h"
#include "sim.h"

#define REPORTS 100000000
#define SLOWDOWN "64"
#define AREA (16UL << 20)
#define DWORDS 64
#define PERIOD 2 /* 80 ns ticks, exponent 0 */

/*
 * Upper bound of the increase of a counter in one period. In a lap of the whole area, each counter
 * increases by more, or wraps.
 */
#define STEP_MAX 65536

/*
 * GPU time until the timestamp wraps. With the default number of reports, it wraps in the middle of
 * the run.
 */
#define WRAP_MS "8000"

static uint64_t torn;

/*
 * The dwords after id and timestamp are counters, which only increase. A stale one, from the last
 * lap, appears to decrease.
 */
static bool goes_on(const uint32_t *last, const uint32_t *report)
{
	uint32_t far = 0;

	for (int i = 3; i < DWORDS; i++)
		far |= (report[i] - last[i]) / STEP_MAX;
	return !far;
}

static void take_report(struct aux_reader *reader, const uint8_t *report)
{
	struct aux_tally *tally = &reader->tally;
	uint32_t dwords[DWORDS], last[DWORDS];
	uint32_t due = tally->last_timestamp + PERIOD * (1 + tally->missing);

	memcpy(dwords, report, sizeof(dwords));
	memcpy(last, tally->last_report, sizeof(last));
	if (!tally->any)
		memcpy(tally->first_report, report, sizeof(dwords));
	else if (!tally->resync && dwords[1] != due)
		tally->errors++;
	else if (!tally->resync && !tally->missing && !goes_on(last, dwords))
		torn++;
	if (!dwords[0] || dwords[1] % PERIOD != PERIOD / 2)
		tally->errors++;
	if (!tally->any)
		tally->first_timestamp = dwords[1];
	tally->any = true;
	tally->resync = false;
	tally->missing = 0;
	tally->last_timestamp = dwords[1];
	tally->reports++;
	memcpy(tally->last_report, report, sizeof(dwords));
}

static int open_reader(struct aux_reader *reader)
{
	struct gpuoa_attr gpuoa = aux_attr(0);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	int error;

	attr.wakeup_watermark = 512 << 10; /* only the AUX area wakes the reader */
	attr.aux_watermark = 1 << 20;
	error = aux_open(reader, &attr, 0);
	if (!error)
		error = aux_map(reader, AREA, true);
	reader->take = take_report;
	return error;
}

/*
 * Return the number of counters that match the reference from the first to the last report, or -1
 * if one differs.
 */
static int true_counters(const struct aux_tally *tally)
{
	static const struct {
		char name;
		int first;
	} blocks[] = { { 'A', 3 }, { 'B', 48 }, { 'C', 56 } };
	const uint32_t *first = (const void *)tally->first_report;
	const uint32_t *last = (const void *)tally->last_report;
	int block = 0;

	for (int i = 3; i < DWORDS; i++) {
		char name[16];

		if (block < 2 && i == blocks[block + 1].first)
			block++;
		snprintf(name, sizeof(name), "%c%d", blocks[block].name, i - blocks[block].first);
		if ((uint32_t)sim_reference(first[1], last[1], name) != last[i] - first[i])
			return -1;
	}
	return DWORDS - 3;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec * 1e-9;
}

static void run(struct aux_reader *reader, uint64_t reports)
{
	struct aux_tally *tally = &reader->tally;
	double begin = now(), told = begin;

	while (tally->reports + tally->lost < reports) {
		aux_run(reader, 100);
		if (now() < told + 60)
			continue;
		told = now();
		printf("# %" PRIu64 " reports after %.0f s\n", tally->reports, told - begin);
		fflush(stdout);
	}
	aux_disable(reader);
	aux_drain(reader);
	printf("# %.0f s\n", now() - begin);
}

static int start(struct aux_reader *reader, const char *slowdown)
{
	int error = open_reader(reader);

	if (!error)
		error = sim_set("workload", "steady");
	if (!error)
		error = sim_set("slowdown", slowdown);
	if (!error)
		error = sim_set("tail_ahead", "64");
	if (!error)
		error = sim_set("wrap_timestamp", WRAP_MS);
	return error ? error : aux_enable(reader);
}

/* All due reports are accounted for, and the delivered ones match the reference. */
static bool verdict(const struct aux_reader *reader, uint64_t generated)
{
	const struct aux_tally *tally = &reader->tally;
	uint64_t due = aux_due(reader);
	int counters = true_counters(tally);

	printf("due %" PRIu64 ", delivered %" PRIu64 ", lost and reported %" PRIu64 " in %" PRIu64
	       " gaps, of unknown size %" PRIu64 "\n",
	       due, tally->reports, tally->lost, tally->gaps, tally->lost_unknown);
	printf("generated %" PRIu64 ", torn %" PRIu64 ", other errors %" PRIu64 ", %" PRIu64
	       " records, true counters %d of %d\n",
	       generated, torn, tally->errors, tally->records, counters, DWORDS - 3);
	/* The unit is off while it waits for a slow reader. */
	return due == tally->reports + tally->lost && generated <= due &&
	       (tally->gaps || generated == due) && !torn && !tally->errors &&
	       !tally->lost_unknown && counters > 0 && !sim_get("ggtt_faults");
}

int main(int argc, char **argv)
{
	uint64_t reports = argc > 1 ? strtoull(argv[1], NULL, 0) : REPORTS;
	uint64_t generated = sim_get("generated");
	struct aux_reader reader;
	bool good;
	int error;

	error = start(&reader, argc > 2 ? argv[2] : SLOWDOWN);
	if (error) {
		fprintf(stderr, "soak_aux: %s\n", strerror(-error));
		return 1;
	}
	run(&reader, reports);
	good = verdict(&reader, sim_get("generated") - generated);
	aux_close(&reader);
	return !good;
}
