/* SPDX-License-Identifier: MIT */
/*
 * peer_rules.h - how libi915_perf calculates, where that differs from us.
 *
 * Its equations are C: what is named U... ends in a uint64_t, F... in a double,
 * and in between the operands have the types that they happen to have.
 */
#ifndef GPUOA_LIB_TESTS_PEER_RULES_H
#define GPUOA_LIB_TESTS_PEER_RULES_H

#include "facts.h"
#include "rpn.h"

/* Notes of a value: why ours may be another. */
enum peer_note {
	PEER_WRAPPED = 1 << 0, /* a difference below 0 became a very large one */
	PEER_TRUNCATED = 1 << 1, /* a fraction was cut off on the way */
	PEER_OVERFLOWED = 1 << 2, /* more than 64 bits, where we have a double or 128 */
	PEER_ABSENT = 1 << 3, /* uses a metric that this GPU has not: 0 for us */
};

#define PEER_NOTES 4

struct rpn_value peer_rules(enum rpn_operation operation, struct rpn_value a, struct rpn_value b);

/*
 * The set with its equations as the peer has them, until the next call. Shares of the EUs are
 * X * 100 / (clocks * EUs) here; the peer divides by the number of EUs first, and cuts off the
 * fraction. @divides_early: out: which metrics these are; may be NULL
 */
const struct facts_set *peer_equations(const struct facts_set *set, bool *divides_early);

#endif /* GPUOA_LIB_TESTS_PEER_RULES_H */
