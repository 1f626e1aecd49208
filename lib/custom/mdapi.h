/* SPDX-License-Identifier: MIT */
/* mdapi.h - what reads an equation of MDAPI: a stack of expressions. */
#ifndef GPUOA_LIB_CUSTOM_MDAPI_H
#define GPUOA_LIB_CUSTOM_MDAPI_H

#include "base/arena.h"
#include "base/complaint.h"
#include "definitions/language/definition.h"
#include "gpuoa-equation.h"
#include "report/format.h"

struct operand {
	struct expression *expression;
	uint32_t nodes; /* of its text */
	bool real;
	bool truth; /* it is 0 or 1 */
};

struct mdapi_reader {
	const struct gpuoa_set *set;
	const struct report_format *format;
	const struct complaint *complaint;
	struct arena arena;
	struct gpuoa_delta delta;
	const struct operand *self; /* NULL while the read equation is read */
	/* of the equation in work: */
	const char *part; /* its name in messages */
	const char *cursor;
	size_t column; /* of the word */
	char word[64];
	struct operand stack[CODE_DEPTH_MAX];
	uint32_t depth;
	int err;
};

/* Complain about the word. Returns false. */
__attribute__((format(printf, 3, 4))) bool mdapi_fail(struct mdapi_reader *reader, int err,
						      const char *format, ...);

/* NULL: no memory, which .err says. */
struct expression *mdapi_expression(struct mdapi_reader *reader, enum expression_kind kind);

bool mdapi_push(struct mdapi_reader *reader, struct operand operand);

#endif /* GPUOA_LIB_CUSTOM_MDAPI_H */
