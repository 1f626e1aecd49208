/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gpuoa_host.h - what a host driver (the owner of a GPU) offers to gpuoa.ko, and gets from it.
 */
#ifndef _GPUOA_HOST_H
#define _GPUOA_HOST_H

#include <linux/types.h>

#include "uapi/gpuoa.h"

struct device;
struct file;
struct gpuoa_unit;
struct module;
struct page;
struct pid;

/**
 * struct gpuoa_unit_desc - what a host knows of its OA unit; copied by gpuoa_unit_register()
 *
 * See struct gpuoa_unit_info for the meaning and the unit of those that it has too.
 *
 * @platform: name as in the metric definitions; with @unit_type it picks the backend
 * @unit_type: which of the GPU's OA units. One that must not be used (on the first steppings of
 *	Meteor Lake OAM stops while media engines sleep: Wa_14017512683) is not to be registered
 * @timestamp_frequency: of the OA timestamp, Hz; 0: what is usual for the platform
 * @gt_min_frequency: Hz
 * @gt_max_frequency: Hz
 * @slice_mask: slices that are there
 * @subslice_mask: subslices that are there
 * @device_id: PCI device id
 * @revision: PCI revision
 * @n_slices: number of slices
 * @n_subslices: number of subslices
 * @n_eus: number of execution units
 * @threads_per_eu: hardware threads of an execution unit
 * @l3_bank_mask: banks of the L3 cache that are there
 * @subslice_stride: bits of @subslice_mask that each slice has
 * @n_compute_engines: number of compute command streamers
 * @cs_timestamp_frequency: of the command streamers' timestamp, Hz; 0: not known
 * @cs_timestamp_bits: valid bits of that; 0: not known
 * @tile: tile that the unit belongs to
 * @gt: GT that the unit belongs to
 * @n_engines: number of @engines, at most GPUOA_MAX_ENGINES
 * @engines: engines whose work the unit counts
 * @context_mask: bits of a report's context id that name a context and are compared with what
 *	&gpuoa_host_ops.context_get returns; 0: all. Not for Haswell, whose hardware compares
 * @batches_trigger: batches of users may write to the unit's trigger register (OAG_MMIOTRIGGER),
 *	which i915 does not let them and xe does
 * @noa_delay_us: how long the MUX takes to switch after &gpuoa_host_ops.write; 0: what is usual for
 *	the platform, which is 20 ms
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
};

/**
 * struct gpuoa_reg_list - register writes, in order
 * @regs: the writes
 * @count: how many
 */
struct gpuoa_reg_list {
	const struct gpuoa_register *regs;
	u32 count;
};

/**
 * struct gpuoa_host_config - what a unit is programmed for, by &gpuoa_host_ops.configure
 *
 * @mux: NOA multiplexer, in order
 * @boolean: boolean counters, in order
 * @flex: flexible EU counters: each of them once, or none where there are none
 * @format: enum gpuoa_format
 * @report_size: bytes of a report in that format
 * @exponent: timer exponent
 * @query_only: the unit writes no reports (GPUOA_ATTR_NO_REPORTS): only the counters of @context
 *	are to be programmed, and the unit stays off
 * @context: what &gpuoa_host_ops.context_get gave; NULL: for all contexts
 * @context_id: out, with @context: what that one's reports bear, or, on Haswell, what the
 *	hardware's filter compares; it does not change until &gpuoa_host_ops.unconfigure
 * @context_mask: out, with @context: the bits of @context_id that count
 */
struct gpuoa_host_config {
	struct gpuoa_reg_list mux;
	struct gpuoa_reg_list boolean;
	struct gpuoa_reg_list flex;
	u32 format;
	u32 report_size;
	u32 exponent;
	bool query_only;
	void *context;
	u64 context_id;
	u32 context_mask;
};

/**
 * struct gpuoa_host_buffer - an OABUFFER that is the host's
 * @pages: its pages, which the CPU and the GPU see alike; the host's until
 *	&gpuoa_host_ops.buffer_put
 * @n_pages: number of @pages
 * @gpu_address: where the GPU sees the first of them, below 4 GiB and aligned to the size that was
 *	asked for
 */
struct gpuoa_host_buffer {
	struct page **pages;
	unsigned int n_pages;
	u64 gpu_address;
};

/**
 * struct gpuoa_host_owner - whose a context is
 * @process: who made it, with a reference that core puts
 * @comm: the name of that process then, NUL-terminated
 * @handle: as &gpuoa_host_ops.context_get has it; 0: it has none
 * @client: number of the DRM file that it was made by; 0: not known
 * @gone: it is no more
 */
