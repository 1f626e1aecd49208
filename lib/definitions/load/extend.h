/* SPDX-License-Identifier: MIT */
/* extend.h - adds the contents of a built-in platform to a definition */
#ifndef GPUOA_LIB_DEFINITIONS_LOAD_EXTEND_H
#define GPUOA_LIB_DEFINITIONS_LOAD_EXTEND_H

#include "base/private.h"
#include "definitions/language/definition.h"

/*
 * Add to @definition the constants, information items and sets that only @base has. Sets of
 * @definition can use metrics of @base, and sets of @base as templates. Returns 0, -EINVAL with the
 * reason in @diagnostic, or -ENOMEM.
 */
int definition_extend(struct definition *definition, const struct gpuoa_platform *base,
		      struct arena *arena, struct diagnostic *diagnostic)
	GPUOA_PRIVATE(definition_extend);

#endif /* GPUOA_LIB_DEFINITIONS_LOAD_EXTEND_H */
