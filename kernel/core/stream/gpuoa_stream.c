// SPDX-License-Identifier: GPL-2.0-only
/* gpuoa_stream.c - OA unit in use: acquiring, sharing, reconfiguring and releasing it. */
#include <linux/device.h>
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "gpuoa_count.h"
#include "gpuoa_mode.h"
#include "gpuoa_program.h"
#include "gpuoa_recovery.h"
#include "gpuoa_request.h"
#include "gpuoa_run.h"
#include "gpuoa_stream.h"
#include "oa/gpuoa_metric_set.h"
#include "unit/gpuoa_unit.h"

/**
 * DOC: Reconfiguration in place
 *
 * A stream that is reconfigured keeps its unit, so no other event can acquire it in between.
 * Reports of the old configuration are published first, followed by GPUOA_RECORD_ENABLED and a
 * GPUOA_RECORD_STREAM that describes the new configuration. The unit is programmed by the stream's
 * recovery, as after a reset. An event that is enabled meanwhile also waits for the recovery.
 */

/**
 * stream_owner_init() - Record the current process as the owner of a stream.
 * @stream: stream
 *
 * Context: process that opens the first event
 */
static void stream_owner_init(struct gpuoa_stream *stream)
{
	stream->owner.process = get_pid(task_tgid(current));
	get_task_comm(stream->owner.comm, current->group_leader);
}

/**
 * stream_owner_join() - Record that an event of the current process joins a stream.
 * @stream: stream
 *
 * Context: &gpuoa_unit.stream_lock held
 */
static void stream_owner_join(struct gpuoa_stream *stream)
{
	lockdep_assert_held(&stream->unit->stream_lock);

	if (stream->owner.process != task_tgid(current))
		stream->owner.shares = true;
}

/**
 * stream_owner_fini() - Undo stream_owner_init().
 * @stream: stream
 */
static void stream_owner_fini(struct gpuoa_stream *stream)
{
	put_pid(stream->owner.process);
}

/* Get the number of mapped AUX areas; each is counted as a user. */
static unsigned int mapped_areas(const struct gpuoa_stream *stream)
{
	return stream->mode->in_area && stream->aux.sink.area;
}

static void stream_fill_user(const struct gpuoa_stream *stream, struct gpuoa_user *user)
{
	strscpy(user->uuid, stream->description.uuid, sizeof(user->uuid));
	user->format = stream->description.format;
	user->exponent = stream->description.exponent;
	user->flags = stream->description.flags;
	user->buffer_size = stream->hw.buffer_size;
	user->n_events = stream->users - mapped_areas(stream);
	user->pid = pid_vnr(stream->owner.process);
	if (user->pid)
		strscpy(user->comm, stream->owner.comm, sizeof(user->comm));
}

/**
 * gpuoa_stream_get_user() - Describe the current user of a unit.
 * @unit: OA unit
 * @user: description, output; zeroed if the unit is idle
 *
 * Context: may sleep
 */
void gpuoa_stream_get_user(struct gpuoa_unit *unit, struct gpuoa_user *user)
{
	*user = (struct gpuoa_user){};

	mutex_lock(&unit->stream_lock);
	if (unit->stream)
		stream_fill_user(unit->stream, user);
	mutex_unlock(&unit->stream_lock);
}

/**
 * struct config_change - change of a stream's configuration
 * @stream: stream
 * @set: new configuration; the old one after the change
 */
struct config_change {
	struct gpuoa_stream *stream;
	struct gpuoa_metric_set *set;
};

/* Exchange the configuration of a stream. Called on the unit's CPU with interrupts disabled. */
static void config_change_apply(void *data)
{
	struct config_change *change = data;
	struct gpuoa_stream *stream = change->stream;

	raw_spin_lock(&stream->lock);
	if (!list_empty(&stream->runners) && !stream->ended) {
		gpuoa_recovery_report(stream);
		stream->mode->halt(stream);
		stream->sink->ops->resume(stream->sink, true);
	}
	stream->loss.last_valid = false;
	stream->loss.reported = 0;
	stream->announce_at = 0;
	swap(stream->request.set, change->set);
	strscpy(stream->description.uuid, stream->request.set->uuid,
		sizeof(stream->description.uuid));
	gpuoa_recovery_reprogram(stream);
	raw_spin_unlock(&stream->lock);
}

