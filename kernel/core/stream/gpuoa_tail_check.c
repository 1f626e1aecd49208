// SPDX-License-Identifier: GPL-2.0-only
/* gpuoa_tail_check.c - detection of complete reports in an AUX area. */
#include <asm/barrier.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/string.h>

#include "gpuoa_tail_check.h"

/**
 * DOC: Tail check in an AUX area
 *
 * The hardware's tail pointer runs ahead of the memory visible to the CPU (see gpuoa_ring.c). The
 * reader uses the reports in place and the buffer is not cleared, so a slot before the tail may
 * show its new report, the report of the previous lap, or nothing.
 *
 * Timestamps distinguish these cases. Reports are written in order, so a slot holds a new report if
 * its timestamp lies between that of the preceding report and the current time. A report of the
 * previous lap is older. (Equal timestamps are new: a context switch may coincide with a timer
 * tick. A slot that was never written has neither id nor timestamp.)
 *
 * This applies to the header. A report is written front to back, so it is complete when the header
 * of the next one is visible. Its age proves nothing: on DG2 under memory pressure, i915 saw
 * reports that were announced 100 us earlier and still held parts of old ones. A visible header
 * also proves that all preceding reports are complete, so not every header has to be checked. A
 * visible one is searched for backwards from the tail, as in i915 and xe, but not among the last
 * GPUOA_LANDING_WINDOW reports, which are checked one by one. If these are a small part of all
 * announced reports, they are left for the next poll, and a poll reads one header.
 *
 * Timestamps wrap. If a lap takes as long as the wrap period (343 s at 12.5 MHz), old reports look
 * new. Since laps and the wrap period are both powers of two, an old timestamp may even equal the
 * expected one. If laps of timer reports take that long, headers are cleared when the reader
 * releases slots, and every visible header is then a new one. Such laps have few reports per
 * second.
 *
 * A report that has not landed several milliseconds after a later one is a missing report, and is
 * skipped.
 *
 * Limits:
 *
 * - A flight recorder leaves the whole buffer to the hardware, so its headers cannot be cleared. If
 *   its laps take as long as the wrap period, the report of the previous lap may be taken for a new
 *   one that has not landed until its successor is due.
 * - A missing report is not detected if more than GPUOA_LANDING_WINDOW reports follow it at the
 *   first poll, or if GPUOA_LANDING_MANY reports arrive between two polls. Its slot shows the
 *   report of the previous lap, which the reader can detect because its timestamp goes back.
 */

/* Size of the window before the hardware tail in which all headers are checked, in reports. */
#define GPUOA_LANDING_WINDOW 128

/* Number of announced reports from which the window is left for the next poll. */
#define GPUOA_LANDING_MANY (16 * GPUOA_LANDING_WINDOW)

/* Maximum number of slots searched for a missing report, and of headers cleared at once. */
#define GPUOA_LANDING_SEARCH 4096

/* Age at which a report counts as missing, in multiples of the clock's lag of 100 us. */
#define GPUOA_LANDING_HOLE_LAGS 50

/* Offset of the slot @n slots after @from. */
static u32 landing_slot(const struct gpuoa_landing *landing, u32 from, u32 n)
{
	u64 offset = from + (u64)n * landing->format->size;

	return offset < landing->size ? offset : offset - landing->size;
}

static void *landing_at(const struct gpuoa_landing *landing, u32 offset)
{
	return landing->pages[offset >> PAGE_SHIFT] + offset_in_page(offset);
}

/**
 * gpuoa_landing_report() - Get a report; only its header is guaranteed to be contiguous.
 * @landing: buffer state
 * @n: index from the tail, below the number of announced reports
 *
 * Return: the report
 */
const void *gpuoa_landing_report(const struct gpuoa_landing *landing, u32 n)
{
	return landing_at(landing, landing_slot(landing, landing->tail, n));
}

/**
 * gpuoa_landing_time() - Get the time of a report.
 * @landing: buffer state
 * @n: index from the tail
 * @now: current time, ticks
 *
 * The provider's clock may be late by less than &gpuoa_landing.lag.
 *
 * Return: the latest time with the report's timestamp that is not after @now
 */
