/* SPDX-License-Identifier: MIT */
/* load.h - compilation of loaded definitions, from any notation */
#ifndef GPUOA_LIB_DEFINITIONS_LOAD_LOAD_H
#define GPUOA_LIB_DEFINITIONS_LOAD_LOAD_H

#include "base/private.h"
#include "definitions/language/definition.h"

/*
 * Compile definitions to a struct gpuoa_definitions. Returns 0, -EINVAL with the reason in the
 * diagnostic, or -ENOMEM.
 */
int definitions_compile(const struct definition *const *list, size_t count,
			struct gpuoa_definitions **definitions, struct diagnostic *diagnostic)
	GPUOA_PRIVATE(definitions_compile);

#endif /* GPUOA_LIB_DEFINITIONS_LOAD_LOAD_H */
