/* SPDX-License-Identifier: MIT */
/*
 * match.h - event selects of instances, and assignment of counters to events if counters differ in
 * the events that they support
 */
#ifndef GPUOA_LIB_EXTRA_CUSTOM_MATCH_H
#define GPUOA_LIB_EXTRA_CUSTOM_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "extra/custom/custom.h"

/* Upper bound of the number of programmable counters in any report */
#define MATCH_MAX 64

/* Events and the counters that support them: bit n of .counters is counter n. */
struct match {
	uint32_t count;
	struct {
		uint64_t select; /* event select */
		uint64_t counters;
		uint32_t counter; /* the assigned counter */
	} events[MATCH_MAX];
};

/* Add an event, unless it has been added before. Returns false if there is no room. */
bool match_add(struct match *match, uint64_t select, uint64_t counters);

/*
 * Assign a counter to each event. The result depends only on the events. Returns false if there are
 * not enough counters that support them.
 */
bool match_solve(struct match *match);

/* Return the counter that was assigned to an event. */
uint32_t match_counter(const struct match *match, uint64_t select);

/*
 * Write the event selects that an instance needs to @selects, at most EU_QUARTERS. Returns their
 * number.
 */
uint32_t custom_selects(const struct gpuoa_custom *custom, const struct instance *instance,
			uint64_t *selects);

/*
 * Assign counters to the instances of a set and to instance @also. Returns false if that is
 * impossible.
 */
bool custom_match(const struct gpuoa_custom *custom, const struct custom_set *set,
		  const struct instance *also, struct match *match);

#endif /* GPUOA_LIB_EXTRA_CUSTOM_MATCH_H */
