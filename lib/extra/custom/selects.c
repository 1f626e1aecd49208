// SPDX-License-Identifier: MIT
/* selects.c - the event selects of instances, and their assignment to counters */
#include "extra/custom/selects.h"

uint32_t custom_selects(const struct gpuoa_custom *custom, const struct instance *instance,
			uint64_t *selects)
{
	const struct prototype *prototype = instance->prototype;
	const uint64_t *values = instance->values;
	uint64_t select = prototype->select;

	if (prototype->fixed)
		return 0;
	if (custom->prototypes.bank == BANK_PEC) {
		selects[0] = pec_select(prototype, values);
		return 1;
	}
	select |= values[GPUOA_OPTION_THREADS] << EU_COARSE_SHIFT;
	if (values[GPUOA_OPTION_ROW])
		select |= (EU_ROW0 + values[GPUOA_OPTION_ROW] - 1) << EU_COARSE_SHIFT;
	select |= values[GPUOA_OPTION_INSTRUCTIONS] << EU_FINE_SHIFT;
	if (values[GPUOA_OPTION_EU])
		select |= (EU_QUARTER0 + values[GPUOA_OPTION_EU] - 1) << EU_FINE_SHIFT;
	if (values[GPUOA_OPTION_EU] || !custom->prototypes.by_quarters) {
		selects[0] = select;
		return 1;
	}
	for (uint64_t i = 0; i < EU_QUARTERS; i++)
		selects[i] = select | (EU_QUARTER0 + i) << EU_FINE_SHIFT;
	return EU_QUARTERS;
}

static bool add_to_match(const struct gpuoa_custom *custom, const struct instance *instance,
			 struct match *match)
{
	uint64_t selects[EU_QUARTERS];
	const uint32_t count = custom_selects(custom, instance, selects);

	for (uint32_t i = 0; i < count; i++)
		if (!match_add(match, selects[i], instance->prototype->counters))
			return false;
	return true;
}

bool custom_match(const struct gpuoa_custom *custom, const struct custom_set *set,
		  const struct instance *also, struct match *match)
{
	match->count = 0;
	for (const struct instance *i = custom->instances; i; i = i->next)
		if ((i->set == set || i == also) && !add_to_match(custom, i, match))
			return false;
	return match_solve(match);
}
