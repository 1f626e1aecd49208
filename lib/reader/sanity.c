// SPDX-License-Identifier: MIT
/* sanity.c - detect damaged reports of a recording by comparison with adjacent reports */
#include "reader/sanity.h"

#include <string.h>

#include "base/nsec.h"
#include "report/dword_mask.h"

/*
 * Upper bound of the frequency of a GPU's clock in Hz, and maximum delay of a report in clock
 * cycles
 */
#define CLOCK_MAX UINT64_C(10000000000)
#define CYCLES_SLACK 65536

/* Upper bound of the number of events per EU and cycle; no OA counter advances faster. */
#define EVENTS_OF_EU 4

/*
 * Maximum time between two reports without a gap: a number of periods, because invalid reports are
 * dropped without a gap, but at least a fraction of a second.
 */
#define PERIODS_MAX 64
#define PARTS_OF_SECOND 100

static bool is_stored(const uint64_t *dword_mask, size_t dword)
{
	return dword_mask_is_whole(dword_mask) || dword_mask[dword / 64] >> dword % 64 & 1;
}

/* Return the index that a dword has in stored reports. */
static size_t stored_index(const uint64_t *dword_mask, size_t dword)
{
	size_t index = 0;

	for (size_t i = 0; i < dword; i++)
		index += is_stored(dword_mask, i);
	return index;
}

static void mark(uint32_t *masks, const uint64_t *dword_mask, size_t offset, uint32_t bit)
{
	if (is_stored(dword_mask, offset / 4))
		masks[stored_index(dword_mask, offset / 4)] |= bit;
}

static void mark_counters(struct sanity *sanity, const struct report_format *format,
			  const uint64_t *dword_mask)
{
	for (uint32_t i = 0; i < COUNTER_COUNT; i++) {
		const struct report_field field = format_counter(format, i);

		if (field.bits == 32)
			mark(sanity->narrow, dword_mask, field.offset, 1u << 31);
		else if (field.bits == 40)
			mark(sanity->bytes, dword_mask, field.high, 0x80u << 8 * (field.high % 4));
		else if (field.bits > 32)
			mark(sanity->wide, dword_mask, field.offset + 4, 1u << (field.bits - 33));
	}
}

/*
 * Return the position of a header field in stored reports, which always contain the whole header.
 */
static struct report_field stored_field(struct report_field field, const uint64_t *dword_mask)
{
	field.offset = 4 * stored_index(dword_mask, field.offset / 4);
	return field;
}

