/* SPDX-License-Identifier: MIT */
/* utf8.h - validate UTF-8 */
#ifndef GPUOA_LIB_BASE_UTF8_H
#define GPUOA_LIB_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Length of the byte order mark at the beginning of @text: 3, or 0 if there is none. */
size_t utf8_mark(const char *text, size_t size);

/* Returns the first byte that is not valid UTF-8, or NULL. */
const char *utf8_find_invalid(const char *text, size_t size);

#endif /* GPUOA_LIB_BASE_UTF8_H */
