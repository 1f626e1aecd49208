// SPDX-License-Identifier: MIT
/*
 * execlists.c - execlists: submission of contexts, and the current context of an engine.
 */
#include "device_host.h"
#include "context.h"
#include "engine.h"
#include "execlists.h"
#include "irq.h"
#include "memory.h"
#include "registers.h"
#include "vgpu.h"
#include "vgpu/model/gpu.h"
#include "vgpu/model/oa.h"

/* Get the slot of a context; a new context replaces the least recently used one. */
static unsigned int slot_of(struct vgpu *vgpu, u32 hw_id)
{
	struct vgpu_slots *slots = &vgpu->slots;
	unsigned int i, slot = 0;

	for (i = 0; i < SIM_N_SLOTS && slots->hw_id[slot] != hw_id; i++)
		if (slots->hw_id[i] == hw_id || slots->used[i] < slots->used[slot])
			slot = i;
	slots->used[slot] = ++slots->now;
	if (slots->hw_id[slot] != hw_id) {
		slots->hw_id[slot] = hw_id;
		sim_slot_set(&vgpu->gpu, slot, hw_id);
	}

	return slot;
}

/*
 * Time that passes after a context switch, so that it has another timestamp than the next event:
 * two ticks of the slowest clock
 */
#define SEEN_NS 200

/**
 * vgpu_engine_runs() - Start a context.
 * @engine: the engine; the OA units see one context at a time of the render and compute engines
 * @hw_id: id of the context in reports
 */
void vgpu_engine_runs(struct vgpu_engine *engine, u32 hw_id)
{
	struct vgpu *vgpu = engine->vgpu;

	unsigned int i;

	if ((engine->class->class != VGPU_RENDER && engine->class->class != VGPU_COMPUTE) || !hw_id)
		return;
	for (i = 0; i < vgpu->n_engines; i++)
		if (&vgpu->engines[i] != engine && vgpu->engines[i].slot >= 0)
			return;
	vgpu_engine_stops(engine);
	engine->slot = slot_of(vgpu, hw_id);
	sim_batch_begin(&vgpu->gpu, engine->slot);
	vgpu_time_pass(vgpu, SEEN_NS);
}

/**
 * vgpu_engine_stops() - Stop the current context.
 * @engine: the engine
 */
void vgpu_engine_stops(struct vgpu_engine *engine)
{
	struct vgpu *vgpu = engine->vgpu;

	if (engine->slot < 0)
		return;
	if (engine->work) {
		vgpu_eu_stall_end(engine);
		sim_work_cut(&vgpu->gpu);
	}
	sim_batch_end(&vgpu->gpu, false);
	vgpu_time_pass(vgpu, SEEN_NS);
	engine->slot = -1;
}

/**
 * vgpu_engine_works() - Let the context work; meanwhile the engine executes no commands.
 * @engine: the engine
 * @workload: index of a workload, the profile of the work
 * @clocks: duration in GPU clocks
 */
void vgpu_engine_works(struct vgpu_engine *engine, unsigned int workload, u64 clocks)
{
	struct vgpu *vgpu = engine->vgpu;
	u64 end;

	if (engine->slot < 0 || sim_work(&vgpu->gpu, engine->slot, workload, clocks, &end))
		return;
	engine->work = true;
	engine->work_end = end;
}

/**
 * vgpu_engine_draws() - Let the context draw; meanwhile the engine executes no commands.
 * @engine: the engine
 * @samples: number of samples written
 */
void vgpu_engine_draws(struct vgpu_engine *engine, u32 samples)
{
	if (engine->slot < 0 || !samples)
		return;
	sim_draw(&engine->vgpu->gpu, engine->slot, samples, &engine->work_end);
	engine->work = true;
}

/* Index of the first word after id, timestamp and context in a report */
#define REPORT_COUNTERS 3

/*
 * Check whether a report counts for its context only. From gen12 on, it does if the driver has
 * enabled OAR, or OAC on a compute engine.
 */
static bool counts_for_itself(struct vgpu_engine *engine)
{
	const u32 *control = vgpu_engine_reg(engine, RING_CONTEXT_CONTROL);
	const u32 unit = engine->class->class == VGPU_COMPUTE ? OAC_CONTROL : OAR_CONTROL;

	return *control & CONTEXT_CONTROL_OAR &&
	       vgpu_mmio_read(engine->vgpu, unit) & OAR_CONTROL_ENABLE;
}

