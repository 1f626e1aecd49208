// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmu.c - the perf PMU gpuoa<N>: events in terms of streams.
 */
#include <linux/cpuhotplug.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/sched/isolation.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include <linux/workqueue.h>

#include <gpuoa_compat.h>

#include "oa/report.h"
#include "stream/attr.h"
#include "stream/count.h"
#include "stream/stream.h"
#include "unit/unit.h"

/**
 * DOC: Events
 *
 * An OA unit is a device of the whole system, so its events are per-CPU events on one CPU that we
 * choose (`cpumask`), as with other uncore PMUs. event_init() acquires the unit and destroy
 * releases it; what is in between is start and stop.
 *
 * Each RAW sample must reach every sampling event: whatever the user's period is, core perf is told
 * that each sample overflows.
 */

static enum cpuhp_state pmu_cpuhp_state;

/* What can't be done yet when a unit goes away is tried again so often. */
#define PMU_RETRY_MS 10

static struct workqueue_struct *pmu_wq;

static struct gpuoa_unit *pmu_to_unit(struct pmu *pmu)
{
	return container_of(pmu, struct gpuoa_unit, pmu);
}

/* ---- sysfs -------------------------------------------------------------------------------- */

PMU_FORMAT_ATTR(metric_set, "config:0-31");
PMU_FORMAT_ATTR(format, "config:32-39");
PMU_FORMAT_ATTR(exponent, "config:40-47");
PMU_FORMAT_ATTR(counter, "config:48-59");
PMU_FORMAT_ATTR(aux, "config:63");

static struct attribute *format_attrs[] = {
	&format_attr_metric_set.attr,
	&format_attr_format.attr,
	&format_attr_exponent.attr,
	&format_attr_counter.attr,
	&format_attr_aux.attr,
	NULL,
};

static const struct attribute_group format_group = {
	.name = "format",
	.attrs = format_attrs,
};

static ssize_t cpumask_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct gpuoa_unit *unit = pmu_to_unit(dev_get_drvdata(dev));

	return cpumap_print_to_pagebuf(true, buf, cpumask_of(READ_ONCE(unit->cpu)));
}
static DEVICE_ATTR_RO(cpumask);

static struct attribute *cpumask_attrs[] = {
	&dev_attr_cpumask.attr,
	NULL,
};

static const struct attribute_group cpumask_group = {
	.attrs = cpumask_attrs,
};

/* ---- events ------------------------------------------------------------------------------- */

/**
 * struct pmu_event - what a perf event is to us
 * @stream: the unit in use
 * @counts: it counts; else it samples
 * @count: what it counts
 */
struct pmu_event {
	struct gpuoa_stream *stream;
	bool counts;
	struct gpuoa_count count;
};

static struct pmu_event *to_pmu_event(const struct perf_event *event)
{
	return event->pmu_private;
}

/**
 * gpuoa_pmu_stream - the unit in use by an event
 * @event: an event of ours
 *
 * Return: its stream
 */
struct gpuoa_stream *gpuoa_pmu_stream(const struct perf_event *event)
{
	return to_pmu_event(event)->stream;
}

static void pmu_event_destroy(struct perf_event *event)
{
	struct pmu_event *private = to_pmu_event(event);

	gpuoa_stream_put(private->stream, !private->counts);
	kfree(private);
	gpuoa_events_remove(pmu_to_unit(event->pmu), event);
}

/* Acquire what an event needs. */
static struct pmu_event *pmu_event_new(struct gpuoa_unit *unit, const struct gpuoa_attr *attr,
				       const struct gpuoa_timing *timing)
{
	struct pmu_event *event = kzalloc(sizeof(*event), GFP_KERNEL);
	struct gpuoa_stream *stream;

	if (!event)
		return ERR_PTR(-ENOMEM);

	stream = gpuoa_stream_get(unit, attr, timing, &unit->raw.sink);
	if (IS_ERR(stream)) {
		kfree(event);
		return ERR_CAST(stream);
	}
	event->stream = stream;
	event->counts = attr->counter &&
			gpuoa_report_find(stream->params.format, attr->counter,
					  &event->count.place);

	return event;
}

