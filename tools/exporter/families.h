/* SPDX-License-Identifier: MIT */
/*
 * families.h - Prometheus metric families of OA metrics: name, unit and type
 */
#ifndef GPUOA_TOOLS_EXPORTER_FAMILIES_H
#define GPUOA_TOOLS_EXPORTER_FAMILIES_H

#include "common/roles.h"

#define FAMILY_NAME 128

/* How a family's samples are computed */
enum family_kind {
	FAMILY_VALUE, /* gauge: value of the metric in the last interval */
	FAMILY_MEAN, /* gauge: time average of the metric in the last interval */
	FAMILY_SUM, /* counter: the sum of a count */
	FAMILY_INTEGRAL, /* counter: the metric's integral over time, in seconds */
};

struct family {
	char name[FAMILY_NAME]; /* without _total: "gpuoa_eu_active_seconds" */
	const char *unit; /* "seconds", "bytes", "ratio" or "hertz"; "": none */
	const char *help; /* help text of a role; NULL: use the metric's description */
	enum family_kind kind;
	double scale; /* factor that converts the metric's units */
};

static inline bool family_is_counter(const struct family *family)
{
	return family->kind == FAMILY_SUM || family->kind == FAMILY_INTEGRAL;
}

/* Find the families of a metric, at most two. Returns their number. */
size_t family_of_metric(const struct gpuoa_metric *metric, struct family families[2]);

/*
 * Find the families of a role that @metric has, at most two. Their names are the same on all GPUs.
 * Returns their number.
 */
size_t family_of_role(enum role role, const struct gpuoa_metric *metric, struct family families[2]);

#endif /* GPUOA_TOOLS_EXPORTER_FAMILIES_H */
