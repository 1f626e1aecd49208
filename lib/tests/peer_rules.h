/* SPDX-License-Identifier: MIT */
/*
 * peer_rules.h - Arithmetic of libi915_perf where it differs from libgpuoa
 *
 * libi915_perf's equations are compiled C: U... functions return uint64_t, F... functions double;
 * intermediate results have the types of their operands.
 */
#ifndef GPUOA_LIB_TESTS_PEER_RULES_H
#define GPUOA_LIB_TESTS_PEER_RULES_H

#include "facts.h"
#include "rpn.h"

/* Reasons why libgpuoa's value may differ from libi915_perf's */
enum peer_note {
	/* a negative difference became a very large number in libi915_perf */
	PEER_WRAPPED = 1 << 0,
	PEER_TRUNCATED = 1 << 1, /* an intermediate fraction was truncated */
	/* the value exceeds 64 bits; libgpuoa uses a double or 128 bits */
	PEER_OVERFLOWED = 1 << 2,
	/* the equation uses a metric that this GPU does not have; in libgpuoa, it is 0 */
	PEER_ABSENT = 1 << 3,
};

#define PEER_NOTES 4

struct rpn_value peer_rules(enum rpn_operation operation, struct rpn_value a, struct rpn_value b);

/*
 * Returns the set with libi915_perf's equations; it is valid until the next call. libgpuoa
 * calculates EU percentages as X * 100 / (clocks * EUs). libi915_perf divides by the number of EUs
 * first, and truncates.
 *
 * @divides_early: set to true for each affected metric; may be NULL
 */
const struct facts_set *peer_equations(const struct facts_set *set, bool *divides_early);

#endif /* GPUOA_LIB_TESTS_PEER_RULES_H */
