/* SPDX-License-Identifier: MIT */
/*
 * lookup.h - from names that the user gave to what they stand for, with a message when there is no
 * such thing
 */
#ifndef GPUOA_LOOKUP_H
#define GPUOA_LOOKUP_H

#include "tool.h"

/* All return NULL after having said why. @device: as -d has it; NULL: the first one */
struct gpuoa_unit *lookup_unit(const char *device);
const struct gpuoa_platform *lookup_unit_platform(const struct tool *tool,
						  const struct gpuoa_unit *unit);
const struct gpuoa_platform *lookup_platform(const struct tool *tool, const char *name);
/* To be freed. */
struct gpuoa_constants *lookup_constants(const struct gpuoa_platform *platform,
					 const struct gpuoa_unit_desc *unit);
/*
 * Of sets of one name, that of a GPU with @constants and of a unit of @domain ("": any); none if
 * all are for other GPUs or units.
 */
const struct gpuoa_set *lookup_set(const struct gpuoa_platform *platform, const char *domain,
				   const char *symbol, const struct gpuoa_constants *constants);

/* Is a set of a domain? All are of "". */
bool set_is_of_domain(const struct gpuoa_set *set, const char *domain);

#endif /* GPUOA_LOOKUP_H */
