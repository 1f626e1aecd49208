/* SPDX-License-Identifier: MIT */
/*
 * sim_unit.h - An OA unit of a virtual GPU: its descriptions by the library and the kernel, and the
 * true counts from its simulator (debugfs)
 */
#ifndef GPUOA_LIB_TESTS_SIM_UNIT_H
#define GPUOA_LIB_TESTS_SIM_UNIT_H

#include "gpuoa.h"
#include "raw.h"
#include "uapi/gpuoa.h"

struct sim_unit {
	struct gpuoa_unit *unit;
	struct gpuoa_unit_desc desc;
	struct gpuoa_unit_info info; /* from the ioctl, not from the library */
	const struct gpuoa_platform *platform;
	char directory[96]; /* in debugfs; that of the GPU if the unit has none */
	int truth; /* file descriptor */
};

/*
 * Returns n if the environment contains GPUS_SAMPLE=n, else 1: of many similar cases, tests run
 * every n-th one, for guests with a slow kernel.
 */
size_t sim_sample(void);

/* Open all units of this machine, at most @max, sorted by name. Exits on errors. */
size_t sim_units_open(struct sim_unit *units, size_t max);
void sim_units_close(struct sim_unit *units, size_t count);

/* Whether i915 provides the unit. Then there are fewer switches, and no debugfs files. */
bool sim_unit_is_stock(const struct sim_unit *unit);

/* Returns a set of the unit. */
const struct gpuoa_set *sim_unit_any_set(const struct sim_unit *unit);

/* Write to a switch of the unit, or of its GPU. */
bool sim_unit_switch(const struct sim_unit *unit, const char *name, const char *value);

/* Read a number from a file of the unit, or of its GPU. */
bool sim_unit_number(const struct sim_unit *unit, const char *name, uint64_t *value);

/*
 * True difference of each field of @format between two timestamps, for the current configuration of
 * the unit; not truncated to the width of the field.
 */
bool sim_unit_truth(const struct sim_unit *unit, const struct raw_format *format, uint64_t from,
		    uint64_t to, uint64_t *differences);

/* Consecutive reports of a stream, without a discontinuity */
struct sim_reports {
	const struct raw_format *format;
	size_t count;
	uint8_t *data; /* room for .room reports */
	size_t room;
	uint32_t reason; /* keep only reports with one of these bits in the first word; 0: all */
};

bool sim_reports_open(struct sim_reports *reports, uint32_t format, size_t room);
/* From now on, keep only reports written by the timer. */
void sim_reports_of_timer(struct sim_reports *reports, const struct sim_unit *unit);
void sim_reports_close(struct sim_reports *reports);

const uint8_t *sim_report(const struct sim_reports *reports, size_t index);
uint64_t sim_report_time(const struct sim_reports *reports, size_t index);

/*
 * Read until there are @count reports; those before a discontinuity are dropped. _more: append to
 * the existing reports
 */
bool sim_reports_read(struct sim_reports *reports, struct gpuoa_source *source, size_t count);
bool sim_reports_more(struct sim_reports *reports, struct gpuoa_source *source, size_t count);

/* Difference of a field between two reports, and whether it wrapped */
uint64_t sim_reports_difference(const struct sim_reports *reports, size_t field, size_t from,
				size_t to);
bool sim_reports_wrapped(const struct sim_reports *reports, size_t field, size_t from, size_t to);

#endif /* GPUOA_LIB_TESTS_SIM_UNIT_H */
