/* SPDX-License-Identifier: MIT */
/*
 * commands.h - commands of batches and rings: control flow, memory writes, arithmetic, flushes.
 */
#ifndef _VGPU_COMMANDS_H
#define _VGPU_COMMANDS_H

#include "vgpu/model/env.h"
#include "vgpu/model/cs.h"

/* Operations and command tables of an engine's command streamer */
extern const struct sim_cs_ops vgpu_cs_ops;
extern const struct sim_cs_model vgpu_cs_gen7;
extern const struct sim_cs_model vgpu_cs_gen8;

/* Execute a blitter command, with the result of &sim_cs_command.run. */
int vgpu_blit(struct sim_cs *cs);
/* Execute a command of the 3D or compute pipeline, with the result of &sim_cs_command.run. */
int vgpu_pipeline(struct sim_cs *cs);

#endif /* _VGPU_COMMANDS_H */
