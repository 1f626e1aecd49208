/* SPDX-License-Identifier: MIT */
/* match.h - which counter counts which event, where not every counter can count every event. */
#ifndef GPUOA_LIB_CUSTOM_MATCH_H
#define GPUOA_LIB_CUSTOM_MATCH_H

#include <stdbool.h>
#include <stdint.h>

/* More counters than any report has for programmed events. */
#define MATCH_MAX 64

/* Events and their counters: bit n of .counters of an event stands for counter n. */
struct match {
	uint32_t count;
	struct {
		uint64_t select; /* what is programmed for it */
		uint64_t counters;
		uint32_t counter; /* that it got */
	} events[MATCH_MAX];
};

/* Add an event unless it is there. False: there is no room. */
bool match_add(struct match *match, uint64_t select, uint64_t counters);

/* Give each event a counter of its own; always the same for the same events. False: impossible. */
bool match_solve(struct match *match);

/* Counter of an event that is there. */
uint32_t match_counter(const struct match *match, uint64_t select);

#endif /* GPUOA_LIB_CUSTOM_MATCH_H */
