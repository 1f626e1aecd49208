// SPDX-License-Identifier: GPL-2.0-only
/* gpuoa_perf_hacks.c - workarounds that depend on internals of the perf core. */
#include <asm/irq_regs.h>
#include <linux/fs.h>
#include <linux/lockdep.h>
#include <linux/perf_event.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/wait.h>

#include <gpuoa_compat.h>

#include "gpuoa_perf_hacks.h"
#include "uapi/gpuoa.h"

/**
 * DOC: Workarounds
 *
 * perf's interface for PMU drivers is designed for built-in drivers and for hardware with
 * interrupts. All workarounds for a module that polls are in this file. Each function documents the
 * internals that it relies on (kernel/events/core.c and ring_buffer.c).
 * Documentation/dev/kernels.rst lists a selftest for each of them, and the kernels on which all
 * passed. The two workarounds that depend on the kernel are in gpuoa_compat.h.
 *
 * - perf_event_overflow() is not exported to modules. perf_tp_event() is: it writes a record to all
 *   events of a list, as for tracepoints, and the list may be private. However, perf writes struct
 *   trace_entry to the first 8 bytes of the record; perf_overflow() clears them, so that the ABI
 *   does not depend on it.
 * - perf_tp_event() accepts only contiguous records, although perf's output can copy from several
 *   places (gpuoa_perf_accept_iovec()).
 * - A module can release a recursion context only by writing a record (gpuoa_perf_can_output()).
 * - perf disables an AUX event that lost data (gpuoa_perf_keep_enabled()).
 * - perf drops samples of an event with a frequency or period (gpuoa_perf_take_all_samples()), and
 *   removes flexible events to schedule pinned ones (gpuoa_perf_pin()).
 * - put_event() is not exported (gpuoa_perf_event_put()), and before 6.15 no function detaches
 *   events from a PMU that is unregistered (gpuoa_perf_event_hang_up()). In all versions, software
 *   events that were in a group with one of its events still refer to the PMU then
 *   (gpuoa_perf_pmu_in_use()).
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
 * gpuoa_perf_can_output() - Check whether perf accepts a sample on this CPU.
 *
 * It does not during a sample of a software event or tracepoint. The check acquires a recursion
 * context, which a module can release only by writing a record, here to an empty list.
 *
 * Context: interrupts disabled
 * Return: true if perf accepts a sample
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
 * gpuoa_perf_output() - Write a sample to events.
 * @events: events linked by perf_event.hlist_entry, set up by gpuoa_perf_accept_iovec() and
 *	gpuoa_perf_take_all_samples()
 * @sample: data of PERF_SAMPLE_RAW
 * @reports: number of reports in @sample; events count reports instead of samples
 *
 * Context: interrupts disabled
 * Return: false if perf accepts no sample, as during a sample of a software event
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
	perf_tp_event(0, 1, sample->room, sample->iovec.size, regs, events, rctx, NULL);

	return true;
}

/* Get the sample from the record passed to perf_tp_event(). */
static const struct gpuoa_sample *perf_sample(const void *record)
{
	return record - offsetof(struct gpuoa_sample, room);
}

/**
 * gpuoa_perf_iovec() - Get the iovec of a sample.
 * @data: argument of an event's overflow_handler
 *
 * Return: the iovec; its first entry starts with struct gpuoa_raw
 */
const struct gpuoa_iovec *gpuoa_perf_iovec(const struct perf_sample_data *data)
{
	return &perf_sample(data->raw->frag.data)->iovec;
}

/* Implement &perf_raw_frag.copy. Returns the number of bytes that were not copied. */
static unsigned long perf_copy_iovec(void *to, const void *record, unsigned long offset,
				     unsigned long size)
{
	gpuoa_iovec_copy(&perf_sample(record)->iovec, to, offset, size);

	return 0;
}

/* Implement &perf_event.overflow_handler, which perf_tp_event() calls. Calls perf's own handler. */
static void perf_overflow(struct perf_event *event, struct perf_sample_data *data,
			  struct pt_regs *regs)
{
	perf_overflow_handler_t output = (perf_overflow_handler_t)event->hw.config_base;

	if (event->attr.sample_type & PERF_SAMPLE_RAW) {
		/* Clear perf's description of the interrupted task. */
		memset(data->raw->frag.data, 0, sizeof_field(struct gpuoa_raw, reserved));
		data->raw->frag.copy = perf_copy_iovec;
	}
	output(event, data, regs);
}

