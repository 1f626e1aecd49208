/* SPDX-License-Identifier: MIT */
/*
 * gpuoa-equation.h - equations by themselves: read, evaluated on two reports or none; how raw
 * values become differences; the notation of MDAPI
 *
 * gpuoa.h has equations as data (gpuoa_metric_equation(), gpuoa_equation_next()). Rules of results,
 * structs, ownership and threads are those of gpuoa.h.
 */
#ifndef GPUOA_EQUATION_H
#define GPUOA_EQUATION_H

#include "gpuoa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- values --------------------------------------------------------------------------------- */

/** A value, and of what type it is. Fixed. */
struct gpuoa_typed_value {
	enum gpuoa_value_type type;
	union gpuoa_value value;
};

/**
 * Read an equation, as Documentation/metric-definitions.rst has them, for a set: it may use the
 * set's metrics, counters of its format, and constants of its platform.
 *
 * @role: what it is for; a condition (GPUOA_EQUATION_AVAILABILITY) may use constants only
 * @equation: to be freed with gpuoa_equation_free(); the set must live as long
 * @error: "equation:1:COLUMN: what is wrong"
 *
 * -EINVAL: it has a mistake, or uses what there is not. -ENOMEM.
 */
GPUOA_API int gpuoa_equation_parse(const struct gpuoa_set *set, const char *text,
				   enum gpuoa_equation_role role, struct gpuoa_equation *equation,
				   char *error, size_t error_size);

/** Free what gpuoa_equation_parse() made, or do nothing with other equations. */
GPUOA_API void gpuoa_equation_free(struct gpuoa_equation *equation);

/**
 * The value of an equation over an interval. Integers have 128 bits on the way and saturate, as in
 * totals.
 *
 * @equation: from its beginning: gpuoa_equation_next() has taken nothing of it
 * @constants: of the GPU; NULL if it uses none
 * @first, @last: reports in the format of its set, at the ends of the interval; NULL: there are
 * none. So the static maximum of a metric is found, of one that has any
 * @value: out: GPUOA_TYPE_FLOAT if the equation gives a real
 *
 * -ENOENT: the equation is empty. -EALREADY: a part of it has been taken. -EFAULT: it needs
 * reports, and one of them is NULL. -ENODATA: a constant that it needs has no value. -EINVAL: the
 * constants are another platform's. -EOPNOTSUPP: it needs counters that reports do not have.
 * -ENOMEM.
 */
GPUOA_API int gpuoa_equation_evaluate(const struct gpuoa_equation *equation,
				      const struct gpuoa_constants *constants, const void *first,
				      const void *last, struct gpuoa_typed_value *value);

/* ---- differences ---------------------------------------------------------------------------- */

/** What becomes of the raw values at the ends of an interval. */
enum gpuoa_delta_kind {
	GPUOA_DELTA_NONE, /* 0 */
	GPUOA_DELTA_BITS, /* how far it moved on, modulo 2^bits */
	GPUOA_DELTA_OR, /* 1 if one of them is not 0 */
	GPUOA_DELTA_XOR, /* 1 if they differ */
	GPUOA_DELTA_PREVIOUS, /* the earlier one */
	GPUOA_DELTA_LAST, /* the later one */
	GPUOA_DELTA_TIME, /* as BITS, of a timestamp */
};

/** A delta function. Fixed. */
struct gpuoa_delta {
	enum gpuoa_delta_kind kind;
	uint32_t bits; /* 1..64, of BITS and TIME */
};

/**
 * Read a delta function as MDAPI writes it: "", "DELTA 32", "DELTA32", "OR", "XOR", "PREV", "LAST",
 * "NS_TIME". -EINVAL: it is none.
 *
 * @timestamp_bits: of NS_TIME: 32 before Xe2, then 56
 */
GPUOA_API int gpuoa_delta_parse(const char *text, uint32_t timestamp_bits,
				struct gpuoa_delta *delta);

/** The difference. Whatever the width, one wrap is right; of bits that are none it is 0. */
GPUOA_API uint64_t gpuoa_delta_value(struct gpuoa_delta delta, uint64_t previous, uint64_t last);

/* ---- the notation of MDAPI ------------------------------------------------------------------ */

/**
 * What MDAPI states where this library has one equation: a value is read from both reports, the
 * delta function makes a difference of each thing that is read, and the last equation makes the
 * metric's value of it. Words are in reverse Polish order, with spaces between them. NULL is "".
 * Fixed.
 */
struct gpuoa_mdapi_equation {
	const char *read; /* "rd40@0x10:0xa0"; "": reports are not read */
	const char *delta; /* of what is read, as gpuoa_delta_parse() has it: "DELTA 40" */
	const char *norm; /* "$Self $$GpuCoreClocks FDIV"; "": the difference itself. The maximum,
			     or a condition, likewise */
};

/**
 * Put an equation of MDAPI into words of Documentation/metric-definitions.rst, which tells what
 * corresponds to what: for gpuoa_equation_parse(), gpuoa_custom_add_metric() or a file.
 *
 * @set: offsets are those of its report format, names those of its metrics and constants
 * @text: room for @size bytes, for as much as fits and a zero; NULL with @size 0 to ask for the
 * length
 * @error: "read:1:COLUMN: what is wrong"; "norm" and "delta" likewise
 *
 * Returns the length that the text has. -EINVAL: it has a mistake, or uses what there is not.
 * -EOPNOTSUPP: MDAPI has that, but equations of this library do not; @error names it. -ENOMEM.
 */
GPUOA_API int gpuoa_equation_from_mdapi(const struct gpuoa_set *set,
					const struct gpuoa_mdapi_equation *mdapi, char *text,
					size_t size, char *error, size_t error_size);

/**
 * State an equation as MDAPI does. gpuoa_equation_from_mdapi() makes an equation of the same value
 * of it. MDAPI itself computes with 32-bit floats, and lets a negative difference wrap.
 *
 * @equation: from its beginning: gpuoa_equation_next() has taken nothing of it
 * @mdapi: out: strings in @text
 * @text: room for @size bytes
 *
 * -ENOENT: the equation is empty. -EINVAL: part of it has been taken. -ENOSPC: the text has no
 * room. -EOPNOTSUPP: it is of an information item, has counters that are in no report, or reads
 * what does not make one difference: counters of several widths, or with metrics between them;
 * @error says which. -ENOMEM.
 */
GPUOA_API int gpuoa_equation_to_mdapi(const struct gpuoa_equation *equation,
				      struct gpuoa_mdapi_equation *mdapi, char *text, size_t size,
				      char *error, size_t error_size);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_EQUATION_H */
