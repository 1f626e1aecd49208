// SPDX-License-Identifier: GPL-2.0-only
/*
 * guc_schedule.c - contexts of the GuC: registration, policies, work queues, and scheduling, with
 * preemption and resets.
 */
#include "guc.h"
#include "guc_schedule.h"

/*
 * The GuC submits one context at a time to an engine, as a driver without GuC would do. A context
 * that gets more work meanwhile is submitted again, a "lite restore". The next context is the one
 * with the highest priority; contexts of the same priority take turns.
 *
 * The id in a descriptor, which appears in OA reports, is the context's number plus 1, because the
 * OA model takes 0 for no context.
 */
#define DESCRIPTOR_ID_SHIFT 39

/*
 * Field of a descriptor with the address of a context image, and byte offsets of ring registers in
 * the image
 */
#define IMAGE_ADDRESS GENMASK(31, 12)
#define IMAGE_HEAD (SZ_4K + 5 * sizeof(u32))
#define IMAGE_TAIL (SZ_4K + 7 * sizeof(u32))
#define RING_OFFSET GENMASK(20, 2)

/* Wa_14019159160: a context waits before it leaves its engine, until the GuC clears this dword. */
#define IMAGE_HOLD_SWITCHOUT 0x540

/* Default priority of a context. Priorities are 0 (realtime) to 3 (low). */
#define PRIORITY_NORMAL 2

/* Time after which the GuC resets a context with a shorter preemption timeout, in us */
#define MIN_PREEMPTION_US 1000U

static struct sim_guc_context *context_find(struct sim_guc *guc, u32 id)
{
	struct sim_guc_context *context = guc->contexts;

	while (context && context->id != id)
		context = context->next;

	return context;
}

/*
 * Find a context that the driver names by @id. For contexts that run in parallel, the driver names
 * the first one.
 */
static struct sim_guc_context *context_find_first(struct sim_guc *guc, u32 id)
{
	struct sim_guc_context *context = context_find(guc, id);

	if (!context || !context->width) {
		guc->ops->log(guc, "no such context", id);
		return NULL;
	}

	return context;
}

/*
 * Get the context after @context among those that run in parallel with @first, or NULL after the
 * last.
 */
static struct sim_guc_context *next_parallel(struct sim_guc *guc,
					     const struct sim_guc_context *first,
					     const struct sim_guc_context *context)
{
	u32 next = context->id + 1;

	return next - first->id < first->width ? context_find(guc, next) : NULL;
}

#define for_each_parallel(guc, first, context) \
	for ((context) = (first); (context); (context) = next_parallel(guc, first, context))

/* Get the index of the engine that a context is on, or -1. */
static int engine_of(const struct sim_guc *guc, const struct sim_guc_context *context)
{
	unsigned int i;

	for (i = 0; i < guc->config->n_engines; i++)
		if (guc->engines[i].current == context)
			return i;

	return -1;
}

static bool fits(const struct sim_guc *guc, const struct sim_guc_context *context,
		 unsigned int engine)
{
	const struct sim_guc_engine_id *id = &guc->config->engines[engine];

	return context->class == id->class && context->mask & BIT(id->instance);
}

static u32 image_of(const struct sim_guc_context *context)
{
	return lower_32_bits(context->descriptor) & IMAGE_ADDRESS;
}

/* Check whether a context that is not on an engine has work: its ring has commands then. */
static bool image_has_work(struct sim_guc *guc, const struct sim_guc_context *context)
{
	u32 head = sim_guc_memory_read(guc, image_of(context) + IMAGE_HEAD);
	u32 tail = sim_guc_memory_read(guc, image_of(context) + IMAGE_TAIL);

	return (head ^ tail) & RING_OFFSET;
}

/* ---- engines ------------------------------------------------------------------------------ */

static u32 ticks_now(struct sim_guc *guc)
{
	return guc->ops->ticks(guc) ?: 1;
}

static void submit(struct sim_guc *guc, unsigned int engine, struct sim_guc_context *context)
{
	struct sim_guc_engine *state = &guc->engines[engine];
	bool was_idle = !state->current;

	if (state->current != context) {
		state->since = guc->ops->now(guc);
		context->turn = ++guc->n_turns;
	}
	state->current = context;
	context->has_work = false;
	if (was_idle) {
		state->began = ticks_now(guc);
		sim_guc_write_activity(guc, engine);
	}
	guc->ops->submit(guc, engine,
			 context->descriptor | ((u64)context->id + 1) << DESCRIPTOR_ID_SHIFT);
}

