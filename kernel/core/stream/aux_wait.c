// SPDX-License-Identifier: GPL-2.0-only
/* aux_wait.c - time until the next poll of an AUX area; see mode_aux.c. */
#include <linux/minmax.h>

#include "aux_drain.h"
#include "aux_wait.h"
#include "mode.h"
#include "stream.h"

/* Maximum and minimum time until the next poll */
#define GPUOA_AUX_POLL_MAX_NS NSEC_PER_SEC
#define GPUOA_AUX_POLL_MIN_NS (500 * NSEC_PER_USEC)

/* Minimum time if buffer and period are too small for GPUOA_AUX_POLL_MIN_NS */
#define GPUOA_AUX_POLL_FAST_NS (100 * NSEC_PER_USEC)

/* Reports are held back if the reader's wakeup watermark is reached within this time. */
#define GPUOA_AUX_SOON_NS (200 * NSEC_PER_MSEC)

/* Number of reports that the hardware can still write */
static u32 aux_room(const struct gpuoa_stream *stream)
{
	u32 room = gpuoa_sink_aux_room(&stream->aux.sink);

	return room - min(room, stream->aux.waiting);
}

/**
 * gpuoa_aux_short_of_room() - Check whether the buffer may fill up before the earliest next poll.
 * @stream: stream
 *
 * Return: true if it may
 */
bool gpuoa_aux_short_of_room(const struct gpuoa_stream *stream)
{
	u32 room = aux_room(stream);

	return room < gpuoa_aux_slots(stream) / 4 &&
	       gpuoa_pace_fill(&stream->pace, room) < 2 * GPUOA_AUX_POLL_FAST_NS;
}

/**
 * gpuoa_aux_can_wait() - Check whether publishing can wait for more reports.
 * @stream: stream
 * @tail: hardware tail, offset in bytes
 *
 * Return: true if the reader's wakeup watermark is not reached but will be soon, no caller
 * requested this poll, and no gap is pending, so that reports need not be checked one by one
 */
bool gpuoa_aux_can_wait(const struct gpuoa_stream *stream, u32 tail)
{
	const struct gpuoa_aux *aux = &stream->aux;
	u32 wanted = gpuoa_landing_ahead(gpuoa_sink_aux_wanted(&aux->sink));
	u32 announced = gpuoa_landing_announced(&aux->landing, tail);

	return announced < wanted && !stream->asked && !aux->suspect && !stream->loss.pending &&
	       (wanted - announced) * stream->pace.period_ns <= GPUOA_AUX_SOON_NS;
}

/* Poll before the hardware has filled half of the free space. */
static u64 aux_wait_for_room(const struct gpuoa_stream *stream)
{
	u64 half = gpuoa_pace_fill(&stream->pace, aux_room(stream) / 2);

	return max_t(u64, half, GPUOA_AUX_POLL_FAST_NS);
}

/* Maximum latency of context switch reports, if the reader waits for any report */
static u64 aux_wait_for_others(const struct gpuoa_stream *stream)
{
	return gpuoa_sink_aux_wanted(&stream->aux.sink) ? gpuoa_pace_latency(&stream->pace) :
							  U64_MAX;
}

static bool aux_guarded(struct gpuoa_stream *stream)
{
	if (stream->aux.guarding)
		return false;

	return gpuoa_half_full_guards(&stream->half_full, &stream->hw,
				      gpuoa_sink_aux_reader(&stream->aux.sink),
				      stream->aux.landing.size);
}

/* Time until the reader's wakeup watermark is reached */
static u64 aux_wait_for_reader(const struct gpuoa_stream *stream)
{
	const struct gpuoa_aux *aux = &stream->aux;
	u32 wanted = gpuoa_sink_aux_wanted(&aux->sink);
	u64 now, wait;

	/* The first reports are checked one by one, so poll while they are few. */
	if (aux->suspect)
		wanted = 1;
	if (!wanted)
		return GPUOA_AUX_POLL_MAX_NS;
	wanted = gpuoa_landing_ahead(wanted);
	now = gpuoa_aux_now(stream);
	/* One report always waits for its successor; more than one wait for the watermark. */
	if (aux->waiting > 1 && aux->waiting < wanted)
		wait = gpuoa_pace_until(&stream->pace, now, now, wanted - aux->waiting);
	else
		wait = gpuoa_pace_until(&stream->pace, now, aux->landing.last, wanted);

	return clamp_t(u64, wait, GPUOA_AUX_POLL_MIN_NS, GPUOA_AUX_POLL_MAX_NS);
}

/**
 * gpuoa_aux_wait() - Compute the time until the next poll.
 * @stream: stream
 *
 * Return: time, ns
 */
u64 gpuoa_aux_wait(struct gpuoa_stream *stream)
{
	u64 room;

	if (!stream->running)
		return GPUOA_AUX_POLL_FULL_NS;

	room = aux_wait_for_room(stream);
	if (aux_guarded(stream))
		room = max(room, aux_wait_for_others(stream));

	return min(room, aux_wait_for_reader(stream));
}
