// SPDX-License-Identifier: GPL-2.0-only
/*
 * buffer.c - writing of reports into the OABUFFER, in the order in which they reach memory.
 */
#include "buffer.h"

/**
 * DOC: How reports reach memory
 *
 * Reports arrive in order, and the header of each arrives last: first the other dwords, then the
 * timestamp, then the report id. But the tail can run ahead of memory, because the hardware moves
 * it when it issues the writes, not when they arrive. So a reader must check the memory.
 *
 * With &sim_faults.tail_ahead, reports are pending until the unit advances the next time, each in
 * one of three states that a reader can encounter: nothing has arrived; all but the header has; the
 * end has, but not the beginning. With &sim_faults.land_late_us, each is pending for a time, even
 * if the unit is stopped in the meantime. With &sim_faults.torn_us, the first line arrives at once
 * and the others are pending.
 *
 * If head and tail are equal, the buffer is empty, so a report that would make them equal does not
 * fit.
 */
bool sim_buffer_has_room(const struct sim_buffer *buffer, u32 size)
{
	return sim_buffer_used(buffer) + size < buffer->length;
}

/**
 * sim_buffer_used() - Get the number of bytes not yet consumed by the reader.
 * @buffer: the buffer
 *
 * Return: bytes from head to tail
 */
u32 sim_buffer_used(const struct sim_buffer *buffer)
{
	u32 used = buffer->tail - buffer->head;

	return buffer->tail < buffer->head ? used + buffer->length : used;
}

/* Where a report is written */
struct place {
	u8 *memory;
	u32 length;
	u32 offset;
	u32 word;
};

static struct place buffer_place(const struct sim_buffer *buffer)
{
	return (struct place){
		.memory = buffer->memory,
		.length = buffer->length,
		.offset = buffer->tail,
		.word = buffer->word,
	};
}

/* A report may be split at the end of the buffer, so each line wraps. */
static u32 *place_line(const struct place *place, u32 offset)
{
	offset += place->offset;
	if (offset >= place->length)
		offset -= place->length;

	return (u32 *)(place->memory + offset);
}

static void place_lines(const struct place *place, const u32 *report, u32 size, u32 first)
{
	u32 i;

	for (i = first; i < size; i += SIM_LINE)
		memcpy(place_line(place, i), report + i / sizeof(u32), SIM_LINE);
}

/* Write the first cache line of the report, except the header. */
static void place_first(const struct place *place, const u32 *report)
{
	const u32 header = 2 * place->word;

	memcpy((u8 *)place_line(place, 0) + header, (const u8 *)report + header, SIM_LINE - header);
}

static void place_body(const struct place *place, const u32 *report, u32 size)
{
	place_lines(place, report, size, SIM_LINE);
	place_first(place, report);
}

/* Write a field of the header, one or two dwords, in a single store. */
static void place_word(const struct place *place, const u32 *report, u32 index)
{
	u32 *line = place_line(place, 0);

	if (place->word == sizeof(u64))
		WRITE_ONCE(((u64 *)line)[index], ((const u64 *)report)[index]);
	else
		WRITE_ONCE(line[index], report[index]);
}

static void place_header(const struct place *place, const u32 *report)
{
	/* A reader that sees the header must see the body. */
	smp_wmb();
	place_word(place, report, 1);
	/* A reader that sees the id must see the timestamp. */
	smp_wmb();
	place_word(place, report, 0);
}

static void place_all(const struct place *place, const u32 *report, u32 size)
{
	if (!place->memory)
		return;
	place_body(place, report, size);
	place_header(place, report);
}

static void buffer_land_oldest(struct sim_buffer *buffer)
{
	const struct sim_pending *pending = &buffer->pending[buffer->first_pending];
	const struct place place = {
		.memory = pending->memory,
		.length = pending->length,
		.offset = pending->offset,
		.word = buffer->word,
	};

	if (!pending->torn)
		place_all(&place, pending->data, pending->size);
	else if (place.memory)
		place_lines(&place, pending->data, pending->size, SIM_LINE);
	buffer->first_pending = (buffer->first_pending + 1) % SIM_MAX_TAIL_AHEAD;
	buffer->n_pending--;
}

