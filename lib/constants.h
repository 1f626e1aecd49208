/* SPDX-License-Identifier: MIT */
/* constants.h - values of a platform's constants on one GPU. */
#ifndef GPUOA_CONSTANTS_H
#define GPUOA_CONSTANTS_H

#include "gpuoa.h"
#include "table.h"

struct constant_value {
	uint64_t value;
	bool given;
};

struct gpuoa_constants {
	const struct gpuoa_platform *platform;
	struct constant_value values[]; /* in the platform's order */
};

/* Name of constant @number of a platform. */
const char *platform_constant_name(const struct gpuoa_platform *platform,
				   size_t number);

#endif /* GPUOA_CONSTANTS_H */
