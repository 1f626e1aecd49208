/* SPDX-License-Identifier: MIT */
/* compile.h - compiles definitions to tables */
#ifndef GPUOA_LIB_DEFINITIONS_COMPILER_COMPILE_H
#define GPUOA_LIB_DEFINITIONS_COMPILER_COMPILE_H

#include "definitions/compiler/blob.h"
#include "definitions/language/definition.h"

/*
 * Compile @count platforms: resolve names, check types, and write the records of table.h, beginning
 * with struct table_root. Returns 0, -EINVAL with the reason in @diagnostic, or -ENOMEM.
 */
int compile_definitions(const struct definition *const *definitions, size_t count,
			struct blob *blob, struct diagnostic *diagnostic);

#endif /* GPUOA_LIB_DEFINITIONS_COMPILER_COMPILE_H */
