// SPDX-License-Identifier: MIT
/*
 * query_commands_test.c - Test the commands that begin and end queries, their ids, and the reset of
 * queries. The expected dwords are those of the programmer's reference manuals.
 */
#include <errno.h>
#include <stdlib.h>

#include "extra/query/pool.h"
#include "gpuoa-catalog.h"
#include "gpuoa-query.h"
#include "tap.h"

#define QUERIES 3
#define MEMORY_SIZE 8192
#define DWORDS 64
#define LOW 0x80040000u /* low half of the pool's GPU address */
#define HIGH 0x1234u

static char memory[MEMORY_SIZE] __attribute__((aligned(64)));
static struct gpuoa_constants *constants;
static struct gpuoa_query_pool *pool;
static struct gpuoa_query_desc desc;
static uint32_t dwords[DWORDS];
static char error[128];

/* Open a pool of a set, without a stream. @high: upper half of the GPU address */
static bool begin(const char *platform, const struct gpuoa_query_options *options, uint32_t high)
{
	const struct gpuoa_platform *found = gpuoa_platform_find(platform);
	const struct gpuoa_set *set;

	if (!CHECK(found && !gpuoa_constants_new(found, &constants) &&
		   !gpuoa_constants_assume(constants)))
		return false;
	set = gpuoa_platform_find_set(found, "RenderBasic", "OA", constants);
	if (!CHECK(!gpuoa_query_pool_open_set(set, constants, options, memory, sizeof(memory),
					      (uint64_t)high << 32 | LOW, &pool, error,
					      sizeof(error))))
		return false;
	gpuoa_query_pool_describe(pool, &desc, sizeof(desc));
	return true;
}

static void end(void)
{
	gpuoa_query_pool_close(pool);
	gpuoa_constants_free(constants);
}

/* Compare commands with the expected ones. @expected: 0-terminated array; 0 in it is ZERO */
#define ZERO 0xdeadbeefu

static void check_commands(int count, const uint32_t *expected, const char *what)
{
	int i = 0;

	for (; expected[i]; i++)
		if (!CHECK(dwords[i] == (expected[i] == ZERO ? 0 : expected[i])))
			printf("# dword %d of %s: %#x, not %#x\n", i, what, dwords[i], expected[i]);
	CHECK(count == i);
	for (; i < DWORDS; i++)
		CHECK(dwords[i] == 0x55555555);
}

static int begin_query(uint32_t query)
{
	memset(dwords, 0x55, sizeof(dwords));
	return gpuoa_query_begin(pool, query, dwords, DWORDS, error, sizeof(error));
}

static int end_query(uint32_t query)
{
	memset(dwords, 0x55, sizeof(dwords));
	return gpuoa_query_end(pool, query, dwords, DWORDS, error, sizeof(error));
}

/*
 * Commands: PIPE_CONTROL 7a0000xx (its second dword has the flushes, and 1 << 14 for a value or
 * 3 << 14 for the timestamp), MI_STORE_REGISTER_MEM 12x0000x, MI_STORE_DATA_IMM 10x0000x,
 * MI_REPORT_PERF_COUNT 1400000x. The second query of a pool is used, so its slot begins at .slot.
 */
#define SLOT (LOW + 640) /* A report of 256 bytes and 64 bytes of other values, twice */
#define SIDE (SLOT + 256) /* values alongside the report at the begin */
#define LAST (SLOT + 320) /* report at the end */
#define LAST_SIDE (LAST + 256)
#define WIDE_SLOT (LOW + 1280) /* The same for reports of 576 bytes */
#define WIDE_SIDE (WIDE_SLOT + 576)
#define WIDE_LAST (WIDE_SLOT + 640)
#define WIDE_LAST_SIDE (WIDE_LAST + 576)

