/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sim.h - a virtual GPU: what the files of gpuoa_sim.ko share.
 */
#ifndef _SIM_H
#define _SIM_H

#include <drm/drm_device.h>
#include <drm/drm_mm.h>
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>

#include <gpuoa_host.h>

#include "sim_scene.h"

struct dentry;
struct file;
struct platform_device;
struct seq_file;
struct sim_file;
struct sim_gpu;
struct sim_oa;

#define SIM_NAME "gpuoa_sim"

/* sim_register_range.flags */
#define SIM_REG_MASKED BIT(0)	/* bits 31:16 of what is written enable writes to bits 15:0 */
#define SIM_REG_VOLATILE BIT(1) /* of the OA unit: lost when the GPU sleeps */
#define SIM_REG_MUX BIT(2)	/* of the NOA multiplexer: the order of the writes matters */
#define SIM_REG_OA BIT(3)	/* the generation's hooks see each access */

/**
 * struct sim_register_range - registers that exist
 * @first: MMIO offset of the first
 * @last: of the last
 * @flags: SIM_REG_*
 * @writable: bits that a write can change
 */
struct sim_register_range {
	u32 first;
	u32 last;
	u32 flags;
	u32 writable;
};

/**
 * struct sim_register_value - a register and what is or was written to it
 * @reg: MMIO offset
 * @value: its value
 */
struct sim_register_value {
	u32 reg;
	u32 value;
};

#define SIM_LOG_SIZE 4096

/**
 * struct sim_mmio - register file
 * @values: all registers, range by range
 * @log: the last SIM_LOG_SIZE writes, a ring
 * @n_logged: number of writes since the log was cleared
 * @unknown: last register that was asked for and does not exist
 * @notice: tells the world of @unknown, outside of the caller's locks
 */
struct sim_mmio {
	u32 *values;
	struct sim_register_value *log;
	u64 n_logged;
	u32 unknown;
	struct irq_work notice;
};

/**
 * struct sim_ggtt - global GPU address space
 * @mm: allocator, under &sim_gpu.mutex
 * @mappings: pages that the GPU can reach, changed under &sim_gpu.mutex and &sim_gpu.lock
 */
struct sim_ggtt {
	struct drm_mm mm;
	struct list_head mappings;
};

/**
 * struct sim_faults - what shall go wrong
 * @tail_ahead: reports by which the tail runs ahead of memory
 * @lose_reports: due reports that the unit will still drop
 */
struct sim_faults {
	u32 tail_ahead;
	u32 lose_reports;
};

/**
 * struct sim_statistics - since the instance was made
 * @generated: reports that the timer demanded
 * @written: reports written
 * @dropped: reports demanded but not written
 * @asleep_accesses: register accesses while nobody kept the GPU awake
 * @unknown_accesses: accesses to registers that do not exist
 * @ggtt_faults: reports written to addresses where no memory is
 */
struct sim_statistics {
	u64 generated;
	u64 written;
	u64 dropped;
	u64 asleep_accesses;
	u64 unknown_accesses;
	u64 ggtt_faults;
};

/**
 * struct sim_generation - what one hardware generation does differently
 *
 * All but @create and @truth are called under &sim_gpu.lock.
 *
 * @ranges: the registers
 * @n_ranges: length of @ranges
 * @reset: registers that do not come up as 0
 * @n_reset: length of @reset
 * @create: make &sim_gpu.oa; 0 or a negative errno
 * @advance: bring the OA unit up to tick @now
 * @read: value of a SIM_REG_OA register whose stored value is @value; the unit has been advanced
 * @written: a register has been written: @value is what the driver wrote
 * @sleep: nobody keeps the GPU awake any more: registers of the unit have lost their values
 * @retime: the scene or the clock has changed at tick @now, to which the unit has been advanced
 * @unmapped: memory [address, address + size) is about to go; the unit has been advanced
 * @overflow: behave as if the buffer were full now; -ENODATA if nothing is being written
 * @wrap: the next report shows all counters @events before their wrap; 0 takes that back
 * @mux: name of the programmed multiplexer configuration and a hash that identifies it
 * @truth: print counters and metrics between two moments: @from and @to are integrals of all
 *	signals at ticks that are @ticks apart
 */
struct sim_generation {
	const struct sim_register_range *ranges;
	unsigned int n_ranges;
	const struct sim_register_value *reset;
	unsigned int n_reset;

