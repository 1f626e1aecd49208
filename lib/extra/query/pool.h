/* SPDX-License-Identifier: MIT */
/* pool.h - a query pool: the memory of its reports and the state of each query */
#ifndef GPUOA_LIB_EXTRA_QUERY_POOL_H
#define GPUOA_LIB_EXTRA_QUERY_POOL_H

#include "base/complaint.h"
#include "calc/calc.h"
#include "extra/query/hardware.h"
#include "gpuoa-query.h"
#include "reader/stream/programmed.h"

/*
 * Values that the GPU writes alongside a report, at the next multiple of 64 bytes after it, once at
 * the begin of a query and once at its end.
 */
struct query_notes {
	uint64_t ticks; /* timestamp of the command streamer */
	uint64_t perfcnt[QUERY_PERFCNT_COUNT];
	uint32_t frequency;
	uint32_t status;
	uint64_t tag; /* the report's id, written last */
	uint32_t a36[QUERY_A36_COUNT];
	uint64_t unused[2];
};

/* Content of memory that the GPU has not written since the query was reset */
#define QUERY_UNWRITTEN 0xff
#define QUERY_UNWRITTEN_32 UINT32_MAX
#define QUERY_UNWRITTEN_64 UINT64_MAX

enum query_state {
	QUERY_IDLE,
	QUERY_BEGUN, /* the begin commands were requested */
	QUERY_ENDED,
};

struct query {
	uint32_t id; /* id of the begin report; that of the end report is one higher */
	enum query_state state;
	uint64_t programmed; /* state of the unit when the begin commands were requested */
	bool seen; /* the query had ended before the state of the unit changed */
};

struct gpuoa_query_pool {
	struct gpuoa_query_options options;
	struct gpuoa_query_desc desc;
	const struct query_hardware *hardware;
	const struct gpuoa_set *set;
	struct programmed *programmed; /* state of the unit; NULL: unknown, the pool has no stream
					*/
	struct report_format format; /* format of a report together with the values alongside it */
	uint32_t notes_offset; /* offset from a report to the values alongside it */
	struct gpuoa_calc *calc;
	/* for each input of .calc: number of ticks in which it wraps at most once */
	uint64_t *longest;
	uint64_t timestamp_frequency; /* in Hz; 0: unknown */
	char *memory;
	uint64_t address;
	uint32_t last_id;
	struct query *queries;
	char *scratch; /* buffer for a stream's report that is converted to a query report */
	union gpuoa_value *row; /* buffer for a row of values that is not used */
};

/* Return the memory slot of a query, which contains the begin report and then the end report. */
static inline char *query_memory(const struct gpuoa_query_pool *pool, uint32_t query)
{
	return pool->memory + (size_t)query * pool->desc.slot_size;
}

static inline const struct query_notes *query_notes(const struct gpuoa_query_pool *pool,
						    const void *report)
{
	return (const void *)((const char *)report + pool->notes_offset);
}

/* Check that the pool has a query of this number. Returns 0, or -ERANGE with an error message. */
int query_check(const struct gpuoa_query_pool *pool, uint32_t query,
		const struct complaint *complaint);

/*
 * Implement gpuoa_query_pool_open() for the unit whose state is @programmed, and take a reference
 * to that state. @constants: constants of the GPU
 */
int query_pool_open(struct programmed *programmed, const struct gpuoa_constants *constants,
		    const struct gpuoa_query_options *options, void *memory, size_t memory_size,
		    uint64_t address, struct gpuoa_query_pool **pool,
		    const struct complaint *complaint);

#endif /* GPUOA_LIB_EXTRA_QUERY_POOL_H */
