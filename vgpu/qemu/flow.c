// SPDX-License-Identifier: MIT
/*
 * flow.c - commands of flow: batches, interrupts, semaphores, predicates, Haswell's contexts.
 */
#include "commands.h"
#include "context.h"
#include "engine.h"
#include "irq.h"
#include "registers.h"
#include "vgpu.h"

#define MI_GLOBAL BIT(22)

int vgpu_user_interrupt(struct sim_cs *cs)
{
	vgpu_irq_engine(vgpu_engine_of(cs), VGPU_IRQ_USER);

	return 0;
}

int vgpu_arbitration(struct sim_cs *cs)
{
	vgpu_engine_of(cs)->no_switch = !(cs->command[0] & BIT(0));

	return 0;
}

#define BATCH_NESTED BIT(22)
#define BATCH_PREDICATED BIT(15)
#define BATCH_PPGTT BIT(8)

/*
 * A batch of the ring is called; within a batch, another one is called or jumped to. From the
 * context's own address space there is no way to the global one: i915's parser jumps to batches
 * that it refuses to vouch for without saying where they are.
 */
int vgpu_batch_start(struct sim_cs *cs)
{
	struct vgpu_engine *engine = vgpu_engine_of(cs);
	u32 header = cs->command[0];
	bool ppgtt = header & BATCH_PPGTT || (engine->depth && engine->place[engine->depth].ppgtt);

	if (header & BATCH_PREDICATED &&
	    !(*vgpu_engine_reg(engine, RING_PREDICATE_RESULT_1) & BIT(0)))
		return 0;
	if (!engine->depth || header & BATCH_NESTED) {
		if (engine->depth == VGPU_MAX_DEPTH)
			return -ELOOP;
		engine->place[engine->depth].at = cs->next;
		if (!engine->depth) {
			u32 *head = vgpu_engine_reg(engine, RING_HEAD);
			u32 size = (*vgpu_engine_reg(engine, RING_CTL) & RING_CTL_SIZE) + SZ_4K;

			*head = (*head & ~RING_HEAD_OFFSET) | (cs->next & (size - 1));
		}
		engine->depth++;
	}
	engine->place[engine->depth].ppgtt = ppgtt;
	cs->next = sim_cs_address(cs, 1) & GENMASK_ULL(47, 2);

	return 0;
}

int vgpu_batch_end(struct sim_cs *cs)
{
	struct vgpu_engine *engine = vgpu_engine_of(cs);

	if (engine->depth && --engine->depth)
		cs->next = engine->place[engine->depth].at;
	else
		cs->next = *vgpu_engine_reg(engine, RING_HEAD) & RING_HEAD_OFFSET;

	return 0;
}

#define CONDITION_COMPARES BIT(21)

/* The batch goes on as long as what is in memory is more. */
int vgpu_conditional_batch_end(struct sim_cs *cs)
{
	u32 value;

	if (!(cs->command[0] & CONDITION_COMPARES))
		return vgpu_batch_end(cs);
	cs->global = cs->command[0] & MI_GLOBAL;

	return !cs->ops->read(cs, sim_cs_address(cs, 2), &value) && value > cs->command[1] ?
		       0 :
		       vgpu_batch_end(cs);
}

#define SEMAPHORE_REGISTER BIT(16)
#define SEMAPHORE_COMPARES GENMASK(14, 12)

int vgpu_semaphore_wait(struct sim_cs *cs)
{
	u32 header = cs->command[0], wanted = cs->command[1], value;
	bool met;

	cs->global = header & MI_GLOBAL;
	if (header & SEMAPHORE_REGISTER)
		value = cs->ops->register_read(cs, cs->command[2]);
	else if (cs->ops->read(cs, sim_cs_address(cs, 2), &value))
		return -EFAULT;
	switch (FIELD_GET(SEMAPHORE_COMPARES, header)) {
	case 0:
		met = value > wanted;
		break;
	case 1:
		met = value >= wanted;
		break;
	case 2:
		met = value < wanted;
		break;
	case 3:
		met = value <= wanted;
		break;
	case 4:
		met = value == wanted;
		break;
	default:
		met = value != wanted;
	}

	return met ? 0 : SIM_CS_WAITS;
}

int vgpu_set_context(struct sim_cs *cs)
{
	vgpu_context_switch(vgpu_engine_of(cs), cs->command[1], cs->command[1] & BIT(0));

	return 0;
}

/* ---- predicates --------------------------------------------------------------------------- */

#define PREDICATE_LOAD GENMASK(7, 6)
#define PREDICATE_COMBINE GENMASK(4, 3)
#define PREDICATE_COMPARE GENMASK(1, 0)

static u64 predicate_register(struct vgpu_engine *engine, u32 offset)
{
	return *vgpu_engine_reg(engine, offset) | (u64)*vgpu_engine_reg(engine, offset + 4) << 32;
}

static bool predicate_compare(struct vgpu_engine *engine, u32 how)
{
	u64 first = predicate_register(engine, RING_PREDICATE_SRC0);
	u64 second = predicate_register(engine, RING_PREDICATE_SRC1);

	switch (how) {
	case 0:
		return true;
	case 1:
		return false;
	case 2:
		return first == second;
	default:
		return first - second == predicate_register(engine, RING_PREDICATE_DATA);
	}
}

int vgpu_predicate(struct sim_cs *cs)
{
	struct vgpu_engine *engine = vgpu_engine_of(cs);
	u32 header = cs->command[0], *result = vgpu_engine_reg(engine, RING_PREDICATE_RESULT);
	bool before = *result & BIT(0);
	bool now = predicate_compare(engine, FIELD_GET(PREDICATE_COMPARE, header));

	switch (FIELD_GET(PREDICATE_COMBINE, header)) {
	case 1:
		now &= before;
		break;
	case 2:
		now |= before;
		break;
	case 3:
		now ^= before;
		break;
	}
	/* Keep the old one; load it; load it inverted */
	switch (FIELD_GET(PREDICATE_LOAD, header)) {
	case 2:
		*result = now;
		break;
	case 3:
		*result = !now;
		break;
	}

	return 0;
}
