// SPDX-License-Identifier: MIT
/*
 * match.c - assign counters to events by augmenting paths: an event may move another event to a
 * free counter
 */
#include "extra/custom/match.h"

#define NOBODY UINT32_MAX
#define FLEXIBLE_FIRST 7
#define FLEXIBLE_COUNT 14

bool match_add(struct match *match, uint64_t select, uint64_t counters)
{
	for (uint32_t i = 0; i < match->count; i++)
		if (match->events[i].select == select)
			return true;
	if (match->count == MATCH_MAX)
		return false;
	match->events[match->count].select = select;
	match->events[match->count].counters = counters;
	match->count++;
	return true;
}

static bool can_count(const struct match *match, uint32_t event, uint32_t counter)
{
	return match->events[event].counters >> counter & 1;
}

/*
 * The order in which counters are tried: 7 to 20 last, because some events need these flexible
 * counters.
 */
static uint32_t counter_at(uint32_t i)
{
	if (i < FLEXIBLE_FIRST)
		return i;
	return i < MATCH_MAX - FLEXIBLE_COUNT ? i + FLEXIBLE_COUNT :
						i - (MATCH_MAX - FLEXIBLE_COUNT) + FLEXIBLE_FIRST;
}

static void give(struct match *match, uint32_t *owners, uint32_t event, uint32_t counter)
{
	owners[counter] = event;
	match->events[event].counter = counter;
}

/*
 * Find a counter for an event: the first free one, else one with an event that can move. @tried:
 * counters visited by this search.
 */
static bool find_counter(struct match *match, uint32_t *owners, uint32_t event, uint64_t *tried)
{
	for (uint32_t i = 0; i < MATCH_MAX; i++) {
		const uint32_t n = counter_at(i);

		if (!can_count(match, event, n) || owners[n] != NOBODY)
			continue;
		give(match, owners, event, n);
		return true;
	}
	for (uint32_t i = 0; i < MATCH_MAX; i++) {
		const uint32_t n = counter_at(i);
		const uint64_t bit = UINT64_C(1) << n;

		if (!can_count(match, event, n) || *tried & bit)
			continue;
		*tried |= bit;
		if (!find_counter(match, owners, owners[n], tried))
			continue;
		give(match, owners, event, n);
		return true;
	}
	return false;
}

bool match_solve(struct match *match)
{
	uint32_t owners[MATCH_MAX];

	for (uint32_t n = 0; n < MATCH_MAX; n++)
		owners[n] = NOBODY;
	for (uint32_t i = 0; i < match->count; i++) {
		uint64_t tried = 0;

		if (!find_counter(match, owners, i, &tried))
			return false;
	}
	return true;
}

uint32_t match_counter(const struct match *match, uint64_t select)
{
	uint32_t i = 0;

	while (match->events[i].select != select)
		i++;
	return match->events[i].counter;
}
