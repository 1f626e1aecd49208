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

/* Maximum number of dwords of a command: its length field has 8 bits. */
#define SIM_CS_MAX_COMMAND (0xff + 2)

/* The general purpose registers have 64 bits, and each context has its own. */
#define CS_GPR(n) (0x2600 + 8 * (n))
#define SIM_CS_N_GPRS 16

/* Number of timestamp bits on all generations */
#define SIM_CS_TIMESTAMP_BITS 36
#define SIM_CS_TIMESTAMP GENMASK_ULL(SIM_CS_TIMESTAMP_BITS - 1, 0)

/* sim_cs_register.access */
#define SIM_CS_READ BIT(0)
#define SIM_CS_WRITE BIT(1)

/**
 * struct sim_cs_register - a range of registers that batches may access
 * @first: MMIO offset of the first one
 * @last: MMIO offset of the last one
 * @access: SIM_CS_READ, SIM_CS_WRITE
 */
struct sim_cs_register {
	u32 first;
	u32 last;
	u32 access;
};

/* Results of a command that ends the batch, and of one that must be repeated. */
#define SIM_CS_DONE 1
#define SIM_CS_WAITS 2

/**
 * struct sim_cs_command - a command
 * @header: first dword, without its length
 * @mask: bits of the first dword that identify the command
 * @allowed: other bits, except the length, that may be set
 * @least: minimum number of dwords, with addresses of one and of two dwords
 * @most: maximum number of dwords, with addresses of one and of two dwords
 * @run: execute the command; returns 0, SIM_CS_DONE, SIM_CS_WAITS or a negative errno
 * @length: bits of the first dword with the length; 0 for the usual eight. A command of more than
 *   SIM_CS_MAX_COMMAND dwords fetches the other ones itself
 */
struct sim_cs_command {
	u32 header;
	u32 mask;
	u32 allowed;
	unsigned int least[2];
	unsigned int most[2];
	int (*run)(struct sim_cs *cs);
	u32 length;
};

/**
 * struct sim_cs_model - the command streamer of one or more generations
 * @address_bits: number of address bits; above 32, an address takes two dwords in a command
 * @registers: ranges of OA registers that batches may access
 * @n_registers: length of @registers
 * @trusted: batches come from a kernel driver: they may use global addresses and all registers, and
 *   reserved bits are ignored
 * @commands: commands specific to this engine, or implemented differently by it; they take
 *   precedence over the common ones; ends with {}; may be NULL
 */
struct sim_cs_model {
	unsigned int address_bits;
	const struct sim_cs_register *registers;
	unsigned int n_registers;
	bool trusted;
	const struct sim_cs_command *commands;
};

/**
 * struct sim_cs_ops - environment of a batch
 * @stopped: return 0 if the next command may run, or a negative errno with which the batch ends
 * @read: read a dword of memory at a multiple of 4; returns -EFAULT if nothing is mapped there
 * @write: write a dword of memory at a multiple of 4; returns -EFAULT if nothing is mapped there
 * @register_read: read a register of the OA unit
 * @register_write: write a register of the OA unit
 * @timestamp: read the GPU's timestamp
 * @report: create the report of MI_REPORT_PERF_COUNT with this id; returns its size in bytes, at
 *   most SIM_MAX_REPORT
 * @work: run a workload for @clocks clocks and wait for its end; returns 0 or a negative errno with
 *   which the batch ends
 * @fetch: read a dword of a command, at an address as in &sim_cs.at; NULL to use @read
 * @length: get the number of dwords of a command that is in no table, from its header; 0 if it is
 *   unknown. NULL if all commands are in tables
 * @other: execute a command that is in no table; as &sim_cs_command.run
 * @skips: check whether the command, of which the first dword was fetched, is skipped; @length is
 *   called for its length. NULL if none is
 */
struct sim_cs_ops {
	int (*stopped)(struct sim_cs *cs);
	int (*read)(struct sim_cs *cs, u64 address, u32 *value);
	int (*write)(struct sim_cs *cs, u64 address, u32 value);
	u32 (*register_read)(struct sim_cs *cs, u32 reg);
	void (*register_write)(struct sim_cs *cs, u32 reg, u32 value);
	u64 (*timestamp)(struct sim_cs *cs);
	u32 (*report)(struct sim_cs *cs, u32 id, u32 *report);
	int (*work)(struct sim_cs *cs, unsigned int workload, u64 clocks);
	int (*fetch)(struct sim_cs *cs, u64 address, u32 *value);
	unsigned int (*length)(struct sim_cs *cs, u32 header);
	int (*other)(struct sim_cs *cs);
	bool (*skips)(struct sim_cs *cs);
};

/**
 * struct sim_cs_fault - why a batch was stopped, as in struct drm_gpuoa_sim_result
 * @reason: enum gpuoa_sim_fault
 * @offset: offset of the faulty dword from the start of the batch, in bytes
 * @value: the faulty value
 */
struct sim_cs_fault {
	u32 reason;
	u32 offset;
	u64 value;
};

/**
 * struct sim_cs - a batch
 *
 * The creator zeroes it and sets the members up to @mmio.
 *
 * @model: the command streamer
 * @ops: environment of the batch
 * @gpr: general purpose registers of the context
 * @batch: address of the first command
 * @mmio: MMIO offset of the engine's registers, for engine-relative register operands of trusted
 *   models
 * @fault: why the batch was stopped
 * @at: address of the current command
 * @next: address of the next command, which the current one may change
 * @n: number of dwords of the current command
 * @global: the address of the current command is in the global address space
 * @n_fetched: total number of dwords fetched
 * @clocks: total number of clocks worked
 * @command: the current command
 * @report: buffer for the report of MI_REPORT_PERF_COUNT
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

/* Check whether an address takes two dwords of a command. */
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
