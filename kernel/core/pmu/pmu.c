// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmu.c - what core does with events of the PMU: add, del, start, stop, read, transactions.
 */
#include <linux/perf_event.h>

#include "pmu.h"
#include "stream/run.h"
#include "stream/stream.h"
#include "unit/unit.h"

/*
 * Add what was counted since the last update to core's count. Only here, never when reports come:
 * so the members of a group are updated together.
 */
static void pmu_event_update(struct perf_event *event)
{
	u64 value = READ_ONCE(to_gpuoa_event(event)->count.value);

	local64_add(value - local64_xchg(&event->hw.prev_count, value), &event->count);
}

/**
 * gpuoa_pmu_start - &pmu.start: an event begins to sample or to count
 * @event: the event
 * @flags: PERF_EF_*
 *
 * It cannot fail; gpuoa_pmu_add() notices when the event did not start, and makes core set
 * PERF_EVENT_STATE_ERROR.
 *
 * Context: on the unit's CPU, interrupts off
 */
void gpuoa_pmu_start(struct perf_event *event, int flags)
{
	struct gpuoa_event *ours = to_gpuoa_event(event);

	if (!(event->hw.state & PERF_HES_STOPPED))
		return;

	event->hw.state = 0;
	if (gpuoa_stream_start(ours->stream, &ours->runner))
		event->hw.state = PERF_HES_STOPPED;
	else if (ours->counts)
		gpuoa_stream_add_count(ours->stream, &ours->count);
}

static void pmu_event_stop(struct perf_event *event)
{
	struct gpuoa_event *ours = to_gpuoa_event(event);

	if (event->hw.state & PERF_HES_STOPPED)
		return;

	/* All members of a group end with what the begin of the transaction has seen. */
	if (ours->counts) {
		gpuoa_stream_remove_count(ours->stream, &ours->count);
		pmu_event_update(event);
	}
	/* If nobody else is left, the event still takes what was sampled until now. */
	gpuoa_stream_stop(ours->stream, &ours->runner);
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
}

/**
 * gpuoa_pmu_stop - &pmu.stop: core changes the ring of an event
 * @event: the event
 * @flags: PERF_EF_*
 *
 * Since the PMU has setup_aux(), core stops each of its events, and does not start it again, when
 * its ring is mapped, unmapped or redirected. That is right for an event whose AUX area goes with
 * the ring. Samples and counts do not mind: core changes the ring under RCU. Nobody else calls
 * this: there is no frequency to adjust, and no throttling of events that perf_tp_event() feeds.
 *
 * Context: on the unit's CPU, interrupts off
 */
void gpuoa_pmu_stop(struct perf_event *event, int flags)
{
	if (to_gpuoa_event(event)->stream->mode->in_area)
		pmu_event_stop(event);
}

/*
 * True if an event is on the PMU, on this CPU. While one is, its stream is there. Interrupts are
 * off. What other CPUs write to @active and @active_cpu at this moment does not make either answer
 * wrong.
 */
static bool pmu_is_active_here(const struct gpuoa_pmu *pmu)
{
	return READ_ONCE(pmu->active) && READ_ONCE(pmu->active_cpu) == smp_processor_id();
}

/* Publish what has landed until now. Nobody begins or ends beside an AUX area. */
static void pmu_poll(struct gpuoa_pmu *pmu)
{
	struct gpuoa_stream *stream = READ_ONCE(pmu->unit->stream);

	if (!stream->mode->in_area)
		gpuoa_stream_poll_now(stream);
}

/*
 * An event is about to begin or to end. Publish what has landed until now, once in a transaction of
 * core: events that begin or end in the same one do so with the same report. Nothing is polled if
 * none does: core also brackets each switch between tasks that have pinned events of their own.
 */
static void pmu_settle(struct gpuoa_pmu *pmu)
{
	if (!pmu->settled && pmu_is_active_here(pmu))
		pmu_poll(pmu);
	pmu->settled = true;
}

/**
 * gpuoa_pmu_del - &pmu.del: core takes an event off the PMU
 * @event: the event
 * @flags: PERF_EF_*
 *
 * Context: on the unit's CPU, interrupts off
 */
void gpuoa_pmu_del(struct perf_event *event, int flags)
{
	struct gpuoa_pmu *pmu = to_gpuoa_pmu(event->pmu);

	pmu_settle(pmu);
	pmu_event_stop(event);
	raw_spin_lock(&pmu->active_lock);
	WRITE_ONCE(pmu->active, pmu->active - 1);
	if (!to_gpuoa_event(event)->counts)
		hlist_del_rcu(&event->hlist_entry);
	raw_spin_unlock(&pmu->active_lock);
}

/**
 * gpuoa_pmu_add - &pmu.add: core puts an event on the PMU
 * @event: the event
 * @flags: PERF_EF_*
 *
 * The unit is polled, and samples reach the events' rings, on the CPU that the poll timer runs on.
 * While core still moves events from a CPU that goes offline, none can begin on another.
 *
 * Context: on the unit's CPU, interrupts off
 * Return: 0; -ENODEV: the unit is gone; -EAGAIN: events are on another CPU; -EINVAL: not started
 */
