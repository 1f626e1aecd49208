/* SPDX-License-Identifier: MIT */
/* selects.h - the event selects of instances, and their assignment to counters */
#ifndef GPUOA_LIB_EXTRA_CUSTOM_SELECTS_H
#define GPUOA_LIB_EXTRA_CUSTOM_SELECTS_H

#include "extra/custom/custom.h"
#include "extra/custom/match.h"

/* Write the event selects of an instance, up to EU_QUARTERS. Returns their number. */
uint32_t custom_selects(const struct gpuoa_custom *custom, const struct instance *instance,
			uint64_t *selects);

/* Assign counters to the instances of a set and to @also. Returns false if that is impossible. */
bool custom_match(const struct gpuoa_custom *custom, const struct custom_set *set,
		  const struct instance *also, struct match *match);

#endif /* GPUOA_LIB_EXTRA_CUSTOM_SELECTS_H */
