// SPDX-License-Identifier: MIT
/*
 * flush.c - PIPE_CONTROL and MI_FLUSH_DW: writes behind what came before.
 */
#include "commands.h"
#include "engine.h"
#include "vgpu.h"

#define POST_SYNC GENMASK(15, 14)
#define POST_SYNC_NONE 0
#define POST_SYNC_IMMEDIATE 1
#define POST_SYNC_DEPTH 2
#define POST_SYNC_TIMESTAMP 3
#define FLUSH_NOTIFIES BIT(8)
#define FLUSH_INDEX BIT(21)
#define PIPE_CONTROL_GLOBAL BIT(24)
#define PS_DEPTH_COUNT 0x2350

/**
 * struct post_sync - a write behind what came before
 * @operation: POST_SYNC_*
 * @address: where to
 * @data: index of the immediate data in the command
 */
struct post_sync {
	u32 operation;
	u64 address;
	unsigned int data;
};

static void post_sync(struct sim_cs *cs, const struct post_sync *sync)
{
	u32 high = cs->n > sync->data + 1 ? cs->command[sync->data + 1] : 0;
	u64 value = cs->command[sync->data] | (u64)high << 32;
	bool qword = cs->n > sync->data + 1 || sync->operation != POST_SYNC_IMMEDIATE;
	struct vgpu *vgpu = vgpu_engine_of(cs)->vgpu;

	if (sync->operation == POST_SYNC_TIMESTAMP)
		value = cs->ops->timestamp(cs) & SIM_CS_TIMESTAMP;
	else if (sync->operation == POST_SYNC_DEPTH)
		value = *vgpu_reg(vgpu, PS_DEPTH_COUNT) | (u64)*vgpu_reg(vgpu, PS_DEPTH_COUNT + 4)
								  << 32;
	cs->ops->write(cs, sync->address, lower_32_bits(value));
	if (qword)
		cs->ops->write(cs, sync->address + 4, upper_32_bits(value));
}

/* What the command asks for once all before it is done. */
static void complete(struct sim_cs *cs, u32 flags, const struct post_sync *sync)
{
	if (sync->operation != POST_SYNC_NONE)
		post_sync(cs, sync);
	if (flags & FLUSH_NOTIFIES)
		vgpu_user_interrupt(cs);
}

int vgpu_pipe_control(struct sim_cs *cs)
{
	u32 flags = cs->command[1];
	struct post_sync sync = {
		.operation = FIELD_GET(POST_SYNC, flags),
		.address = sim_cs_address(cs, 2) & ~7ULL,
		.data = sim_cs_is_wide(cs) ? 4 : 3,
	};

	cs->global = flags & PIPE_CONTROL_GLOBAL;
	if (flags & FLUSH_INDEX) {
		sync.address += vgpu_engine_status_page(vgpu_engine_of(cs));
		cs->global = true;
	}
	complete(cs, flags, &sync);

	return 0;
}

#define FLUSH_DW_GLOBAL BIT(2)

int vgpu_flush_dw(struct sim_cs *cs)
{
	u32 flags = cs->command[0];
	struct post_sync sync = {
		.operation = FIELD_GET(POST_SYNC, flags),
		.address = sim_cs_address(cs, 1) & ~7ULL,
		.data = sim_cs_is_wide(cs) ? 3 : 2,
	};

	cs->global = cs->command[1] & FLUSH_DW_GLOBAL;
	if (flags & FLUSH_INDEX) {
		sync.address = (cs->command[1] & GENMASK(11, 3)) +
			       vgpu_engine_status_page(vgpu_engine_of(cs));
		cs->global = true;
	}
	complete(cs, flags, &sync);

	return 0;
}