static void mode_done(struct sim_guc *guc, u32 id, bool enabled)
{
	const u32 data[] = { id, enabled };

	sim_guc_event(guc, SIM_GUC_SCHED_CONTEXT_MODE_DONE, data, ARRAY_SIZE(data));
}

static bool any_disabling(struct sim_guc *guc, struct sim_guc_context *first)
{
	struct sim_guc_context *context;

	for_each_parallel(guc, first, context)
		if (context->disabling)
			return true;

	return false;
}

/* Handle the end of the current context of an engine: it has left the engine. */
static void left(struct sim_guc *guc, unsigned int engine)
{
	struct sim_guc_engine *state = &guc->engines[engine];
	struct sim_guc_context *context = state->current, *first;

	state->current = NULL;
	state->leaving = 0;
	state->failed = false;
	state->busy += ticks_now(guc) - state->began;
	state->began = 0;
	sim_guc_write_activity(guc, engine);
	context->has_work |= image_has_work(guc, context);
	if (!context->disabling)
		return;
	context->disabling = false;
	context->enabled = false;
	first = context_find(guc, context->first);
	if (first && !any_disabling(guc, first))
		mode_done(guc, first->id, false);
}

/*
 * Reset an engine. The driver expects the notification of the reset before that of the end of the
 * context.
 */
static void reset_engine(struct sim_guc *guc, unsigned int engine)
{
	struct sim_guc_context *context = guc->engines[engine].current;
	u32 first = context->first;

	guc->ops->log(guc, "resets the engine of context", context->id);
	guc->ops->reset(guc, engine);
	sim_guc_event(guc, SIM_GUC_CONTEXT_RESET_NOTIFICATION, &first, 1);
	left(guc, engine);
	context->has_work = false;
}

/*
 * Make the context of an engine leave it; reset the engine after the context's timeout. Return
 * false if the context is still there.
 */
static bool leave(struct sim_guc *guc, unsigned int engine)
{
	struct sim_guc_engine *state = &guc->engines[engine];
	const struct sim_guc_context *context = state->current;
	u64 now = guc->ops->now(guc);

	if (guc->ops->preempt(guc, engine)) {
		left(guc, engine);
		return true;
	}
	if (!state->leaving)
		state->leaving = now;
	if (!context->preemption_us || now - state->leaving <
	    max(context->preemption_us, MIN_PREEMPTION_US) * (u64)NSEC_PER_USEC)
		return false;
	reset_engine(guc, engine);

	return true;
}

/*
 * Choose the next context of an engine: the one with the highest priority, and among these the one
 * that has waited longest.
 */
static struct sim_guc_context *next_of(struct sim_guc *guc, unsigned int engine)
{
	struct sim_guc_context *context, *best = NULL;

	for (context = guc->contexts; context; context = context->next) {
		if (!context->enabled || !context->has_work || context->disabling ||
		    !fits(guc, context, engine))
			continue;
		if (!best || context->priority < best->priority ||
		    (context->priority == best->priority && context->turn < best->turn))
			best = context;
	}

	return best;
}

/* Check whether @next replaces the current context of an engine. */
static bool must_yield(struct sim_guc *guc, unsigned int engine,
		       const struct sim_guc_context *next)
{
	const struct sim_guc_engine *state = &guc->engines[engine];
	const struct sim_guc_context *current_context = state->current;

	if (next->priority != current_context->priority)
		return next->priority < current_context->priority;

	return current_context->quantum_us && guc->ops->now(guc) - state->since >
	       current_context->quantum_us * (u64)NSEC_PER_USEC;
}

static void fail(struct sim_guc *guc, unsigned int engine)
{
	const u32 first = guc->engines[engine].current->first;

	sim_guc_event(guc, SIM_GUC_NOTIFY_MEMORY_CAT_ERROR, &first, 1);
	reset_engine(guc, engine);
}

