// SPDX-License-Identifier: GPL-2.0-only
/* gpuoa_pmu_lifetime.c - lifetime of a PMU: CPU hotplug, and removal while events are open. */
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/device.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/sched/isolation.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "gpuoa_pmu.h"
#include "gpuoa_pmu_lifetime.h"
#include "gpuoa_pmu_sysfs.h"
#include "stream/gpuoa_perf_hacks.h"
#include "unit/gpuoa_unit.h"

/**
 * DOC: Removal of a unit
 *
 * A provider may call gpuoa_unit_unregister() at any time. Events and files stay open, and their
 * users are notified:
 *
 * - The stream publishes the remaining reports and GPUOA_RECORD_DEVICE_REMOVED. It is then stopped,
 *   and its resources of the provider are released (gpuoa_stream_detach()).
 * - Events are hung up: poll() returns POLLHUP and SIGIO is sent with POLL_HUP. read() still
 *   returns the count and the ring buffer can still be read, but the event cannot be enabled again.
 * - Ioctls of /dev/gpuoa<N> and new events get -ENODEV. The class device and the PMU are removed
 *   from sysfs.
 *
 * Before 6.15, perf_pmu_unregister() frees contexts that open events still refer to, and the next
 * close() writes to them. From 6.15 on it detaches the PMU's own events. A software event that was
 * in a group with one of them still refers to the PMU, though, and perf calls the PMU when the
 * software event is disabled. i915 and other drivers rely on not being unbound while perf is in
 * use; gpuoa does not. The PMU stays registered and allocated until its last event
 * (&gpuoa_lifetime.ref) and the last software event of a group with one of them are destroyed. The
 * number N stays in use until then.
 *
 * gpuoa_perf_event_hang_up() takes perf_event_context.mutex. perf accesses user memory under this
 * mutex, and may call event->destroy() from munmap(). The two must therefore not wait for each
 * other; an event that is being hung up is protected by a reference instead.
 */

/* Interval of retries after the removal of a unit, ms. */
#define LIFETIME_RETRY_MS 10

static struct workqueue_struct *lifetime_wq;

/**
 * struct open_event - open event
 * @link: entry in &gpuoa_lifetime.events
 * @event: perf event
 * @tried: the current pass has handled the event
 * @hung_up: the event was hung up
 * @off: the event was disabled when its CPU went offline
 */
struct open_event {
	struct list_head link;
	struct perf_event *event;
	bool tried;
	bool hung_up;
	bool off;
};

/*
 * Unregister the PMU. perf accesses an event's context, which is freed with the PMU, and
 * pmu->module after event->destroy(). It does not sleep between destroy() and these accesses, so
 * they are finished after every task has slept once.
 */
static void lifetime_retire(struct work_struct *work)
{
	struct gpuoa_pmu *pmu = container_of(work, struct gpuoa_pmu, lifetime.retire.work);

	if (gpuoa_perf_pmu_in_use(&pmu->pmu)) {
		queue_delayed_work(lifetime_wq, &pmu->lifetime.retire,
				   msecs_to_jiffies(LIFETIME_RETRY_MS));
		return;
	}
	synchronize_rcu_tasks();
	perf_pmu_unregister(&pmu->pmu);
	gpuoa_sink_raw_fini(&pmu->raw);
	gpuoa_names_free(pmu->names);
	/* The unit's release frees @pmu. */
	put_device(&pmu->unit->dev);
	/* gpuoa_lifetime_exit() waits for the end of this function. */
	module_put(THIS_MODULE);
}

static void lifetime_release(struct kref *ref)
{
	struct gpuoa_lifetime *lifetime = container_of(ref, struct gpuoa_lifetime, ref);

	queue_delayed_work(lifetime_wq, &lifetime->retire, 0);
}

/**
 * gpuoa_lifetime_get() - Take a reference to a PMU.
 * @pmu: PMU
 */
void gpuoa_lifetime_get(struct gpuoa_pmu *pmu)
{
	kref_get(&pmu->lifetime.ref);
}

/**
 * gpuoa_lifetime_put() - Release a reference to a PMU.
 * @pmu: PMU
 *
 * Context: any
 */
void gpuoa_lifetime_put(struct gpuoa_pmu *pmu)
{
	kref_put(&pmu->lifetime.ref, lifetime_release);
}

/**
 * gpuoa_lifetime_add() - Add an event, with references to the PMU and the provider's module.
 * @pmu: PMU
 * @event: event
 *
 * Return: 0; -ENODEV if the unit was removed; or -ENOMEM
 */