u64 gpuoa_landing_time(const struct gpuoa_landing *landing, u32 n, u64 now)
{
	u64 latest = now + landing->lag;
	u64 timestamp = gpuoa_report_timestamp(landing->format, gpuoa_landing_report(landing, n));

	return latest - ((latest - timestamp) & landing->timestamp_mask);
}

/* landing_walk() for report ids and timestamps of @word bytes each */
static __always_inline u32 landing_walk_words(const struct gpuoa_landing *landing, u32 n, u32 end,
					      u64 now, u32 word)
{
	u32 offset = landing_slot(landing, landing->tail, n);
	/* If headers are cleared, every age is valid: the mask makes all ages 0. */
	u64 mask = landing->clears ? 0 : landing->timestamp_mask;
	u64 latest = now + landing->lag;
	u64 oldest = latest - min(latest, landing->last);
	u64 id, timestamp, age;
	const void *report;

	for (; n < end; n++) {
		report = landing_at(landing, offset);
		if (word == sizeof(u64)) {
			id = READ_ONCE(((const u64 *)report)[0]);
			timestamp = READ_ONCE(((const u64 *)report)[1]);
		} else {
			id = READ_ONCE(((const u32 *)report)[0]);
			timestamp = READ_ONCE(((const u32 *)report)[1]);
		}
		age = (latest - timestamp) & mask;
		if (!(id | timestamp) || age > oldest)
			break;
		oldest = age;
		offset = landing_slot(landing, offset, 1);
	}

	return n;
}

/*
 * Returns the index of the first report from @n on that is not visible, or @end. A visible report
 * is not older than the preceding one. Each poll checks 128 reports, so loop invariants are
 * hoisted.
 */
static u32 landing_walk(const struct gpuoa_landing *landing, u32 n, u32 end, u64 now)
{
	if (landing->format->header->word == sizeof(u64))
		return landing_walk_words(landing, n, end, now, sizeof(u64));

	return landing_walk_words(landing, n, end, now, sizeof(u32));
}

/**
 * gpuoa_landing_is_empty() - Check whether the unit skipped a slot in the first lap.
 * @landing: buffer state
 * @n: index from the tail; a later report has landed
 *
 * In later laps, a skipped slot holds the report of the previous lap.
 *
 * Return: true if the slot has no header
 */
bool gpuoa_landing_is_empty(const struct gpuoa_landing *landing, u32 n)
{
	const void *report = gpuoa_landing_report(landing, n);

	return !memchr_inv(report, 0, 2 * landing->format->header->word);
}

/* True if a slot shows a report that is not older than the last consumed one. */
static bool landing_shows(const struct gpuoa_landing *landing, u32 n, u64 now)
{
	return landing_walk(landing, n, n + 1, now) > n;
}

/* Number of announced reports that precede a visible one outside of the window. */
static u32 landing_vouched(const struct gpuoa_landing *landing, u32 announced, u64 now)
{
	u32 back;

	for (back = GPUOA_LANDING_WINDOW; back < announced; back *= 2)
		if (landing_shows(landing, announced - back, now))
			return announced - back;

	return 0;
}

/* @all: do not leave reports for the next poll; @idle: the unit was stopped */
static u32 landing_update(const struct gpuoa_landing *landing, u32 hw_tail, u64 now, bool all,
			  bool idle)
{
	u32 announced = gpuoa_landing_announced(landing, hw_tail);
	u32 n = landing_vouched(landing, announced, now);

	if (all || n < GPUOA_LANDING_MANY) {
		n = landing_walk(landing, n, announced, now);
		/* Only the header of the newest report is known to be visible. */
		if (n && !idle)
			n--;
	}

	/* Order the reads of headers before the reads of reports, by the CPU or the reader. */
	dma_rmb();

	return n;
}

/**
 * gpuoa_landing_ahead() - Get the number of announced reports needed to publish @count reports.
 * @count: number of reports to publish
 *
 * Return: number of reports, @count or slightly more
 */
u32 gpuoa_landing_ahead(u32 count)
{
	return count < GPUOA_LANDING_MANY ? count : count + GPUOA_LANDING_WINDOW;
}

