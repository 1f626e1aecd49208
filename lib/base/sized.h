/* SPDX-License-Identifier: MIT */
/*
 * sized.h - structs of the public interface that can grow: the caller tells the size of its own.
 */
#ifndef GPUOA_LIB_BASE_SIZED_H
#define GPUOA_LIB_BASE_SIZED_H

#include "base/complaint.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * Hand out a description to a caller whose struct has @size bytes: an older caller gets the
 * beginning, a newer one zeros behind what this library knows.
 */
static inline void sized_give(void *to, size_t size, const void *from, size_t known)
{
	memcpy(to, from, size < known ? size : known);
	if (size > known)
		memset((char *)to + known, 0, size - known);
}

/*
 * Take @options, which begin with the size that the caller gives them, into the @known_size bytes
 * of @known: zeros if there are none (NULL). A newer caller is fine as long as it asks for nothing
 * that this library does not know (-E2BIG), an older one as long as it has the first @least bytes
 * (-EINVAL). @name says whose options they are, for the complaint.
 */
int sized_take(void *known, size_t known_size, const void *options, size_t least, const char *name,
	       const struct complaint *complaint);

/* The same for a description, whose @size is an argument of its own and may be as small as 0. */
int sized_take_desc(void *known, size_t known_size, const void *desc, size_t size, const char *name,
		    const struct complaint *complaint);

#define RESERVED_WORDS(of) (sizeof((of)->reserved) / sizeof((of)->reserved[0]))

/* Check the @count reserved words of struct @index of the caller's @name. -E2BIG: one is not 0. */
int sized_check_reserved(const uint64_t *words, size_t count, const char *name, size_t index,
			 const struct complaint *complaint);

#endif /* GPUOA_LIB_BASE_SIZED_H */
