// SPDX-License-Identifier: MIT
/*
 * stores.c - commands that change memory: status page, copies, atomics, the global page table.
 */
#include "commands.h"
#include "engine.h"
#include "registers.h"
#include "vgpu.h"

#define MI_GLOBAL BIT(22)

int vgpu_store_index(struct sim_cs *cs)
{
	struct vgpu_engine *engine = vgpu_engine_of(cs);
	u64 page = vgpu_engine_status_page(engine);

	cs->global = true;

	return sim_cs_write(cs, 1, page + (cs->command[1] & GENMASK(11, 2)), cs->command[2]);
}

#define COPY_FROM_GLOBAL BIT(22)
#define COPY_TO_GLOBAL BIT(21)

int vgpu_copy_mem_mem(struct sim_cs *cs)
{
	u32 value;

	cs->global = cs->command[0] & COPY_FROM_GLOBAL;
	if (cs->ops->read(cs, sim_cs_address(cs, 3), &value))
		return -EFAULT;
	cs->global = cs->command[0] & COPY_TO_GLOBAL;

	return cs->ops->write(cs, sim_cs_address(cs, 1), value);
}

#define ATOMIC_QWORD BIT(19)
#define ATOMIC_INLINE BIT(18)
#define ATOMIC_RETURNS BIT(16)
#define ATOMIC_OPERATION GENMASK(12, 8)

static u64 atomic_result(u32 operation, u64 before, u64 first, u64 second, bool qword)
{
	s64 is = qword ? (s64)before : (s32)before, to = qword ? (s64)first : (s32)first;

	switch (operation) {
	case 0x1:
		return before & first;
	case 0x2:
		return before | first;
	case 0x3:
		return before ^ first;
	case 0x4:
		return first;
	case 0x5:
		return before + 1;
	case 0x6:
		return before - 1;
	case 0x7:
		return before + first;
	case 0x8:
		return before - first;
	case 0x9:
		return first - before;
	case 0xa:
		return is > to ? before : first;
	case 0xb:
		return is < to ? before : first;
	case 0xc:
		return max(before, first);
	case 0xd:
		return min(before, first);
	case 0xe:
		return before == first ? second : before;
	default:
		return before;
	}
}

/* Operands stand in the command, or in the first two general purpose registers. */
int vgpu_atomic(struct sim_cs *cs)
{
	const u32 *gpr = vgpu_engine_reg(vgpu_engine_of(cs), RING_GPR), *in = cs->command + 3;
	bool qword = cs->command[0] & ATOMIC_QWORD, inlined = cs->command[0] & ATOMIC_INLINE;
	u64 address = sim_cs_address(cs, 1), before, after;
	u64 first = inlined ? in[0] | (u64)in[2] << 32 : gpr[0] | (u64)gpr[1] << 32;
	u64 second = inlined ? in[1] | (u64)in[3] << 32 : gpr[2] | (u64)gpr[3] << 32;
	u32 low, high = 0;

	cs->global = cs->command[0] & MI_GLOBAL;
	if (cs->ops->read(cs, address, &low) || (qword && cs->ops->read(cs, address + 4, &high)))
		return -EFAULT;
	before = low | (u64)high << 32;
	if (!qword) {
		first = (u32)first;
		second = (u32)second;
	}
	if (cs->command[0] & ATOMIC_RETURNS)
		vgpu_log(vgpu_engine_of(cs)->vgpu, "MI_ATOMIC returns nothing\n");
	after = atomic_result(FIELD_GET(ATOMIC_OPERATION, cs->command[0]), before, first, second,
			      qword);
	cs->ops->write(cs, address, lower_32_bits(after));
	if (qword)
		cs->ops->write(cs, address + 4, upper_32_bits(after));

	return 0;
}

/* Entries of the global page table */
int vgpu_update_gtt(struct sim_cs *cs)
{
	struct vgpu *vgpu = vgpu_engine_of(cs)->vgpu;
	u64 at = (u64)(cs->command[1] >> 12) * (sim_cs_is_wide(cs) ? sizeof(u64) : sizeof(u32));
	unsigned int i, end = min(cs->n, (unsigned int)SIM_CS_MAX_COMMAND);

	if (cs->n > end)
		vgpu_log(vgpu, "MI_UPDATE_GTT has more entries than are fetched\n");
	for (i = 2; i < end && at + sizeof(u32) <= vgpu->gtt_size; i++, at += sizeof(u32))
		memcpy(vgpu->gtt + at, &cs->command[i], sizeof(u32));

	return 0;
}
