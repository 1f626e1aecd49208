/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * buffer.h - the OABUFFER, seen from the unit that writes it.
 */
#ifndef _SIM_BUFFER_H
#define _SIM_BUFFER_H

#include "env.h"

#define SIM_LINE 64
#define SIM_MAX_REPORT 640
#define SIM_MAX_TAIL_AHEAD 64

/**
 * struct sim_pending - a report that the tail has passed but that is still on its way to memory
 * @lands: tick at which it arrives; 0: when the unit is advanced the next time
 * @torn: its first line has arrived
 * @memory: &sim_buffer.memory when it was sent
 * @length: &sim_buffer.length likewise
 * @offset: where it goes
 * @size: bytes
 * @data: the report
 */
struct sim_pending {
	u64 lands;
	bool torn;
	u8 *memory;
	u32 length;
	u32 offset;
	u32 size;
	u32 data[SIM_MAX_REPORT / sizeof(u32)];
};

/**
 * struct sim_buffer - circular buffer; offsets are bytes from its start
 * @memory: where the CPU sees it, or NULL when there is none at its GPU address: writes get lost
 * @size: bytes, a power of two
 * @length: bytes that are used: all, or what whole reports fill
 * @word: bytes of a report's id, and of its timestamp
 * @head: the reader's offset
 * @tail: the writer's offset
 * @n_written: reports written, picks the way in which the next one lands late
 * @first_pending: oldest entry of @pending
 * @n_pending: number of entries in @pending
 * @pending: queue of reports that land late
 */
struct sim_buffer {
	u8 *memory;
	u32 size;
	u32 length;
	u32 word;
	u32 head;
	u32 tail;
	unsigned int n_written;
	unsigned int first_pending;
	unsigned int n_pending;
	struct sim_pending pending[SIM_MAX_TAIL_AHEAD];
};

u32 sim_buffer_used(const struct sim_buffer *buffer);
bool sim_buffer_has_room(const struct sim_buffer *buffer, u32 size);
void sim_buffer_write(struct sim_buffer *buffer, const u32 *report, u32 size, unsigned int ahead);
void sim_buffer_write_late(struct sim_buffer *buffer, const u32 *report, u32 size, u64 lands,
			   bool torn);
void sim_buffer_skip(struct sim_buffer *buffer, u32 size);
u64 sim_buffer_lands(const struct sim_buffer *buffer);
void sim_buffer_land_late(struct sim_buffer *buffer, u64 now);
void sim_buffer_land(struct sim_buffer *buffer, u64 now);
void sim_buffer_land_all(struct sim_buffer *buffer);

#endif /* _SIM_BUFFER_H */
