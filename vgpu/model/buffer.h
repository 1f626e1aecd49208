/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * buffer.h - the OABUFFER, from the point of view of the unit that writes it.
 */
#ifndef _SIM_BUFFER_H
#define _SIM_BUFFER_H

#include "env.h"

#define SIM_LINE 64
#define SIM_MAX_REPORT 640
#define SIM_MAX_TAIL_AHEAD 64

/**
 * struct sim_pending - a report that the tail has passed but that is not yet in memory
 * @lands: arrival time in ticks; 0 for when the unit advances the next time
 * @torn: the first line has arrived
 * @memory: &sim_buffer.memory when the report was issued
 * @length: &sim_buffer.length when the report was issued
 * @offset: offset in the buffer
 * @size: size in bytes
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
 * @memory: CPU address; NULL if its GPU address is unmapped: writes are lost
 * @size: size in bytes, a power of two
 * @length: number of bytes in use: @size, or the largest multiple of the report size
 * @word: size in bytes of a report's id, and of its timestamp
 * @head: the reader's offset
 * @tail: the writer's offset
 * @n_written: number of reports written; selects how the next pending report appears in memory
 * @first_pending: oldest entry of @pending
 * @n_pending: number of entries in @pending
 * @pending: queue of pending reports
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