/* On return, @change holds the previous configuration. */
static int change_config(struct config_change *change, unsigned int cpu)
{
	smp_call_function_single(cpu, config_change_apply, change, true);

	return gpuoa_recovery_finish(change->stream);
}

/* Check whether reports of the old configuration stay in the buffer after a reconfiguration. */
static bool reader_needs_reports(struct gpuoa_stream *stream)
{
	bool quiet;

	raw_spin_lock_irq(&stream->lock);
	quiet = stream->mode->quiet && stream->mode->quiet(stream);
	raw_spin_unlock_irq(&stream->lock);

	return quiet;
}

static int reconfigure_check(const struct gpuoa_unit *unit)
{
	struct gpuoa_stream *stream = unit->stream;

	lockdep_assert_held(&unit->stream_lock);

	if (!stream || stream->released)
		return gpuoa_reject(&unit->dev, -ENXIO, "no event uses the unit");
	if (stream->owner.process != task_tgid(current) || stream->owner.shares)
		return gpuoa_reject(&unit->dev, -EBUSY, "another process also uses the unit");
	if (stream->users - mapped_areas(stream) != stream->samplers)
		return gpuoa_reject(&unit->dev, -EBUSY, "a counting event uses the unit");
	if (reader_needs_reports(stream))
		return gpuoa_reject(&unit->dev, -EOPNOTSUPP,
				    "a flight recorder contains reports of the old set");
	if (unit->suspended)
		return gpuoa_reject(&unit->dev, -EAGAIN, "the GPU is suspended");

	return 0;
}

/**
 * gpuoa_stream_reconfigure() - Change the configuration of a unit in use.
 * @unit: OA unit, after gpuoa_unit_enter()
 * @set: configuration; the caller's reference is always consumed
 * @cpu: CPU of the unit's events
 *
 * If the provider cannot program the unit, the previous configuration is restored.
 *
 * Context: cpus_read_lock() held, may sleep
 * Return: 0, or an error as documented for GPUOA_IOC_RECONFIGURE in uapi/gpuoa.h
 */
int gpuoa_stream_reconfigure(struct gpuoa_unit *unit, struct gpuoa_metric_set *set,
			     unsigned int cpu)
{
	struct config_change change = { .set = set };
	int ret;

	mutex_lock(&unit->stream_lock);
	ret = reconfigure_check(unit);
	if (!ret) {
		change.stream = unit->stream;
		ret = change_config(&change, cpu);
		if (ret)
			change_config(&change, cpu);
		gpuoa_half_full_raise(&change.stream->half_full);
	}
	mutex_unlock(&unit->stream_lock);
	gpuoa_metric_set_put(change.set);

	return ret;
}

/**
 * DOC: Streams
 *
 * A unit has one configuration at a time. The first event acquires the unit: it allocates the
 * OABUFFER, keeps the GPU awake and programs the MUX and the boolean counters. Events with the same
 * configuration share the unit; others get -EBUSY. All steps that may sleep are done in
 * gpuoa_stream_get() and gpuoa_stream_put(), under &gpuoa_unit.stream_lock.
 *
 * gpuoa_stream_start() and gpuoa_stream_stop() switch OACONTROL and the poll timer. They, the timer
 * and the provider's interrupt (gpuoa_half_full.c) run on the unit's CPU with interrupts disabled.
 * While perf migrates events, two CPUs may do so at the same time, so &gpuoa_stream.lock is needed.
 *
 * To schedule another event, perf may remove events from the PMU and add them back within one
 * transaction. Reports missed in between are counted as lost. Pausing an event starts a new
 * transaction; reports missed during a pause are not lost.
 *
 * When a unit is removed, gpuoa_stream_end_on() and gpuoa_stream_detach() release the hardware
 * of its stream. Only its memory remains until the last user releases it.
 */

/* Reports are copied to each reader with interrupts disabled: the limit bounds that time. */
#define GPUOA_READERS_MAX 64

static void stream_init_description(struct gpuoa_stream *stream)
{
	struct gpuoa_record_stream *description = &stream->description;
	const struct gpuoa_request *request = &stream->request;

	strscpy(description->uuid, request->set->uuid, sizeof(description->uuid));
	description->format = request->format->id;
	description->exponent = request->exponent;
	description->report_size = request->format->size;
	description->flags = (request->filter ? GPUOA_ATTR_CONTEXT : 0) |
			     (request->batches ? GPUOA_ATTR_BATCH_BOUNDARY_REPORTS : 0) |
			     request->mode->flags;
	description->info = stream->unit->info;
}

