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

#include "sim_clock.h"
#include "sim_exec.h"
#include "sim_oa.h"

struct dentry;
struct file;
struct platform_device;
struct seq_file;
struct sim_context;
struct sim_cs_model;
struct sim_file;
struct sim_gpu;

#define SIM_NAME "gpuoa_sim"

/* sim_register_range.flags */
#define SIM_REG_MASKED BIT(0)	/* bits 31:16 of what is written enable writes to bits 15:0 */
#define SIM_REG_VOLATILE BIT(1) /* of the OA unit: lost when the GPU sleeps */
#define SIM_REG_MUX BIT(2)	/* of the NOA multiplexer: the order of the writes matters */
#define SIM_REG_OA BIT(3)	/* the OA unit sees each access */

/**
 * struct sim_register_range - registers that exist
 * @first: MMIO offset of the first
 * @last: of the last
 * @flags: SIM_REG_*
 * @writable: bits that a write can change
 * @unit: with SIM_REG_OA: index of the OA unit
 */
struct sim_register_range {
	u32 first;
	u32 last;
	u32 flags;
	u32 writable;
	u32 unit;
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
 * @ranges: the registers; ends with {}
 * @values: all registers, range by range
 * @log: the last SIM_LOG_SIZE writes, a ring
 * @n_logged: number of writes since the log was cleared
 * @unknown: last register that was asked for and does not exist
 * @notice: tells the world of @unknown, outside of the caller's locks
 */
struct sim_mmio {
	struct sim_register_range *ranges;
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
 * struct sim_statistics - since the instance was made
 * @asleep_accesses: register accesses while nobody kept the GPU awake
 * @unknown_accesses: accesses to registers that do not exist
 */
struct sim_statistics {
	u64 asleep_accesses;
	u64 unknown_accesses;
};

#define SIM_MAX_UNITS 4
#define SIM_MAX_TABLES 8

/**
 * struct sim_unit - an OA unit that a platform has
 * @type: which
 * @ops: how it works; NULL: no such unit
 */
struct sim_unit {
	enum gpuoa_unit_type type;
	const struct sim_oa_ops *ops;
};

/**
 * struct sim_platform - a GPU that can be simulated
 * @name: as in the module parameter
 * @desc: what the units say of themselves, but for their type
 * @ranges: tables of its registers, each of which ends with {}
 * @reset: registers that do not come up as 0; ends with {}
 * @cs: the command streamer
 * @units: the OA units; the first one is that of the render engine
 * @context_shift: where in a report's context id the name of a context begins
 * @mmio_trigger: a register write makes a report (gen12.5 and later)
 * @named_by_address: contexts have the GGTT address of their state page for a name instead
 */
struct sim_platform {
	const char *name;
	struct gpuoa_unit_desc desc;
	const struct sim_register_range *ranges[SIM_MAX_TABLES];
	const struct sim_register_value *reset;
	const struct sim_cs_model *cs;
	struct sim_unit units[SIM_MAX_UNITS];
	unsigned int context_shift;
	bool mmio_trigger;
	bool named_by_address;
};

/**
 * struct sim_gpu - an instance
 * @drm: DRM device; it owns the memory of the instance
 * @parent: what it hangs on
 * @platform: what it simulates
 * @index: number of the instance
 * @interrupts: its units interrupt when their buffers become half full
 * @debugfs: its directory
 * @link: in the list of instances
 * @lock: protects the register file, the clock, the OA units and what follows from @awake on.
 *	Innermost: it is taken from hard interrupts and from inside perf
 * @mutex: protects the GPU address space, time slots and (with @lock, for writing) @timeline
 * @mmio: register file
 * @ggtt: GPU address space
 * @clock: its timestamp clock
 * @world: what loads depend on
 * @scenes: the loads
 * @work: what batches do that ask for such a load
 * @timeline: which of them ran when
 * @batch_runs: a batch has the GPU for itself
 * @interrupted: what goes on when it ends
 * @oa: the OA units
 * @n_oa: how many
 * @exec: its engine
 * @n_contexts: contexts made so far
 * @awake: number of users that keep the GPU awake
 * @slots: name in hardware of the context in each slot, 0 for none of ours
 * @statistics: what has happened
 */
struct sim_gpu {
	struct drm_device drm;
	struct platform_device *parent;
	const struct sim_platform *platform;
	unsigned int index;
	bool interrupts;
	struct dentry *debugfs;
	struct list_head link;

