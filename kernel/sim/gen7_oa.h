/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gen7_oa.h - Haswell's OA unit: its state.
 */
#ifndef _GEN7_OA_H
#define _GEN7_OA_H

#include <linux/limits.h>

#include <gen7_regs.h>

#include "gen7_counters.h"
#include "sim.h"
#include "sim_buffer.h"

/* No report is due. */
#define GEN7_NEVER U64_MAX

/**
 * enum gen7_setup - how far the driver has come with the buffer registers
 * @GEN7_SETUP_NONE: not begun
 * @GEN7_SETUP_HEAD: OASTATUS2 written
 * @GEN7_SETUP_BUFFER: then OABUFFER
 */
enum gen7_setup {
	GEN7_SETUP_NONE,
	GEN7_SETUP_HEAD,
	GEN7_SETUP_BUFFER,
};

/**
 * struct sim_oa - OA unit; all under &sim_gpu.lock
 * @gpu: where it is
 * @buffer: the OABUFFER
 * @full: the buffer overflowed: nothing is written until it is set up again
 * @setup: progress of the setup of the buffer
 * @status: status bits of OASTATUS1
 * @format: of the reports
 * @exponent: of the timer
 * @stream: what is counted: SIM_GLOBAL or a time slot
 * @next: tick of the next report that the timer demands, or GEN7_NEVER
 * @mux: hash of the multiplexer writes since NOA was switched on, 0 while it is off
 * @selection: what the B and C counters count; see @stale
 * @known: the last selection that counted anything, also after the unit has been switched off
 * @stale: registers have changed since @selection was made from them
 * @cursor: where in the load we are; valid for ticks from its @from up to its @to
 * @base: value of each counter at the cursor's start, modulo 2^64, integer from bit 32 on;
 *	@offset is in it
 * @rate: what a tick adds to it
 * @offset: what a counter shows more than it has counted
 * @wrap: if not 0, the next report shall show all counters as many events before their wrap
 * @report: the last report
 */
struct sim_oa {
	struct sim_gpu *gpu;
	struct sim_buffer buffer;
	bool full;
	enum gen7_setup setup;
	u32 status;

	const struct gen7_format *format;
	unsigned int exponent;
	unsigned int stream;
	u64 next;

	u64 mux;
	struct gen7_selection selection;
	struct gen7_selection known;
	bool stale;

	struct sim_cursor cursor;
	u64 base[GEN7_N_COUNTERS];
	u64 rate[GEN7_N_COUNTERS];
	u32 offset[GEN7_N_COUNTERS];
	u32 wrap;
	u32 report[SIM_MAX_REPORT / sizeof(u32)];
};

void gen7_advance(struct sim_gpu *gpu, u64 now);
void gen7_reselect(struct sim_oa *oa);

#endif /* _GEN7_OA_H */
