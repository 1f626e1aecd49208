/* SPDX-License-Identifier: MIT */
/*
 * program.h - the equations of a set as one list of operations on columns.
 *
 * What several equations compute alike is computed once; what follows from constants alone, when the program
 * is made.
 */
#ifndef GPUOA_PROGRAM_H
#define GPUOA_PROGRAM_H

#include "column.h"
#include "constants.h"
#include "format.h"

/* A 32-bit field of the report whose differences are summed up; its column has the same number. */
struct program_input {
	uint16_t offset; /* in the report */
	uint16_t counter; /* counter_number(), or PROGRAM_TIMESTAMP */
};

/* Input 0 is always the timestamp. */
#define PROGRAM_TIMESTAMP COUNTER_COUNT

struct program_operation {
	uint16_t op;
	uint16_t out;
	uint16_t left;
	uint16_t right;
};

/* How a metric leaves its column. */
enum program_result {
	RESULT_NONE, /* not available: 0 */
	RESULT_INTEGER,
	RESULT_FLOAT,
};

struct program_output {
	uint16_t result; /* enum program_result */
	uint16_t column;
};

struct program {
	struct program_input *inputs;
	struct program_operation *operations;
	struct program_output *outputs; /* of the set's metrics */
	union column *columns;
	uint32_t input_count;
	uint32_t operation_count;
	uint32_t output_count;
};

/*
 * Make the program of a set, all of whose constants are given. -EINVAL: the format lacks a counter; -ENOMEM.
 */
int program_new(const struct gpuoa_set *set,
		const struct gpuoa_constants *constants,
		const struct report_format *format, struct program **program);

void program_free(struct program *program);

/* Run over rows whose differences stand in the inputs' columns. */
void program_run(const struct program *program, size_t rows);

#endif /* GPUOA_PROGRAM_H */
