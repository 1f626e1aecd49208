/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * guc.h - the GuC, a microcontroller that schedules contexts, as a driver sees it.
 *
 * No firmware is executed: the model answers messages as the firmware's ABI defines them (Linux,
 * drivers/gpu/drm/xe/abi). It does nothing until firmware is loaded, so a driver that submits to
 * the engines itself does not notice it.
 */
#ifndef _SIM_GUC_H
#define _SIM_GUC_H

#include "env.h"

#define SIM_GUC_N_ENGINES 8
/* Number of registers that hold a message while there are no rings */
#define SIM_GUC_N_FLAGS 4
/* Maximum number of dwords of a message in a ring, with its header */
#define SIM_GUC_MAX_MESSAGE 256

struct sim_guc;

/**
 * struct sim_guc_engine_id - an engine, as the GuC numbers them
 * @class: 0 render, 1 video, 2 video enhancement, 3 copy, 4 compute, 5 GSC
 * @instance: logical instance: index among the present engines of the class
 * @hw_instance: instance in page fault messages
 */
struct sim_guc_engine_id {
	u32 class;
	u32 instance;
	u32 hw_instance;
};

/**
 * struct sim_guc_ops - the GPU around a GuC
 * @memory: get the dword at an address of the GGTT; NULL if it is not mapped
 * @now: get the time in ns
 * @ticks: get the GPU timestamp
 * @interrupt: interrupt the driver: there are messages in the ring
 * @is_idle: check whether an engine has no context
 * @submit: submit a context to an engine, or resubmit the current one
 * @preempt: make the context of an engine leave; returns false if that is not possible now
 * @reset: reset an engine
 * @fault_done: the driver has answered a page fault of an engine
 * @set_frequency: request a frequency in MHz
 * @log: log a message that is not supported or not valid, and a value in it
 */
struct sim_guc_ops {
	u32 *(*memory)(struct sim_guc *guc, u32 address);
	u64 (*now)(struct sim_guc *guc);
	u32 (*ticks)(struct sim_guc *guc);
	void (*interrupt)(struct sim_guc *guc);
	bool (*is_idle)(struct sim_guc *guc, unsigned int engine);
	void (*submit)(struct sim_guc *guc, unsigned int engine, u64 descriptor);
	bool (*preempt)(struct sim_guc *guc, unsigned int engine);
	void (*reset)(struct sim_guc *guc, unsigned int engine);
	void (*fault_done)(struct sim_guc *guc, unsigned int engine, bool failed);
	void (*set_frequency)(struct sim_guc *guc, u32 mhz);
	void (*log)(struct sim_guc *guc, const char *what, u32 value);
};

/**
 * struct sim_guc_config - the hardware of a GuC
 * @engines: engines that the GuC controls
 * @n_engines: number of engines
 * @min_mhz: lowest frequency
 * @max_mhz: highest frequency
 * @tick_hz: frequency of the GPU timestamp
 * @hwconfig: description of the hardware that drivers read: key, number of values, values ...;
 *   ends with a key of 0; NULL if there is none
 */
struct sim_guc_config {
	const struct sim_guc_engine_id *engines;
	unsigned int n_engines;
	u32 min_mhz;
	u32 max_mhz;
	u32 tick_hz;
	const u32 *hwconfig;
};

/**
 * struct sim_guc_ring - a ring of messages
 * @descriptor: GGTT address of head, tail and status
 * @buffer: GGTT address of the ring
 * @dwords: size of the ring in dwords
 */
struct sim_guc_ring {
	u32 descriptor;
	u32 buffer;
	u32 dwords;
};

/**
 * struct sim_guc_context - a registered context
 * @next: next one in the list
 * @id: number of the context, chosen by the driver
 * @enabled: the context may run
 * @has_work: the context's ring may have commands
 * @disabling: the driver waits until the context has left its engine
 * @class: class of the context's engines
 * @mask: logical instances of the context's engines
 * @descriptor: GGTT address of the context's image, and flags
 * @priority: priority of the context; 0 is the highest
 * @quantum_us: time after which another context of its priority gets the engine; 0: none
 * @preemption_us: time within which the context must leave, or is reset; 0: none
 * @turn: number of @n_turns when the context was registered or last got an engine; contexts of
 *   equal priority take turns
 * @first: number of the first of the contexts that run in parallel with it, else its own
 * @width: number of contexts that run in parallel, in the first of them; 0 in the others
 * @queue_descriptor: GGTT address of head and tail of their work queue
 * @queue: GGTT address of the work queue
 * @queue_size: size of the work queue in bytes, 0 if there is none
 */
