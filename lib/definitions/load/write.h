/* SPDX-License-Identifier: MIT */
/*
 * write.h - prints tables in the language of metric definitions, so that they can be loaded again
 */
#ifndef GPUOA_LIB_DEFINITIONS_LOAD_WRITE_H
#define GPUOA_LIB_DEFINITIONS_LOAD_WRITE_H

#include "gpuoa.h"

/*
 * Print a platform with this set alone, and with everything that the set's equations need. The text
 * can be loaded without the original platform, and gives the same values. Writes at most @size - 1
 * characters and a NUL; returns the length of the whole text.
 */
size_t write_set_text(const struct gpuoa_set *set, char *text, size_t size);

#endif /* GPUOA_LIB_DEFINITIONS_LOAD_WRITE_H */