/* Schedule contexts on an engine. Return true if a context was submitted to it. */
static bool serve(struct sim_guc *guc, unsigned int engine)
{
	struct sim_guc_engine *state = &guc->engines[engine];
	struct sim_guc_context *next;

	if (state->current && guc->ops->is_idle(guc, engine))
		left(guc, engine);
	if (state->current && state->failed)
		fail(guc, engine);
	if (state->current && state->current->disabling && !leave(guc, engine))
		return false;
	next = next_of(guc, engine);
	if (!next)
		return false;
	if (state->current && state->current != next &&
	    (!must_yield(guc, engine, next) || !leave(guc, engine)))
		return false;
	submit(guc, engine, next);

	return true;
}

/**
 * sim_guc_run() - Schedule contexts on all engines.
 * @guc: the GuC
 *
 * Return: true if a context was submitted
 */
bool sim_guc_run(struct sim_guc *guc)
{
	bool submitted = false;
	unsigned int i;

	if (!sim_guc_schedules(guc))
		return false;
	for (i = 0; i < guc->config->n_engines; i++)
		submitted |= serve(guc, i);

	return submitted;
}

/**
 * sim_guc_is_busy() - Check whether the GuC waits for an engine, and must run soon.
 * @guc: the GuC
 *
 * Return: true if an engine has a context
 */
bool sim_guc_is_busy(const struct sim_guc *guc)
{
	unsigned int i;

	for (i = 0; i < guc->config->n_engines; i++)
		if (guc->engines[i].current)
			return true;

	return false;
}

/**
 * sim_guc_engine_failed() - Report that the context of an engine accessed unmapped memory.
 * @guc: the GuC
 * @engine: index of the engine; it is reset when the GuC runs
 */
void sim_guc_engine_failed(struct sim_guc *guc, unsigned int engine)
{
	guc->engines[engine].failed = true;
}

/**
 * sim_guc_releases() - Check whether the GuC ends a wait of an engine.
 * @guc: the GuC
 * @engine: index of the engine, which waits until memory is 0
 * @address: GGTT address of the memory
 *
 * Return: true if it does: the caller clears the memory
 */
bool sim_guc_releases(const struct sim_guc *guc, unsigned int engine, u64 address)
{
	const struct sim_guc_context *context = guc->engines[engine].current;

	return sim_guc_schedules(guc) && context &&
	       address == image_of(context) + IMAGE_HOLD_SWITCHOUT;
}

/* ---- registration ------------------------------------------------------------------------- */

static void forget(struct sim_guc *guc, u32 id)
{
	struct sim_guc_context **link = &guc->contexts, *context;
	int engine;

	while (*link && (*link)->id != id)
		link = &(*link)->next;
	context = *link;
	if (!context)
		return;
	engine = engine_of(guc, context);
	if (engine >= 0) {
		if (!guc->ops->preempt(guc, engine))
			guc->ops->reset(guc, engine);
		guc->engines[engine].current = NULL;
		guc->engines[engine].leaving = 0;
	}
	*link = context->next;
	kvfree(context);
}

/* Add a context, which replaces a registered one of the same number. */
static struct sim_guc_context *add(struct sim_guc *guc, u32 id)
{
	struct sim_guc_context *context = kvcalloc(1, sizeof(*context), GFP_KERNEL);

	forget(guc, id);
	if (!context)
		return NULL;
	context->id = id;
	context->priority = PRIORITY_NORMAL;
	context->turn = ++guc->n_turns;
	context->next = guc->contexts;
	guc->contexts = context;

	return context;
}

/**
 * sim_guc_forget_contexts() - Free all contexts, without any effect on engines.
 * @guc: the GuC
 */
void sim_guc_forget_contexts(struct sim_guc *guc)
{
	while (guc->contexts) {
		struct sim_guc_context *context = guc->contexts;

		guc->contexts = context->next;
		kvfree(context);
	}
}

/* Indices of dwords in the messages that register one context or parallel contexts */
#define REGISTER_ID 2
#define REGISTER_CLASS 3
#define REGISTER_MASK 4
#define REGISTER_DESCRIPTOR 10

enum sim_guc_error sim_guc_register(struct sim_guc *guc, const u32 *message, unsigned int n,
				    u32 *data)
{
	struct sim_guc_context *context = add(guc, message[REGISTER_ID]);

	if (!context)
		return SIM_GUC_ABORTED;
	context->class = message[REGISTER_CLASS];
	context->mask = message[REGISTER_MASK];
	context->descriptor = message[REGISTER_DESCRIPTOR] |
			      (u64)message[REGISTER_DESCRIPTOR + 1] << 32;
	context->first = context->id;
	context->width = 1;

	return SIM_GUC_OK;
}

