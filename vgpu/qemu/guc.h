/* SPDX-License-Identifier: MIT */
/*
 * guc.h - the GuCs of the GPU: their registers, and their connection to the engines.
 */
#ifndef VGPU_GUC_H
#define VGPU_GUC_H

#include "vgpu/model/env.h"
#include "vgpu/model/guc.h"

#include "mmio.h"

struct vgpu;
struct vgpu_engine;

#define VGPU_HWCONFIG_DWORDS 37
#define VGPU_GUC_RULES 12

/**
 * struct vgpu_guc - a GuC
 * @guc: model of the GuC
 * @vgpu: the GPU that contains the GuC
 * @index: index of the GT that the GuC serves
 * @config: parameters of @guc, refers to @engines and @hwconfig
 * @engines: classes and instances of the engines of the GT
 * @engine: the same engines, in the order of @engines
 * @hwconfig: description of the hardware for drivers
 * @rules: MMIO ranges of the GuC and their handlers
 * @n_rules: number of @rules
 */
struct vgpu_guc {
	struct sim_guc guc;
	struct vgpu *vgpu;
	unsigned int index;
	struct sim_guc_config config;
	struct sim_guc_engine_id engines[SIM_GUC_N_ENGINES];
	struct vgpu_engine *engine[SIM_GUC_N_ENGINES];
	u32 hwconfig[VGPU_HWCONFIG_DWORDS];
	struct vgpu_rule rules[VGPU_GUC_RULES];
	unsigned int n_rules;
};

int vgpu_guc_init(struct vgpu *vgpu);
void vgpu_guc_reset(struct vgpu *vgpu, unsigned int index);
bool vgpu_guc_run(struct vgpu *vgpu);
bool vgpu_guc_is_busy(const struct vgpu *vgpu);
bool vgpu_guc_allows_rc6(const struct vgpu *vgpu);
bool vgpu_guc_schedules(const struct vgpu_engine *engine);
bool vgpu_guc_releases(struct vgpu_engine *engine, u64 address);
void vgpu_guc_page_fault(struct vgpu_engine *engine);

#endif /* VGPU_GUC_H */
