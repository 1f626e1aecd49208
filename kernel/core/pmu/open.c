// SPDX-License-Identifier: GPL-2.0-only
/* open.c - opening and closing an event of the PMU. */
#include <linux/err.h>
#include <linux/perf_event.h>
#include <linux/slab.h>

#include "event.h"
#include "life.h"
#include "open.h"
#include "pmu.h"
#include "stream/acquire.h"
#include "stream/attr.h"
#include "stream/attr_table.h"
#include "stream/perf_hacks.h"
#include "stream/stream.h"
#include "stream_fd.h"
#include "unit/gpuoa_limits.h"
#include "unit/gpuoa_unit.h"
#include "unit/refuse.h"

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
	/* CPU hotplug accesses events until they are removed. */
	gpuoa_life_remove(to_gpuoa_pmu(event->pmu), event);
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
		gpuoa_sink_aux_init(&stream->aux.sink, event, stream->request.format);
	if (!ours->counts) {
		gpuoa_perf_take_all_samples(event);
		gpuoa_perf_take_pieces(event);
	}
	gpuoa_perf_pin(event);
}

/*
 * The state of the CPU and its task is unrelated to the GPU, and some of it would make a sample
 * longer than 64 KiB. PERF_SAMPLE_IP and _TID are allowed because perf record always requests them.
 */
#define EVENT_SAMPLE_NEVER                                                                     \
	(PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER |            \
	 PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_AUX | PERF_SAMPLE_ADDR | \
	 PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_WEIGHT_TYPE | PERF_SAMPLE_DATA_SRC |              \
	 PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE |   \
	 PERF_SAMPLE_CGROUP)

/*
 * perf also performs both checks, but only after event_init() has acquired resources. They are in
 * perf's order, because an event with exclude_kernel needs less permission.
 */
static int event_check_user(struct perf_event *event, const struct device *dev)
{
	if (event_has_any_exclude_flag(event))
		return gpuoa_refuse(dev, -EINVAL, "a GPU has no exclude_* states");
	if (!gpuoa_may_observe())
		return gpuoa_refuse(dev, -EACCES, "dev.gpuoa.paranoid: events need CAP_PERFMON");

	return 0;
}

/* Check perf's attributes before any resource is acquired. */
static int event_check(struct perf_event *event)
{
	const struct device *dev = &to_gpuoa_pmu(event->pmu)->unit->dev;
	const struct perf_event_attr *attr = &event->attr;

	if (event->cpu < 0 || event->attach_state & PERF_ATTACH_TASK)
		return gpuoa_refuse(dev, -EINVAL, "events are of a CPU, not of a task");
	if (attr->sample_type & EVENT_SAMPLE_NEVER)
		return gpuoa_refuse(dev, -EOPNOTSUPP, "samples hold no state of a CPU");
	if (attr->precise_ip)
		return gpuoa_refuse(dev, -EOPNOTSUPP, "a GPU has no precise_ip");
	if (attr->exclusive || attr->bp_type)
		return gpuoa_refuse(dev, -EINVAL, "exclusive or bp_type is not 0");

	/* perf removes a flexible group at each switch to a task with pinned events. */
	if (event->group_leader != event && !event->group_leader->attr.pinned)
		return gpuoa_refuse(dev, -EINVAL, "the group's leader is not pinned");

	return event_check_user(event, dev);
}

/* The event of a stream fd has already been checked, and its resources are acquired. */
static int event_init_stream_fd(struct gpuoa_pmu *pmu, struct perf_event *event)
{
	int ret = gpuoa_life_add(pmu, event);

	if (!ret)
		event_fill(event, gpuoa_stream_fd_claim(event));

	return ret;
}

/* The registered attributes that the event names, with a reference; NULL: it names none. */
static struct gpuoa_registered_attr *event_find_registered(struct gpuoa_unit *unit,
							   const struct perf_event_attr *perf)
{
	if (!(perf->config & GPUOA_CONFIG_ATTR_ID_MASK))
		return NULL;
	if (perf->config != GPUOA_CONFIG_ATTR_ID_MASK)
		return ERR_PTR(gpuoa_refuse(&unit->dev, -EINVAL, "other bits beside attr_id"));

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
		return gpuoa_refuse(dev, -EINVAL, "sampling needs PERF_SAMPLE_RAW");

	ret = gpuoa_life_add(pmu, event);
	if (ret)
		return ret;
	ours = gpuoa_event_new(pmu, &attr, &timing, registered);
	if (IS_ERR(ours)) {
		gpuoa_life_remove(pmu, event);
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
int gpuoa_event_init(struct perf_event *event)
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