static void stream_init(struct gpuoa_stream *stream, struct gpuoa_unit *unit,
			const struct gpuoa_request *request, struct gpuoa_sink *sink)
{
	stream->unit = unit;
	stream->request = *request;
	stream->mode = request->mode;
	stream->sink = sink;
	stream->stop_epoch = READ_ONCE(unit->epoch) - 1;
	raw_spin_lock_init(&stream->lock);
	INIT_LIST_HEAD(&stream->counts);
	stream->count_stride =
		gpuoa_count_stride(&unit->info, gpuoa_request_period_ns(request, unit));
	stream->hw = (struct gpuoa_hw){
		.oa = unit->oa,
		.ops = unit->ops,
		.provider = unit->provider,
		.format = request->format,
		.exponent = request->exponent,
		.noa_delay_us = unit->noa_delay_us,
		.filter = request->filter,
		.context = request->context_id,
		.context_mask = unit->context_mask,
		.context_handle = request->context,
	};
	stream->filtered = request->filter;
	stream->picky = stream->filtered || unit->oa->id_is_never_0;
	stream->timer_alone = unit->oa->timer_alone && !request->filter;
	gpuoa_poll_interval_init(&stream->interval, unit->info.timestamp_frequency,
				 request->exponent, unit->oa->timer_alone && !request->batches);
	gpuoa_filter_init(&stream->filter, &stream->hw);
	stream_init_description(stream);
	gpuoa_stream_init_run(stream);
}

/* Acquire the provider's resources for a stream. */
static int stream_acquire(struct gpuoa_stream *stream)
{
	struct gpuoa_unit *unit = stream->unit;
	int ret;

	ret = unit->ops->get(unit->provider);
	if (ret)
		return ret;
	ret = gpuoa_program_begin(stream);
	if (ret)
		goto err_provider;
	/* A buffer of the provider exists only after the unit was programmed. */
	ret = stream->mode->alloc_buffer ? stream->mode->alloc_buffer(stream) : 0;
	if (ret)
		goto err_program;
	atomic64_inc(&unit->stats.opens);

	return 0;

err_program:
	gpuoa_program_end(stream);
err_provider:
	unit->ops->put(unit->provider);

	return ret;
}

/* Create the stream of a unit. On success, the stream takes over the references of @request. */
static struct gpuoa_stream *
stream_create(struct gpuoa_unit *unit, const struct gpuoa_request *request, struct gpuoa_sink *sink)
{
	struct gpuoa_stream *stream;
	int ret;

	stream = kzalloc(sizeof(*stream), GFP_KERNEL);
	if (!stream)
		return ERR_PTR(-ENOMEM);

	stream_init(stream, unit, request, sink);
	ret = stream_acquire(stream);
	if (ret) {
		kfree(stream);
		return ERR_PTR(ret);
	}
	stream_owner_init(stream);

	return stream;
}

/* Release the resources of the provider. */
static void stream_release(struct gpuoa_stream *stream)
{
	struct gpuoa_unit *unit = stream->unit;

	lockdep_assert_held(&unit->stream_lock);

	if (stream->released)
		return;
	stream->released = true;
	gpuoa_half_full_disable(&stream->half_full, unit);
	hrtimer_cancel(&stream->timer);
	gpuoa_recovery_cancel(stream);
	gpuoa_recovery_await_stop(stream);
	stream->mode->free_buffer(stream);
	gpuoa_program_end(stream);
	unit->ops->put(unit->provider);
	gpuoa_request_release(&stream->request, unit);
}

static int stream_check_share(const struct gpuoa_stream *stream,
			      const struct gpuoa_request *request)
{
	struct gpuoa_unit *unit = stream->unit;

	if (!gpuoa_request_fits(request, unit, &stream->request))
		return -EBUSY;
	if (stream->samplers && !gpuoa_request_same_dwords(request, &stream->request))
		return gpuoa_reject(&unit->dev, -EBUSY, "another event has a different dword_mask");
	if (request->samples && stream->samplers >= GPUOA_READERS_MAX)
		return gpuoa_reject(&unit->dev, -EUSERS, "the unit has too many readers");

	return 0;
}

