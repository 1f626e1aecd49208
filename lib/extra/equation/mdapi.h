/* SPDX-License-Identifier: MIT */
/* mdapi.h - reader of MDAPI equations: error messages and the stack of expressions */
#ifndef GPUOA_LIB_EXTRA_EQUATION_MDAPI_H
#define GPUOA_LIB_EXTRA_EQUATION_MDAPI_H

#include "base/arena.h"
#include "base/complaint.h"
#include "definitions/language/definition.h"
#include "gpuoa-equation.h"
#include "report/format.h"

struct operand {
	struct expression *expression;
	uint32_t nodes; /* number of operands and operators */
	bool real;
	bool truth; /* a truth value, 0 or 1 */
};

struct mdapi_reader {
	const struct gpuoa_set *set;
	const struct report_format *format;
	const struct complaint *complaint;
	struct arena arena;
	struct gpuoa_delta delta;
	const struct operand *self; /* NULL while reading the read equation */
	/* the equation being read: */
	const char *part; /* its name in messages */
	const char *cursor;
	size_t column; /* column of the current word */
	char word[64];
	struct operand stack[CODE_DEPTH_MAX];
	uint32_t depth;
	int err;
};

/* Report an error at the current word. Returns false. */
__attribute__((format(printf, 3, 4))) bool mdapi_fail(struct mdapi_reader *reader, int err,
						      const char *format, ...);

/* Allocate an expression. Returns NULL if out of memory, and sets .err. */
struct expression *mdapi_expression(struct mdapi_reader *reader, enum expression_kind kind);

bool mdapi_push(struct mdapi_reader *reader, struct operand operand);

#endif /* GPUOA_LIB_EXTRA_EQUATION_MDAPI_H */
