/* SPDX-License-Identifier: MIT */
/*
 * small_delta.h - the small-delta fast path: loading of batches with small deltas
 *
 * A batch has small deltas if it has COLUMN_ROWS rows, each counter advances by less than
 * 2^SMALL_DELTA_BITS from report to report, and no counter carries into its upper part. The deltas
 * of dwords show all of that, before any counter is assembled. COLUMN_ROWS such deltas sum to less
 * than 2^32, so a dword has wrapped if and only if it ends below its start. Most batches have small
 * deltas.
 *
 * Reports are loaded in quads: four adjacent dwords. The deltas of a quad are subtracted, summed up
 * and compared in the layout of the report. Only quads with values needed for further computation
 * are transposed into lanes.
 */
#ifndef GPUOA_LIB_CALC_COLUMNS_SMALL_DELTA_H
#define GPUOA_LIB_CALC_COLUMNS_SMALL_DELTA_H

#include "calc/columns/column.h"

#define SMALL_DELTA_BITS 26

_Static_assert((uint64_t)COLUMN_ROWS << SMALL_DELTA_BITS <= 1ull << 32,
	       "a dword wraps once at most");

#define QUAD_DWORDS 4

struct small_delta_quad {
	uint16_t offset; /* in the report, in bytes */
	uint16_t lane; /* lane of the first dword */
	bool turn; /* transpose the quad into lanes */
};

/*
 * Conditions that a batch with small deltas meets, for each dword of a cache line. Dwords that
 * belong to no counter have no condition.
 */
struct small_delta_rules {
	/* bits that must be 0 in every delta: the upper bits, or all bits */
	uint32_t zero[LANE_BLOCK];
	uint32_t rising[LANE_BLOCK]; /* all ones if the dword must not wrap, else 0 */
};

/*
 * Totals, minima and maxima of a batch's deltas, for each lane; undefined for lanes that are in no
 * quad.
 */
struct small_delta_batch {
	uint32_t *totals;
	uint32_t *least;
	uint32_t *largest;
};

/* The contiguous reports of a batch; @before is the preceding report, which can be anywhere. */
struct small_delta_reports {
	const char *first;
	const char *before;
	const char *next; /* prefetch position, advanced while loading */
	size_t size;
};

/* Totals, minima and maxima of the deltas of many batches, for each lane. */
struct small_delta_run {
	uint64_t *sums;
	uint32_t *least;
	uint32_t *largest;
};

/* The data to load. */
struct small_delta_request {
	const struct small_delta_quad *quads;
	size_t quad_count;
	const struct small_delta_rules *rules; /* one for each LANE_BLOCK lanes */
	struct lane *lanes; /* filled from LANE_FIRST on */
	struct small_delta_batch batch;
};

/* Vector code for batches with small deltas. */
struct small_delta_ops {
	/*
	 * Load the deltas. Returns false if they violate a rule; then lanes and totals are
	 * undefined.
	 */
	bool (*load)(const struct small_delta_request *request,
		     struct small_delta_reports *reports);
	/* Load the deltas as load() does, and also compute .least and .largest. */
	bool (*load_bounds)(const struct small_delta_request *request,
			    struct small_delta_reports *reports);

	/*
	 * Add a batch of @lanes lanes, which must be whole blocks, to a run. If .least is NULL, add
	 * only the totals.
	 */
	void (*add)(struct small_delta_run *run, const struct small_delta_batch *batch,
		    size_t lanes);
};

#endif /* GPUOA_LIB_CALC_COLUMNS_SMALL_DELTA_H */
