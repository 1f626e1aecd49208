// SPDX-License-Identifier: MIT
/*
 * bench_stalls.c - Measure the cost of adding records of EU stall sampling to sums
 *
 * The records have 200 addresses, as of a few kernels, or 20,000. Their order is random, so the sum
 * of an address is rarely the last one that was used.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gpuoa-stalls.h"

#define RECORD 64
#define RECORDS 200000
#define ROUNDS 15

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return time.tv_sec + time.tv_nsec * 1e-9;
}

static void fail(const char *what)
{
	fprintf(stderr, "bench_stalls: %s\n", what);
	exit(1);
}

static uint8_t *make_records(const struct gpuoa_stall_layout_desc *desc, uint32_t addresses)
{
	uint8_t *records = calloc(RECORDS, RECORD);
	uint32_t state = 1;

	if (!records)
		fail("no memory");
	for (size_t i = 0; i < RECORDS; i++) {
		uint8_t *record = records + i * RECORD;
		uint64_t word;

		state = state * 1664525 + 1013904223;
		for (unsigned int b = 4; b < 14; b++)
			record[b] = (uint8_t)(state >> b);
		memcpy(&word, record, sizeof(word));
		word = (word & ~((UINT64_C(1) << desc->address.bits) - 1)) |
		       (0x1fffc000 + 2 * ((state >> 8) % addresses) - 2 * addresses);
		memcpy(record, &word, sizeof(word));
		record[desc->end_flag.bit / 8] |= 1 << desc->end_flag.bit % 8;
	}
	return records;
}

static void run(const char *name, uint32_t addresses)
{
	const struct gpuoa_stall_layout *layout = gpuoa_stall_layout_by_name("xe2");
	struct gpuoa_stall_layout_desc desc;
	struct gpuoa_stall_sums *sums;
	uint8_t *records;
	double least = 1e9;

	gpuoa_stall_layout_describe(layout, &desc, sizeof(desc));
	records = make_records(&desc, addresses);
	if (gpuoa_stall_sums_new(&sums))
		fail("no memory");
	for (int i = 0; i < ROUNDS; i++) {
		const double begin = now();

		if (gpuoa_stall_sums_add(sums, layout, records, RECORDS))
			fail("cannot add records");
		if (now() - begin < least)
			least = now() - begin;
	}
	if (gpuoa_stall_sums_count(sums) > addresses ||
	    gpuoa_stall_sums_count(sums) < addresses / 2)
		fail("wrong number of addresses");
	printf("bench: stalls.sums.%s %.1f ns\n", name, least / RECORDS * 1e9);
	gpuoa_stall_sums_free(sums);
	free(records);
}

int main(void)
{
	run("200_addresses", 200);
	run("20000_addresses", 20000);
	return 0;
}
