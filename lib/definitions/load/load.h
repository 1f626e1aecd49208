/* SPDX-License-Identifier: MIT */
/* load.h - compilation of loaded definitions, from any notation */
#ifndef GPUOA_LIB_DEFINITIONS_LOAD_LOAD_H
#define GPUOA_LIB_DEFINITIONS_LOAD_LOAD_H

#include "base/complaint.h"
#include "base/private.h"
#include "definitions/language/definition.h"

/*
 * Compile definitions to a struct gpuoa_definitions. Returns 0, -EINVAL with the reason in the
 * diagnostic, or -ENOMEM.
 */
int definitions_compile(const struct definition *const *list, size_t count,
			struct gpuoa_definitions **definitions, struct diagnostic *diagnostic)
	GPUOA_PRIVATE(definitions_compile);

/* Print the diagnostic, or if it is empty, @name and the meaning of @err. */
void definitions_complain(const struct complaint *complaint, int err, const char *name,
			  struct diagnostic *diagnostic) GPUOA_PRIVATE(definitions_complain);

#endif /* GPUOA_LIB_DEFINITIONS_LOAD_LOAD_H */
