/* SPDX-License-Identifier: GPL-2.0-only */
/* gpu.h - GPU driven by xe with gpuoa attached. */
#ifndef _GPUOA_XE_GPU_H
#define _GPUOA_XE_GPU_H

#include <linux/container_of.h>
#include <linux/types.h>

#include <gpuoa_provider.h>
#include <uapi/drm/xe_drm.h>

#include "../lease/lease.h"

struct platform;

/**
 * struct xe_registers - MMIO offsets of registers of a unit, or their values
 * @buffer: OABUFFER
 * @debug: OA_DEBUG
 * @timer: OAGLBCTXCTRL or CONTEXT_CONTROL
 * @sqcnt1: SQCNT1 of the GT
 * @compression: OAM_COMPRESSION_T3_CONTROL of the media GT; 0: not used by the unit
 */
struct xe_registers {
	u32 buffer;
	u32 debug;
	u32 timer;
	u32 sqcnt1;
	u32 compression;
};

/**
 * struct xe_unit - OA unit
 * @lease: part that all drivers have
 * @id: xe's number of the unit
 * @type: type of the unit
 * @engine: first engine of the unit, which has the same clock
 * @engines: engines of the unit
 * @n_engines: number of @engines
 * @regs: registers of the unit
 * @opened: values of these registers after xe has opened and enabled the stream
 * @sizes: the size of the buffer can be requested
 */
struct xe_unit {
	struct lease_unit lease;
	u32 id;
	enum gpuoa_unit_type type;
	struct drm_xe_engine_class_instance engine;
	struct gpuoa_engine_id engines[GPUOA_MAX_ENGINES];
	u32 n_engines;
	struct xe_registers regs;
	struct xe_registers opened;
	bool sizes;
};

/**
 * struct gpu - GPU
 * @lease: part that all drivers have
 * @platform: GPU platform
 * @n_units: number of @units
 * @units: OA units that xe offers, also those that gpuoa does not support
 */
struct gpu {
	struct lease_gpu lease;
	const struct platform *platform;
	unsigned int n_units;
	struct xe_unit units[LEASE_UNITS];
};

static inline struct xe_unit *xe_unit_of(struct lease_unit *unit)
{
	return container_of(unit, struct xe_unit, lease);
}

#endif /* _GPUOA_XE_GPU_H */