/* Each sample counts; with attr.freq core perf would drop most of them. */
static void pmu_event_take_all_samples(struct perf_event *event)
{
	event->attr.freq = 0;
	event->attr.sample_period = 1;
	event->hw.sample_period = 1;
	event->hw.last_period = 1;
	local64_set(&event->hw.period_left, 1);
}

static int pmu_event_init(struct perf_event *event)
{
	struct gpuoa_unit *unit = pmu_to_unit(event->pmu);
	struct gpuoa_timing timing;
	struct pmu_event *private;
	struct gpuoa_attr attr;
	int ret;

	if (event->attr.type != event->pmu->type)
		return -ENOENT;
	if (event->cpu < 0 || event->attach_state & PERF_ATTACH_TASK)
		return -EINVAL;
	if (has_branch_stack(event))
		return -EOPNOTSUPP;

	ret = gpuoa_attr_from_perf(&event->attr, &attr, &timing);
	if (ret)
		return ret;
	/* The reports are all there is: samples without them are worthless. */
	if (!attr.counter && !(event->attr.sample_type & PERF_SAMPLE_RAW))
		return -EINVAL;

	ret = gpuoa_events_add(unit, event);
	if (ret)
		return ret;
	private = pmu_event_new(unit, &attr, &timing);
	if (IS_ERR(private)) {
		gpuoa_events_remove(unit, event);
		return PTR_ERR(private);
	}

	if (private->stream->params.aux)
		gpuoa_sink_aux_init(&private->stream->aux.sink, event,
				    private->stream->params.format);
	event->pmu_private = private;
	event->destroy = pmu_event_destroy;
	event->cpu = READ_ONCE(unit->cpu);
	event->hw.state = PERF_HES_STOPPED;
	if (!private->counts)
		pmu_event_take_all_samples(event);
	/*
	 * To let in a pinned event, of whatever PMU, perf takes all others off and puts them back,
	 * at each context switch if it is a task's. That would stop the unit each time.
	 */
	if (event->group_leader == event)
		event->attr.pinned = 1;

	return 0;
}

/*
 * Tell perf what was counted since it was told last. Only here, never when reports come: so the
 * members of a group are told together.
 */
static void pmu_event_update(struct perf_event *event)
{
	u64 value = READ_ONCE(to_pmu_event(event)->count.value);

	local64_add(value - local64_xchg(&event->hw.prev_count, value), &event->count);
}

static void pmu_event_start(struct perf_event *event, int flags)
{
	struct pmu_event *private = to_pmu_event(event);

	if (!(event->hw.state & PERF_HES_STOPPED))
		return;

	event->hw.state = 0;
	/* It is up to perf to say so: in pmu_event_add(), by an event in error state. */
	if (gpuoa_stream_start(private->stream))
		event->hw.state = PERF_HES_STOPPED;
	else if (private->counts)
		gpuoa_stream_count(private->stream, &private->count);
}

static void pmu_event_stop(struct perf_event *event, int flags)
{
	struct pmu_event *private = to_pmu_event(event);

	if (event->hw.state & PERF_HES_STOPPED)
		return;

	/* All members of a group end with what the begin of the transaction has seen. */
	if (private->counts) {
		gpuoa_stream_uncount(private->stream, &private->count);
		pmu_event_update(event);
	}
	/* If nobody else is left, the event still takes what was sampled until now. */
	gpuoa_stream_stop(private->stream);
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
}

static void pmu_event_del(struct perf_event *event, int flags)
{
	struct gpuoa_unit *unit = pmu_to_unit(event->pmu);

	pmu_event_stop(event, PERF_EF_UPDATE);
	raw_spin_lock(&unit->active_lock);
	unit->active--;
	if (!to_pmu_event(event)->counts)
		hlist_del_rcu(&event->hlist_entry);
	raw_spin_unlock(&unit->active_lock);
}

/*
 * Reports are looked at, and samples reach the events' rings, on the CPU that the poll timer runs
 * on. While perf still moves events from a CPU that goes offline, none can begin on another.
 */