/**
 * vgpu_engine_report() - Create the report of MI_REPORT_PERF_COUNT.
 * @engine: the render engine
 * @id: report id in the command
 * @report: set to the report
 *
 * Return: its size in bytes
 */
u32 vgpu_engine_report(struct vgpu_engine *engine, u32 id, u32 *report)
{
	struct vgpu *vgpu = engine->vgpu;
	unsigned int slot = engine->slot < 0 ? SIM_NOBODY : (unsigned int)engine->slot;
	const struct sim_oa *oa = &vgpu->gpu.oa[0];
	const struct sim_format *format = oa->ops->batch_format ?: oa->run.format;
	u32 size = sim_gpu_snapshot(&vgpu->gpu, slot, id, report);
	u32 header = REPORT_COUNTERS * (format->word == sizeof(u64) ? sizeof(u64) : sizeof(u32));

	if (oa->ops->per_context && !counts_for_itself(engine))
		memset((char *)report + header, 0, size - header);

	return size;
}

/* ---- clock of the context ----------------------------------------------------------------- */

/**
 * vgpu_clock_goes_on() - Restart the context's clock after a restore.
 * @engine: the engine
 */
void vgpu_clock_goes_on(struct vgpu_engine *engine)
{
	engine->came = sim_now(&engine->vgpu->gpu);
}

/**
 * vgpu_clock_read() - Read the context's clock.
 * @engine: the engine
 *
 * Return: ticks for which the context has run, modulo 2^32
 */
u32 vgpu_clock_read(struct vgpu_engine *engine)
{
	if (!engine->active)
		return engine->timestamp;

	return engine->timestamp + (sim_now(&engine->vgpu->gpu) - engine->came);
}

/**
 * vgpu_clock_set() - Set the context's clock.
 * @engine: the engine
 * @value: new value of the clock
 */
void vgpu_clock_set(struct vgpu_engine *engine, u32 value)
{
	engine->timestamp = value;
	engine->came = sim_now(&engine->vgpu->gpu);
}

/*
 * A submission names one or two contexts by descriptors. It preempts the current context at the
 * next command; if the context is the same, only its tail is updated (a "lite restore"). When the
 * ring of a context is empty, the next context starts. Each switch writes an event into a ring in
 * the engine's status page, and raises an interrupt.
 */
#define DESCRIPTOR_VALID BIT(0)
#define DESCRIPTOR_ADDRESS GENMASK(31, 12)
#define DESCRIPTOR_GEN11_ID GENMASK_ULL(47, 37)

/* Events, gen8 to gen11 */
#define EVENT_IDLE_TO_ACTIVE BIT(0)
#define EVENT_PREEMPTED BIT(1)
#define EVENT_ELEMENT_SWITCH BIT(2)
#define EVENT_ACTIVE_TO_IDLE BIT(3)
#define EVENT_COMPLETE BIT(4)
#define EVENT_LITE_RESTORE BIT(15)

/*
 * Fields of a gen12 event: the lower half describes the new context, the upper half the previous
 * one
 */
#define EVENT_NEW_QUEUE BIT(0)
#define EVENT_ID_SHIFT 15
#define EVENT_NOBODY 0x7ff

/* Byte offsets in the status page */
#define EVENTS_AT 0x40
#define GEN8_EVENT_POINTER_AT 0x7c
#define GEN11_EVENT_POINTER_AT 0xbc

static bool is_gen12(const struct vgpu_engine *engine)
{
	return engine->vgpu->platform->gen >= 12;
}

static unsigned int n_events(const struct vgpu_engine *engine)
{
	return engine->vgpu->platform->gen >= 11 ? 12 : 6;
}

static bool same_context(u64 a, u64 b)
{
	return (a & DESCRIPTOR_ADDRESS) == (b & DESCRIPTOR_ADDRESS);
}