struct gpuoa_host_owner {
	struct pid *process;
	char comm[GPUOA_COMM_SIZE];
	u32 handle;
	u64 client;
	bool gone;
};

/**
 * struct gpuoa_host_ops - services of a host; @host is what it passed to gpuoa_unit_register()
 *
 * A host has the unit programmed in one of two ways, and all services of the one that it takes:
 * - core writes all registers: @rmw, @contexts_write, and @context_write if contexts are to be
 *   measured. That is for GPUs that take a write of the CPU at any time. Real ones from gen12 on do
 *   not: clock domains of the MUX may be off then, and nothing tells. It also leaves to @get which
 *   slices have power;
 * - the host does it: @configure and @unconfigure, by privileged commands, in the order that the
 *   GPU needs: power of slices, contexts, MUX, boolean counters, and the time that these take.
 * And it has one of two buffers:
 * - core's pages: @map and @unmap. Only these can be an AUX area;
 * - its own: @buffer_get and @buffer_put.
 *
 * @clock, @join, @context_batches, @context_owner, @half_full and @frequency are optional, all
 * others are mandatory.
 *
 * @read, @write and @timestamp are called from any context, also with interrupts off and below raw
 * spinlocks. So they may take raw spinlocks only: with PREEMPT_RT a spinlock_t sleeps, as that of a
 * forcewake domain would. They are called while the GPU is awake, between @get and @put, and never
 * between gpuoa_unit_suspend() and gpuoa_unit_resume().
 *
 * All others may sleep, and are called below locks that CPU hotplug waits for, and below mmap_lock.
 * So none of them may take cpus_read_lock(), be it by a static key that is switched or by work that
 * is flushed, nor access user memory.
 *
 * Register offsets are those of the GPU's whole MMIO space: for registers of a media GT, too.
 */
struct gpuoa_host_ops {
	/** @read: read a 32-bit MMIO register */
	u32 (*read)(void *host, u32 reg);

	/**
	 * @write: write a 32-bit MMIO register; one that exists several times (multicast), in all
	 * places
	 */
	void (*write)(void *host, u32 reg, u32 value);

	/**
	 * @rmw: change a register that others have bits in, too: those of @clear become 0, then
	 * those of @set 1, under the lock under which the others do so. May sleep
	 */
	void (*rmw)(void *host, u32 reg, u32 clear, u32 set);

	/**
	 * @timestamp: OA timestamp clock now, in ticks, extended to 64 bits. Its lower bits are the
	 * timestamps of reports: a report that is written now has the same, give or take 100 us. It
	 * does not go back as long as the unit is registered, unless the host calls
	 * gpuoa_unit_reset() or gpuoa_unit_suspend() before it does. It is asked for between @get
	 * and @put only, and while @configure runs it is not.
	 */
	u64 (*timestamp)(void *host);

	/**
	 * @clock: what @timestamp says, also while the unit is not in use: the host wakes the GPU
	 * up for that. NULL: that needs @get and @put around @timestamp. May sleep. 0 or -errno
	 */
	int (*clock)(void *host, u64 *ticks);

	/**
	 * @map: map pages for the GPU, consecutive in its global address space (GGTT), below 4 GiB,
	 * and aligned there to their total size, which is a power of two. What the GPU writes there
	 * the CPU must see without more ado: they are cached coherently, snooped, or not cached at
	 * all. Entries are written by the code of the GPU's driver, which knows what else they
	 * take. Where it stops all CPUs for that (Cherryview; Broxton behind an IOMMU), and would
	 * wait for CPU hotplug, a host has no @map but @buffer_get. Returns the GPU address or a
	 * negative errno; -ENOSPC if the address space is full
	 */
	s64 (*map)(void *host, struct page **pages, unsigned int n_pages);

	/**
	 * @unmap: undo @map; the GPU has stopped using the pages when it returns. Not called for
	 * pages of a unit that does not stop: these are never freed. This and @buffer_put, @put,
	 * @context_put and @context_batches are called for a GPU that is suspended, too.
	 */
	void (*unmap)(void *host, u64 gpu_address, unsigned int n_pages);

	/**
	 * @buffer_get: let core have the host's OABUFFER, or the first @size bytes of it, a power
	 * of two. Called after @configure; each @configure takes it away. 0; -ERANGE: there is no
	 * buffer of that size; or another -errno
	 */
	int (*buffer_get)(void *host, u32 size, struct gpuoa_host_buffer *buffer);