/**
 * gpuoa_perf_accept_iovec() - Make perf copy samples of gpuoa_perf_output() from their iovec.
 * @event: event, in event_init()
 *
 * perf_tp_event() creates a record with one fragment and calls each event's overflow_handler to
 * write it. The write uses the fragment's copy() callback, if set. This function installs a handler
 * that sets the callback and then calls the original handler. &hw_perf_event.config_base is private
 * to the PMU and stores the original handler.
 */
void gpuoa_perf_accept_iovec(struct perf_event *event)
{
	event->hw.config_base = (unsigned long)event->overflow_handler;
	event->overflow_handler = perf_overflow;
}

/**
 * gpuoa_perf_pending_disable() - Get perf's pending request to disable an event.
 * @event: event of this CPU
 *
 * Context: interrupts disabled
 * Return: state for gpuoa_perf_keep_enabled()
 */
unsigned int gpuoa_perf_pending_disable(const struct perf_event *event)
{
	lockdep_assert_irqs_disabled();

	return event->pending_disable;
}

/**
 * gpuoa_perf_keep_enabled() - Undo perf's request to disable an event.
 * @event: event of this CPU
 * @pending: result of gpuoa_perf_pending_disable() before the request
 *
 * perf_aux_output_begin() and _end() disable an event if its area is full or TRUNCATED, because
 * most hardware must then be restarted by the reader. gpuoa restarts the unit itself. The irq_work
 * that handles the request runs on this CPU, so it has not run yet. An earlier request is
 * preserved.
 *
 * Context: interrupts disabled since gpuoa_perf_pending_disable()
 */
void gpuoa_perf_keep_enabled(struct perf_event *event, unsigned int pending)
{
	lockdep_assert_irqs_disabled();

	event->pending_disable = pending;
}

/**
 * gpuoa_perf_take_all_samples() - Make perf deliver every sample to an event.
 * @event: event, in event_init()
 *
 * perf_swevent_event() delivers every sample if the period is 1 and no frequency is set. Otherwise,
 * perf would drop most samples.
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
 * gpuoa_perf_pin() - Make perf leave an event on the PMU.
 * @event: event, in event_init()
 *
 * perf reschedules all flexible events of a context when a pinned event is added and, for tasks, at
 * each switch, which would stop the unit. It schedules a group by the leader's attributes, and by
 * those of each member after the leader is closed. It rejects pinned group members, but checks that
 * in its own copy of the attributes.
 */
void gpuoa_perf_pin(struct perf_event *event)
{
	event->attr.pinned = 1;
}

/**
 * gpuoa_perf_event_get() - Take a reference to an event.
 * @event: event, not freed yet
 *
 * Return: false if the reference count is already 0
 */
bool gpuoa_perf_event_get(struct perf_event *event)
{
	return atomic_long_inc_not_zero(&event->refcount);
}

/**
 * gpuoa_perf_event_put() - Undo gpuoa_perf_event_get().
 * @event: event
 *
 * The last reference frees the event. The event is already closed then, but
 * perf_event_release_kernel() may be called again and drops the reference as put_event() would.
 *
 * Context: may sleep
 */
void gpuoa_perf_event_put(struct perf_event *event)
{
	if (!atomic_long_add_unless(&event->refcount, -1, 1))
		perf_event_release_kernel(event);
}

/**
 * gpuoa_perf_event_hang_up() - Make poll() on an event return POLLHUP.
 * @event: event, with a reference and a context
 *
 * perf reports POLLHUP for an event of an exited task (PERF_EVENT_STATE_EXIT). perf has no function
 * that puts other events into this state, so it is done in two steps. perf_event_disable() removes
 * the event from its CPU with perf's own ordering. The resulting PERF_EVENT_STATE_OFF is then
 * changed under perf_event_context.lock, as perf does for inactive events. The event stays in its
 * context, which skips events in this state, until it is closed.
 *
 * Context: may sleep
 * Return: false if the event was enabled concurrently: it is then not off, but cannot run on a
 * removed unit
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
 * gpuoa_perf_del_device() - Remove a PMU from sysfs while perf still needs it.
 * @pmu: PMU
 *
 * From 6.12 on, perf_pmu_unregister() skips a NULL device. On older kernels, the device stays.
 */
void gpuoa_perf_del_device(struct pmu *pmu)
{
	gpuoa_compat_pmu_del_device(pmu);
}

/**
 * gpuoa_perf_pmu_in_use() - Check for events in contexts of a PMU.
 * @pmu: PMU, with all its own events destroyed
 *
 * Such events are software events that are, or were, in a group with an event of the PMU.
 *
 * Return: true if there are any; perf_pmu_unregister() must not be called then
 */
bool gpuoa_perf_pmu_in_use(const struct pmu *pmu)
{
	return gpuoa_compat_pmu_in_use(pmu);
}
