/* SPDX-License-Identifier: MIT */
/*
 * vector_divide.h - quotients to the last bit without dividing, and why they are right.
 *
 * Processors divide slowly: 16 cycles or so for what they multiply in one. Many rows are divided by
 * the same column, so its reciprocal is computed once, and each quotient takes a multiplication and
 * a correction.
 *
 * In what follows, fl(x) is the double nearest to x, u = 2^-53, and c = fl(1 / b), so that
 * c = (1 / b)(1 + d) with |d| <= u. Nothing overflows or gets near the smallest normal double:
 * integers are below 2^52, and program_place.c takes these steps for reals only if dividend,
 * divisor and quotient are 0 or between 2^-400 and 2^400. Where b is 0, so is c, and so is the
 * quotient.
 */
#ifndef GPUOA_LIB_CALC_COLUMNS_VECTOR_DIVIDE_H
#define GPUOA_LIB_CALC_COLUMNS_VECTOR_DIVIDE_H

#include "calc/columns/column.h"

/*
 * 2^52: added to a double below it, what is behind the point falls off, and the integer fills the
 * low bits.
 */
#define MAGIC COLUMN_WIDE
#define MAGIC_BITS 0x4330000000000000ull

/* To the nearest integer; from 0 to 2^52. */
static inline double nearest(double real)
{
	return (real + MAGIC) - MAGIC;
}

/* The integer part, from 0 to 2^52. */
static inline double truncate(double real)
{
#ifdef __SSE4_1__
	return __builtin_floor(real);
#else
	return nearest(real) - (nearest(real) > real ? 1.0 : 0.0);
#endif
}

/* a - b * c; the product has 53 bits where there is no fused multiply-add. */
static inline double subtract_product(double a, double b, double c)
{
#ifdef __FMA__
	return __builtin_fma(-b, c, a);
#else
	return a - b * c;
#endif
}

/* Without a branch, so that several rows are divided at once. */
static inline double divide(double a, double b)
{
	double quotient = a / b;

	return b != 0 ? quotient : 0;
}

/*
 * The reciprocal of an integer 0 < b < 2^50 takes no division either, where the processor has an
 * instruction that guesses it: x = (1 / b)(1 + d) with |d| < 2^-14. A round makes
 * fl(x + x * fl(1 - b * x)) of x. If nothing was rounded, that would be (1 / b)(1 + d)(1 - d)
 * = (1 / b)(1 - d^2); so |d| < 2^-27 after one round, and |d| < 2^-54 + u + 2^-79 < 2u after two.
 *
 * The third one rounds right. Let 2^k < b < 2^(k + 1). 1 / b has 2^-(k + 53) as the unit of its
 * last place, and x, so near to it, that or half of it at least: so 1 - b * x is a multiple of
 * 2^-(k + 54). As it is less than 2u, it is exact, and what is rounded at last is
 * (1 / b)(1 - d^2), with d^2 < 2^-104. Half-way numbers m between two doubles are odd multiples of
 * 2^-(k + 54) there. b * m is not 1: so |1 - b * m| >= 2^-(k + 54) >= 2^-103, and none is as near
 * to 1 / b as what is rounded. If b is a power of two, 1 / b is a double, and nearest to it.
 */

/*
 * a / b as the hardware would round it. Without a fused multiply-add, that divides.
 *
 * q = fl(a * c) is off by less than two units of its last place. A correction leaves less than one,
 * and by a theorem of Markstein ("Computation of elementary functions on the IBM RISC System/6000
 * processor", 1990), one that begins with less than one unit and with a reciprocal that is rounded
 * right gives the quotient that is rounded right.
 */
static inline double divide_with(double a, double b, double c)
{
#ifdef __FMA__
	double quotient = a * c;

	quotient = __builtin_fma(subtract_product(a, quotient, b), c, quotient);
	return __builtin_fma(subtract_product(a, quotient, b), c, quotient);
#else
	(void)c;
	return divide(a, b);
#endif
}

/*
 * The same for an integer b < 2^50: one correction is enough.
 *
 * q = fl(a * c) = (a / b)(1 + e) with |e| <= 2u + u^2. The rest r = a - q * b is exact. For let
 * 2^k be the unit of q's last place: as b is an integer, |q| is not in a higher binade than |a|, so
 * that a, q * b and r are multiples of 2^k; and |r| = |a * e| < 2^(k + 53) * 2^-51 * 2^50.
 *
 * The result is fl(q + r * c) = fl(a / b + (r / b) * d), and |(r / b) * d| <= |a / b| * |e| * u
 * < |a / b| * 2^-104. That is rounded as a / b is if there is no half-way number (between two
 * doubles) from the one to the other. Let a be above 0, and scaled by a power of two so that
 * 2^53 <= a / b < 2^54. Doubles are even integers there, half-way numbers odd ones, and a >= 2^53
 * is an integer as well. Let m be a half-way number. a is not m * b: that is an odd number above
 * 2^53 times an integer, which no 53 bits hold. So |a - m * b| >= 1, and |a / b - m| >= 1 / b
 * > 2^-50 > (a / b) * 2^-104.
 */
static inline double divide_whole(double a, double b, double c)
{
#ifdef __FMA__
	double quotient = a * c;

	return __builtin_fma(subtract_product(a, quotient, b), c, quotient);
#else
	(void)c;
	return divide(a, b);
#endif
}

/*
 * The integer part of a / b, of integers below 2^52. @real is off by less than a half, so that the
 * integer nearest to it is the one asked for or the next one. All products are below 2^53, and so
 * the same whether they are rounded or not.
 */
static inline double quotient(double real, double a, double b)
{
	double integer = nearest(real);

	return integer - (subtract_product(a, integer, b) < 0 ? 1.0 : 0.0);
}

/*
 * The same for an integer a < 2^50.
 *
 * A real quotient that is at least a / b, and below the next integer n, has the integer part asked
 * for. p = fl(a * c) is at least (a / b)(1 - u)^2 >= (a / b)(1 - 2u), and (1 - 2u)(1 + 4u) >= 1; so
 * p * (1 + 4u) is at least a / b, and is not below its integer part after rounding, as that is a
 * double. On the other side, fl(p * (1 + 4u)) <= (a / b)(1 + u)^3 (1 + 4u) < (a / b)(1 + 8u)
 * = a / b + (a * 2^-50) / b < a / b + 1 / b <= n, as a / b is a multiple of 1 / b.
 */
static inline double quotient_whole(double a, double c)
{
	return truncate(a * c * (1 + 0x1p-51));
}

#endif /* GPUOA_LIB_CALC_COLUMNS_VECTOR_DIVIDE_H */
