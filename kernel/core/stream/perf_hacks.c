// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf_hacks.c - what we do with core's internals, for want of an interface.
 */
#include <linux/fs.h>
#include <linux/lockdep.h>
#include <linux/perf_event.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/wait.h>

#include <asm/irq_regs.h>

#include <gpuoa_compat.h>

#include "perf_hacks.h"
#include "uapi/gpuoa.h"

/**
 * DOC: Hacks
 *
 * Core's interface for PMU drivers is for those that are built in, and for hardware that
 * interrupts. What it lacks for a module that polls is made up for here, and nowhere else. Each
 * function says which of core's rules it relies on. Last checked against Linux 6.1.170, 6.12.117
 * and 7.3.4 (kernel/events/core.c and ring_buffer.c); the two that depend on the version are in
 * gpuoa_compat.h.
 *
 * - perf_event_overflow() is not exported to modules. perf_tp_event() is: it delivers a record to
 *   all events of a list, as tracepoints do, and the list may be our own. The price: the first 8
 *   bytes of the record are struct trace_entry, which core fills in; perf_overflow() clears it, so
 *   that the ABI does not depend on it.
 * - perf_tp_event() takes a record that stands in one place, though core's output copies one from
 *   several (gpuoa_perf_take_pieces()).
 * - A module cannot release a recursion context but by output (gpuoa_perf_can_output()).
 * - Core disables an AUX event that lost data (gpuoa_perf_keep_enabled()).
 * - Core drops samples of an event that has a frequency or a period
 *   (gpuoa_perf_take_all_samples()), and takes flexible events off to let in pinned ones
 *   (gpuoa_perf_pin()).
 * - put_event() is not exported (gpuoa_perf_event_put()), and before 6.15 no function takes events
 *   from a PMU that goes away (gpuoa_perf_event_hang_up()). In all versions, software events that
 *   were in a group with one of its events still refer to the PMU then (gpuoa_perf_pmu_in_use()).
 */

static_assert(sizeof(struct trace_entry) == sizeof_field(struct gpuoa_raw, reserved));
static_assert(__same_type(typeof_member(struct perf_event, hlist_entry), struct hlist_node));
static_assert(__same_type(typeof_member(struct perf_event, pending_disable), unsigned int));
static_assert(__same_type(typeof_member(struct perf_event, state), enum perf_event_state));
static_assert(__same_type(typeof_member(struct perf_event, refcount), atomic_long_t));
static_assert(__same_type(typeof_member(struct perf_event, waitq), wait_queue_head_t));
static_assert(__same_type(typeof_member(struct perf_event, fasync), struct fasync_struct *));
static_assert(__same_type(typeof_member(struct perf_event, overflow_handler),
			  perf_overflow_handler_t));
static_assert(__same_type(typeof_member(struct perf_raw_frag, copy), perf_copy_f));
static_assert(__same_type(typeof_member(struct hw_perf_event, config_base), unsigned long));
static_assert(PERF_EVENT_STATE_EXIT < PERF_EVENT_STATE_ERROR &&
	      PERF_EVENT_STATE_ERROR < PERF_EVENT_STATE_OFF);

/**
 * gpuoa_perf_can_output - would core take a sample now, on this CPU?
 *
 * Not while it takes one of a software event or of a tracepoint. To ask is to begin one; the only
 * way for a module to end that is to output something, here to nobody.
 *
 * Context: interrupts off
 * Return: true if it would
 */
bool gpuoa_perf_can_output(void)
{
	struct pt_regs regs = {};
	struct trace_entry entry;
	HLIST_HEAD(nobody);
	int rctx;

	rctx = perf_swevent_get_recursion_context();
	if (rctx < 0)
		return false;
	perf_tp_event(0, 1, &entry, sizeof(entry), &regs, &nobody, rctx, NULL);

	return true;
}

/**
 * gpuoa_perf_output - output a sample to events
 * @events: the events, linked by perf_event.hlist_entry, which take pieces; their ->pmu takes no
 *	periods
 * @sample: PERF_SAMPLE_RAW's data
 * @reports: number of reports in it: core counts samples, an event's count is that of reports
 *
 * Context: interrupts off
 * Return: false if core takes none, as below a sample of a software event
 */
