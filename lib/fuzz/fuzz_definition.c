// SPDX-License-Identifier: MIT
/* fuzz_definition.c - metric definitions in our own language or in XML: parsed, compiled, used. */
#include <errno.h>
#include <string.h>

#include "exercise.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gpuoa_definitions *definitions;
	char error[256] = "";
	int err = gpuoa_definitions_parse("/nowhere/fuzz", (const char *)data, size, &definitions,
					  error, sizeof(error));

	if (err) {
		MUST(err == -EINVAL && *error && !strchr(error, '\n'));
		return 0;
	}
	MUST(!*error);
	for (size_t i = 0; i < gpuoa_definitions_platform_count(definitions); i++)
		exercise_platform(gpuoa_definitions_get_platform(definitions, i));
	gpuoa_definitions_free(definitions);
	return 0;
}
