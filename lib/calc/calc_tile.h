/* SPDX-License-Identifier: MIT */
/*
 * calc_tile.h - a tile on its way through the calculator: loaded (calc_load.c, calc_calm.c),
 * computed and put where its results go (calc_results.c), tile by tile (calc_run.c).
 */
#ifndef GPUOA_LIB_CALC_CALC_TILE_H
#define GPUOA_LIB_CALC_CALC_TILE_H

#include "calc/calc.h"

/* Make a program for calm tiles. Returns false if there is no memory. */
bool calc_make_calm(struct gpuoa_calc *calc, enum calm_purpose purpose);

/* A tile: its reports, and room for copies of the last one, which fill up the last group. */
struct tile {
	const char *reports[COLUMN_ROWS];
	bool keeps[COLUMN_ROWS]; /* the context runs from there on */
	size_t rows;
};

/*
 * Returns the program for this tile, whose lanes are loaded; NULL: it is not calm. What is
 * prefetched meanwhile, @loaded knows.
 */
struct program *calc_load_calm(struct gpuoa_calc *calc, const struct tile *tile,
			       enum calm_purpose purpose, struct program_tile *loaded);

/* What differences of a calm tile tell: sums, and times. */
void calc_note_calm(struct gpuoa_calc *calc, enum calm_purpose purpose, bool each_time);

/*
 * Fill up the last group with the last report; returns the number of rows. The interval between a
 * report and itself is empty, so that all values there are 0.
 */
size_t calc_fill_up(struct tile *tile);

/* Reports in lanes, and what a filter leaves of them. */
void calc_load_any(struct gpuoa_calc *calc, struct tile *tile, struct program_tile *loaded);

/* Begin with this report. No row ends here, for there is no report before it. */
void calc_load_first(struct gpuoa_calc *calc, struct tile *tile);

/* Pairs of reports, each with a time of its own, near @near if that is not 0. */
void calc_load_pairs(struct gpuoa_calc *calc, struct tile *tile, struct program_tile *loaded,
		     uint64_t near);

/* The place of a tile's results. */
struct results {
	struct gpuoa_calc *calc;
	const struct calc_sink *sink;
	size_t done; /* rows before */
	size_t rows;
};

enum calm_purpose calc_purpose(const struct calc_sink *sink);

/* Compute a tile that is loaded, by its calm program if that is not NULL. */
void calc_put_results(struct results *results, struct program_tile *tile, struct program *calm);

#endif /* GPUOA_LIB_CALC_CALC_TILE_H */
