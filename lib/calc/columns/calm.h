/* SPDX-License-Identifier: MIT */
/*
 * calm.h - calm tiles: those whose counters move little, as nearly all do.
 *
 * A tile is calm if it is whole, each counter moves by less than 2^CALM_BITS from report to report,
 * and none carries into its upper part. All of that is seen in the differences of dwords, before
 * any counter has been put together; COLUMN_ROWS such differences are less than 2^32, so that a
 * dword has wrapped just if it ends below where it began.
 *
 * Reports are taken by quads, four dwords that stand next to each other. A quad's differences are
 * subtracted, summed up and compared as they stand in the reports; only those that more is to be
 * computed from are turned over into lanes.
 */
#ifndef GPUOA_LIB_CALC_COLUMNS_CALM_H
#define GPUOA_LIB_CALC_COLUMNS_CALM_H

#include "calc/columns/column.h"

#define CALM_BITS 26

_Static_assert((uint64_t)COLUMN_ROWS << CALM_BITS <= 1ull << 32, "a dword wraps once at most");

#define QUAD_DWORDS 4

struct calm_quad {
	uint16_t offset; /* in bytes */
	uint16_t lane; /* of the first of its dwords */
	bool turn; /* lanes are asked for */
};

/*
 * The rules of a calm tile for each dword of a cache line. There are none for dwords that no
 * counter has.
 */
struct calm_rules {
	uint32_t zero[LANE_BLOCK]; /* bits that no difference has: the upper ones, or all */
	uint32_t rising[LANE_BLOCK]; /* all ones: it does not wrap */
};

/*
 * What is known of a tile's differences, lane by lane. It means nothing for lanes that no quad has.
 */
struct calm_tile {
	uint32_t *totals;
	uint32_t *least;
	uint32_t *largest;
};

/* A tile's reports follow each other; @before is the one before them, which may be anywhere. */
struct calm_reports {
	const char *first;
	const char *before;
	const char *next; /* what is prefetched meanwhile, line by line; it is moved on */
	size_t size;
};

/* The same of many tiles. */
struct calm_run {
	uint64_t *sums;
	uint32_t *least;
	uint32_t *largest;
};

/* What to load. */
struct calm_request {
	const struct calm_quad *quads;
	size_t quad_count;
	const struct calm_rules *rules; /* of each LANE_BLOCK lanes */
	struct lane *lanes; /* at LANE_FIRST and following */
	struct calm_tile tile;
};

/* The vector code for calm tiles. */
struct calm_ops {
	/* False: a rule is broken, and lanes and totals hold nothing of use. */
	bool (*load)(const struct calm_request *request, struct calm_reports *reports);
	/* The same; .least and .largest are of use as well. */
	bool (*load_bounds)(const struct calm_request *request, struct calm_reports *reports);

	/* Add a tile of @lanes lanes, whole blocks; without .least, sums alone. */
	void (*add)(struct calm_run *run, const struct calm_tile *tile, size_t lanes);
};

#endif /* GPUOA_LIB_CALC_COLUMNS_CALM_H */
