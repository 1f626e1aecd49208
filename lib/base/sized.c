// SPDX-License-Identifier: MIT
/*
 * sized.c - structs of the public interface that can grow: the caller tells the size of its own.
 */
#include "base/sized.h"

#include <errno.h>

int sized_take(void *known, size_t known_size, const void *options, size_t least, const char *name,
	       const struct complaint *complaint)
{
	const char *bytes = options;
	size_t size;

	memset(known, 0, known_size);
	if (!options)
		return 0;
	memcpy(&size, options, sizeof(size));
	if (size < least)
		return COMPLAIN(complaint, -EINVAL,
				"the size in %s is %zu, and must be %zu or more", name, size,
				least);
	for (size_t i = known_size; i < size; i++)
		if (bytes[i])
			return COMPLAIN(
				complaint, -E2BIG,
				"%s are of a newer library: this one does not know byte %zu", name,
				i);
	memcpy(known, options, size < known_size ? size : known_size);
	return 0;
}
