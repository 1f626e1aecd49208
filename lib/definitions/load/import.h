/* SPDX-License-Identifier: MIT */
/* import.h - imports metric definitions from other notations. */
#ifndef GPUOA_LIB_DEFINITIONS_LOAD_IMPORT_H
#define GPUOA_LIB_DEFINITIONS_LOAD_IMPORT_H

#include "definitions/language/definition.h"

/* Definitions of several platforms, as one file may have them. */
struct definition_list {
	struct definition **items;
	size_t count;
};

/*
 * Read the XML of Mesa and igt-gpu-tools: one definition for each chipset that it names. Everything
 * is in @arena. -EINVAL: @diagnostic says what is wrong; -EOPNOTSUPP: this library was built
 * without an XML parser, as @diagnostic says; -ENOMEM.
 */
int xml_import(const char *file, const char *text, size_t size, struct arena *arena,
	       struct definition_list *list, struct diagnostic *diagnostic);

#endif /* GPUOA_LIB_DEFINITIONS_LOAD_IMPORT_H */
