// SPDX-License-Identifier: GPL-2.0-only
/*
 * landing.c - which reports have landed in a buffer that nobody clears: pure logic, no I/O, no
 * locks.
 */
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/mm.h>

#include <asm/barrier.h>

#include "landing.h"

/**
 * DOC: Landed or left over?
 *
 * The hardware's tail pointer runs ahead of what the CPU can see (see ring.c). A buffer whose
 * reports the reader takes from where the hardware put them is not cleared, so a slot that the tail
 * has passed shows either its new report, or still the one of a lap ago, or none.
 *
 * Their timestamps tell. A report is written after the one before it; so a slot holds a new one if
 * its timestamp lies between that one's and now. What is left over from a lap ago is older than
 * that. (Equal is new: a context switch may fall on a tick of the timer. A slot that was never
 * written has neither id nor timestamp.)
 *
 * That is the header. A report is written front to back; all of it is there when the header of the
 * next one shows, or when its own timestamp is &gpuoa_landing.settle old. By then it has landed
 * whatever else memory was busy with: i915 once waited as long, for each report, and looked at
 * none. For the same reason not every header has to be looked at. One that shows a new report of
 * that age vouches for all before it; it is searched for backwards from the tail, and never among
 * the last GPUOA_LANDING_WINDOW reports, which are looked at one by one.
 *
 * Limits:
 *
 * - Timestamps wrap. Something left over that is as old as the wrap looks new: at 12.5 MHz, after
 *   343 s; and since laps and the wrap are both powers of two, its timestamp may even be exactly
 *   the one that is expected. It takes a low rate in a large buffer, or a long pause. Hence
 *   &gpuoa_landing.oldest: while anything in the buffer may be that old, timestamps don't count,
 *   and a report has landed when a look at least &gpuoa_landing.settle ago had it announced.
 * - A report that never lands holds up those behind it until the buffer overflows. The unit is then
 *   started anew, and the gap is counted.
 */

/* Reports behind the tail whose headers are all looked at. */
#define GPUOA_LANDING_WINDOW 128

/* The n-th report from the tail on. */
static u32 landing_offset(const struct gpuoa_landing *landing, u32 n)
{
	u64 offset = landing->tail + (u64)n * landing->format->size;

	return offset < landing->size ? offset : offset - landing->size;
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
	u32 offset = landing_offset(landing, n);

	return landing->pages[offset >> PAGE_SHIFT] + offset_in_page(offset);
}

struct landing_header {
	u64 id;
	u64 timestamp;
};

static struct landing_header landing_header(const struct gpuoa_landing *landing, u32 n)
{
	const void *report = gpuoa_landing_report(landing, n);
	struct landing_header header;

	if (landing->format->header->word == sizeof(u64)) {
		header.id = READ_ONCE(((const u64 *)report)[0]);
		header.timestamp = READ_ONCE(((const u64 *)report)[1]);
	} else {
		header.id = READ_ONCE(((const u32 *)report)[0]);
		header.timestamp = READ_ONCE(((const u32 *)report)[1]);
	}

	return header;
}

/* The last time with this timestamp, for somebody whose clock may be a little late. */
static u64 landing_time(const struct gpuoa_landing *landing, u64 timestamp, u64 now)
{
	u64 latest = now + landing->settle;

	return latest - ((latest - timestamp) & landing->timestamp_mask);
}

/**
 * gpuoa_landing_time - when was a report written?
 * @landing: the buffer
 * @n: counted from the tail on
 * @now: the time
 *
 * Return: the last time with this timestamp that is not after @now. The host's clock may lag behind
 * the unit's, though not by &gpuoa_landing.settle
 */
u64 gpuoa_landing_time(const struct gpuoa_landing *landing, u32 n, u64 now)
{
	return landing_time(landing, landing_header(landing, n).timestamp, now);
}

/* Does a slot show a report that is not older than @after? Then @time is when it was written. */
static bool landing_shows(const struct gpuoa_landing *landing, u32 n, u64 after, u64 now, u64 *time)
{
	struct landing_header header = landing_header(landing, n);

	if (!header.id && !header.timestamp)
		return false;
	*time = landing_time(landing, header.timestamp, now);

	return *time >= after;
}

/* Of @announced reports, how many have landed because one of them is that old? */
static u32 landing_settled(const struct gpuoa_landing *landing, u32 announced, u64 now, u64 *time)
{
	u32 back, n;

	for (back = GPUOA_LANDING_WINDOW; back < announced; back *= 2) {
		n = announced - back;
		if (landing_shows(landing, n, landing->last, now, time) &&
		    *time + landing->settle <= now)
			return n + 1;
	}
	*time = landing->last;

	return 0;
}

