/* SPDX-License-Identifier: MIT */
/* describe.h - descriptions that can grow. */
#ifndef GPUOA_DESCRIBE_H
#define GPUOA_DESCRIBE_H

#include <stddef.h>
#include <string.h>

/*
 * Hand out a description to a caller whose struct has @size bytes: an older caller gets the
 * beginning, a newer one zeros behind what this library knows.
 */
static inline void describe(void *to, size_t size, const void *from, size_t known)
{
	memcpy(to, from, size < known ? size : known);
	if (size > known)
		memset((char *)to + known, 0, size - known);
}

#endif /* GPUOA_DESCRIBE_H */
