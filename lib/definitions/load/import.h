/* SPDX-License-Identifier: MIT */
/* import.h - imports metric definitions from other notations */
#ifndef GPUOA_LIB_DEFINITIONS_LOAD_IMPORT_H
#define GPUOA_LIB_DEFINITIONS_LOAD_IMPORT_H

#include "definitions/language/definition.h"

/* The definitions that one file contains, one for each platform */
struct definition_list {
	struct definition **items;
	size_t count;
};

/*
 * Import XML of Mesa and igt-gpu-tools: one definition per chipset. All objects are in @arena.
 * Returns 0, -EINVAL with the reason in @diagnostic, -EOPNOTSUPP if the library was built without
 * an XML parser, or -ENOMEM.
 */
int xml_import(const char *file, const char *text, size_t size, struct arena *arena,
	       struct definition_list *list, struct diagnostic *diagnostic);

#endif /* GPUOA_LIB_DEFINITIONS_LOAD_IMPORT_H */
