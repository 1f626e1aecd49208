/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * oa_buffer.h - the buffer of an OA unit, as its registers set it up.
 */
#ifndef _SIM_OA_BUFFER_H
#define _SIM_OA_BUFFER_H

#include "oa.h"

/**
 * struct sim_oa_buffer - the buffer, as registers tell
 * @base: GPU address
 * @size: bytes
 * @ggtt: @base is an address of the GGTT
 */
struct sim_oa_buffer {
	u32 base;
	u32 size;
	bool ggtt;
};

void sim_oa_place(struct sim_oa *oa, const struct sim_oa_buffer *where);
void sim_oa_attach(struct sim_oa *oa);
void sim_oa_write_head(struct sim_oa *oa, u32 address);
void sim_oa_write_buffer(struct sim_oa *oa, const struct sim_oa_buffer *buffer);
void sim_oa_write_tail(struct sim_oa *oa, u32 address);
void sim_oa_unmapped(struct sim_oa *oa, u64 address, u64 size);
int sim_oa_overflow(struct sim_oa *oa);
void sim_oa_freeze_tail(struct sim_oa *oa, u32 us);
u32 sim_oa_tail(const struct sim_oa *oa);

#endif /* _SIM_OA_BUFFER_H */
