// SPDX-License-Identifier: GPL-2.0-only
/*
 * stream.c - an OA unit in use: from the configuration to the reports.
 */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/hrtimer.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include <gpuoa_compat.h>

#include "attr.h"
#include "exponent.h"
#include "metric_set.h"
#include "oa.h"
#include "ring.h"
#include "sink.h"
#include "stream.h"
#include "unit.h"

/**
 * DOC: Streams
 *
 * A unit can measure one thing at a time. Whoever asks first acquires it: memory for the OABUFFER, a GPU
 * that stays awake, MUX and boolean counters programmed. Whoever asks for the same shares it, all others
 * get -EBUSY. All that may sleep happens here, in gpuoa_stream_get() and gpuoa_stream_put(), under
 * &gpuoa_unit.stream_lock.
 *
 * gpuoa_stream_start() and gpuoa_stream_stop() switch OACONTROL and the poll timer. They and the timer run
 * on the unit's CPU with interrupts off: that serializes them, there is no other lock.
 *
 * perf itself takes events off the PMU and puts them back, within one transaction, to let another event
 * in. What the unit did not write meanwhile is a loss, and is told as such. When a user pauses an event,
 * that is another transaction, and nothing is lost.
 */

/* How long the MUX needs to settle; i915 waits as long. */
#define GPUOA_NOA_SETTLE_US 500

/* The poll timer's period: at most, and at least. */
#define GPUOA_POLL_MAX_NS (5 * NSEC_PER_MSEC)
#define GPUOA_POLL_MIN_NS (500 * NSEC_PER_USEC)

/* Reports that one tick of the poll timer hands on at most: it runs with interrupts off. */
#define GPUOA_POLL_BUDGET 4096

/* When that was not enough, the next tick comes as soon as this. */
#define GPUOA_POLL_BUSY_NS (100 * NSEC_PER_USEC)

/* How often a stream describes itself to those who begin to listen late. */
#define GPUOA_ANNOUNCE_NS NSEC_PER_SEC

/**
 * struct gpuoa_stream_params - what makes two users' wishes equal
 * @set: metric configuration, with a reference
 * @format: report format
 * @exponent: timer exponent
 * @buffer_size: bytes of the OABUFFER; 0: any
 * @filter: count for one context only
 * @context_id: hardware id of that context
 * @context: the host's handle of it, held
 */
struct gpuoa_stream_params {
	struct gpuoa_metric_set *set;
	const struct gpuoa_format_desc *format;
	u32 exponent;
	u32 buffer_size;
	bool filter;
	u64 context_id;
	void *context;
};

/**
 * struct gpuoa_stream - an OA unit in use
 * @unit: the unit
 * @users: how many acquired it; protected by &gpuoa_unit.stream_lock
 * @params: what they asked for
 * @sink: where reports go
 * @announcement: what the stream says of itself
 * @pages: pages of the OABUFFER
 * @n_pages: number of them
 * @hw: the unit as its backend sees it
 * @ring: the OABUFFER as the CPU sees it
 * @runners: how many started it
 * @timer: polls for reports
 * @poll_ns: its period
 * @announce_at: when to announce next, CLOCK_MONOTONIC ns; 0: at once
 * @forwarded: reports handed on since the unit was acquired
 * @stop_epoch: &gpuoa_unit.epoch when it was stopped
 * @last_valid: @last holds a timestamp
 * @last: timestamp of the last timer report
 * @gap_pending: type of a loss that the next report's timestamp will measure, or 0
 * @lost_latched: the hardware's report-lost bit was seen since the last start
 */
struct gpuoa_stream {
	struct gpuoa_unit *unit;
	unsigned int users;
	struct gpuoa_stream_params params;
	struct gpuoa_sink *sink;
	struct gpuoa_record_stream announcement;

	struct page **pages;
	unsigned int n_pages;
	struct gpuoa_hw hw;
	struct gpuoa_ring ring;

	unsigned int runners;
	struct hrtimer timer;
	u64 poll_ns;
	u64 announce_at;

	u64 forwarded;
	u32 stop_epoch;
	bool last_valid;
	u64 last;
	u32 gap_pending;
	bool lost_latched;
};

/* ---- reports ------------------------------------------------------------------------------ */

static void stream_lost(struct gpuoa_stream *stream, u32 type, u64 count)
{
	if (count != GPUOA_LOST_UNKNOWN)
		atomic64_add(count, &stream->unit->stats.reports_lost);
	stream->sink->ops->lost(stream->sink, type, count);
}

