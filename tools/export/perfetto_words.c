// SPDX-License-Identifier: MIT
/*
 * perfetto_words.c - conversion of units of measure and groups to Perfetto's enums
 */
#include "export/perfetto_words.h"

#include <string.h>

#define UNIT(name) PERFETTO__GPU_COUNTER_DESCRIPTOR__MEASURE_UNIT__##name
#define GROUP(name) PERFETTO__GPU_COUNTER_DESCRIPTOR__GPU_COUNTER_GROUP__##name

struct perfetto_units perfetto_units(const char *units)
{
	static const struct {
		const char *units;
		struct perfetto_units words;
	} known[] = {
		{ "percent", { UNIT(PERCENT), UNIT(NONE) } },
		{ "ns", { UNIT(NANOSECOND), UNIT(NONE) } },
		{ "us", { UNIT(MICROSECOND), UNIT(NONE) } },
		{ "hz", { UNIT(HERTZ), UNIT(NONE) } },
		{ "bytes", { UNIT(BYTE), UNIT(NONE) } },
		{ "gbps", { UNIT(GIGABYTE), UNIT(SECOND) } },
		{ "pixels", { UNIT(PIXEL), UNIT(NONE) } },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(units, known[i].units))
			return known[i].words;
	return (struct perfetto_units){ UNIT(NONE), UNIT(NONE) };
}

Perfetto__GpuCounterDescriptor__GpuCounterGroup perfetto_group(const char *group)
{
	/* The first word found in the path decides. */
	static const struct {
		const char *word;
		Perfetto__GpuCounterDescriptor__GpuCounterGroup group;
	} words[] = {
		{ "GTI", GROUP(MEMORY) },
		{ "L3", GROUP(MEMORY) },
		{ "L1", GROUP(MEMORY) },
		{ "LLC", GROUP(MEMORY) },
		{ "Memory", GROUP(MEMORY) },
		{ "Cache", GROUP(MEMORY) },
		{ "Data Port", GROUP(MEMORY) },
		{ "Dataport", GROUP(MEMORY) },
		{ "Copy Engine", GROUP(MEMORY) },
		{ "URB", GROUP(MEMORY) },
		{ "Vertex", GROUP(VERTICES) },
		{ "Hull", GROUP(VERTICES) },
		{ "Domain", GROUP(VERTICES) },
		{ "Control Shader", GROUP(VERTICES) },
		{ "Evaluation Shader", GROUP(VERTICES) },
		{ "Geometry", GROUP(VERTICES) },
		{ "Input Assembler", GROUP(VERTICES) },
		{ "Fragment", GROUP(FRAGMENTS) },
		{ "Pixel", GROUP(FRAGMENTS) },
		{ "Output Merger", GROUP(FRAGMENTS) },
		{ "Depth", GROUP(FRAGMENTS) },
		{ "Color Pipe", GROUP(FRAGMENTS) },
		{ "Sampler", GROUP(FRAGMENTS) },
		{ "Rasterizer", GROUP(PRIMITIVES) },
		{ "Clipper", GROUP(PRIMITIVES) },
		{ "Strip-Fans", GROUP(PRIMITIVES) },
		{ "Stream Output", GROUP(PRIMITIVES) },
		{ "EU Array", GROUP(COMPUTE) },
		{ "Vector", GROUP(COMPUTE) },
		{ "Thread Dispatcher", GROUP(COMPUTE) },
		{ "Ray Tracing", GROUP(COMPUTE) },
		{ "GPU", GROUP(SYSTEM) },
		{ "Front End", GROUP(SYSTEM) },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strstr(group, words[i].word))
			return words[i].group;
	return GROUP(UNCLASSIFIED);
}
