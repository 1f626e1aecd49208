// SPDX-License-Identifier: MIT
/*
 * bench_stalls.c - Measure the cost of adding records of EU stall sampling to sums
 *
 * The records have 200 addresses, as of a few kernels, or 20,000. Their order is random, so the sum
 * of an address is rarely the last one that was used.
 *
 * For comparison, the same records are copied, which no reader can be faster than, and summed up as
 * unitrace does: all fields of a record become an array of typed values, as Level Zero returns them
 * (zetMetricGroupCalculateMultipleMetricValuesExp), and a balanced tree is searched for the
 * address. That is a reproduction from its source (intel/pti-gpu, ze_metrics.h), not the program.
 */
#define _GNU_SOURCE /* tdestroy */
#include <search.h>
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

/* As zet_typed_value_t: a type, and a value of 8 bytes */
struct typed_value {
	uint32_t type;
	uint64_t value;
};

#define VALUES 11 /* the address, and the reasons of Level Zero */

struct tree_entry {
	uint64_t address;
	uint64_t counts[VALUES - 1];
};

static int compare_entries(const void *a, const void *b)
{
	const struct tree_entry *one = a, *other = b;

	return one->address < other->address ? -1 : one->address > other->address;
}

static void add_values(void **tree, const struct typed_value *values)
{
	struct tree_entry key = { .address = values[0].value }, *entry;
	struct tree_entry **found = tsearch(&key, tree, compare_entries);

	if (!found)
		fail("no memory");
	if (*found == &key) {
		*found = entry = calloc(1, sizeof(*entry));
		if (!entry)
			fail("no memory");
		entry->address = key.address;
	}
	for (unsigned int k = 1; k < VALUES; k++)
		(*found)->counts[k - 1] += values[k].value;
}

/* Sum up the records by a tree of typed values. Returns the CPU time in s. */
static double sum_as_unitrace(const struct gpuoa_stall_layout *layout, const uint8_t *records)
{
	struct typed_value *values = calloc((size_t)RECORDS * VALUES, sizeof(*values));
	double begin, time;
	void *tree = NULL;

	if (!values)
		fail("no memory");
	memset(values, 1, (size_t)RECORDS * VALUES * sizeof(*values));
	begin = now();
	for (size_t i = 0; i < RECORDS; i++) {
		struct gpuoa_stall_record record;

		gpuoa_stall_decode(layout, records + i * RECORD, &record, sizeof(record));
		values[i * VALUES] = (struct typed_value){ 1, record.address };
		for (unsigned int k = 1; k < VALUES; k++)
			values[i * VALUES + k] = (struct typed_value){ 1, record.counts[k - 1] };
	}
	for (size_t i = 0; i < RECORDS; i++)
		add_values(&tree, values + i * VALUES);
	time = now() - begin;
	tdestroy(tree, free);
	free(values);
	return time;
}

static double copy(const uint8_t *records, uint8_t *to)
{
	const double begin = now();

	memcpy(to, records, (size_t)RECORDS * RECORD);
	__asm__ volatile("" : : "r"(to) : "memory");
	return now() - begin;
}

static void compare(const char *name, const struct gpuoa_stall_layout *layout,
		    const uint8_t *records, double sums)
{
	double tree = 1e9, copied = 1e9;
	uint8_t *to = calloc(RECORDS, RECORD);

	if (!to)
		fail("no memory");
	for (int i = 0; i < ROUNDS; i++) {
		const double as_unitrace = i < 3 ? sum_as_unitrace(layout, records) : 1e9;
		const double as_copy = copy(records, to);

		tree = as_unitrace < tree ? as_unitrace : tree;
		copied = as_copy < copied ? as_copy : copied;
	}
	free(to);
	printf("bench: stalls.unitrace_way.%s %.1f ns\n", name, tree / RECORDS * 1e9);
	printf("bench: stalls.copy.%s %.1f ns\n", name, copied / RECORDS * 1e9);
	printf("bench: stalls.sums.%s.vs_unitrace_way %.1f\n", name, tree / sums);
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
	compare(name, layout, records, least);
	gpuoa_stall_sums_free(sums);
	free(records);
}

int main(void)
{
	run("200_addresses", 200);
	run("20000_addresses", 20000);
	return 0;
}