/*
 * Indices of dwords in the message that registers parallel contexts; each descriptor has two dwords
 */
#define PARALLEL_QUEUE_DESCRIPTOR 5
#define PARALLEL_QUEUE 7
#define PARALLEL_QUEUE_SIZE 9
#define PARALLEL_WIDTH 10
#define PARALLEL_DESCRIPTORS 11

/*
 * Register contexts that run in parallel. The message has the mask of engines of the first context.
 * Context i runs on the engine i places after that of the first one.
 */
enum sim_guc_error sim_guc_register_parallel(struct sim_guc *guc, const u32 *message,
					     unsigned int n, u32 *data)
{
	u32 first = message[REGISTER_ID], mask = message[REGISTER_MASK];
	u32 width = message[PARALLEL_WIDTH], i;

	if (!width || width > (n - PARALLEL_DESCRIPTORS) / 2)
		return SIM_GUC_INVALID_SIZE;
	for (i = 0; i < width; i++) {
		const u32 *descriptor = message + PARALLEL_DESCRIPTORS + 2 * i;
		struct sim_guc_context *context = add(guc, first + i);

		if (!context)
			return SIM_GUC_ABORTED;
		context->class = message[REGISTER_CLASS];
		context->mask = (mask & -mask) << i;
		context->descriptor = descriptor[0] | (u64)descriptor[1] << 32;
		context->first = first;
		if (i)
			continue;
		context->width = width;
		context->queue_descriptor = message[PARALLEL_QUEUE_DESCRIPTOR];
		context->queue = message[PARALLEL_QUEUE];
		context->queue_size = message[PARALLEL_QUEUE_SIZE];
	}

	return SIM_GUC_OK;
}

enum sim_guc_error sim_guc_deregister(struct sim_guc *guc, const u32 *message, unsigned int n,
				      u32 *data)
{
	const struct sim_guc_context *context = context_find_first(guc, message[1]);
	u32 i, id = message[1], width;

	if (!context)
		return SIM_GUC_INVALID_PARAMS;
	width = context->width;
	for (i = 0; i < width; i++)
		forget(guc, id + i);
	sim_guc_event(guc, SIM_GUC_DEREGISTER_CONTEXT_DONE, &id, 1);

	return SIM_GUC_OK;
}

#define KLV_KEY GENMASK(31, 16)
#define KLV_DWORDS GENMASK(15, 0)
enum {
	POLICY_QUANTUM = 0x2001,
	POLICY_PREEMPTION_TIMEOUT = 0x2002,
	POLICY_PRIORITY = 0x2003,
};

static void set_policy(struct sim_guc_context *context, u32 key, u32 value)
{
	switch (key) {
	case POLICY_QUANTUM:
		context->quantum_us = value;
		break;
	case POLICY_PREEMPTION_TIMEOUT:
		context->preemption_us = value;
		break;
	case POLICY_PRIORITY:
		context->priority = value;
		break;
	}
}

/*
 * Set the policies of a context. Those not handled here, for example whether a preemption only
 * happens at a timeout, have no effect.
 */
enum sim_guc_error sim_guc_policies(struct sim_guc *guc, const u32 *message, unsigned int n,
				    u32 *data)
{
	struct sim_guc_context *first = context_find_first(guc, message[1]), *context;
	unsigned int i, dwords;

	if (!first)
		return SIM_GUC_INVALID_PARAMS;
	for (i = 2; i < n; i += 1 + dwords) {
		dwords = FIELD_GET(KLV_DWORDS, message[i]);
		if (!dwords || dwords >= n - i)
			return SIM_GUC_INVALID_KLV;
		for_each_parallel(guc, first, context)
			set_policy(context, FIELD_GET(KLV_KEY, message[i]), message[i + 1]);
	}

	return SIM_GUC_OK;
}

/* ---- work --------------------------------------------------------------------------------- */

