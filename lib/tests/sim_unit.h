/* SPDX-License-Identifier: MIT */
/*
 * sim_unit.h - An OA unit of a virtual GPU: its descriptions by the library and the kernel, and the
 * reference counts from the simulator
 */
#ifndef GPUOA_LIB_TESTS_SIM_UNIT_H
#define GPUOA_LIB_TESTS_SIM_UNIT_H

#include "gpuoa.h"
#include "raw.h"
#include "uapi/gpuoa.h"

struct sim_unit {
	struct gpuoa_unit *unit;
	struct gpuoa_unit_desc desc;
	/* description by the kernel, read by an ioctl independently of the library */
	struct gpuoa_unit_info info;
	const struct gpuoa_platform *platform;
	/* the simulator's directory in debugfs: that of the unit, or that of the GPU */
	char directory[96];
	int reference; /* open file from which the reference counts are read */
};

/*
 * Returns n if the environment variable GPUS_SAMPLE is n, else 1. Tests with many similar cases run
 * only every n-th case, so that slow virtual machines can run them.
 */
size_t sim_sample(void);

/*
 * Open all units of this machine, sorted by name. Exits on errors, and if there are more than @max.
 * Returns the number of units.
 */
size_t sim_units_open(struct sim_unit *units, size_t max);
void sim_units_close(struct sim_unit *units, size_t count);

/*
 * Returns whether the unit belongs to a GPU of gpuoa-vgpu, driven by the stock i915 or xe. In this
 * case there is no debugfs, and sim_unit_switch() knows fewer names.
 */
bool sim_unit_is_stock(const struct sim_unit *unit);

/* Returns any set of the unit. */
const struct gpuoa_set *sim_unit_any_set(const struct sim_unit *unit);

/* Write @value to the simulator's file @name. The file belongs to the unit, or to its GPU. */
bool sim_unit_switch(const struct sim_unit *unit, const char *name, const char *value);

/* Read a number from the simulator's file @name. The file belongs to the unit, or to its GPU. */
bool sim_unit_number(const struct sim_unit *unit, const char *name, uint64_t *value);

/*
 * Get the true difference of each field of @format between two timestamps, for the counters that
 * are programmed now. Differences are not truncated to the width of the field.
 */
bool sim_unit_reference(const struct sim_unit *unit, const struct raw_format *format, uint64_t from,
			uint64_t to, uint64_t *differences);

/* Consecutive reports of a stream, with no discontinuity between them */
struct sim_reports {
	const struct raw_format *format;
	size_t count;
	uint8_t *data;
	size_t room; /* number of reports for which @data has space */
	/*
	 * bit mask: keep only reports that have one of these bits in the first dword; 0: keep all
	 */
	uint32_t reason;
};

bool sim_reports_open(struct sim_reports *reports, uint32_t format, size_t room);
/* Keep only reports that the timer writes, from now on. */
void sim_reports_of_timer(struct sim_reports *reports, const struct sim_unit *unit);
void sim_reports_close(struct sim_reports *reports);

const uint8_t *sim_report(const struct sim_reports *reports, size_t index);
uint64_t sim_report_time(const struct sim_reports *reports, size_t index);

/*
 * sim_reports_read() - Read until there are @count reports; reports before a discontinuity are
 * dropped.
 * sim_reports_more() - Read @count further reports and append them.
 */
bool sim_reports_read(struct sim_reports *reports, struct gpuoa_reader *reader, size_t count);
bool sim_reports_more(struct sim_reports *reports, struct gpuoa_reader *reader, size_t count);

/*
 * Return the difference of a field between two reports, or whether the field wrapped between them.
 */
uint64_t sim_reports_difference(const struct sim_reports *reports, size_t field, size_t from,
				size_t to);
bool sim_reports_wrapped(const struct sim_reports *reports, size_t field, size_t from, size_t to);

#endif /* GPUOA_LIB_TESTS_SIM_UNIT_H */
