/* SPDX-License-Identifier: MIT */
/* prototypes.h - the events that a platform's counters can be programmed to count. */
#ifndef GPUOA_LIB_CUSTOM_PROTOTYPES_H
#define GPUOA_LIB_CUSTOM_PROTOTYPES_H

#include "base/arena.h"
#include "gpuoa-programmable.h"
#include "report/format.h"

/* Fields of the event that a flexible EU counter counts, as select; from gen12.5 on with bit 12 */
#define EU_EVENT_BITS 4
#define EU_COARSE_SHIFT 4
#define EU_FINE_SHIFT 8
#define EU_UPPER_SHIFT 12
#define EU_ROW0 7
#define EU_QUARTER0 7
#define EU_QUARTERS 4

/* Flexible EU counters are A7 to A20. */
#define EU_COUNTER_FIRST 7
#define EU_COUNTERS 14

struct prototype {
	const char *symbol;
	const char *name;
	const char *description;
	const char *group;
	const char *units;
	const char *hw_unit;
	enum gpuoa_value_type type;
	enum gpuoa_semantic semantic;
	uint32_t options; /* bits: enum gpuoa_option */
	uint64_t select; /* of the event; flexible EU counters: the event alone */
	uint64_t counters; /* bits: which can count it */
	const char *fixed; /* the counter that always counts it, or NULL */
	bool of_threads; /* counts threads in steps of eight, not cycles */
	/* of Xe2: */
	const char *equation; /* of the public metric, or NULL */
	const char *max;
	uint32_t counter; /* PEC that the equation has for the event */
};

/* What a platform can count, and by what. */
struct prototypes {
	struct prototype *all;
	size_t count;
	const struct gpuoa_set *model; /* whose format, APIs and basic metrics programmed sets have
					*/
	enum counter_bank bank;
	bool by_quarters; /* events are counted for one of four EUs only, and have to be added up */
	const char *eu_count; /* constants; NULL: the platform has none */
	const char *eu_threads;
};

/* Find out; memory is that of @arena. -ENOMEM. */
int prototypes_find(const struct gpuoa_platform *platform, struct arena *arena,
		    struct prototypes *prototypes);

/* The counters of Xe2. */
int prototypes_find_pec(const struct gpuoa_platform *platform, struct arena *arena,
			struct prototypes *prototypes);

/* An option by its number among those of a prototype; NULL beyond. */
const struct gpuoa_option_desc *prototype_option(const struct prototype *prototype, size_t index);

/* By what it is; static. */
const struct gpuoa_option_desc *option_desc(enum gpuoa_option option);

#endif /* GPUOA_LIB_CUSTOM_PROTOTYPES_H */
