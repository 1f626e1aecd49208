/* SPDX-License-Identifier: MIT */
/*
 * program.h - the equations of a set, compiled to a list of operations on columns
 *
 * Common subexpressions are computed once. Expressions of constants are computed when the program
 * is built.
 */
#ifndef GPUOA_LIB_CALC_COLUMNS_PROGRAM_H
#define GPUOA_LIB_CALC_COLUMNS_PROGRAM_H

#include <stdbool.h>

#include "calc/columns/small_delta.h"
#include "calc/columns/op_chain.h"
#include "gpu/constants.h"
#include "report/format.h"
#include "table/code.h"

/* Source of an input: counter_number() of a counter, or one of these header fields */
enum program_source {
	SOURCE_TIMESTAMP = COUNTER_COUNT,
	SOURCE_CLOCK,
	SOURCE_REPORT_ID,
	SOURCE_CONTEXT_ID,
	SOURCE_COUNT,
};

/* A field of the report. */
struct program_input {
	uint16_t source; /* counter_number() or enum program_source */
	/* the value in the later report is used, not the delta; timestamps are extended */
	bool absolute;
	struct report_field field;
	uint16_t low; /* lanes that contain the lower and the upper dword of the field */
	uint16_t high;
};

/* Input 0 of every program is the delta of timestamps, which stays in column 0. */
#define INPUT_TICKS 0

enum operation_kind {
	OPERATION_LOAD, /* a: number of the input */
	OPERATION_OUTPUT, /* .a is the column to output; .out is the number of the output */
	OPERATION_STEP, /* a step on doubles, in which all values are known to fit */
	/*
	 * An integer operation with operands that may be wide. .c is the column of the reciprocal 1
	 * / b, or equal to .b if there is none.
	 */
	OPERATION_INTEGER,
	OPERATION_SCALE, /* a * b / c with a 128-bit product, where b and c are literals */
	OPERATION_TO_REAL, /* convert integers, which may be wide, to reals */
	OPERATION_TO_INTEGER, /* convert arbitrary reals */
};

struct program_operation {
	uint8_t kind;
	uint8_t op; /* operator: enum column_step, or for OPERATION_INTEGER enum code_op */
	uint16_t out;
	uint16_t a;
	uint16_t b;
	uint16_t c;
};

/* The format of a result. */
enum program_result {
	RESULT_NONE, /* not available, reported as 0 */
	RESULT_INTEGER,
	RESULT_FLOAT,
};

struct program_output {
	uint16_t result; /* enum program_result */
	uint16_t column; /* column that has the value; while the program is built, the node */
};

/* Results of a fast-path program */
enum small_delta_purpose {
	SMALL_DELTA_NONE, /* not a fast-path program */
	SMALL_DELTA_SUMS, /* sum the inputs, compute nothing */
	SMALL_DELTA_ROWS, /* results are eight-byte words */
	SMALL_DELTA_COLUMNS, /* write each output as an array of floats or 64-bit integers */
	SMALL_DELTA_SUMMARIES,
	SMALL_DELTA_PURPOSES,
};

/* Kinds of steps of a fast-path program */
enum small_delta_step_kind {
	SMALL_DELTA_CHAIN,
	SMALL_DELTA_OPERATION, /* an operation that a chain cannot perform */
	/*
	 * a chain of integer operations with results that nearly always fit in doubles; if one does
	 * not fit, operations @operation to @end are executed instead
	 */
	SMALL_DELTA_CHECKED,
	/*
	 * a chain that writes the output in @column; if that column is wide, the operation is
	 * executed instead
	 */
	SMALL_DELTA_OUTPUT,
};

struct small_delta_step {
	uint8_t kind;
	uint16_t column; /* SMALL_DELTA_CHECKED: of the result */
	uint32_t operation;
	uint32_t end;
	uint32_t link; /* first link of the chain */
};

/*
 * An output that is a sum of inputs times a constant factor, which is computed with integers only.
 */
struct linear_output {
	uint32_t output;
	struct lane_sum sum;
	/* minimum and maximum of the sums, for summaries of more than one input */
	struct lane_bounds *bounds;
};

/* Fast-path part of a program. */
struct program_small_delta {
	enum small_delta_purpose purpose;
	struct small_delta_step *steps;
	struct op_chain_link *links;
	struct op_chain_slot *slots; /* destination of each output */
	struct linear_output *linears;
	struct lane_bounds *bounds;
	uint16_t *linear_lanes;
	uint32_t step_count;
	uint32_t link_count;
	uint32_t linear_count;
	uint32_t linear_lane_count;
	uint64_t large; /* nonzero: a value in a checked chain does not fit in a double */
	uint32_t fetch_count; /* number of links per strip that prefetch the next batch */
	struct op_chain_fetch fetch;
};

