/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gpuoa_provider.h - interface between gpuoa.ko and a provider, the driver of a GPU.
 */
#ifndef _GPUOA_PROVIDER_H
#define _GPUOA_PROVIDER_H

#include <linux/types.h>

#include "uapi/gpuoa.h"

struct device;
struct file;
struct gpuoa_unit;
struct module;
struct page;
struct pid;

/**
 * struct gpuoa_unit_desc - provider's description of an OA unit; copied by gpuoa_unit_register()
 *
 * Fields that struct gpuoa_unit_info also has are described there.
 *
 * @platform: platform name of the metric definitions; selects the backend together with @unit_type
 * @unit_type: type of the OA unit. Do not register units that must not be used: on the first
 *	steppings of Meteor Lake, OAM stops while media engines sleep (Wa_14017512683)
 * @timestamp_frequency: frequency of the OA timestamp, Hz; 0: the platform's default
 * @gt_min_frequency: minimum GPU frequency, Hz
 * @gt_max_frequency: maximum GPU frequency, Hz
 * @slice_mask: mask of enabled slices
 * @subslice_mask: mask of enabled subslices
 * @device_id: PCI device id
 * @revision: PCI revision
 * @n_slices: number of slices
 * @n_subslices: number of subslices
 * @n_eus: number of execution units
 * @threads_per_eu: number of hardware threads per execution unit
 * @l3_bank_mask: mask of enabled L3 banks
 * @subslice_stride: number of bits per slice in @subslice_mask
 * @n_compute_engines: number of compute command streamers
 * @cs_timestamp_frequency: frequency of the command streamers' timestamp, Hz; 0: unknown
 * @cs_timestamp_bits: number of valid bits of that timestamp; 0: unknown
 * @tile: tile that the unit belongs to
 * @gt: GT that the unit belongs to
 * @n_engines: number of @engines, at most GPUOA_MAX_ENGINES
 * @engines: engines that the unit measures
 * @context_mask: bits of a report's context id that identify a context, to be compared with the
 *	result of &gpuoa_provider_ops.context_get; 0: all. Not used on Haswell, where the hardware
 *	compares
 * @batches_trigger: user batches may write to the unit's trigger register (OAG_MMIOTRIGGER), which
 *	xe permits and i915 does not
 * @noa_delay_us: time until the MUX has switched after &gpuoa_provider_ops.write, us; 0: the
 *	platform's default, 20 ms
 * @buffer_size_max: with &gpuoa_provider_ops.buffer_get, maximum size of the provider's OABUFFER,
 *	bytes, at least 16 MiB; 0: the platform's maximum
 */
struct gpuoa_unit_desc {
	const char *platform;
	enum gpuoa_unit_type unit_type;
	u64 timestamp_frequency;
	u64 gt_min_frequency;
	u64 gt_max_frequency;
	u64 slice_mask;
	u64 subslice_mask[GPUOA_MASK_WORDS];
	u32 device_id;
	u32 revision;
	u32 n_slices;
	u32 n_subslices;
	u32 n_eus;
	u32 threads_per_eu;
	u64 l3_bank_mask;
	u32 subslice_stride;
	u32 n_compute_engines;
	u64 cs_timestamp_frequency;
	u32 cs_timestamp_bits;
	u16 tile;
	u16 gt;
	u32 n_engines;
	const struct gpuoa_engine_id *engines;
	u32 context_mask;
	bool batches_trigger;
	u32 noa_delay_us;
	u32 buffer_size_max;
};

/**
 * struct gpuoa_reg_list - register writes, in order
 * @regs: register writes
 * @count: number of @regs
 */
struct gpuoa_reg_list {
	const struct gpuoa_register *regs;
	u32 count;
};

/**
 * struct gpuoa_provider_config - configuration of a unit for &gpuoa_provider_ops.configure
 *
 * @mux: NOA multiplexer, in order
 * @boolean: boolean counters, in order
 * @flex: flexible EU counters, each exactly once; empty on units without them
 * @format: enum gpuoa_format
 * @report_size: size of a report in that format, bytes
 * @exponent: timer exponent
 * @buffer_size: size that &gpuoa_provider_ops.buffer_get will request, bytes, a power of two; 0:
 *	not called
 * @query_only: the unit writes no reports (GPUOA_ATTR_QUERY_ONLY): program only the counters of
 *	@context and leave the unit disabled
 * @context: context from &gpuoa_provider_ops.context_get; NULL: all contexts
 * @context_id: out, with @context: context id in its reports or, on Haswell, the value that the
 *	hardware filter compares; constant until &gpuoa_provider_ops.unconfigure
 * @context_mask: out, with @context: mask of the valid bits of @context_id
 */
