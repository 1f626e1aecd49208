/* SPDX-License-Identifier: MIT */
/* postfix.h - reads equations in reverse Polish, as the vendor's files state them. */
#ifndef GPUOA_LIB_DEFINITIONS_LANGUAGE_POSTFIX_H
#define GPUOA_LIB_DEFINITIONS_LANGUAGE_POSTFIX_H

#include "definitions/language/definition.h"

/* Where equations stand, and what their names mean. */
struct postfix {
	const char *file;
	struct arena *arena;
	struct diagnostic *diagnostic;
	bool condition; /* only whether the result is 0 counts */
	/* The type of what "$name" stands for. -ENOENT: there is no such thing; -ENOMEM. */
	int (*resolve)(void *context, const char *name, enum gpuoa_value_type *type);
	void *context;
};

/*
 * Read "A 7 READ 100 UMUL $GpuCoreClocks FDIV" as A7 * 100 / GpuCoreClocks. -EINVAL: the diagnostic
 * says what is wrong, at @location; -ENOMEM.
 */
int postfix_read(const struct postfix *postfix, const char *text, struct location location,
		 struct equation *equation);

/* A number as equations have it, alone in its text. -EINVAL: it is none. */
int postfix_read_number(const char *text, struct expression *number);

#endif /* GPUOA_LIB_DEFINITIONS_LANGUAGE_POSTFIX_H */
