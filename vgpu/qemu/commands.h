/* SPDX-License-Identifier: MIT */
/*
 * commands.h - commands of engines, beyond those that any batch may have.
 */
#ifndef VGPU_COMMANDS_H
#define VGPU_COMMANDS_H

#include "vgpu/model/env.h"

#include "vgpu/model/cs.h"

/* What runs the commands of an engine, and its tables */
extern const struct sim_cs_ops vgpu_cs_ops;
extern const struct sim_cs_model vgpu_cs_gen7;
extern const struct sim_cs_model vgpu_cs_gen8;

/* What commands do; each as &sim_cs_command.run. Flow */
int vgpu_user_interrupt(struct sim_cs *cs);
int vgpu_arbitration(struct sim_cs *cs);
int vgpu_batch_start(struct sim_cs *cs);
int vgpu_batch_end(struct sim_cs *cs);
int vgpu_conditional_batch_end(struct sim_cs *cs);
int vgpu_semaphore_wait(struct sim_cs *cs);
int vgpu_predicate(struct sim_cs *cs);
int vgpu_set_context(struct sim_cs *cs);
/* Memory */
int vgpu_store_index(struct sim_cs *cs);
int vgpu_copy_mem_mem(struct sim_cs *cs);
int vgpu_atomic(struct sim_cs *cs);
int vgpu_update_gtt(struct sim_cs *cs);
/* Flushes */
int vgpu_pipe_control(struct sim_cs *cs);
int vgpu_flush_dw(struct sim_cs *cs);
/* MI_MATH */
int vgpu_math(struct sim_cs *cs);
/* Blitter: copies and fills */
int vgpu_blit(struct sim_cs *cs);
/* The 3D and compute pipelines */
int vgpu_pipeline(struct sim_cs *cs);

#endif /* VGPU_COMMANDS_H */
