/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * aux_drain.h - publishing new reports of an AUX area, and the gaps between them.
 *
 * All functions are called with &gpuoa_stream.lock held, on the unit's CPU with interrupts
 * disabled.
 */
#ifndef _GPUOA_AUX_DRAIN_H
#define _GPUOA_AUX_DRAIN_H

#include "stream.h"
#include "unit/gpuoa_unit.h"

static inline u64 gpuoa_aux_now(const struct gpuoa_stream *stream)
{
	return stream->unit->ops->timestamp(stream->unit->provider);
}

/* True if the area is a flight recorder, which is mapped read-only and overwritten. */
static inline bool gpuoa_aux_overwrite(const struct gpuoa_stream *stream)
{
	return stream->aux.sink.area && stream->aux.sink.area->overwrite;
}

bool gpuoa_aux_mark_gap(struct gpuoa_stream *stream);
void gpuoa_aux_lost(struct gpuoa_stream *stream, u64 count);
void gpuoa_aux_note_loss(struct gpuoa_stream *stream, u32 type);
u32 gpuoa_aux_drain(struct gpuoa_stream *stream, u32 tail);
void gpuoa_aux_drain_stopped(struct gpuoa_stream *stream, u32 tail);

#endif
