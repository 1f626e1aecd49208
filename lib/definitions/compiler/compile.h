/* SPDX-License-Identifier: MIT */
/* compile.h - compiles definitions to tables. */
#ifndef GPUOA_LIB_DEFINITIONS_COMPILER_COMPILE_H
#define GPUOA_LIB_DEFINITIONS_COMPILER_COMPILE_H

#include "definitions/compiler/blob.h"
#include "definitions/language/definition.h"

/*
 * Resolve all names of @count platforms, check types and lay everything out as table.h describes;
 * the block's first record is its struct table_root. -EINVAL: @diagnostic says what is wrong;
 * -ENOMEM.
 */
int compile_definitions(const struct definition *const *definitions, size_t count,
			struct blob *blob, struct diagnostic *diagnostic);

#endif /* GPUOA_LIB_DEFINITIONS_COMPILER_COMPILE_H */
