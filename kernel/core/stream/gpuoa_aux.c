// SPDX-License-Identifier: GPL-2.0-only
/* gpuoa_aux.c - AUX mode: the reader's AUX area is the OABUFFER, or reports are copied into it. */
#include <linux/bitfield.h>
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "gpuoa_aux.h"
#include "gpuoa_mode.h"
#include "gpuoa_perf_hacks.h"
#include "gpuoa_program.h"
#include "gpuoa_recovery.h"
#include "gpuoa_run.h"
#include "gpuoa_stream.h"
#include "oa/gpuoa_report.h"
#include "unit/gpuoa_unit.h"

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

/* Granularity of the hardware's head pointer, which divides all report sizes, bytes */
#define AUX_HEAD_UNIT 64

/* Get the size of the area, bytes. */
static u32 aux_size(const struct gpuoa_sink_aux *sink)
{
	return sink->area->n_pages << PAGE_SHIFT;
}

/**
 * gpuoa_sink_aux_offset() - Get the offset of the next report.
 * @sink: AUX ring state, with an open transaction
 *
 * Return: offset, bytes
 */
static u32 gpuoa_sink_aux_offset(const struct gpuoa_sink_aux *sink)
{
	return sink->handle.head & (aux_size(sink) - 1);
}

/**
 * gpuoa_sink_aux_init() - Initialize the state of an AUX ring.
 * @sink: AUX ring state
 * @event: event that owns the area
 * @format: report format
 * @splits: the unit splits reports at the end of the buffer
 */
void gpuoa_sink_aux_init(struct gpuoa_sink_aux *sink, struct perf_event *event,
			 const struct gpuoa_format_desc *format, bool splits)
{
	*sink = (struct gpuoa_sink_aux){
		.event = event,
		.format = format->id,
		.report_size = format->size,
		.split = splits && !is_power_of_2(format->size),
	};
}

/**
 * gpuoa_sink_aux_attach() - Attach an AUX area.
 * @sink: AUX ring state
 * @area: AUX area
 */
static void gpuoa_sink_aux_attach(struct gpuoa_sink_aux *sink, struct gpuoa_aux_area *area)
{
	sink->area = area;
	sink->used = aux_size(sink) - (sink->split ? 0 : aux_size(sink) % sink->report_size);
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
	u64 flags = 0;

	if (sink->truncated && (bytes || !sink->area->overwrite)) {
		flags = PERF_AUX_FLAG_TRUNCATED;
		sink->truncated = false;
	}
	/* Older kernels write a record of no bytes if it has any flag. */
	if (bytes || flags)
		flags |= FIELD_PREP(PERF_AUX_FLAG_PMU_FORMAT_TYPE_MASK, sink->format);

	perf_aux_output_flag(&sink->handle, flags);
	perf_aux_output_end(&sink->handle, bytes);
	gpuoa_perf_keep_enabled(sink->event, pending);
	sink->open = false;
}

/* Advance the head of a flight recorder. */
static void aux_advance(struct gpuoa_sink_aux *sink, u32 bytes)
{
	sink->handle.head += bytes;
	sink->window += bytes;
}

/* Skip bytes without reports. */
static bool aux_skip(struct gpuoa_sink_aux *sink, u32 bytes)
{
	if (!sink->area->overwrite)
		return !perf_aux_output_skip(&sink->handle, bytes);

	aux_advance(sink, bytes);

	return true;
}

/*
 * Get the number of bytes from the head to the next slot. A report cannot start after the last
 * whole slot of the area, nor between slots. The head may be at such an offset if the preceding
 * area had another size. If reports are split, slots start at multiples of their size in perf's
 * byte count.
 */
static u32 aux_bytes_to_slot(const struct gpuoa_sink_aux *sink)
{
	u32 offset = gpuoa_sink_aux_offset(sink);
	u32 next = roundup(offset, sink->report_size);

	if (sink->split)
		return roundup(sink->handle.head, sink->report_size) - sink->handle.head;
	if (next >= sink->used)
		next = aux_size(sink);

	return next - offset;
}

static bool aux_align(struct gpuoa_sink_aux *sink)
{
	u32 bytes = aux_bytes_to_slot(sink);

	return !bytes || aux_skip(sink, bytes);
}

