/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * aux_wait.h - time until the next poll of an AUX area.
 *
 * All functions are called with &gpuoa_stream.lock held, on the unit's CPU with interrupts
 * disabled.
 */
#ifndef _GPUOA_AUX_WAIT_H
#define _GPUOA_AUX_WAIT_H

#include <linux/time64.h>

#include "stream.h"

/* Poll interval while the unit is stopped because the buffer is full. */
#define GPUOA_AUX_POLL_FULL_NS (2 * NSEC_PER_MSEC)

static inline u32 gpuoa_aux_slots(const struct gpuoa_stream *stream)
{
	return stream->aux.landing.size / stream->request.format->size;
}

bool gpuoa_aux_short_of_room(const struct gpuoa_stream *stream);
bool gpuoa_aux_can_wait(const struct gpuoa_stream *stream, u32 tail);
u64 gpuoa_aux_wait(struct gpuoa_stream *stream);

#endif