int gpuoa_pmu_add(struct perf_event *event, int flags)
{
	struct gpuoa_pmu *pmu = to_gpuoa_pmu(event->pmu);
	unsigned int cpu = smp_processor_id();
	bool here;
	int ret;

	pmu_settle(pmu);
	raw_spin_lock(&pmu->active_lock);
	here = !pmu->active || pmu->active_cpu == cpu;
	ret = gpuoa_unit_is_gone(pmu->unit) ? -ENODEV : here ? 0 : -EAGAIN;
	if (!ret) {
		WRITE_ONCE(pmu->active, pmu->active + 1);
		WRITE_ONCE(pmu->active_cpu, cpu);
		if (!to_gpuoa_event(event)->counts)
			hlist_add_head_rcu(&event->hlist_entry, &pmu->raw.events);
	}
	raw_spin_unlock(&pmu->active_lock);
	/* Only while events are migrated: gpuoa_life_after_migration() tries again. */
	if (ret == -EAGAIN)
		WRITE_ONCE(to_gpuoa_event(event)->refused, true);
	if (ret)
		return ret;

	if (!(flags & PERF_EF_START) || READ_ONCE(to_gpuoa_event(event)->held))
		return 0;

	gpuoa_pmu_start(event, flags);
	if (!(event->hw.state & PERF_HES_STOPPED))
		return 0;
	gpuoa_pmu_del(event, 0);

	return -EINVAL;
}

/**
 * gpuoa_pmu_disable - &pmu.pmu_disable: a transaction of core begins
 * @core: the PMU
 *
 * Core brackets what belongs together by pmu_disable() and pmu_enable(), and calls both or none.
 * The first event that begins or ends in between has the unit polled; see pmu_settle().
 *
 * Context: any CPU, interrupts off
 */
void gpuoa_pmu_disable(struct pmu *core)
{
	struct gpuoa_pmu *pmu = to_gpuoa_pmu(core);

	if (!READ_ONCE(pmu->active) || READ_ONCE(pmu->active_cpu) == smp_processor_id())
		pmu->settled = false;
}

/**
 * gpuoa_pmu_enable - &pmu.pmu_enable: a transaction of core ends
 * @core: the PMU
 *
 * Context: any CPU, interrupts off
 */
void gpuoa_pmu_enable(struct pmu *core)
{
	struct gpuoa_pmu *pmu = to_gpuoa_pmu(core);

	if (!READ_ONCE(pmu->migrating))
		WRITE_ONCE(pmu->unit->epoch, pmu->unit->epoch + 1);
}

static bool pmu_event_counts(const struct perf_event *event, const struct pmu *pmu)
{
	return event->pmu == pmu && to_gpuoa_event(event)->counts &&
	       !(event->hw.state & PERF_HES_STOPPED);
}

/* The first of the group's members that count, in the order of reading */
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

/* True if somebody reads the members of the group together. */
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
 * True if reading this event polls the unit. A group that is read at once must be of one report: so
 * the unit is polled once, at the begin of core's transaction. Where there is none (a sample that
 * holds the group's counts; before 6.2, a leader that is not ours), the first to be read polls.
 */
static bool pmu_read_polls(struct perf_event *event)
{
	if (to_gpuoa_pmu(event->pmu)->reading)
		return false;

	return !pmu_group_is_read(event) || pmu_group_first(event) == event;
}

/**
 * gpuoa_pmu_read - &pmu.read: update core's count
 * @event: the event; the sink keeps the count of one that samples, after what has landed
 *
 * Context: on the unit's CPU; also NMI
 */
void gpuoa_pmu_read(struct perf_event *event)
{
	struct gpuoa_event *ours = to_gpuoa_event(event);

	if (event->hw.state & PERF_HES_STOPPED)
		return;
	if (!ours->counts) {
		gpuoa_stream_poll_now(ours->stream);
		return;
	}

	if (pmu_read_polls(event))
		gpuoa_stream_poll_now(ours->stream);
	pmu_event_update(event);
}

/**
 * gpuoa_pmu_start_txn - &pmu.start_txn: the events of a group are read together
 * @core: the PMU
 * @flags: PERF_PMU_TXN_*
 *
 * Context: interrupts off from here to the end of the transaction
 */
void gpuoa_pmu_start_txn(struct pmu *core, unsigned int flags)
{
	struct gpuoa_pmu *pmu = to_gpuoa_pmu(core);

	/* A software event that led a group with one of ours calls this when that is gone, too. */
	if (!(flags & PERF_PMU_TXN_READ) || !pmu_is_active_here(pmu))
		return;
	pmu_poll(pmu);
	pmu->reading = true;
}

/**
 * gpuoa_pmu_commit_txn - &pmu.commit_txn: the events of a group have been read
 * @core: the PMU
 *
 * Return: 0
 */
int gpuoa_pmu_commit_txn(struct pmu *core)
{
	to_gpuoa_pmu(core)->reading = false;

	return 0;
}

/**
 * gpuoa_pmu_cancel_txn - &pmu.cancel_txn: the events of a group were not read, after all
 * @core: the PMU
 */
void gpuoa_pmu_cancel_txn(struct pmu *core)
{
	to_gpuoa_pmu(core)->reading = false;
}

/**
 * gpuoa_pmu_check_period - &pmu.check_period: PERF_EVENT_IOC_PERIOD
 * @event: the event
 * @value: asked period
 *
 * Return: -EINVAL: the period belongs to the unit, which others may share
 */
int gpuoa_pmu_check_period(struct perf_event *event, u64 value)
{
	return -EINVAL;
}
