/* SPDX-License-Identifier: MIT */
/*
 * exposition.h - write the text formats of Prometheus
 */
#ifndef GPUOA_EXPORTER_EXPOSITION_H
#define GPUOA_EXPORTER_EXPOSITION_H

#include <stdio.h>

#include "exporter/collector.h"

enum exposition_format {
	EXPOSITION_TEXT, /* Prometheus text format 0.0.4 */
	EXPOSITION_OPENMETRICS, /* OpenMetrics 1.0.0 */
	EXPOSITION_FORMATS,
};

void exposition_write(FILE *file, enum exposition_format format, const struct collector *collectors,
		      size_t count);

#endif /* GPUOA_EXPORTER_EXPOSITION_H */
