/* SPDX-License-Identifier: MIT */
/*
 * names.h - metrics of OA units as Prometheus has them: a family's name, unit and type
 */
#ifndef GPUOA_EXPORTER_NAMES_H
#define GPUOA_EXPORTER_NAMES_H

#include "roles.h"

#define FAMILY_NAME 128

/* The source of a family's samples. */
enum family_kind {
	FAMILY_VALUE, /* gauge: the metric in the last interval */
	FAMILY_MEAN, /* gauge: its mean over the time of the last interval */
	FAMILY_SUM, /* counter: the sum of what was counted */
	FAMILY_INTEGRAL, /* counter: the metric's integral over time, in seconds */
};

struct family {
	char name[FAMILY_NAME]; /* "gpuoa_eu_active_seconds", without _total */
	const char *unit; /* "seconds", "bytes", "ratio", "hertz"; "" */
	const char *help; /* of a role; NULL: the metric's description */
	enum family_kind kind;
	double scale; /* from the metric's units */
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

#endif /* GPUOA_EXPORTER_NAMES_H */