static const struct {
	const char *platform;
	uint32_t high;
	struct gpuoa_query_options options;
	uint32_t begin[DWORDS], end[DWORDS];
} cases[] = {
	{ "hsw",
	  0,
	  { 0 },
	  { 0x7a000003, 0x0010d0a1, SIDE,      ZERO,	   ZERO,       0x12000001, 0x91b8,
	    SIDE + 8,	0x12000001, 0x91bc,    SIDE + 12,  0x12000001, 0x91c0,	   SIDE + 16,
	    0x12000001, 0x91c4,	    SIDE + 20, 0x12000001, 0x2364,     SIDE + 28,  0x10000002,
	    ZERO,	SIDE + 32,  3,	       0x14000001, SLOT,       3 },
	  { 0x7a000003,
	    0x0010d0a1,
	    LAST_SIDE,
	    ZERO,
	    ZERO,
	    0x14000001,
	    LAST,
	    4,
	    0x12000001,
	    0x91b8,
	    LAST_SIDE + 8,
	    0x12000001,
	    0x91bc,
	    LAST_SIDE + 12,
	    0x12000001,
	    0x91c0,
	    LAST_SIDE + 16,
	    0x12000001,
	    0x91c4,
	    LAST_SIDE + 20,
	    0x12000001,
	    0x2364,
	    LAST_SIDE + 28,
	    0x7a000003,
	    0x001050a1,
	    LAST_SIDE + 32,
	    4,
	    ZERO } },
	/* Addresses of two dwords, here in the global GTT */
	{ "sklgt2",
	  HIGH,
	  { .ggtt = true, .leave_out = GPUOA_QUERY_REGISTER_PERFCNT },
	  { 0x7a000004, 0x0110d0a1, SIDE,	HIGH,	  ZERO,	     ZERO, 0x12400002, 0xa01c,
	    SIDE + 24,	HIGH,	    0x12400002, 0x2b08,	  SIDE + 28, HIGH, 0x10400002, SIDE + 32,
	    HIGH,	3,	    0x14000002, SLOT + 1, HIGH,	     3 },
	  { 0x7a000004,	    0x0110d0a1, LAST_SIDE,  HIGH,
	    ZERO,	    ZERO,	0x14000002, LAST + 1,
	    HIGH,	    4,		0x12400002, 0xa01c,
	    LAST_SIDE + 24, HIGH,	0x12400002, 0x2b08,
	    LAST_SIDE + 28, HIGH,	0x7a000004, 0x011050a1,
	    LAST_SIDE + 32, HIGH,	4,	    ZERO } },
	/* Before gen12.5, the render engine also executes compute work. */
	{ "tglgt2",
	  HIGH,
	  { .mode = GPUOA_QUERY_COMPUTE, .leave_out = GPUOA_QUERY_REGISTER_FREQUENCY },
	  { 0x7a000004, 0x0010d0a1, SIDE, HIGH, ZERO, ZERO, 0x12000002, 0xdafc, SIDE + 28, HIGH,
	    0x10000002, SIDE + 32, HIGH, 3, 0x14000002, SLOT, HIGH, 3 },
	  { 0x7a000004, 0x0010d0a1,	LAST_SIDE,	HIGH, ZERO,
	    ZERO,	0x14000002,	LAST,		HIGH, 4,
	    0x12000002, 0xdafc,		LAST_SIDE + 28, HIGH, 0x7a000004,
	    0x001050a1, LAST_SIDE + 32, HIGH,		4,    ZERO } },
	{ "mtlgt2",
	  HIGH,
	  { 0 },
	  { 0x7a000004, 0x0010d0a1, SIDE,      HIGH,	   ZERO,       ZERO,	  0x12000002,
	    0xdb20,	SIDE + 40,  HIGH,      0x12000002, 0xdb28,     SIDE + 44, HIGH,
	    0x12000002, 0xdafc,	    SIDE + 28, HIGH,	   0x10000002, SIDE + 32, HIGH,
	    3,		0x14000002, SLOT,      HIGH,	   3 },
	  { 0x7a000004,	    0x0010d0a1, LAST_SIDE,  HIGH,
	    ZERO,	    ZERO,	0x14000002, LAST,
	    HIGH,	    4,		0x12000002, 0xdb20,
	    LAST_SIDE + 40, HIGH,	0x12000002, 0xdb28,
	    LAST_SIDE + 44, HIGH,	0x12000002, 0xdafc,
	    LAST_SIDE + 28, HIGH,	0x7a000004, 0x001050a1,
	    LAST_SIDE + 32, HIGH,	4,	    ZERO } },
	/* Compute engines have no caches of the pixel pipeline. */
	{ "lnl",
	  HIGH,
	  { .mode = GPUOA_QUERY_COMPUTE, .leave_out = GPUOA_QUERY_REGISTER_STATUS },
	  { 0x7a000004, 0x0010c0a0, WIDE_SIDE, HIGH, ZERO, ZERO, 0x10000002, WIDE_SIDE + 32, HIGH,
	    3, 0x14000002, WIDE_SLOT, HIGH, 3 },
	  { 0x7a000004, 0x0010c0a0, WIDE_LAST_SIDE, HIGH, ZERO, ZERO, 0x14000002, WIDE_LAST, HIGH,
	    4, 0x7a000004, 0x001040a0, WIDE_LAST_SIDE + 32, HIGH, 4, ZERO } },
	{ "lnl",
	  HIGH,
	  { .mode = GPUOA_QUERY_RENDER, .leave_out = GPUOA_QUERY_REGISTER_STATUS },
	  { 0x7a000004, 0x0010d0a1, WIDE_SIDE, HIGH, ZERO, ZERO, 0x10000002, WIDE_SIDE + 32, HIGH,
	    3, 0x14000002, WIDE_SLOT, HIGH, 3 },
	  { 0x7a000004, 0x0010d0a1, WIDE_LAST_SIDE, HIGH, ZERO, ZERO, 0x14000002, WIDE_LAST, HIGH,
	    4, 0x7a000004, 0x001050a1, WIDE_LAST_SIDE + 32, HIGH, 4, ZERO } },
};