	/**
	 * @buffer_put: undo @buffer_get, also before @configure is called again. With @leak the
	 * unit did not stop: what it may write to must not be used for anything else, ever.
	 */
	void (*buffer_put)(void *host, bool leak);

	/**
	 * @get: claim the unit, and keep the GPU awake until @put: no RC6, all forcewake domains,
	 * and all slices and subslices powered whatever contexts ask for, since the MUX has parts
	 * in each. A host with @configure may leave all of that to it. Calls nest where there is no
	 * @clock: it may be read while the unit is in use. 0, -EBUSY if somebody else drives the
	 * unit, or another -errno
	 */
	int (*get)(void *host);

	/** @put: let the GPU sleep again */
	void (*put)(void *host);

	/**
	 * @context_get: find context @handle of DRM file @file and hold it until @context_put. On
	 * success @hw_id is what the hardware filter compares (Haswell: the GGTT address of the
	 * ring context's state page), or what stands in reports of the context (gen8 and later),
	 * and it does not change until @context_put. @context is not NULL then, and the same for
	 * the same context. A host with @configure may leave @hw_id to it. -EXDEV: the file is not
	 * one of this GPU's; -ENOENT: it has no such context; -EOPNOTSUPP: the host cannot tell
	 * reports of this one from others, or it runs on a compute engine: of OA registers, core
	 * knows those of the render engine only.
	 */
	int (*context_get)(void *host, struct file *file, u32 handle, u64 *hw_id, void **context);

	/** @context_put: let go of a context */
	void (*context_put)(void *host, void *context);

	/**
	 * @configure: program the unit and all contexts as @config says, all but what a start
	 * writes: OABUFFER, its pointers, and the register that switches the unit on, which are
	 * core's from then on. It returns when all of that has taken effect, or nothing of it has.
	 * Called again while the unit is configured, it has something else measured, or programs
	 * anew what a reset has taken; the unit is stopped then. If that fails, it is configured no
	 * more. 0; -EBUSY if somebody else drives the unit: who has an event open waits for it, and
	 * it is called again each second; or another -errno
	 */
	int (*configure)(void *host, struct gpuoa_host_config *config);

	/**
	 * @join: check that the calling process may use what @configure has programmed, which was
	 * for another process. @config is as for @configure. NULL: what core checks is enough. 0;
	 * -EACCES: it may not; or another -errno
	 */
	int (*join)(void *host, const struct gpuoa_host_config *config);

	/**
	 * @unconfigure: undo @configure, if there is anything to undo. Called before the GPU is
	 * suspended, too
	 */
	void (*unconfigure)(void *host);

	/**
	 * @contexts_write: give registers that belong to the render context's state a value, in the
	 * order of @regs, for each context: saved ones, the one that runs, and those that are made
	 * later, until the same register is given another value. The registers that exist several
	 * times are written in all places. When it returns, all contexts that run have the values.
	 * Only for units whose description has flexible EU registers: else it may be NULL. 0 or
	 * -errno.
	 */
	int (*contexts_write)(void *host, const struct gpuoa_register *regs, unsigned int count);

	/**
	 * @context_write: write registers while @context runs, so that they are saved with its
	 * state, and wait until it is done. That takes privileged commands (MI_LOAD_REGISTER_IMM in
	 * its ring, or in a batch in the GGTT), or a store into its saved state: in a batch of the
	 * user, the GPU passes over such writes in silence. Only for units that can't filter
	 * otherwise, gen12 and later; NULL: no event for one context there (-EOPNOTSUPP). 0 or
	 * -errno.
	 */
	int (*context_write)(void *host, void *context, const struct gpuoa_register *regs,
			     unsigned int count);

	/**
	 * @context_batches: from now on, if @report, have a report written into the OABUFFER where
	 * each batch of @context begins and where it ends, as "Reports of batches" in uapi/gpuoa.h
	 * says; else, no more. NULL: no event can have such reports (-EOPNOTSUPP). 0 or -errno; to
	 * end it always works.
	 */
	int (*context_batches)(void *host, void *context, bool report);

	/**
	 * @context_owner: tell whose the context is whose id in reports is @hw_id, as far as the
	 * bits of @mask go. Some that are gone should be remembered, for reports are read later
	 * than they are written. NULL: the host does not know (-EOPNOTSUPP). 0; -ENOENT: no process
	 * has such a context, nor had lately.
	 */
	int (*context_owner)(void *host, u32 hw_id, u32 mask, struct gpuoa_host_owner *owner);