struct gpuoa_provider_config {
	struct gpuoa_reg_list mux;
	struct gpuoa_reg_list boolean;
	struct gpuoa_reg_list flex;
	u32 format;
	u32 report_size;
	u32 exponent;
	u32 buffer_size;
	bool query_only;
	void *context;
	u64 context_id;
	u32 context_mask;
};

/**
 * struct gpuoa_provider_buffer - OABUFFER of the provider
 * @pages: pages of the buffer, coherent between CPU and GPU; the provider's until
 *	&gpuoa_provider_ops.buffer_put
 * @n_pages: number of @pages
 * @gpu_address: GPU address of the first page, below 4 GiB, aligned as the GPU requires
 */
struct gpuoa_provider_buffer {
	struct page **pages;
	unsigned int n_pages;
	u64 gpu_address;
};

/**
 * struct gpuoa_provider_owner - owner of a context
 * @process: process that created the context, with a reference for the core
 * @comm: name of that process at that time, NUL-terminated
 * @handle: handle of the context, as for &gpuoa_provider_ops.context_get; 0: none
 * @client: number of the DRM file that created the context; 0: unknown
 * @gone: the context was destroyed
 */
struct gpuoa_provider_owner {
	struct pid *process;
	char comm[GPUOA_COMM_SIZE];
	u32 handle;
	u64 client;
	bool gone;
};

/**
 * struct gpuoa_provider_ops - operations of a provider, called with the argument @provider of
 * gpuoa_unit_register()
 *
 * A provider implements one of two ways to program the unit:
 *
 * - The core writes all registers: @rmw, @contexts_write, and @context_write to measure contexts.
 *   This is for GPUs that accept CPU writes at any time. Real GPUs from gen12 on do not: clock
 *   domains of the MUX may be off, without any indication. @get must power the slices.
 * - The provider programs the unit: @configure and @unconfigure, by privileged commands and in the
 *   order and with the delays that the GPU needs: power of slices, contexts, MUX, boolean counters.
 *
 * It also implements one of two kinds of OABUFFER:
 *
 * - pages of the core: @map and @unmap. Only these can be an AUX area;
 * - its own buffer: @buffer_get and @buffer_put.
 *
 * @clock, @join, @context_get with @context_put, @context_batches, @context_owner, @half_full and
 * @frequency are optional; all other operations are mandatory.
 *
 * @read, @write and @timestamp are called from any context, also with interrupts off and under raw
 * spinlocks. They must use raw spinlocks only: with PREEMPT_RT, a spinlock_t (such as that of a
 * forcewake domain) sleeps. They are called while the GPU is awake, between @get and @put, and
 * never between gpuoa_unit_suspend() and gpuoa_unit_resume().
 *
 * All others may sleep. They are called under locks that CPU hotplug waits for, and under
 * mmap_lock, so they must not access user memory or take cpus_read_lock(), also not indirectly by
 * switching a static key or flushing work.
 *
 * Register offsets are relative to the GPU's whole MMIO space, also for registers of a media GT.
 */
struct gpuoa_provider_ops {
	/** @read: read a 32-bit MMIO register */
	u32 (*read)(void *provider, u32 reg);

	/** @write: write a 32-bit MMIO register; all instances of a multicast register */
	void (*write)(void *provider, u32 reg, u32 value);

	/**
	 * @rmw: read-modify-write a register shared with other code: clear @clear, then set @set,
	 * under that code's lock. May sleep
	 */
	void (*rmw)(void *provider, u32 reg, u32 clear, u32 set);

	/**
	 * @timestamp: read the OA timestamp clock, ticks, extended to 64 bits. Its lower bits equal
	 * the timestamp of a report written at this moment, within 100 us. It must not decrease
	 * while the unit is registered, except after the provider has called gpuoa_unit_reset() or
	 * gpuoa_unit_suspend(). Called only between @get and @put, and not during @configure.
	 */
	u64 (*timestamp)(void *provider);

	/**
	 * @clock: return @timestamp also while the unit is idle, waking the GPU if necessary. NULL:
	 * the core calls @get and @put around @timestamp. May sleep. Return: 0 or -errno
	 */
	int (*clock)(void *provider, u64 *ticks);

	/**
	 * @map: map pages contiguously in the GPU's global address space (GGTT), below 4 GiB,
	 * aligned to their total size, which is a power of two. The mapping must be coherent: GPU
	 * writes are visible to the CPU without a flush. The GPU's driver writes the entries. Where
	 * it stops all CPUs to do so (Cherryview; Broxton with an IOMMU) and would deadlock with
	 * CPU hotplug, a provider implements @buffer_get instead. Return: the GPU address or a
	 * negative errno; -ENOSPC if the address space is full
	 */
	s64 (*map)(void *provider, struct page **pages, unsigned int n_pages);

