/* SPDX-License-Identifier: MIT */
/* extend.h - continues the definition of a built-in platform. */
#ifndef GPUOA_LIB_DEFINITIONS_LOAD_EXTEND_H
#define GPUOA_LIB_DEFINITIONS_LOAD_EXTEND_H

#include "definitions/language/definition.h"

/*
 * Add to @definition what only @base has: constants, information items, sets. Its own sets may then
 * list metrics of @base, and be like sets of @base. -EINVAL: @diagnostic says what is wrong;
 * -ENOMEM.
 */
int definition_extend(struct definition *definition, const struct gpuoa_platform *base,
		      struct arena *arena, struct diagnostic *diagnostic);

#endif /* GPUOA_LIB_DEFINITIONS_LOAD_EXTEND_H */
