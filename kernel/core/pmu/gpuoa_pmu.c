// SPDX-License-Identifier: GPL-2.0-only
/* gpuoa_pmu.c - perf PMU gpuoa<N> of a unit: registration, and the callbacks of its events. */
#include <linux/device.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/time64.h>

#include <gpuoa_compat.h>

#include "gpuoa_pmu.h"
#include "gpuoa_pmu_lifetime.h"
#include "gpuoa_pmu_sysfs.h"
#include "gpuoa_stream_fd.h"
#include "oa/gpuoa_report.h"
#include "stream/gpuoa_attr.h"
#include "stream/gpuoa_perf_hacks.h"
#include "stream/gpuoa_program.h"
#include "stream/gpuoa_request.h"
#include "stream/gpuoa_run.h"
#include "stream/gpuoa_stream.h"
#include "unit/gpuoa_limits.h"
#include "unit/gpuoa_unit.h"

/**
 * gpuoa_event_new() - Acquire the resources of an event.
 * @pmu: PMU
 * @attr: attributes of the event
 * @timing: period or rate, used if @attr has no exponent
 * @registered: registered attributes that @attr is a copy of; NULL: @attr refers to user memory
 *
 * Context: may sleep, accesses user memory unless @registered
 * Return: private data of the event, or an ERR_PTR as documented for perf_event_open in
 * uapi/gpuoa.h
 */
struct gpuoa_event *gpuoa_event_new(struct gpuoa_pmu *pmu, const struct gpuoa_attr *attr,
				    const struct gpuoa_timing *timing,
				    const struct gpuoa_registered_attr *registered)
{
	struct gpuoa_event *ours = kzalloc(sizeof(*ours), GFP_KERNEL);
	struct gpuoa_stream *stream;

	if (!ours)
		return ERR_PTR(-ENOMEM);

	stream = gpuoa_stream_get(pmu->unit, attr, timing, registered, &pmu->raw.sink);
	if (IS_ERR(stream)) {
		kfree(ours);
		return ERR_CAST(stream);
	}
	ours->stream = stream;
	ours->runner.poll_ns = attr->poll_us ? (u64)attr->poll_us * NSEC_PER_USEC : U64_MAX;
	ours->counts = attr->counter &&
		       gpuoa_report_find(stream->request.format, attr->counter, &ours->count.place);

	return ours;
}

/**
 * gpuoa_event_free() - Undo gpuoa_event_new(), if no event has taken over the data.
 * @ours: private data
 *
 * Context: may sleep
 */
void gpuoa_event_free(struct gpuoa_event *ours)
{
	gpuoa_stream_put(ours->stream, !ours->counts);
	kfree(ours);
}

/**
 * DOC: Events
 *
 * An OA unit is a system-wide device. Its events are per-CPU events on one CPU chosen by the PMU
 * (`cpumask`), as with other uncore PMUs. event_init() acquires the unit and destroy releases it;
 * the event is started and stopped in between.
 *
 * Each RAW sample must be delivered to every sampling event, so perf is made to deliver each one
 * independently of the user's period.
 */

static void event_destroy(struct perf_event *event)
{
	struct gpuoa_event *ours = to_gpuoa_event(event);

	gpuoa_stream_put(ours->stream, !ours->counts);
	/*
	 * Remove the event from the list before it is freed, because CPU hotplug accesses listed
	 * events.
	 */
	gpuoa_lifetime_remove(to_gpuoa_pmu(event->pmu), event);
	kfree(ours);
}

static void event_fill(struct perf_event *event, struct gpuoa_event *ours)
{
	struct gpuoa_stream *stream = ours->stream;

	event->pmu_private = ours;
	event->destroy = event_destroy;
	event->cpu = READ_ONCE(to_gpuoa_pmu(event->pmu)->cpu);
	event->hw.state = PERF_HES_STOPPED;
	if (stream->mode->in_area)
		gpuoa_sink_aux_init(&stream->aux.sink, event, stream->request.format,
				    stream->unit->oa->splits_reports);
	if (!ours->counts) {
		gpuoa_perf_take_all_samples(event);
		gpuoa_perf_accept_iovec(event);
	}
	gpuoa_perf_pin(event);
}

