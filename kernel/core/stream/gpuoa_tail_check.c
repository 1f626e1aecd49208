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
 * GPUOA_TAIL_WINDOW reports, which are checked one by one. If these are a small part of all
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
 * A unit may split a report at the end of the buffer (see gpuoa_ring.c). The reports of each lap
 * then have other offsets, and where the header of a new report will be, there are counters of an
 * old one. As a timestamp, these are not between that of the preceding report and the current time.
 *
 * Limits:
 *
 * - If reports are split, a counter between the times of the preceding check and of this one is
 *   taken for the timestamp of a report that has not landed.
 * - A flight recorder leaves the whole buffer to the hardware, so its headers cannot be cleared. If
 *   its laps take as long as the wrap period, the report of the previous lap may be taken for a new
 *   one that has not landed until its successor is due.
 * - A missing report is not detected if more than GPUOA_TAIL_WINDOW reports follow it at the
 *   first poll, or if GPUOA_TAIL_MANY reports arrive between two polls. Its slot shows the
 *   report of the previous lap, which the reader can detect because its timestamp goes back, or, if
 *   reports are split, parts of two reports.
 */

/* Size of the window before the hardware tail in which all headers are checked, in reports. */
#define GPUOA_TAIL_WINDOW 128

/*
 * If at least this number of reports is announced, the reports in the window are left for the next
 * poll.
 */
#define GPUOA_TAIL_MANY (16 * GPUOA_TAIL_WINDOW)

/* Maximum number of slots searched for a missing report, and of headers cleared at once. */
#define GPUOA_TAIL_SEARCH 4096

/*
 * Time after which a report that has not landed counts as missing, in multiples of the clock's lag
 * of 100 us
 */
#define GPUOA_TAIL_MISSING_LAGS 50

/* Get the offset of the slot @n slots after @from. */
static u32 slot_after(const struct gpuoa_tail_check *check, u32 from, u32 n)
{
	u64 offset = from + (u64)n * check->format->size;

	return offset < check->size ? offset : offset - check->size;
}

static void *slot_at(const struct gpuoa_tail_check *check, u32 offset)
{
	return check->pages[offset >> PAGE_SHIFT] + offset_in_page(offset);
}

/**
 * gpuoa_tail_check_report() - Get a report; only its header is guaranteed to be contiguous.
 * @check: buffer state
 * @n: index from the tail, below the number of announced reports
 *
 * Return: the report
 */
const void *gpuoa_tail_check_report(const struct gpuoa_tail_check *check, u32 n)
{
	return slot_at(check, slot_after(check, check->tail, n));
}

/**
 * gpuoa_tail_check_time() - Get the time of a report.
 * @check: buffer state
 * @n: index from the tail
 * @now: current time, ticks
 *
 * The provider's clock may be late by less than &gpuoa_tail_check.lag.
 *
 * Return: the latest time with the report's timestamp that is not after @now
 */
u64 gpuoa_tail_check_time(const struct gpuoa_tail_check *check, u32 n, u64 now)
{
	u64 latest = now + check->lag;
	u64 timestamp = gpuoa_report_timestamp(check->format, gpuoa_tail_check_report(check, n));

	return latest - ((latest - timestamp) & check->timestamp_mask);
}

/* Implement visible_until() for reports with an id and a timestamp of @word bytes. */
static __always_inline u32 visible_until_words(const struct gpuoa_tail_check *check, u32 n, u32 end,
					       u64 now, u32 word)
{
	u32 offset = slot_after(check, check->tail, n);
	/* If headers are cleared, every nonzero header is new, so this mask makes all ages 0. */
	u64 mask = check->clears ? 0 : check->timestamp_mask;
	u64 latest = now + check->lag;
	u64 oldest = latest - min(latest, check->last);
	u64 id, timestamp, age;
	const void *report;

	for (; n < end; n++) {
		report = slot_at(check, offset);
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
		offset = slot_after(check, offset, 1);
	}

	return n;
}

/*
 * Get the index of the first report from @n on that is not visible, or @end. A visible report is
 * not older than the preceding one. Each poll checks 128 reports, so loop invariants are hoisted.
 */
static u32 visible_until(const struct gpuoa_tail_check *check, u32 n, u32 end, u64 now)
{
	if (check->format->header->word == sizeof(u64))
		return visible_until_words(check, n, end, now, sizeof(u64));

	return visible_until_words(check, n, end, now, sizeof(u32));
}

/**
 * gpuoa_tail_check_is_empty() - Check whether the unit skipped a slot in the first lap.
 * @check: buffer state
 * @n: index from the tail; a later report has landed
 *
 * In later laps, a skipped slot holds the report of the previous lap.
 *
 * Return: true if the slot has no header
 */
bool gpuoa_tail_check_is_empty(const struct gpuoa_tail_check *check, u32 n)
{
	const void *report = gpuoa_tail_check_report(check, n);

	return !memchr_inv(report, 0, 2 * check->format->header->word);
}