int gpuoa_lifetime_add(struct gpuoa_pmu *pmu, struct perf_event *event)
{
	struct open_event *entry = kzalloc(sizeof(*entry), GFP_KERNEL);
	struct gpuoa_lifetime *lifetime = &pmu->lifetime;
	bool added;

	if (!entry)
		return -ENOMEM;
	entry->event = event;

	spin_lock(&lifetime->lock);
	added = !gpuoa_unit_is_gone(pmu->unit) && try_module_get(pmu->unit->owner);
	if (added) {
		gpuoa_lifetime_get(pmu);
		list_add_tail(&entry->link, &lifetime->events);
	}
	spin_unlock(&lifetime->lock);
	if (added)
		return 0;
	kfree(entry);

	return -ENODEV;
}

static struct open_event *lifetime_find(struct gpuoa_lifetime *lifetime,
					const struct perf_event *event)
{
	struct open_event *entry;

	lockdep_assert_held(&lifetime->lock);

	list_for_each_entry(entry, &lifetime->events, link)
		if (entry->event == event)
			return entry;

	return NULL;
}

/**
 * gpuoa_lifetime_remove() - Undo gpuoa_lifetime_add().
 * @pmu: PMU, which the caller must not access afterwards
 * @event: event
 */
void gpuoa_lifetime_remove(struct gpuoa_pmu *pmu, struct perf_event *event)
{
	struct module *owner = pmu->unit->owner;
	struct gpuoa_lifetime *lifetime = &pmu->lifetime;
	struct open_event *entry;

	spin_lock(&lifetime->lock);
	entry = lifetime_find(lifetime, event);
	list_del(&entry->link);
	spin_unlock(&lifetime->lock);

	kfree(entry);
	gpuoa_lifetime_put(pmu);
	module_put(owner);
}

/* Get the next event of this pass, with a reference. Skip new events without a context. */
static struct perf_event *lifetime_next(struct gpuoa_lifetime *lifetime)
{
	struct perf_event *event = NULL;
	struct open_event *entry;

	spin_lock(&lifetime->lock);
	list_for_each_entry(entry, &lifetime->events, link) {
		if (entry->tried || !READ_ONCE(entry->event->ctx))
			continue;
		entry->tried = true;
		if (gpuoa_perf_event_get(entry->event)) {
			event = entry->event;
			break;
		}
	}
	spin_unlock(&lifetime->lock);

	return event;
}

static bool lifetime_is_off(const struct perf_event *event)
{
	return READ_ONCE(event->state) == PERF_EVENT_STATE_OFF;
}

/**
 * gpuoa_lifetime_before_migration() - Record which events are disabled.
 * @pmu: PMU, before its events are migrated to another CPU
 *
 * perf_pmu_migrate_context() enables all migrated events, including disabled ones.
 *
 * Context: CPU hotplug
 */
static void gpuoa_lifetime_before_migration(struct gpuoa_pmu *pmu)
{
	struct gpuoa_lifetime *lifetime = &pmu->lifetime;
	struct open_event *entry;
	struct perf_event *event;

	spin_lock(&lifetime->lock);
	list_for_each_entry(entry, &lifetime->events, link) {
		event = entry->event;
		if (!READ_ONCE(event->ctx))
			continue;
		entry->off = lifetime_is_off(event);
		WRITE_ONCE(to_gpuoa_event(event)->held,
			   entry->off || lifetime_is_off(event->group_leader));
	}
	spin_unlock(&lifetime->lock);
}

/* Get the next event in a wrong state after a migration, with a reference. */
static struct perf_event *lifetime_next_migrated(struct gpuoa_lifetime *lifetime, bool *off)
{
	struct perf_event *event = NULL;
	struct open_event *entry;

	spin_lock(&lifetime->lock);
	list_for_each_entry(entry, &lifetime->events, link) {
		if (entry->tried || !READ_ONCE(entry->event->ctx))
			continue;
		entry->tried = true;
		*off = entry->off;
		if ((*off || READ_ONCE(to_gpuoa_event(entry->event)->rejected)) &&
		    gpuoa_perf_event_get(entry->event)) {
			event = entry->event;
			break;
		}
	}
	spin_unlock(&lifetime->lock);

	return event;
}

static void lifetime_forget_migration(struct gpuoa_lifetime *lifetime)
{
	struct open_event *entry;

	spin_lock(&lifetime->lock);
	list_for_each_entry(entry, &lifetime->events, link) {
		entry->tried = false;
		entry->off = false;
		if (READ_ONCE(entry->event->ctx))
			WRITE_ONCE(to_gpuoa_event(entry->event)->held, false);
	}
	spin_unlock(&lifetime->lock);
}