struct program {
	const struct vector_ops *vector;
	struct program_input *inputs;
	struct program_operation *operations;
	/* the selected metrics, then if requested: all information items, maxima, validity */
	struct program_output *outputs;
	/*
	 * cache lines of a report that contain inputs; the lanes of one cache line are consecutive
	 */
	uint16_t *blocks;
	struct small_delta_rules *rules; /* conditions for each block */
	struct small_delta_quad *quads; /* quads that contain inputs */
	struct program_small_delta small_delta;
	union column *columns;
	/* for each column: whether it contains integers that do not fit in doubles in this batch */
	bool *wide;
	uint32_t input_count;
	uint32_t operation_count;
	uint32_t output_count;
	uint32_t block_count;
	uint32_t quad_count;
	uint32_t column_count;
};

static inline bool program_is_small_delta(const struct program *program)
{
	return program->small_delta.purpose != SMALL_DELTA_NONE;
}

/* The parameters of a program. */
struct program_request {
	const struct gpuoa_set *set;
	const struct gpuoa_constants *constants; /* all needed values are present */
	const struct report_format *format;
	const struct vector_ops *vector;
	const uint32_t *metrics; /* indexes of the output metrics in the set, in output order */
	uint32_t metric_count;
	/* for each metric of the set: whether an output or another needed metric uses it */
	const bool *needed;
	bool infos; /* also output all information items */
	bool maxima; /* also output the maximum of each metric */
	/* also output the validity of each metric, which is false if a divisor was 0 */
	bool validity;
	/* purpose of a fast-path program; SMALL_DELTA_NONE: inputs can have any value */
	enum small_delta_purpose small_delta;
};

/*
 * Build a program. Returns 0, -EINVAL if the format does not contain a counter, -EOVERFLOW if the
 * equations have more than 32,767 distinct values, or -ENOMEM.
 */
int program_new(const struct program_request *request, struct program **program);

void program_free(struct program *program);

/* The rows that a program processes: a whole number of groups. */
struct program_batch {
	const struct lane *lanes; /* dwords of the reports; on the fast path, deltas of dwords */
	const char *const *reports;
	size_t rows; /* number of rows in the lanes */
	const uint64_t *ticks; /* extended times of the reports in the lanes */
	const uint16_t *kept; /* rows of the lanes that the filter keeps; NULL: it keeps all */
	size_t kept_count; /* number of kept rows; the last group is padded with zero rows */
	/* sums of the inputs' deltas of up to 40 bits, to which this batch is added */
	struct column_sums *sums;
	uint64_t *wide_sums; /* sums of wider deltas */
	/*
	 * Memory of the expected next batch, which is prefetched in parts while this batch is
	 * computed. It need not be accessible.
	 */
	const char *next;
	const char *next_end;
	/* Callback that receives each output as soon as it is computed. */
	void (*output)(void *context, uint32_t number, const union column *column, bool wide);
	void *context;
};

/*
 * Write the lengths of the intervals to @lengths. Call this before program_run(), which uses the
 * times computed from them.
 */
void program_load_lengths(struct program *program, const struct program_batch *batch,
			  uint64_t *lengths);

/* Run a program. A program without outputs only adds the inputs to the sums. */
void program_run(struct program *program, const struct program_batch *batch);

/* Execute one operation, except loads. */
void program_run_operation(struct program *program, const struct program_operation *operation,
			   const struct program_batch *batch, size_t rows);

/* Fill a column with the extended times of reports. */
void program_load_times(struct program *program, uint32_t column,
			const struct program_batch *batch);

/*
 * Convert the integers of a column to doubles if all of them fit. @all: bitwise OR of all integers
 */
void program_put_words(struct program *program, uint32_t column, uint64_t all, size_t rows);

/*
 * Prefetch a part of the next batch. Returns the end of this part. If a whole batch was prefetched
 * at once, memory bandwidth would limit the speed.
 */
const char *program_fetch(const char *next, size_t bytes);

/* Small-delta fast path */

/*
 * Build the op chains of a fast-path program. Chains read the reports from @lanes, and add to
 * @summaries, which has one element for each output. Returns 0 or -ENOMEM.
 */
int program_make_chains(struct program *program, const struct lane *lanes,
			struct column_summary *summaries);

/*
 * Run a fast-path program on a batch with small deltas, without summing the inputs. Results are
 * written to the slots or summaries; only columns with wide integers are passed to the batch's
 * output callback.
 */
void program_run_small_delta(struct program *program, const struct program_batch *batch);

/* Reset the minimum and maximum of linear outputs before the first batch. */
void program_begin_linears(struct program *program);

/* Add the linear outputs over all batches in @run (at least one) to the summaries. */
void program_end_linears(const struct program *program, const struct small_delta_run *run,
			 struct column_summary *summaries);

/* Convert the integers of a column from doubles to 64-bit words. */
void column_words(const struct vector_ops *vector, const union column *column, bool wide,
		  uint64_t *words, size_t rows);

#endif /* GPUOA_LIB_CALC_COLUMNS_PROGRAM_H */
