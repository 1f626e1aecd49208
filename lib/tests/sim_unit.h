/* SPDX-License-Identifier: MIT */
/*
 * sim_unit.h - an OA unit of a virtual GPU: what the library and the kernel say of
 * it, and what its simulator knows to be true (debugfs).
 */
#ifndef GPUOA_LIB_TESTS_SIM_UNIT_H
#define GPUOA_LIB_TESTS_SIM_UNIT_H

#include "gpuoa.h"
#include "raw.h"
#include "uapi/gpuoa.h"

struct sim_unit {
	struct gpuoa_unit *unit;
	struct gpuoa_unit_desc desc;
	struct gpuoa_unit_info info; /* by ioctl, not by the library */
	const struct gpuoa_platform *platform;
	char directory[96]; /* in debugfs; that of the GPU if its unit has none */
	int truth; /* file descriptor */
};

/*
 * Of things that are many and alike, try every n-th: where the environment has GPUS_SAMPLE=n, for a
 * guest with a slow kernel. Else 1.
 */
size_t sim_sample(void);

/*
 * All units of this machine, in the order of their names; fewer than @max. What cannot be opened
 * ends the program.
 */
size_t sim_units_open(struct sim_unit *units, size_t max);
void sim_units_close(struct sim_unit *units, size_t count);

/* Is it i915 that offers the unit? Then there are fewer switches, and no files of the simulator. */
bool sim_unit_is_stock(const struct sim_unit *unit);

/* A set that the unit has. */
const struct gpuoa_set *sim_unit_any_set(const struct sim_unit *unit);

/* Write to a switch of the unit, or of its GPU. */
bool sim_unit_switch(const struct sim_unit *unit, const char *name, const char *value);

/* A number that it shows. */
bool sim_unit_number(const struct sim_unit *unit, const char *name, uint64_t *value);

/*
 * What each field of @format has truly counted between two timestamps, while the unit
 * was programmed as it is, into @differences: not cut to the width of the field.
 */
bool sim_unit_truth(const struct sim_unit *unit, const struct raw_format *format, uint64_t from,
		    uint64_t to, uint64_t *differences);

/* Consecutive reports of a stream, without a gap between them. */
struct sim_reports {
	const struct raw_format *format;
	size_t count;
	uint8_t *data; /* room for .room of them */
	size_t room;
	uint32_t reason; /* keep those that have one of these bits in their first word; 0: all */
};

bool sim_reports_open(struct sim_reports *reports, uint32_t format, size_t room);
/* From here on, keep only what the timer has asked for. */
void sim_reports_of_timer(struct sim_reports *reports, const struct sim_unit *unit);
void sim_reports_close(struct sim_reports *reports);

const uint8_t *sim_report(const struct sim_reports *reports, size_t index);
uint64_t sim_report_time(const struct sim_reports *reports, size_t index);

/*
 * Read until there are @count; those before a gap are forgotten. _more: with those that are there.
 */
bool sim_reports_read(struct sim_reports *reports, struct gpuoa_source *source, size_t count);
bool sim_reports_more(struct sim_reports *reports, struct gpuoa_source *source, size_t count);

/* How far a field has moved on from one report to another, and whether it wrapped on the way. */
uint64_t sim_reports_difference(const struct sim_reports *reports, size_t field, size_t from,
				size_t to);
bool sim_reports_wrapped(const struct sim_reports *reports, size_t field, size_t from, size_t to);

#endif /* GPUOA_LIB_TESTS_SIM_UNIT_H */