/**
 * gpuoa_landing_announced() - Get the number of reports between the consumed and the hardware tail.
 * @landing: buffer state
 * @hw_tail: hardware tail, offset in bytes, any multiple of 64
 *
 * Return: number of reports
 */
u32 gpuoa_landing_announced(const struct gpuoa_landing *landing, u32 hw_tail)
{
	/* A removed GPU returns an invalid offset. */
	u32 tail = hw_tail % landing->size;
	u32 bytes = tail >= landing->tail ? tail - landing->tail :
					    tail + landing->size - landing->tail;

	return bytes / landing->format->size;
}

/**
 * gpuoa_landing_update() - Find the reports that have landed while the unit runs.
 * @landing: buffer state
 * @hw_tail: hardware tail, offset in bytes, any multiple of 64
 * @now: current time, ticks, read after @hw_tail
 *
 * Return: number of reports from the tail on that can be consumed
 */
u32 gpuoa_landing_update(const struct gpuoa_landing *landing, u32 hw_tail, u64 now)
{
	return landing_update(landing, hw_tail, now, false, false);
}

/**
 * gpuoa_landing_update_all() - Find the reports that have landed, including the newest ones.
 * @landing: buffer state
 * @hw_tail: hardware tail, offset in bytes, any multiple of 64
 * @now: current time, ticks, read after @hw_tail
 *
 * Unlike gpuoa_landing_update(), never leaves reports for the next poll.
 *
 * Return: number of reports from the tail on that can be consumed
 */
u32 gpuoa_landing_update_all(const struct gpuoa_landing *landing, u32 hw_tail, u64 now)
{
	return landing_update(landing, hw_tail, now, true, false);
}

/**
 * gpuoa_landing_update_idle() - Find the reports that have landed after the unit was stopped.
 * @landing: buffer state
 * @hw_tail: hardware tail, offset in bytes
 * @now: current time, ticks, read after @hw_tail
 *
 * The last report may be incomplete until GPUOA_RING_LAND_NS after it was written.
 *
 * Return: number of visible reports from the tail on, up to the first one that is not visible
 */
u32 gpuoa_landing_update_idle(const struct gpuoa_landing *landing, u32 hw_tail, u64 now)
{
	return landing_update(landing, hw_tail, now, true, true);
}

/* Number of consecutive missing reports from index @n on, if a later one is visible; else 0. */
static u32 landing_hole(const struct gpuoa_landing *landing, u32 n, u32 announced, u64 now)
{
	u32 limit = min_t(u32, announced, n + GPUOA_LANDING_SEARCH), i;

	for (i = n; i < limit; i++)
		if (landing_shows(landing, i, now))
			return i - n;

	return 0;
}

/**
 * gpuoa_landing_hole() - Find missing reports.
 * @landing: buffer state, with no report that can be consumed
 * @hw_tail: hardware tail, offset in bytes
 * @now: current time, ticks
 * @before: 1 if a report precedes the missing ones and can now be consumed, else 0; output
 *
 * Return: number of missing reports, to be skipped by gpuoa_landing_skip()
 */
u32 gpuoa_landing_hole(struct gpuoa_landing *landing, u32 hw_tail, u64 now, u32 *before)
{
	u32 announced = gpuoa_landing_announced(landing, hw_tail);
	u32 aged = min(landing->seen, announced), hole;

	*before = 0;
	if (!aged || now - landing->seen_at < GPUOA_LANDING_HOLE_LAGS * landing->lag) {
		/* The last report waits for its successor and is not missing. */
		if (!aged && announced > 1) {
			landing->seen = announced;
			landing->seen_at = now;
		}
		return 0;
	}

	*before = landing_shows(landing, 0, now);
	hole = landing_hole(landing, *before, aged, now);
	if (!hole) {
		*before = 0;
		landing->seen = 0;
	}

	return hole;
}

/**
 * gpuoa_landing_hole_idle() - Find missing reports after the unit was stopped.
 * @landing: buffer state, with all visible reports consumed
 * @hw_tail: hardware tail, offset in bytes
 * @now: current time, ticks
 *
 * Return: number of missing reports, to be skipped by gpuoa_landing_skip()
 */
