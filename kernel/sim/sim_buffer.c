// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim_buffer.c - writes reports into the OABUFFER in the order in which they reach memory.
 */
#include <asm/barrier.h>
#include <linux/compiler.h>
#include <linux/string.h>

#include "sim_buffer.h"

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
	u32 used = (buffer->tail - buffer->head) & (buffer->size - 1);

	return used + size < buffer->size;
}

/* Lines wrap: the size of one format does not divide the size of the buffer. */
static u32 *buffer_line(struct sim_buffer *buffer, u32 offset)
{
	return (u32 *)(buffer->memory + (offset & (buffer->size - 1)));
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
	buffer_write_lines(buffer, offset, report, size, SIM_LINE);
	memcpy(buffer_line(buffer, offset) + 2, report + 2, SIM_LINE - 2 * sizeof(u32));
}

static void buffer_write_all(struct sim_buffer *buffer, u32 offset, const u32 *report, u32 size)
{
	u32 *header;

	if (!buffer->memory)
		return;

	header = buffer_line(buffer, offset);
	buffer_write_body(buffer, offset, report, size);
	/* Whoever sees the header sees the body. */
	smp_wmb();
	WRITE_ONCE(header[1], report[1]);
	/* Whoever sees the id sees the timestamp. */
	smp_wmb();
	WRITE_ONCE(header[0], report[0]);
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
	buffer->tail = (offset + size) & (buffer->size - 1);
}

/* Let all reports land that are on the way. */
void sim_buffer_land(struct sim_buffer *buffer)
{
	while (buffer->n_pending)
		buffer_land_oldest(buffer);
}
