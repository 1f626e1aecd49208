// SPDX-License-Identifier: MIT
/*
 * flag_names.c - write the names of the bits that are set in the library's masks
 */
#include <stdio.h>
#include <string.h>

#include "gpuoa.h"
#include "common/flag_names.h"

#define MASK_BITS 32

void flag_names_append(char *text, size_t size, const char *word)
{
	const size_t length = strlen(text);

	snprintf(text + length, size - length, "%s%s", length ? " " : "", word);
}

/*
 * Append the name of each bit that is set in @mask. @name: library function that returns a bit's
 * name
 */
#define APPEND_NAMES(text, size, mask, name)                                    \
	do {                                                                    \
		*(text) = '\0';                                                 \
		for (uint32_t bit = 0; bit < MASK_BITS; bit++)                  \
			if ((mask) >> bit & 1 && name(1U << bit))               \
				flag_names_append(text, size, name(1U << bit)); \
	} while (0)

const char *flag_names_of_apis(uint32_t apis, char *text, size_t size)
{
	APPEND_NAMES(text, size, apis, gpuoa_api_name);
	return text;
}

const char *flag_names_of_usage(uint32_t usage, char *text, size_t size)
{
	APPEND_NAMES(text, size, usage, gpuoa_usage_name);
	return text;
}

const char *flag_names_of_sampling(uint32_t sampling, char *text, size_t size)
{
	APPEND_NAMES(text, size, sampling, gpuoa_sampling_name);
	return text;
}

const char *flag_names_of_formats(uint64_t formats, char *text, size_t size)
{
	*text = '\0';
	for (uint32_t format = 0; format < FORMAT_BITS; format++)
		if (formats >> format & 1 && gpuoa_format_name(format))
			flag_names_append(text, size, gpuoa_format_name(format));
	return text;
}

const char *flag_names_of_engines(const struct gpuoa_unit_desc *unit, char *text, size_t size)
{
	*text = '\0';
	for (uint32_t i = 0; i < unit->engine_count; i++) {
		const char *kind = gpuoa_engine_kind_name(unit->engines[i].kind);
		char word[32];

		snprintf(word, sizeof(word), "%s%u", kind ? kind : "?", unit->engines[i].instance);
		flag_names_append(text, size, word);
	}
	return text;
}
