/* SPDX-License-Identifier: MIT */
/*
 * vgpu.h - a virtual GPU on the PCI bus of a guest: the state that all files share.
 */
#ifndef VGPU_H
#define VGPU_H

#include <stdio.h>

#include "vgpu/model/env.h"

#include "vgpu/model/gpu.h"

#include "engine.h"
#include "memory.h"
#include "platform.h"

/* Registers lie in the first bytes of the first BAR. */
#define VGPU_MMIO_SIZE 0x200000
#define VGPU_N_REGISTERS (VGPU_MMIO_SIZE / 4)
#define VGPU_APERTURE_SIZE 0x10000000

#define VGPU_CONFIG_SIZE 256
#define VGPU_MAX_RULES 1024
#define VGPU_MAX_MODEL_RULES 64

/* Bits in the two dwords in which gen11 tells who interrupts */
#define VGPU_N_GT_BITS 64

struct vgpu_irq_ops;

/**
 * struct vgpu_pci - the device on the guest's bus
 * @space: its configuration space
 * @writable: bits of it that the guest may write
 * @messages: socket of QEMU's test protocol, which injects interrupts
 * @n_messages: interrupts sent
 */
struct vgpu_pci {
	u8 space[VGPU_CONFIG_SIZE];
	u8 writable[VGPU_CONFIG_SIZE];
	int messages;
	u64 n_messages;
};

/**
 * struct vgpu_irq - interrupts
 * @ops: those of the generation
 * @line: the interrupt is asserted
 * @gt: gen11 and later: what each bit of the two GT dwords stands for has raised and nobody taken
 * @identity: gen11 and later: identity registers of the two dwords
 */
struct vgpu_irq {
	const struct vgpu_irq_ops *ops;
	bool line;
	u32 gt[VGPU_N_GT_BITS];
	u32 identity[2];
};

/**
 * struct vgpu_time - the time of the GPU
 * @burst: a burst of commands runs: time stands still but for what they take
 * @ns: of the CPU: the present, in a burst; else the last one that was told
 */
struct vgpu_time {
	bool burst;
	u64 ns;
};

/**
 * struct vgpu_sleep - RC6
 * @asleep: the GPU sleeps
 * @since: ns of the CPU's clock
 * @residency_ns: how long it has slept before
 */
struct vgpu_sleep {
	bool asleep;
	u64 since;
	u64 residency_ns;
};

/**
 * struct vgpu_statistics - what has happened
 * @reads: of registers, by the guest
 * @writes: likewise
 * @gtt_reads: of entries of the global page table, as far as they are messages
 * @gtt_writes: likewise
 * @aperture: accesses through the aperture
 * @commands: that engines have done
 * @submissions: of contexts
 * @resets: of engines
 * @faults: addresses where no memory was
 */
struct vgpu_statistics {
	u64 reads;
	u64 writes;
	u64 gtt_reads;
	u64 gtt_writes;
	u64 aperture;
	u64 commands;
	u64 submissions;
	u64 resets;
	u64 faults;
};

/**
 * struct vgpu_slots - contexts that the OA model knows, by their slots
 * @hw_id: names in reports, 0: the slot is free
 * @used: when each ran last, by @now
 * @now: counts how often one has begun to run
 */
struct vgpu_slots {
	u32 hw_id[SIM_N_SLOTS];
	u64 used[SIM_N_SLOTS];
	u64 now;
};

/**
 * struct vgpu - a virtual GPU
 * @platform: what it is
 * @gpu: the device model: OA units, timeline
 * @pci: the device on the guest's bus
 * @memory: the guest's memory
 * @views: of the global address space
 * @irq: interrupts
 * @time: the time of the GPU
 * @sleep: RC6
 * @slots: who runs, for the device model
 * @statistics: what has happened
 * @rules: which registers there are
 * @n_rules: how many
 * @model_rules: those of them that stand for registers of the device model
 * @rule_of: index of each register's rule
 * @reg: values of the registers
 * @gtt: entries of the global page table, as they lie in the first BAR
 * @gtt_size: bytes of it
 * @gtt_messages: accesses to it that came as messages: see window.c
 * @engines: the engines
 * @n_engines: how many
 * @log: where to say what is unknown
 * @trace: log submissions and contexts
 */
struct vgpu {
	const struct vgpu_platform *platform;
	struct sim_gpu gpu;
	struct vgpu_pci pci;
	struct vgpu_memory memory;
	struct vgpu_views views;
	struct vgpu_irq irq;
	struct vgpu_time time;
	struct vgpu_sleep sleep;
	struct vgpu_slots slots;
	struct vgpu_statistics statistics;

	const struct vgpu_rule *rules[VGPU_MAX_RULES];
	unsigned int n_rules;
	struct vgpu_rule model_rules[VGPU_MAX_MODEL_RULES];
	u16 rule_of[VGPU_N_REGISTERS];
	u32 reg[VGPU_N_REGISTERS];
	u8 *gtt;
	u32 gtt_size;
	u64 gtt_messages;

	struct vgpu_engine engines[VGPU_MAX_ENGINES];
	unsigned int n_engines;

	FILE *log;
	bool trace;
};

static inline u32 *vgpu_reg(struct vgpu *vgpu, u32 reg)
{
	return &vgpu->reg[reg / sizeof(u32)];
}

void vgpu_log(struct vgpu *vgpu, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif /* VGPU_H */
