// SPDX-License-Identifier: GPL-2.0-only
/*
 * oa_selection.c - what the registers of an OA unit make its counters count.
 */
#include "oa_selection.h"
#include "select.h"

/**
 * sim_oa_write_mux - the driver has written a register of the multiplexer
 * @oa: the unit
 * @reg: MMIO offset
 * @value: what it wrote
 * @begins: this write begins a configuration, and so its hash
 */
void sim_oa_write_mux(struct sim_oa *oa, u32 reg, u32 value, bool begins)
{
	oa->mux = begins ? SIM_HASH_START : sim_hash(oa->mux, reg, value);
	oa->stale = true;
}

/**
 * sim_oa_selection - what the registers make the counters count now
 * @oa: the unit
 *
 * Return: the selection
 */
const struct sim_selection *sim_oa_selection(struct sim_oa *oa)
{
	struct sim_selection *selection = &oa->selection;

	if (!oa->stale)
		return selection;
	oa->stale = false;
	oa->cursor.to = 0;
	memset(selection, 0, sizeof(*selection));
	selection->hash = oa->mux;
	oa->ops->select(oa, selection);
	if (selection->name || oa->running) {
		oa->known = *selection;
		oa->has_counted = true;
	}
	return selection;
}

/**
 * sim_oa_known - what the counters counted
 * @oa: the unit
 *
 * The last selection that was programmed, or that there was a report of: some sets need nothing but
 * what counts always. Until then it is what counts always.
 *
 * Return: the selection
 */
const struct sim_selection *sim_oa_known(struct sim_oa *oa)
{
	const struct sim_selection *selection = sim_oa_selection(oa);

	return oa->has_counted ? &oa->known : selection;
}
