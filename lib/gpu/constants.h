/* SPDX-License-Identifier: MIT */
/* constants.h - values of a platform's constants on one GPU. */
#ifndef GPUOA_LIB_GPU_CONSTANTS_H
#define GPUOA_LIB_GPU_CONSTANTS_H

#include "gpu/gpu.h"
#include "gpu/rules.h"
#include "gpuoa.h"
#include "table/table.h"

struct constant_value {
	uint64_t value;
	bool given; /* has a value */
	uint8_t provenance; /* enum gpuoa_provenance */
	struct rule rule;
};

struct gpuoa_constants {
	const struct gpuoa_platform *platform;
	bool assume; /* use the facts of the platform's usual part where facts are unknown */
	uint8_t query_mode; /* enum gpuoa_query_mode */
	bool query_mode_given; /* set by the caller */
	struct gpu gpu;
	struct constant_value values[]; /* in the platform's order */
};

/*
 * Returns whether the constants have the numbers that @platform's equations use. Constants of
 * another platform object do not, even if it has the same name. NULL is valid for every platform.
 */
static inline bool constants_fit(const struct gpuoa_constants *constants,
				 const struct gpuoa_platform *platform)
{
	return !constants || constants->platform == platform;
}

/* Return the name of constant @number of a platform. */
static inline const char *platform_constant_name(const struct gpuoa_platform *platform,
						 size_t number)
{
	const struct table_constant *constants = table_follow(&platform->constants);

	return table_string(&constants[number].name);
}

/* Set a fact reported by a unit. Call constants_refresh() afterwards. */
static inline void constants_give(struct gpuoa_constants *constants, enum gpu_fact fact,
				  uint64_t value)
{
	gpu_give(&constants->gpu, fact, value);
}

/* Copy all values from @from, which must be of the same platform. */
void constants_assign(struct gpuoa_constants *constants, const struct gpuoa_constants *from);

/* Recompute all values after facts were set. */
void constants_refresh(struct gpuoa_constants *constants);

#endif /* GPUOA_LIB_GPU_CONSTANTS_H */