struct sim_guc_context {
	struct sim_guc_context *next;
	u32 id;
	bool enabled;
	bool has_work;
	bool disabling;
	u32 class;
	u32 mask;
	u64 descriptor;
	u32 priority;
	u32 quantum_us;
	u32 preemption_us;
	u64 turn;
	u32 first;
	u32 width;
	u32 queue_descriptor;
	u32 queue;
	u32 queue_size;
};

/**
 * struct sim_guc_engine - state of an engine
 * @current: the context that was submitted to it, or NULL
 * @since: time in ns at which @current was submitted
 * @leaving: time in ns since which @current must leave; 0 if it need not
 * @failed: @current accessed unmapped memory, and is to be reset
 * @changes: number of changes of @began and @busy
 * @began: tick at which @current was submitted; 0 if there is none
 * @busy: ticks during which earlier contexts were on the engine
 */
struct sim_guc_engine {
	struct sim_guc_context *current;
	u64 since;
	u64 leaving;
	bool failed;
	u16 changes;
	u32 began;
	u64 busy;
};

/**
 * struct sim_guc - a GuC
 * @ops: operations of the GPU that contains the GuC
 * @config: hardware of the GuC
 * @loaded: the GuC's firmware is loaded
 * @huc_loaded: the HuC, a second firmware, is authenticated
 * @submission_off: the driver submits contexts itself, and uses the GuC for the HuC only
 * @enabled: the rings are in use
 * @to_guc: messages from the driver
 * @to_host: messages to the driver
 * @contexts: list of registered contexts
 * @engines: state of each engine
 * @n_turns: number of turns that contexts had
 * @slpc: GGTT address of the memory with frequencies; 0: none
 * @min_mhz: minimum frequency requested by the driver
 * @max_mhz: maximum frequency requested by the driver
 * @activity: GGTT addresses of the common and the per-engine record of engine activity; 0: none
 * @n_activity: number of updates of these records
 * @rc6: the GuC lets the GPU sleep
 * @rc6_forbidden: the driver has overridden @rc6
 * @n_received: number of messages received
 * @n_sent: number of messages sent
 */
struct sim_guc {
	const struct sim_guc_ops *ops;
	const struct sim_guc_config *config;
	bool loaded;
	bool huc_loaded;
	bool submission_off;
	bool enabled;
	struct sim_guc_ring to_guc;
	struct sim_guc_ring to_host;
	struct sim_guc_context *contexts;
	struct sim_guc_engine engines[SIM_GUC_N_ENGINES];
	u64 n_turns;
	u32 slpc;
	u32 min_mhz;
	u32 max_mhz;
	u32 activity[2];
	u32 n_activity;
	bool rc6;
	bool rc6_forbidden;
	u64 n_received;
	u64 n_sent;
};

/**
 * struct sim_guc_fault - a page fault
 * @engine: index of the engine
 * @asid: the context's address space, as numbered by the driver
 * @address: address in @asid
 */
struct sim_guc_fault {
	unsigned int engine;
	u32 asid;
	u64 address;
};

void sim_guc_init(struct sim_guc *guc, const struct sim_guc_ops *ops,
		  const struct sim_guc_config *config);
void sim_guc_reset(struct sim_guc *guc);
void sim_guc_load(struct sim_guc *guc, u32 features);
u32 sim_guc_status(const struct sim_guc *guc);
void sim_guc_notify(struct sim_guc *guc, u32 *flags);
bool sim_guc_schedules(const struct sim_guc *guc);
bool sim_guc_run(struct sim_guc *guc);
bool sim_guc_is_busy(const struct sim_guc *guc);
bool sim_guc_allows_rc6(const struct sim_guc *guc);
void sim_guc_page_fault(struct sim_guc *guc, const struct sim_guc_fault *fault);
void sim_guc_engine_failed(struct sim_guc *guc, unsigned int engine);
bool sim_guc_releases(const struct sim_guc *guc, unsigned int engine, u64 address);

#endif /* _SIM_GUC_H */
