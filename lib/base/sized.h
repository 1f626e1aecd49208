/* SPDX-License-Identifier: MIT */
/* sized.h - extensible structs of the public API; the caller passes their size */
#ifndef GPUOA_LIB_BASE_SIZED_H
#define GPUOA_LIB_BASE_SIZED_H

#include "base/complaint.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * Copy a description to the caller's struct of @size bytes. A caller that was compiled with an
 * older version has a smaller struct and receives the beginning; for a newer caller, the bytes
 * beyond @known are zeroed.
 */
static inline void sized_give(void *to, size_t size, const void *from, size_t known)
{
	memcpy(to, from, size < known ? size : known);
	if (size > known)
		memset((char *)to + known, 0, size - known);
}

/*
 * Copy @options, which begin with the caller's size, to the @known_size bytes of @known; zero
 * @known if @options is NULL. Returns -E2BIG if a newer caller sets bytes that this library does
 * not know, -EINVAL if the size is below @least. @name names the options in the error message.
 */
int sized_take(void *known, size_t known_size, const void *options, size_t least, const char *name,
	       const struct complaint *complaint);

/* Copy options as sized_take() does, but with their size as argument @size, which may be 0. */
int sized_take_desc(void *known, size_t known_size, const void *desc, size_t size, const char *name,
		    const struct complaint *complaint);

#define RESERVED_WORDS(of) (sizeof((of)->reserved) / sizeof((of)->reserved[0]))

/*
 * Check that the @count reserved words of element @index in the caller's array @name are 0. Returns
 * 0, or -E2BIG if one of them is not.
 */
int sized_check_reserved(const uint64_t *words, size_t count, const char *name, size_t index,
			 const struct complaint *complaint);

#endif /* GPUOA_LIB_BASE_SIZED_H */