static int pmu_event_add(struct perf_event *event, int flags)
{
	struct gpuoa_unit *unit = pmu_to_unit(event->pmu);
	unsigned int cpu = smp_processor_id();
	bool here;
	int ret;

	raw_spin_lock(&unit->active_lock);
	here = !unit->active || unit->active_cpu == cpu;
	ret = unit->gone ? -ENODEV : here ? 0 : -EAGAIN;
	if (!ret) {
		unit->active++;
		unit->active_cpu = cpu;
		if (!to_pmu_event(event)->counts)
			hlist_add_head_rcu(&event->hlist_entry, &unit->raw.events);
	}
	raw_spin_unlock(&unit->active_lock);
	if (ret)
		return ret;

	if (!(flags & PERF_EF_START))
		return 0;

	pmu_event_start(event, flags);
	if (!(event->hw.state & PERF_HES_STOPPED))
		return 0;
	pmu_event_del(event, 0);

	return -EINVAL;
}

/* Is an event on the PMU, on this CPU? While one is, its stream is there. Interrupts are off. */
static bool pmu_is_active_here(const struct gpuoa_unit *unit)
{
	return READ_ONCE(unit->active) && unit->active_cpu == smp_processor_id();
}

/*
 * perf brackets what belongs together by pmu_disable() and pmu_enable(), and calls both or none.
 * Events that begin or end in between do so with the same report: all that has landed until now is
 * handed on before, and nothing is until the end.
 */
static void pmu_transaction_begin(struct pmu *pmu)
{
	struct gpuoa_unit *unit = pmu_to_unit(pmu);

	if (pmu_is_active_here(unit))
		gpuoa_stream_look(READ_ONCE(unit->stream));
}

static void pmu_transaction_end(struct pmu *pmu)
{
	struct gpuoa_unit *unit = pmu_to_unit(pmu);

	if (!unit->migrating)
		unit->epoch++;
}

static bool pmu_event_counts(const struct perf_event *event, const struct pmu *pmu)
{
	return event->pmu == pmu && to_pmu_event(event)->counts &&
	       !(event->hw.state & PERF_HES_STOPPED);
}

/* Of the group's members that count, the one that is read first. */
static struct perf_event *pmu_group_first(struct perf_event *event)
{
	struct perf_event *leader = event->group_leader, *sibling;

	if (pmu_event_counts(leader, event->pmu))
		return leader;
	for_each_sibling_event(sibling, leader)
		if (pmu_event_counts(sibling, event->pmu))
			return sibling;

	return event;
}

/* Does anybody read the members of the group together? */
static bool pmu_group_is_read(struct perf_event *event)
{
	struct perf_event *leader = event->group_leader, *sibling;

	if (leader->attr.read_format & PERF_FORMAT_GROUP)
		return true;
	for_each_sibling_event(sibling, leader)
		if (sibling->attr.read_format & PERF_FORMAT_GROUP)
			return true;

	return false;
}

/*
 * Is this read to look at the unit? A group that is read at once must be of one report: so that is
 * done once, at the begin of perf's transaction. Where there is none (a sample that holds the
 * group's counts; before 6.2, a leader that is not ours), the first to be read looks.
 */
static bool pmu_event_looks(struct perf_event *event)
{
	if (pmu_to_unit(event->pmu)->reading)
		return false;

	return !pmu_group_is_read(event) || pmu_group_first(event) == event;
}

/* The sink keeps event->count of what samples. */
static void pmu_event_read(struct perf_event *event)
{
	struct pmu_event *private = to_pmu_event(event);

	if (!private->counts || event->hw.state & PERF_HES_STOPPED)
		return;

	if (pmu_event_looks(event))
		gpuoa_stream_look(private->stream);
	pmu_event_update(event);
}

/* The events of a group are read with interrupts off, from here to the transaction's end. */
static void pmu_start_txn(struct pmu *pmu, unsigned int flags)
{
	struct gpuoa_unit *unit = pmu_to_unit(pmu);

	/* A software event that led a group with one of ours calls this when that is gone, too. */
	if (!(flags & PERF_PMU_TXN_READ) || !pmu_is_active_here(unit))
		return;
	gpuoa_stream_look(READ_ONCE(unit->stream));
	unit->reading = true;
}

static int pmu_commit_txn(struct pmu *pmu)
{
	pmu_to_unit(pmu)->reading = false;

	return 0;
}

static void pmu_cancel_txn(struct pmu *pmu)
{
	pmu_to_unit(pmu)->reading = false;
}

/* The period belongs to the unit, which others may share. */
static int pmu_check_period(struct perf_event *event, u64 value)
{
	return -EINVAL;
}

