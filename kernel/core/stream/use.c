// SPDX-License-Identifier: GPL-2.0-only
/* use.c - user of a unit, and reconfiguration of a unit in use. */
#include <linux/lockdep.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "mode.h"
#include "oa/metric_set.h"
#include "recovery.h"
#include "run.h"
#include "sink.h"
#include "stream.h"
#include "unit/gpuoa_unit.h"
#include "use.h"

/**
 * DOC: Reconfiguration in place
 *
 * A stream that is reconfigured keeps its unit, so no other event can acquire it in between.
 * Reports of the old configuration are published first, followed by GPUOA_RECORD_ENABLED and a
 * GPUOA_RECORD_STREAM that describes the new configuration. The unit is programmed by the stream's
 * recovery, as after a reset. An event that is enabled meanwhile also waits for the recovery.
 */

/**
 * gpuoa_use_begin() - Record the current process as the owner of a stream.
 * @stream: stream
 *
 * Context: process that opens the first event
 */
void gpuoa_use_begin(struct gpuoa_stream *stream)
{
	stream->owner.process = get_pid(task_tgid(current));
	get_task_comm(stream->owner.comm, current->group_leader);
}

/**
 * gpuoa_use_join() - Record that an event of the current process joins a stream.
 * @stream: stream
 *
 * Context: &gpuoa_unit.stream_lock held
 */
void gpuoa_use_join(struct gpuoa_stream *stream)
{
	lockdep_assert_held(&stream->unit->stream_lock);

	if (stream->owner.process != task_tgid(current))
		stream->owner.shares = true;
}

/**
 * gpuoa_use_end() - Undo gpuoa_use_begin().
 * @stream: stream
 */
void gpuoa_use_end(struct gpuoa_stream *stream)
{
	put_pid(stream->owner.process);
}

/* Number of mapped AUX areas; each is counted as a user. */
static unsigned int use_areas(const struct gpuoa_stream *stream)
{
	return stream->mode->in_area && stream->aux.sink.area;
}

static void use_fill(const struct gpuoa_stream *stream, struct gpuoa_user *use)
{
	strscpy(use->uuid, stream->description.uuid, sizeof(use->uuid));
	use->format = stream->description.format;
	use->exponent = stream->description.exponent;
	use->flags = stream->description.flags;
	use->buffer_size = stream->hw.buffer_size;
	use->n_events = stream->users - use_areas(stream);
	use->pid = pid_vnr(stream->owner.process);
	if (use->pid)
		strscpy(use->comm, stream->owner.comm, sizeof(use->comm));
}

/**
 * gpuoa_use_tell() - Describe the current user of a unit.
 * @unit: OA unit
 * @use: description, output; zeroed if the unit is idle
 *
 * Context: may sleep
 */
void gpuoa_use_tell(struct gpuoa_unit *unit, struct gpuoa_user *use)
{
	*use = (struct gpuoa_user){};

	mutex_lock(&unit->stream_lock);
	if (unit->stream)
		use_fill(unit->stream, use);
	mutex_unlock(&unit->stream_lock);
}

/**
 * struct use_switch - change of a stream's configuration
 * @stream: stream
 * @set: new configuration; the old one after the change
 */
struct use_switch {
	struct gpuoa_stream *stream;
	struct gpuoa_metric_set *set;
};

/* Runs on the unit's CPU with interrupts disabled. */
static void use_switch_set(void *data)
{
	struct use_switch *change = data;
	struct gpuoa_stream *stream = change->stream;

	raw_spin_lock(&stream->lock);
	if (!list_empty(&stream->runners) && !stream->ended) {
		gpuoa_recovery_report(stream);
		stream->mode->halt(stream);
		stream->sink->ops->resume(stream->sink, true);
	}
	stream->loss.last_valid = false;
	stream->loss.told = 0;
	stream->announce_at = 0;
	swap(stream->request.set, change->set);
	strscpy(stream->description.uuid, stream->request.set->uuid,
		sizeof(stream->description.uuid));
	gpuoa_recovery_reprogram(stream);
	raw_spin_unlock(&stream->lock);
}

/* On return, @change holds the previous configuration. */
static int use_switch(struct use_switch *change, unsigned int cpu)
{
	smp_call_function_single(cpu, use_switch_set, change, true);

	return gpuoa_recovery_finish(change->stream);
}

/* True if reports of the old configuration stay in the buffer after a reconfiguration. */
static bool use_keeps_reports(struct gpuoa_stream *stream)
{
	bool quiet;

	raw_spin_lock_irq(&stream->lock);
	quiet = stream->mode->quiet && stream->mode->quiet(stream);
	raw_spin_unlock_irq(&stream->lock);

	return quiet;
}

static int use_check(const struct gpuoa_unit *unit)
{
	struct gpuoa_stream *stream = unit->stream;

	lockdep_assert_held(&unit->stream_lock);

	if (!stream || stream->released)
		return gpuoa_reject(&unit->dev, -ENXIO, "no event has the unit");
	if (stream->owner.process != task_tgid(current) || stream->owner.shares)
		return gpuoa_reject(&unit->dev, -EBUSY, "another process has the unit, too");
	if (stream->users - use_areas(stream) != stream->samplers)
		return gpuoa_reject(&unit->dev, -EBUSY, "an event counts");
	if (use_keeps_reports(stream))
		return gpuoa_reject(&unit->dev, -EOPNOTSUPP,
				    "a flight recorder has reports of before");
	if (unit->suspended)
		return gpuoa_reject(&unit->dev, -EAGAIN, "the GPU is suspended");

	return 0;
}

/**
 * gpuoa_use_reconfigure() - Change the configuration of a unit in use.
 * @unit: OA unit, entered
 * @set: configuration; the caller's reference is always consumed
 * @cpu: CPU of the unit's events
 *
 * If the provider cannot program the unit, the previous configuration is restored.
 *
 * Context: cpus_read_lock() held, may sleep
 * Return: 0, or an error as documented for GPUOA_IOC_RECONFIGURE in uapi/gpuoa.h
 */
int gpuoa_use_reconfigure(struct gpuoa_unit *unit, struct gpuoa_metric_set *set, unsigned int cpu)
{
	struct use_switch change = { .set = set };
	int ret;

	mutex_lock(&unit->stream_lock);
	ret = use_check(unit);
	if (!ret) {
		change.stream = unit->stream;
		ret = use_switch(&change, cpu);
		if (ret)
			use_switch(&change, cpu);
		gpuoa_half_full_raise(&change.stream->half_full);
	}
	mutex_unlock(&unit->stream_lock);
	gpuoa_metric_set_put(change.set);

	return ret;
}
