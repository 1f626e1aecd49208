// SPDX-License-Identifier: GPL-2.0-only
/*
 * life.c - perf events of a unit that are open, and what becomes of them when it goes away.
 */
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/wait.h>

#include "unit/unit.h"

/**
 * DOC: A unit goes away
 *
 * A host may call gpuoa_unit_unregister() at any time. What is open stays open, and whoever holds
 * it is told:
 *
 * - the stream hands on what was reported until then, and GPUOA_RECORD_GONE; then it is stopped and
 *   all that it has of the host is given back (gpuoa_stream_unplug());
 * - events are hung up: poll() says POLLHUP, SIGIO comes with POLL_HUP, read() still gives the
 *   count, the ring buffer can still be read, and nothing enables the event again;
 * - ioctls of /dev/gpuoa<N> and new events get -ENODEV; the class device and the PMU leave sysfs.
 *
 * perf learned only in 6.15 to take events from a PMU that is unregistered. Before, its
 * perf_pmu_unregister() frees contexts that open events still refer to, and the next close() writes
 * to them. i915 and others count on nobody unbinding them while perf runs; we do not. perf keeps
 * the PMU, and we keep its memory, until the last event is destroyed (&gpuoa_unit.pmu_ref), and the
 * last software event that was in a group with one of them. Until then the number N is taken.
 *
 * POLLHUP is what perf says of an event in PERF_EVENT_STATE_EXIT, whose task is no more. perf has
 * no call that brings another event there, so we do it, in two steps: perf_event_disable() takes
 * the event off its CPU in perf's own order, and from the resulting PERF_EVENT_STATE_OFF it is a
 * matter of writing the state under perf_event_context.lock, as perf itself does with events that
 * are off. The event stays in its context, which skips those in such a state, until it is closed.
 *
 * perf_event_disable() takes perf_event_context.mutex, below which perf accesses user memory, while
 * event->destroy() may be called from munmap(): so the two must not wait for each other, and a
 * reference is what keeps an event while it is hung up. put_event() is not exported: event_put().
 */

/**
 * struct unit_event - an open event
 * @link: in &gpuoa_unit.events
 * @event: the event
 * @tried: an attempt to hang it up was made, in this pass
 * @hung_up: it succeeded
 */
struct unit_event {
	struct list_head link;
	struct perf_event *event;
	bool tried;
	bool hung_up;
};

/**
 * gpuoa_events_init - begin without events
 * @unit: the unit
 */
void gpuoa_events_init(struct gpuoa_unit *unit)
{
	spin_lock_init(&unit->events_lock);
	INIT_LIST_HEAD(&unit->events);
}

/**
 * gpuoa_events_add - an event is opened
 * @unit: the unit
 * @event: the event
 *
 * It keeps the PMU and the host's module.
 *
 * Return: 0, -ENODEV if the unit is no more, or -ENOMEM
 */
int gpuoa_events_add(struct gpuoa_unit *unit, struct perf_event *event)
{
	struct unit_event *entry = kzalloc(sizeof(*entry), GFP_KERNEL);
	bool added;

	if (!entry)
		return -ENOMEM;
	entry->event = event;

	spin_lock(&unit->events_lock);
	added = !unit->gone && try_module_get(unit->owner);
	if (added) {
		kref_get(&unit->pmu_ref);
		list_add_tail(&entry->link, &unit->events);
	}
	spin_unlock(&unit->events_lock);
	if (added)
		return 0;
	kfree(entry);

	return -ENODEV;
}

static struct unit_event *events_find(struct gpuoa_unit *unit, const struct perf_event *event)
{
	struct unit_event *entry;

	lockdep_assert_held(&unit->events_lock);
	list_for_each_entry(entry, &unit->events, link)
		if (entry->event == event)
			return entry;

	return NULL;
}

/**
 * gpuoa_events_any - is any event open?
 * @unit: the unit, which is gone: none is opened any more
 *
 * Return: whether one is
 */
bool gpuoa_events_any(struct gpuoa_unit *unit)
{
	bool any;

	spin_lock(&unit->events_lock);
	any = !list_empty(&unit->events);
	spin_unlock(&unit->events_lock);

	return any;
}

/**
 * gpuoa_events_remove - undo gpuoa_events_add()
 * @unit: the unit; it may be gone with this, as far as the caller is concerned
 * @event: the event
 */
void gpuoa_events_remove(struct gpuoa_unit *unit, struct perf_event *event)
{
	struct module *owner = unit->owner;
	struct unit_event *entry;

	spin_lock(&unit->events_lock);
	entry = events_find(unit, event);
	list_del(&entry->link);
	spin_unlock(&unit->events_lock);

	kfree(entry);
	gpuoa_pmu_put(unit);
	module_put(owner);
}

/* The next event of this pass, with a reference. One that perf is still opening has no context. */
static struct perf_event *events_next(struct gpuoa_unit *unit)
{
	struct perf_event *event = NULL;
	struct unit_event *entry;

	spin_lock(&unit->events_lock);
	list_for_each_entry(entry, &unit->events, link) {
		if (entry->tried || !READ_ONCE(entry->event->ctx))
			continue;
		entry->tried = true;
		if (atomic_long_inc_not_zero(&entry->event->refcount)) {
			event = entry->event;
			break;
		}
	}
	spin_unlock(&unit->events_lock);

	return event;
}

/* The last reference frees the event. It was closed then, and that can be done once more. */
static void event_put(struct perf_event *event)
{
	if (!atomic_long_add_unless(&event->refcount, -1, 1))
		perf_event_release_kernel(event);
}

/* False if somebody enabled it at the same moment; it can't run, but it is not off. */
static bool event_hang_up(struct perf_event *event)
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

/* How a pass ends: the next one tries what this one did not achieve. */
static bool events_finish_pass(struct gpuoa_unit *unit)
{
	struct unit_event *entry;
	bool all = true;

	spin_lock(&unit->events_lock);
	list_for_each_entry(entry, &unit->events, link) {
		entry->tried = entry->hung_up;
		all = all && entry->hung_up;
	}
	spin_unlock(&unit->events_lock);

	return all;
}

/**
 * gpuoa_events_hang_up - tell all who have events open that the unit is no more
 * @unit: the unit, which is gone
 *
 * Return: true if all have been told, false if it has to be tried once more
 */
bool gpuoa_events_hang_up(struct gpuoa_unit *unit)
{
	struct perf_event *event;
	bool done;

	while ((event = events_next(unit))) {
		done = event_hang_up(event);
		spin_lock(&unit->events_lock);
		events_find(unit, event)->hung_up = done;
		spin_unlock(&unit->events_lock);
		event_put(event);
	}

	return events_finish_pass(unit);
}
