/* SPDX-License-Identifier: MIT */
/*
 * vgpu.h - a virtual GPU on the PCI bus of a guest: the state shared by all files.
 */
#ifndef VGPU_H
#define VGPU_H

#include <stdio.h>

#include "vgpu/model/env.h"

#include "vgpu/model/gpu.h"

#include "engine.h"
#include "eu_stall.h"
#include "guc.h"
#include "memory.h"
#include "platform.h"

/* Registers are at the start of the first BAR. */
#define VGPU_MMIO_SIZE 0x400000
#define VGPU_N_REGISTERS (VGPU_MMIO_SIZE / 4)
#define VGPU_APERTURE_SIZE 0x10000000ULL

#define VGPU_CONFIG_SIZE 256
#define VGPU_MAX_RULES 1024
#define VGPU_MAX_MODEL_RULES 64
#define VGPU_MAX_MEDIA_RULES 64

/* Bits in the two GT interrupt dwords of gen11 */
#define VGPU_N_GT_BITS 64

struct vgpu_irq_ops;

/**
 * struct vgpu_pci - the PCI device
 * @space: configuration space of the device
 * @writable: bits of @space that the guest may write
 * @messages: socket of QEMU's test protocol, which injects interrupts
 * @n_messages: number of interrupts sent
 */
struct vgpu_pci {
	u8 space[VGPU_CONFIG_SIZE];
	u8 writable[VGPU_CONFIG_SIZE];
	int messages;
	u64 n_messages;
};

/**
 * struct vgpu_irq - interrupts
 * @ops: operations of the generation
 * @line: an interrupt is asserted
 * @gt: gen11 and later: pending interrupts of each bit of the two GT dwords
 * @identity: gen11 and later: identity registers of the two dwords
 */
struct vgpu_irq {
	const struct vgpu_irq_ops *ops;
	bool line;
	u32 gt[VGPU_N_GT_BITS];
	u32 identity[2];
};

/**
 * struct vgpu_time - GPU time
 * @burst: a burst of commands runs: time only advances by the commands' duration
 * @ns: CPU time in ns: the present in a burst, else the last value returned
 */
struct vgpu_time {
	bool burst;
	u64 ns;
};

/**
 * struct vgpu_sleep - RC6
 * @asleep: the GPU is in RC6
 * @since: CPU time in ns at which the GPU entered RC6
 * @residency_ns: total time of earlier residencies in ns
 */
struct vgpu_sleep {
	bool asleep;
	u64 since;
	u64 residency_ns;
};

/**
 * struct vgpu_statistics - event counts
 * @reads: register reads by the guest
 * @writes: register writes by the guest
 * @gtt_reads: reads of the global page table that arrived as messages
 * @gtt_writes: writes of the global page table that arrived as messages
 * @aperture: accesses through the aperture
 * @commands: commands executed by engines
 * @submissions: submissions of contexts
 * @resets: engine resets
 * @faults: accesses to unmapped addresses
 * @page_faults: page faults reported to the driver, which may map the page
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
	u64 page_faults;
};

/**
 * struct vgpu_slots - contexts known to the OA model, by slot
 * @hw_id: id in reports, 0 if the slot is free
 * @used: value of @now when the context last started
 * @now: number of context starts
 */
struct vgpu_slots {
	u32 hw_id[SIM_N_SLOTS];
	u64 used[SIM_N_SLOTS];
	u64 now;
};

/**
 * struct vgpu - a virtual GPU
 * @platform: the served GPU
 * @gpu: the device model: OA units, timeline
 * @pci: the PCI device
 * @memory: the guest's memory
 * @mappings: mappings of the GGTT
 * @irq: interrupts
 * @time: GPU time
 * @sleep: RC6
 * @slots: contexts known to the device model
 * @statistics: event counts
 * @rules: rules of registers
 * @n_rules: number of rules
 * @model_rules: rules of the device model's registers
 * @media_rules: rules of the media GT's registers
 * @n_media_rules: number of these rules
 * @rule_of: index of each register's rule
 * @reg: stored values of the registers
 * @gtt: global page table, shared with QEMU
 * @gtt_size: size of @gtt in bytes
 * @gtt_messages: number of accesses to @gtt that arrived as messages, see memory.c
 * @vram: local or stolen memory, shared with QEMU; the address is that of local memory in the
 * guest, 0 if QEMU does not decode it yet
 * @vram_messages: number of accesses to @vram that arrived as messages
 * @engines: the engines
 * @n_engines: number of engines
 * @guc: the GuCs
 * @eu_stall: EU stall sampling
 * @log: log file
 * @trace: log submissions and contexts
 */
struct vgpu {
	const struct vgpu_platform *platform;
	struct sim_gpu gpu;
	struct vgpu_pci pci;
	struct vgpu_memory memory;
	struct vgpu_mappings mappings;
	struct vgpu_irq irq;
	struct vgpu_time time;
	struct vgpu_sleep sleep;
	struct vgpu_slots slots;
	struct vgpu_statistics statistics;

	const struct vgpu_rule *rules[VGPU_MAX_RULES];
	unsigned int n_rules;
	struct vgpu_rule model_rules[VGPU_MAX_MODEL_RULES];
	struct vgpu_rule media_rules[VGPU_MAX_MEDIA_RULES];
	unsigned int n_media_rules;
	u16 rule_of[VGPU_N_REGISTERS];
	u32 reg[VGPU_N_REGISTERS];
	u8 *gtt;
	u32 gtt_size;
	u64 gtt_messages;
	struct vgpu_region vram;
	u64 vram_messages;

	struct vgpu_engine engines[VGPU_MAX_ENGINES];
	unsigned int n_engines;
	struct vgpu_guc guc[VGPU_MAX_GUCS];
	struct vgpu_eu_stall eu_stall;

	FILE *log;
	bool trace;
};

static inline u32 *vgpu_reg(struct vgpu *vgpu, u32 reg)
{
	return &vgpu->reg[reg / sizeof(u32)];
}

void vgpu_log(struct vgpu *vgpu, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif /* VGPU_H */
