// SPDX-License-Identifier: GPL-2.0-only
/*
 * oa_buffer.c - the buffer of an OA unit, as its registers set it up.
 */
#include "gpu.h"
#include "oa_buffer.h"
#include "oa_expect.h"
#include "tick.h"

static u32 oa_offset(const struct sim_oa *oa, u32 address)
{
	return address & (oa->buffer.size - 1) & ~(SIM_LINE - 1);
}

/**
 * sim_oa_place - the buffer is there from now on
 * @oa: the unit
 * @where: address and size
 */
void sim_oa_place(struct sim_oa *oa, const struct sim_oa_buffer *where)
{
	struct sim_buffer *buffer = &oa->buffer;

	/* What is on its way to another place gets there first. */
	if (oa->base != (where->base & ~(where->size - 1)) || buffer->size != where->size)
		sim_buffer_land_all(buffer);
	oa->base = where->base & ~(where->size - 1);
	oa->ggtt = where->ggtt;
	buffer->size = where->size;
	buffer->length = where->size;
	buffer->memory = NULL;
	buffer->head = oa_offset(oa, oa->head);
}

/**
 * sim_oa_attach - find the memory of the buffer
 * @oa: the unit, which is about to run
 *
 * An address of a context's own space would need its page tables. Where reports are not split, what
 * is left of the buffer behind the last whole one is not used.
 */
void sim_oa_attach(struct sim_oa *oa)
{
	struct sim_buffer *buffer = &oa->buffer;

	buffer->memory = NULL;
	if (oa->ggtt)
		buffer->memory = oa->gpu->carrier->memory(oa->gpu, oa->base, buffer->size);
	buffer->word = oa->run.format->word;
	buffer->length = buffer->size;
	if (!oa->ops->splits)
		buffer->length -= buffer->size % oa->run.format->size;
}

/**
 * sim_oa_write_head - the driver has written the head
 * @oa: the unit
 * @address: GPU address
 *
 * While the unit runs that is the reader's progress; else it begins the setup of the buffer.
 */
void sim_oa_write_head(struct sim_oa *oa, u32 address)
{
	if (!oa->running)
		oa->setup = SIM_SETUP_HEAD;
	oa->head = address;
	if (oa->running && oa_offset(oa, address) < oa->buffer.head)
		oa->wraps |= SIM_WRAP_HEAD;
	oa->buffer.head = oa_offset(oa, address);
	sim_oa_expect(oa);
}

/**
 * sim_oa_write_buffer - the driver has written the buffer's address
 * @oa: the unit
 * @buffer: where it is
 */
void sim_oa_write_buffer(struct sim_oa *oa, const struct sim_oa_buffer *buffer)
{
	if (oa->setup != SIM_SETUP_HEAD)
		oa->status |= SIM_STATUS_BUFFER_OVERFLOW;
	oa->setup = oa->setup == SIM_SETUP_HEAD ? SIM_SETUP_BUFFER : SIM_SETUP_NONE;
	sim_oa_place(oa, buffer);
}

/**
 * sim_oa_write_tail - the driver has written the tail, which ends the setup of the buffer
 * @oa: the unit
 * @address: GPU address
 */
void sim_oa_write_tail(struct sim_oa *oa, u32 address)
{
	if (oa->setup != SIM_SETUP_BUFFER)
		oa->status |= SIM_STATUS_BUFFER_OVERFLOW;
	oa->setup = SIM_SETUP_NONE;
	oa->full = false;
	oa->wraps = 0;
	oa->frozen_until = 0;
	oa->buffer.tail = oa_offset(oa, address);
}

/**
 * sim_oa_unmapped - memory goes away
 * @oa: the unit, which has been advanced
 * @address: GPU address
 * @size: bytes
 */
void sim_oa_unmapped(struct sim_oa *oa, u64 address, u64 size)
{
	if (oa->base >= address && oa->base < address + size) {
		sim_buffer_land_all(&oa->buffer);
		oa->buffer.memory = NULL;
	}
}

/**
 * sim_oa_overflow - behave as if the buffer were full now
 * @oa: the unit, which has been advanced
 *
 * Return: 0, or -ENODATA: nothing is being written
 */
int sim_oa_overflow(struct sim_oa *oa)
{
	if (!oa->running)
		return -ENODATA;
	oa->full = true;
	oa->status |= SIM_STATUS_BUFFER_OVERFLOW;
	return 0;
}

/**
 * sim_oa_freeze_tail - let the tail register stand still, while reports land
 * @oa: the unit, which has been advanced
 * @us: for so long
 */
void sim_oa_freeze_tail(struct sim_oa *oa, u32 us)
{
	oa->frozen_tail = oa->buffer.tail;
	oa->frozen_until = sim_now(oa->gpu) + sim_us_to_ticks(oa->gpu, us);
}

/**
 * sim_oa_tail - the tail, as its register shows it
 * @oa: the unit, which has been advanced
 *
 * Return: offset in the buffer
 */
u32 sim_oa_tail(const struct sim_oa *oa)
{
	return sim_now(oa->gpu) < oa->frozen_until ? oa->frozen_tail : oa->buffer.tail;
}