	raw_spinlock_t lock; /* see above */
	struct mutex mutex; /* see above */
	struct sim_mmio mmio;
	struct sim_ggtt ggtt;
	struct sim_clock clock;
	struct sim_world world;
	struct sim_scene *scenes;
	struct sim_scene *work;
	struct sim_timeline timeline;
	bool batch_runs;
	struct sim_segment interrupted;
	struct sim_oa *oa;
	unsigned int n_oa;
	struct sim_exec exec;
	unsigned int n_contexts;
	unsigned int awake;
	u32 slots[SIM_N_SLOTS];
	struct sim_statistics statistics;
};

/* sim_gpu.c */
u64 sim_now(const struct sim_gpu *gpu);
u64 sim_gpu_wait(struct sim_gpu *gpu, u64 tick);
void sim_gpu_slow(struct sim_gpu *gpu, u64 slowdown);
int sim_gpu_init(struct sim_gpu *gpu, unsigned int scene);
void sim_gpu_advance(struct sim_gpu *gpu);
void sim_gpu_change(struct sim_gpu *gpu, const struct sim_segment *segment);
u32 sim_oa_snapshot(struct sim_gpu *gpu, unsigned int slot, u32 id, u32 *report);

/* sim_work.c */
void sim_batch_begin(struct sim_gpu *gpu, const struct sim_context *context);
void sim_batch_end(struct sim_gpu *gpu, const struct sim_context *context);
int sim_work(struct sim_gpu *gpu, unsigned int slot, unsigned int profile, u64 clocks,
	     u64 *end_tick);
int sim_context_batches(void *host, void *context, bool report);

/* sim_platforms.c */
const struct sim_platform *sim_platform_find(const char *name);
extern const struct sim_register_range sim_ranges_gen7[];
extern const struct sim_register_range sim_ranges_gen8[];
extern const struct sim_register_range sim_ranges_gen9[];
extern const struct sim_register_range sim_ranges_oag[];
extern const struct sim_register_range sim_ranges_oag_gen12_5[];
extern const struct sim_register_range sim_ranges_gen12[];
extern const struct sim_register_range sim_ranges_mtl[];
extern const struct sim_register_range sim_ranges_xe2[];
extern const struct sim_register_range sim_ranges_media_gt[];
extern const struct sim_register_range sim_ranges_oam_mtl[];
extern const struct sim_register_range sim_ranges_oam_xe2_scmi0[];
extern const struct sim_register_range sim_ranges_oam_xe2_sag[];
extern const struct sim_register_range sim_ranges_oam_xe2_scmi1[];
extern const struct sim_register_value sim_reset_gen7[];

/* sim_drm.c */
struct sim_gpu *sim_drm_create(struct device *parent);
struct sim_file *sim_file_of(const struct sim_gpu *gpu, const struct file *file);

/* sim_context.c */
void sim_context_put(void *host, void *context);
int sim_context_get(void *host, struct file *file, u32 handle, u64 *hw_id, void **context);
int sim_slot_find(const struct sim_gpu *gpu, u32 hw_id);
u32 sim_slot_context(const struct sim_gpu *gpu, unsigned int slot);

/* sim_host.c */
extern const struct gpuoa_host_ops sim_host_ops;

/* sim_mmio.c */
int sim_mmio_create(struct sim_gpu *gpu);
u32 sim_mmio_join(const struct sim_platform *platform, struct sim_register_range *ranges,
		  unsigned int *n_ranges);
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

#endif /* _SIM_H */
