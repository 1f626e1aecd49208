/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cs_registers.h - the registers that batches may read and write.
 */
#ifndef _SIM_CS_REGISTERS_H
#define _SIM_CS_REGISTERS_H

#include "env.h"

struct sim_cs;
struct sim_cs_model;

extern const struct sim_cs_model sim_cs_gen7;	 /* Haswell */
extern const struct sim_cs_model sim_cs_gen8;	 /* gen8 to gen11 */
extern const struct sim_cs_model sim_cs_gen12;	 /* gen12.0 */
extern const struct sim_cs_model sim_cs_gen12_7; /* gen12.7 */
extern const struct sim_cs_model sim_cs_xe2;	 /* Xe2 */

bool sim_cs_register_allowed(const struct sim_cs_model *model, u32 reg, u32 access);
u32 sim_cs_register_read(struct sim_cs *cs, u32 reg);
void sim_cs_register_write(struct sim_cs *cs, u32 reg, u32 value);

#endif /* _SIM_CS_REGISTERS_H */