static void commands_are_those_of_the_manuals(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct gpuoa_query_options options = cases[i].options;

		options.size = sizeof(options);
		options.count = QUERIES;
		REQUIRE(begin(cases[i].platform, &options, cases[i].high));
		/* The first query of a pool has ids 1 and 2. */
		CHECK(begin_query(0) > 0 && end_query(0) > 0);
		check_commands(begin_query(1), cases[i].begin, cases[i].platform);
		check_commands(end_query(1), cases[i].end, cases[i].platform);
		end();
	}
}

static const struct gpuoa_query_options few = { .size = sizeof(few), .count = QUERIES };

/* Begin and end the last query. Returns the id of the report at its begin. */
static uint32_t ids_of_next_query(void)
{
	uint32_t id;
	int count;

	CHECK(!gpuoa_query_reset(pool, QUERIES - 1, 1, NULL, 0));
	count = begin_query(QUERIES - 1);
	id = dwords[count - 1];
	count = end_query(QUERIES - 1);
	/* The last command writes the id of the report at the end. */
	CHECK(dwords[count - 2] == id + 1 && !dwords[count - 1]);
	return id;
}

static void ids_wrap_to_one(void)
{
	REQUIRE(begin("hsw", &few, 0));
	CHECK(ids_of_next_query() == 1);
	CHECK(ids_of_next_query() == 3);
	pool->last_id = UINT32_MAX - 5;
	CHECK(ids_of_next_query() == UINT32_MAX - 4);
	CHECK(ids_of_next_query() == UINT32_MAX - 2);
	CHECK(ids_of_next_query() == 1);
	end();
}

