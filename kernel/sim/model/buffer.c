// SPDX-License-Identifier: GPL-2.0-only
/*
 * buffer.c - writes reports into the OABUFFER in the order in which they reach memory.
 */
#include "buffer.h"

/**
 * DOC: How reports reach memory
 *
 * Reports land in order, and each one's header lands last: first what follows it, then the
 * timestamp, then the report id. But the tail may run ahead of that: the hardware moves it when
 * it issues the writes, not when they arrive. Readers must look at the memory to know. With
 * &sim_faults.tail_ahead reports stay on the way until the unit advances the next time, each in
 * one of the ways in which a reader may meet it: nothing has landed; all but the header has; the
 * end has, but not the beginning.
 *
 * Head and tail being equal means that the buffer is empty, so a report that would make them
 * equal does not fit.
 */
bool sim_buffer_has_room(const struct sim_buffer *buffer, u32 size)
{
	return sim_buffer_used(buffer) + size < buffer->length;
}

/* Bytes from head to tail. */
u32 sim_buffer_used(const struct sim_buffer *buffer)
{
	u32 used = buffer->tail - buffer->head;

	return buffer->tail < buffer->head ? used + buffer->length : used;
}

/* Lines wrap: reports may be split. */
static u32 *buffer_line(struct sim_buffer *buffer, u32 offset)
{
	if (offset >= buffer->length)
		offset -= buffer->length;
	return (u32 *)(buffer->memory + offset);
}

static void buffer_write_lines(struct sim_buffer *buffer, u32 offset, const u32 *report, u32 size,
			       u32 first)
{
	u32 i;

	for (i = first; i < size; i += SIM_LINE)
		memcpy(buffer_line(buffer, offset + i), report + i / sizeof(u32), SIM_LINE);
}

static void buffer_write_body(struct sim_buffer *buffer, u32 offset, const u32 *report, u32 size)
{
	const u32 header = 2 * buffer->word;

	buffer_write_lines(buffer, offset, report, size, SIM_LINE);
	memcpy((u8 *)buffer_line(buffer, offset) + header, (const u8 *)report + header,
	       SIM_LINE - header);
}

/* Write a field of the header, of one or two dwords, at once. */
static void buffer_write_word(struct sim_buffer *buffer, u32 offset, const u32 *report, u32 index)
{
	u32 *line = buffer_line(buffer, offset);

	if (buffer->word == sizeof(u64))
		WRITE_ONCE(((u64 *)line)[index], ((const u64 *)report)[index]);
	else
		WRITE_ONCE(line[index], report[index]);
}

static void buffer_write_all(struct sim_buffer *buffer, u32 offset, const u32 *report, u32 size)
{
	if (!buffer->memory)
		return;

	buffer_write_body(buffer, offset, report, size);
	/* Whoever sees the header sees the body. */
	smp_wmb();
	buffer_write_word(buffer, offset, report, 1);
	/* Whoever sees the id sees the timestamp. */
	smp_wmb();
	buffer_write_word(buffer, offset, report, 0);
}

static void buffer_land_oldest(struct sim_buffer *buffer)
{
	struct sim_pending *pending = &buffer->pending[buffer->first_pending];

	buffer_write_all(buffer, pending->offset, pending->data, pending->size);
	buffer->first_pending = (buffer->first_pending + 1) % SIM_MAX_TAIL_AHEAD;
	buffer->n_pending--;
}

static void buffer_delay(struct sim_buffer *buffer, u32 offset, const u32 *report, u32 size)
{
	unsigned int last = (buffer->first_pending + buffer->n_pending) % SIM_MAX_TAIL_AHEAD;
	struct sim_pending *pending = &buffer->pending[last];

	pending->offset = offset;
	pending->size = size;
	memcpy(pending->data, report, size);
	buffer->n_pending++;

	if (!buffer->memory)
		return;
	switch (buffer->n_written % 3) {
	case 1:
		buffer_write_body(buffer, offset, report, size);
		break;
	case 2:
		buffer_write_lines(buffer, offset, report, size, SIM_LINE);
		break;
	}
}

/*
 * Write a report, for which there is room, and move the tail behind it. At most @ahead reports
 * stay on the way.
 */
void sim_buffer_write(struct sim_buffer *buffer, const u32 *report, u32 size, unsigned int ahead)
{
	u32 offset = buffer->tail;

	while (buffer->n_pending && buffer->n_pending >= ahead)
		buffer_land_oldest(buffer);
	if (ahead)
		buffer_delay(buffer, offset, report, size);
	else
		buffer_write_all(buffer, offset, report, size);
	buffer->n_written++;
	buffer->tail = offset + size;
	if (buffer->tail >= buffer->length)
		buffer->tail -= buffer->length;
}

/* Let all reports land that are on the way. */
void sim_buffer_land(struct sim_buffer *buffer)
{
	while (buffer->n_pending)
		buffer_land_oldest(buffer);
}