	/**
	 * @unmap: undo @map; after it returns, the GPU does not access the pages. Not called if the
	 * unit failed to stop: its pages are leaked. @unmap, @buffer_put, @put, @context_put and
	 * @context_batches are also called while the GPU is suspended.
	 */
	void (*unmap)(void *provider, u64 gpu_address, unsigned int n_pages);

	/**
	 * @buffer_get: lend the provider's OABUFFER to the core, or its first @size bytes, a power
	 * of two. Called after @configure; the next @configure ends the loan. Return: 0; -ERANGE if
	 * the size is not available; or another -errno
	 */
	int (*buffer_get)(void *provider, u32 size, struct gpuoa_provider_buffer *buffer);

	/**
	 * @buffer_put: undo @buffer_get, also before @configure is called again. With @leak, the
	 * unit failed to stop: never reuse the buffer, because the unit may still write to it.
	 */
	void (*buffer_put)(void *provider, bool leak);

	/**
	 * @get: claim the unit, and keep the GPU awake until @put: no RC6, all forcewake domains,
	 * and all slices and subslices powered regardless of contexts, since the MUX spans all of
	 * them. A provider with @configure can do this there. Without @clock, @get may be called
	 * while the unit is already in use, to read the clock, so calls must nest. Return: 0,
	 * -EBUSY if another driver uses the unit, or another -errno
	 */
	int (*get)(void *provider);

	/** @put: undo @get */
	void (*put)(void *provider);

	/**
	 * @context_get: find context @handle of DRM file @file and hold it until @context_put. On
	 * success, @hw_id is the value that the hardware filter compares (Haswell: GGTT address of
	 * the state page of the ring context) or the context id in its reports (gen8 and later). It
	 * is constant until @context_put. @context is not NULL, and equal for equal contexts. A
	 * provider with @configure can set @hw_id there. Return: 0; -EXDEV: the file does not
	 * belong to this GPU; -ENOENT: the context does not exist; -EOPNOTSUPP: its reports cannot
	 * be identified, or it runs on a compute engine (the core supports the OA registers of the
	 * render engine only). The core may hold @file after success. NULL: no events for a context
	 * by its handle (-EOPNOTSUPP), and its features are off.
	 */
	int (*context_get)(void *provider, struct file *file, u32 handle, u64 *hw_id,
			   void **context);

	/** @context_put: release a context */
	void (*context_put)(void *provider, void *context);

	/**
	 * @configure: program the unit and all contexts for @config, except for OABUFFER, its
	 * pointers and the register that enables the unit: the core writes these. When it returns,
	 * either everything or nothing has taken effect. It is called again, with the unit stopped,
	 * to switch to another configuration and to restore the registers after a reset; if that
	 * fails, the unit is unconfigured. Return: 0; -EBUSY if another driver uses the unit: open
	 * events then wait, and the core calls again every second; or another -errno
	 */
	int (*configure)(void *provider, struct gpuoa_provider_config *config);

	/**
	 * @join: check that the calling process may share the configuration that @configure has
	 * programmed for another process. @config is as for @configure. NULL: the checks of the
	 * core suffice. Return: 0; -EACCES: not allowed; or another -errno
	 */
	int (*join)(void *provider, const struct gpuoa_provider_config *config);

	/**
	 * @unconfigure: undo @configure if the unit is configured. Also called before the GPU is
	 * suspended
	 */
	void (*unconfigure)(void *provider);

	/**
	 * @contexts_write: write registers of the render context's state, in the order of @regs, in
	 * all contexts: saved ones, the current one, and those created later, until the same
	 * register is written again. All instances of multicast registers are written. When it
	 * returns, the values apply to all running contexts. May be NULL for units without flexible
	 * EU registers. Return: 0 or -errno
	 */
	int (*contexts_write)(void *provider, const struct gpuoa_register *regs,
			      unsigned int count);

	/**
	 * @context_write: write registers while @context is current, so that they become part of
	 * its state, and wait for completion. This needs privileged commands (MI_LOAD_REGISTER_IMM
	 * in its ring, or in a batch in the GGTT) or a store into its saved state, because the GPU
	 * silently ignores such writes in user batches. For units that cannot filter otherwise,
	 * gen12 and later; NULL: no events for one context there (-EOPNOTSUPP). Return: 0 or -errno
	 */
	int (*context_write)(void *provider, void *context, const struct gpuoa_register *regs,
			     unsigned int count);

	/**
	 * @context_batches: start or, without @report, stop writing a report into the OABUFFER when
	 * a batch of @context begins and ends; see "Reports of batches" in uapi/gpuoa.h. NULL: not
	 * supported (-EOPNOTSUPP). Return: 0 or -errno; stopping must succeed
	 */
	int (*context_batches)(void *provider, void *context, bool report);

