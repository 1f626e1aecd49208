// SPDX-License-Identifier: MIT
/*
 * marker.c - GPU commands with which a batch writes a marker into streams; timestamps that commands
 * write
 */
#include <errno.h>

#include "base/sized.h"
#include "gpuoa-query.h"
#include "uapi/gpuoa.h"

#define MI_NOOP 0
/* writes one register; operands: its offset and the value */
#define MI_LOAD_REGISTER_IMM (0x22 << 23 | 1)

int gpuoa_marker_commands(const struct gpuoa_unit_desc *unit, size_t size, uint32_t value,
			  uint32_t *dwords, size_t room)
{
	const struct complaint complaint = { 0 };
	struct gpuoa_unit_desc known;
	const int err = sized_take_desc(&known, sizeof(known), unit, size, "fields of the unit",
					&complaint);

	if (err)
		return err;
	if (!(known.features & GPUOA_UNIT_MARKERS))
		return -EOPNOTSUPP;
	if (room < GPUOA_MARKER_DWORDS)
		return -ENOBUFS;
	dwords[0] = MI_LOAD_REGISTER_IMM;
	dwords[1] = GPUOA_TRIGGER_REGISTER;
	dwords[2] = value;
	dwords[3] = MI_NOOP; /* batches must have an even number of dwords */
	return GPUOA_MARKER_DWORDS;
}

uint64_t gpuoa_ticks_rescale(uint64_t ticks, uint64_t from_frequency, uint64_t to_frequency)
{
	unsigned __int128 scaled;

	if (!from_frequency)
		return 0;
	scaled = (unsigned __int128)ticks * to_frequency / from_frequency;
	return scaled > UINT64_MAX ? UINT64_MAX : (uint64_t)scaled;
}
