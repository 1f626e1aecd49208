/* SPDX-License-Identifier: MIT */
/*
 * program.h - the equations of a set as one list of operations on columns.
 *
 * What several equations compute alike is computed once; what follows from constants alone, when
 * the program is made.
 */
#ifndef GPUOA_LIB_CALC_COLUMNS_PROGRAM_H
#define GPUOA_LIB_CALC_COLUMNS_PROGRAM_H

#include <stdbool.h>

#include "calc/columns/calm.h"
#include "calc/columns/chain.h"
#include "gpu/constants.h"
#include "report/format.h"
#include "table/code.h"

/* Where an input comes from: counter_number(), or one of these. */
enum program_source {
	SOURCE_TIMESTAMP = COUNTER_COUNT,
	SOURCE_CLOCK,
	SOURCE_REPORT_ID,
	SOURCE_CONTEXT_ID,
	SOURCE_COUNT,
};

/* A field of the report. */
struct program_input {
	uint16_t source; /* counter_number(), enum program_source */
	bool absolute; /* the later report's value, not the difference of two; the timestamp's is
			  extended */
	struct report_field field;
	uint16_t low; /* lanes */
	uint16_t high;
};

/* Input 0 is always the difference of timestamps, and stays in column 0. */
#define INPUT_TICKS 0

enum operation_kind {
	OPERATION_LOAD, /* a: number of the input */
	OPERATION_OUTPUT, /* a: the column; out: number of the output */
	OPERATION_STEP, /* all is known to fit */
	OPERATION_INTEGER, /* a column may be or become wide; c: 1 / b, or b if it has not been
			      computed */
	OPERATION_SCALE, /* a * b / c with 128 bits between; b and c are literals */
	OPERATION_TO_REAL, /* of a column that may be wide */
	OPERATION_TO_INTEGER, /* of a column of any reals */
};

struct program_operation {
	uint8_t kind;
	uint8_t op; /* enum column_step; of OPERATION_INTEGER enum code_op */
	uint16_t out;
	uint16_t a;
	uint16_t b;
	uint16_t c;
};

/* The form in which a result leaves its column. */
enum program_result {
	RESULT_NONE, /* not available: 0 */
	RESULT_INTEGER,
	RESULT_FLOAT,
};

struct program_output {
	uint16_t result; /* enum program_result */
	uint16_t column; /* while the program is built; columns are used again and again */
};

/* What the program of calm tiles is for. */
enum calm_purpose {
	CALM_NONE, /* any tile: not a program for calm tiles */
	CALM_SUMS, /* inputs are summed up, and nothing is computed */
	CALM_ROWS, /* results are eight-byte words */
	CALM_COLUMNS, /* results have the size of their type */
	CALM_SUMMARIES,
	CALM_PURPOSES,
};

/* A step in the computation of a calm tile. */
enum calm_step_kind {
	CALM_CHAIN,
	CALM_OPERATION, /* one that takes more than a chain */
	CALM_CHECKED, /* a chain of integers that nearly always fit; where not, its operations
			 @operation to @end are carried out */
	CALM_OUTPUT, /* a chain that puts what is in @column; where that is wide, the operation */
};

struct calm_step {
	uint8_t kind;
	uint16_t column; /* CALM_CHECKED: of its result */
	uint32_t operation;
	uint32_t end;
	uint32_t link; /* the first of the chain's */
};

/* An output that is a sum of inputs times a factor: nothing of it is computed with reals. */
struct linear_output {
	uint32_t output;
	struct lane_sum sum;
	struct lane_bounds *bounds; /* of several lanes, in summaries */
};

/* How a calm tile is computed. */
struct program_calm {
	enum calm_purpose purpose;
	struct calm_step *steps;
	struct chain_link *links;
	struct chain_slot *slots; /* of the outputs */
	struct linear_output *linears;
	struct lane_bounds *bounds;
	uint16_t *linear_lanes;
	uint32_t step_count;
	uint32_t link_count;
	uint32_t linear_count;
	uint32_t linear_lane_count;
	uint64_t large; /* not 0: something in a checked chain does not fit */
	uint32_t fetch_count; /* links that prefetch, for each strip */
	struct chain_fetch fetch;
};

