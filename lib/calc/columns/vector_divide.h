/* SPDX-License-Identifier: MIT */
/*
 * vector_divide.h - correctly rounded quotients without divisions, with proofs
 *
 * Divisions are slow: about 16 cycles, compared to one for a multiplication. Many rows are divided
 * by the same column, so its reciprocal is computed once, and each quotient takes a multiplication
 * and a correction.
 *
 * Notation: fl(x) is the double nearest to x, u = 2^-53, and c = fl(1 / b), so that c = (1 / b)(1 +
 * d) with |d| <= u. Nothing overflows or gets near the smallest normal double: integers are below
 * 2^52, and program_place.c uses these steps for reals only if dividend, divisor and quotient are 0
 * or between 2^-400 and 2^400. If b is 0, c and the quotient are also 0.
 */
#ifndef GPUOA_LIB_CALC_COLUMNS_VECTOR_DIVIDE_H
#define GPUOA_LIB_CALC_COLUMNS_VECTOR_DIVIDE_H

#include "calc/columns/column.h"

/*
 * Adding 2^52 to a smaller positive double rounds off the fraction and moves the integer to the low
 * bits.
 */
#define MAGIC COLUMN_WIDE
#define MAGIC_BITS 0x4330000000000000ull

/* Round a number from 0 to 2^52 to the nearest integer. */
static inline double nearest(double real)
{
	return (real + MAGIC) - MAGIC;
}

/* Return the integer part of a number from 0 to 2^52. */
static inline double truncate(double real)
{
#ifdef __SSE4_1__
	return __builtin_floor(real);
#else
	return nearest(real) - (nearest(real) > real ? 1.0 : 0.0);
#endif
}

/* Return a - b * c. Without a fused multiply-add instruction, the product is rounded to 53 bits. */
static inline double subtract_product(double a, double b, double c)
{
#ifdef __FMA__
	return __builtin_fma(-b, c, a);
#else
	return a - b * c;
#endif
}

/* Select without a branch, so that the loop over rows can be vectorized. */
static inline double divide(double a, double b)
{
	double quotient = a / b;

	return b != 0 ? quotient : 0;
}

/*
 * The reciprocal of an integer 0 < b < 2^50 also needs no division if the processor has an
 * instruction for an approximation x = (1 / b)(1 + d) with |d| < 2^-14. Each round replaces x by
 * fl(x + x * fl(1 - b * x)). Without rounding, that would be
 * (1 / b)(1 + d)(1 - d) = (1 / b)(1 - d^2); so |d| < 2^-27 after one round, and
 * |d| < 2^-54 + u + 2^-79 < 2u after two.
 *
 * The third round rounds correctly. Let 2^k < b < 2^(k + 1). The unit in the last place of 1 / b is
 * 2^-(k + 53), and that of x, which is close to it, at least half of that: so 1 - b * x is a
 * multiple of 2^-(k + 54). Since it is less than 2u, it is exact, and the value that is finally
 * rounded is (1 / b)(1 - d^2), with d^2 < 2^-104. Midpoints m between two doubles are odd multiples
 * of 2^-(k + 54) there. b * m is not 1, so |1 - b * m| >= 2^-(k + 54) >= 2^-103, and no midpoint is
 * as close to 1 / b as the value that is rounded. If b is a power of two, 1 / b is a double, and
 * the nearest one.
 */

/*
 * a / b, rounded as by hardware. Without a fused multiply-add, this is a division.
 *
 * q = fl(a * c) has an error of less than two units in the last place. One correction reduces it to
 * less than one unit. By a theorem of Markstein ("Computation of elementary functions on the IBM
 * RISC System/6000 processor", 1990), a correction that begins with an error below one unit and a
 * correctly rounded reciprocal yields the correctly rounded quotient.
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
 * a / b, rounded as by hardware, for an integer b < 2^50: one correction is enough.
 *
 * q = fl(a * c) = (a / b)(1 + e) with |e| <= 2u + u^2. The remainder r = a - q * b is exact: let
 * 2^k be the unit in the last place of q. Since b is an integer, |q| is not in a higher binade than
 * |a|, so that a, q * b and r are multiples of 2^k; and |r| = |a * e| < 2^(k + 53) * 2^-51 * 2^50.
 *
 * The result is fl(q + r * c) = fl(a / b + (r / b) * d), and |(r / b) * d| <= |a / b| * |e| * u <
 * |a / b| * 2^-104. That is rounded in the same way as a / b if there is no midpoint (between two
 * doubles) between the two. Let a be positive, and scaled by a power of two so that 2^53 <= a / b <
 * 2^54. Doubles are even integers there, midpoints are odd ones, and a >= 2^53 is also an integer.
 * Let m be a midpoint. a is not m * b: that is an odd number above 2^53 times an integer, which 53
 * bits cannot represent. So |a - m * b| >= 1, and |a / b - m| >= 1 / b > 2^-50 > (a / b) * 2^-104.
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
 * The integer part of a / b, for integers below 2^52. The error of @real is less than a half, so
 * the nearest integer is the result or the next integer. All products are below 2^53, and therefore
 * exact with and without a fused multiply-add.
 */
static inline double quotient(double real, double a, double b)
{
	double integer = nearest(real);

	return integer - (subtract_product(a, integer, b) < 0 ? 1.0 : 0.0);
}

/*
 * The integer part of a / b, for an integer a < 2^50.
 *
 * A real quotient that is at least a / b and below the next integer n has the correct integer part.
 * p = fl(a * c) is at least (a / b)(1 - u)^2 >= (a / b)(1 - 2u), and (1 - 2u)(1 + 4u) >= 1; so p *
 * (1 + 4u) is at least a / b, and after rounding it is not below the integer part of a / b, which
 * is a double. On the other side, fl(p * (1 + 4u)) <= (a / b)(1 + u)^3 (1 + 4u) < (a / b)(1 + 8u) =
 * a / b + (a * 2^-50) / b < a / b + 1 / b <= n, since a / b is a multiple of 1 / b.
 */
static inline double quotient_whole(double a, double c)
{
	return truncate(a * c * (1 + 0x1p-51));
}

#endif /* GPUOA_LIB_CALC_COLUMNS_VECTOR_DIVIDE_H */
