/* SPDX-License-Identifier: MIT */
/* selects.h - the events that instances want, and which counters count them. */
#ifndef GPUOA_LIB_CUSTOM_SELECTS_H
#define GPUOA_LIB_CUSTOM_SELECTS_H

#include "custom/custom.h"
#include "custom/match.h"

/* The event selects of an instance: up to EU_QUARTERS. Returns their number. */
uint32_t custom_selects(const struct gpuoa_custom *custom, const struct instance *instance,
			uint64_t *selects);

/* Could the counters of a set count what its instances want, and @also? Says who counts what. */
bool custom_match(const struct gpuoa_custom *custom, const struct custom_set *set,
		  const struct instance *also, struct match *match);

#endif /* GPUOA_LIB_CUSTOM_SELECTS_H */
