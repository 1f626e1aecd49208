/* SPDX-License-Identifier: MIT */
/* utf8.h - checks that text is UTF-8. */
#ifndef GPUOA_LIB_BASE_UTF8_H
#define GPUOA_LIB_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the byte order mark that @text begins with: 3, or 0 if there is none. */
size_t utf8_mark(const char *text, size_t size);

/* The first byte that is not UTF-8, or NULL. */
const char *utf8_find_invalid(const char *text, size_t size);

#endif /* GPUOA_LIB_BASE_UTF8_H */
