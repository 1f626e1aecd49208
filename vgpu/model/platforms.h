/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * platforms.h - table of the GPUs that can be simulated.
 */
#ifndef _SIM_PLATFORMS_H
#define _SIM_PLATFORMS_H

#include "env.h"

#include <gpuoa_provider.h>

struct sim_cs_model;
struct sim_oa_ops;
struct sim_register_range;
struct sim_register_value;

#define SIM_MAX_UNITS 4
#define SIM_MAX_TABLES 8

/**
 * struct sim_unit - an OA unit of a platform
 * @type: type of the unit
 * @ops: implementation of the unit; NULL ends the list
 * @gt: GT of the unit
 * @engines: engines that the unit counts for
 * @n_engines: length of @engines
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
 * @name: name in the module parameter
 * @desc: description of the units, except their type
 * @ranges: tables of the GPU's registers, each of which ends with {}
 * @reset: registers with reset values other than 0; ends with {}
 * @cs: the command streamer
 * @units: the OA units; the first is that of the render engine
 * @cs_timestamp_shift: the command streamer's timestamp is the OA timestamp shifted right by this
 * @context_shift: shift of the hardware id in a report's context field
 * @mmio_trigger: the GPU has MMIO triggers (gen12.5 and later)
 * @named_by_address: the hardware id of a context is the GGTT address of its state page
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
