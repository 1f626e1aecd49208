/* SPDX-License-Identifier: MIT */
/*
 * perfetto_words.h - units of measure and groups of metrics, as Perfetto has them
 */
#ifndef GPUOA_EXPORT_PERFETTO_WORDS_H
#define GPUOA_EXPORT_PERFETTO_WORDS_H

#include "perfetto.pb-c.h"

/* Units of a counter, above and below the line; NONE: there is no word for them. */
struct perfetto_units {
	Perfetto__GpuCounterDescriptor__MeasureUnit numerator;
	Perfetto__GpuCounterDescriptor__MeasureUnit denominator;
};

/* @units: of measure, as metrics have them */
struct perfetto_units perfetto_units(const char *units);

/* @group: path, "EU Array/Vertex Shader" */
Perfetto__GpuCounterDescriptor__GpuCounterGroup perfetto_group(const char *group);

#endif /* GPUOA_EXPORT_PERFETTO_WORDS_H */