/**
 * gpuoa_lifetime_after_migration() - Restore the state of events after perf_pmu_migrate_context().
 * @pmu: PMU, after its events were migrated to another CPU
 *
 * Events that were disabled are disabled again; they were not started meanwhile. An event that was
 * opened or enabled on the new CPU while others still ran on the old one could not be added. perf
 * has put it into the error state, so it is enabled again.
 *
 * Context: CPU hotplug, may sleep
 */
static void gpuoa_lifetime_after_migration(struct gpuoa_pmu *pmu)
{
	struct perf_event *event;
	bool off;

	while ((event = lifetime_next_migrated(&pmu->lifetime, &off))) {
		WRITE_ONCE(to_gpuoa_event(event)->rejected, false);
		if (off)
			perf_event_disable(event);
		else
			perf_event_enable(event);
		gpuoa_perf_event_put(event);
	}
	lifetime_forget_migration(&pmu->lifetime);
}

/* End a pass. Returns true if all events were hung up; the others are retried in the next pass. */
static bool lifetime_finish_pass(struct gpuoa_lifetime *lifetime)
{
	struct open_event *entry;
	bool all = true;

	spin_lock(&lifetime->lock);
	list_for_each_entry(entry, &lifetime->events, link) {
		entry->tried = entry->hung_up;
		all = all && entry->hung_up;
	}
	spin_unlock(&lifetime->lock);

	return all;
}

/*
 * Hang up all events in one pass. Returns true if all were hung up, false if another pass is
 * needed.
 */
static bool lifetime_hang_up_all(struct gpuoa_lifetime *lifetime)
{
	struct perf_event *event;
	bool done;

	while ((event = lifetime_next(lifetime))) {
		done = gpuoa_perf_event_hang_up(event);
		spin_lock(&lifetime->lock);
		lifetime_find(lifetime, event)->hung_up = done;
		spin_unlock(&lifetime->lock);
		gpuoa_perf_event_put(event);
	}

	return lifetime_finish_pass(lifetime);
}

/* An event that is being opened cannot be hung up yet, so it is retried later. */
static void lifetime_hang_up(struct work_struct *work)
{
	struct gpuoa_lifetime *lifetime = container_of(work, struct gpuoa_lifetime, hang_up.work);

	if (lifetime_hang_up_all(lifetime))
		kref_put(&lifetime->ref, lifetime_release);
	else
		queue_delayed_work(lifetime_wq, &lifetime->hang_up,
				   msecs_to_jiffies(LIFETIME_RETRY_MS));
}

static bool lifetime_any(struct gpuoa_lifetime *lifetime)
{
	bool any;

	spin_lock(&lifetime->lock);
	any = !list_empty(&lifetime->events);
	spin_unlock(&lifetime->lock);

	return any;
}

/**
 * gpuoa_lifetime_init() - Initialize the lifetime of a PMU.
 * @lifetime: lifetime, output; the caller owns the first reference
 */
void gpuoa_lifetime_init(struct gpuoa_lifetime *lifetime)
{
	kref_init(&lifetime->ref);
	INIT_DELAYED_WORK(&lifetime->retire, lifetime_retire);
	INIT_DELAYED_WORK(&lifetime->hang_up, lifetime_hang_up);
	spin_lock_init(&lifetime->lock);
	INIT_LIST_HEAD(&lifetime->events);
}

/**
 * gpuoa_lifetime_end() - Hang up the events of a removed unit and release its PMU.
 * @pmu: PMU; the reference of gpuoa_lifetime_init() is released
 *
 * Without events, the PMU is unregistered before return. Otherwise this is done asynchronously,
 * because a task that reads an event to memory with a pending page fault would block the caller.
 *
 * Context: may sleep
 */
void gpuoa_lifetime_end(struct gpuoa_pmu *pmu)
{
	struct gpuoa_lifetime *lifetime = &pmu->lifetime;

	if (lifetime_any(lifetime)) {
		queue_delayed_work(lifetime_wq, &lifetime->hang_up, 0);
		return;
	}
	gpuoa_lifetime_put(pmu);
	flush_delayed_work(&lifetime->retire);
}

/**
 * gpuoa_lifetime_start() - Allocate the workqueue shared by all PMUs.
 *
 * Return: 0 or -ENOMEM
 */
int gpuoa_lifetime_start(void)
{
	lifetime_wq = alloc_workqueue("gpuoa", WQ_UNBOUND, 0);

	return lifetime_wq ? 0 : -ENOMEM;
}