/*
 * How many timer reports are missing right before this one? Its timestamp tells, unless a context filter
 * leaves out reports by intent, or the period is as long as the timestamp's wrap.
 */
static u64 stream_missing_before(struct gpuoa_stream *stream, const void *report)
{
	const struct gpuoa_oa_ops *oa = stream->unit->oa;
	u64 mask = GENMASK_ULL(oa->timestamp_bits - 1, 0);
	u32 shift = stream->hw.exponent + 1;
	u64 timestamp, missing = 0;

	if (stream->hw.filter || shift >= oa->timestamp_bits ||
	    !oa->is_timer_report(&stream->hw, report))
		return 0;

	timestamp = oa->timestamp(report);
	if (stream->last_valid)
		missing = (((timestamp - stream->last) & mask) >> shift) - 1;
	stream->last = timestamp;
	stream->last_valid = true;

	return missing;
}

/* Hand on @count reports that stand in one piece, and tell of gaps between them. */
static void stream_forward(struct gpuoa_stream *stream, const void *reports, u32 count)
{
	const struct gpuoa_sink_ops *ops = stream->sink->ops;
	u32 size = stream->ring.report_size;
	u32 begin = 0, i;
	u64 missing;

	for (i = 0; i < count; i++) {
		missing = stream_missing_before(stream, reports + i * size);
		if (!missing)
			continue;

		ops->reports(stream->sink, reports + begin * size, size, i - begin,
			     stream->forwarded + begin);
		begin = i;
		stream_lost(stream, stream->gap_pending ?: GPUOA_RECORD_REPORTS_LOST, missing);
		stream->gap_pending = 0;
	}
	ops->reports(stream->sink, reports + begin * size, size, count - begin,
		     stream->forwarded + begin);

	stream->forwarded += count;
	atomic64_add(count, &stream->unit->stats.reports_forwarded);
}

/* Hand on up to @count landed reports and give their slots back. */
static void stream_drain(struct gpuoa_stream *stream, u32 count)
{
	const void *reports;
	u32 n;

	if (!count)
		return;

	while (count) {
		reports = gpuoa_ring_peek(&stream->ring, &n);
		n = min(n, count);
		stream_forward(stream, reports, n);
		gpuoa_ring_consume(&stream->ring, n);
		count -= n;
	}
	stream->unit->oa->set_head(&stream->hw, stream->ring.head);
}

static void stream_announce(struct gpuoa_stream *stream)
{
	struct gpuoa_clock clock = { .clock_id = CLOCK_MONOTONIC };

	gpuoa_unit_clock(stream->unit, &clock);
	if (clock.cpu_ns < stream->announce_at)
		return;

	stream->announce_at = clock.cpu_ns + GPUOA_ANNOUNCE_NS;
	stream->sink->ops->announce(stream->sink, &stream->announcement, &clock);
}

static void stream_hw_stop(struct gpuoa_stream *stream)
{
	if (stream->unit->oa->stop(&stream->hw))
		dev_err_ratelimited(&stream->unit->dev, "OA unit does not stop\n");
}

static void stream_hw_start(struct gpuoa_stream *stream)
{
	stream->lost_latched = false;
	stream->unit->oa->start(&stream->hw);
}

/*
 * A loss whose size the next report can't tell is reported at once. Otherwise remember it: the timestamps
 * around the gap will tell its size, and its place is known then too.
 */
static void stream_note_loss(struct gpuoa_stream *stream, u32 type)
{
	if (stream->last_valid)
		stream->gap_pending = type;
	else
		stream_lost(stream, type, GPUOA_LOST_UNKNOWN);
}

/* The hardware may have overwritten what was not read yet: all of that is lost. */
static void stream_restart(struct gpuoa_stream *stream)
{
	atomic64_inc(&stream->unit->stats.overflows);
	stream_note_loss(stream, GPUOA_RECORD_BUFFER_OVERFLOW);

	stream_hw_stop(stream);
	gpuoa_ring_clear(&stream->ring);
	stream_hw_start(stream);
}