static void failed_calls_change_nothing(void)
{
	REQUIRE(begin("hsw", &few, 0));
	memset(dwords, 0x55, sizeof(dwords));
	CHECK(gpuoa_query_begin(pool, 0, dwords, desc.begin_dwords - 1, error, sizeof(error)) ==
	      -ENOSPC);
	CHECK_STRING(error, "27 dwords are needed, and there are 26");
	CHECK(gpuoa_query_begin(pool, QUERIES, dwords, DWORDS, NULL, 0) == -ERANGE);
	CHECK(gpuoa_query_end(pool, 0, dwords, DWORDS, NULL, 0) == -EPROTO);
	CHECK(gpuoa_query_end(pool, QUERIES, dwords, DWORDS, NULL, 0) == -ERANGE);
	CHECK(dwords[0] == 0x55555555);
	/* It has the first ids. */
	CHECK(begin_query(0) == 27 && dwords[26] == 1);
	CHECK(gpuoa_query_end(pool, 0, dwords, desc.end_dwords - 1, error, sizeof(error)) ==
	      -ENOSPC);
	CHECK_STRING(error, "28 dwords are needed, and there are 27");
	CHECK(gpuoa_query_ready(pool, 0) == -ENOENT);
	CHECK(end_query(0) == 28 && gpuoa_query_ready(pool, 0) == 0);
	CHECK(begin_query(0) == -EALREADY && dwords[0] == 0x55555555);
	CHECK_STRING(error, "query 0 has been ended: reset it");
	CHECK(end_query(0) == -EALREADY && dwords[0] == 0x55555555);
	CHECK(begin_query(1) == 27 && dwords[26] == 3);
	CHECK(begin_query(1) == -EALREADY);
	CHECK_STRING(error, "query 1 has been begun: reset it");
	end();
}

/* Only the queries of the range begin again, and only their memory is written. */
static void reset_is_limited_to_its_range(void)
{
	static const struct {
		uint32_t first, count;
		int err;
	} ranges[] = {
		{ 0, 0, 0 },	   { 0, 1, 0 },	      { 1, 1, 0 },	 { 2, 1, 0 },
		{ 1, 2, 0 },	   { 0, 3, 0 },	      { 3, 0, 0 },	 { 3, 1, -ERANGE },
		{ 4, 0, -ERANGE }, { 2, 2, -ERANGE }, { 0, 4, -ERANGE }, { 1, UINT32_MAX, -ERANGE },
	};

	REQUIRE(begin("bdw", &few, HIGH));
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		const uint32_t first = ranges[i].first, count = ranges[i].count;

		CHECK(!gpuoa_query_reset(pool, 0, QUERIES, error, sizeof(error)));
		for (uint32_t query = 0; query < QUERIES; query++)
			CHECK(begin_query(query) > 0);
		memset(memory, 0x55, sizeof(memory));
		CHECK(gpuoa_query_reset(pool, first, count, error, sizeof(error)) == ranges[i].err);
		CHECK(!*error == !ranges[i].err);
		for (uint32_t query = 0; query < QUERIES; query++) {
			const bool reset = !ranges[i].err && query >= first &&
					   query - first < count;

			for (uint32_t at = 0; at < desc.slot_size; at++)
				REQUIRE((memory[query * desc.slot_size + at] == 0x55) == !reset);
			CHECK(begin_query(query) == (reset ? (int)desc.begin_dwords : -EALREADY));
		}
		for (size_t at = desc.memory_size; at < sizeof(memory); at++)
			REQUIRE(memory[at] == 0x55);
	}
	CHECK(gpuoa_query_reset(pool, 1, UINT32_MAX, error, sizeof(error)) == -ERANGE);
	CHECK_STRING(error, "the pool has 3 queries, not 4294967296");
	end();
}

int main(void)
{
	RUN(commands_are_those_of_the_manuals);
	RUN(ids_wrap_to_one);
	RUN(failed_calls_change_nothing);
	RUN(reset_is_limited_to_its_range);
	return tap_end();
}