/*
 * Sample fields that are rejected: the state of the CPU and its task is unrelated to the GPU, and
 * some of these fields would make a sample longer than 64 KiB. PERF_SAMPLE_IP and _TID are also
 * unrelated, but allowed because perf record always requests them.
 */
#define EVENT_SAMPLE_NEVER                                                                     \
	(PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER |            \
	 PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_AUX | PERF_SAMPLE_ADDR | \
	 PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_WEIGHT_TYPE | PERF_SAMPLE_DATA_SRC |              \
	 PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE |   \
	 PERF_SAMPLE_CGROUP)

/*
 * perf performs both checks as well, but only after event_init() has acquired resources. Keep
 * perf's order of the checks, because an event with exclude_kernel needs less permission.
 */
static int event_check_user(struct perf_event *event, const struct device *dev)
{
	if (event_has_any_exclude_flag(event))
		return gpuoa_reject(dev, -EINVAL, "a GPU has no exclude_* states");
	if (!gpuoa_may_observe())
		return gpuoa_reject(dev, -EACCES, "dev.gpuoa.paranoid: events need CAP_PERFMON");

	return 0;
}

/* Check perf's attributes before any resource is acquired. */
static int event_check(struct perf_event *event)
{
	const struct device *dev = &to_gpuoa_pmu(event->pmu)->unit->dev;
	const struct perf_event_attr *attr = &event->attr;

	if (event->cpu < 0 || event->attach_state & PERF_ATTACH_TASK)
		return gpuoa_reject(dev, -EINVAL, "events are of a CPU, not of a task");
	if (attr->sample_type & EVENT_SAMPLE_NEVER)
		return gpuoa_reject(dev, -EOPNOTSUPP, "samples contain no CPU state");
	if (attr->precise_ip)
		return gpuoa_reject(dev, -EOPNOTSUPP, "a GPU has no precise_ip");
	if (attr->exclusive || attr->bp_type)
		return gpuoa_reject(dev, -EINVAL, "exclusive or bp_type is not 0");

	/* perf removes a flexible group at each switch to a task with pinned events. */
	if (event->group_leader != event && !event->group_leader->attr.pinned)
		return gpuoa_reject(dev, -EINVAL, "the group's leader is not pinned");

	return event_check_user(event, dev);
}

/* The event of a stream fd has already been checked, and its resources are acquired. */
static int event_init_stream_fd(struct gpuoa_pmu *pmu, struct perf_event *event)
{
	int ret = gpuoa_lifetime_add(pmu, event);

	if (!ret)
		event_fill(event, gpuoa_stream_fd_claim(event));

	return ret;
}

/*
 * Get the registered attributes that the event names by id, with a reference. Return NULL if the
 * event names none.
 */
static struct gpuoa_registered_attr *event_find_registered(struct gpuoa_unit *unit,
							   const struct perf_event_attr *perf)
{
	if (!(perf->config & GPUOA_CONFIG_ATTR_ID_MASK))
		return NULL;
	if (perf->config != GPUOA_CONFIG_ATTR_ID_MASK)
		return ERR_PTR(gpuoa_reject(&unit->dev, -EINVAL, "only attr_id may be set"));

	return gpuoa_attr_table_get(unit, perf->config1);
}

static int event_acquire(struct gpuoa_pmu *pmu, struct perf_event *event,
			 const struct gpuoa_registered_attr *registered)
{
	const struct device *dev = &pmu->unit->dev;
	struct gpuoa_timing timing;
	struct gpuoa_event *ours;
	struct gpuoa_attr attr;
	int ret;

	ret = gpuoa_attr_from_perf(dev, &event->attr, registered ? &registered->attr : NULL, &attr,
				   &timing);
	if (ret)
		return ret;
	/* Samples contain only reports, so without PERF_SAMPLE_RAW they would be empty. */
	if (!attr.counter && !(event->attr.sample_type & PERF_SAMPLE_RAW))
		return gpuoa_reject(dev, -EINVAL, "sampling needs PERF_SAMPLE_RAW");

	ret = gpuoa_lifetime_add(pmu, event);
	if (ret)
		return ret;
	ours = gpuoa_event_new(pmu, &attr, &timing, registered);
	if (IS_ERR(ours)) {
		gpuoa_lifetime_remove(pmu, event);
		return PTR_ERR(ours);
	}
	event_fill(event, ours);

	return 0;
}

