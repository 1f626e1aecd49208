/* SPDX-License-Identifier: MIT */
/* write.h - writes what tables say as text of our own language, from which it can be loaded. */
#ifndef GPUOA_LIB_DEFINITIONS_LOAD_WRITE_H
#define GPUOA_LIB_DEFINITIONS_LOAD_WRITE_H

#include "gpuoa.h"

/*
 * A platform that has this set alone, with all that its equations need: what is loaded from it
 * gives the same values, also where the platform is not known. Returns the length of the text, of
 * which
 * @size - 1 characters and a NUL are written.
 */
size_t write_set_text(const struct gpuoa_set *set, char *text, size_t size);

#endif /* GPUOA_LIB_DEFINITIONS_LOAD_WRITE_H */