/* Check whether a slot shows a report that is not older than the last consumed one. */
static bool slot_is_visible(const struct gpuoa_tail_check *check, u32 n, u64 now)
{
	return visible_until(check, n, n + 1, now) > n;
}

/* Get the number of announced reports that precede a visible one outside of the window. */
static u32 visible_before(const struct gpuoa_tail_check *check, u32 announced, u64 now)
{
	u32 back;

	for (back = GPUOA_TAIL_WINDOW; back < announced; back *= 2)
		if (slot_is_visible(check, announced - back, now))
			return announced - back;

	return 0;
}

/*
 * Count the visible reports. With @all, no reports are left for the next poll. With @idle, the unit
 * was stopped.
 */
static u32 count_visible(const struct gpuoa_tail_check *check, u32 hw_tail, u64 now, bool all,
			 bool idle)
{
	u32 announced = gpuoa_tail_check_announced(check, hw_tail);
	u32 n = visible_before(check, announced, now);

	if (all || n < GPUOA_TAIL_MANY) {
		n = visible_until(check, n, announced, now);
		/* Only the header of the newest report is known to be visible. */
		if (n && !idle)
			n--;
	}

	/* Order the reads of headers before the reads of reports, by the CPU or the reader. */
	dma_rmb();

	return n;
}

/**
 * gpuoa_tail_check_needed() - Get the number of announced reports needed to publish @count reports.
 * @count: number of reports to publish
 *
 * Return: number of reports, @count or slightly more
 */
u32 gpuoa_tail_check_needed(u32 count)
{
	return count < GPUOA_TAIL_MANY ? count : count + GPUOA_TAIL_WINDOW;
}

/**
 * gpuoa_tail_check_announced() - Get the number of reports up to the hardware tail.
 * @check: buffer state
 * @hw_tail: hardware tail, offset in bytes, any multiple of 64
 *
 * Return: number of reports
 */
u32 gpuoa_tail_check_announced(const struct gpuoa_tail_check *check, u32 hw_tail)
{
	/* A removed GPU returns an invalid offset. */
	u32 tail = hw_tail % check->size;
	u32 bytes = tail >= check->tail ? tail - check->tail : tail + check->size - check->tail;

	return bytes / check->format->size;
}

/**
 * gpuoa_tail_check_update() - Find the reports that have landed while the unit runs.
 * @check: buffer state
 * @hw_tail: hardware tail, offset in bytes, any multiple of 64
 * @now: current time, ticks, read after @hw_tail
 *
 * Return: number of reports from the tail on that can be consumed
 */
u32 gpuoa_tail_check_update(const struct gpuoa_tail_check *check, u32 hw_tail, u64 now)
{
	return count_visible(check, hw_tail, now, false, false);
}

/**
 * gpuoa_tail_check_update_all() - Find the reports that have landed, including the newest ones.
 * @check: buffer state
 * @hw_tail: hardware tail, offset in bytes, any multiple of 64
 * @now: current time, ticks, read after @hw_tail
 *
 * Unlike gpuoa_tail_check_update(), never leaves reports for the next poll.
 *
 * Return: number of reports from the tail on that can be consumed
 */
u32 gpuoa_tail_check_update_all(const struct gpuoa_tail_check *check, u32 hw_tail, u64 now)
{
	return count_visible(check, hw_tail, now, true, false);
}

/**
 * gpuoa_tail_check_update_idle() - Find the reports that have landed after the unit was stopped.
 * @check: buffer state
 * @hw_tail: hardware tail, offset in bytes
 * @now: current time, ticks, read after @hw_tail
 *
 * The last report may be incomplete until GPUOA_RING_LAND_NS after it was written.
 *
 * Return: number of visible reports from the tail on, up to the first one that is not visible
 */
u32 gpuoa_tail_check_update_idle(const struct gpuoa_tail_check *check, u32 hw_tail, u64 now)
{
	return count_visible(check, hw_tail, now, true, true);
}

/*
 * Get the number of consecutive missing reports from index @n on, if a later one is visible; else
 * 0.
 */
static u32 count_missing(const struct gpuoa_tail_check *check, u32 n, u32 announced, u64 now)
{
	u32 limit = min_t(u32, announced, n + GPUOA_TAIL_SEARCH), i;

	for (i = n; i < limit; i++)
		if (slot_is_visible(check, i, now))
			return i - n;

	return 0;
}

/**
 * gpuoa_tail_check_missing() - Find missing reports.
 * @check: buffer state, with no report that can be consumed
 * @hw_tail: hardware tail, offset in bytes
 * @now: current time, ticks
 * @before: 1 if a report precedes the missing ones and can now be consumed, else 0; output
 *
 * Return: number of missing reports, to be skipped by gpuoa_tail_check_skip()
 */