static void tell(struct vgpu_engine *engine, u32 low, u32 high)
{
	struct vgpu *vgpu = engine->vgpu;
	struct vgpu_execlists *lists = &engine->execlists;
	u64 page = *vgpu_engine_reg(engine, RING_HWS_PGA) & GENMASK(31, 12);
	u32 pointer_at = vgpu->platform->gen >= 11 ? GEN11_EVENT_POINTER_AT : GEN8_EVENT_POINTER_AT;
	u64 *event;
	u32 *pointer;

	lists->event = (lists->event + 1) % n_events(engine);
	event = (u64 *)vgpu_ggtt(vgpu, page + EVENTS_AT + lists->event * sizeof(u64));
	pointer = vgpu_ggtt(vgpu, page + pointer_at);
	if (!event || !pointer) {
		vgpu_log(vgpu, "%s: no status page\n", engine->class->name);
		return;
	}
	__atomic_store_n(event, (u64)high << 32 | low, __ATOMIC_RELEASE);
	__atomic_store_n(pointer, lists->event, __ATOMIC_RELEASE);
	*vgpu_engine_reg(engine, RING_CONTEXT_STATUS_BUF(lists->event % 6)) = low;
	*vgpu_engine_reg(engine, RING_CONTEXT_STATUS_BUF(lists->event % 6) + 4) = high;
	*vgpu_engine_reg(engine, RING_CONTEXT_STATUS_PTR) =
		(*vgpu_engine_reg(engine, RING_CONTEXT_STATUS_PTR) & ~0xfU) | lists->event;
	if (vgpu->trace)
		vgpu_log(vgpu, "%s: event %u %08x %08x\n", engine->class->name, lists->event, low,
			 high);
	vgpu_irq_engine(engine, VGPU_IRQ_CONTEXT_SWITCH);
}

static u32 event_id(u64 descriptor)
{
	u32 id = descriptor ? (u32)FIELD_GET(DESCRIPTOR_GEN11_ID, descriptor) : EVENT_NOBODY;

	return id << EVENT_ID_SHIFT;
}

/* Report that a submission was accepted; @before is the previous context, or 0. */
static void tell_taken(struct vgpu_engine *engine, u64 before)
{
	u64 now = engine->execlists.port[0];
	u32 event = EVENT_IDLE_TO_ACTIVE;

	if (is_gen12(engine)) {
		tell(engine, event_id(now) | EVENT_NEW_QUEUE, event_id(before));
		return;
	}
	if (before)
		event = EVENT_PREEMPTED | (same_context(before, now) ? EVENT_LITE_RESTORE : 0);
	tell(engine, event, upper_32_bits(before ?: now));
}

/* Report that the ring of context @before is empty and that the next context runs. */
static void tell_done(struct vgpu_engine *engine, u64 before)
{
	u64 now = engine->execlists.port[0];

	if (is_gen12(engine))
		tell(engine, event_id(now), event_id(before));
	else
		tell(engine, EVENT_COMPLETE | (now ? EVENT_ELEMENT_SWITCH : EVENT_ACTIVE_TO_IDLE),
		     upper_32_bits(before));
}

static void trace(struct vgpu_engine *engine, const char *what)
{
	if (engine->vgpu->trace)
		vgpu_log(engine->vgpu, "%s: %s %016llx head %#x tail %#x\n", engine->class->name,
			 what, (unsigned long long)engine->execlists.port[0],
			 *vgpu_engine_reg(engine, RING_HEAD), *vgpu_engine_reg(engine, RING_TAIL));
}

static void take_port(struct vgpu_engine *engine, u64 descriptor)
{
	engine->execlists.port[0] = descriptor;
	*vgpu_engine_reg(engine, RING_EXECLIST_STATUS_LO) = lower_32_bits(descriptor);
	*vgpu_engine_reg(engine, RING_EXECLIST_STATUS_HI) = upper_32_bits(descriptor);
	engine->active = descriptor;
}

static void switch_to(struct vgpu_engine *engine, u64 descriptor)
{
	take_port(engine, descriptor);
	if (!descriptor)
		return;
	if (vgpu_context_restore(engine))
		vgpu_engine_hang(engine, "context", lower_32_bits(descriptor));
	trace(engine, "comes");
}

/* Start the pending submission. */
static void take(struct vgpu_engine *engine)
{
	struct vgpu_execlists *lists = &engine->execlists;
	u64 before = engine->active ? lists->port[0] : 0;
	u64 now = lists->submitted[0];

	lists->pending = false;
	if (!(now & DESCRIPTOR_VALID)) {
		vgpu_log(engine->vgpu, "%s: a submission without a context\n", engine->class->name);
		return;
	}
	lists->port[1] = lists->submitted[1] & DESCRIPTOR_VALID ? lists->submitted[1] : 0;
	if (before && same_context(before, now)) {
		take_port(engine, now);
		vgpu_context_new_tail(engine);
		trace(engine, "goes on");
	} else {
		if (before)
			vgpu_context_save(engine);
		switch_to(engine, now);
	}
	tell_taken(engine, before);
}