/* ---- CPU hotplug -------------------------------------------------------------------------- */

/* The last CPU that has no other purpose: CPU 0 has enough to do. nr_cpu_ids if there is none. */
static unsigned int pmu_choose_cpu(unsigned int except)
{
	const struct cpumask *housekeeping = housekeeping_cpumask(HK_TYPE_TIMER);
	unsigned int cpu, chosen = nr_cpu_ids;

	for_each_cpu_and(cpu, cpu_online_mask, housekeeping)
		if (cpu != except)
			chosen = cpu;

	return chosen < nr_cpu_ids ? chosen : cpumask_any_but(cpu_online_mask, except);
}

/* Called for each online CPU when a unit is added, so the unit's CPU is online from then on. */
static int pmu_cpu_online(unsigned int cpu, struct hlist_node *node)
{
	struct gpuoa_unit *unit = hlist_entry_safe(node, struct gpuoa_unit, cpuhp_node);

	if (!cpu_online(unit->cpu))
		WRITE_ONCE(unit->cpu, cpu);

	return 0;
}

static int pmu_cpu_offline(unsigned int cpu, struct hlist_node *node)
{
	struct gpuoa_unit *unit = hlist_entry_safe(node, struct gpuoa_unit, cpuhp_node);
	unsigned int target;

	if (cpu != unit->cpu)
		return 0;
	target = pmu_choose_cpu(cpu);
	if (target >= nr_cpu_ids)
		return 0;

	WRITE_ONCE(unit->cpu, target);
	unit->migrating = true;
	perf_pmu_migrate_context(&unit->pmu, cpu, target);
	unit->migrating = false;

	return 0;
}

/* ---- registration ------------------------------------------------------------------------- */

/*
 * perf lets go of the PMU. event->destroy() is not the last that perf does with an event: its
 * context, which goes with the PMU, and pmu->module come after. From there to the end perf does not
 * sleep, so it is through when each task has slept once.
 */
static void pmu_retire(struct work_struct *work)
{
	struct gpuoa_unit *unit = container_of(work, struct gpuoa_unit, retire.work);

	if (gpuoa_pmu_in_use(&unit->pmu)) {
		queue_delayed_work(pmu_wq, &unit->retire, msecs_to_jiffies(PMU_RETRY_MS));
		return;
	}
	synchronize_rcu_tasks();
	perf_pmu_unregister(&unit->pmu);
	gpuoa_sink_raw_fini(&unit->raw);
	gpuoa_pmu_events_free(unit->pmu_events);
	put_device(&unit->dev);
	/* gpuoa_pmu_exit() waits for the rest of this. */
	module_put(THIS_MODULE);
}

static void pmu_release(struct kref *ref)
{
	queue_delayed_work(pmu_wq, &container_of(ref, struct gpuoa_unit, pmu_ref)->retire, 0);
}

/**
 * gpuoa_pmu_put - let go of a PMU
 * @unit: its unit
 *
 * Context: any
 */
void gpuoa_pmu_put(struct gpuoa_unit *unit)
{
	kref_put(&unit->pmu_ref, pmu_release);
}

/* An event that is just being opened can't be told yet: it is told a little later. */
static void pmu_hang_up(struct work_struct *work)
{
	struct gpuoa_unit *unit = container_of(work, struct gpuoa_unit, hang_up.work);

	if (gpuoa_events_hang_up(unit))
		gpuoa_pmu_put(unit);
	else
		queue_delayed_work(pmu_wq, &unit->hang_up, msecs_to_jiffies(PMU_RETRY_MS));
}

/**
 * gpuoa_pmu_register - make a unit's PMU
 * @unit: the unit; its info.pmu is the name
 *
 * Return: 0 or a negative errno
 */
