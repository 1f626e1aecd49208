// SPDX-License-Identifier: MIT
/* sized.c - extensible structs of the public API; the caller passes their size */
#include "base/sized.h"

#include <errno.h>

int sized_take_desc(void *known, size_t known_size, const void *desc, size_t size, const char *name,
		    const struct complaint *complaint)
{
	const char *bytes = desc;

	memset(known, 0, known_size);
	for (size_t i = known_size; i < size; i++)
		if (bytes[i])
			return COMPLAIN(
				complaint, -E2BIG,
				"%s are of a newer library: this one does not know byte %zu", name,
				i);
	memcpy(known, desc, size < known_size ? size : known_size);
	return 0;
}

int sized_check_reserved(const uint64_t *words, size_t count, const char *name, size_t index,
			 const struct complaint *complaint)
{
	for (size_t i = 0; i < count; i++)
		if (words[i])
			return COMPLAIN(complaint, -E2BIG,
					"reserved words of %s %zu are not 0: it is of a newer "
					"library, or was not zero-initialized",
					name, index);
	return 0;
}

int sized_take(void *known, size_t known_size, const void *options, size_t least, const char *name,
	       const struct complaint *complaint)
{
	size_t size;

	memset(known, 0, known_size);
	if (!options)
		return 0;
	memcpy(&size, options, sizeof(size));
	if (size < least)
		return COMPLAIN(complaint, -EINVAL,
				"the size in %s is %zu, and must be %zu or more", name, size,
				least);
	return sized_take_desc(known, known_size, options, size, name, complaint);
}
