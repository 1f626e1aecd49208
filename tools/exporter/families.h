/* SPDX-License-Identifier: MIT */
/*
 * families.h - Prometheus metric families of OA metrics: name, unit and type
 */
#ifndef GPUOA_TOOLS_EXPORTER_FAMILIES_H
#define GPUOA_TOOLS_EXPORTER_FAMILIES_H

#include "common/roles.h"

#define FAMILY_NAME 128

/* The kind of a family, which determines how its samples are calculated */
enum family_kind {
	FAMILY_VALUE, /* a gauge: the value of the metric in the last interval */
	FAMILY_MEAN, /* a gauge: the average of the metric over the time of the last interval */
	FAMILY_SUM, /* counter: the sum of a count */
	FAMILY_INTEGRAL, /* a counter: the integral of the metric over time, in seconds */
};

struct family {
	char name[FAMILY_NAME]; /* without _total: "gpuoa_eu_active_seconds" */
	const char *unit; /* base unit: "seconds", "bytes", "ratio" or "hertz"; "": none */
	const char *help; /* help text of a role; NULL: the metric's description is the help text */
	enum family_kind kind;
	double scale; /* factor that converts the metric's units to the base unit */
};

static inline bool family_is_counter(const struct family *family)
{
	return family->kind == FAMILY_SUM || family->kind == FAMILY_INTEGRAL;
}

/* Find the families of a metric. There are at most two. Returns their number. */
size_t family_of_metric(const struct gpuoa_metric *metric, struct family families[2]);

/*
 * Find the families of a role that @metric has. There are at most two, and their names are the same
 * on all GPUs. Returns their number.
 */
size_t family_of_role(enum role role, const struct gpuoa_metric *metric, struct family families[2]);

#endif /* GPUOA_TOOLS_EXPORTER_FAMILIES_H */