/**
 * gpuoa_lifetime_exit() - Undo gpuoa_lifetime_start().
 *
 * No PMU is left, but the work of the last one may still be running.
 */
void gpuoa_lifetime_exit(void)
{
	destroy_workqueue(lifetime_wq);
}

/**
 * DOC: Why the PMU has no PERF_PMU_SCOPE_SYS_WIDE
 *
 * From Linux 6.12 on, the perf core provides cpumask and CPU hotplug for a PMU with that scope. It
 * is not used, because in every such kernel (checked: 6.12.117 and 7.3.4)
 * perf_event_clear_cpumask() calls perf_pmu_migrate_context(), and that function turns every state
 * from PERF_EVENT_STATE_OFF on into PERF_EVENT_STATE_INACTIVE: events that the user has disabled
 * run on the new CPU. A driver has no callback around that call to undo it. hotplug_offline() calls
 * the same function between gpuoa_lifetime_before_migration() and
 * gpuoa_lifetime_after_migration(), which restore the states. The scope would also place all units
 * on one CPU, usually the boot CPU.
 */

static enum cpuhp_state hotplug_state;

/*
 * Prefer the last housekeeping CPU, because CPU 0 usually has more work. Returns nr_cpu_ids if no
 * CPU is left.
 */
static unsigned int choose_cpu(unsigned int except)
{
	const struct cpumask *housekeeping = housekeeping_cpumask(HK_TYPE_TIMER);
	unsigned int cpu, chosen = nr_cpu_ids;

	for_each_cpu_and(cpu, cpu_online_mask, housekeeping)
		if (cpu != except)
			chosen = cpu;

	return chosen < nr_cpu_ids ? chosen : cpumask_any_but(cpu_online_mask, except);
}

/* Called for each online CPU when a unit is added, so the unit's CPU is online afterwards. */
static int hotplug_online(unsigned int cpu, struct hlist_node *node)
{
	struct gpuoa_pmu *pmu = hlist_entry_safe(node, struct gpuoa_pmu, cpuhp_node);

	if (!cpu_online(pmu->cpu))
		WRITE_ONCE(pmu->cpu, cpu);

	return 0;
}

static int hotplug_offline(unsigned int cpu, struct hlist_node *node)
{
	struct gpuoa_pmu *pmu = hlist_entry_safe(node, struct gpuoa_pmu, cpuhp_node);
	unsigned int target;

	if (cpu != pmu->cpu)
		return 0;
	target = choose_cpu(cpu);
	if (target >= nr_cpu_ids)
		return 0;

	WRITE_ONCE(pmu->cpu, target);
	WRITE_ONCE(pmu->migrating, true);
	gpuoa_lifetime_before_migration(pmu);
	perf_pmu_migrate_context(&pmu->pmu, cpu, target);
	gpuoa_lifetime_after_migration(pmu);
	WRITE_ONCE(pmu->migrating, false);

	return 0;
}

/**
 * gpuoa_hotplug_choose_cpu() - Choose a CPU for the events of a new PMU.
 *
 * Return: an online CPU; it may go offline before gpuoa_hotplug_add()
 */
unsigned int gpuoa_hotplug_choose_cpu(void)
{
	return choose_cpu(nr_cpu_ids);
}

/**
 * gpuoa_hotplug_add() - Keep the events of a PMU on an online CPU.
 * @pmu: PMU
 *
 * Return: 0 or a negative errno
 */
int gpuoa_hotplug_add(struct gpuoa_pmu *pmu)
{
	return cpuhp_state_add_instance(hotplug_state, &pmu->cpuhp_node);
}

/**
 * gpuoa_hotplug_remove() - Undo gpuoa_hotplug_add().
 * @pmu: PMU
 */
void gpuoa_hotplug_remove(struct gpuoa_pmu *pmu)
{
	cpuhp_state_remove_instance_nocalls(hotplug_state, &pmu->cpuhp_node);
}

/**
 * gpuoa_hotplug_init() - Register the CPU hotplug state shared by all PMUs.
 *
 * Return: 0 or a negative errno
 */
int gpuoa_hotplug_init(void)
{
	int ret;

	ret = cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, "perf/gpuoa:online", hotplug_online,
				      hotplug_offline);
	if (ret < 0)
		return ret;
	hotplug_state = ret;

	return 0;
}

/**
 * gpuoa_hotplug_exit() - Undo gpuoa_hotplug_init().
 */
void gpuoa_hotplug_exit(void)
{
	cpuhp_remove_multi_state(hotplug_state);
}
