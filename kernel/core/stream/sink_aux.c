// SPDX-License-Identifier: GPL-2.0-only
/*
 * sink_aux.c - reports that stay where the hardware put them: the AUX area of a perf event.
 */
#include <linux/bitfield.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/mm.h>

#include "oa/report.h"
#include "perf_hacks.h"
#include "sink_aux.h"

/**
 * DOC: The AUX area
 *
 * Core counts bytes: those that were written (the head), and those that the reader is done with
 * (the tail). Head modulo the area's size is the offset where the hardware writes next, always:
 * that is why the unit is started there and not at the start of the buffer.
 *
 * A transaction (perf_aux_output_begin() to _end()) is open while the hardware may write. Each poll
 * ends it, which publishes what has come since, and begins the next, which asks for the reader's
 * progress.
 *
 * Core disables an event when something was lost, for most hardware needs the reader to set it
 * going again. Ours does not, so core is made to forget about that: see gpuoa_perf_keep_enabled().
 *
 * An area that is mapped read-only has no tail. There the head alone moves, and core is told at the
 * end the size of the window before it.
 */

/* Bytes of the area */
static u32 aux_size(const struct gpuoa_sink_aux *sink)
{
	return sink->area->n_pages << PAGE_SHIFT;
}

/**
 * gpuoa_sink_aux_init - make a sink
 * @sink: the sink
 * @event: the event whose AUX area it is
 * @format: format of the reports
 */
void gpuoa_sink_aux_init(struct gpuoa_sink_aux *sink, struct perf_event *event,
			 const struct gpuoa_format_desc *format)
{
	*sink = (struct gpuoa_sink_aux){
		.event = event,
		.format = format->id,
		.report_size = format->size,
	};
}

/**
 * gpuoa_sink_aux_attach - give an event its AUX area
 * @sink: the sink
 * @area: the area
 */
void gpuoa_sink_aux_attach(struct gpuoa_sink_aux *sink, struct gpuoa_aux_area *area)
{
	sink->area = area;
	sink->used = aux_size(sink) - aux_size(sink) % sink->report_size;
	sink->window = 0;
}

/*
 * By PERF_EVENT_IOC_SET_OUTPUT, the event can have another ring than the one that the area is part
 * of. Core must not be asked for a transaction there: another event may have one open, and core
 * warns about the second. Core stops the event before it changes the ring.
 */
static bool aux_begin(struct gpuoa_sink_aux *sink)
{
	unsigned int pending = gpuoa_perf_pending_disable(sink->event);

	sink->open = READ_ONCE(sink->event->rb) == sink->area->ring &&
		     perf_aux_output_begin(&sink->handle, sink->event);
	gpuoa_perf_keep_enabled(sink->event, pending);

	return sink->open;
}

static void aux_end(struct gpuoa_sink_aux *sink, unsigned long bytes)
{
	unsigned int pending = gpuoa_perf_pending_disable(sink->event);
	u64 flags = FIELD_PREP(PERF_AUX_FLAG_PMU_FORMAT_TYPE_MASK, sink->format);

	if (sink->truncated && (bytes || !sink->area->overwrite))
		flags |= PERF_AUX_FLAG_TRUNCATED;
	if (flags & PERF_AUX_FLAG_TRUNCATED)
		sink->truncated = false;

	perf_aux_output_flag(&sink->handle, flags);
	perf_aux_output_end(&sink->handle, bytes);
	gpuoa_perf_keep_enabled(sink->event, pending);
	sink->open = false;
}

/* Pass over bytes that hold no report. */
static bool aux_skip(struct gpuoa_sink_aux *sink, u32 bytes)
{
	if (!sink->area->overwrite)
		return !perf_aux_output_skip(&sink->handle, bytes);

	sink->handle.head += bytes;
	sink->window += bytes;

	return true;
}

/*
 * Reports don't begin behind the last one that fits into the area, nor between slots (where the
 * head of an area of another size may have been).
 */
static bool aux_align(struct gpuoa_sink_aux *sink)
{
	u32 offset = sink->handle.head & (aux_size(sink) - 1);
	u32 next = roundup(offset, sink->report_size);

	if (next >= sink->used)
		next = aux_size(sink);
	if (next == offset)
		return true;

	return aux_skip(sink, next - offset);
}

/* Begin a transaction where the next report goes. */
static bool aux_reopen(struct gpuoa_sink_aux *sink)
{
	if (!aux_begin(sink))
		return false;
	if (aux_align(sink))
		return true;
	aux_end(sink, 0);

	return false;
}

/**
 * gpuoa_sink_aux_open - let the hardware write
 * @sink: the sink, with an area
 *
 * Return: true if there is room and the area is still mapped
 */