/* One look at the unit. Returns how many landed reports are left for the next one. */
static u32 stream_poll(struct gpuoa_stream *stream)
{
	struct gpuoa_hw_status status;
	u32 count = 0, budget = 0;

	stream_announce(stream);

	stream->unit->oa->status(&stream->hw, &status);
	if (status.overflow) {
		stream_restart(stream);
	} else {
		if (status.lost && !stream->lost_latched) {
			stream->lost_latched = true;
			stream_note_loss(stream, GPUOA_RECORD_REPORTS_LOST);
		}
		count = gpuoa_ring_update(&stream->ring, status.tail);
		budget = min_t(u32, count, GPUOA_POLL_BUDGET);
		stream_drain(stream, budget);
	}
	stream->sink->ops->flush(stream->sink);

	return count - budget;
}

static enum hrtimer_restart stream_timer(struct hrtimer *timer)
{
	struct gpuoa_stream *stream = container_of(timer, struct gpuoa_stream, timer);
	u32 left = stream_poll(stream);

	hrtimer_forward_now(timer, ns_to_ktime(left ? GPUOA_POLL_BUSY_NS : stream->poll_ns));

	return HRTIMER_RESTART;
}

/* The last look, after the unit was stopped: everything has landed. */
static void stream_poll_stopped(struct gpuoa_stream *stream)
{
	struct gpuoa_hw_status status;

	stream->unit->oa->status(&stream->hw, &status);
	if (status.overflow) {
		atomic64_inc(&stream->unit->stats.overflows);
		stream_lost(stream, GPUOA_RECORD_BUFFER_OVERFLOW, GPUOA_LOST_UNKNOWN);
		stream->gap_pending = 0;
		gpuoa_ring_clear(&stream->ring);
	} else {
		if (status.lost && !stream->lost_latched)
			stream_note_loss(stream, GPUOA_RECORD_REPORTS_LOST);
		stream_drain(stream, gpuoa_ring_update_idle(&stream->ring, status.tail));
		if (stream->gap_pending)
			stream_lost(stream, stream->gap_pending, GPUOA_LOST_UNKNOWN);
		stream->gap_pending = 0;
		gpuoa_ring_rewind(&stream->ring);
	}
	stream->sink->ops->flush(stream->sink);
}

/**
 * gpuoa_stream_start - begin to sample, or join in
 * @stream: the stream
 *
 * Context: on the unit's CPU, interrupts off
 */
void gpuoa_stream_start(struct gpuoa_stream *stream)
{
	stream->announce_at = 0;
	if (stream->runners++)
		return;

	if (stream->stop_epoch != stream->unit->epoch)
		stream->last_valid = false;
	stream_hw_start(stream);
	hrtimer_start(&stream->timer, ns_to_ktime(stream->poll_ns), HRTIMER_MODE_REL_PINNED_HARD);
}

/**
 * gpuoa_stream_stop - end to sample, or leave
 * @stream: the stream
 *
 * Hands on all reports until now first.
 *
 * Context: on the unit's CPU, interrupts off
 */
void gpuoa_stream_stop(struct gpuoa_stream *stream)
{
	if (--stream->runners) {
		stream_poll(stream);
		return;
	}

	stream->stop_epoch = stream->unit->epoch;
	hrtimer_cancel(&stream->timer);
	stream_announce(stream);
	stream_hw_stop(stream);
	stream_poll_stopped(stream);
}

/* ---- what is asked for -------------------------------------------------------------------- */

static void params_release(struct gpuoa_unit *unit, struct gpuoa_stream_params *params)
{
	if (params->filter)
		unit->ops->context_put(unit->host, params->context);
	gpuoa_metric_set_put(params->set);
}

static int params_get_context(struct gpuoa_unit *unit, const struct gpuoa_attr *attr,
			      struct gpuoa_stream_params *params)
{
	struct file *file;
	int ret;

	if (!(attr->flags & GPUOA_ATTR_CONTEXT))
		return 0;

	file = fget(attr->drm_fd);
	if (!file)
		return -EBADF;
	ret = unit->ops->context_get(unit->host, file, attr->context, &params->context_id,
				     &params->context);
	fput(file);
	params->filter = !ret;

	return ret;
}

static struct gpuoa_metric_set *params_get_set(struct gpuoa_unit *unit,
					       const struct gpuoa_attr *attr)
{
	const struct gpuoa_user_regs regs = {
		.mux = attr->mux,
		.boolean = attr->boolean,
		.flex = attr->flex,
		.n_mux = attr->n_mux,
		.n_boolean = attr->n_boolean,
		.n_flex = attr->n_flex,
	};
	struct gpuoa_metric_set *set;

	if (!attr->metric_set)
		return gpuoa_metric_set_from_user(unit->oa, &regs);

	set = gpuoa_registry_get(unit, attr->metric_set);

	return set ?: ERR_PTR(-ENOENT);
}