static void buffer_delay(struct sim_buffer *buffer, const u32 *report, u32 size, u64 lands,
			 bool torn)
{
	unsigned int last = (buffer->first_pending + buffer->n_pending) % SIM_MAX_TAIL_AHEAD;
	struct sim_pending *pending = &buffer->pending[last];

	pending->lands = lands;
	pending->torn = torn;
	pending->memory = buffer->memory;
	pending->length = buffer->length;
	pending->offset = buffer->tail;
	pending->size = size;
	memcpy(pending->data, report, size);
	buffer->n_pending++;
}

/**
 * sim_buffer_skip() - Move the tail as for a report, without writing it.
 * @buffer: the buffer, which has room
 * @size: size of the report in bytes
 */
void sim_buffer_skip(struct sim_buffer *buffer, u32 size)
{
	buffer->n_written++;
	buffer->tail += size;
	if (buffer->tail >= buffer->length)
		buffer->tail -= buffer->length;
}

/**
 * sim_buffer_write() - Write a report and move the tail past it.
 * @buffer: the buffer, which has room
 * @report: the report
 * @size: size of the report in bytes
 * @ahead: maximum number of reports pending until the unit advances the next time
 */
void sim_buffer_write(struct sim_buffer *buffer, const u32 *report, u32 size, unsigned int ahead)
{
	const struct place place = buffer_place(buffer);

	while (buffer->n_pending && buffer->n_pending >= ahead)
		buffer_land_oldest(buffer);
	if (!ahead)
		place_all(&place, report, size);
	else
		buffer_delay(buffer, report, size, 0, false);
	if (ahead && place.memory && buffer->n_written % 3 == 1)
		place_body(&place, report, size);
	else if (ahead && place.memory && buffer->n_written % 3 == 2)
		place_lines(&place, report, size, SIM_LINE);
	sim_buffer_skip(buffer, size);
}

/**
 * sim_buffer_write_late() - Move the tail past a report that arrives at a given time.
 * @buffer: the buffer, which has room
 * @report: the report
 * @size: size of the report in bytes
 * @lands: arrival time in ticks, not earlier than that of the preceding report
 * @torn: the first line, which includes the header, arrives at once
 *
 * If SIM_MAX_TAIL_AHEAD reports are pending, the oldest arrives now.
 */
void sim_buffer_write_late(struct sim_buffer *buffer, const u32 *report, u32 size, u64 lands,
			   bool torn)
{
	const struct place place = buffer_place(buffer);

	if (buffer->n_pending == SIM_MAX_TAIL_AHEAD)
		buffer_land_oldest(buffer);
	buffer_delay(buffer, report, size, lands, torn);
	if (torn && place.memory) {
		place_first(&place, report);
		place_header(&place, report);
	}
	sim_buffer_skip(buffer, size);
}

/**
 * sim_buffer_lands() - Get the arrival time of the next late report.
 * @buffer: the buffer
 *
 * Return: the time in ticks, U64_MAX if none is pending
 */
u64 sim_buffer_lands(const struct sim_buffer *buffer)
{
	const struct sim_pending *pending = &buffer->pending[buffer->first_pending];

	return buffer->n_pending && pending->lands ? pending->lands : U64_MAX;
}

/**
 * sim_buffer_land_late() - Complete the late reports that are due.
 * @buffer: the buffer
 * @now: the present in ticks
 */
void sim_buffer_land_late(struct sim_buffer *buffer, u64 now)
{
	while (sim_buffer_lands(buffer) <= now)
		buffer_land_oldest(buffer);
}

/**
 * sim_buffer_land() - Complete the pending reports that are due or have no arrival time.
 * @buffer: the buffer
 * @now: the present in ticks
 */
void sim_buffer_land(struct sim_buffer *buffer, u64 now)
{
	while (buffer->n_pending && buffer->pending[buffer->first_pending].lands <= now)
		buffer_land_oldest(buffer);
}

/**
 * sim_buffer_land_all() - Complete all pending reports.
 * @buffer: the buffer
 */
void sim_buffer_land_all(struct sim_buffer *buffer)
{
	while (buffer->n_pending)
		buffer_land_oldest(buffer);
}
