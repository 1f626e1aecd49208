/* SPDX-License-Identifier: MIT */
/*
 * write.h - prints tables in the language of metric definitions, so that they can be loaded again
 */
#ifndef GPUOA_LIB_DEFINITIONS_LOAD_WRITE_H
#define GPUOA_LIB_DEFINITIONS_LOAD_WRITE_H

#include "gpuoa.h"

/*
 * Print a platform with this set alone, and all that its equations need. It can be loaded without
 * the original platform, and gives the same values. Returns the length of the text; @size - 1
 * characters and a NUL are written.
 */
size_t write_set_text(const struct gpuoa_set *set, char *text, size_t size);

#endif /* GPUOA_LIB_DEFINITIONS_LOAD_WRITE_H */
