/* SPDX-License-Identifier: MIT */
/*
 * commands.h - commands of batches and rings: control flow, memory writes, arithmetic, flushes.
 */
#ifndef _VGPU_COMMANDS_H
#define _VGPU_COMMANDS_H

#include "vgpu/model/env.h"
#include "vgpu/model/cs.h"

/* What runs the commands of an engine, and its tables */
extern const struct sim_cs_ops vgpu_cs_ops;
extern const struct sim_cs_model vgpu_cs_gen7;
extern const struct sim_cs_model vgpu_cs_gen8;

/* What commands do; each as &sim_cs_command.run. Flow */
/* Memory */
/* Flushes */
/* MI_MATH */
/* Blitter: copies and fills */
int vgpu_blit(struct sim_cs *cs);
/* The 3D and compute pipelines */
int vgpu_pipeline(struct sim_cs *cs);

#endif /* _VGPU_COMMANDS_H */
