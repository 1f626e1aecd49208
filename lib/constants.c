// SPDX-License-Identifier: MIT
/* constants.c - values of a platform's constants on one GPU. */
#include "constants.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *platform_constant_name(const struct gpuoa_platform *platform,
				   size_t number)
{
	const struct table_constant *constants =
		table_follow(&platform->constants);

	return table_string(&constants[number].name);
}

static size_t constants_size(const struct gpuoa_platform *platform)
{
	return sizeof(struct gpuoa_constants) +
	       platform->constant_count * sizeof(struct constant_value);
}

/* Number of a constant, or -1. */
static long constants_find(const struct gpuoa_constants *constants,
			   const char *name)
{
	for (uint32_t i = 0; i < constants->platform->constant_count; i++)
		if (!strcmp(platform_constant_name(constants->platform, i),
			    name))
			return i;
	return -1;
}

int gpuoa_constants_new(const struct gpuoa_platform *platform,
			struct gpuoa_constants **constants)
{
	struct gpuoa_constants *new = calloc(1, constants_size(platform));

	if (!new)
		return -ENOMEM;
	new->platform = platform;
	*constants = new;
	return 0;
}

int gpuoa_constants_copy(const struct gpuoa_constants *constants,
			 struct gpuoa_constants **copy)
{
	struct gpuoa_constants *new;
	int error = gpuoa_constants_new(constants->platform, &new);

	if (error)
		return error;
	memcpy(new, constants, constants_size(constants->platform));
	*copy = new;
	return 0;
}

void gpuoa_constants_free(struct gpuoa_constants *constants)
{
	free(constants);
}

int gpuoa_constants_set(struct gpuoa_constants *constants, const char *name,
			uint64_t value)
{
	long number = constants_find(constants, name);

	if (number < 0)
		return -ENOENT;
	constants->values[number] =
		(struct constant_value){ .value = value, .given = true };
	return 0;
}

int gpuoa_constants_get(const struct gpuoa_constants *constants,
			const char *name, uint64_t *value)
{
	long number = constants_find(constants, name);

	if (number < 0)
		return -ENOENT;
	if (!constants->values[number].given)
		return -ENODATA;
	*value = constants->values[number].value;
	return 0;
}

size_t gpuoa_constants_count(const struct gpuoa_constants *constants)
{
	return constants->platform->constant_count;
}

const char *gpuoa_constants_name(const struct gpuoa_constants *constants,
				 size_t index)
{
	if (index >= constants->platform->constant_count)
		return NULL;
	return platform_constant_name(constants->platform, index);
}
