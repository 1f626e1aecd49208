/* SPDX-License-Identifier: MIT */
/*
 * peer_rules.h - Arithmetic of libi915_perf where it differs from this library
 *
 * The peer's equations are compiled C: U... functions return uint64_t, F... functions double;
 * intermediate results have the types of their operands.
 */
#ifndef GPUOA_LIB_TESTS_PEER_RULES_H
#define GPUOA_LIB_TESTS_PEER_RULES_H

#include "facts.h"
#include "rpn.h"

/* Reasons why this library's value may differ from the peer's */
enum peer_note {
	PEER_WRAPPED = 1 << 0, /* a negative difference became a very large one */
	PEER_TRUNCATED = 1 << 1, /* an intermediate fraction was truncated */
	PEER_OVERFLOWED = 1 << 2, /* exceeds 64 bits; this library uses a double or 128 bits */
	PEER_ABSENT = 1 << 3, /* uses a metric that this GPU does not have: 0 in this library */
};

#define PEER_NOTES 4

struct rpn_value peer_rules(enum rpn_operation operation, struct rpn_value a, struct rpn_value b);

/*
 * Returns the set with the peer's equations, valid until the next call. Here, EU percentages are X
 * * 100 / (clocks * EUs); the peer divides by the number of EUs first, and truncates.
 * @divides_early: set for the affected metrics; may be NULL
 */
const struct facts_set *peer_equations(const struct facts_set *set, bool *divides_early);

#endif /* GPUOA_LIB_TESTS_PEER_RULES_H */
