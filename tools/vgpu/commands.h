/* SPDX-License-Identifier: MIT */
/*
 * commands.h - commands of engines, beyond those that any batch may have.
 */
#ifndef VGPU_COMMANDS_H
#define VGPU_COMMANDS_H

#include "kernel/sim/model/env.h"

#include "kernel/sim/model/cs.h"

/* What runs the commands of an engine, and its tables */
extern const struct sim_cs_ops vgpu_cs_ops;
extern const struct sim_cs_model vgpu_cs_gen7;
extern const struct sim_cs_model vgpu_cs_gen8;

/* Blitter: copies and fills; 0 or a negative errno */
int vgpu_blit(struct sim_cs *cs);
/* MI_MATH */
int vgpu_math(struct sim_cs *cs);
/* The 3D and compute pipelines */
int vgpu_pipeline(struct sim_cs *cs);

#endif /* VGPU_COMMANDS_H */