	/**
	 * @half_full: from now on, have gpuoa_unit_half_full() called for @unit, the host's unit of
	 * type @type, whenever its interrupt says that the OABUFFER has become half full: once,
	 * when tail less head reaches half of the buffer's size, and again after it was less. With
	 * @unit NULL: no more; no such call runs any longer when this returns. NULL, or -errno:
	 * there is no such interrupt. Reports are not lost for that, but gpuoa looks for them more
	 * often where not only the timer makes them.
	 */
	int (*half_full)(void *host, enum gpuoa_unit_type type, struct gpuoa_unit *unit);

	/**
	 * @frequency: pin the clock of the GT that the host's unit of type @type belongs to, at
	 * *@hz or the nearest that the hardware has, which comes back; *@hz 0: let it go, as it was
	 * before; always works. A clock that is pinned may be pinned anew. It stays so when the GPU
	 * is reset or sleeps, and is asked for then, too. NULL: the host cannot (-EOPNOTSUPP).
	 * -ERANGE: the hardware has no such clock; -EBUSY: another unit's call has pinned it; or
	 * another -errno.
	 */
	int (*frequency)(void *host, enum gpuoa_unit_type type, u64 *hz);
};

/**
 * gpuoa_unit_register - make an OA unit the PMU and the class device gpuoa<N>
 * @parent: the GPU's device
 * @desc: what the host knows of the unit; copied
 * @ops: the host's services
 * @host: their first argument
 * @owner: the host's module, held by each event that is open, also after the unit has gone
 *
 * Context: may sleep
 * Return: the unit or an ERR_PTR: -ENODEV for a platform that is not known or that has no such
 * unit, -EINVAL for a description that makes no sense or services that are missing, -ENOMEM, or
 * what core or the driver core say
 */
struct gpuoa_unit *gpuoa_unit_register(struct device *parent, const struct gpuoa_unit_desc *desc,
				       const struct gpuoa_host_ops *ops, void *host,
				       struct module *owner);

/**
 * gpuoa_unit_unregister - undo gpuoa_unit_register(), at any time: the GPU may be in use
 * @unit: the unit
 *
 * The unit is stopped, and all that was got from the host is given back. When this returns, no
 * service of the host is called any more, and its @host may be freed. Those who have the unit open
 * are told that it is gone. A GPU that does not respond any more should read as all ones, as PCI
 * does.
 *
 * Context: may sleep; waits for CPU hotplug
 */
void gpuoa_unit_unregister(struct gpuoa_unit *unit);

/**
 * gpuoa_unit_reset - the GPU, or the engine that the unit belongs to, was reset
 * @unit: the unit
 *
 * What was programmed is gone, and so may be what was on its way to memory. Readers are told of the
 * loss, and if the unit is in use it is programmed anew, which may end after this returns. A host
 * that does not call this leaves it to gpuoa to find out, by a unit that is off and a tail that
 * stands still.
 *
 * Context: may sleep
 */
void gpuoa_unit_reset(struct gpuoa_unit *unit);

/**
 * gpuoa_unit_suspend - the GPU will sleep, whether it is used or not, as in a system's suspend
 * @unit: the unit
 *
 * When this returns, the unit is stopped, and until gpuoa_unit_resume() no service is called but
 * those that let go of something. Readers are told of the loss. An event that would acquire the
 * unit meanwhile gets -EAGAIN.
 *
 * Context: may sleep
 */
void gpuoa_unit_suspend(struct gpuoa_unit *unit);

/**
 * gpuoa_unit_resume - the GPU is awake again, and its registers may be written
 * @unit: the unit, which is programmed anew if it is in use
 *
 * Context: may sleep
 * Return: 0, or what a service of the host says; then the unit stays off until it is resumed or
 * reset again, or, after -EBUSY, until it can be programmed
 */
int gpuoa_unit_resume(struct gpuoa_unit *unit);

/**
 * gpuoa_unit_half_full - the OABUFFER has become half full
 * @unit: the unit
 *
 * Only while &gpuoa_host_ops.half_full asks for it. Reports may be published before this returns.
 * If the call comes late or not at all, what the buffer had no room for is lost, and counted.
 *
 * Context: hard interrupt, on any CPU, without any lock that the host takes to serve
 * &gpuoa_host_ops.read, @write or @timestamp
 */
void gpuoa_unit_half_full(struct gpuoa_unit *unit);

#endif /* _GPUOA_HOST_H */
