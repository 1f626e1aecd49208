/* SPDX-License-Identifier: MIT */
/*
 * perfetto_words.h - conversion of units of measure and groups to Perfetto's enums
 */
#ifndef GPUOA_EXPORT_PERFETTO_WORDS_H
#define GPUOA_EXPORT_PERFETTO_WORDS_H

#include "perfetto.pb-c.h"

/* Units of a counter as a fraction; NONE: Perfetto has no such unit */
struct perfetto_units {
	Perfetto__GpuCounterDescriptor__MeasureUnit numerator;
	Perfetto__GpuCounterDescriptor__MeasureUnit denominator;
};

/* @units: units of measure of a metric */
struct perfetto_units perfetto_units(const char *units);

/* @group: path, such as "EU Array/Vertex Shader" */
Perfetto__GpuCounterDescriptor__GpuCounterGroup perfetto_group(const char *group);

#endif /* GPUOA_EXPORT_PERFETTO_WORDS_H */
