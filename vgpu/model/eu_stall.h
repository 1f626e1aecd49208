/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * eu_stall.h - EU stall sampling: each Xe core writes records of where its threads are, and what
 * they wait for.
 *
 * Registers and records are those that Linux uses (drivers/gpu/drm/xe/xe_eu_stall.c,
 * regs/xe_eu_stall_regs.h), on Xe2.
 */
#ifndef _SIM_EU_STALL_H
#define _SIM_EU_STALL_H

#include "env.h"

struct seq_file;

#define SIM_STALL_MAX_CORES 32
#define SIM_STALL_MAX_INSTRUCTIONS 4096
#define SIM_STALL_TABLE 16384

#define SIM_STALL_FIRST 0xe520
#define SIM_STALL_LAST 0xe53c

/* Write to the registers of all cores */
#define SIM_STALL_ALL_CORES ~0U

/* The reasons, in the order of a record on Xe2 */
enum sim_stall {
	SIM_STALL_TDR,
	SIM_STALL_OTHER,
	SIM_STALL_CONTROL,
	SIM_STALL_PIPE,
	SIM_STALL_SEND,
	SIM_STALL_DIST_ACC,
	SIM_STALL_SBID,
	SIM_STALL_SYNC,
	SIM_STALL_INST_FETCH,
	SIM_STALL_ACTIVE,
	SIM_N_STALLS,
};

struct sim_eu_stall;

/**
 * struct sim_eu_stall_ops - the GPU around the sampling units
 * @memory: get the dword at an address of the GGTT; NULL if it is not mapped
 * @code: get the dword of the current kernel at an offset from the instruction base; NULL if it is
 *   not mapped
 */
struct sim_eu_stall_ops {
	u32 *(*memory)(struct sim_eu_stall *unit, u32 address);
	const u32 *(*code)(struct sim_eu_stall *unit, u64 offset);
};

/**
 * struct sim_stall_instruction - an instruction of the current kernel
 * @ip: offset from the instruction base, in units of 8 bytes
 * @weight: relative number of samples at the instruction, by reason
 */
struct sim_stall_instruction {
	u32 ip;
	u32 weight[SIM_N_STALLS];
};

/**
 * struct sim_stall_core - the sampling unit of an Xe core
 * @base: register: address of all buffers, size of each, enable
 * @base_upper: register: stored only
 * @report: register: write pointer, and whether records were dropped
 * @report1: register: read pointer
 * @control: register: sampling period
 * @written: number of records written
 * @dropped: number of records dropped
 */
struct sim_stall_core {
	u32 base;
	u32 base_upper;
	u32 report;
	u32 report1;
	u32 control;
	u64 written;
	u64 dropped;
};

/**
 * struct sim_stall_sum - samples at an address
 * @used: the entry is in use
 * @ip: the address, as in &struct sim_stall_instruction
 * @written: number of samples in records that were written, by reason
 * @dropped: number of samples in records that were dropped, by reason
 */
struct sim_stall_sum {
	bool used;
	u32 ip;
	u64 written[SIM_N_STALLS];
	u64 dropped[SIM_N_STALLS];
};

/**
 * struct sim_eu_stall - EU stall sampling of a GPU
 * @ops: the GPU
 * @cores: the Xe cores
 * @n_cores: number of Xe cores; 0 if the GPU has no such units
 * @eus: number of EUs of an Xe core, each of which gives a sample per period
 * @running: a kernel runs
 * @kernel: its instructions
 * @n_instructions: number of them
 * @total: sum of all weights
 * @busy_cores: number of Xe cores that run the kernel
 * @clocks: duration of the kernel
 * @done: clocks since its start that were sampled
 * @samples: number of samples of each core since its start
 * @lose: fault: number of records to drop
 * @paused: fault: no samples are taken
 * @sums: all samples by address, the reference for tests
 * @kernels: number of kernels started
 * @overflow: number of samples that @sums has no room for
 */
struct sim_eu_stall {
	const struct sim_eu_stall_ops *ops;
	struct sim_stall_core cores[SIM_STALL_MAX_CORES];
	unsigned int n_cores;
	unsigned int eus;

	bool running;
	struct sim_stall_instruction kernel[SIM_STALL_MAX_INSTRUCTIONS];
	unsigned int n_instructions;
	u64 total;
	unsigned int busy_cores;
	u64 clocks;
	u64 done;
	u64 samples;

	u32 lose;
	bool paused;

	struct sim_stall_sum sums[SIM_STALL_TABLE];
	u64 kernels;
	u64 overflow;
};

void sim_eu_stall_init(struct sim_eu_stall *unit, const struct sim_eu_stall_ops *ops,
		       unsigned int n_cores, unsigned int eus);
void sim_eu_stall_reset(struct sim_eu_stall *unit);
u32 sim_eu_stall_read(const struct sim_eu_stall *unit, u32 reg, unsigned int core);
void sim_eu_stall_write(struct sim_eu_stall *unit, u32 reg, unsigned int core, u32 value);
void sim_eu_stall_begin(struct sim_eu_stall *unit, u64 start, u64 groups, u64 clocks);
void sim_eu_stall_advance(struct sim_eu_stall *unit, u64 clocks);
void sim_eu_stall_flush(struct sim_eu_stall *unit, u64 clocks);
void sim_eu_stall_end(struct sim_eu_stall *unit, u64 clocks);
void sim_eu_stall_print(const struct sim_eu_stall *unit, struct seq_file *m);
void sim_eu_stall_clear(struct sim_eu_stall *unit);

#endif /* _SIM_EU_STALL_H */
