/* SPDX-License-Identifier: MIT */
/*
 * engine.h - engines: their registers and ring buffers.
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

/* Bits of an engine's interrupts, gen8 and later */
#define VGPU_IRQ_USER BIT(0)
#define VGPU_IRQ_ERROR BIT(3)
#define VGPU_IRQ_CONTEXT_SWITCH BIT(8)

/* Classes, as gen11 numbers them */
enum vgpu_class {
	VGPU_RENDER = 0,
	VGPU_VIDEO = 1,
	VGPU_ENHANCE = 2,
	VGPU_COPY = 3,
};

/**
 * struct vgpu_engine_class - an engine that a platform has
 * @name: as the driver calls it
 * @class: enum vgpu_class
 * @base: its first register
 * @hws: register with the address of its status page
 * @irq_block: where its interrupts are: gen7: first register of the block. gen8: index of the
 *block. gen11: register of enables
 * @irq_shift: gen7: its bit. Later: where in that register its bits are
 * @master: gen8: its bit in the master register. gen11: its bit in the GT's dwords, 0..63
 * @reset: its bit in GDRST
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
};

/**
 * struct vgpu_place - where an engine is in a batch
 * @at: address of the next command
 * @ppgtt: it is one of the context's own address space
 */
struct vgpu_place {
	u64 at;
	bool ppgtt;
};

/**
 * struct vgpu_execlists - submission of gen8 and later
 * @element: what has been written of the next submission to the port, gen8 to gen9
 * @n_elements: dwords of it
 * @submitted: a submission that the engine has not taken
 * @pending: there is one
 * @port: contexts that run, and run next: descriptors, 0 for none
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
 * @vgpu: where it is
 * @class: what it is
 * @base: its first register
 * @rule: its registers
 * @cs: the command streamer
 * @depth: 0: commands come from the ring; else how deep they are nested
 * @place: where it is in the batches; [0] is not used for anything but their return to the ring
 * @page_table: root of the context's address space, gen8 and later
 * @active: there is a context
 * @hung: it has met what it does not know, and does nothing until it is reset
 * @waits: the present command has to come again
 * @no_switch: contexts are not switched now: between MI_ARB_ON_OFF
 * @work: a command keeps it busy until the tick @work_end
 * @work_end: see @work
 * @slot: the context's slot in the OA model, or -1: the model does not see that it runs
 * @timestamp: what the context's clock showed when it came
 * @came: when it came, in ticks
 * @execlists: submission
 * @state: of the 3D pipeline, render engine
 * @past: addresses and first dwords of the last commands, the next one at @n_past modulo their
 * number
 * @n_past: see @past
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
 * struct vgpu_submission - how work comes to engines
 * @write: a register of an engine is written; returns false if it is not of this
 * @next: before a command: false if there is none to be done now
 * @reset: the engine is reset
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
