/* SPDX-License-Identifier: MIT */
/*
 * names.h - metrics of OA units as Prometheus has them: a family's name, unit and type
 */
#ifndef GPUOA_EXPORTER_NAMES_H
#define GPUOA_EXPORTER_NAMES_H

#include "gpuoa.h"

#define FAMILY_NAME 128

/* What a family of samples is. */
struct family {
	char name[FAMILY_NAME]; /* "gpuoa_eu_active_seconds", without _total */
	const char *unit; /* "seconds", "bytes", "ratio", "hertz"; "" */
	bool counter; /* else a gauge */
	bool integral; /* a counter of a ratio's time */
	double scale; /* from the metric's units */
};

/* A metric makes two families at most: how it is now, and what it has come to. Returns how many. */
size_t family_of_metric(const struct gpuoa_metric *metric, struct family families[2]);

#endif /* GPUOA_EXPORTER_NAMES_H */