/* Get the number of slots from the head on that one PERF_RECORD_AUX can describe. */
static u32 aux_record_max(const struct gpuoa_sink_aux *sink)
{
	if (sink->split)
		return aux_size(sink) / sink->report_size;

	return (sink->used - gpuoa_sink_aux_offset(sink)) / sink->report_size;
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
static bool gpuoa_sink_aux_open(struct gpuoa_sink_aux *sink)
{
	return aux_reopen(sink);
}

/**
 * gpuoa_sink_aux_refresh() - Update the reader's position.
 * @sink: AUX ring state, with an open transaction
 *
 * Return: true if the transaction was reopened
 */
static bool gpuoa_sink_aux_refresh(struct gpuoa_sink_aux *sink)
{
	aux_end(sink, 0);

	return aux_reopen(sink);
}

/**
 * gpuoa_sink_aux_publish() - Publish reports at the head.
 * @sink: AUX ring state, with an open transaction
 * @count: number of reports
 *
 * Return: true if all @count reports were published; false if the reader has unmapped the area or
 * corrupted its control page, with no transaction open
 */
static bool gpuoa_sink_aux_publish(struct gpuoa_sink_aux *sink, u32 count)
{
	u32 bytes, fit;

	while (count) {
		fit = aux_record_max(sink);
		bytes = min(count, fit) * sink->report_size;
		count -= min(count, fit);
		local64_add(bytes / sink->report_size, &sink->event->count);
		if (sink->area->overwrite) {
			aux_advance(sink, bytes);
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
 * @sink: AUX ring state, with an open transaction
 * @count: number of slots, less than the free space
 *
 * Return: true if the transaction is still open
 */
static bool gpuoa_sink_aux_skip(struct gpuoa_sink_aux *sink, u32 count)
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
 * @sink: AUX ring state, with an open transaction
 * @head: value of perf's head at the position, bytes
 *
 * Return: true if it has; always true for a flight recorder
 */
static bool gpuoa_sink_aux_passed(const struct gpuoa_sink_aux *sink, unsigned long head)
{
	if (sink->area->overwrite)
		return true;

	/* perf always leaves one byte between head and tail. */
	return sink->handle.head + sink->handle.size + 1 >= head + aux_size(sink);
}

/* Get the maximum size of a flight recorder's window, bytes. */
static u32 aux_window_max(const struct gpuoa_sink_aux *sink)
{
	u32 max = aux_size(sink) - sink->report_size;

	return sink->split ? rounddown(max, sink->report_size) : max;
}

/**
 * gpuoa_sink_aux_close() - End the transaction after the hardware was stopped.
 * @sink: AUX ring state
 *
 * The slot at the head may hold an incomplete report, so a flight recorder's window excludes it.
 */
static void gpuoa_sink_aux_close(struct gpuoa_sink_aux *sink)
{
	if (!sink->open)
		return;

	sink->window = min_t(u64, sink->window, aux_window_max(sink));
	aux_end(sink, sink->area->overwrite ? sink->window : 0);
}

/**
 * gpuoa_sink_aux_reader() - Get the offset up to which the hardware may write.
 * @sink: AUX ring state, with an open transaction
 *
 * Return: offset of the first slot that the reader still needs, or of the head if there is none,
 * bytes
 */
static u32 gpuoa_sink_aux_reader(const struct gpuoa_sink_aux *sink)
{
	u32 offset;

	if (sink->area->overwrite)
		return gpuoa_sink_aux_offset(sink);
	/* perf always leaves one byte between head and tail. */
	offset = (sink->handle.head + sink->handle.size + 1) & (aux_size(sink) - 1);
	if (sink->split)
		return rounddown(offset, AUX_HEAD_UNIT);

	return offset < sink->used ? rounddown(offset, sink->report_size) : 0;
}

/**
 * gpuoa_sink_aux_room() - Get the free space for the hardware.
 * @sink: AUX ring state, with an open transaction
 *
 * Return: number of reports
 */
static u32 gpuoa_sink_aux_room(const struct gpuoa_sink_aux *sink)
{
	u32 slots = sink->used / sink->report_size;

	if (sink->area->overwrite)
		return slots - 1;

	return min_t(u32, sink->handle.size / sink->report_size, slots - 1);
}

/**
 * gpuoa_sink_aux_wanted() - Get the number of reports until the reader's wakeup watermark.
 * @sink: AUX ring state, with an open transaction
 *
 * Return: number of reports; 0 for a flight recorder, which has no wakeups
 */
static u32 gpuoa_sink_aux_wanted(const struct gpuoa_sink_aux *sink)
{
	unsigned long left = sink->handle.wakeup - sink->handle.head;

	if (sink->area->overwrite)
		return 0;

	return DIV_ROUND_UP(min_t(unsigned long, left, sink->used), sink->report_size);
}

static u64 gpuoa_aux_now(const struct gpuoa_stream *stream)
{
	return stream->unit->ops->timestamp(stream->unit->provider);
}

/**
 * gpuoa_aux_overwrite() - Check whether the area is a flight recorder, which is mapped read-only.
 * @stream: stream
 *
 * Return: true if it is
 */
bool gpuoa_aux_overwrite(const struct gpuoa_stream *stream)
{
	return stream->aux.sink.area && stream->aux.sink.area->overwrite;
}

/**
 * DOC: Areas that reports are copied into
 *
 * If the OABUFFER belongs to the provider, reports are found there as in RAW mode (gpuoa_raw.c) and
 * copied into the AUX area. Each copy is one transaction and one PERF_RECORD_AUX. Reports that do
 * not fit stay in the OABUFFER until the reader has consumed others. The OABUFFER is regarded as
 * full if seven eighths of it are. If timestamps may have wrapped until the reader continues, the
 * size of the gap is unknown.
 */

/* Write to the area at the head. */
static void area_write(const struct gpuoa_sink_aux *sink, const void *from, u32 bytes)
{
	u32 offset = gpuoa_sink_aux_offset(sink), n;

	for (; bytes; bytes -= n, from += n) {
		n = min_t(u32, bytes, PAGE_SIZE - offset_in_page(offset));
		memcpy(sink->area->memory[offset >> PAGE_SHIFT] + offset_in_page(offset), from, n);
		offset = (offset + n) & (aux_size(sink) - 1);
	}
	/* Write the reports before perf writes the head, which the reader reads first. */
	smp_wmb();
}

/**
 * gpuoa_aux_copy_room() - Get the number of reports that fit into the area.
 * @stream: stream
 *
 * Return: number of reports; 0 if the area is full or unmapped
 */
u32 gpuoa_aux_copy_room(struct gpuoa_stream *stream)
{
	struct gpuoa_sink_aux *sink = &stream->aux.sink;
	u32 bytes, before_end;

	if (!sink->area)
		return 0;
	if (sink->area->overwrite)
		return U32_MAX;
	if (!aux_reopen(sink))
		return 0;
	bytes = min_t(unsigned long, sink->handle.size, aux_size(sink));
	before_end = aux_size(sink) - gpuoa_sink_aux_offset(sink);
	/* The unused rest of the area is skipped. */
	if (bytes > before_end)
		bytes -= aux_size(sink) - sink->used;
	aux_end(sink, 0);

	return bytes / sink->report_size;
}

/**
 * gpuoa_aux_copy() - Copy reports into the area and publish them.
 * @stream: stream
 * @reports: contiguous reports
 * @count: number of reports, at most gpuoa_aux_copy_room()
 *
 * Return: false if the area is unmapped, so that reports were lost
 */
bool gpuoa_aux_copy(struct gpuoa_stream *stream, const void *reports, u32 count)
{
	struct gpuoa_sink_aux *sink = &stream->aux.sink;
	u32 bytes, fit;

	/* Records that describe these reports must precede them. */
	stream->sink->ops->flush(stream->sink);
	while (count) {
		if (!aux_reopen(sink))
			return false;
		fit = min(count, aux_record_max(sink));
		bytes = fit * sink->report_size;
		area_write(sink, reports, bytes);
		if (sink->area->overwrite)
			aux_advance(sink, bytes);
		aux_end(sink, sink->area->overwrite ? 0 : bytes);
		local64_add(fit, &sink->event->count);
		reports += bytes;
		count -= fit;
	}

	return true;
}

/**
 * gpuoa_aux_copy_lose() - Implement &gpuoa_mode.lose: mark the gap by an empty truncated record.
 * @stream: stream
 *
 * Return: false for a flight recorder
 */
bool gpuoa_aux_copy_lose(struct gpuoa_stream *stream)
{
	struct gpuoa_sink_aux *sink = &stream->aux.sink;

	sink->truncated = true;
	if (gpuoa_aux_overwrite(stream))
		return false;
	stream->sink->ops->flush(stream->sink);
	if (sink->area && aux_begin(sink))
		aux_end(sink, 0);

	return true;
}

/**
 * gpuoa_aux_copy_close() - Publish the window of a flight recorder after the unit was stopped.
 * @stream: stream
 */
void gpuoa_aux_copy_close(struct gpuoa_stream *stream)
{
	struct gpuoa_sink_aux *sink = &stream->aux.sink;

	if (gpuoa_aux_overwrite(stream) && aux_reopen(sink))
		gpuoa_sink_aux_close(sink);
}

/* Maximum number of headers that one poll checks, because interrupts are disabled. */
#define GPUOA_AUX_WALK 4096

/* Maximum number of passes over missing reports after a unit was stopped. */
#define GPUOA_AUX_STOP_ROUNDS 16

/* Publish @count gapless reports; @last is the time of the last timer report. */
static bool aux_publish(struct gpuoa_stream *stream, u32 count, u64 last, u64 now)
{
	struct gpuoa_aux *aux = &stream->aux;

	if (!count)
		return true;

	/* Records that describe these reports must precede them. */
	stream->sink->ops->flush(stream->sink);
	if (!gpuoa_sink_aux_publish(&aux->sink, count))
		return false;
	gpuoa_tail_check_consume(&aux->check, count, now);
	stream->loss.last = last;
	stream->forwarded += count;
	atomic64_add(count, &stream->unit->stats.reports_forwarded);

	return true;
}

/**
 * gpuoa_aux_mark_gap() - Mark the AUX record of the reports before a gap as truncated.
 * @stream: stream
 *
 * Return: false if the area is unmapped
 */
static bool gpuoa_aux_mark_gap(struct gpuoa_stream *stream)
{
	struct gpuoa_aux *aux = &stream->aux;

	if (aux->gap_reported)
		return true;
	aux->gap_reported = !!stream->loss.pending;
	aux->sink.truncated = true;
	if (gpuoa_aux_overwrite(stream) || !aux->sink.open)
		return true;

	stream->sink->ops->flush(stream->sink);

	return gpuoa_sink_aux_refresh(&aux->sink);
}

/**
 * gpuoa_aux_lost() - Report a gap after the published reports.
 * @stream: stream
 * @count: number of missing reports, or GPUOA_LOST_UNKNOWN
 */
static void gpuoa_aux_lost(struct gpuoa_stream *stream, u64 count)
{
	u32 type = stream->loss.pending ?: GPUOA_RECORD_REPORTS_LOST;

	stream->loss.pending = 0;
	stream->aux.gap_reported = false;
	if (!gpuoa_aux_overwrite(stream))
		gpuoa_stream_report_lost(stream, type, count);
	else if (count != GPUOA_LOST_UNKNOWN)
		atomic64_add(count, &stream->unit->stats.reports_lost);
}

static bool aux_is_timer_report(const struct gpuoa_stream *stream, u32 n)
{
	const void *report = gpuoa_tail_check_report(&stream->aux.check, n);

	return stream->unit->oa->is_timer_report(&stream->hw, report);
}

/* Check whether @count reports follow each other and the last published one without a gap. */
static bool aux_gapless(const struct gpuoa_stream *stream, u32 count, u64 now)
{
	u64 span;

	if (stream->aux.suspect || stream->loss.pending)
		return false;
	/* If other sources cause reports, only the hardware's lost bit shows a loss. */
	if (!stream->timer_alone)
		return true;
	span = gpuoa_tail_check_time(&stream->aux.check, count - 1, now) - stream->loss.last;

	return stream->loss.last_valid && span == (u64)count << (stream->hw.exponent + 1);
}

/* Get the time of the last timer report among @count reports, or before them. */
static u64 aux_last_timer(const struct gpuoa_stream *stream, u32 count, u64 now)
{
	while (count--)
		if (aux_is_timer_report(stream, count))
			return gpuoa_tail_check_time(&stream->aux.check, count, now);

	return stream->loss.last;
}

/* Get the number of missing timer reports between two timer reports. */
static u64 aux_missing(struct gpuoa_stream *stream, u64 last, u64 time)
{
	u64 periods = stream->loss.last_valid && time > last ?
			      (time - last) >> (stream->hw.exponent + 1) :
			      1;

	return gpuoa_loss_unreported(&stream->loss, periods ? periods - 1 : 0);
}

/*
 * Get the number of missing timer reports before a report of another cause. They are reported as
 * lost before the first report after the gap.
 */
static u64 aux_missing_before_other(struct gpuoa_stream *stream, u64 *last, u64 time)
{
	struct gpuoa_loss *loss = &stream->loss;
	u64 missing;

	if (!loss->pending || !loss->last_valid || time <= *last)
		return 0;
	loss->last = *last;
	missing = gpuoa_loss_before(loss, time - *last, stream->hw.exponent + 1);
	*last = loss->last;

	return missing;
}

/*
 * Skip the @count slots at the head whose reports never landed. Returns false if the area is
 * unmapped or was corrupted by the reader.
 */
static bool aux_lose(struct gpuoa_stream *stream, u32 count)
{
	struct gpuoa_aux *aux = &stream->aux;

	if (!gpuoa_aux_mark_gap(stream) || !aux->sink.open ||
	    !gpuoa_sink_aux_skip(&aux->sink, count))
		return false;
	gpuoa_tail_check_skip(&aux->check, count);
	/* Have the following reports checked one by one. */
	aux->suspect = true;
	stream->loss.reported += count;
	if (gpuoa_aux_overwrite(stream))
		atomic64_add(count, &stream->unit->stats.reports_lost);
	else
		gpuoa_stream_report_lost(stream, GPUOA_RECORD_REPORTS_LOST, count);

	return true;
}

/* Publish @count reports in runs, and report the gaps between the runs. */
static bool aux_publish_runs(struct gpuoa_stream *stream, u32 count, u64 now)
{
	u64 last = stream->loss.last, time, missing;
	bool empty, timer;
	u32 i = 0;

	while (i < count) {
		empty = gpuoa_tail_check_is_empty(&stream->aux.check, i);
		if (!empty && stream->hw.filter) {
			i++;
			continue;
		}
		timer = aux_is_timer_report(stream, i);
		time = gpuoa_tail_check_time(&stream->aux.check, i, now);
		if (empty || (timer && stream->loss.last_valid && time < last)) {
			/*
			 * The slot is empty or holds a report of the previous lap: its new report
			 * never landed, but later ones did.
			 */
			if (!aux_publish(stream, i, last, now) || !aux_lose(stream, 1))
				return false;
			count -= i + 1;
			i = 0;
			continue;
		}
		missing = timer ? aux_missing(stream, last, time) :
				  aux_missing_before_other(stream, &last, time);
		if (missing) {
			/* Each of these steps fails if the reader has unmapped the area. */
			if (!aux_publish(stream, i, last, now) || !gpuoa_aux_mark_gap(stream) ||
			    !stream->aux.sink.open)
				return false;
			gpuoa_aux_lost(stream, missing);
			count -= i;
			i = 0;
		}
		if (timer) {
			stream->loss.last_valid = true;
			last = time;
		}
		i++;
	}

	return aux_publish(stream, count, last, now);
}

/* A loss of non-timer reports cannot be measured: report it without a number. */
static void aux_give_up_gap(struct gpuoa_stream *stream)
{
	if (stream->loss.pending && stream->aux.check.last > stream->aux.gap_until)
		gpuoa_aux_lost(stream, GPUOA_LOST_UNKNOWN);
}

/*
 * Publish the @count reports that have landed. Returns the number of reports left for the next
 * poll.
 */
static u32 aux_publish_landed(struct gpuoa_stream *stream, u32 count, u64 now)
{
	u64 last = stream->loss.last;
	u32 left = 0;

	if (!count)
		return 0;
	if (aux_gapless(stream, count, now)) {
		if (!stream->hw.filter)
			last = aux_last_timer(stream, count, now);
		aux_publish(stream, count, last, now);
		return 0;
	}
	if (count > GPUOA_AUX_WALK) {
		left = count - GPUOA_AUX_WALK;
		count = GPUOA_AUX_WALK;
	}
	if (aux_publish_runs(stream, count, now)) {
		stream->aux.suspect = false;
		aux_give_up_gap(stream);
	}

	return left;
}

/**
 * gpuoa_aux_note_loss() - Record a loss; its size is measured by the next reports.
 * @stream: stream
 * @type: GPUOA_RECORD_*
 */
static void gpuoa_aux_note_loss(struct gpuoa_stream *stream, u32 type)
{
	stream->aux.gap_until = gpuoa_aux_now(stream);
	gpuoa_stream_note_loss(stream, type);
}

/* Skip missing reports at the head. Returns the number of reports that can be published now. */
static u32 aux_skip_missing(struct gpuoa_stream *stream, u32 tail, u64 now)
{
	struct gpuoa_tail_check *check = &stream->aux.check;
	u32 missing, before;

	/*
	 * Usually, only the last report is announced, and it is not missing: it waits for its
	 * successor.
	 */
	if (gpuoa_tail_check_announced(check, tail) < 2)
		return 0;
	missing = gpuoa_tail_check_missing(check, tail, now, &before);
	if (before)
		return before;
	if (!missing || !aux_lose(stream, missing))
		return 0;

	return gpuoa_tail_check_update(check, tail, now);
}

/**
 * gpuoa_aux_drain() - Publish the reports that have landed.
 * @stream: stream
 * @tail: hardware tail, offset in bytes
 *
 * Return: number of reports left for the next poll
 */
static u32 gpuoa_aux_drain(struct gpuoa_stream *stream, u32 tail)
{
	u64 now = gpuoa_aux_now(stream);
	u32 count = stream->poll_requested ?
			    gpuoa_tail_check_update_all(&stream->aux.check, tail, now) :
			    gpuoa_tail_check_update(&stream->aux.check, tail, now);

	return aux_publish_landed(stream, count ?: aux_skip_missing(stream, tail, now), now);
}

/* Check whether all reports are visible and the last one is old enough to be complete. */
static bool aux_all_landed(const struct gpuoa_stream *stream, u32 tail)
{
	const struct gpuoa_tail_check *check = &stream->aux.check;
	u32 announced = gpuoa_tail_check_announced(check, tail);
	u64 now = gpuoa_aux_now(stream);

	if (!announced)
		return true;

	return gpuoa_tail_check_update_idle(check, tail, now) == announced &&
	       gpuoa_tail_check_time(check, announced - 1, now) +
			       gpuoa_poll_interval_ticks(&stream->interval, GPUOA_RING_LAND_NS) <=
		       now;
}

/**
 * gpuoa_aux_drain_stopped() - Publish the reports of a stopped unit; those still missing are lost.
 * @stream: stream
 * @tail: hardware tail, offset in bytes
 */
static void gpuoa_aux_drain_stopped(struct gpuoa_stream *stream, u32 tail)
{
	struct gpuoa_tail_check *check = &stream->aux.check;
	u64 end = ktime_get_ns() + GPUOA_RING_LAND_NS, now;
	unsigned int rounds = GPUOA_AUX_STOP_ROUNDS;
	u32 missing;

	while (!aux_all_landed(stream, tail) && ktime_get_ns() < end)
		udelay(2);
	now = gpuoa_aux_now(stream);
	do {
		aux_publish_landed(stream, gpuoa_tail_check_update_idle(check, tail, now), now);
		missing = gpuoa_tail_check_missing_idle(check, tail, now);
		if (missing && !aux_lose(stream, missing))
			return;
	} while (gpuoa_tail_check_announced(check, tail) && stream->aux.sink.open && --rounds);

	if (gpuoa_tail_check_announced(check, tail))
		gpuoa_aux_note_loss(stream, GPUOA_RECORD_REPORTS_LOST);
}

/* Poll interval while the unit is stopped because the buffer is full. */
#define GPUOA_AUX_POLL_FULL_NS (2 * NSEC_PER_MSEC)

static u32 gpuoa_aux_slots(const struct gpuoa_stream *stream)
{
	return stream->aux.check.size / stream->request.format->size;
}

/* Maximum and minimum time until the next poll */
#define GPUOA_AUX_POLL_MAX_NS NSEC_PER_SEC
#define GPUOA_AUX_POLL_MIN_NS (500 * NSEC_PER_USEC)

/* Minimum time if buffer and period are too small for GPUOA_AUX_POLL_MIN_NS */
#define GPUOA_AUX_POLL_FAST_NS (100 * NSEC_PER_USEC)

/* Reports are held back if the reader's wakeup watermark is reached within this time. */
#define GPUOA_AUX_SOON_NS (200 * NSEC_PER_MSEC)

/* Get the number of reports that the hardware can still write. */
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
static bool gpuoa_aux_short_of_room(const struct gpuoa_stream *stream)
{
	u32 room = aux_room(stream);

	return room < gpuoa_aux_slots(stream) / 4 &&
	       gpuoa_poll_interval_fill(&stream->interval, room) < 2 * GPUOA_AUX_POLL_FAST_NS;
}

/**
 * gpuoa_aux_can_wait() - Check whether publishing can wait for more reports.
 * @stream: stream
 * @tail: hardware tail, offset in bytes
 *
 * Return: true if the reader's wakeup watermark is not reached but will be soon, no caller
 * requested this poll, and no gap is pending, so that reports need not be checked one by one
 */
static bool gpuoa_aux_can_wait(const struct gpuoa_stream *stream, u32 tail)
{
	const struct gpuoa_aux *aux = &stream->aux;
	u32 wanted = gpuoa_tail_check_needed(gpuoa_sink_aux_wanted(&aux->sink));
	u32 announced = gpuoa_tail_check_announced(&aux->check, tail);

	return announced < wanted && !stream->poll_requested && !aux->suspect &&
	       !stream->loss.pending &&
	       (wanted - announced) * stream->interval.period_ns <= GPUOA_AUX_SOON_NS;
}

/* Poll before the hardware has filled half of the free space. */
static u64 aux_wait_for_room(const struct gpuoa_stream *stream)
{
	u64 half = gpuoa_poll_interval_fill(&stream->interval, aux_room(stream) / 2);

	return max_t(u64, half, GPUOA_AUX_POLL_FAST_NS);
}

/* Get the maximum latency of context switch reports, if the reader waits for any report. */
static u64 aux_wait_for_others(const struct gpuoa_stream *stream)
{
	return gpuoa_sink_aux_wanted(&stream->aux.sink) ?
		       gpuoa_poll_interval_latency(&stream->interval) :
		       U64_MAX;
}

static bool aux_guarded(struct gpuoa_stream *stream)
{
	if (stream->aux.guarding)
		return false;

	return gpuoa_half_full_guards(&stream->half_full, &stream->hw,
				      gpuoa_sink_aux_reader(&stream->aux.sink),
				      stream->aux.check.size);
}

/* Get the time until the reader's wakeup watermark is reached. */
static u64 aux_wait_for_reader(const struct gpuoa_stream *stream)
{
	const struct gpuoa_aux *aux = &stream->aux;
	u32 wanted = gpuoa_sink_aux_wanted(&aux->sink);
	u64 now, wait;

	/* Until the next reports are known to follow the last ones, poll for each single report. */
	if (aux->suspect)
		wanted = 1;
	if (!wanted)
		return GPUOA_AUX_POLL_MAX_NS;
	wanted = gpuoa_tail_check_needed(wanted);
	now = gpuoa_aux_now(stream);
	/* One report always waits for its successor; more than one wait for the watermark. */
	if (aux->waiting > 1 && aux->waiting < wanted)
		wait = gpuoa_poll_interval_until(&stream->interval, now, now,
						 wanted - aux->waiting);
	else
		wait = gpuoa_poll_interval_until(&stream->interval, now, aux->check.last, wanted);

	return clamp_t(u64, wait, GPUOA_AUX_POLL_MIN_NS, GPUOA_AUX_POLL_MAX_NS);
}

/**
 * gpuoa_aux_wait() - Compute the time until the next poll.
 * @stream: stream
 *
 * Return: time, ns
 */
static u64 gpuoa_aux_wait(struct gpuoa_stream *stream)
{
	u64 room;

	if (!stream->running)
		return GPUOA_AUX_POLL_FULL_NS;

	room = aux_wait_for_room(stream);
	if (aux_guarded(stream))
		room = max(room, aux_wait_for_others(stream));

	return min(room, aux_wait_for_reader(stream));
}

/**
 * DOC: AUX mode
 *
 * The hardware writes to memory mapped by the reader. The CPU reads only some report headers (see
 * gpuoa_tail_check.c). It publishes the number of new reports to perf and the reader's position to
 * the hardware. Other records, such as the size of a gap, are RAW samples in the event's data ring,
 * in order with perf's records of the AUX area.
 *
 * Gaps: if the timer is the only source of reports, two timestamps show whether reports are missing
 * between them. Otherwise only the hardware's lost bit shows a loss, and all reports since the last
 * poll are then checked. The AUX record before the gap is marked TRUNCATED.
 *
 * Reports that a slow reader has not read yet must not be overwritten, which some hardware does
 * after an overflow. The unit is therefore stopped if the next poll might be too late. It is
 * restarted when the reader has consumed all reports, or makes no progress for a second. If the
 * period and the buffer are so small that no poll is in time, the buffer does overflow.
 *
 * The unit is polled before the hardware has filled half of the free space, because the reader may
 * have released slots by then. If the reader's wakeup watermark is reached soon, available reports
 * are held back, so that perf writes one record for all.
 *
 * A flight recorder has no reader to wait for: each poll returns the whole buffer to the hardware.
 * Losses are counted in the statistics, and the record at the end is marked TRUNCATED. The event's
 * data ring may stay unread for days, so only a few records are written when the event is enabled
 * and disabled.
 */

/* If at most this number of slots is not free, all reports are regarded as consumed. */
#define GPUOA_AUX_SLACK 4

/*
 * Number of polls in the one second for which the unit waits for a reader that makes no progress.
 */
#define GPUOA_AUX_PATIENCE (NSEC_PER_SEC / GPUOA_AUX_POLL_FULL_NS)

static void aux_check_lost(struct gpuoa_stream *stream, const struct gpuoa_hw_status *status)
{
	gpuoa_stream_note_status(stream, status);
	if (gpuoa_stream_has_lost(stream, status))
		gpuoa_aux_note_loss(stream, GPUOA_RECORD_REPORTS_LOST);
}

/* Stop the unit and publish its reports. @full: stopped because the reader is slow. */
static void aux_stop(struct gpuoa_stream *stream, bool full)
{
	struct gpuoa_hw_status status;

	gpuoa_stream_hw_stop(stream);
	stream->unit->oa->status(&stream->hw, &status);
	if (status.gone) {
		gpuoa_aux_note_loss(stream, GPUOA_RECORD_REPORTS_LOST);
		return;
	}
	aux_check_lost(stream, &status);
	if (stream->aux.sink.open)
		gpuoa_aux_drain_stopped(stream, status.tail);
	if (!full && !status.overflow)
		return;

	stream->aux.full = true;
	stream->aux.patience = GPUOA_AUX_PATIENCE;
	atomic64_inc(&stream->unit->stats.overflows);
	gpuoa_aux_note_loss(stream, GPUOA_RECORD_BUFFER_OVERFLOW);
	gpuoa_aux_mark_gap(stream);
}

/*
 * Set the hardware's head to the reader's position. The unit is started with head = tail, as in
 * i915 and xe, since the hardware's behaviour with a head after the tail is not known. The head
 * therefore stays in place until the reader has consumed all reports from before the start; polls
 * make sure that these are not overwritten.
 */
static void aux_set_head(struct gpuoa_stream *stream)
{
	struct gpuoa_aux *aux = &stream->aux;
	u32 head = gpuoa_tail_check_release(&aux->check, gpuoa_sink_aux_reader(&aux->sink));

	if (aux->guarding && !gpuoa_sink_aux_passed(&aux->sink, aux->started_at))
		return;
	aux->guarding = false;
	stream->unit->oa->set_head(&stream->hw, head);
}

/* Check whether unread reports were overwritten while the hardware's head was held back. */
static bool aux_trampled(const struct gpuoa_stream *stream, u32 tail)
{
	const struct gpuoa_aux *aux = &stream->aux;

	return aux->guarding && aux->sink.open &&
	       gpuoa_tail_check_announced(&aux->check, tail) > gpuoa_sink_aux_room(&aux->sink);
}

static void aux_start(struct gpuoa_stream *stream)
{
	struct gpuoa_aux *aux = &stream->aux;

	stream->hw.first = gpuoa_sink_aux_offset(&aux->sink);
	gpuoa_tail_check_start(&aux->check, stream->hw.first, gpuoa_aux_now(stream));
	gpuoa_tail_check_release(&aux->check, gpuoa_sink_aux_reader(&aux->sink));
	aux->started_at = aux->sink.handle.head;
	aux->waiting = 0;
	aux->full = false;
	aux->guarding = true;
	aux->suspect = true;
	gpuoa_stream_hw_start(stream);
}

/*
 * After an overrun, restart only when the reader has consumed all reports, so that nothing can be
 * overwritten before the first poll. A reader that makes no progress may have left reports on
 * purpose and be waiting for more.
 */
static bool aux_has_waited(struct gpuoa_stream *stream, u32 room)
{
	struct gpuoa_aux *aux = &stream->aux;

	if (room + GPUOA_AUX_SLACK >= gpuoa_aux_slots(stream))
		return true;
	if (room != aux->room)
		aux->patience = GPUOA_AUX_PATIENCE;
	aux->room = room;
	if (!aux->patience)
		return true;
	aux->patience--;

	return false;
}

static void aux_try_start(struct gpuoa_stream *stream)
{
	struct gpuoa_aux *aux = &stream->aux;
	u32 room;

	if (!aux->sink.area)
		return;
	if (aux->sink.open ? !gpuoa_sink_aux_refresh(&aux->sink) : !gpuoa_sink_aux_open(&aux->sink))
		return;
	room = gpuoa_sink_aux_room(&aux->sink);
	if (room >= gpuoa_aux_slots(stream) / 4 && (!aux->full || aux_has_waited(stream, room)))
		aux_start(stream);
}

/* Read the reader's position unless publishing did so. Returns false if the area is unmapped. */
static bool aux_ask_reader(struct gpuoa_stream *stream, bool published)
{
	struct gpuoa_sink_aux *sink = &stream->aux.sink;

	if (!sink->open || (published && !gpuoa_aux_overwrite(stream)))
		return sink->open;

	return gpuoa_sink_aux_refresh(sink);
}

/* Poll a running unit. Returns the number of reports left for the next poll. */
static u32 aux_poll_running(struct gpuoa_stream *stream)
{
	struct gpuoa_aux *aux = &stream->aux;
	u64 forwarded = stream->forwarded;
	struct gpuoa_hw_status status;
	u32 left;

	stream->unit->oa->status(&stream->hw, &status);
	if (!gpuoa_recovery_check(stream, &status))
		return 0;
	aux_check_lost(stream, &status);
	if (status.overflow || aux_trampled(stream, status.tail)) {
		gpuoa_half_full_overflow(&stream->half_full);
		aux_stop(stream, true);
		return 0;
	}

	left = gpuoa_aux_can_wait(stream, status.tail) ? 0 : gpuoa_aux_drain(stream, status.tail);
	aux->waiting = gpuoa_tail_check_announced(&aux->check, status.tail);
	if (!aux_ask_reader(stream, stream->forwarded != forwarded) ||
	    gpuoa_aux_short_of_room(stream)) {
		aux_stop(stream, true);
		return 0;
	}
	aux_set_head(stream);

	return left;
}

static u64 aux_poll(struct gpuoa_stream *stream)
{
	u32 left = 0;

	if (stream->running)
		left = aux_poll_running(stream);
	if (!stream->running && !gpuoa_recovery_wait(stream))
		aux_try_start(stream);
	stream->sink->ops->flush(stream->sink);

	return left ? GPUOA_POLL_BUSY_NS : gpuoa_aux_wait(stream);
}

/**
 * gpuoa_aux_can_run() - Implement &gpuoa_mode.can_run: check whether there is an area.
 * @stream: stream
 *
 * Return: true if there is
 */
bool gpuoa_aux_can_run(const struct gpuoa_stream *stream)
{
	return stream->aux.sink.area;
}

static void aux_run(struct gpuoa_stream *stream)
{
	struct gpuoa_aux *aux = &stream->aux;

	aux->gap_reported = false;
	aux->full = false;
	if (!gpuoa_recovery_wait(stream))
		aux_try_start(stream);
	if (!stream->running) {
		gpuoa_aux_note_loss(stream, GPUOA_RECORD_BUFFER_OVERFLOW);
		gpuoa_aux_mark_gap(stream);
	}
}

static void aux_halt(struct gpuoa_stream *stream)
{
	struct gpuoa_aux *aux = &stream->aux;

	if (stream->running)
		aux_stop(stream, false);
	if (stream->loss.pending)
		gpuoa_aux_mark_gap(stream);
	gpuoa_stream_report_pending(stream);
	gpuoa_sink_aux_close(&aux->sink);
	stream->sink->ops->flush(stream->sink);
}

/*
 * There is nothing to discard: published reports belong to the reader, and unpublished ones are not
 * tracked.
 */
static void aux_discard(struct gpuoa_stream *stream)
{
}

static void aux_report_cut(struct gpuoa_stream *stream)
{
	gpuoa_aux_mark_gap(stream);
	gpuoa_aux_lost(stream, GPUOA_LOST_UNKNOWN);
	stream->loss.last_valid = false;
}

/* The software filter cannot be used, because it modifies reports. */
static int aux_check(const struct gpuoa_unit *unit, const struct gpuoa_attr *attr,
		     const struct gpuoa_format_desc *format)
{
	const struct gpuoa_oa_ops *oa = unit->oa;
	const char *why = NULL;

	if ((attr->flags & GPUOA_ATTR_CONTEXT) && oa->context_runs)
		why = "no AUX area for reports filtered by software";

	return why ? gpuoa_reject(&unit->dev, -EOPNOTSUPP, why) : 0;
}

/**
 * gpuoa_mode_aux_attach() - Attach an AUX area to a stream, which can then be started.
 * @stream: stream
 * @area: AUX area, mapped for the GPU
 *
 * Context: &gpuoa_unit.stream_lock held
 */
void gpuoa_mode_aux_attach(struct gpuoa_stream *stream, struct gpuoa_aux_area *area)
{
	const struct gpuoa_format_desc *format = stream->request.format;
	u64 lag = gpuoa_poll_interval_settle(stream->interval.frequency);
	u32 size = area->n_pages << PAGE_SHIFT;
	unsigned long flags;
	bool clears;

	lockdep_assert_held(&stream->unit->stream_lock);

	clears =
		!area->overwrite &&
		gpuoa_tail_check_ambiguous(format, size, gpuoa_exponent_ticks(stream->hw.exponent));
	raw_spin_lock_irqsave(&stream->lock, flags);
	gpuoa_sink_aux_attach(&stream->aux.sink, area);
	gpuoa_tail_check_init(&stream->aux.check, area->memory, size, format,
			      stream->aux.sink.split, lag, clears);
	raw_spin_unlock_irqrestore(&stream->lock, flags);
}

/**
 * gpuoa_mode_aux_detach() - Undo gpuoa_mode_aux_attach().
 * @stream: stopped stream
 */
void gpuoa_mode_aux_detach(struct gpuoa_stream *stream)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&stream->lock, flags);
	stream->aux.sink.area = NULL;
	raw_spin_unlock_irqrestore(&stream->lock, flags);
}

const struct gpuoa_mode gpuoa_mode_aux = {
	.flags = GPUOA_ATTR_AUX,
	.in_area = true,
	.check = aux_check,
	/* The area is attached later by gpuoa_aux_setup(), and perf owns its pages. */
	.free_buffer = gpuoa_buffer_unmap,
	.can_run = gpuoa_aux_can_run,
	.run = aux_run,
	.poll = aux_poll,
	.halt = aux_halt,
	.discard = aux_discard,
	.report_cut = aux_report_cut,
	.quiet = gpuoa_aux_overwrite,
};
