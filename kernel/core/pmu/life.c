// SPDX-License-Identifier: GPL-2.0-only
/*
 * life.c - how long core needs a PMU: its open events, and what becomes of them without the unit.
 */
#include <linux/device.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "life.h"
#include "names.h"
#include "pmu.h"
#include "stream/perf_hacks.h"
#include "unit/unit.h"

/**
 * DOC: A unit goes away
 *
 * A host may call gpuoa_unit_unregister() at any time. What is open stays open, and its holders are
 * told:
 *
 * - the stream publishes what was reported until then, and GPUOA_RECORD_GONE; then it is stopped
 *   and all that it has of the host is given back (gpuoa_stream_take_away());
 * - events are hung up: poll() says POLLHUP, SIGIO comes with POLL_HUP, read() still gives the
 *   count, the ring buffer can still be read, and nothing enables the event again;
 * - ioctls of /dev/gpuoa<N> and new events get -ENODEV; the class device and the PMU leave sysfs.
 *
 * Before 6.15, perf_pmu_unregister() frees contexts that open events still refer to, and the next
 * close() writes to them. Since 6.15 it takes the PMU's own events off, but a software event that
 * was in a group with one of them still refers to the PMU, and core calls that when the software
 * event is disabled. i915 and others rely on not being unbound while perf runs; gpuoa does not. The
 * PMU stays registered, and its memory allocated, until the last event is destroyed
 * (&gpuoa_life.ref), and the last software event that was in a group with one of them. Until then
 * the number N is in use.
 *
 * To hang an event up (gpuoa_perf_event_hang_up()) takes perf_event_context.mutex, below which core
 * accesses user memory, while event->destroy() may be called from munmap(): so the two must not
 * wait for each other, and a reference is what keeps an event while it is hung up.
 */

/* What cannot be done yet when a unit goes away is tried again so often. */
#define LIFE_RETRY_MS 10

static struct workqueue_struct *life_wq;

/**
 * struct life_event - an open event
 * @link: in &gpuoa_life.events
 * @event: the event
 * @tried: this pass has dealt with it
 * @hung_up: it was hung up
 * @off: it was disabled when its CPU went offline
 */
struct life_event {
	struct list_head link;
	struct perf_event *event;
	bool tried;
	bool hung_up;
	bool off;
};

/*
 * Core lets go of the PMU. event->destroy() is not the last that core does with an event: its
 * context, which goes with the PMU, and pmu->module come after. From there to the end core does not
 * sleep, so it is through when each task has slept once.
 */
static void life_retire(struct work_struct *work)
{
	struct gpuoa_pmu *pmu = container_of(work, struct gpuoa_pmu, life.retire.work);

	if (gpuoa_perf_pmu_in_use(&pmu->pmu)) {
		queue_delayed_work(life_wq, &pmu->life.retire, msecs_to_jiffies(LIFE_RETRY_MS));
		return;
	}
	synchronize_rcu_tasks();
	perf_pmu_unregister(&pmu->pmu);
	gpuoa_sink_raw_fini(&pmu->raw);
	gpuoa_names_free(pmu->names);
	/* The unit's release frees @pmu. */
	put_device(&pmu->unit->dev);
	/* gpuoa_life_exit() waits for the rest of this. */
	module_put(THIS_MODULE);
}

static void life_release(struct kref *ref)
{
	struct gpuoa_life *life = container_of(ref, struct gpuoa_life, ref);

	queue_delayed_work(life_wq, &life->retire, 0);
}

/**
 * gpuoa_life_get - keep a PMU
 * @pmu: the PMU
 */
void gpuoa_life_get(struct gpuoa_pmu *pmu)
{
	kref_get(&pmu->life.ref);
}

/**
 * gpuoa_life_put - let go of a PMU
 * @pmu: the PMU
 *
 * Context: any
 */
void gpuoa_life_put(struct gpuoa_pmu *pmu)
{
	kref_put(&pmu->life.ref, life_release);
}

/**
 * gpuoa_life_add - an event is opened: it keeps the PMU and the host's module
 * @pmu: the PMU
 * @event: the event
 *
 * Return: 0, -ENODEV if the unit is no more, or -ENOMEM
 */