int gpuoa_pmu_register(struct gpuoa_unit *unit)
{
	int ret;

	unit->pmu_events = gpuoa_pmu_events_new(unit);
	if (!unit->pmu_events)
		return -ENOMEM;
	ret = gpuoa_sink_raw_init(&unit->raw);
	if (ret)
		goto err_events;

	unit->pmu_groups[0] = &format_group;
	unit->pmu_groups[1] = &cpumask_group;
	unit->pmu_groups[2] = gpuoa_pmu_events_group(unit->pmu_events);
	/* Our callbacks are there for as long as perf needs them. Events hold the host's module. */
	unit->pmu = (struct pmu){
		.module = THIS_MODULE,
		.task_ctx_nr = perf_invalid_context,
		.attr_groups = unit->pmu_groups,
		.capabilities = PERF_PMU_CAP_NO_EXCLUDE,
		.pmu_disable = pmu_transaction_begin,
		.pmu_enable = pmu_transaction_end,
		.event_init = pmu_event_init,
		.add = pmu_event_add,
		.del = pmu_event_del,
		.start = pmu_event_start,
		.stop = pmu_event_stop,
		.read = pmu_event_read,
		.start_txn = pmu_start_txn,
		.commit_txn = pmu_commit_txn,
		.cancel_txn = pmu_cancel_txn,
		.check_period = pmu_check_period,
		.setup_aux = gpuoa_aux_setup,
		.free_aux = gpuoa_aux_free,
	};

	raw_spin_lock_init(&unit->active_lock);
	gpuoa_events_init(unit);
	kref_init(&unit->pmu_ref);
	INIT_DELAYED_WORK(&unit->retire, pmu_retire);
	INIT_DELAYED_WORK(&unit->hang_up, pmu_hang_up);
	unit->cpu = pmu_choose_cpu(nr_cpu_ids);
	ret = perf_pmu_register(&unit->pmu, unit->info.pmu, -1);
	if (ret)
		goto err_sink;
	unit->info.pmu_type = unit->pmu.type;

	ret = cpuhp_state_add_instance(pmu_cpuhp_state, &unit->cpuhp_node);
	if (ret)
		goto err_pmu;

	/* Until pmu_retire() */
	get_device(&unit->dev);
	__module_get(THIS_MODULE);

	return 0;

err_pmu:
	perf_pmu_unregister(&unit->pmu);
err_sink:
	gpuoa_sink_raw_fini(&unit->raw);
err_events:
	gpuoa_pmu_events_free(unit->pmu_events);

	return ret;
}

/**
 * gpuoa_pmu_close - let no event run on a unit any more
 * @unit: the unit, which is gone
 *
 * Return: the CPU of those that still do, or any that is online. It remains so until the caller's
 * cpus_read_unlock()
 */
unsigned int gpuoa_pmu_close(struct gpuoa_unit *unit)
{
	unsigned int cpu;

	raw_spin_lock_irq(&unit->active_lock);
	cpu = unit->active ? unit->active_cpu : smp_processor_id();
	raw_spin_unlock_irq(&unit->active_lock);

	return cpu;
}

/**
 * gpuoa_pmu_unregister - undo gpuoa_pmu_register()
 * @unit: the unit, which is gone
 *
 * Events that are open keep their PMU; all they can do with it is to be closed.
 */
void gpuoa_pmu_unregister(struct gpuoa_unit *unit)
{
	cpuhp_state_remove_instance_nocalls(pmu_cpuhp_state, &unit->cpuhp_node);
	gpuoa_pmu_del_device(&unit->pmu);

	/* Not waited for: who reads an event into memory that does not come would hold it up. */
	if (gpuoa_events_any(unit)) {
		queue_delayed_work(pmu_wq, &unit->hang_up, 0);
		return;
	}
	gpuoa_pmu_put(unit);
	flush_delayed_work(&unit->retire);
}

/**
 * gpuoa_pmu_init - what all PMUs have in common
 *
 * Return: 0 or a negative errno
 */
int gpuoa_pmu_init(void)
{
	int ret;

	pmu_wq = alloc_workqueue("gpuoa", 0, 0);
	if (!pmu_wq)
		return -ENOMEM;

	ret = cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, "perf/gpuoa:online", pmu_cpu_online,
				      pmu_cpu_offline);
	if (ret < 0) {
		destroy_workqueue(pmu_wq);
		return ret;
	}
	pmu_cpuhp_state = ret;

	return 0;
}

/**
 * gpuoa_pmu_exit - undo gpuoa_pmu_init()
 *
 * No PMU is left, but the last one may have been let go of this very moment.
 */
void gpuoa_pmu_exit(void)
{
	destroy_workqueue(pmu_wq);
	cpuhp_remove_multi_state(pmu_cpuhp_state);
}
