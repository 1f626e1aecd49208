/* SPDX-License-Identifier: MIT */
/*
 * simulated_query.h - A query pool, and reports of queries and streams that a GPU would write
 *
 * Tests use the pool and its description, and the result and the values of the query that was read
 * last.
 */
#ifndef GPUOA_LIB_TESTS_SIMULATED_QUERY_H
#define GPUOA_LIB_TESTS_SIMULATED_QUERY_H

#include "extra/query/pool.h"

#include <errno.h>
#include <string.h>

#include "gpuoa-catalog.h"
#include "gpuoa-query.h"
#include "tap.h"

#define ADDRESS 0x40000
#define POOL_SIZE 0x40000
#define COLUMNS 1024
#define DWORDS 64
#define TICKS 12000 /* length of a query in ticks: at most 1 ms */
#define CONTEXT 0x123

/* Offsets of the side data that a query stores after a report: see struct query_notes. */
enum note {
	NOTE_TICKS,
	NOTE_PERFCNT0 = 8,
	NOTE_PERFCNT1 = 16,
	NOTE_FREQUENCY = 24,
	NOTE_STATUS = 28,
	NOTE_TAG = 32,
};

static char memory[POOL_SIZE] __attribute__((aligned(64)));
static const struct gpuoa_set *set;
static struct gpuoa_constants *constants;
static struct gpuoa_query_pool *pool;
static struct gpuoa_query_desc desc;
static struct gpuoa_query_result result;
static union gpuoa_value values[COLUMNS];
static uint32_t dwords[DWORDS];
static char error[256];
static struct programmed *programmed;

static inline struct gpuoa_query_options options_of(uint32_t count)
{
	return (struct gpuoa_query_options){ .size = sizeof(struct gpuoa_query_options),
					     .count = count };
}

static inline bool choose(const char *platform, const char *symbol)
{
	const struct gpuoa_platform *found = gpuoa_platform_find(platform);

	constants = NULL;
	pool = NULL;
	return CHECK(found && !gpuoa_constants_new(found, &constants) &&
		     !gpuoa_constants_assume(constants)) &&
	       CHECK((set = gpuoa_platform_find_set(found, symbol, "OA", constants)));
}

/* Open a pool of queries on a unit that is programmed for set @what. */
static inline int open_at(const struct gpuoa_set *what, const struct gpuoa_constants *gpu,
			  const struct gpuoa_query_options *options, void *at, size_t size,
			  uint64_t address)
{
	const struct complaint complaint = complaint_begin(error, sizeof(error));
	int err;

	programmed_put(programmed);
	programmed = programmed_new(what);
	if (!CHECK(programmed))
		return -ENOMEM;
	programmed_switch(programmed, true);
	err = query_pool_open(programmed, gpu, options, at, size, address, &pool, &complaint);
	return complaint_end(&complaint, err);
}

static inline int open_pool(const struct gpuoa_query_options *options)
{
	int err = open_at(set, constants, options, memory, sizeof(memory), ADDRESS);

	if (!err)
		gpuoa_query_pool_describe(pool, &desc, sizeof(desc));
	return err;
}

static inline bool begin_with(const char *platform, const char *symbol, uint32_t count)
{
	const struct gpuoa_query_options options = options_of(count);

	return choose(platform, symbol) && CHECK(!open_pool(&options));
}

static inline void end_of(void)
{
	gpuoa_query_pool_close(pool);
	gpuoa_constants_free(constants);
	pool = NULL;
	constants = NULL;
}

/* ---- simulated reports -------------------------------------------------------------------- */

static inline char *report_of(uint32_t query, bool end)
{
	return memory + query * desc.slot_size + (end ? desc.end_offset : 0);
}

static inline void put32(char *at, uint32_t value)
{
	memcpy(at, &value, sizeof(value));
}

static inline void put64(char *at, uint64_t value)
{
	memcpy(at, &value, sizeof(value));
}

static inline void put_field(char *report, enum gpuoa_field field, uint32_t index, uint64_t value)
{
	struct gpuoa_field_desc place;

	if (gpuoa_report_field(desc.format, field, index, &place, sizeof(place)))
		return;
	put32(report + place.offset, (uint32_t)value);
	if (place.bits > 40)
		put32(report + place.offset + 4, (uint32_t)(value >> 32));
	else if (place.bits == 40)
		report[place.high] = (char)(value >> 32);
}