bool gpuoa_sink_aux_open(struct gpuoa_sink_aux *sink)
{
	return aux_reopen(sink);
}

/**
 * gpuoa_sink_aux_refresh - ask for the reader's progress
 * @sink: the sink, open
 *
 * Return: true if the sink is still open
 */
bool gpuoa_sink_aux_refresh(struct gpuoa_sink_aux *sink)
{
	aux_end(sink, 0);

	return aux_reopen(sink);
}

/**
 * gpuoa_sink_aux_publish - publish reports at the head
 * @sink: the sink, open
 * @count: number of them
 *
 * Return: true if all @count reports were published. Else the reader has unmapped the area, or
 * broken it, and the sink is not open any more
 */
bool gpuoa_sink_aux_publish(struct gpuoa_sink_aux *sink, u32 count)
{
	u32 bytes, fit;

	while (count) {
		fit = (sink->used - gpuoa_sink_aux_offset(sink)) / sink->report_size;
		bytes = min(count, fit) * sink->report_size;
		count -= min(count, fit);
		local64_add(bytes / sink->report_size, &sink->event->count);
		if (sink->area->overwrite) {
			sink->handle.head += bytes;
			sink->window += bytes;
			aux_align(sink);
			continue;
		}
		aux_end(sink, bytes);
		if (!aux_reopen(sink))
			return !count;
	}

	return true;
}

/**
 * gpuoa_sink_aux_skip - leave out slots at the head, which hold no reports
 * @sink: the sink, open
 * @count: number of them, less than there is room for
 *
 * Return: true if it is still open
 */
bool gpuoa_sink_aux_skip(struct gpuoa_sink_aux *sink, u32 count)
{
	while (count--) {
		if (aux_skip(sink, sink->report_size) && aux_align(sink))
			continue;
		aux_end(sink, 0);
		return false;
	}

	return true;
}

/**
 * gpuoa_sink_aux_passed - has the reader read all up to this place?
 * @sink: the sink, open
 * @head: what core had counted there, in bytes
 *
 * Return: true if it has; also for a flight recorder, where nobody reads
 */
bool gpuoa_sink_aux_passed(const struct gpuoa_sink_aux *sink, unsigned long head)
{
	if (sink->area->overwrite)
		return true;

	/* There is always a byte left between head and tail. */
	return sink->handle.head + sink->handle.size + 1 >= head + aux_size(sink);
}

/**
 * gpuoa_sink_aux_close - the hardware writes no more
 * @sink: the sink
 *
 * The slot at the head may hold the beginning of a report that was not finished: a flight
 * recorder's window goes from behind it once around.
 */
void gpuoa_sink_aux_close(struct gpuoa_sink_aux *sink)
{
	if (!sink->open)
		return;

	sink->window = min_t(u64, sink->window, aux_size(sink) - sink->report_size);
	aux_end(sink, sink->area->overwrite ? sink->window : 0);
}

/**
 * gpuoa_sink_aux_offset - the offset where the next report goes
 * @sink: the sink, open
 *
 * Return: offset
 */
u32 gpuoa_sink_aux_offset(const struct gpuoa_sink_aux *sink)
{
	return sink->handle.head & (aux_size(sink) - 1);
}

/**
 * gpuoa_sink_aux_reader - the offset up to which the hardware may write
 * @sink: the sink, open
 *
 * Return: offset of the slot that the reader still needs; that of the head if it needs none
 */
u32 gpuoa_sink_aux_reader(const struct gpuoa_sink_aux *sink)
{
	u32 offset;

	if (sink->area->overwrite)
		return gpuoa_sink_aux_offset(sink);
	/* There is always a byte left between head and tail. */
	offset = (sink->handle.head + sink->handle.size + 1) & (aux_size(sink) - 1);

	return offset < sink->used ? rounddown(offset, sink->report_size) : 0;
}

/**
 * gpuoa_sink_aux_room - room for the hardware to write
 * @sink: the sink, open
 *
 * Return: number of reports
 */
u32 gpuoa_sink_aux_room(const struct gpuoa_sink_aux *sink)
{
	u32 slots = sink->used / sink->report_size;

	if (sink->area->overwrite)
		return slots - 1;

	return min_t(u32, sink->handle.size / sink->report_size, slots - 1);
}

/**
 * gpuoa_sink_aux_wanted - the number of reports that the reader waits for
 * @sink: the sink, open
 *
 * Return: number of reports until it is woken; 0: it is not waiting
 */
u32 gpuoa_sink_aux_wanted(const struct gpuoa_sink_aux *sink)
{
	unsigned long left = sink->handle.wakeup - sink->handle.head;

	if (sink->area->overwrite)
		return 0;

	return DIV_ROUND_UP(min_t(unsigned long, left, sink->used), sink->report_size);
}
