// SPDX-License-Identifier: GPL-2.0-only
/* pmu.c - perf callbacks of events: add, del, start, stop, read, transactions. */
#include <linux/perf_event.h>

#include "pmu.h"
#include "stream/run.h"
#include "stream/stream.h"
#include "unit/gpuoa_unit.h"

/*
 * Update the perf count. Not called when reports arrive, so that the members of a group are updated
 * together.
 */
static void pmu_event_update(struct perf_event *event)
{
	u64 value = READ_ONCE(to_gpuoa_event(event)->count.value);

	local64_add(value - local64_xchg(&event->hw.prev_count, value), &event->count);
}

/**
 * gpuoa_pmu_start() - Implement &pmu.start: start sampling or counting.
 * @event: event
 * @flags: PERF_EF_*
 *
 * Cannot fail. If the event did not start, gpuoa_pmu_add() returns an error, and perf sets
 * PERF_EVENT_STATE_ERROR.
 *
 * Context: on the unit's CPU, interrupts disabled
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

	/* All members of a group end with the report polled at the start of the transaction. */
	if (ours->counts) {
		gpuoa_stream_remove_count(ours->stream, &ours->count);
		pmu_event_update(event);
	}
	/* The last event still gets all remaining reports. */
	gpuoa_stream_stop(ours->stream, &ours->runner);
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
}

/**
 * gpuoa_pmu_stop() - Implement &pmu.stop: perf changes the ring of an event.
 * @event: event
 * @flags: PERF_EF_*
 *
 * Because the PMU has setup_aux(), perf stops each event without restarting it when its ring is
 * mapped, unmapped or redirected. This is needed only for an event with an AUX area in that ring.
 * For samples and counts it is not, because perf changes the ring under RCU. There are no other
 * callers: no frequency is adjusted, and events fed by perf_tp_event() are not throttled.
 *
 * Context: on the unit's CPU, interrupts disabled
 */
void gpuoa_pmu_stop(struct perf_event *event, int flags)
{
	if (to_gpuoa_event(event)->stream->mode->in_area)
		pmu_event_stop(event);
}

/*
 * True if an event is active on this CPU; its stream then exists. Called with interrupts disabled.
 * Concurrent writes of @active and @active_cpu by other CPUs do not affect the result.
 */
static bool pmu_is_active_here(const struct gpuoa_pmu *pmu)
{
	return READ_ONCE(pmu->active) && READ_ONCE(pmu->active_cpu) == smp_processor_id();
}

/* Publish all landed reports. An AUX stream has one event only, so it needs no poll. */
static void pmu_poll(struct gpuoa_pmu *pmu)
{
	struct gpuoa_stream *stream = READ_ONCE(pmu->unit->stream);

	if (!stream->mode->in_area)
		gpuoa_stream_poll_now(stream);
}

/*
 * Called before an event starts or stops. Publish all landed reports, once per perf transaction, so
 * that events of the same transaction start or stop with the same report. Transactions without such
 * events do not poll: perf also opens one at each switch between tasks with pinned events.
 */
static void pmu_settle(struct gpuoa_pmu *pmu)
{
	if (!pmu->settled && pmu_is_active_here(pmu))
		pmu_poll(pmu);
	pmu->settled = true;
}

/**
 * gpuoa_pmu_del() - Implement &pmu.del: remove an event from the PMU.
 * @event: event
 * @flags: PERF_EF_*
 *
 * Context: on the unit's CPU, interrupts disabled
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
 * gpuoa_pmu_add() - Implement &pmu.add: add an event to the PMU.
 * @event: event
 * @flags: PERF_EF_*
 *
 * The poll timer's CPU polls the unit and writes samples to the rings of events. While perf
 * migrates events from a CPU that goes offline, no event can start on another CPU.
 *
 * Context: on the unit's CPU, interrupts disabled
 * Return: 0; -ENODEV if the unit was removed; -EAGAIN if events are on another CPU; -EINVAL if the
 * event did not start
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
	/* Only during a migration: gpuoa_life_after_migration() retries. */
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
 * gpuoa_pmu_disable() - Implement &pmu.pmu_disable: a perf transaction begins.
 * @core: PMU
 *
 * perf encloses related operations in pmu_disable() and pmu_enable(), and always calls both. The
 * first event that starts or stops in between polls the unit; see pmu_settle().
 *
 * Context: any CPU, interrupts disabled
 */
void gpuoa_pmu_disable(struct pmu *core)
{
	struct gpuoa_pmu *pmu = to_gpuoa_pmu(core);

	if (!READ_ONCE(pmu->active) || READ_ONCE(pmu->active_cpu) == smp_processor_id())
		pmu->settled = false;
}

/**
 * gpuoa_pmu_enable() - Implement &pmu.pmu_enable: a perf transaction ends.
 * @core: PMU
 *
 * Context: any CPU, interrupts disabled
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

/* First counting member of the group, in the order in which perf reads them */
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

/* True if the members of the group may be read together. */
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
 * True if reading this event polls the unit. All members of a group must be read from the same
 * report, so the unit is polled once, at the start of perf's transaction. Without a transaction (a
 * sample with the counts of the group; before 6.2, a leader of another PMU), the first member to be
 * read polls.
 */
static bool pmu_read_polls(struct perf_event *event)
{
	if (to_gpuoa_pmu(event->pmu)->reading)
		return false;

	return !pmu_group_is_read(event) || pmu_group_first(event) == event;
}

/**
 * gpuoa_pmu_read() - Implement &pmu.read: update the perf count.
 * @event: event; the count of a sampling event is updated when samples are written
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
 * gpuoa_pmu_start_txn() - Implement &pmu.start_txn: begin to read the events of a group.
 * @core: PMU
 * @flags: PERF_PMU_TXN_*
 *
 * Context: interrupts disabled until the end of the transaction
 */
void gpuoa_pmu_start_txn(struct pmu *core, unsigned int flags)
{
	struct gpuoa_pmu *pmu = to_gpuoa_pmu(core);

	/*
	 * A software event that led a group with an event of this PMU calls this even afterwards.
	 */
	if (!(flags & PERF_PMU_TXN_READ) || !pmu_is_active_here(pmu))
		return;
	pmu_poll(pmu);
	pmu->reading = true;
}

/**
 * gpuoa_pmu_commit_txn() - Implement &pmu.commit_txn: the events of a group were read.
 * @core: PMU
 *
 * Return: 0
 */
int gpuoa_pmu_commit_txn(struct pmu *core)
{
	to_gpuoa_pmu(core)->reading = false;

	return 0;
}

/**
 * gpuoa_pmu_cancel_txn() - Implement &pmu.cancel_txn: the read of a group was cancelled.
 * @core: PMU
 */
void gpuoa_pmu_cancel_txn(struct pmu *core)
{
	to_gpuoa_pmu(core)->reading = false;
}

/**
 * gpuoa_pmu_check_period() - Implement &pmu.check_period: reject PERF_EVENT_IOC_PERIOD.
 * @event: event
 * @value: requested period
 *
 * Return: -EINVAL: the period belongs to the unit, which other events may share
 */
int gpuoa_pmu_check_period(struct perf_event *event, u64 value)
{
	return -EINVAL;
}