u32 gpuoa_tail_check_missing(struct gpuoa_tail_check *check, u32 hw_tail, u64 now, u32 *before)
{
	u32 announced = gpuoa_tail_check_announced(check, hw_tail);
	u32 aged = min(check->seen, announced), missing;

	*before = 0;
	if (!aged || now - check->seen_at < GPUOA_TAIL_MISSING_LAGS * check->lag) {
		/* The last report waits for its successor and is not missing. */
		if (!aged && announced > 1) {
			check->seen = announced;
			check->seen_at = now;
		}
		return 0;
	}

	*before = slot_is_visible(check, 0, now);
	missing = count_missing(check, *before, aged, now);
	if (!missing) {
		*before = 0;
		check->seen = 0;
	}

	return missing;
}

/**
 * gpuoa_tail_check_missing_idle() - Find missing reports after the unit was stopped.
 * @check: buffer state, with all visible reports consumed
 * @hw_tail: hardware tail, offset in bytes
 * @now: current time, ticks
 *
 * Return: number of missing reports, to be skipped by gpuoa_tail_check_skip()
 */
u32 gpuoa_tail_check_missing_idle(const struct gpuoa_tail_check *check, u32 hw_tail, u64 now)
{
	u32 announced = gpuoa_tail_check_announced(check, hw_tail);

	if (!announced || slot_is_visible(check, 0, now))
		return 0;

	return count_missing(check, 0, announced, now) ?: announced;
}

static void advance(struct gpuoa_tail_check *check, u32 count)
{
	check->tail = slot_after(check, check->tail, count);
	check->seen -= min(check->seen, count);
}

/**
 * gpuoa_tail_check_consume() - Consume reports.
 * @check: buffer state
 * @count: number of reports, at most the number that has landed
 * @now: current time, ticks
 */
void gpuoa_tail_check_consume(struct gpuoa_tail_check *check, u32 count, u64 now)
{
	if (!count)
		return;

	check->last = gpuoa_tail_check_time(check, count - 1, now);
	advance(check, count);
}

static void clear_header(const struct gpuoa_tail_check *check, u32 offset)
{
	memset(slot_at(check, offset), 0, 2 * check->format->header->word);
}

/**
 * gpuoa_tail_check_skip() - Skip missing reports and clear their headers.
 * @check: buffer state
 * @count: number of reports
 */
void gpuoa_tail_check_skip(struct gpuoa_tail_check *check, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++)
		clear_header(check, slot_after(check, check->tail, i));
	advance(check, count);
}

/**
 * gpuoa_tail_check_release() - Release slots that the reader has consumed.
 * @check: buffer state
 * @reader: offset of the first slot that the reader still needs, bytes
 *
 * Return: offset up to which the hardware may write, bytes
 */
u32 gpuoa_tail_check_release(struct gpuoa_tail_check *check, u32 reader)
{
	u32 left = GPUOA_TAIL_SEARCH;

	if (!check->clears)
		return reader;
	while (check->cleared != reader && left--) {
		clear_header(check, check->cleared);
		check->cleared = slot_after(check, check->cleared, 1);
	}
	/* Clear the headers before the hardware may write there again. */
	dma_wmb();

	return check->cleared;
}

/**
 * gpuoa_tail_check_ambiguous() - Check whether timestamps may wrap within a lap of the buffer.
 * @format: report format
 * @size: size of the buffer, bytes
 * @period: timer period, ticks
 *
 * Return: true if timestamps cannot distinguish new reports from those of the previous lap
 */
bool gpuoa_tail_check_ambiguous(const struct gpuoa_format_desc *format, u32 size, u64 period)
{
	u64 wrap = BIT_ULL(format->header->timestamp_bits);

	return period >= wrap || (u64)(size / format->size) * period >= wrap / 2;
}

/**
 * gpuoa_tail_check_init() - Initialize the state of a buffer.
 * @check: buffer state
 * @pages: zeroed pages of the buffer
 * @size: size of the buffer, bytes
 * @format: report format
 * @split: a report that crosses the end of the buffer continues at its start
 * @lag: upper bound of the lag of the provider's clock, ticks
 * @clears: clear headers of released slots; the reader must release all slots
 */
void gpuoa_tail_check_init(struct gpuoa_tail_check *check, void *const *pages, u32 size,
			   const struct gpuoa_format_desc *format, bool split, u64 lag, bool clears)
{
	*check = (struct gpuoa_tail_check){
		.pages = pages,
		.format = format,
		.timestamp_mask = GENMASK_ULL(format->header->timestamp_bits - 1, 0),
		.size = split ? size : size - size % format->size,
		.lag = lag,
		.clears = clears,
	};
}

/**
 * gpuoa_tail_check_start() - Prepare for a start of the unit.
 * @check: buffer state
 * @tail: offset of the first report, bytes
 * @now: current time, ticks
 *
 * Discards announced reports that were not consumed. If headers are cleared, the caller must
 * release all free slots again, because the last run may have written to them.
 */
void gpuoa_tail_check_start(struct gpuoa_tail_check *check, u32 tail, u64 now)
{
	check->tail = tail;
	check->last = now;
	check->seen = 0;
	if (!check->clears)
		return;
	clear_header(check, tail);
	check->cleared = slot_after(check, tail, 1);
}
