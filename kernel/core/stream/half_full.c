// SPDX-License-Identifier: GPL-2.0-only
/*
 * half_full.c - a buffer that is half full interrupts: from the host's interrupt to a look.
 */
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/processor.h>

#include "half_full.h"
#include "stream.h"
#include "unit/unit.h"

/**
 * DOC: Half full
 *
 * Reports come in bursts where not only the timer makes them: a context switch may write one every
 * ten microseconds, or none for a minute. A poll timer alone has to expect the worst all the time.
 * Where the host has the OA unit's interrupt, that guards the buffer instead, and the timer has
 * only to serve whoever waits for reports.
 *
 * The interrupt comes once, when the buffer becomes half full, and again only after it was less
 * than that. A look that leaves the buffer half full, since the reader is slow or reports have not
 * landed, will not be interrupted: it paces itself as if there were no interrupt. So the tail is
 * read once more behind the new head (gpuoa_half_full_guards()). What becomes half full later
 * interrupts, and what was so earlier was seen.
 *
 * Interrupts come on any CPU, looks are made on the one where the events are. irq_work can't be
 * queued to another CPU by a module; a call of a function there can, but must not be queued twice,
 * nor can it be waited for: hence &gpuoa_half_full.queued and &gpuoa_half_full.calls.
 *
 * Nothing depends on it but wake-ups. If an interrupt is late or lost, the buffer overflows, the
 * next look of the timer finds that out as ever, and the stream relies on the timer from then on.
 */

/* False if there is nobody to call. */
static bool half_full_call(struct gpuoa_half_full *half_full)
{
	int cpu = READ_ONCE(half_full->cpu);

	return cpu >= 0 && !smp_call_function_single_async(cpu, &half_full->call);
}

/* Look, as soon as can be, on the CPU where the stream runs. Interrupts are off. */
static void half_full_raise(struct gpuoa_half_full *half_full)
{
	/* A call that has not begun yet will see what this one would. */
	if (atomic_xchg(&half_full->queued, 1))
		return;
	atomic_inc(&half_full->calls);
	if (half_full_call(half_full))
		return;
	atomic_set(&half_full->queued, 0);
	atomic_dec(&half_full->calls);
}

static void half_full_arrive(void *data)
{
	struct gpuoa_stream *stream = data;
	struct gpuoa_half_full *half_full = &stream->half_full;

	/* Whoever finds nothing queued must not have been missed by the look. */
	atomic_xchg(&half_full->queued, 0);
	/* The stream may have moved on while this was on its way. */
	if (!gpuoa_stream_hurry(stream))
		half_full_raise(half_full);
	atomic_dec(&half_full->calls);
}

void gpuoa_unit_half_full(struct gpuoa_unit *unit)
{
	unsigned long flags;

	/* No CPU goes offline while interrupts are off here. */
	local_irq_save(flags);
	half_full_raise(&unit->stream->half_full);
	local_irq_restore(flags);
}
EXPORT_SYMBOL_GPL(gpuoa_unit_half_full);

/**
 * gpuoa_half_full_init - begin without an interrupt
 * @stream: the stream
 */
void gpuoa_half_full_init(struct gpuoa_stream *stream)
{
	stream->half_full.cpu = -1;
	INIT_CSD(&stream->half_full.call, half_full_arrive, stream);
}

/**
 * gpuoa_half_full_enable - ask the host for the interrupt
 * @stream: the stream that has the unit
 */
void gpuoa_half_full_enable(struct gpuoa_stream *stream)
{
	struct gpuoa_unit *unit = stream->unit;

	stream->half_full.on = unit->ops->half_full &&
			       !unit->ops->half_full(unit->host, unit->info.unit_type, unit);
}

/**
 * gpuoa_half_full_disable - undo gpuoa_half_full_enable()
 * @stream: the stream
 *
 * No interrupt brings a look any more when it returns.
 */
void gpuoa_half_full_disable(struct gpuoa_stream *stream)
{
	struct gpuoa_unit *unit = stream->unit;

	if (!stream->half_full.on)
		return;
	unit->ops->half_full(unit->host, unit->info.unit_type, NULL);
	spin_until_cond(!atomic_read_acquire(&stream->half_full.calls));
	stream->half_full.on = false;
}

/**
 * gpuoa_half_full_start - the stream starts on this CPU
 * @stream: the stream, locked
 */
void gpuoa_half_full_start(struct gpuoa_stream *stream)
{
	stream->half_full.relied = false;
	stream->half_full.late = false;
	WRITE_ONCE(stream->half_full.cpu, smp_processor_id());
}

/**
 * gpuoa_half_full_stop - the stream runs no more
 * @stream: the stream, locked
 */
void gpuoa_half_full_stop(struct gpuoa_stream *stream)
{
	WRITE_ONCE(stream->half_full.cpu, -1);
}

/**
 * gpuoa_half_full_guards - will the interrupt come before the buffer is full?
 * @stream: the stream, locked
 * @head: what the hardware was told of the reader's progress
 * @size: bytes of the buffer that are used
 *
 * Return: false if there is none, or the buffer is half full already
 */
bool gpuoa_half_full_guards(struct gpuoa_stream *stream, u32 head, u32 size)
{
	struct gpuoa_half_full *half_full = &stream->half_full;
	u32 tail, filled;

	if (!half_full->on || half_full->late)
		return false;
	tail = stream->unit->oa->tail(&stream->hw);
	filled = tail >= head ? tail - head : tail + size - head;
	half_full->relied = filled < stream->hw.buffer_size / 2;

	return half_full->relied;
}

/**
 * gpuoa_half_full_overflow - the buffer was full
 * @stream: the stream, locked
 */
void gpuoa_half_full_overflow(struct gpuoa_stream *stream)
{
	stream->half_full.late |= stream->half_full.relied;
}