/* Let another user share the running stream. Releases @request. */
static struct gpuoa_stream *stream_share(struct gpuoa_stream *stream, struct gpuoa_request *request)
{
	int ret = stream_check_share(stream, request) ?: gpuoa_program_join(stream, request);

	if (!ret)
		gpuoa_stream_set_name(stream, request->set->uuid);
	gpuoa_request_release(request, stream->unit);

	return ret ? ERR_PTR(ret) : stream;
}

/* The first sampling event sets the dword mask. */
static void stream_join(struct gpuoa_stream *stream, const struct gpuoa_request *request)
{
	stream->users++;
	stream_owner_join(stream);
	if (!request->samples || stream->samplers++)
		return;
	memcpy(stream->request.dword_mask, request->dword_mask, sizeof(request->dword_mask));
	gpuoa_stream_set_dword_mask(stream, request->dword_mask);
}

/*
 * Share the stream of a unit, or create it. The references of @request are taken over or released.
 */
static struct gpuoa_stream *stream_get(struct gpuoa_unit *unit, struct gpuoa_request *request,
				       struct gpuoa_sink *sink)
{
	struct gpuoa_stream *stream;

	mutex_lock(&unit->stream_lock);
	if (unit->stream) {
		stream = stream_share(unit->stream, request);
	} else if (unit->suspended) {
		stream = ERR_PTR(gpuoa_reject(&unit->dev, -EAGAIN, "the GPU is suspended"));
		gpuoa_request_release(request, unit);
	} else {
		stream = stream_create(unit, request, sink);
		if (!IS_ERR(stream)) {
			WRITE_ONCE(unit->stream, stream);
			gpuoa_half_full_enable(&stream->half_full, unit);
		} else {
			gpuoa_request_release(request, unit);
		}
	}
	if (!IS_ERR(stream))
		stream_join(stream, request);
	mutex_unlock(&unit->stream_lock);

	return stream;
}

/**
 * gpuoa_stream_get() - Acquire or share a unit.
 * @unit: OA unit
 * @attr: attributes of the event
 * @timing: period or rate, used if @attr has no exponent
 * @registered: registered attributes that @attr is a copy of; NULL: @attr refers to user memory
 * @sink: destination of the reports; the same for all users of a stream
 *
 * Context: may sleep, accesses user memory unless @registered
 * Return: the stream, to be released by gpuoa_stream_put(), or an ERR_PTR as uapi/gpuoa.h documents
 * for perf_event_open
 */
struct gpuoa_stream *gpuoa_stream_get(struct gpuoa_unit *unit, const struct gpuoa_attr *attr,
				      const struct gpuoa_timing *timing,
				      const struct gpuoa_registered_attr *registered,
				      struct gpuoa_sink *sink)
{
	struct gpuoa_request request;
	struct gpuoa_stream *stream;
	int ret;

	ret = gpuoa_request_init(&request, unit, attr, timing, registered);
	if (ret)
		return ERR_PTR(ret);

	ret = gpuoa_unit_enter(unit);
	if (ret) {
		gpuoa_request_drop(&request);
		return ERR_PTR(ret);
	}
	ret = gpuoa_request_find(&request, unit, attr, registered);
	stream = ret ? ERR_PTR(ret) : stream_get(unit, &request, sink);
	gpuoa_unit_leave(unit);

	return stream;
}

/**
 * gpuoa_stream_put() - Release a stream.
 * @stream: stream, stopped by this user
 * @samples: the user's event samples
 *
 * Context: may sleep
 */
void gpuoa_stream_put(struct gpuoa_stream *stream, bool samples)
{
	struct gpuoa_unit *unit = stream->unit;

	mutex_lock(&unit->stream_lock);
	stream->samplers -= samples;
	if (!--stream->users) {
		stream_release(stream);
		WRITE_ONCE(unit->stream, NULL);
		stream_owner_fini(stream);
		kfree(stream);
	}
	mutex_unlock(&unit->stream_lock);
}

static void stream_end(void *stream)
{
	gpuoa_stream_end(stream);
}

/**
 * gpuoa_stream_end_on() - Stop a unit's stream permanently, because the unit is removed.
 * @unit: OA unit, which cannot be acquired any more
 * @cpu: CPU of the unit's events; stays online
 *
 * Readers get the remaining reports and GPUOA_RECORD_DEVICE_REMOVED.
 *
 * Context: cpus_read_lock() held, may sleep. That lock is the outer one: CPU hotplug waits for perf
 * locks that perf holds when it calls gpuoa_aux_setup(), which takes &gpuoa_unit.stream_lock.
 */