/* Check and look up what a user asks for. */
static int params_init(struct gpuoa_unit *unit, const struct gpuoa_attr *attr,
		       const struct gpuoa_timing *timing, struct gpuoa_stream_params *params)
{
	u64 frequency = unit->info.timestamp_frequency;
	int ret;

	*params = (struct gpuoa_stream_params){};

	ret = gpuoa_attr_check(unit->oa, attr);
	if (ret)
		return ret;
	params->format = gpuoa_attr_format(unit->oa, attr->format);
	params->buffer_size = attr->buffer_size;

	ret = gpuoa_attr_exponent(unit->oa, frequency, attr, timing);
	if (ret < 0)
		return ret;
	params->exponent = ret;
	if (gpuoa_exponent_faster_than(frequency, params->exponent, gpuoa_max_sample_rate()) &&
	    !perfmon_capable())
		return -EACCES;

	params->set = params_get_set(unit, attr);
	if (IS_ERR(params->set))
		return PTR_ERR(params->set);

	ret = params_get_context(unit, attr, params);
	if (ret)
		gpuoa_metric_set_put(params->set);

	return ret;
}

static bool params_equal(const struct gpuoa_stream_params *running,
			 const struct gpuoa_stream_params *asked)
{
	return gpuoa_metric_set_equal(running->set, asked->set) &&
	       running->format == asked->format && running->exponent == asked->exponent &&
	       running->filter == asked->filter && running->context_id == asked->context_id &&
	       (!asked->buffer_size || running->buffer_size == asked->buffer_size);
}

/* ---- memory and configuration ------------------------------------------------------------- */

/* A second's worth of reports, as far as the hardware goes. */
static u32 stream_default_buffer_size(const struct gpuoa_unit *unit,
				      const struct gpuoa_stream_params *params)
{
	u64 reports = div64_u64(unit->info.timestamp_frequency,
				gpuoa_exponent_ticks(params->exponent));
	u64 bytes = roundup_pow_of_two((reports + 1) * params->format->size);

	return clamp_t(u64, bytes, unit->oa->buffer_size_min, unit->oa->buffer_size_max);
}

static void stream_free_pages(struct gpuoa_stream *stream)
{
	unsigned int i;

	for (i = 0; i < stream->n_pages; i++)
		__free_page(stream->pages[i]);
	kvfree(stream->pages);
}

static int stream_alloc_pages(struct gpuoa_stream *stream, unsigned int n_pages)
{
	stream->pages = kvcalloc(n_pages, sizeof(*stream->pages), GFP_KERNEL);
	if (!stream->pages)
		return -ENOMEM;

	for (; stream->n_pages < n_pages; stream->n_pages++) {
		stream->pages[stream->n_pages] = alloc_page(GFP_KERNEL | __GFP_ZERO);
		if (!stream->pages[stream->n_pages]) {
			stream_free_pages(stream);
			return -ENOMEM;
		}
	}

	return 0;
}

/* Make the OABUFFER: zeroed pages, visible to the CPU in one piece and to the GPU in another. */
static int stream_alloc_buffer(struct gpuoa_stream *stream)
{
	struct gpuoa_unit *unit = stream->unit;
	u32 size = stream->params.buffer_size;
	void *base;
	s64 gpu;
	int ret;

	ret = stream_alloc_pages(stream, size >> PAGE_SHIFT);
	if (ret)
		return ret;

	base = vmap(stream->pages, stream->n_pages, VM_MAP, PAGE_KERNEL);
	if (!base) {
		ret = -ENOMEM;
		goto err_pages;
	}

	gpu = unit->ops->map(unit->host, stream->pages, stream->n_pages);
	if (gpu < 0) {
		ret = gpu;
		goto err_vmap;
	}

	stream->hw.buffer = gpu;
	stream->hw.buffer_size = size;
	gpuoa_ring_init(&stream->ring, base, size, stream->params.format->size);

	return 0;

err_vmap:
	vunmap(base);
err_pages:
	stream_free_pages(stream);

	return ret;
}

static void stream_free_buffer(struct gpuoa_stream *stream)
{
	struct gpuoa_unit *unit = stream->unit;

	unit->ops->unmap(unit->host, stream->hw.buffer, stream->n_pages);
	vunmap(stream->ring.base);
	stream_free_pages(stream);
}

