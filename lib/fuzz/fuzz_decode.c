// SPDX-License-Identifier: MIT
/* fuzz_decode.c - Decode random reports with any built-in set, in any format. */
#include <string.h>

#include "exercise.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Parameters at the beginning of the input; the reports follow. */
struct choice {
	uint8_t platform;
	uint8_t set_low, set_high;
	uint8_t format; /* 0: that of the set */
	uint8_t part; /* reports at a time */
	uint8_t constants;
	uint8_t vector;
	uint8_t metrics; /* every n-th metric */
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct gpuoa_platform *platform;
	struct gpuoa_constants *constants;
	const struct gpuoa_set *set;
	struct gpuoa_set_desc desc;
	struct choice choice;
	uint32_t format;
	size_t number;

	if (size < sizeof(choice))
		return 0;
	memcpy(&choice, data, sizeof(choice));
	platform = gpuoa_platform_get(choice.platform % gpuoa_platform_count());
	number = choice.set_low | choice.set_high << 8;
	set = gpuoa_platform_get_set(platform, number % gpuoa_platform_set_count(platform));
	gpuoa_set_describe(set, &desc, sizeof(desc));
	format = choice.format ? choice.format : desc.format;
	if (!gpuoa_format_size(format))
		return 0;
	MUST(!gpuoa_constants_new(platform, &constants));
	if (choice.constants & 1)
		gpuoa_constants_assume(constants);
	exercise_constants(constants, choice.constants);
	exercise_reports(set, constants, format, data + sizeof(choice),
			 (size - sizeof(choice)) / gpuoa_format_size(format),
			 (struct way){ .part = choice.part,
				       .vector = choice.vector,
				       .metrics = choice.metrics });
	gpuoa_constants_free(constants);
	return 0;
}
