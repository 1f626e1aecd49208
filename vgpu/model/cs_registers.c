// SPDX-License-Identifier: GPL-2.0-only
/*
 * cs_registers.c - the registers that batches may read and write.
 */
#include "env.h"

#include <gen12_regs.h>
#include <gen7_regs.h>
#include <gen8_regs.h>

#include "beside.h"
#include "cs.h"
#include "cs_registers.h"

/*
 * Of the OA unit, batches see what queries note (where the buffer is and how far it is filled) and
 * write what puts markers into the stream: the triggers of a report, and the counter that carries
 * the marker's value. What configures the unit is the driver's.
 */
#define OAREPORTTRIG1 0x2740
#define OAREPORTTRIG8 0x275c
#define OA_PERF_A20 0x28a0
#define OAG_OAREPORTTRIG1 0xd920
#define OAG_OAREPORTTRIG8 0xd93c
#define OAG_PERF_A19 0xda18

static const struct sim_cs_register gen7_registers[] = {
	{ OASTATUS1, OASTATUS2, SIM_CS_READ },
	{ OABUFFER, OABUFFER, SIM_CS_READ },
	{ SIM_PERFCNT_FIRST, SIM_PERFCNT_LAST, SIM_CS_READ },
};

static const struct sim_cs_register gen8_registers[] = {
	{ OAREPORTTRIG1, OAREPORTTRIG8, SIM_CS_READ | SIM_CS_WRITE },
	{ OA_PERF_A20, OA_PERF_A20, SIM_CS_READ | SIM_CS_WRITE },
	{ GEN8_OASTATUS, GEN8_OABUFFER, SIM_CS_READ },
	{ SIM_PERFCNT_FIRST, SIM_PERFCNT_LAST, SIM_CS_READ },
	{ SIM_RPSTAT, SIM_RPSTAT, SIM_CS_READ },
};

static const struct sim_cs_register gen12_registers[] = {
	{ OAG_OAREPORTTRIG1, OAG_OAREPORTTRIG8, SIM_CS_READ | SIM_CS_WRITE },
	{ OAG_PERF_A19, OAG_PERF_A19, SIM_CS_READ | SIM_CS_WRITE },
	{ OAG_OASTATUS, OAG_OABUFFER, SIM_CS_READ },
	{ SIM_RPSTAT, SIM_RPSTAT, SIM_CS_READ },
};

static const struct sim_cs_register xe2_registers[] = {
	{ OAG_OASTATUS, OAG_OABUFFER, SIM_CS_READ },
	{ OAG_MMIOTRIGGER, OAG_MMIOTRIGGER, SIM_CS_READ | SIM_CS_WRITE },
};

/* Two counters of OAG that reports of batches do not have */
static const struct sim_cs_register gen12_7_registers[] = {
	{ OAG_OASTATUS, OAG_OABUFFER, SIM_CS_READ },
	{ OAG_MMIOTRIGGER, OAG_MMIOTRIGGER, SIM_CS_READ | SIM_CS_WRITE },
	{ SIM_OAG_A36, SIM_OAG_A37, SIM_CS_READ },
};

const struct sim_cs_model sim_cs_gen7 = {
	.address_bits = 32,
	.registers = gen7_registers,
	.n_registers = ARRAY_SIZE(gen7_registers),
};

const struct sim_cs_model sim_cs_gen8 = {
	.address_bits = 48,
	.registers = gen8_registers,
	.n_registers = ARRAY_SIZE(gen8_registers),
};

const struct sim_cs_model sim_cs_gen12 = {
	.address_bits = 48,
	.registers = gen12_registers,
	.n_registers = ARRAY_SIZE(gen12_registers),
};

const struct sim_cs_model sim_cs_gen12_7 = {
	.address_bits = 48,
	.registers = gen12_7_registers,
	.n_registers = ARRAY_SIZE(gen12_7_registers),
};

const struct sim_cs_model sim_cs_xe2 = {
	.address_bits = 48,
	.registers = xe2_registers,
	.n_registers = ARRAY_SIZE(xe2_registers),
};

static bool is_gpr(u32 reg)
{
	return reg >= CS_GPR(0) && reg < CS_GPR(SIM_CS_N_GPRS);
}

/**
 * sim_cs_register_allowed - may a batch touch a register?
 * @model: the command streamer
 * @reg: MMIO offset, a multiple of 4
 * @access: SIM_CS_READ or SIM_CS_WRITE
 *
 * Return: true if it may
 */
bool sim_cs_register_allowed(const struct sim_cs_model *model, u32 reg, u32 access)
{
	unsigned int i;

	if (is_gpr(reg))
		return true;
	if (reg == RCS_TIMESTAMP || reg == RCS_TIMESTAMP_UDW)
		return access == SIM_CS_READ;
	for (i = 0; i < model->n_registers; i++) {
		const struct sim_cs_register *range = &model->registers[i];

		if (reg >= range->first && reg <= range->last)
			return range->access & access;
	}
	return false;
}

/**
 * sim_cs_register_read - read a register as a batch does
 * @cs: the batch
 * @reg: a register that it may read
 *
 * Return: its value
 */
u32 sim_cs_register_read(struct sim_cs *cs, u32 reg)
{
	if (cs->model->trusted)
		return cs->ops->register_read(cs, reg);
	if (is_gpr(reg))
		return cs->gpr[(reg - CS_GPR(0)) / sizeof(u32)];
	if (reg == RCS_TIMESTAMP)
		return lower_32_bits(cs->ops->timestamp(cs));
	if (reg == RCS_TIMESTAMP_UDW)
		return upper_32_bits(cs->ops->timestamp(cs) & SIM_CS_TIMESTAMP);
	return cs->ops->register_read(cs, reg);
}

/**
 * sim_cs_register_write - write a register as a batch does
 * @cs: the batch
 * @reg: a register that it may write
 * @value: its new value
 */
void sim_cs_register_write(struct sim_cs *cs, u32 reg, u32 value)
{
	if (is_gpr(reg) && !cs->model->trusted)
		cs->gpr[(reg - CS_GPR(0)) / sizeof(u32)] = value;
	else
		cs->ops->register_write(cs, reg, value);
}