/* Byte offsets in the descriptor of a work queue, and fields of an item in the queue */
#define QUEUE_HEAD 0
#define QUEUE_TAIL 4
#define ITEM_TYPE GENMASK(7, 0)
#define ITEM_MULTI_LRC 5
#define ITEM_DWORDS GENMASK(26, 16)
#define ITEM_TAIL GENMASK(28, 18)
#define ITEM_FIRST_TAIL 2
#define ITEM_OTHER_TAILS 4

static u32 queue_dword(struct sim_guc *guc, const struct sim_guc_context *first, u32 at)
{
	return sim_guc_memory_read(guc, first->queue + at % first->queue_size);
}

/* An item of the work queue has the tails of the rings, in qwords. */
static void take_item(struct sim_guc *guc, struct sim_guc_context *first, u32 at)
{
	struct sim_guc_context *context;
	u32 tail;

	for_each_parallel(guc, first, context) {
		u32 i = context->id - first->id;

		if (!i)
			tail = FIELD_GET(ITEM_TAIL, queue_dword(guc, first,
								at + ITEM_FIRST_TAIL * 4));
		else
			tail = queue_dword(guc, first, at + (ITEM_OTHER_TAILS + i - 1) * 4);
		sim_guc_memory_write(guc, image_of(context) + IMAGE_TAIL, tail * sizeof(u64));
	}
}

static void take_queue(struct sim_guc *guc, struct sim_guc_context *first)
{
	u32 head, tail, header, dwords;

	if (!first->queue_size)
		return;
	head = sim_guc_memory_read(guc, first->queue_descriptor + QUEUE_HEAD);
	tail = sim_guc_memory_read(guc, first->queue_descriptor + QUEUE_TAIL);
	if (head >= first->queue_size || tail >= first->queue_size || (head | tail) % 4) {
		guc->ops->log(guc, "invalid work queue of context", first->id);
		return;
	}
	while (head != tail) {
		header = queue_dword(guc, first, head);
		dwords = FIELD_GET(ITEM_DWORDS, header) + 1;
		if (dwords * 4 > (tail + first->queue_size - head) % first->queue_size) {
			guc->ops->log(guc, "invalid work of context", first->id);
			return;
		}
		if (FIELD_GET(ITEM_TYPE, header) == ITEM_MULTI_LRC)
			take_item(guc, first, head);
		head = (head + dwords * 4) % first->queue_size;
		sim_guc_memory_write(guc, first->queue_descriptor + QUEUE_HEAD, head);
	}
}

static void has_work(struct sim_guc *guc, struct sim_guc_context *context)
{
	int engine = engine_of(guc, context);

	if (!context->enabled || context->disabling)
		return;
	context->has_work = engine >= 0 || image_has_work(guc, context);
	if (engine >= 0 && !guc->ops->is_idle(guc, engine))
		submit(guc, engine, context);
}

static void all_have_work(struct sim_guc *guc, struct sim_guc_context *first)
{
	struct sim_guc_context *context;

	take_queue(guc, first);
	for_each_parallel(guc, first, context)
		has_work(guc, context);
}

enum sim_guc_error sim_guc_sched(struct sim_guc *guc, const u32 *message, unsigned int n,
				 u32 *data)
{
	struct sim_guc_context *first = context_find_first(guc, message[1]);

	if (!first)
		return SIM_GUC_INVALID_PARAMS;
	all_have_work(guc, first);

	return SIM_GUC_OK;
}

/* Disable contexts. The driver is notified when they have left their engines. */
static void disable(struct sim_guc *guc, struct sim_guc_context *first)
{
	struct sim_guc_context *context;

	for_each_parallel(guc, first, context) {
		context->disabling = engine_of(guc, context) >= 0;
		context->enabled = context->disabling;
	}
	if (!any_disabling(guc, first))
		mode_done(guc, first->id, false);
}

static void enable(struct sim_guc *guc, struct sim_guc_context *first)
{
	struct sim_guc_context *context;

	for_each_parallel(guc, first, context)
		context->enabled = true;
	mode_done(guc, first->id, true);
	all_have_work(guc, first);
}

enum sim_guc_error sim_guc_set_mode(struct sim_guc *guc, const u32 *message, unsigned int n,
				    u32 *data)
{
	struct sim_guc_context *first = context_find_first(guc, message[1]);

	if (!first)
		return SIM_GUC_INVALID_PARAMS;
	if (message[2])
		enable(guc, first);
	else
		disable(guc, first);

	return SIM_GUC_OK;
}
