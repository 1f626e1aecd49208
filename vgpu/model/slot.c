// SPDX-License-Identifier: GPL-2.0-only
/*
 * slot.c - hardware contexts as OA units see them: who has which time slot.
 */
#include "advance.h"
#include "gpu.h"
#include "oa_run.h"
#include "platforms.h"
#include "slot.h"

/**
 * sim_slot_find - find the time slot of a context
 * @gpu: the GPU
 * @hw_id: name of the context in hardware
 *
 * Return: the slot, or -1 if there is no such context
 */
int sim_slot_find(const struct sim_gpu *gpu, u32 hw_id)
{
	int i;

	for (i = 0; i < SIM_N_SLOTS; i++)
		if (hw_id && gpu->slots[i] == hw_id)
			return i;

	return -1;
}

/**
 * sim_slot_context - what reports call the context that runs in a slot
 * @gpu: the GPU
 * @slot: the slot, or SIM_NOBODY
 *
 * Slots that nobody has taken belong to three contexts that are always there, as a desktop's would
 * be.
 *
 * Return: the context's name in hardware; 0 if there is none
 */
u32 sim_slot_context(const struct sim_gpu *gpu, unsigned int slot)
{
	if (slot >= SIM_N_SLOTS)
		return 0;

	return gpu->slots[slot] ?: (1 + slot % 3) << gpu->platform->context_shift;
}

/**
 * sim_slot_set - give a slot to a context
 * @gpu: the GPU, not locked
 * @slot: the slot
 * @hw_id: name of the context in hardware; 0: the slot is free
 */
void sim_slot_set(struct sim_gpu *gpu, unsigned int slot, u32 hw_id)
{
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	/* What was reported until now was the one before. */
	sim_gpu_advance(gpu);
	gpu->slots[slot] = hw_id;
	for (i = 0; i < gpu->n_oa; i++)
		sim_oa_slot_changed(&gpu->oa[i], slot);
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}
