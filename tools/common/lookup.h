/* SPDX-License-Identifier: MIT */
/*
 * lookup.h - lookup of objects by the names that the user gave; prints an error if there is none
 */
#ifndef GPUOA_LOOKUP_H
#define GPUOA_LOOKUP_H

#include "common/tool.h"

/* On failure, all return NULL after printing the error. @device: as for -d; NULL: the first one */
struct gpuoa_unit *lookup_unit(const char *device);
const struct gpuoa_platform *lookup_unit_platform(const struct tool *tool,
						  const struct gpuoa_unit *unit);
const struct gpuoa_platform *lookup_platform(const struct tool *tool, const char *name);
/* Get the constants of a unit, or those of the platform. The caller frees them. */
struct gpuoa_constants *lookup_constants(const struct gpuoa_platform *platform,
					 const struct gpuoa_unit_desc *unit);
/*
 * Find a set by name: of several, the one for a GPU with @constants and a unit of @domain ("":
 * any). Fails if all are for other GPUs or units.
 */
const struct gpuoa_set *lookup_set(const struct gpuoa_platform *platform, const char *domain,
				   const char *symbol, const struct gpuoa_constants *constants);

/* Return whether a set belongs to a domain; "" matches every set. */
bool set_is_of_domain(const struct gpuoa_set *set, const char *domain);

#endif /* GPUOA_LOOKUP_H */