	int (*create)(struct sim_gpu *gpu);
	void (*advance)(struct sim_gpu *gpu, u64 now);
	u32 (*read)(struct sim_gpu *gpu, u32 reg, u32 value);
	void (*written)(struct sim_gpu *gpu, u32 reg, u32 value, u32 flags);
	void (*sleep)(struct sim_gpu *gpu);
	void (*retime)(struct sim_gpu *gpu, u64 now);
	void (*unmapped)(struct sim_gpu *gpu, u64 address, u64 size);
	int (*overflow)(struct sim_gpu *gpu);
	void (*wrap)(struct sim_gpu *gpu, u32 events);
	const char *(*mux)(struct sim_gpu *gpu, u64 *hash);
	void (*truth)(struct sim_gpu *gpu, struct seq_file *m, u64 ticks, const __uint128_t *from,
		      const __uint128_t *to);
};

extern const struct sim_generation sim_gen7;

/**
 * struct sim_platform - a GPU that can be simulated
 * @name: as in the module parameter
 * @desc: what the unit says of itself
 * @generation: how it works
 */
struct sim_platform {
	const char *name;
	struct gpuoa_unit_desc desc;
	const struct sim_generation *generation;
};

/**
 * struct sim_gpu - an instance
 * @drm: DRM device; it owns the memory of the instance
 * @parent: what it hangs on
 * @platform: what it simulates
 * @index: number of the instance
 * @unit: its OA unit, as gpuoa.ko knows it
 * @debugfs: its directory
 * @link: in the list of instances
 * @lock: protects the register file, the OA unit and what follows from @awake on. Innermost: it
 *	is taken from hard interrupts and from inside perf
 * @mutex: protects the GPU address space, time slots and (with @lock, for writing) @timeline
 * @mmio: register file
 * @ggtt: GPU address space
 * @scenes: the loads
 * @timeline: which of them ran when
 * @oa: the OA unit, private to the generation
 * @awake: number of users that keep the GPU awake
 * @slots: address of the state page of the context in each time slot, 0 for none
 * @faults: what shall go wrong
 * @statistics: what has happened
 */
struct sim_gpu {
	struct drm_device drm;
	struct platform_device *parent;
	const struct sim_platform *platform;
	unsigned int index;
	struct gpuoa_unit *unit;
	struct dentry *debugfs;
	struct list_head link;

	raw_spinlock_t lock; /* see above */
	struct mutex mutex; /* see above */
	struct sim_mmio mmio;
	struct sim_ggtt ggtt;
	struct sim_scene scenes[SIM_N_SCENES];
	struct sim_timeline timeline;
	struct sim_oa *oa;
	unsigned int awake;
	u32 slots[SIM_N_SLOTS];
	struct sim_faults faults;
	struct sim_statistics statistics;
};

/* sim_main.c */
u64 sim_now(const struct sim_gpu *gpu);

/* sim_drm.c */
struct sim_gpu *sim_drm_create(struct device *parent);
struct sim_file *sim_file_of(const struct sim_gpu *gpu, const struct file *file);

/* sim_context.c */
void sim_context_put(void *host, void *context);
int sim_context_get(void *host, struct file *file, u32 handle, u64 *hw_id, void **context);
int sim_slot_find(const struct sim_gpu *gpu, u32 hw_id);

/* sim_host.c */
extern const struct gpuoa_host_ops sim_host_ops;

/* sim_mmio.c */
int sim_mmio_create(struct sim_gpu *gpu);
u32 sim_mmio_read(struct sim_gpu *gpu, u32 reg);
void sim_mmio_write(struct sim_gpu *gpu, u32 reg, u32 value);
u32 sim_mmio_peek(const struct sim_gpu *gpu, u32 reg);
void sim_mmio_poke(struct sim_gpu *gpu, u32 reg, u32 value);
void sim_mmio_sleep(struct sim_gpu *gpu);
void sim_mmio_print(struct sim_gpu *gpu, struct seq_file *m);
int sim_mmio_print_log(struct sim_gpu *gpu, struct seq_file *m);
void sim_mmio_clear_log(struct sim_gpu *gpu);

/* sim_ggtt.c */
int sim_ggtt_create(struct sim_gpu *gpu);
int sim_ggtt_reserve(struct sim_gpu *gpu, struct drm_mm_node *node, u64 size);
s64 sim_ggtt_map(struct sim_gpu *gpu, struct page **pages, unsigned int n_pages);
void sim_ggtt_unmap(struct sim_gpu *gpu, u64 address);
u8 *sim_ggtt_find(const struct sim_gpu *gpu, u64 address, u64 size);

/* sim_debugfs.c */
void sim_debugfs_init(void);
void sim_debugfs_exit(void);
void sim_debugfs_add(struct sim_gpu *gpu);

/* sim_truth.c */
extern const struct file_operations sim_truth_fops;

#endif /* _SIM_H */