static inline char *note_of(uint32_t query, bool end, enum note note)
{
	const size_t size = (gpuoa_format_size(desc.format) + 63) / 64 * 64;

	return report_of(query, end) + size + note;
}

/* Set all counters, including the clock counter, to @count. */
static inline void fill(char *report, uint32_t id, uint64_t timestamp, uint64_t count)
{
	put_field(report, GPUOA_FIELD_REPORT_ID, 0, id);
	put_field(report, GPUOA_FIELD_TIMESTAMP, 0, timestamp);
	put_field(report, GPUOA_FIELD_CONTEXT_ID, 0, CONTEXT);
	put_field(report, GPUOA_FIELD_CLOCK, 0, count);
	for (uint32_t i = 0; i < 64; i++) {
		put_field(report, GPUOA_FIELD_COUNTER_A, i, count);
		put_field(report, GPUOA_FIELD_COUNTER_B, i, count);
		put_field(report, GPUOA_FIELD_COUNTER_C, i, count);
		put_field(report, GPUOA_FIELD_COUNTER_PEC, i, count);
	}
}

static inline void play(uint32_t query, bool end, uint32_t id, uint64_t timestamp, uint64_t count)
{
	fill(report_of(query, end), id, timestamp, count);
	put64(note_of(query, end, NOTE_TICKS), timestamp & 0xfffffffff);
	put64(note_of(query, end, NOTE_PERFCNT0), count);
	put64(note_of(query, end, NOTE_PERFCNT1), count);
	put32(note_of(query, end, NOTE_FREQUENCY), 0);
	put32(note_of(query, end, NOTE_STATUS), 0);
	put64(note_of(query, end, NOTE_TAG), id);
}

/* Begin and end a query, and simulate its commands. Returns the id of the report at the begin. */
static inline uint32_t query_once(uint32_t query, uint64_t timestamp, uint64_t ticks, uint64_t from,
				  uint64_t count)
{
	uint32_t id;
	int n = gpuoa_query_begin(pool, query, dwords, DWORDS, error, sizeof(error));

	if (!CHECK(n == (int)desc.begin_dwords))
		return 0;
	/* The report command is the last one in the batch, and its last dword is the report id. */
	id = dwords[n - 1];
	CHECK(gpuoa_query_end(pool, query, dwords, DWORDS, error, sizeof(error)) ==
	      (int)desc.end_dwords);
	play(query, false, id, timestamp, from);
	play(query, true, id + 1, timestamp + ticks, from + count);
	return id;
}

static inline int get_with(uint32_t query, const struct gpuoa_query_hints *hints)
{
	memset(&result, 0, sizeof(result));
	memset(values, 0xee, sizeof(values));
	int n = gpuoa_query_get(pool, query, 1, hints, values, &result, sizeof(result), error,
				sizeof(error));

	return n == 1 ? 0 : n;
}

static inline int get(uint32_t query)
{
	return get_with(query, NULL);
}

static inline double value(const char *symbol)
{
	const struct gpuoa_calc *calc = gpuoa_query_calc(pool);
	struct gpuoa_output_desc column;

	for (size_t i = 0; !gpuoa_calc_output_describe(calc, i, &column, sizeof(column)); i++)
		if (!strcmp(column.symbol, symbol))
			return gpuoa_value_to_double(column.type, values[i]);
	CHECK(!"there is such a column");
	return -1;
}

/* ---- reports of a stream ----------------------------------------------------------------------
 */

#define REASON(bits) ((uint32_t)(bits) << 19)
#define VALID (1u << 16)
#define STREAM_REPORT 256

static char stream[8 * STREAM_REPORT];

static inline void play_stream(uint32_t at, uint32_t id, uint32_t timestamp, uint64_t count,
			       uint32_t context)
{
	char *report = stream + at * STREAM_REPORT;

	fill(report, id, timestamp, count);
	put_field(report, GPUOA_FIELD_CONTEXT_ID, 0, context);
}

#endif /* GPUOA_LIB_TESTS_SIMULATED_QUERY_H */