u32 gpuoa_landing_hole_idle(const struct gpuoa_landing *landing, u32 hw_tail, u64 now)
{
	u32 announced = gpuoa_landing_announced(landing, hw_tail);

	if (!announced || landing_shows(landing, 0, now))
		return 0;

	return landing_hole(landing, 0, announced, now) ?: announced;
}

static void landing_move(struct gpuoa_landing *landing, u32 count)
{
	landing->tail = landing_slot(landing, landing->tail, count);
	landing->seen -= min(landing->seen, count);
}

/**
 * gpuoa_landing_take() - Consume reports.
 * @landing: buffer state
 * @count: number of reports, at most the number that has landed
 * @now: current time, ticks
 */
void gpuoa_landing_take(struct gpuoa_landing *landing, u32 count, u64 now)
{
	if (!count)
		return;

	landing->last = gpuoa_landing_time(landing, count - 1, now);
	landing_move(landing, count);
}

static void landing_clear(const struct gpuoa_landing *landing, u32 offset)
{
	memset(landing_at(landing, offset), 0, 2 * landing->format->header->word);
}

/**
 * gpuoa_landing_skip() - Skip missing reports and clear their headers.
 * @landing: buffer state
 * @count: number of reports
 */
void gpuoa_landing_skip(struct gpuoa_landing *landing, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++)
		landing_clear(landing, landing_slot(landing, landing->tail, i));
	landing_move(landing, count);
}

/**
 * gpuoa_landing_release() - Release slots that the reader has consumed.
 * @landing: buffer state
 * @reader: offset of the first slot that the reader still needs, bytes
 *
 * Return: offset up to which the hardware may write, bytes
 */
u32 gpuoa_landing_release(struct gpuoa_landing *landing, u32 reader)
{
	u32 left = GPUOA_LANDING_SEARCH;

	if (!landing->clears)
		return reader;
	while (landing->cleared != reader && left--) {
		landing_clear(landing, landing->cleared);
		landing->cleared = landing_slot(landing, landing->cleared, 1);
	}
	/* Clear the headers before the hardware may write there again. */
	dma_wmb();

	return landing->cleared;
}

/**
 * gpuoa_landing_ambiguous() - Check whether timestamps may wrap within a lap of the buffer.
 * @format: report format
 * @size: size of the buffer, bytes
 * @period: timer period, ticks
 *
 * Return: true if timestamps cannot distinguish new reports from those of the previous lap
 */
bool gpuoa_landing_ambiguous(const struct gpuoa_format_desc *format, u32 size, u64 period)
{
	u64 wrap = BIT_ULL(format->header->timestamp_bits);

	return period >= wrap || (u64)(size / format->size) * period >= wrap / 2;
}

/**
 * gpuoa_landing_init() - Initialize the state of a buffer.
 * @landing: buffer state
 * @pages: zeroed pages of the buffer
 * @size: size of the buffer, bytes
 * @format: report format
 * @lag: upper bound of the lag of the provider's clock, ticks
 * @clears: clear headers of released slots; the reader must release all slots
 */
void gpuoa_landing_init(struct gpuoa_landing *landing, void *const *pages, u32 size,
			const struct gpuoa_format_desc *format, u64 lag, bool clears)
{
	*landing = (struct gpuoa_landing){
		.pages = pages,
		.format = format,
		.timestamp_mask = GENMASK_ULL(format->header->timestamp_bits - 1, 0),
		.size = size - size % format->size,
		.lag = lag,
		.clears = clears,
	};
}

/**
 * gpuoa_landing_start() - Prepare for a start of the unit.
 * @landing: buffer state
 * @tail: offset of the first report, bytes
 * @now: current time, ticks
 *
 * Discards announced reports that were not consumed. If headers are cleared, the caller must
 * release all free slots again, because the last run may have written to them.
 */
void gpuoa_landing_start(struct gpuoa_landing *landing, u32 tail, u64 now)
{
	landing->tail = tail;
	landing->last = now;
	landing->seen = 0;
	if (!landing->clears)
		return;
	landing_clear(landing, tail);
	landing->cleared = landing_slot(landing, tail, 1);
}
