/* SPDX-License-Identifier: MIT */
/* load.h - the end of loading, for definitions from elsewhere, too. */
#ifndef GPUOA_LIB_DEFINITIONS_LOAD_LOAD_H
#define GPUOA_LIB_DEFINITIONS_LOAD_LOAD_H

#include "base/complaint.h"
#include "definitions/language/definition.h"

/* Compile to what users have. -EINVAL: the diagnostic says what is wrong; -ENOMEM. */
int definitions_compile(const struct definition *const *list, size_t count,
			struct gpuoa_definitions **definitions, struct diagnostic *diagnostic);

/* Say what is wrong: the diagnostic, or if it is empty, what @err of @name means. */
void definitions_complain(const struct complaint *complaint, int err, const char *name,
			  struct diagnostic *diagnostic);

#endif /* GPUOA_LIB_DEFINITIONS_LOAD_LOAD_H */
