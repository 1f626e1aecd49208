// SPDX-License-Identifier: MIT
/* marker.c - GPU commands with which a batch writes a marker into streams */
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