struct program {
	const struct vector_ops *vector;
	struct program_input *inputs;
	struct program_operation *operations;
	struct program_output *outputs; /* selected metrics, then what else was asked for: all of
					   the information items, maxima, validity */
	uint16_t *blocks; /* cache lines of the report that hold inputs; their lanes follow each
			     other */
	struct calm_rules *rules; /* of each of them */
	struct calm_quad *quads; /* those that inputs are in */
	struct program_calm calm;
	union column *columns;
	bool *wide; /* which columns are, in this tile */
	uint32_t input_count;
	uint32_t operation_count;
	uint32_t output_count;
	uint32_t block_count;
	uint32_t quad_count;
	uint32_t column_count;
};

static inline bool program_is_calm(const struct program *program)
{
	return program->calm.purpose != CALM_NONE;
}

/* What a program is to compute. */
struct program_request {
	const struct gpuoa_set *set;
	const struct gpuoa_constants *constants; /* all that is needed is given */
	const struct report_format *format;
	const struct vector_ops *vector;
	const uint32_t *metrics; /* their numbers in the set, in the order of the outputs */
	uint32_t metric_count;
	const bool *needed; /* of all metrics of the set: for an output, or for another one that is
			     */
	bool infos; /* all information items as well */
	bool maxima; /* likewise the largest possible value of each of the metrics, */
	bool validity; /*   and whether it is one: nothing in it was divided by 0 */
	enum calm_purpose calm; /* if not CALM_NONE: inputs are small */
};

/*
 * -EINVAL: the format lacks a counter; -EOVERFLOW: the equations have more than 32,767 values in
 * all; -ENOMEM.
 */
int program_new(const struct program_request *request, struct program **program);

void program_free(struct program *program);

/* The rows that a program runs over: a whole number of groups. */
struct program_tile {
	const struct lane *lanes; /* dwords of the reports; of a calm tile, their differences */
	const char *const *reports;
	size_t rows; /* in the lanes */
	const uint64_t *ticks; /* extended times of the reports in the lanes */
	const uint16_t *kept; /* rows of the lanes that are left, or NULL: all */
	size_t kept_count; /* of which the last group is filled up with rows of 0 */
	struct column_sums *sums; /* of the inputs: differences up to 40 bits are added, */
	uint64_t *wide_sums; /* and wider ones */
	/*
	 * The next tile, as far as can be foreseen. It is prefetched bit by bit while this one is
	 * computed; there need not be anything.
	 */
	const char *next;
	const char *next_end;
	/* Called for each output when it is there. */
	void (*output)(void *context, uint32_t number, const union column *column, bool wide);
	void *context;
};

/*
 * Take the lengths of the intervals into @lengths. Comes before program_run(), which needs the
 * times.
 */
void program_load_lengths(struct program *program, const struct program_tile *tile,
			  uint64_t *lengths);

/* Without an output, inputs are summed up only. */
void program_run(struct program *program, const struct program_tile *tile);

/* One operation, but for loads. */
void program_run_operation(struct program *program, const struct program_operation *operation,
			   const struct program_tile *tile, size_t rows);

/* A column of the times of reports: their own timestamps wrap. */
void program_load_times(struct program *program, uint32_t column, const struct program_tile *tile);

/* Words in a column become doubles if all of them fit. @all: the OR of them. */
void program_put_words(struct program *program, uint32_t column, uint64_t all, size_t rows);

/*
 * Fetch a part of the next tile; returns where the next part begins. All of a tile at once is more
 * than memory keeps up with.
 */
const char *program_fetch(const char *next, size_t bytes);

/* calm tiles */

/*
 * Make the chains of a program for calm tiles, whose differences are in @lanes; summaries go to
 * @summaries. -ENOMEM.
 */
int program_make_chains(struct program *program, const struct lane *lanes,
			struct column_summary *summaries);

/*
 * As program_run(), over a calm tile, by a program for such; inputs are not summed up. Results go
 * to the slots, or to the summaries; only those that are wide to the tile's output.
 */
void program_run_calm(struct program *program, const struct program_tile *tile);

/* The bounds of linear outputs, before the first tile. */
void program_begin_linears(struct program *program);

/* Add the linear outputs of @run's tiles, of which there were some, to the summaries. */
void program_end_linears(const struct program *program, const struct calm_run *run,
			 struct column_summary *summaries);

/* Integers of a column as words. */
void column_words(const struct vector_ops *vector, const union column *column, bool wide,
		  uint64_t *words, size_t rows);

#endif /* GPUOA_LIB_CALC_COLUMNS_PROGRAM_H */
