// SPDX-License-Identifier: MIT
/*
 * fuzz_definition.c - Parse, compile and use metric definitions in the definition language or XML.
 */
#include <errno.h>
#include <string.h>

#include "exercise.h"
#include "gpuoa-custom.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Save a platform as text. The text can be loaded again, and saving it again must not change it. */
static void save_and_load(const struct gpuoa_platform *platform)
{
	const size_t length = gpuoa_platform_text(platform, NULL, 0);
	char *text = malloc(length + 1), *again = malloc(length + 1);
	struct gpuoa_definitions *definitions;
	char error[256] = "";

	MUST(text && again);
	MUST(gpuoa_platform_text(platform, text, length + 1) == length);
	if (gpuoa_definitions_parse("saved", text, length, &definitions, error, sizeof(error))) {
		fprintf(stderr, "%s\n%s\n", error, text);
		abort();
	}
	platform = gpuoa_definitions_get_platform(definitions, 0);
	MUST(gpuoa_platform_text(platform, again, length + 1) == length && !strcmp(text, again));
	gpuoa_definitions_free(definitions);
	free(text);
	free(again);
}

static void use_platform(const struct gpuoa_platform *platform)
{
	exercise_platform(platform);
	save_and_load(platform);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gpuoa_definitions *definitions;
	const struct gpuoa_platform *platform;
	char error[256] = "";
	int err = gpuoa_definitions_parse("/nowhere/fuzz", (const char *)data, size, &definitions,
					  error, sizeof(error));

	if (err) {
		MUST(err == -EINVAL && *error && !strchr(error, '\n'));
		return 0;
	}
	MUST(!*error);
	for (size_t i = 0; (platform = gpuoa_definitions_get_platform(definitions, i)); i++)
		use_platform(platform);
	gpuoa_definitions_free(definitions);
	return 0;
}