void gpuoa_stream_end_on(struct gpuoa_unit *unit, unsigned int cpu)
{
	mutex_lock(&unit->stream_lock);
	if (unit->stream)
		smp_call_function_single(cpu, stream_end, unit->stream, true);
	mutex_unlock(&unit->stream_lock);
}

struct stream_mark_call {
	struct gpuoa_stream *stream;
	struct gpuoa_marker *mark;
	int ret;
};

static void stream_mark(void *data)
{
	struct stream_mark_call *call = data;

	call->ret = gpuoa_stream_mark(call->stream, call->mark);
}

/**
 * gpuoa_stream_add_marker() - Write a marker to the stream of a unit.
 * @unit: OA unit, after gpuoa_unit_enter()
 * @cpu: CPU of the unit's events; stays online
 * @mark: marker; @mark->value is input, the other fields are output
 *
 * Context: cpus_read_lock() held (see gpuoa_stream_end_on()), may sleep
 * Return: 0, or an error as documented for GPUOA_IOC_INSERT_MARKER in uapi/gpuoa.h
 */
int gpuoa_stream_add_marker(struct gpuoa_unit *unit, unsigned int cpu, struct gpuoa_marker *mark)
{
	struct stream_mark_call call = { .mark = mark };
	int ret;

	mutex_lock(&unit->stream_lock);
	call.stream = unit->stream;
	if (!call.stream)
		ret = gpuoa_reject(&unit->dev, -ENODATA, "no event is open");
	else
		ret = smp_call_function_single(cpu, stream_mark, &call, true) ?: call.ret;
	mutex_unlock(&unit->stream_lock);

	return ret;
}

/**
 * gpuoa_stream_detach() - Release the provider's resources of a unit's stream.
 * @unit: OA unit, after gpuoa_stream_end_on()
 *
 * Context: may sleep
 */
void gpuoa_stream_detach(struct gpuoa_unit *unit)
{
	mutex_lock(&unit->stream_lock);
	if (unit->stream)
		stream_release(unit->stream);
	mutex_unlock(&unit->stream_lock);
}

/* Get the unit's stream; NULL if its resources were released. */
static struct gpuoa_stream *stream_of(const struct gpuoa_unit *unit)
{
	lockdep_assert_held(&unit->stream_lock);

	return unit->stream && !unit->stream->released ? unit->stream : NULL;
}

/**
 * gpuoa_stream_reset() - Handle a reset: report it to the reader and reprogram the unit.
 * @unit: OA unit
 *
 * Context: may sleep
 */
void gpuoa_stream_reset(struct gpuoa_unit *unit)
{
	struct gpuoa_stream *stream;

	mutex_lock(&unit->stream_lock);
	stream = stream_of(unit);
	if (stream) {
		gpuoa_recovery_reset(stream);
		gpuoa_half_full_raise(&stream->half_full);
	}
	mutex_unlock(&unit->stream_lock);
}

/**
 * gpuoa_stream_suspend() - Handle a suspend.
 * @unit: OA unit, which is not accessed after return
 *
 * Context: may sleep
 */
void gpuoa_stream_suspend(struct gpuoa_unit *unit)
{
	struct gpuoa_stream *stream;

	mutex_lock(&unit->stream_lock);
	unit->suspended = true;
	stream = stream_of(unit);
	if (stream)
		gpuoa_recovery_suspend(stream);
	mutex_unlock(&unit->stream_lock);
}

/**
 * gpuoa_stream_resume() - Handle a resume.
 * @unit: OA unit
 *
 * Context: may sleep
 * Return: 0 or an error of the provider from programming the unit
 */
int gpuoa_stream_resume(struct gpuoa_unit *unit)
{
	struct gpuoa_stream *stream;
	int ret = 0;

	mutex_lock(&unit->stream_lock);
	unit->suspended = false;
	stream = stream_of(unit);
	if (stream) {
		ret = gpuoa_recovery_resume(stream);
		gpuoa_half_full_raise(&stream->half_full);
	}
	mutex_unlock(&unit->stream_lock);

	return ret;
}
