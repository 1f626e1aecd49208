/* SPDX-License-Identifier: MIT */
/*
 * sim_unit.h - an OA unit of a virtual GPU: its descriptions by the library and the kernel, and the
 * reference counts of the simulator (debugfs)
 */
#ifndef GPUOA_LIB_TESTS_SIM_UNIT_H
#define GPUOA_LIB_TESTS_SIM_UNIT_H

#include "gpuoa.h"
#include "raw.h"
#include "uapi/gpuoa.h"

struct sim_unit {
	struct gpuoa_unit *unit;
	struct gpuoa_unit_desc desc;
	struct gpuoa_unit_info info; /* result of the ioctl, independent of the library */
	const struct gpuoa_platform *platform;
	char directory[96]; /* directory in debugfs, of the GPU if the unit has none */
	int reference; /* open file with the reference counts */
};

/*
 * Returns n if the environment contains GPUS_SAMPLE=n, else 1. Where there are many similar cases,
 * tests run only every n-th one, so that guests with a slow kernel can run them.
 */
size_t sim_sample(void);

/* Open all units of this machine, at most @max, sorted by name. Exits on errors. */
size_t sim_units_open(struct sim_unit *units, size_t max);
void sim_units_close(struct sim_unit *units, size_t count);

/*
 * Returns whether the unit belongs to the stock i915 or xe on gpuoa-vgpu. Then there is no debugfs,
 * and sim_unit_switch() knows fewer switches.
 */
bool sim_unit_is_stock(const struct sim_unit *unit);

/* Returns a set of the unit. */
const struct gpuoa_set *sim_unit_any_set(const struct sim_unit *unit);

/* Write @value to the simulator's file @name of the unit, or of its GPU. */
bool sim_unit_switch(const struct sim_unit *unit, const char *name, const char *value);

/* Read a number from the simulator's file @name of the unit, or of its GPU. */
bool sim_unit_number(const struct sim_unit *unit, const char *name, uint64_t *value);

/*
 * Get the reference difference of each field of @format between two timestamps, for the current
 * configuration of the unit. Differences are not truncated to the width of the field.
 */
bool sim_unit_reference(const struct sim_unit *unit, const struct raw_format *format, uint64_t from,
			uint64_t to, uint64_t *differences);

/* Consecutive reports of a stream, without a discontinuity */
struct sim_reports {
	const struct raw_format *format;
	size_t count;
	uint8_t *data;
	size_t room; /* number of reports for which @data has space */
	uint32_t reason; /* keep only reports with one of these bits in the first word; 0: all */
};

bool sim_reports_open(struct sim_reports *reports, uint32_t format, size_t room);
/* From now on, keep only reports written by the timer. */
void sim_reports_of_timer(struct sim_reports *reports, const struct sim_unit *unit);
void sim_reports_close(struct sim_reports *reports);

const uint8_t *sim_report(const struct sim_reports *reports, size_t index);
uint64_t sim_report_time(const struct sim_reports *reports, size_t index);

/*
 * Read until there are @count reports; reports before a discontinuity are dropped.
 * sim_reports_more() appends to the existing reports.
 */
bool sim_reports_read(struct sim_reports *reports, struct gpuoa_reader *reader, size_t count);
bool sim_reports_more(struct sim_reports *reports, struct gpuoa_reader *reader, size_t count);

/* Difference of a field between two reports, and whether it wrapped */
uint64_t sim_reports_difference(const struct sim_reports *reports, size_t field, size_t from,
				size_t to);
bool sim_reports_wrapped(const struct sim_reports *reports, size_t field, size_t from, size_t to);

#endif /* GPUOA_LIB_TESTS_SIM_UNIT_H */
