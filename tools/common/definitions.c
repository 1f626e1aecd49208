// SPDX-License-Identifier: MIT
/*
 * definitions.c - platforms: built-in ones and those of the files given by -D
 */
#include "common/definitions.h"

int definitions_add(struct tool *tool, const char *path)
{
	char error[512];

	if (tool->definition_count == DEFINITIONS_MAX)
		return usage(tool, "more than %d times -D", DEFINITIONS_MAX);
	if (gpuoa_definitions_load(path, &tool->definitions[tool->definition_count], error,
				   sizeof(error)))
		return fail("%s", error);
	tool->definition_paths[tool->definition_count++] = path;
	return EXIT_OK;
}

void definitions_free(struct tool *tool)
{
	for (size_t i = 0; i < tool->definition_count; i++)
		gpuoa_definitions_free(tool->definitions[i]);
}

const struct gpuoa_platform *definitions_find(const struct tool *tool, const char *name)
{
	for (size_t i = tool->definition_count; i--;) {
		const struct gpuoa_platform *platform =
			gpuoa_definitions_find(tool->definitions[i], name);

		if (platform)
			return platform;
	}
	return gpuoa_platform_find(name);
}

/*
 * Return whether a loaded platform is neither overridden by another file nor an override of a
 * built-in one.
 */
static bool is_new(const struct tool *tool, const struct gpuoa_platform *platform)
{
	const char *name = gpuoa_platform_name(platform);

	return !gpuoa_platform_find(name) && definitions_find(tool, name) == platform;
}

const struct gpuoa_platform *definitions_platform(const struct tool *tool, size_t index)
{
	const struct gpuoa_platform *platform = gpuoa_platform_get(index);

	if (platform)
		return definitions_find(tool, gpuoa_platform_name(platform));
	index -= gpuoa_platform_count();
	for (size_t i = 0; i < tool->definition_count; i++) {
		for (size_t k = 0;
		     (platform = gpuoa_definitions_get_platform(tool->definitions[i], k)); k++)
			if (is_new(tool, platform) && !index--)
				return platform;
	}
	return NULL;
}
