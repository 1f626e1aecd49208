// SPDX-License-Identifier: MIT
/*
 * engine_registers.c - the registers of engines.
 */
#include "engine.h"
#include "engine_registers.h"
#include "vgpu/model/gpu.h"
#include "registers.h"
#include "running.h"
#include "vgpu.h"

static struct vgpu_engine *engine_of_rule(const struct vgpu_rule *rule)
{
	return container_of(rule, struct vgpu_engine, rule);
}

static u64 engine_head(struct vgpu_engine *engine)
{
	if (engine->depth)
		return engine->cs.at;

	return *vgpu_engine_reg(engine, RING_START) +
	       (*vgpu_engine_reg(engine, RING_HEAD) & RING_HEAD_OFFSET);
}

static u32 engine_register_read(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg)
{
	struct vgpu_engine *engine = engine_of_rule(rule);
	u32 stored = *vgpu_reg(vgpu, reg);

	switch (reg - engine->base) {
	case RING_TIMESTAMP:
		return lower_32_bits(sim_gpu_read_timestamp(&vgpu->gpu));
	case RING_TIMESTAMP_UDW:
		return upper_32_bits(sim_gpu_read_timestamp(&vgpu->gpu));
	case RING_CTX_TIMESTAMP:
		return vgpu_clock_read(engine);
	case RING_ACTHD:
		return lower_32_bits(engine_head(engine));
	case RING_ACTHD_UDW:
		return upper_32_bits(engine_head(engine));
	case RING_INSTDONE:
		return ~0U;
	case RING_MI_MODE:
		return vgpu_engine_is_stopped(engine) || vgpu_engine_is_idle(engine) ?
			       stored | MODE_IDLE :
			       stored & ~MODE_IDLE;
	default:
		return stored;
	}
}

/* A reset is granted at once. */
static void engine_write_reset_ctl(struct vgpu_engine *engine, u32 value)
{
	u32 *stored = vgpu_engine_reg(engine, RING_RESET_CTL), mask = value >> 16;

	*stored = (*stored & ~mask) | (value & mask);
	if (*stored & RESET_CTL_REQUEST)
		*stored |= RESET_CTL_READY;
	else
		*stored &= ~RESET_CTL_READY;
	if (value & mask & RESET_CTL_CAT_ERROR)
		*stored &= ~RESET_CTL_CAT_ERROR;
}

/* Registers whose upper half enables writes to the lower one */
static bool is_masked(u32 offset)
{
	static const u16 masked[] = {
		0x50 /* PSMI_CTL */,  0x88 /* ECOSKPD */,    0x8c /* CS_DEBUG_MODE1 */,
		RING_MI_MODE,	      RING_INSTPM,	     RING_CS_DEBUG_MODE2,
		0xe0 /* FF_THREAD */, 0xe4 /* CS_CHICKEN */, 0xec /* CS_DEBUG_MODE1 */,
		0x1d0 /* ECOSKPD */,  RING_CONTEXT_CONTROL,  RING_MODE,
		RING_CS_CHICKEN1,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(masked); i++)
		if (masked[i] == offset)
			return true;

	return false;
}

static void engine_register_write(struct vgpu *vgpu, const struct vgpu_rule *rule, u32 reg,
				  u32 value)
{
	struct vgpu_engine *engine = engine_of_rule(rule);
	u32 offset = reg - engine->base;

	if (vgpu->platform->submission->write(engine, offset, value))
		return;
	if (is_masked(offset)) {
		vgpu_masked.write(vgpu, rule, reg, value);
		/* A flush that was asked for is done. */
		if (offset == RING_INSTPM)
			*vgpu_reg(vgpu, reg) &= ~INSTPM_SYNC_FLUSH;
		return;
	}
	switch (offset) {
	case RING_RESET_CTL:
		engine_write_reset_ctl(engine, value);
		break;
	case RING_EIR:
		vgpu_write_1_clears.write(vgpu, rule, reg, value);
		break;
	case RING_CTX_TIMESTAMP:
		vgpu_clock_set(engine, value);
		break;
	default:
		*vgpu_reg(vgpu, reg) = value;
	}
}

const struct vgpu_behaviour vgpu_engine_registers = {
	engine_register_read,
	engine_register_write,
};
