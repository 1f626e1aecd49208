/* SPDX-License-Identifier: MIT */
/* pool.h - a pool of queries: where its reports are, and what has become of each query. */
#ifndef GPUOA_LIB_QUERY_POOL_H
#define GPUOA_LIB_QUERY_POOL_H

#include "base/complaint.h"
#include "calc/calc.h"
#include "gpuoa-query.h"
#include "query/hardware.h"
#include "query/programmed.h"

/*
 * What the GPU writes for the begin of a query, and once more for its end: the report, then the
 * notes, from the next multiple of 64 bytes on.
 */
struct query_notes {
	uint64_t ticks; /* of the command streamer */
	uint64_t perfcnt[QUERY_PERFCNT_COUNT];
	uint32_t frequency;
	uint32_t status;
	uint64_t tag; /* written last: the report's id */
	uint32_t a36[QUERY_A36_COUNT];
	uint64_t unused[2];
};

/* What is in a note that the GPU did not write */
#define QUERY_UNWRITTEN 0xff
#define QUERY_UNWRITTEN_32 UINT32_MAX
#define QUERY_UNWRITTEN_64 UINT64_MAX

enum query_state {
	QUERY_IDLE,
	QUERY_BEGUN, /* the commands of its begin were asked for */
	QUERY_ENDED,
};

struct query {
	uint32_t id; /* of the first report; that of the second one is the next */
	enum query_state state;
	uint64_t programmed; /* state of the unit when it was begun */
	bool seen; /* to have ended before that changed */
};

struct gpuoa_query_pool {
	struct gpuoa_query_options options;
	struct gpuoa_query_desc desc;
	const struct query_hardware *hardware;
	const struct gpuoa_set *set;
	struct programmed *programmed; /* NULL: the pool is only described */
	struct report_format format; /* report and notes as one */
	uint32_t notes_offset; /* behind a report */
	struct gpuoa_calc *calc;
	uint64_t *longest; /* ticks in which each input of .calc may wrap once */
	uint64_t timestamp_frequency; /* Hz; 0: not known */
	char *memory;
	uint64_t address;
	uint32_t last_id;
	struct query *queries;
	char *scratch; /* a stream's report as one of ours */
	union gpuoa_value *row; /* room for values that nobody wants */
};

/* What is there of a query: its two reports, the second one behind the first one. */
static inline char *query_memory(const struct gpuoa_query_pool *pool, uint32_t query)
{
	return pool->memory + (size_t)query * pool->desc.slot_size;
}

static inline const struct query_notes *query_notes(const struct gpuoa_query_pool *pool,
						    const void *report)
{
	return (const void *)((const char *)report + pool->notes_offset);
}

/* 0; -ERANGE and the complaint. */
int query_check(const struct gpuoa_query_pool *pool, uint32_t query,
		const struct complaint *complaint);

#endif /* GPUOA_LIB_QUERY_POOL_H */
