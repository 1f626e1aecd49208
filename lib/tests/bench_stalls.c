// SPDX-License-Identifier: MIT
/*
 * bench_stalls.c - Measure the cost of adding records of EU stall sampling to sums
 *
 * The records have 200 addresses, as of a few kernels, or 20,000. Their order is random, so that
 * two records in a row rarely have the same address. Other ways process the same records:
 *
 *   copy           copies them, which no reader can be faster than
 *   unitrace_way   as unitrace: all fields of a record become an array of typed values, as Level
 *                  Zero returns them (zetMetricGroupCalculateMultipleMetricValuesExp), and a
 *                  balanced tree is searched for the address (intel/pti-gpu, ze_metrics.h)
 *   iaprof_way     as iaprof: a tree is searched for the kernel, and its hash table for the offset;
 *                  a lock is held during each search (intel/iaprof, eustall.cpp, profile.hpp)
 *   iaprof_1_of_100  the same with one record of 100, iaprof's default; the time is that per record
 *                  of the stream
 *
 * These are programs of ours with the same steps, written after the sources of unitrace and iaprof;
 * they are not those programs. All ways alternate, and the shortest time of each is printed. They
 * have seen all addresses before, so that no memory is allocated.
 */
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gpuoa-stalls.h"

#define RECORD 64
#define RECORDS 200000
#define ROUNDS 15

#define INSTRUCTION 16 /* bytes */
#define KERNEL_INSTRUCTIONS 64
#define KERNEL_SIZE (KERNEL_INSTRUCTIONS * INSTRUCTION)
#define KERNEL_BUCKETS 127 /* prime, as of a C++ hash table with 64 entries */
#define BASE UINT64_C(0x8000000)

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

static void *allocate(size_t count, size_t size)
{
	void *memory = calloc(count, size);

	if (!memory)
		fail("no memory");
	return memory;
}

/* ---- the records ---- */

struct bench {
	const struct gpuoa_stall_layout *layout;
	uint8_t *records;
	uint32_t addresses;
	struct gpuoa_stall_sums *sums;
	uint8_t *copy;
	struct typed_value *values;
	void *instructions; /* tree of unitrace's way */
	void *kernels; /* tree of iaprof's way */
	pthread_rwlock_t kernels_lock;
	uint64_t counter;
};

static void make_records(struct bench *bench)
{
	struct gpuoa_stall_layout_desc desc;
	uint32_t state = 1;

	gpuoa_stall_layout_describe(bench->layout, &desc, sizeof(desc));
	bench->records = allocate(RECORDS, RECORD);
	for (size_t i = 0; i < RECORDS; i++) {
		uint8_t *record = bench->records + i * RECORD;
		uint64_t word;

		state = state * 1664525 + 1013904223;
		for (unsigned int b = 4; b < 14; b++)
			record[b] = (uint8_t)(state >> b);
		memcpy(&word, record, sizeof(word));
		word = (word & ~((UINT64_C(1) << desc.address.bits) - 1)) |
		       (BASE + INSTRUCTION * ((state >> 8) % bench->addresses)) / 8;
		memcpy(record, &word, sizeof(word));
		record[desc.end_flag.bit / 8] |= 1 << desc.end_flag.bit % 8;
	}
}

static void add_to_sums(struct bench *bench)
{
	if (gpuoa_stall_sums_add(bench->sums, bench->layout, bench->records, RECORDS))
		fail("cannot add records");
}

static void copy(struct bench *bench)
{
	memcpy(bench->copy, bench->records, (size_t)RECORDS * RECORD);
	__asm__ volatile("" : : "r"(bench->copy) : "memory");
}

/* ---- unitrace's way ---- */

/* As zet_typed_value_t: a type, and a value of 8 bytes */
struct typed_value {
	uint32_t type;
	uint64_t value;
};

#define VALUES 11 /* the address, and the reasons of Level Zero */

struct instruction {
	uint64_t address;
	uint64_t counts[VALUES - 1];
};

static int compare_instructions(const void *a, const void *b)
{
	const struct instruction *one = a, *other = b;

	return one->address < other->address ? -1 : one->address > other->address;
}