bool gpuoa_perf_output(struct hlist_head *events, struct gpuoa_sample *sample, u32 reports)
{
	struct pt_regs caller_regs = {}, *regs = get_irq_regs();
	struct perf_event *event;
	int rctx;

	if (!regs) {
		regs = &caller_regs;
		perf_fetch_caller_regs(regs);
	}

	rctx = perf_swevent_get_recursion_context();
	if (rctx < 0)
		return false;
	hlist_for_each_entry_rcu(event, events, hlist_entry)
		if (!(event->hw.state & PERF_HES_STOPPED))
			local64_add((s64)reports - 1, &event->count);
	perf_tp_event(0, 1, sample->room, sample->pieces.size, regs, events, rctx, NULL);

	return true;
}

/* The sample that perf_tp_event() was given, by its record */
static const struct gpuoa_sample *perf_sample(const void *record)
{
	return record - offsetof(struct gpuoa_sample, room);
}

/**
 * gpuoa_perf_pieces - what does a sample consist of?
 * @data: what an event's overflow_handler was given
 *
 * Return: the pieces, of which the first begins with struct gpuoa_raw
 */
const struct gpuoa_pieces *gpuoa_perf_pieces(const struct perf_sample_data *data)
{
	return &perf_sample(data->raw->frag.data)->pieces;
}

/* &perf_raw_frag.copy: returns how many bytes it has not copied. */
static unsigned long perf_copy_pieces(void *to, const void *record, unsigned long offset,
				      unsigned long size)
{
	gpuoa_pieces_copy(&perf_sample(record)->pieces, to, offset, size);

	return 0;
}

/* &perf_event.overflow_handler, on the way from perf_tp_event() to core's own one */
static void perf_overflow(struct perf_event *event, struct perf_sample_data *data,
			  struct pt_regs *regs)
{
	perf_overflow_handler_t output = (perf_overflow_handler_t)event->hw.config_base;

	if (event->attr.sample_type & PERF_SAMPLE_RAW) {
		/* Core has described the task that was interrupted here. */
		memset(data->raw->frag.data, 0, sizeof_field(struct gpuoa_raw, reserved));
		data->raw->frag.copy = perf_copy_pieces;
	}
	output(event, data, regs);
}

/**
 * gpuoa_perf_take_pieces - have core copy samples of gpuoa_perf_output() from where they stand
 * @event: the event, in event_init()
 *
 * perf_tp_event() makes a record of one fragment, and has each event's overflow_handler output it.
 * Core's output asks a fragment's copy() for its bytes, if it has one. Ours says so, and goes on to
 * the one that core had chosen, which &hw_perf_event.config_base keeps: it is the PMU's own.
 */
void gpuoa_perf_take_pieces(struct perf_event *event)
{
	event->hw.config_base = (unsigned long)event->overflow_handler;
	event->overflow_handler = perf_overflow;
}

/**
 * gpuoa_perf_pending_disable - is core about to disable an event?
 * @event: an event of this CPU
 *
 * Context: interrupts off
 * Return: for gpuoa_perf_keep_enabled()
 */
unsigned int gpuoa_perf_pending_disable(const struct perf_event *event)
{
	lockdep_assert_irqs_disabled();

	return event->pending_disable;
}

/**
 * gpuoa_perf_keep_enabled - undo core's request to disable an event
 * @event: an event of this CPU
 * @pending: what gpuoa_perf_pending_disable() said before the request
 *
 * perf_aux_output_begin() and _end() disable an event whose area is full or TRUNCATED, for most
 * hardware needs the reader to set it going again. Ours does not. The irq_work that acts upon the
 * request runs on this CPU, so it has not seen it yet. A request that was there before stays.
 *
 * Context: interrupts off since gpuoa_perf_pending_disable()
 */
void gpuoa_perf_keep_enabled(struct perf_event *event, unsigned int pending)
{
	lockdep_assert_irqs_disabled();

	event->pending_disable = pending;
}