/* How many reports have landed, by their timestamps? */
static u32 landing_shown(const struct gpuoa_landing *landing, u32 announced, u64 now, bool idle)
{
	u64 time, next;
	u32 n;

	for (n = landing_settled(landing, announced, now, &time); n < announced; n++) {
		if (!landing_shows(landing, n, time, now, &next))
			break;
		time = next;
	}
	/* Of the newest one, only the header is known to be there. */
	if (n && !idle && time + landing->settle > now)
		n--;

	return n;
}

static u32 landing_announced(const struct gpuoa_landing *landing, u32 hw_tail)
{
	/* What a GPU that is gone says is no offset at all. */
	u32 tail = hw_tail % landing->size;
	u32 bytes = tail >= landing->tail ? tail - landing->tail :
					    tail + landing->size - landing->tail;

	return bytes / landing->format->size;
}

/* How many reports have landed because they were announced long ago? */
static u32 landing_aged(struct gpuoa_landing *landing, u32 announced, u64 now)
{
	u32 aged;

	if (now - landing->seen_at < landing->settle)
		return 0;

	aged = min(landing->seen, announced);
	landing->seen = announced;
	landing->seen_at = now;

	return aged;
}

static u32 landing_update(struct gpuoa_landing *landing, u32 hw_tail, u64 now, bool idle)
{
	u32 announced = landing_announced(landing, hw_tail);
	u32 landed = landing_aged(landing, announced, now);

	if (now + landing->settle - landing->oldest <= landing->timestamp_mask)
		landed = landing_shown(landing, announced, now, idle);
	else if (idle)
		landed = announced;

	/* Reports are read, by whomever, only after their headers were seen. */
	dma_rmb();

	return landed;
}

/**
 * gpuoa_landing_update - find out what has landed while the unit runs
 * @landing: the buffer
 * @hw_tail: the hardware's tail, as an offset; any multiple of 64 bytes
 * @now: the time, read after @hw_tail
 *
 * Return: number of reports from the tail on that can be taken
 */
u32 gpuoa_landing_update(struct gpuoa_landing *landing, u32 hw_tail, u64 now)
{
	return landing_update(landing, hw_tail, now, false);
}

/**
 * gpuoa_landing_update_idle - find out what has landed after the unit was stopped
 * @landing: the buffer
 * @hw_tail: the hardware's tail, as an offset
 * @now: the time, read after @hw_tail
 *
 * Nothing is on its way any more, so each report that shows is complete.
 *
 * Return: number of reports from the tail on that can be taken
 */
u32 gpuoa_landing_update_idle(struct gpuoa_landing *landing, u32 hw_tail, u64 now)
{
	return landing_update(landing, hw_tail, now, true);
}

/**
 * gpuoa_landing_take - move the tail
 * @landing: the buffer
 * @count: number of reports, at most what has landed
 * @now: the time
 */
void gpuoa_landing_take(struct gpuoa_landing *landing, u32 count, u64 now)
{
	u64 begin = landing->last;

	if (!count)
		return;

	landing->last = gpuoa_landing_time(landing, count - 1, now);
	if (landing->tail + (u64)count * landing->format->size >= landing->size) {
		landing->oldest = landing->lap;
		landing->lap = begin;
	}
	landing->tail = landing_offset(landing, count);
	landing->seen -= min(landing->seen, count);
}

/**
 * gpuoa_landing_init - look at a buffer for the first time
 * @landing: the buffer
 * @pages: its pages, zeroed
 * @size: bytes of it that the unit uses
 * @format: format of the reports
 * @settle: ticks until a report has certainly landed
 * @now: the time
 */
void gpuoa_landing_init(struct gpuoa_landing *landing, void *const *pages, u32 size,
			const struct gpuoa_format_desc *format, u64 settle, u64 now)
{
	*landing = (struct gpuoa_landing){
		.pages = pages,
		.format = format,
		.timestamp_mask = GENMASK_ULL(format->header->timestamp_bits - 1, 0),
		.size = size - size % format->size,
		.settle = settle,
		.lap = now,
		.oldest = now,
	};
	gpuoa_landing_start(landing, 0, now);
}

/**
 * gpuoa_landing_start - the unit is about to be started
 * @landing: the buffer
 * @tail: where it begins to write
 * @now: the time
 *
 * What it announced before, and was not taken, is forgotten.
 */
void gpuoa_landing_start(struct gpuoa_landing *landing, u32 tail, u64 now)
{
	landing->tail = tail;
	landing->last = now;
	landing->seen = 0;
	landing->seen_at = now;
}