static void add_values(struct bench *bench, const struct typed_value *values)
{
	struct instruction key = { .address = values[0].value }, *added;
	struct instruction **found = tsearch(&key, &bench->instructions, compare_instructions);

	if (!found)
		fail("no memory");
	if (*found == &key) {
		*found = added = allocate(1, sizeof(*added));
		added->address = key.address;
	}
	for (unsigned int k = 1; k < VALUES; k++)
		(*found)->counts[k - 1] += values[k].value;
}

static void sum_as_unitrace(struct bench *bench)
{
	struct typed_value *values = bench->values;

	for (size_t i = 0; i < RECORDS; i++) {
		struct gpuoa_stall_record record;

		gpuoa_stall_decode(bench->layout, bench->records + i * RECORD, &record,
				   sizeof(record));
		values[i * VALUES] = (struct typed_value){ 1, record.address };
		for (unsigned int k = 1; k < VALUES; k++)
			values[i * VALUES + k] = (struct typed_value){ 1, record.counts[k - 1] };
	}
	for (size_t i = 0; i < RECORDS; i++)
		add_values(bench, values + i * VALUES);
}

/* ---- iaprof's way ---- */

struct offset {
	uint64_t offset;
	uint64_t counts[VALUES - 1];
	struct offset *next;
};

struct kernel {
	uint64_t address;
	pthread_mutex_t lock;
	struct offset *buckets[KERNEL_BUCKETS];
};

/* The first member of a kernel is its address. */
static int compare_kernels(const void *a, const void *b)
{
	const uint64_t *one = a, *other = b;

	return *one < *other ? -1 : *one > *other;
}

/* Add a kernel if it is new. */
static struct kernel *add_kernel(struct bench *bench, uint64_t address)
{
	struct kernel **found = tsearch(&address, &bench->kernels, compare_kernels), *added;

	if (!found)
		fail("no memory");
	if ((void *)*found == &address) {
		*found = added = allocate(1, sizeof(*added));
		added->address = address;
		pthread_mutex_init(&added->lock, NULL);
	}
	return *found;
}

static struct offset *find_offset(struct kernel *kernel, uint64_t offset)
{
	struct offset **bucket = &kernel->buckets[offset % KERNEL_BUCKETS], *found;

	for (found = *bucket; found && found->offset != offset;)
		found = found->next;
	if (!found) {
		found = allocate(1, sizeof(*found));
		found->offset = offset;
		found->next = *bucket;
		*bucket = found;
	}
	return found;
}

/* Return 8 bits of the layout xe2. */
static uint64_t bits(const uint8_t *record, unsigned int bit)
{
	uint16_t word;

	memcpy(&word, record + bit / 8, sizeof(word));
	return word >> bit % 8 & 0xff;
}

static void add_record(struct bench *bench, const uint8_t *record)
{
	static const unsigned int first_bits[] = { 101, 45, 53, 61, 69, 77, 85, 93, 37, 29 };
	struct kernel *kernel;
	struct offset *offset;
	uint32_t ip;
	uint64_t address;

	memcpy(&ip, record, sizeof(ip));
	address = (uint64_t)(ip & 0x1fffffff) << 3;
	pthread_rwlock_rdlock(&bench->kernels_lock);
	kernel = add_kernel(bench, address - address % KERNEL_SIZE);
	pthread_mutex_lock(&kernel->lock);
	pthread_rwlock_unlock(&bench->kernels_lock);
	offset = find_offset(kernel, address - kernel->address);
	for (unsigned int k = 0; k < VALUES - 1; k++)
		offset->counts[k] += bits(record, first_bits[k]);
	pthread_mutex_unlock(&kernel->lock);
}

static void sum_as_iaprof(struct bench *bench)
{
	for (size_t i = 0; i < RECORDS; i++)
		add_record(bench, bench->records + i * RECORD);
}

static void sum_as_iaprof_1_of_100(struct bench *bench)
{
	for (size_t i = 0; i < RECORDS; i++)
		if (!(++bench->counter % 100))
			add_record(bench, bench->records + i * RECORD);
}

/* ---- comparison ---- */

static const struct {
	const char *name;
	void (*run)(struct bench *bench);
} ways[] = {
	{ "sums", add_to_sums },
	{ "copy", copy },
	{ "unitrace_way", sum_as_unitrace },
	{ "iaprof_way", sum_as_iaprof },
	{ "iaprof_1_of_100", sum_as_iaprof_1_of_100 },
};