static uint64_t min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t max(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void set_limits(struct sanity *sanity, const struct gpuoa_reader_desc *desc,
		       const struct gpuoa_unit_desc *unit)
{
	const uint64_t frequency = unit->timestamp_frequency;
	const uint64_t half = field_mask(sanity->timestamp) / 2;
	const uint64_t events = EVENTS_OF_EU * (uint64_t)unit->eu_count * unit->gt_max_frequency;

	sanity->cycles_per_tick = CLOCK_MAX / frequency + 1;
	sanity->narrow_ticks = events ? ((unsigned __int128)frequency << 29) / events : 0;
	/* The period is also unknown if the exponent is 0. */
	sanity->ticks_max = half;
	if (desc->exponent && desc->exponent < 56)
		sanity->ticks_max = min(half, max(frequency / PARTS_OF_SECOND,
						  PERIODS_MAX * (UINT64_C(2) << desc->exponent)));
	if (desc->exponent < 62 && UINT64_C(2) << desc->exponent <= half / 2)
		return;
	/* The timestamp may wrap between two reports, so that the time between them is unknown. */
	sanity->ticks_max = UINT64_MAX;
	sanity->narrow_ticks = 0;
	sanity->clock.bits = 0;
}

void sanity_init(struct sanity *sanity, const struct gpuoa_reader_desc *desc,
		 const struct gpuoa_unit_desc *unit)
{
	const struct report_format *format = format_get(desc->format);

	*sanity = (struct sanity){ 0 };
	if (!format || !unit->timestamp_frequency)
		return;
	sanity->size = dword_mask_is_whole(desc->dword_mask) ? format->size :
							       dword_mask_size(desc->dword_mask);
	sanity->timestamp = stored_field(format->timestamp, desc->dword_mask);
	sanity->clock = stored_field(format->clock, desc->dword_mask);
	mark_counters(sanity, format, desc->dword_mask);
	set_limits(sanity, desc, unit);
}

static uint64_t ticks_between(const struct sanity *sanity, const void *from, const void *to)
{
	return (report_read(to, sanity->timestamp) - report_read(from, sanity->timestamp)) &
	       field_mask(sanity->timestamp);
}

/* Subtract the four bytes of @b from those of @a, each without a borrow from its neighbour. */
static uint32_t subtract_bytes(uint32_t a, uint32_t b)
{
	const uint32_t top = 0x80808080u;

	return ((a | top) - (b & ~top)) ^ ((a ^ ~b) & top);
}

static bool counters_go_back(const struct sanity *sanity, const void *from, const void *to,
			     uint64_t ticks)
{
	const uint32_t narrow = ticks < sanity->narrow_ticks ? UINT32_MAX : 0;
	uint32_t back = 0;

	for (size_t i = 0; i < sanity->size / 4; i++) {
		const uint32_t a = report_dword(to, 4 * i), b = report_dword(from, 4 * i);

		back |= (a - b) & ((sanity->narrow[i] & narrow) | sanity->wide[i]);
		back |= subtract_bytes(a, b) & sanity->bytes[i];
	}
	return back;
}

static bool follows(const struct sanity *sanity, const void *from, const void *to)
{
	const uint64_t ticks = ticks_between(sanity, from, to);
	uint64_t cycles;

	if (ticks > sanity->ticks_max)
		return false;
	cycles = (report_read(to, sanity->clock) - report_read(from, sanity->clock)) &
		 field_mask(sanity->clock);
	if (sanity->clock.bits &&
	    cycles > (unsigned __int128)ticks * sanity->cycles_per_tick + CYCLES_SLACK)
		return false;
	return !counters_go_back(sanity, from, to, ticks);
}

uint64_t sanity_restart(struct sanity *sanity)
{
	const uint64_t damaged = sanity->suspects;

	sanity->has_last = false;
	sanity->suspects = 0;
	return damaged;
}

bool sanity_follows(const struct sanity *sanity, const void *report)
{
	return !sanity->size || !sanity->has_last || follows(sanity, sanity->last, report);
}

/*
 * True if a report is consistent with the last suspect. Equal timestamps do not count: damaged
 * reports may be filled with a constant, and such reports are consistent with each other.
 */
static bool follows_suspect(const struct sanity *sanity, const void *report)
{
	return sanity->suspects && ticks_between(sanity, sanity->suspect, report) &&
	       follows(sanity, sanity->suspect, report);
}

size_t sanity_skip(struct sanity *sanity, const void *reports, size_t count, uint64_t *damaged)
{
	const uint8_t *report = reports;
	size_t n;

	if (!sanity->size)
		return 0;
	for (n = 0; n < count; n++, report += sanity->size) {
		const bool jumped = !sanity_follows(sanity, report);

		if (jumped && !follows_suspect(sanity, report)) {
			memcpy(sanity->suspect, report, sanity->size);
			sanity->suspects++;
			continue;
		}
		/*
		 * If the stream itself jumped, the last suspect is the first report after the jump,
		 * and is not damaged.
		 */
		*damaged += sanity->suspects - jumped;
		sanity->suspects = 0;
		memcpy(sanity->last, report, sanity->size);
		sanity->has_last = true;
		break;
	}
	return n;
}

size_t sanity_accept(struct sanity *sanity, const void *reports, size_t count)
{
	const uint8_t *last = sanity->last, *report = reports;
	size_t n;

	if (!sanity->size || !count)
		return count;
	for (n = 0; n < count && follows(sanity, last, report); n++) {
		last = report;
		report += sanity->size;
	}
	if (n)
		memcpy(sanity->last, last, sanity->size);
	return n;
}
