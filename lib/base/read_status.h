/* SPDX-License-Identifier: MIT */
/* read_status.h - combine the status of several reads: gaps, losses and clock pairs */
#ifndef GPUOA_LIB_BASE_READ_STATUS_H
#define GPUOA_LIB_BASE_READ_STATUS_H

#include "gpuoa.h"

/* Add the status of another read to @sum. */
static inline void status_add(struct gpuoa_read_status *sum, const struct gpuoa_read_status *found)
{
	sum->gap |= found->gap;
	sum->end |= found->end;
	sum->lost_unknown |= found->lost_unknown;
	sum->lost_overflow += found->lost_overflow;
	sum->lost_hardware += found->lost_hardware;
	sum->lost_ring += found->lost_ring;
	sum->lost_triggers += found->lost_triggers;
	sum->wraps += found->wraps;
	sum->damaged += found->damaged;
	if (found->has_clock) {
		sum->has_clock = true;
		sum->clock = found->clock;
	}
}

#endif /* GPUOA_LIB_BASE_READ_STATUS_H */
