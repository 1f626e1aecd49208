/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cs.h - the command streamer: parses and executes batches.
 */
#ifndef _SIM_CS_H
#define _SIM_CS_H

#include "buffer.h"
#include "env.h"

struct sim_cs;
struct sim_cs_model;

/* Dwords of the longest command: its length field has 8 bits. */
#define SIM_CS_MAX_COMMAND (0xff + 2)

/* General purpose registers, of 64 bits; each context has its own. */
#define CS_GPR(n) (0x2600 + 8 * (n))
#define SIM_CS_N_GPRS 16

/* What all generations show of the timestamp. */
#define SIM_CS_TIMESTAMP_BITS 36
#define SIM_CS_TIMESTAMP GENMASK_ULL(SIM_CS_TIMESTAMP_BITS - 1, 0)

/* sim_cs_register.access */
#define SIM_CS_READ BIT(0)
#define SIM_CS_WRITE BIT(1)

/**
 * struct sim_cs_register - registers that batches may touch
 * @first: MMIO offset of the first
 * @last: of the last
 * @access: SIM_CS_READ, SIM_CS_WRITE
 */
struct sim_cs_register {
	u32 first;
	u32 last;
	u32 access;
};

/* What a command returns that ends the batch as it ought to end, and one that must come again. */
#define SIM_CS_DONE 1
#define SIM_CS_WAITS 2

/**
 * struct sim_cs_command - a command
 * @header: first dword, without its length
 * @mask: bits of the first dword that tell commands apart
 * @allowed: other bits of it, but the length, that may be set
 * @least: least number of dwords, with addresses of one dword and of two
 * @most: likewise, largest
 * @run: do it: 0, SIM_CS_DONE, SIM_CS_WAITS or a negative errno
 */
struct sim_cs_command {
	u32 header;
	u32 mask;
	u32 allowed;
	unsigned int least[2];
	unsigned int most[2];
	int (*run)(struct sim_cs *cs);
};

/**
 * struct sim_cs_model - what the command streamers of some generations have in common
 * @address_bits: of an address; more than 32 take two dwords in a command
 * @registers: those of the OA unit that batches may touch
 * @n_registers: length of @registers
 * @trusted: whoever makes the commands is a driver that may do all that hardware can: addresses of
 *	the global address space, and each register. Bits that mean nothing are not looked at
 * @commands: commands that only such an engine has, or that it does in a way of its own; ends with
 *	{}. They come before those that all have. It may be NULL
 */
struct sim_cs_model {
	unsigned int address_bits;
	const struct sim_cs_register *registers;
	unsigned int n_registers;
	bool trusted;
	const struct sim_cs_command *commands;
};

/**
 * struct sim_cs_ops - the world of a batch
 * @stopped: 0 if the next command may run; else a negative errno with which the batch ends
 * @read: a dword of memory, at a multiple of 4; -EFAULT if nothing is there
 * @write: likewise
 * @register_read: a register of the OA unit
 * @register_write: likewise
 * @timestamp: of the GPU
 * @report: fill in what MI_REPORT_PERF_COUNT with this id writes now; returns its size in bytes,
 *	not more than SIM_MAX_REPORT
 * @work: keep the units busy for so many clocks with a scene; returns when they have passed: 0, or
 *	a negative errno with which the batch ends
 * @fetch: a dword of a command, at an address as in &sim_cs.at; NULL: as @read
 * @length: dwords of a command that is in no table, by its first one; 0: there is no such command.
 *	NULL: there are none
 * @other: do a command that is in no table; as &sim_cs_command.run
 */
struct sim_cs_ops {
	int (*stopped)(struct sim_cs *cs);
	int (*read)(struct sim_cs *cs, u64 address, u32 *value);
	int (*write)(struct sim_cs *cs, u64 address, u32 value);
	u32 (*register_read)(struct sim_cs *cs, u32 reg);
	void (*register_write)(struct sim_cs *cs, u32 reg, u32 value);
	u64 (*timestamp)(struct sim_cs *cs);
	u32 (*report)(struct sim_cs *cs, u32 id, u32 *report);
	int (*work)(struct sim_cs *cs, unsigned int scene, u64 clocks);
	int (*fetch)(struct sim_cs *cs, u64 address, u32 *value);
	unsigned int (*length)(struct sim_cs *cs, u32 header);
	int (*other)(struct sim_cs *cs);
};

/**
 * struct sim_cs_fault - why a batch was stopped, as in struct drm_gpuoa_sim_result
 * @reason: enum gpuoa_sim_fault
 * @offset: of the dword that is wrong, in bytes from the batch's first one
 * @value: what is wrong
 */
struct sim_cs_fault {
	u32 reason;
	u32 offset;
	u64 value;
};

/**
 * struct sim_cs - a batch
 *
 * Its maker zeroes it and fills in what stands above @fault.
 *
 * @model: how commands look
 * @ops: its world
 * @gpr: the context's general purpose registers
 * @batch: address of the first command
 * @mmio: where the registers of the engine begin, for commands of trusted models that name them by
 *	their offset from there
 * @fault: why it was stopped
 * @at: address of the present command
 * @next: address of the next command, which the present one may change
 * @n: dwords of it
 * @global: the address in the present command is one of the global address space
 * @n_fetched: dwords fetched so far
 * @clocks: clocks worked so far
 * @command: the present command
 * @report: what MI_REPORT_PERF_COUNT writes
 */
struct sim_cs {
	const struct sim_cs_model *model;
	const struct sim_cs_ops *ops;
	u32 *gpr;
	u64 batch;
	u32 mmio;

	struct sim_cs_fault fault;

	u64 at;
	u64 next;
	unsigned int n;
	bool global;
	unsigned int n_fetched;
	u64 clocks;
	u32 command[SIM_CS_MAX_COMMAND];
	u32 report[SIM_MAX_REPORT / sizeof(u32)];
};

/* Does an address take two dwords of a command? */
static inline bool sim_cs_is_wide(const struct sim_cs *cs)
{
	return cs->model->address_bits > 32;
}

int sim_cs_run(struct sim_cs *cs);
int sim_cs_step(struct sim_cs *cs);
u64 sim_cs_address(const struct sim_cs *cs, unsigned int i);
int sim_cs_write(struct sim_cs *cs, unsigned int i, u64 address, u32 value);

extern const struct sim_cs_model sim_cs_gen7; /* Haswell */
extern const struct sim_cs_model sim_cs_gen8; /* gen8 to gen11 */
extern const struct sim_cs_model sim_cs_gen12; /* gen12.0 */
extern const struct sim_cs_model sim_cs_gen12_7; /* gen12.7 */
extern const struct sim_cs_model sim_cs_xe2; /* Xe2 */

#endif /* _SIM_CS_H */