	/**
	 * @context_owner: return the owner of the context with id @hw_id in reports, compared in
	 * the bits of @mask. Remember some destroyed contexts, since reports are read after they
	 * were written. NULL: not supported (-EOPNOTSUPP). Return: 0; -ENOENT: no existing or
	 * remembered context of a process has this id
	 */
	int (*context_owner)(void *provider, u32 hw_id, u32 mask,
			     struct gpuoa_provider_owner *owner);

	/**
	 * @half_full: enable the interrupt of a half-full OABUFFER of the unit of type @type: call
	 * gpuoa_unit_half_full() for @unit when tail minus head reaches half of the buffer size,
	 * and again after it was lower. With @unit NULL, disable the interrupt; when this returns,
	 * no such call is running. NULL or -errno: no such interrupt; gpuoa then polls more often,
	 * unless only the timer triggers reports
	 */
	int (*half_full)(void *provider, enum gpuoa_unit_type type, struct gpuoa_unit *unit);

	/**
	 * @frequency: pin the frequency of the GT of the unit of type @type at *@hz, or at the
	 * nearest supported frequency, which is returned in *@hz. *@hz 0: release the pin, which
	 * must succeed. A pin can be changed. It persists when the GPU is reset or sleeps, and can
	 * be requested then. NULL: not supported (-EOPNOTSUPP). Return: 0; -ERANGE: out of range;
	 * -EBUSY: pinned for another unit; or another -errno
	 */
	int (*frequency)(void *provider, enum gpuoa_unit_type type, u64 *hz);
};

/**
 * gpuoa_unit_register() - Register an OA unit as PMU and class device gpuoa<N>.
 * @parent: device of the GPU
 * @desc: description of the unit; copied
 * @ops: operations of the provider
 * @provider: first argument of @ops
 * @owner: module of the provider; each open event holds it, also after the unit was removed
 *
 * Context: may sleep
 * Return: the unit or an ERR_PTR: -ENODEV for an unknown platform, or one without such a unit;
 * -EINVAL for an invalid description or missing operations; -ENOMEM; or an error of the perf core
 * or the driver core
 */
struct gpuoa_unit *gpuoa_unit_register(struct device *parent, const struct gpuoa_unit_desc *desc,
				       const struct gpuoa_provider_ops *ops, void *provider,
				       struct module *owner);

/**
 * gpuoa_unit_unregister() - Undo gpuoa_unit_register(), also while the GPU is in use.
 * @unit: unit
 *
 * Stops the unit and releases all resources of the provider. When this returns, no operation of the
 * provider is called any more, and its @provider may be freed. Open events and files are notified.
 * A GPU that does not respond should read as all ones, as PCI does.
 *
 * Context: may sleep; waits for CPU hotplug
 */
void gpuoa_unit_unregister(struct gpuoa_unit *unit);

/**
 * gpuoa_unit_reset() - Notify that the GPU, or the engine of the unit, was reset.
 * @unit: unit
 *
 * The registers are lost, and possibly reports on their way to memory. Readers receive a loss
 * record, and a unit in use is programmed again, possibly after this has returned. If a provider
 * does not call this, gpuoa detects the reset by a disabled unit with a constant tail.
 *
 * Context: may sleep
 */
void gpuoa_unit_reset(struct gpuoa_unit *unit);

/**
 * gpuoa_unit_suspend() - Notify that the GPU will be suspended although it may be in use.
 * @unit: unit
 *
 * When this returns, the unit is stopped. Until gpuoa_unit_resume(), only operations that release
 * something are called. Readers receive a loss record. An event that would acquire the unit in the
 * meantime fails with -EAGAIN.
 *
 * Context: may sleep
 */
void gpuoa_unit_suspend(struct gpuoa_unit *unit);

/**
 * gpuoa_unit_resume() - Notify that the GPU is awake and accepts register writes.
 * @unit: unit; programmed again if it is in use
 *
 * Context: may sleep
 * Return: 0, or an error of the provider: the unit then stays disabled until it is resumed or reset
 * again or, after -EBUSY, until it can be programmed
 */
int gpuoa_unit_resume(struct gpuoa_unit *unit);

/**
 * gpuoa_unit_half_full() - Notify that the OABUFFER has become half full.
 * @unit: unit
 *
 * Only while &gpuoa_provider_ops.half_full has enabled it. Reports may be published before this
 * returns. If the call is late or missing, the buffer may overflow; the loss is counted.
 *
 * Context: hard interrupt, on any CPU, without locks that &gpuoa_provider_ops.read, @write or
 * @timestamp take
 */
void gpuoa_unit_half_full(struct gpuoa_unit *unit);

#endif /* _GPUOA_PROVIDER_H */
