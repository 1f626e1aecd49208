/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * platforms.h - the GPUs that can be simulated.
 */
#ifndef _SIM_PLATFORMS_H
#define _SIM_PLATFORMS_H

#include "env.h"

#include <gpuoa_host.h>

struct sim_cs_model;
struct sim_oa_ops;
struct sim_register_range;
struct sim_register_value;

#define SIM_MAX_UNITS 4
#define SIM_MAX_TABLES 8

/**
 * struct sim_unit - an OA unit that a platform has
 * @type: which
 * @ops: how it works; NULL: no such unit
 * @gt: GT that it belongs to
 * @engines: those that it counts for
 * @n_engines: how many
 */
struct sim_unit {
	enum gpuoa_unit_type type;
	const struct sim_oa_ops *ops;
	u16 gt;
	const struct gpuoa_engine_id *engines;
	u32 n_engines;
};

/**
 * struct sim_platform - a GPU that can be simulated
 * @name: as in the module parameter
 * @desc: what the units say of themselves, but for their type
 * @ranges: tables of its registers, each of which ends with {}
 * @reset: registers that do not come up as 0; ends with {}
 * @cs: the command streamer
 * @units: the OA units; the first one is that of the render engine
 * @cs_timestamp_shift: the command streamers' timestamp is the OA timestamp divided by 2^this
 * @context_shift: where in a report's context id the name of a context begins
 * @mmio_trigger: a register write makes a report (gen12.5 and later)
 * @named_by_address: contexts have the GGTT address of their state page for a name instead
 */
struct sim_platform {
	const char *name;
	struct gpuoa_unit_desc desc;
	const struct sim_register_range *ranges[SIM_MAX_TABLES];
	const struct sim_register_value *reset;
	const struct sim_cs_model *cs;
	struct sim_unit units[SIM_MAX_UNITS];
	unsigned int cs_timestamp_shift;
	unsigned int context_shift;
	bool mmio_trigger;
	bool named_by_address;
};

const struct sim_platform *sim_platform_find(const char *name);
const char *sim_platform_name(unsigned int index);

#endif /* _SIM_PLATFORMS_H */
