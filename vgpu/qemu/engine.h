/* SPDX-License-Identifier: MIT */
/*
 * engine.h - engines: registers, ring buffers and execution of commands.
 */
#ifndef _VGPU_ENGINE_H
#define _VGPU_ENGINE_H

#include "vgpu/model/env.h"
#include "render.h"
#include "vgpu/model/cs.h"
#include "mmio.h"

struct vgpu;
struct vgpu_engine;

#define VGPU_MAX_ENGINES 8
#define VGPU_MAX_DEPTH 3
#define VGPU_N_PAST 16

/* Interrupt bits of an engine, gen8 and later */
#define VGPU_IRQ_USER BIT(0)
#define VGPU_IRQ_ERROR BIT(3)
#define VGPU_IRQ_CONTEXT_SWITCH BIT(8)

/* Engine classes, with the numbers of gen11 */
enum vgpu_class {
	VGPU_RENDER = 0,
	VGPU_VIDEO = 1,
	VGPU_ENHANCE = 2,
	VGPU_COPY = 3,
	VGPU_OTHER = 4,
	VGPU_COMPUTE = 5,
};

/**
 * struct vgpu_engine_class - an engine of a platform
 * @name: name of the engine in the driver
 * @class: enum vgpu_class
 * @base: MMIO offset of the engine's first register
 * @hws: register with the address of the engine's status page
 * @irq_block: gen7: first register of the engine's interrupt block; gen8: index of the block;
 *   gen11: register with its enables
 * @irq_shift: gen7: bit of the engine in the block; later: shift of the engine's bits in that
 *   register
 * @master: gen8: bit of the engine in the master register; gen11: bit in the GT's dwords, 0..63
 * @reset: bit of the engine in GDRST
 * @instance: number of the engine in its class
 * @gt: GT of the engine: 0, or 1 for the media GT
 */
struct vgpu_engine_class {
	const char *name;
	enum vgpu_class class;
	u32 base;
	u32 hws;
	u32 irq_block;
	unsigned int irq_shift;
	u32 master;
	u32 reset;
	unsigned int instance;
	unsigned int gt;
};

/**
 * struct vgpu_place - position in a batch
 * @at: address of the next command
 * @ppgtt: @at is in the context's address space
 */
struct vgpu_place {
	u64 at;
	bool ppgtt;
};

/**
 * struct vgpu_page_fault - an access to an unmapped page of a context that the GuC scheduled
 * @pending: the command must be repeated after the driver's answer
 * @address: address in the context's address space
 */
struct vgpu_page_fault {
	bool pending;
	u64 address;
};

/**
 * struct vgpu_execlists - submission on gen8 and later
 * @element: received dwords of the next submission, gen8 and gen9
 * @n_elements: number of dwords in @element
 * @submitted: descriptors of the pending submission
 * @pending: @submitted is valid
 * @port: descriptors of the current and the next context, 0 if there is none
 * @event: index of the last status event
 */
struct vgpu_execlists {
	u32 element[4];
	unsigned int n_elements;
	u64 submitted[2];
	bool pending;
	u64 port[2];
	unsigned int event;
};

/**
 * struct vgpu_engine - an engine
 * @vgpu: GPU of the engine
 * @class: description of the engine
 * @base: MMIO offset of the engine's first register
 * @rule: registers of the engine
 * @cs: the command streamer
 * @depth: nesting depth of batches; 0 if commands come from the ring
 * @place: position at each depth; [0] only holds the return address to the ring
 * @page_table: root of the context's page tables, gen8 and later
 * @active: there is a current context
 * @hung: the engine met an unsupported command, and stops until it is reset
 * @failed: the engine's context accessed an unmapped address; stops until the GuC resets it
 * @fault: the current page fault
 * @predicate: argument of the last MI_SET_PREDICATE
 * @waits: the current command must be repeated
 * @no_switch: context switches are disabled by MI_ARB_ON_OFF
 * @work: a command keeps the engine busy until @work_end
 * @work_end: tick at which the work ends
 * @slot: the context's slot in the OA model, or -1 if the model sees no context
 * @timestamp: the context's clock when the context was restored
 * @came: tick at which the context was restored
 * @execlists: state of submission
 * @state: state of the 3D pipeline, render engine only
 * @past: ring of the addresses and headers of the last commands
 * @n_past: number of commands executed; modulo VGPU_N_PAST, the next index in @past
 */
struct vgpu_engine {
	struct vgpu *vgpu;
	const struct vgpu_engine_class *class;
	u32 base;
	struct vgpu_rule rule;
	struct sim_cs cs;
	unsigned int depth;
	struct vgpu_place place[VGPU_MAX_DEPTH + 1];
	u64 page_table;
	bool active;
	bool hung;
	bool failed;
	struct vgpu_page_fault fault;
	u32 predicate;
	bool waits;
	bool no_switch;
	bool work;
	u64 work_end;
	int slot;
	u32 timestamp;
	u64 came;
	struct vgpu_execlists execlists;
	struct vgpu_draw_state state;
	struct {
		u64 at;
		u32 header;
	} past[VGPU_N_PAST];
	unsigned int n_past;
};

/**
 * struct vgpu_submission - a method of submission
 * @write: handle a write to a register of an engine; returns false if it is another register
 * @next: prepare for the next command; returns false if there is none now
 * @reset: reset the engine's submission state
 */
struct vgpu_submission {
	bool (*write)(struct vgpu_engine *engine, u32 offset, u32 value);
	bool (*next)(struct vgpu_engine *engine);
	void (*reset)(struct vgpu_engine *engine);
};

extern const struct vgpu_submission vgpu_ring;
extern const struct vgpu_submission vgpu_execlists;

static inline struct vgpu_engine *vgpu_engine_of(struct sim_cs *cs)
{
	return container_of(cs, struct vgpu_engine, cs);
}

bool vgpu_engine_is_idle(const struct vgpu_engine *engine);
void vgpu_engine_hang(struct vgpu_engine *engine, const char *why, u32 value);
int vgpu_engine_call(struct vgpu_engine *engine, u64 address, unsigned int dwords);
u32 *vgpu_engine_reg(struct vgpu_engine *engine, u32 offset);
u32 *vgpu_engine_memory(struct vgpu_engine *engine, u64 address, bool global);
u32 vgpu_engine_status_page(struct vgpu_engine *engine);

extern const struct vgpu_behaviour vgpu_engine_registers;

int vgpu_engines_init(struct vgpu *vgpu);
bool vgpu_engines_run(struct vgpu *vgpu);
void vgpu_engine_reset(struct vgpu_engine *engine);

#endif /* _VGPU_ENGINE_H */
