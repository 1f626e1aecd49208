// SPDX-License-Identifier: MIT
/*
 * words.c - names of the library's bits and enumerations
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "gpuoa.h"
#include "words.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct bit_name {
	uint32_t bit;
	const char *name;
};

static void append(char *text, size_t size, const char *word)
{
	const size_t length = strlen(text);

	snprintf(text + length, size - length, "%s%s", length ? " " : "", word);
}

static const char *words_of_bits(const struct bit_name *names, size_t count, uint32_t bits,
				 char *text, size_t size)
{
	*text = '\0';
	for (size_t i = 0; i < count; i++)
		if (bits & names[i].bit)
			append(text, size, names[i].name);
	return text;
}

const char *words_of_apis(uint32_t apis, char *text, size_t size)
{
	static const struct bit_name names[] = {
		{ GPUOA_API_IO, "io" },	      { GPUOA_API_BB, "bb" },	{ GPUOA_API_OGL, "ogl" },
		{ GPUOA_API_OGL4, "ogl4" },   { GPUOA_API_OCL, "ocl" }, { GPUOA_API_VK, "vk" },
		{ GPUOA_API_MEDIA, "media" },
	};

	return words_of_bits(names, COUNT(names), apis, text, size);
}

const char *words_of_usage(uint32_t usage, char *text, size_t size)
{
	static const struct bit_name names[] = {
		{ GPUOA_USAGE_OVERVIEW, "overview" },	{ GPUOA_USAGE_INDICATE, "indicate" },
		{ GPUOA_USAGE_CORRELATE, "correlate" }, { GPUOA_USAGE_SYSTEM, "system" },
		{ GPUOA_USAGE_FRAME, "frame" },		{ GPUOA_USAGE_BATCH, "batch" },
		{ GPUOA_USAGE_DRAW, "draw" },		{ GPUOA_USAGE_TIER_1, "tier1" },
		{ GPUOA_USAGE_TIER_2, "tier2" },	{ GPUOA_USAGE_TIER_3, "tier3" },
		{ GPUOA_USAGE_TIER_4, "tier4" },
	};

	return words_of_bits(names, COUNT(names), usage, text, size);
}

const char *words_of_sampling(uint32_t sampling, char *text, size_t size)
{
	static const struct bit_name names[] = {
		{ GPUOA_SAMPLING_TIMER, "timer" },
		{ GPUOA_SAMPLING_QUERY, "query" },
	};

	return words_of_bits(names, COUNT(names), sampling, text, size);
}

const char *words_of_formats(uint64_t formats, char *text, size_t size)
{
	*text = '\0';
	for (uint32_t format = 0; format < FORMAT_BITS; format++)
		if (formats >> format & 1 && gpuoa_format_name(format))
			append(text, size, gpuoa_format_name(format));
	return text;
}

uint32_t format_of_word(const char *name)
{
	for (uint32_t format = 0; format < FORMAT_BITS; format++)
		if (gpuoa_format_name(format) && !strcmp(gpuoa_format_name(format), name))
			return format;
	return 0;
}

const char *word_of_semantic(int semantic)
{
	static const char *const names[] = {
		[GPUOA_SEMANTIC_DURATION] = "duration",
		[GPUOA_SEMANTIC_EVENT] = "event",
		[GPUOA_SEMANTIC_THROUGHPUT] = "throughput",
		[GPUOA_SEMANTIC_RATIO] = "ratio",
		[GPUOA_SEMANTIC_TIMESTAMP] = "timestamp",
		[GPUOA_SEMANTIC_FLAG] = "flag",
		[GPUOA_SEMANTIC_RAW] = "raw",
	};

	return (size_t)semantic < COUNT(names) ? names[semantic] : "";
}

const char *word_of_type(int type)
{
	return type == GPUOA_TYPE_FLOAT ? "float" : "uint64";
}

const char *word_of_category(int category)
{
	static const char *const names[] = {
		[GPUOA_CATEGORY_GENERIC] = "generic",
		[GPUOA_CATEGORY_RENDER] = "render",
		[GPUOA_CATEGORY_COMPUTE] = "compute",
		[GPUOA_CATEGORY_MEDIA] = "media",
	};

	return names[category];
}

const char *word_of_quantity(int quantity)
{
	static const char *const names[] = {
		[GPUOA_QUANTITY_COUNT] = "count", [GPUOA_QUANTITY_RATIO] = "ratio",
		[GPUOA_QUANTITY_TIME] = "time",	  [GPUOA_QUANTITY_FREQUENCY] = "frequency",
		[GPUOA_QUANTITY_DATA] = "data",	  [GPUOA_QUANTITY_BANDWIDTH] = "bandwidth",
	};

	return names[quantity];
}

const char *word_of_constant(int kind)
{
	static const char *const names[] = {
		[GPUOA_CONSTANT_NUMBER] = "number", [GPUOA_CONSTANT_COUNT] = "count",
		[GPUOA_CONSTANT_MASK] = "mask",	    [GPUOA_CONSTANT_FREQUENCY] = "frequency",
		[GPUOA_CONSTANT_FLAG] = "flag",
	};

	return names[kind];
}

const char *word_of_origin(int origin)
{
	static const char *const names[] = {
		[GPUOA_ORIGIN_NONE] = "none",
		[GPUOA_ORIGIN_GIVEN] = "given",
		[GPUOA_ORIGIN_DERIVED] = "derived",
		[GPUOA_ORIGIN_ASSUMED] = "assumed",
	};

	return names[origin];
}