/**
 * gpuoa_perf_take_all_samples - have each sample reach an event
 * @event: the event, in event_init()
 *
 * perf_swevent_event() outputs each sample if the period is 1 and there is no frequency; with
 * anything else core would drop most of them.
 */
void gpuoa_perf_take_all_samples(struct perf_event *event)
{
	event->attr.freq = 0;
	event->attr.sample_period = 1;
	event->hw.sample_period = 1;
	event->hw.last_period = 1;
	local64_set(&event->hw.period_left, 1);
}

/**
 * gpuoa_perf_pin - have core leave an event on the PMU
 * @event: the event, in event_init()
 *
 * Core reschedules all flexible events of a context whenever a pinned one is added or (for tasks)
 * at each switch, and that would stop the unit. Core schedules a group by its leader's attributes,
 * and by those of each member once the leader is closed. It refuses pinned members, but checks that
 * in its own copy of the attributes.
 */
void gpuoa_perf_pin(struct perf_event *event)
{
	event->attr.pinned = 1;
}

/**
 * gpuoa_perf_event_get - keep an event
 * @event: the event, which is not freed yet
 *
 * Return: false if its last reference is gone
 */
bool gpuoa_perf_event_get(struct perf_event *event)
{
	return atomic_long_inc_not_zero(&event->refcount);
}

/**
 * gpuoa_perf_event_put - undo gpuoa_perf_event_get()
 * @event: the event
 *
 * The last reference frees the event. It was closed then: perf_event_release_kernel() can do that
 * once more, and drops the reference as put_event() would.
 *
 * Context: may sleep
 */
void gpuoa_perf_event_put(struct perf_event *event)
{
	if (!atomic_long_add_unless(&event->refcount, -1, 1))
		perf_event_release_kernel(event);
}

/**
 * gpuoa_perf_event_hang_up - have poll() on an event say POLLHUP from now on
 * @event: the event, with a reference and a context
 *
 * That is what core says of an event in PERF_EVENT_STATE_EXIT, whose task is no more. Core has no
 * function that brings another event there, so we do it in two steps: perf_event_disable() takes
 * the event off its CPU in core's own order, and from the resulting PERF_EVENT_STATE_OFF it is a
 * matter of writing the state under perf_event_context.lock, as core itself does with events that
 * are off. The event stays in its context, which skips those in such a state, until it is closed.
 *
 * Context: may sleep
 * Return: false if somebody enabled the event at the same moment: it is not off, though it cannot
 * run on a unit that is gone
 */
bool gpuoa_perf_event_hang_up(struct perf_event *event)
{
	struct perf_event_context *ctx = event->ctx;
	bool off;

	perf_event_disable(event);
	raw_spin_lock_irq(&ctx->lock);
	off = event->state <= PERF_EVENT_STATE_OFF;
	if (off && event->state > PERF_EVENT_STATE_EXIT)
		WRITE_ONCE(event->state, PERF_EVENT_STATE_EXIT);
	raw_spin_unlock_irq(&ctx->lock);
	if (!off)
		return false;

	wake_up_all(&event->waitq);
	kill_fasync(&event->fasync, SIGIO, POLL_HUP);

	return true;
}

/**
 * gpuoa_perf_del_device - take a PMU out of sysfs while core still needs it
 * @pmu: the PMU
 *
 * perf_pmu_unregister() skips a device that is NULL from 6.12 on; before, the device stays.
 */
void gpuoa_perf_del_device(struct pmu *pmu)
{
	gpuoa_compat_pmu_del_device(pmu);
}

/**
 * gpuoa_perf_pmu_in_use - are there events in contexts that go with a PMU?
 * @pmu: the PMU, all of whose own events were destroyed
 *
 * Not only its own: software events that are, or were, in a group with one of them.
 *
 * Return: true if there are, so that perf_pmu_unregister() must not be called
 */
bool gpuoa_perf_pmu_in_use(const struct pmu *pmu)
{
	return gpuoa_compat_pmu_in_use(pmu);
}