int gpuoa_life_add(struct gpuoa_pmu *pmu, struct perf_event *event)
{
	struct life_event *entry = kzalloc(sizeof(*entry), GFP_KERNEL);
	struct gpuoa_life *life = &pmu->life;
	bool added;

	if (!entry)
		return -ENOMEM;
	entry->event = event;

	spin_lock(&life->lock);
	added = !gpuoa_unit_is_gone(pmu->unit) && try_module_get(pmu->unit->owner);
	if (added) {
		gpuoa_life_get(pmu);
		list_add_tail(&entry->link, &life->events);
	}
	spin_unlock(&life->lock);
	if (added)
		return 0;
	kfree(entry);

	return -ENODEV;
}

static struct life_event *life_find(struct gpuoa_life *life, const struct perf_event *event)
{
	struct life_event *entry;

	lockdep_assert_held(&life->lock);

	list_for_each_entry(entry, &life->events, link)
		if (entry->event == event)
			return entry;

	return NULL;
}

/**
 * gpuoa_life_remove - undo gpuoa_life_add()
 * @pmu: the PMU; it may be gone with this, as far as the caller is concerned
 * @event: the event
 */
void gpuoa_life_remove(struct gpuoa_pmu *pmu, struct perf_event *event)
{
	struct module *owner = pmu->unit->owner;
	struct gpuoa_life *life = &pmu->life;
	struct life_event *entry;

	spin_lock(&life->lock);
	entry = life_find(life, event);
	list_del(&entry->link);
	spin_unlock(&life->lock);

	kfree(entry);
	gpuoa_life_put(pmu);
	module_put(owner);
}

/* The next event of this pass, with a reference. An event that is being opened has no context. */
static struct perf_event *life_next(struct gpuoa_life *life)
{
	struct perf_event *event = NULL;
	struct life_event *entry;

	spin_lock(&life->lock);
	list_for_each_entry(entry, &life->events, link) {
		if (entry->tried || !READ_ONCE(entry->event->ctx))
			continue;
		entry->tried = true;
		if (gpuoa_perf_event_get(entry->event)) {
			event = entry->event;
			break;
		}
	}
	spin_unlock(&life->lock);

	return event;
}

static bool life_is_off(const struct perf_event *event)
{
	return READ_ONCE(event->state) == PERF_EVENT_STATE_OFF;
}

/**
 * gpuoa_life_before_migration - note which events are disabled
 * @pmu: the PMU, whose events are about to be moved to another CPU
 *
 * perf_pmu_migrate_context() enables all events that it moves, also those that are disabled.
 *
 * Context: CPU hotplug
 */
void gpuoa_life_before_migration(struct gpuoa_pmu *pmu)
{
	struct gpuoa_life *life = &pmu->life;
	struct life_event *entry;
	struct perf_event *event;

	spin_lock(&life->lock);
	list_for_each_entry(entry, &life->events, link) {
		event = entry->event;
		if (!READ_ONCE(event->ctx))
			continue;
		entry->off = life_is_off(event);
		WRITE_ONCE(to_gpuoa_event(event)->held,
			   entry->off || life_is_off(event->group_leader));
	}
	spin_unlock(&life->lock);
}

/* The next event that the migration left in a wrong state, with a reference */
static struct perf_event *life_next_migrated(struct gpuoa_life *life, bool *off)
{
	struct perf_event *event = NULL;
	struct life_event *entry;

	spin_lock(&life->lock);
	list_for_each_entry(entry, &life->events, link) {
		if (entry->tried || !READ_ONCE(entry->event->ctx))
			continue;
		entry->tried = true;
		*off = entry->off;
		if ((*off || READ_ONCE(to_gpuoa_event(entry->event)->refused)) &&
		    gpuoa_perf_event_get(entry->event)) {
			event = entry->event;
			break;
		}
	}
	spin_unlock(&life->lock);

	return event;
}

static void life_forget_migration(struct gpuoa_life *life)
{
	struct life_event *entry;

	spin_lock(&life->lock);
	list_for_each_entry(entry, &life->events, link) {
		entry->tried = false;
		entry->off = false;
		if (READ_ONCE(entry->event->ctx))
			WRITE_ONCE(to_gpuoa_event(entry->event)->held, false);
	}
	spin_unlock(&life->lock);
}

