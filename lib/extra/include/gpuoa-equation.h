/* SPDX-License-Identifier: MIT */
/*
 * gpuoa-equation.h - parsing and evaluation of single equations, counter differences, MDAPI
 * notation
 *
 * Part of libgpuoa-extra. Conventions are those of gpuoa.h, which has equations as data
 * (gpuoa_metric_equation(), gpuoa_equation_next()).
 */
#ifndef GPUOA_EQUATION_H
#define GPUOA_EQUATION_H

#include "gpuoa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- values --------------------------------------------------------------------------------- */

/** struct gpuoa_typed_value - A value and its type. Fixed: the struct never changes. */
struct gpuoa_typed_value {
	enum gpuoa_value_type type;
	union gpuoa_value value;
};

/**
 * gpuoa_equation_parse() - Parse an equation in the language of
 * Documentation/reference/metric-definitions.rst.
 * @set: set of the metrics, counters and constants that it may use; must outlive it
 * @role: role; a condition (GPUOA_EQUATION_AVAILABILITY) may use constants only
 * @equation: result; release with gpuoa_equation_free()
 * @error: "equation:1:COLUMN: reason"
 *
 * Return: 0. -EINVAL: syntax error or unknown name. -ENOMEM: out of memory.
 */
GPUOA_API int gpuoa_equation_parse(const struct gpuoa_set *set, const char *text,
				   enum gpuoa_equation_role role, struct gpuoa_equation *equation,
				   char *error, size_t error_size);

/**
 * gpuoa_equation_free() - Free an equation of gpuoa_equation_parse(). Does nothing for other
 * equations.
 */
GPUOA_API void gpuoa_equation_free(struct gpuoa_equation *equation);

/**
 * gpuoa_equation_evaluate() - Evaluate an equation over an interval.
 * @equation: equation from which gpuoa_equation_next() has read nothing
 * @constants: constants of the GPU; NULL if it uses none
 * @first: report at the begin of the interval, in the format of its set; NULL: none
 * @last: report at the end of the interval; NULL: none
 * @value: result: GPUOA_TYPE_FLOAT if the equation is fractional
 *
 * Intermediate integers have 128 bits and saturate. Without reports, this evaluates maxima that
 * depend on constants only.
 *
 * Return: 0, or:
 * -ENOENT: the equation is empty
 * -EALREADY: elements of it have been read
 * -EFAULT: it needs reports, and one is NULL
 * -ENODATA: a constant that it needs has no value
 * -EINVAL: the constants are of another platform
 * -EOPNOTSUPP: it needs counters that reports do not have
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_equation_evaluate(const struct gpuoa_equation *equation,
				      const struct gpuoa_constants *constants, const void *first,
				      const void *last, struct gpuoa_typed_value *value);

/* ---- differences ---------------------------------------------------------------------------- */

/**
 * enum gpuoa_delta_kind - Functions that are applied to the two raw values of a counter at the
 * begin and end of an interval.
 */
enum gpuoa_delta_kind {
	GPUOA_DELTA_NONE, /* 0 */
	GPUOA_DELTA_BITS, /* difference modulo 2^bits */
	GPUOA_DELTA_OR, /* 1 if one of the two values is not 0 */
	GPUOA_DELTA_XOR, /* 1 if they differ */
	GPUOA_DELTA_PREVIOUS, /* the earlier value */
	GPUOA_DELTA_LAST, /* the later value */
	GPUOA_DELTA_TIME, /* as BITS, for a timestamp */
};

/** struct gpuoa_delta - A delta function. Fixed: the struct never changes. */
struct gpuoa_delta {
	enum gpuoa_delta_kind kind;
	uint32_t bits; /* 1..64, for BITS and TIME */
};

/**
 * gpuoa_delta_parse() - Parse a delta function in MDAPI notation.
 * @text: "", "DELTA 32", "DELTA32", "OR", "XOR", "PREV", "LAST" or "NS_TIME"
 * @timestamp_bits: width for NS_TIME: 32 before Xe2, then 56
 *
 * Return: 0. -EINVAL: not a delta function.
 */
GPUOA_API int gpuoa_delta_parse(const char *text, uint32_t timestamp_bits,
				struct gpuoa_delta *delta);

/**
 * gpuoa_delta_value() - Apply a delta function. Differences allow one wrap; an invalid width yields
 * 0.
 */
GPUOA_API uint64_t gpuoa_delta_value(struct gpuoa_delta delta, uint64_t previous, uint64_t last);

/* ---- the notation of MDAPI ------------------------------------------------------------------ */

/**
 * struct gpuoa_mdapi_equation - An equation in MDAPI notation. Fixed.
 *
 * MDAPI splits an equation into three: values are read from both reports, a delta function is
 * applied to each, and a normalization equation computes the metric. Words are in reverse Polish
 * order, separated by spaces. NULL is "".
 */
struct gpuoa_mdapi_equation {
	const char *read; /* reads of values from a report: "rd40@0x10:0xa0"; "": none */
	/* delta function for each read value, as in gpuoa_delta_parse(): "DELTA 40" */
	const char *delta;
	/*
	 * Normalization equation: "$Self $$GpuCoreClocks FDIV"; "": none. A maximum or a condition
	 * has only this equation.
	 */
	const char *norm;
};

/**
 * gpuoa_equation_from_mdapi() - Translate an equation from MDAPI notation to the language of
 * Documentation/reference/metric-definitions.rst.
 * @set: set for report offsets and for names of metrics and constants
 * @text: buffer of @size bytes, always terminated; NULL with @size 0 to query the length
 * @error: "read:1:COLUMN: reason", or "norm" or "delta"
 *
 * The result is for gpuoa_equation_parse(), gpuoa_custom_add_metric() or a file.
 *
 * Return: the length of the whole text, or:
 * -EINVAL: syntax error or unknown name
 * -EOPNOTSUPP: MDAPI feature without equivalent; @error has its name
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_equation_from_mdapi(const struct gpuoa_set *set,
					const struct gpuoa_mdapi_equation *mdapi, char *text,
					size_t size, char *error, size_t error_size);

/**
 * gpuoa_equation_to_mdapi() - Translate an equation to MDAPI notation.
 * @equation: equation from which gpuoa_equation_next() has read nothing
 * @mdapi: result, with strings in @text
 * @text: buffer of @size bytes
 *
 * gpuoa_equation_from_mdapi() translates the result to an equation of the same value. MDAPI itself
 * calculates with 32-bit floats, and wraps negative differences.
 *
 * Return: 0, or:
 * -ENOENT: the equation is empty
 * -EINVAL: elements of it have been read
 * -ENOSPC: the buffer is too small
 * -EOPNOTSUPP: it is of an information item, uses counters that reports do not have, or reads
 *   values that cannot be combined into one difference (counters of several widths, or with metrics
 *   between them); @error has the reason
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_equation_to_mdapi(const struct gpuoa_equation *equation,
				      struct gpuoa_mdapi_equation *mdapi, char *text, size_t size,
				      char *error, size_t error_size);

/* ---- names of elements ---------------------------------------------------------------------- */

/**
 * gpuoa_*_name() - Return the name of an element kind or of an operation, as metric definitions use
 * it: "counter", "subtract".
 *
 * Return: a static string; NULL if the library does not know the value.
 */
GPUOA_API const char *gpuoa_element_kind_name(enum gpuoa_element_kind kind);
GPUOA_API const char *gpuoa_operation_name(enum gpuoa_operation operation);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_EQUATION_H */