/**
 * gpuoa_event_init() - Implement &pmu.event_init.
 * @event: event
 *
 * Context: may sleep
 * Return: 0; -ENOENT if the event is for another PMU; or an error as documented for perf_event_open
 * in uapi/gpuoa.h
 */
static int gpuoa_event_init(struct perf_event *event)
{
	struct gpuoa_registered_attr *registered;
	struct gpuoa_pmu *pmu;
	int ret;

	if (event->attr.type != event->pmu->type)
		return -ENOENT;
	pmu = to_gpuoa_pmu(event->pmu);
	if (gpuoa_stream_fd_has(event))
		return event_init_stream_fd(pmu, event);
	ret = event_check(event);
	if (ret)
		return ret;

	registered = event_find_registered(pmu->unit, &event->attr);
	if (IS_ERR(registered))
		return PTR_ERR(registered);
	ret = event_acquire(pmu, event, registered);
	if (registered)
		gpuoa_registered_attr_put(registered);

	return ret;
}

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
static void gpuoa_pmu_start(struct perf_event *event, int flags)
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

	/*
	 * The counts of all members of a group end with the same report, the last one that was
	 * polled at the start of the transaction.
	 */
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
static void gpuoa_pmu_stop(struct perf_event *event, int flags)
{
	if (to_gpuoa_event(event)->stream->mode->in_area)
		pmu_event_stop(event);
}

/*
 * Check whether an event is active on this CPU, and therefore its stream exists. Called with
 * interrupts disabled. Concurrent writes of @active and @active_cpu by other CPUs do not affect the
 * result.
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
static void gpuoa_pmu_del(struct perf_event *event, int flags)
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
static int gpuoa_pmu_add(struct perf_event *event, int flags)
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
	/* This error occurs only during a migration. gpuoa_lifetime_after_migration() retries. */
	if (ret == -EAGAIN)
		WRITE_ONCE(to_gpuoa_event(event)->rejected, true);
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
static void gpuoa_pmu_disable(struct pmu *core)
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
static void gpuoa_pmu_enable(struct pmu *core)
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

/* Get the first counting member of the group, in the order in which perf reads the members. */
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

