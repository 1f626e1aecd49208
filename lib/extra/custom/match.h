/* SPDX-License-Identifier: MIT */
/*
 * match.h - event selects of instances; assign counters to events where not every counter supports
 * every event
 */
#ifndef GPUOA_LIB_EXTRA_CUSTOM_MATCH_H
#define GPUOA_LIB_EXTRA_CUSTOM_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "extra/custom/custom.h"

/* At least the number of programmable counters of any report. */
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

/* Add an event if it is not there yet. Returns false if there is no room. */
bool match_add(struct match *match, uint64_t select, uint64_t counters);

/*
 * Assign a counter to each event. The result depends only on the events. Returns false if
 * impossible.
 */
bool match_solve(struct match *match);

/* The counter assigned to an event that was added. */
uint32_t match_counter(const struct match *match, uint64_t select);

/* Write the event selects of an instance, up to EU_QUARTERS. Returns their number. */
uint32_t custom_selects(const struct gpuoa_custom *custom, const struct instance *instance,
			uint64_t *selects);

/* Assign counters to the instances of a set and to @also. Returns false if that is impossible. */
bool custom_match(const struct gpuoa_custom *custom, const struct custom_set *set,
		  const struct instance *also, struct match *match);

#endif /* GPUOA_LIB_EXTRA_CUSTOM_MATCH_H */
