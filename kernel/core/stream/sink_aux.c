// SPDX-License-Identifier: GPL-2.0-only
/* sink_aux.c - zero-copy delivery of reports in the AUX area of a perf event. */
#include <linux/bitfield.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/mm.h>

#include "oa/gpuoa_report.h"
#include "perf_hacks.h"
#include "sink_aux.h"

/**
 * DOC: The AUX area
 *
 * perf counts the bytes written (the head) and the bytes consumed by the reader (the tail). The
 * head modulo the size of the area is always the offset of the next hardware write, so the unit is
 * started there and not at the start of the buffer.
 *
 * A transaction (perf_aux_output_begin() to _end()) is open while the hardware may write. Each poll
 * ends it, which publishes the new reports, and begins the next one, which reads the reader's
 * position.
 *
 * perf disables an event that lost data, because most hardware must then be restarted by the
 * reader. gpuoa restarts the unit itself and undoes the request: see gpuoa_perf_keep_enabled().
 *
 * An area that is mapped read-only has no tail. Only its head moves, and the size of the valid
 * window before the head is published at the end.
 */

/* Size of the area, bytes */
static u32 aux_size(const struct gpuoa_sink_aux *sink)
{
	return sink->area->n_pages << PAGE_SHIFT;
}

/**
 * gpuoa_sink_aux_init() - Initialize the state of an AUX ring.
 * @sink: AUX ring state
 * @event: event that owns the area
 * @format: report format
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
 * gpuoa_sink_aux_attach() - Attach an AUX area.
 * @sink: AUX ring state
 * @area: AUX area
 */
void gpuoa_sink_aux_attach(struct gpuoa_sink_aux *sink, struct gpuoa_aux_area *area)
{
	sink->area = area;
	sink->used = aux_size(sink) - aux_size(sink) % sink->report_size;
	sink->window = 0;
}

/*
 * PERF_EVENT_IOC_SET_OUTPUT may redirect the event to a ring without this area. Do not begin a
 * transaction there: another event may have one open, and perf warns about a second one. perf stops
 * the event before it changes the ring.
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

/* Skip bytes without reports. */
static bool aux_skip(struct gpuoa_sink_aux *sink, u32 bytes)
{
	if (!sink->area->overwrite)
		return !perf_aux_output_skip(&sink->handle, bytes);

	sink->handle.head += bytes;
	sink->window += bytes;

	return true;
}

/*
 * Reports start neither after the last whole slot of the area nor between slots (the head may be
 * there after an area of another size).
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

/* Begin a transaction at the offset of the next report. */
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
 * gpuoa_sink_aux_open() - Begin a transaction.
 * @sink: AUX ring state, with an area
 *
 * Return: true if there is free space and the area is still mapped
 */
bool gpuoa_sink_aux_open(struct gpuoa_sink_aux *sink)
{
	return aux_reopen(sink);
}

/**
 * gpuoa_sink_aux_refresh() - Update the reader's position.
 * @sink: AUX ring state, open
 *
 * Return: true if the transaction was reopened
 */
bool gpuoa_sink_aux_refresh(struct gpuoa_sink_aux *sink)
{
	aux_end(sink, 0);

	return aux_reopen(sink);
}

/**
 * gpuoa_sink_aux_publish() - Publish reports at the head.
 * @sink: AUX ring state, open
 * @count: number of reports
 *
 * Return: true if all @count reports were published; false if the reader has unmapped the area or
 * corrupted its control page, with no transaction open
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
 * gpuoa_sink_aux_skip() - Skip slots without reports at the head.
 * @sink: AUX ring state, open
 * @count: number of slots, less than the free space
 *
 * Return: true if the transaction is still open
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
 * gpuoa_sink_aux_passed() - Check whether the reader has consumed all reports before a position.
 * @sink: AUX ring state, open
 * @head: value of perf's head at the position, bytes
 *
 * Return: true if it has; always true for a flight recorder
 */
bool gpuoa_sink_aux_passed(const struct gpuoa_sink_aux *sink, unsigned long head)
{
	if (sink->area->overwrite)
		return true;

	/* perf always leaves one byte between head and tail. */
	return sink->handle.head + sink->handle.size + 1 >= head + aux_size(sink);
}

/**
 * gpuoa_sink_aux_close() - End the transaction after the hardware was stopped.
 * @sink: AUX ring state
 *
 * The slot at the head may hold an incomplete report, so a flight recorder's window excludes it.
 */
void gpuoa_sink_aux_close(struct gpuoa_sink_aux *sink)
{
	if (!sink->open)
		return;

	sink->window = min_t(u64, sink->window, aux_size(sink) - sink->report_size);
	aux_end(sink, sink->area->overwrite ? sink->window : 0);
}

/**
 * gpuoa_sink_aux_offset() - Get the offset of the next report.
 * @sink: AUX ring state, open
 *
 * Return: offset, bytes
 */
u32 gpuoa_sink_aux_offset(const struct gpuoa_sink_aux *sink)
{
	return sink->handle.head & (aux_size(sink) - 1);
}

/**
 * gpuoa_sink_aux_reader() - Get the offset up to which the hardware may write.
 * @sink: AUX ring state, open
 *
 * Return: offset of the first slot that the reader still needs, or of the head if there is none,
 * bytes
 */
u32 gpuoa_sink_aux_reader(const struct gpuoa_sink_aux *sink)
{
	u32 offset;

	if (sink->area->overwrite)
		return gpuoa_sink_aux_offset(sink);
	/* perf always leaves one byte between head and tail. */
	offset = (sink->handle.head + sink->handle.size + 1) & (aux_size(sink) - 1);

	return offset < sink->used ? rounddown(offset, sink->report_size) : 0;
}

/**
 * gpuoa_sink_aux_room() - Get the free space for the hardware.
 * @sink: AUX ring state, open
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
 * gpuoa_sink_aux_wanted() - Get the number of reports until the reader's wakeup watermark.
 * @sink: AUX ring state, open
 *
 * Return: number of reports; 0 for a flight recorder, which has no wakeups
 */
u32 gpuoa_sink_aux_wanted(const struct gpuoa_sink_aux *sink)
{
	unsigned long left = sink->handle.wakeup - sink->handle.head;

	if (sink->area->overwrite)
		return 0;

	return DIV_ROUND_UP(min_t(unsigned long, left, sink->used), sink->report_size);
}
