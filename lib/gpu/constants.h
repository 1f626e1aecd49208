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
	bool given; /* there is one */
	uint8_t origin; /* enum gpuoa_origin */
	struct rule rule;
};

struct gpuoa_constants {
	const struct gpuoa_platform *platform;
	const struct gpu_part *part; /* usual one of the platform, or NULL */
	bool assume; /* that it is this one */
	uint8_t query_mode; /* enum gpuoa_query_mode */
	struct gpu gpu;
	struct constant_value values[]; /* in the platform's order */
};

/*
 * Are these constants numbered as the equations of @platform number theirs? Those of another object
 * are not, even if both platforms have one name. NULL fits every platform.
 */
static inline bool constants_fit(const struct gpuoa_constants *constants,
				 const struct gpuoa_platform *platform)
{
	return !constants || constants->platform == platform;
}

/* Name of constant @number of a platform. */
const char *platform_constant_name(const struct gpuoa_platform *platform, size_t number);

/* What a unit says of its GPU; then constants_refresh(). */
static inline void constants_give(struct gpuoa_constants *constants, enum gpu_fact fact,
				  uint64_t value)
{
	gpu_give(&constants->gpu, fact, value);
}

/* Everything as in @from, which is of the same platform. */
void constants_assign(struct gpuoa_constants *constants, const struct gpuoa_constants *from);

/* All values anew, after facts were given. */
void constants_refresh(struct gpuoa_constants *constants);

#endif /* GPUOA_LIB_GPU_CONSTANTS_H */