#define WAYS (sizeof(ways) / sizeof(ways[0]))

/* xe polls the buffers of Xe cores, which have this number of records; more are lost. */
#define BUFFER_RECORDS 8192
#define POLL_NS 5e6

static void free_kernel(void *pointer)
{
	struct kernel *kernel = pointer;

	for (unsigned int i = 0; i < KERNEL_BUCKETS; i++)
		while (kernel->buckets[i]) {
			struct offset *offset = kernel->buckets[i];

			kernel->buckets[i] = offset->next;
			free(offset);
		}
	pthread_mutex_destroy(&kernel->lock);
	free(kernel);
}

static void free_tree(void **tree, int (*compare)(const void *, const void *),
		      void (*release)(void *))
{
	while (*tree) {
		void *entry = **(void ***)tree;

		tdelete(entry, tree, compare);
		release(entry);
	}
}

/* Check that the ways agree on one count of one address. */
static void check_equal(struct bench *bench)
{
	struct instruction key, **found;
	struct gpuoa_stall_sum sum;
	struct offset *offset;

	gpuoa_stall_sums_get(bench->sums, 0, &sum, sizeof(sum));
	key.address = sum.address;
	found = tfind(&key, &bench->instructions, compare_instructions);
	offset = find_offset(add_kernel(bench, sum.address - sum.address % KERNEL_SIZE),
			     sum.address % KERNEL_SIZE);
	if (!found || (*found)->counts[GPUOA_STALL_ACTIVE] != sum.counts[GPUOA_STALL_ACTIVE] ||
	    !sum.counts[GPUOA_STALL_ACTIVE])
		fail("unitrace's way has another sum");
	if (offset->counts[0] != sum.counts[GPUOA_STALL_ACTIVE])
		fail("iaprof's way has another sum");
}

static void print(const char *name, const double *ns)
{
	for (size_t k = 0; k < WAYS; k++)
		printf("bench: stalls.%s.%s %.1f ns\n", ways[k].name, name, ns[k]);
	for (size_t k = 1; k < WAYS; k++)
		printf("bench: stalls.sums.%s.vs_%s %.2f\n", name, ways[k].name, ns[k] / ns[0]);
	for (size_t k = 0; k < WAYS; k++)
		printf("bench: stalls.%s.%s.share_of_cpu_per_xe_core %.1f percent\n", ways[k].name,
		       name, 100 * ns[k] * BUFFER_RECORDS / POLL_NS);
}

static void run(const char *name, uint32_t addresses)
{
	struct bench bench = {
		.layout = gpuoa_stall_layout_by_name("xe2"),
		.addresses = addresses,
		.kernels_lock = PTHREAD_RWLOCK_INITIALIZER,
	};
	double ns[WAYS];

	make_records(&bench);
	bench.copy = allocate(RECORDS, RECORD);
	bench.values = allocate((size_t)RECORDS * VALUES, sizeof(*bench.values));
	if (gpuoa_stall_sums_new(&bench.sums))
		fail("no memory");
	/* The last way is left out here: the sums of the others are compared. */
	for (size_t k = 0; k < WAYS - 1; k++)
		ways[k].run(&bench);
	check_equal(&bench);
	for (size_t k = 0; k < WAYS; k++)
		ns[k] = 1e9;
	for (int i = 0; i < ROUNDS; i++)
		for (size_t k = 0; k < WAYS; k++) {
			const double begin = now();
			double time;

			ways[k].run(&bench);
			time = (now() - begin) / RECORDS * 1e9;
			ns[k] = time < ns[k] ? time : ns[k];
		}
	if (gpuoa_stall_sums_count(bench.sums) > addresses ||
	    gpuoa_stall_sums_count(bench.sums) < addresses / 2)
		fail("wrong number of addresses");
	print(name, ns);
	gpuoa_stall_sums_free(bench.sums);
	free_tree(&bench.instructions, compare_instructions, free);
	free_tree(&bench.kernels, compare_kernels, free_kernel);
	free(bench.records);
	free(bench.copy);
	free(bench.values);
}

int main(void)
{
	run("200_addresses", 200);
	run("20000_addresses", 20000);
	return 0;
}
