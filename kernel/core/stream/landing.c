// SPDX-License-Identifier: GPL-2.0-only
/*
 * landing.c - which reports have landed in a buffer that the reader takes them from: pure logic, no
 * I/O, no locks.
 */
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/string.h>

#include <asm/barrier.h>

#include "landing.h"

/**
 * DOC: Landed or left over?
 *
 * The hardware's tail pointer runs ahead of what the CPU can see (see ring.c). The reader takes
 * reports from where the hardware put them, and nobody clears the buffer: so a slot that the tail
 * has passed shows either its new report, or still the one of a lap ago, or none.
 *
 * Their timestamps tell. A report is written after the one before it; so a slot holds a new one if
 * its timestamp lies between that one's and now. What is left over from a lap ago is older than
 * that. (Equal is new: a context switch may fall on a tick of the timer. A slot that was never
 * written has neither id nor timestamp.)
 *
 * That is the header. A report is written front to back; all of it is there when the header of the
 * next one shows. How long ago it was written says nothing: on DG2 under memory pressure, i915 saw
 * reports that had been announced for 100 us and still held pieces of others. The same evidence
 * goes for all reports before one that shows, so not every header has to be looked at: one that
 * shows is searched for backwards from the tail, as i915 and xe do, but never among the last
 * GPUOA_LANDING_WINDOW reports, which are looked at one by one. Where these are but a small part of
 * many they stay where they are until the next time, and a look takes one header.
 *
 * Timestamps wrap. What is left over from a lap that took as long as the wrap (at 12.5 MHz, 343 s)
 * looks new; and since laps and the wrap are both powers of two, its timestamp may even be exactly
 * the one that is expected. Where laps of the timer's reports take that long, headers are cleared
 * when the reader gives slots back, and then any header that shows is a new one. Such a lap has few
 * reports a second.
 *
 * A report that has not landed some milliseconds after one behind it was seen never will: it is a
 * hole, and passed.
 *
 * Limits:
 *
 * - A flight recorder gives all of its buffer to the hardware at any time, so nothing of it can be
 *   cleared. Where its laps take as long as the wrap, a report that has not landed until its
 *   successor is due, and whose slot still shows the one of a wrap ago, is taken to be that.
 * - A hole that has more than GPUOA_LANDING_WINDOW reports behind it at the first look is not seen,
 *   nor is any where GPUOA_LANDING_MANY reports come between two looks. It shows the report of a
 *   lap ago; the reader can tell by a timestamp that goes back.
 */

/* Reports behind the tail whose headers are all looked at. */
#define GPUOA_LANDING_WINDOW 128

/* Where so many were announced, those in the window wait: one in sixteen. */
#define GPUOA_LANDING_MANY (16 * GPUOA_LANDING_WINDOW)

/* No hole is looked for behind more slots than this, and not more headers are cleared at once. */
#define GPUOA_LANDING_SEARCH 4096

/* A hole is a hole after so many times the clock's lag of 100 us. */
#define GPUOA_LANDING_HOLE_LAGS 50

/* @n slots on */
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
 * gpuoa_landing_report - a report, as far as it lies in one page; its header always does
 * @landing: the buffer
 * @n: counted from the tail on, less than what was announced
 *
 * Return: the report
 */
const void *gpuoa_landing_report(const struct gpuoa_landing *landing, u32 n)
{
	return landing_at(landing, landing_slot(landing, landing->tail, n));
}

/**
 * gpuoa_landing_time - when was a report written?
 * @landing: the buffer
 * @n: counted from the tail on
 * @now: the time
 *
 * Return: the last time with this timestamp that is not after @now. The host's clock may lag behind
 * the unit's, though not by &gpuoa_landing.lag
 */
u64 gpuoa_landing_time(const struct gpuoa_landing *landing, u32 n, u64 now)
{
	u64 latest = now + landing->lag;
	u64 timestamp = gpuoa_report_timestamp(landing->format, gpuoa_landing_report(landing, n));

	return latest - ((latest - timestamp) & landing->timestamp_mask);
}

