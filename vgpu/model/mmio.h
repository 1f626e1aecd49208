/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mmio.h - register file of a virtual GPU, and the registers without a unit.
 */
#ifndef _SIM_MMIO_H
#define _SIM_MMIO_H

#include "env.h"

struct sim_gpu;
struct sim_oa;
struct sim_selection;

/* sim_register_range.flags */
#define SIM_REG_MASKED BIT(0) /* bits 31:16 of the written value enable bits 15:0 */
#define SIM_REG_VOLATILE BIT(1) /* lost in power-down */
#define SIM_REG_MUX BIT(2) /* part of the NOA multiplexer: the order of writes matters */
#define SIM_REG_OA BIT(3) /* the OA unit handles each access */

/**
 * struct sim_register_range - consecutive registers
 * @first: MMIO offset of the first one
 * @last: MMIO offset of the last one
 * @flags: SIM_REG_*
 * @writable: bits that a write can change
 * @unit: index of the OA unit, with SIM_REG_OA
 */
struct sim_register_range {
	u32 first;
	u32 last;
	u32 flags;
	u32 writable;
	u32 unit;
};

/**
 * struct sim_register_value - a register and its value
 * @reg: MMIO offset
 * @value: stored or written value
 */
struct sim_register_value {
	u32 reg;
	u32 value;
};

#define SIM_LOG_SIZE 4096

/**
 * struct sim_mmio - register file
 * @ranges: the registers; ends with {}
 * @values: stored values of all registers, range by range
 * @n_values: length of @values
 * @log: ring of the last SIM_LOG_SIZE writes
 * @n_logged: number of writes since the log was cleared
 */
struct sim_mmio {
	struct sim_register_range *ranges;
	u32 *values;
	u32 n_values;
	struct sim_register_value *log;
	u64 n_logged;
};

int sim_mmio_create(struct sim_gpu *gpu);
void sim_mmio_destroy(struct sim_gpu *gpu);
u32 sim_mmio_read(struct sim_gpu *gpu, u32 reg);
void sim_mmio_write(struct sim_gpu *gpu, u32 reg, u32 value);
void sim_mmio_rmw(struct sim_gpu *gpu, u32 reg, u32 clear, u32 set);
u32 sim_mmio_peek(const struct sim_gpu *gpu, u32 reg);
void sim_mmio_sleep(struct sim_gpu *gpu);
void sim_mmio_reset(struct sim_gpu *gpu, unsigned int gt);
void sim_mmio_print(struct sim_gpu *gpu, struct seq_file *m);
int sim_mmio_print_log(struct sim_gpu *gpu, struct seq_file *m);
void sim_mmio_clear_log(struct sim_gpu *gpu);

/*
 * The OA_PERFCNT registers up to gen11 hold two counters of 44 bits, with event selects in their
 * upper dwords.
 */
#define SIM_PERFCNT_FIRST 0x91b8
#define SIM_PERFCNT_LAST 0x91c4
#define SIM_N_PERFCNT 2

#define SIM_RPSTAT 0xa01c

/* Gen12.7 */
#define SIM_OAG_A36 0xdb20
#define SIM_OAG_A37 0xdb28

void sim_perfcnt_select(struct sim_oa *oa, unsigned int first, struct sim_selection *selection);
u32 sim_perfcnt_read(struct sim_oa *oa, unsigned int first, u32 reg, u32 value);
u32 sim_rpstat_gen8(struct sim_oa *oa);
u32 sim_rpstat_gen9(struct sim_oa *oa);

#endif /* _SIM_MMIO_H */