/* Check whether the members of the group may be read together. */
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
 * Check whether reading this event polls the unit. All members of a group must be read from the
 * same report, so the unit is polled once, at the start of perf's transaction. Without a
 * transaction (a sample with the counts of the group; before 6.2, a leader of another PMU), the
 * first member to be read polls.
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
static void gpuoa_pmu_read(struct perf_event *event)
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
static void gpuoa_pmu_start_txn(struct pmu *core, unsigned int flags)
{
	struct gpuoa_pmu *pmu = to_gpuoa_pmu(core);

	/*
	 * perf also calls this for a software event that once led a group with an event of this
	 * PMU.
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
static int gpuoa_pmu_commit_txn(struct pmu *core)
{
	to_gpuoa_pmu(core)->reading = false;

	return 0;
}

/**
 * gpuoa_pmu_cancel_txn() - Implement &pmu.cancel_txn: the read of a group was cancelled.
 * @core: PMU
 */
static void gpuoa_pmu_cancel_txn(struct pmu *core)
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
static int gpuoa_pmu_check_period(struct perf_event *event, u64 value)
{
	return -EINVAL;
}

/**
 * DOC: Lifetime of an AUX area
 *
 * perf allocates the pages when the area is mapped. It stops the event and frees the pages after
 * the last unmap, which may be later than the end of the event, because other events can write to
 * the same buffer. The area therefore holds references to the stream, the PMU and the provider's
 * module, but not to the provider: a removed unit unmaps the area.
 *
 * mmap() fails with ENOMEM for every error, because setup_aux() cannot return an errno.
 */

static bool area_fits(const struct gpuoa_stream *stream, u64 size)
{
	const struct gpuoa_oa_ops *oa = stream->unit->oa;

	if (!stream->mode->in_area || size < oa->buffer_size_min || size > oa->buffer_size_max)
		return false;

	/* An area that reports are copied into is not the OABUFFER. */
	return stream->mode->alloc_buffer || !stream->request.buffer_size ||
	       size == stream->request.buffer_size;
}

static struct gpuoa_aux_area *area_alloc(void **memory, unsigned int n_pages)
{
	struct gpuoa_aux_area *area = kzalloc(sizeof(*area), GFP_KERNEL);
	unsigned int i;

	if (!area)
		return NULL;
	area->pages = kvmalloc_array(n_pages, sizeof(*area->pages), GFP_KERNEL);
	if (!area->pages) {
		kfree(area);
		return NULL;
	}

	area->memory = memory;
	area->n_pages = n_pages;
	for (i = 0; i < n_pages; i++)
		area->pages[i] = virt_to_page(memory[i]);

	return area;
}

static void area_release(struct gpuoa_aux_area *area)
{
	kvfree(area->pages);
	kfree(area);
}

/* Use the AUX area as OABUFFER if the stream has no OABUFFER, else for copies of reports. */
static int area_map(struct gpuoa_stream *stream, struct gpuoa_aux_area *area)
{
	int ret = 0;

	if (stream->ended)
		return -ENODEV;
	if (stream->aux.sink.area)
		return -EBUSY;
	if (!stream->mode->alloc_buffer)
		ret = gpuoa_buffer_map(stream, area->pages, area->n_pages);
	if (ret)
		return ret;

	area->stream = stream;
	stream->users++;
	gpuoa_mode_aux_attach(stream, area);

	return 0;
}

/**
 * gpuoa_aux_setup() - Implement &pmu.setup_aux.
 * @event: event
 * @pages: zeroed pages
 * @n_pages: number of @pages, a power of two
 * @overwrite: the mapping is read-only
 *
 * Return: the area, or NULL on failure
 */
static void *gpuoa_aux_setup(struct perf_event *event, void **pages, int n_pages, bool overwrite)
{
	struct gpuoa_stream *stream = to_gpuoa_event(event)->stream;
	struct gpuoa_unit *unit = stream->unit;
	struct gpuoa_aux_area *area;
	int ret;

	if (!area_fits(stream, (u64)n_pages << PAGE_SHIFT))
		return NULL;
	area = area_alloc(pages, n_pages);
	if (!area)
		return NULL;
	area->overwrite = overwrite;
	area->ring = event->rb;

	mutex_lock(&unit->stream_lock);
	ret = area_map(stream, area);
	mutex_unlock(&unit->stream_lock);
	if (ret) {
		area_release(area);
		return NULL;
	}
	/*
	 * The event already holds references to the module and the PMU, so these calls cannot fail.
	 */
	__module_get(unit->owner);
	gpuoa_lifetime_get(unit->pmu);

	return area;
}

/**
 * gpuoa_aux_free() - Implement &pmu.free_aux, after the last unmap.
 * @aux: area; perf has stopped the event and does not start it again
 */
static void gpuoa_aux_free(void *aux)
{
	struct gpuoa_aux_area *area = aux;
	struct gpuoa_stream *stream = area->stream;
	struct gpuoa_unit *unit = stream->unit;

	gpuoa_mode_aux_detach(stream);
	mutex_lock(&unit->stream_lock);
	gpuoa_buffer_unmap(stream);
	mutex_unlock(&unit->stream_lock);
	gpuoa_stream_put(stream, false);
	area_release(area);
	module_put(unit->owner);
	gpuoa_lifetime_put(unit->pmu);
}

/*
 * THIS_MODULE contains the callbacks, so it stays loaded while perf needs them. Events additionally
 * hold the provider's module.
 */
static const struct pmu pmu_template = {
	.module = THIS_MODULE,
	.task_ctx_nr = perf_invalid_context,
	.capabilities = PERF_PMU_CAP_NO_EXCLUDE,
	.pmu_disable = gpuoa_pmu_disable,
	.pmu_enable = gpuoa_pmu_enable,
	.event_init = gpuoa_event_init,
	.add = gpuoa_pmu_add,
	.del = gpuoa_pmu_del,
	.start = gpuoa_pmu_start,
	.stop = gpuoa_pmu_stop,
	.read = gpuoa_pmu_read,
	.start_txn = gpuoa_pmu_start_txn,
	.commit_txn = gpuoa_pmu_commit_txn,
	.cancel_txn = gpuoa_pmu_cancel_txn,
	.check_period = gpuoa_pmu_check_period,
	.setup_aux = gpuoa_aux_setup,
	.free_aux = gpuoa_aux_free,
};

static int pmu_fill(struct gpuoa_pmu *pmu, struct gpuoa_unit *unit)
{
	int ret;

	pmu->unit = unit;
	pmu->names = gpuoa_names_new(unit);
	if (!pmu->names)
		return -ENOMEM;
	ret = gpuoa_sink_raw_init(&pmu->raw);
	if (ret) {
		gpuoa_names_free(pmu->names);
		return ret;
	}

	pmu->groups[0] = &gpuoa_pmu_format_group;
	pmu->groups[1] = &gpuoa_pmu_cpumask_group;
	pmu->groups[2] = gpuoa_names_group(pmu->names);
	pmu->pmu = pmu_template;
	pmu->pmu.attr_groups = pmu->groups;
	gpuoa_compat_pmu_set_parent(&pmu->pmu, unit->dev.parent);
	raw_spin_lock_init(&pmu->active_lock);
	gpuoa_lifetime_init(&pmu->lifetime);
	pmu->cpu = gpuoa_hotplug_choose_cpu();

	return 0;
}

/**
 * gpuoa_pmu_register() - Register the PMU of a unit.
 * @unit: OA unit; @unit->info.pmu is the name of the PMU
 *
 * gpuoa_pmu_free() frees the memory, including after a failure.
 *
 * Return: 0 or a negative errno
 */
int gpuoa_pmu_register(struct gpuoa_unit *unit)
{
	struct gpuoa_pmu *pmu;
	int ret;

	pmu = kzalloc(sizeof(*pmu), GFP_KERNEL);
	if (!pmu)
		return -ENOMEM;
	unit->pmu = pmu;
	ret = pmu_fill(pmu, unit);
	if (ret)
		return ret;

	ret = perf_pmu_register(&pmu->pmu, unit->info.pmu, -1);
	if (ret)
		goto err_sink;
	unit->info.pmu_type = pmu->pmu.type;

	ret = gpuoa_hotplug_add(pmu);
	if (ret)
		goto err_pmu;

	/* The work that retires the PMU releases both references (gpuoa_pmu_lifetime.c). */
	get_device(&unit->dev);
	__module_get(THIS_MODULE);

	return 0;

err_pmu:
	perf_pmu_unregister(&pmu->pmu);
err_sink:
	gpuoa_sink_raw_fini(&pmu->raw);
	gpuoa_names_free(pmu->names);

	return ret;
}

/**
 * gpuoa_pmu_cpu() - Get the CPU of a unit's events.
 * @unit: OA unit. If it was removed, no event can start any more.
 *
 * Context: cpus_read_lock() held
 * Return: CPU of running and future events; it is online
 */
unsigned int gpuoa_pmu_cpu(struct gpuoa_unit *unit)
{
	struct gpuoa_pmu *pmu = unit->pmu;
	unsigned int cpu;

	raw_spin_lock_irq(&pmu->active_lock);
	cpu = pmu->active ? pmu->active_cpu : READ_ONCE(pmu->cpu);
	raw_spin_unlock_irq(&pmu->active_lock);

	return cpu;
}

/**
 * gpuoa_pmu_unregister() - Undo gpuoa_pmu_register().
 * @unit: OA unit, after gpuoa_unit_set_gone()
 *
 * Open events keep the PMU alive until they are closed; every other operation fails.
 *
 * Context: may sleep
 */
void gpuoa_pmu_unregister(struct gpuoa_unit *unit)
{
	gpuoa_hotplug_remove(unit->pmu);
	gpuoa_perf_del_device(&unit->pmu->pmu);
	gpuoa_lifetime_end(unit->pmu);
}

/**
 * gpuoa_pmu_free() - Free the memory of a unit's PMU, if it has one.
 * @unit: OA unit, being released
 */
void gpuoa_pmu_free(struct gpuoa_unit *unit)
{
	kfree(unit->pmu);
}

/**
 * gpuoa_pmu_init() - Initialize the resources shared by all PMUs.
 *
 * Return: 0 or a negative errno
 */
int gpuoa_pmu_init(void)
{
	int ret;

	ret = gpuoa_lifetime_start();
	if (ret)
		return ret;

	ret = gpuoa_hotplug_init();
	if (ret)
		gpuoa_lifetime_exit();

	return ret;
}

/**
 * gpuoa_pmu_exit() - Undo gpuoa_pmu_init().
 */
void gpuoa_pmu_exit(void)
{
	gpuoa_lifetime_exit();
	gpuoa_hotplug_exit();
}
