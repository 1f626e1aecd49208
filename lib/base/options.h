/* SPDX-License-Identifier: MIT */
/* options.h - options that can grow: the other direction of describe.h. */
#ifndef GPUOA_OPTIONS_H
#define GPUOA_OPTIONS_H

#include <errno.h>
#include <stddef.h>
#include <string.h>

/*
 * Take options from a caller whose struct has @size bytes: a newer one is fine as long as he asks
 * for nothing that this library does not know (-E2BIG), an older one as long as he has the first
 * @least bytes (-EINVAL).
 */
static inline int options_take(void *known, size_t known_size, const void *options, size_t size,
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

#endif /* GPUOA_OPTIONS_H */