static void stream_init_timer(struct gpuoa_stream *stream)
{
	u64 period = gpuoa_exponent_period_ns(stream->unit->info.timestamp_frequency,
					      stream->params.exponent);
	u64 quarter = stream->ring.size / stream->ring.report_size / 4 * period;

	stream->poll_ns = clamp_t(u64, quarter, GPUOA_POLL_MIN_NS, GPUOA_POLL_MAX_NS);
	hrtimer_setup(&stream->timer, stream_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
}

static void stream_init_announcement(struct gpuoa_stream *stream)
{
	struct gpuoa_record_stream *announcement = &stream->announcement;
	const struct gpuoa_stream_params *params = &stream->params;

	strscpy(announcement->uuid, params->set->uuid, sizeof(announcement->uuid));
	announcement->format = params->format->id;
	announcement->exponent = params->exponent;
	announcement->report_size = params->format->size;
	announcement->flags = params->filter ? GPUOA_ATTR_CONTEXT : 0;
	announcement->info = stream->unit->info;
}

/* Acquire the unit. Takes over what @params holds, on success. */
static struct gpuoa_stream *stream_create(struct gpuoa_unit *unit,
					  const struct gpuoa_stream_params *params,
					  struct gpuoa_sink *sink)
{
	struct gpuoa_stream *stream;
	int ret;

	stream = kzalloc(sizeof(*stream), GFP_KERNEL);
	if (!stream)
		return ERR_PTR(-ENOMEM);
	stream->unit = unit;
	stream->users = 1;
	stream->params = *params;
	stream->sink = sink;
	if (!stream->params.buffer_size)
		stream->params.buffer_size = stream_default_buffer_size(unit, params);
	stream->hw = (struct gpuoa_hw){
		.ops = unit->ops,
		.host = unit->host,
		.format = params->format,
		.exponent = params->exponent,
		.filter = params->filter,
		.context = params->context_id,
	};

	ret = unit->ops->get(unit->host);
	if (ret)
		goto err_stream;
	ret = stream_alloc_buffer(stream);
	if (ret)
		goto err_host;

	unit->oa->enable_metrics(&stream->hw, params->set);
	usleep_range(GPUOA_NOA_SETTLE_US, 2 * GPUOA_NOA_SETTLE_US);

	stream_init_announcement(stream);
	stream_init_timer(stream);
	atomic64_inc(&unit->stats.opens);

	return stream;

err_host:
	unit->ops->put(unit->host);
err_stream:
	kfree(stream);

	return ERR_PTR(ret);
}

static void stream_destroy(struct gpuoa_stream *stream)
{
	struct gpuoa_unit *unit = stream->unit;

	unit->oa->disable_metrics(&stream->hw);
	stream_free_buffer(stream);
	unit->ops->put(unit->host);
	params_release(unit, &stream->params);
	kfree(stream);
}

/**
 * gpuoa_stream_get - acquire a unit, or share it
 * @unit: the unit
 * @attr: what for
 * @timing: how often, if @attr does not say
 * @sink: where reports go; all who share a stream have the same
 *
 * Return: the stream, to be released by gpuoa_stream_put(), or an ERR_PTR as uapi/gpuoa.h documents for
 * perf_event_open
 */
struct gpuoa_stream *gpuoa_stream_get(struct gpuoa_unit *unit, const struct gpuoa_attr *attr,
				      const struct gpuoa_timing *timing, struct gpuoa_sink *sink)
{
	struct gpuoa_stream_params params;
	struct gpuoa_stream *stream;
	int ret;

	ret = params_init(unit, attr, timing, &params);
	if (ret)
		return ERR_PTR(ret);

	mutex_lock(&unit->stream_lock);
	stream = unit->stream;
	if (!stream) {
		stream = stream_create(unit, &params, sink);
		if (!IS_ERR(stream))
			unit->stream = stream;
		else
			params_release(unit, &params);
	} else {
		if (params_equal(&stream->params, &params))
			stream->users++;
		else
			stream = ERR_PTR(-EBUSY);
		params_release(unit, &params);
	}
	mutex_unlock(&unit->stream_lock);

	return stream;
}

/**
 * gpuoa_stream_put - release a unit
 * @stream: the stream, which this caller has stopped
 */
void gpuoa_stream_put(struct gpuoa_stream *stream)
{
	struct gpuoa_unit *unit = stream->unit;

	mutex_lock(&unit->stream_lock);
	if (!--stream->users) {
		unit->stream = NULL;
		stream_destroy(stream);
	}
	mutex_unlock(&unit->stream_lock);
}
