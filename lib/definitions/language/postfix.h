/* SPDX-License-Identifier: MIT */
/* postfix.h - parser for equations in reverse Polish notation, as in the vendor's files */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_POSTFIX_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_POSTFIX_H

#include "definitions/language/definition.h"

/* Context of an equation: its file, and the meaning of its names. */
struct postfix {
	const char *file;
	struct arena *arena;
	struct diagnostic *diagnostic;
	bool condition; /* the equation is a condition: only whether the result is 0 matters */
	/* Get the type of "$name". Returns 0, -ENOENT if unknown, or -ENOMEM. */
	int (*resolve)(void *context, const char *name, enum gpuoa_value_type *type);
	void *context;
};

/*
 * Parse "A 7 READ 100 UMUL $GpuCoreClocks FDIV" as A7 * 100 / GpuCoreClocks. Returns 0, -EINVAL
 * with the reason in the diagnostic, at @location, or -ENOMEM.
 */
int postfix_read(const struct postfix *postfix, const char *text, struct location location,
		 struct equation *equation);

/* Parse a single number, in the syntax of equations. -EINVAL if it is not a number. */
int postfix_read_number(const char *text, struct expression *number);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_POSTFIX_H */