/**
 * gpuoa_life_after_migration - put right what perf_pmu_migrate_context() did to events
 * @pmu: the PMU, whose events are on another CPU now
 *
 * Those that were disabled are disabled again; they have not run meanwhile. An event that was
 * opened or enabled on the new CPU while others still ran on the old one could not be added, and
 * core has put it into error state: it is enabled once more.
 *
 * Context: CPU hotplug, may sleep
 */
void gpuoa_life_after_migration(struct gpuoa_pmu *pmu)
{
	struct perf_event *event;
	bool off;

	while ((event = life_next_migrated(&pmu->life, &off))) {
		WRITE_ONCE(to_gpuoa_event(event)->refused, false);
		if (off)
			perf_event_disable(event);
		else
			perf_event_enable(event);
		gpuoa_perf_event_put(event);
	}
	life_forget_migration(&pmu->life);
}

/* How a pass ends: the next one tries what this one did not achieve. */
static bool life_finish_pass(struct gpuoa_life *life)
{
	struct life_event *entry;
	bool all = true;

	spin_lock(&life->lock);
	list_for_each_entry(entry, &life->events, link) {
		entry->tried = entry->hung_up;
		all = all && entry->hung_up;
	}
	spin_unlock(&life->lock);

	return all;
}

/* Returns true if all events were hung up, false if it has to be tried once more. */
static bool life_hang_up_all(struct gpuoa_life *life)
{
	struct perf_event *event;
	bool done;

	while ((event = life_next(life))) {
		done = gpuoa_perf_event_hang_up(event);
		spin_lock(&life->lock);
		life_find(life, event)->hung_up = done;
		spin_unlock(&life->lock);
		gpuoa_perf_event_put(event);
	}

	return life_finish_pass(life);
}

/* An event that is just being opened cannot be hung up yet: that is done a little later. */
static void life_hang_up(struct work_struct *work)
{
	struct gpuoa_life *life = container_of(work, struct gpuoa_life, hang_up.work);

	if (life_hang_up_all(life))
		kref_put(&life->ref, life_release);
	else
		queue_delayed_work(life_wq, &life->hang_up, msecs_to_jiffies(LIFE_RETRY_MS));
}

static bool life_any(struct gpuoa_life *life)
{
	bool any;

	spin_lock(&life->lock);
	any = !list_empty(&life->events);
	spin_unlock(&life->lock);

	return any;
}

/**
 * gpuoa_life_init - begin without events
 * @life: out; the caller has the first reference
 */
void gpuoa_life_init(struct gpuoa_life *life)
{
	kref_init(&life->ref);
	INIT_DELAYED_WORK(&life->retire, life_retire);
	INIT_DELAYED_WORK(&life->hang_up, life_hang_up);
	spin_lock_init(&life->lock);
	INIT_LIST_HEAD(&life->events);
}

/**
 * gpuoa_life_end - the unit is no more: hang up its events, and have core let go of the PMU
 * @pmu: the PMU; the reference of gpuoa_life_init() is dropped
 *
 * Without events all is done when this returns. Else it is done by and by: a task that reads an
 * event into memory that does not come would hold up the caller.
 *
 * Context: may sleep
 */
void gpuoa_life_end(struct gpuoa_pmu *pmu)
{
	struct gpuoa_life *life = &pmu->life;

	if (life_any(life)) {
		queue_delayed_work(life_wq, &life->hang_up, 0);
		return;
	}
	gpuoa_life_put(pmu);
	flush_delayed_work(&life->retire);
}

/**
 * gpuoa_life_start - prepare for PMUs
 *
 * Return: 0 or -ENOMEM
 */
int gpuoa_life_start(void)
{
	life_wq = alloc_workqueue("gpuoa", WQ_UNBOUND, 0);

	return life_wq ? 0 : -ENOMEM;
}

/**
 * gpuoa_life_exit - undo gpuoa_life_start()
 *
 * No PMU is left, but the last one may have been let go of this very moment.
 */
void gpuoa_life_exit(void)
{
	destroy_workqueue(life_wq);
}