/* landing_walk() for reports whose id and timestamp are @word bytes wide each */
static __always_inline u32 landing_walk_words(const struct gpuoa_landing *landing, u32 n, u32 end,
					      u64 now, u32 word)
{
	u32 offset = landing_slot(landing, landing->tail, n);
	/* Where headers are cleared, any age is right: then each one is 0. */
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
 * From the @n-th report on, the first one that does not show, or @end. One that shows is not older
 * than the one before it. A poll walks over 128 reports: what is the same for all of them is found
 * out once.
 */
static u32 landing_walk(const struct gpuoa_landing *landing, u32 n, u32 end, u64 now)
{
	if (landing->format->header->word == sizeof(u64))
		return landing_walk_words(landing, n, end, now, sizeof(u64));

	return landing_walk_words(landing, n, end, now, sizeof(u32));
}

/**
 * gpuoa_landing_is_empty - did the unit leave out a slot?
 * @landing: the buffer
 * @n: counted from the tail on; reports behind it have landed
 *
 * In later laps it holds the report of a lap ago instead.
 *
 * Return: true if nobody has written a header there
 */
bool gpuoa_landing_is_empty(const struct gpuoa_landing *landing, u32 n)
{
	const void *report = gpuoa_landing_report(landing, n);

	return !memchr_inv(report, 0, 2 * landing->format->header->word);
}

/* Does a slot show a report that is not older than the last one that was taken? */
static bool landing_shows(const struct gpuoa_landing *landing, u32 n, u64 now)
{
	return landing_walk(landing, n, n + 1, now) > n;
}

/* Of @announced reports, how many have one behind them that shows, not too near to the tail? */
static u32 landing_vouched(const struct gpuoa_landing *landing, u32 announced, u64 now)
{
	u32 back;

	for (back = GPUOA_LANDING_WINDOW; back < announced; back *= 2)
		if (landing_shows(landing, announced - back, now))
			return announced - back;

	return 0;
}

/* @all: also those of many that could wait; @idle: the unit was stopped */
static u32 landing_update(const struct gpuoa_landing *landing, u32 hw_tail, u64 now, bool all,
			  bool idle)
{
	u32 announced = gpuoa_landing_announced(landing, hw_tail);
	u32 n = landing_vouched(landing, announced, now);

	if (all || n < GPUOA_LANDING_MANY) {
		n = landing_walk(landing, n, announced, now);
		/* Of the newest one, only the header is known to be there. */
		if (n && !idle)
			n--;
	}

	/* Reports are read, by whomever, only after their headers were seen. */
	dma_rmb();

	return n;
}

/**
 * gpuoa_landing_ahead - how many reports have to be announced before so many can be taken?
 * @count: number of reports
 *
 * Return: number of reports, @count or a few more
 */
u32 gpuoa_landing_ahead(u32 count)
{
	return count < GPUOA_LANDING_MANY ? count : count + GPUOA_LANDING_WINDOW;
}

/**
 * gpuoa_landing_announced - reports that were not taken yet, according to the hardware
 * @landing: the buffer
 * @hw_tail: the hardware's tail, as an offset; any multiple of 64 bytes
 *
 * Return: number of reports
 */
u32 gpuoa_landing_announced(const struct gpuoa_landing *landing, u32 hw_tail)
{
	/* What a GPU that is gone says is no offset at all. */
	u32 tail = hw_tail % landing->size;
	u32 bytes = tail >= landing->tail ? tail - landing->tail :
					    tail + landing->size - landing->tail;

	return bytes / landing->format->size;
}

/**
 * gpuoa_landing_update - find out what has landed while the unit runs
 * @landing: the buffer
 * @hw_tail: the hardware's tail, as an offset; any multiple of 64 bytes
 * @now: the time, read after @hw_tail
 *
 * Return: number of reports from the tail on that can be taken
 */
u32 gpuoa_landing_update(const struct gpuoa_landing *landing, u32 hw_tail, u64 now)
{
	return landing_update(landing, hw_tail, now, false, false);
}

/**
 * gpuoa_landing_update_all - likewise, up to the newest ones, of however many there are
 * @landing: the buffer
 * @hw_tail: the hardware's tail, as an offset; any multiple of 64 bytes
 * @now: the time, read after @hw_tail
 *
 * Return: number of reports from the tail on that can be taken
 */
u32 gpuoa_landing_update_all(const struct gpuoa_landing *landing, u32 hw_tail, u64 now)
{
	return landing_update(landing, hw_tail, now, true, false);
}

/**
 * gpuoa_landing_update_idle - find out what has landed after the unit was stopped
 * @landing: the buffer
 * @hw_tail: the hardware's tail, as an offset
 * @now: the time, read after @hw_tail
 *
 * The last report may be there in part until GPUOA_RING_LAND_NS after it was written.
 *
 * Return: number of reports from the tail on that show, up to the first one that does not
 */
u32 gpuoa_landing_update_idle(const struct gpuoa_landing *landing, u32 hw_tail, u64 now)
{
	return landing_update(landing, hw_tail, now, true, true);
}

/* How many of @announced reports do not show, from the @n-th on, before one that does? */
static u32 landing_hole(const struct gpuoa_landing *landing, u32 n, u32 announced, u64 now)
{
	u32 limit = min_t(u32, announced, n + GPUOA_LANDING_SEARCH), i;

	for (i = n; i < limit; i++)
		if (landing_shows(landing, i, now))
			return i - n;

	return 0;
}

/**
 * gpuoa_landing_hole - look for reports that never land
 * @landing: the buffer, of which nothing can be taken at present
 * @hw_tail: the hardware's tail, as an offset
 * @now: the time
 * @before: out: 1 if a report is in front of them, which can be taken now; else 0
 *
 * Return: number of reports that are lost, to be passed by gpuoa_landing_skip()
 */
u32 gpuoa_landing_hole(struct gpuoa_landing *landing, u32 hw_tail, u64 now, u32 *before)
{
	u32 announced = gpuoa_landing_announced(landing, hw_tail);
	u32 aged = min(landing->seen, announced), hole;

	*before = 0;
	if (!aged || now - landing->seen_at < GPUOA_LANDING_HOLE_LAGS * landing->lag) {
		/* The last report waits for its successor; that is no hole. */
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
 * gpuoa_landing_hole_idle - count reports that have not landed after the unit was stopped
 * @landing: the buffer, of which all that showed was taken
 * @hw_tail: the hardware's tail, as an offset
 * @now: the time
 *
 * Return: number of reports that are lost, to be passed by gpuoa_landing_skip()
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
 * gpuoa_landing_take - move the tail
 * @landing: the buffer
 * @count: number of reports, at most what has landed
 * @now: the time
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
 * gpuoa_landing_skip - move the tail over reports that have not landed
 * @landing: the buffer
 * @count: number of them
 *
 * Whoever looks at these slots finds them empty.
 */
void gpuoa_landing_skip(struct gpuoa_landing *landing, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++)
		landing_clear(landing, landing_slot(landing, landing->tail, i));
	landing_move(landing, count);
}

/**
 * gpuoa_landing_release - the reader gives slots back
 * @landing: the buffer
 * @reader: offset of the first slot that the reader still needs
 *
 * Return: offset up to where the hardware may write
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
	/* Headers are clear before the hardware may write there again. */
	dma_wmb();

	return landing->cleared;
}

/**
 * gpuoa_landing_ambiguous - can timestamps not tell what is left over from a lap ago?
 * @format: format of the reports
 * @size: bytes of the buffer
 * @period: of the timer, ticks
 *
 * Return: true if a lap takes so long that timestamps may have wrapped
 */
bool gpuoa_landing_ambiguous(const struct gpuoa_format_desc *format, u32 size, u64 period)
{
	u64 wrap = BIT_ULL(format->header->timestamp_bits);

	return period >= wrap || (u64)(size / format->size) * period >= wrap / 2;
}

/**
 * gpuoa_landing_init - look at a buffer for the first time
 * @landing: the buffer
 * @pages: its pages, zeroed
 * @size: bytes of it that the unit uses
 * @format: format of the reports
 * @lag: the host's clock is late by less ticks than this
 * @clears: clear headers; the reader takes all reports, and gives their slots back
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
 * gpuoa_landing_start - the unit is about to be started
 * @landing: the buffer
 * @tail: where it begins to write
 * @now: the time
 *
 * What it announced before, and was not taken, is forgotten. If headers are cleared, all of the
 * room is to be released again: the last run may have left something there.
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