/* Complete the current context: its ring is empty. */
static void done(struct vgpu_engine *engine)
{
	struct vgpu_execlists *lists = &engine->execlists;
	u64 before = lists->port[0], next = lists->port[1];

	trace(engine, "is done");
	vgpu_context_save(engine);
	lists->port[1] = 0;
	switch_to(engine, next);
	tell_done(engine, before);
}

static bool ring_is_empty(struct vgpu_engine *engine)
{
	u32 head = *vgpu_engine_reg(engine, RING_HEAD), tail = *vgpu_engine_reg(engine, RING_TAIL);

	return !engine->depth && (head & RING_HEAD_OFFSET) == (tail & RING_HEAD_OFFSET);
}

static bool execlists_next(struct vgpu_engine *engine)
{
	if (engine->execlists.pending && (!engine->active || !engine->no_switch))
		take(engine);
	while (engine->active && !engine->hung && ring_is_empty(engine))
		done(engine);

	return engine->active && !engine->hung;
}

static void submit(struct vgpu_engine *engine, u64 first, u64 second)
{
	struct vgpu_execlists *lists = &engine->execlists;

	lists->submitted[0] = first;
	lists->submitted[1] = second;
	lists->pending = true;
	engine->vgpu->statistics.submissions++;
}

/*
 * The port of gen8 and gen9 takes the second element first, and upper halves before lower halves.
 */
static void write_port(struct vgpu_engine *engine, u32 value)
{
	struct vgpu_execlists *lists = &engine->execlists;
	const u32 *element = lists->element;

	lists->element[lists->n_elements++] = value;
	if (lists->n_elements < ARRAY_SIZE(lists->element))
		return;
	lists->n_elements = 0;
	submit(engine, (u64)element[2] << 32 | element[3], (u64)element[0] << 32 | element[1]);
}

static u64 queue(struct vgpu_engine *engine, unsigned int i)
{
	return (u64)*vgpu_engine_reg(engine, RING_EXECLIST_SQ + 8 * i + 4) << 32 |
	       *vgpu_engine_reg(engine, RING_EXECLIST_SQ + 8 * i);
}

/**
 * vgpu_execlists_submit() - Submit a context as the GuC does.
 * @engine: the engine
 * @descriptor: the context's descriptor
 */
void vgpu_execlists_submit(struct vgpu_engine *engine, u64 descriptor)
{
	submit(engine, descriptor, 0);
}

/**
 * vgpu_execlists_preempt() - Make the current context leave as the GuC does.
 * @engine: the engine
 *
 * Return: false if it cannot leave now
 */
bool vgpu_execlists_preempt(struct vgpu_engine *engine)
{
	struct vgpu_execlists *lists = &engine->execlists;
	u64 before = lists->port[0];

	if (engine->hung || engine->fault.pending || (engine->active && engine->no_switch))
		return false;
	lists->pending = false;
	if (!engine->active)
		return true;
	trace(engine, "is preempted");
	vgpu_context_save(engine);
	lists->port[1] = 0;
	switch_to(engine, 0);
	engine->work = false;
	engine->waits = false;
	tell_done(engine, before);

	return true;
}

static bool execlists_write(struct vgpu_engine *engine, u32 offset, u32 value)
{
	const struct vgpu *vgpu = engine->vgpu;
	u32 *pointer = vgpu_engine_reg(engine, RING_CONTEXT_STATUS_PTR), mask = value >> 16;

	switch (offset) {
	case RING_ELSP:
		if (vgpu->platform->gen >= 11)
			return false;
		write_port(engine, value);
		return true;
	case RING_EXECLIST_CONTROL:
		if (vgpu->platform->gen >= 11 && value & EXECLIST_CONTROL_LOAD)
			submit(engine, queue(engine, 0), queue(engine, 1));
		return true;
	case RING_CONTEXT_STATUS_PTR:
		*pointer = (*pointer & ~mask) | (value & mask);
		engine->execlists.event = *pointer & 0xf;
		return true;
	default:
		return false;
	}
}

static void execlists_reset(struct vgpu_engine *engine)
{
	struct vgpu_execlists *lists = &engine->execlists;

	memset(lists, 0, sizeof(*lists));
	lists->event = n_events(engine) - 1;
}

const struct vgpu_submission vgpu_execlists = {
	.write = execlists_write,
	.next = execlists_next,
	.reset = execlists_reset,
};
