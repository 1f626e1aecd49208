/* SPDX-License-Identifier: MIT */
/*
 * sized.h - structs of the public interface that can grow: the caller tells the size of its own.
 */
#ifndef GPUOA_LIB_BASE_SIZED_H
#define GPUOA_LIB_BASE_SIZED_H

#include <errno.h>
#include <stddef.h>
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
 * Take options from a caller whose struct has @size bytes: a newer one is fine as long as the
 * caller asks for nothing that this library does not know (-E2BIG), an older one as long as it
 * has the first @least bytes (-EINVAL).
 */
static inline int sized_take(void *known, size_t known_size, const void *options, size_t size,
			     size_t least)
{
	const char *bytes = options;

	if (size < least)
		return -EINVAL;
	for (size_t i = known_size; i < size; i++)
		if (bytes[i])
			return -E2BIG;
	memcpy(known, options, size < known_size ? size : known_size);
	return 0;
}

#endif /* GPUOA_LIB_BASE_SIZED_H */
