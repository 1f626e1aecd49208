// SPDX-License-Identifier: GPL-2.0-only
/*
 * acquire.c - an OA unit is acquired, shared and released.
 */
#include <linux/capability.h>
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "attr.h"
#include "count.h"
#include "oa/exponent.h"
#include "oa/metric_set.h"
#include "stream.h"
#include "unit/unit.h"

/**
 * DOC: Streams
 *
 * A unit can measure one thing at a time. Whoever asks first acquires it: memory for the OABUFFER,
 * a GPU that stays awake, MUX and boolean counters programmed. Whoever asks for the same shares it,
 * all others get -EBUSY. All that may sleep happens here, in gpuoa_stream_get() and
 * gpuoa_stream_put(), under &gpuoa_unit.stream_lock.
 *
 * gpuoa_stream_start() and gpuoa_stream_stop() switch OACONTROL and the poll timer. They, the timer
 * and what the host's interrupt brings (half_full.c) run on the unit's CPU with interrupts off.
 * While perf moves events from one CPU to another there are two such CPUs for a moment: hence
 * &gpuoa_stream.lock.
 *
 * perf itself takes events off the PMU and puts them back, within one transaction, to let another
 * event in. What the unit did not write meanwhile is a loss, and is told as such. When a user
 * pauses an event, that is another transaction, and nothing is lost.
 *
 * A unit that goes away takes its stream's hardware along (gpuoa_stream_end() and
 * gpuoa_stream_unplug()). What is left is memory, until the last user lets go of it.
 */

/* What was written last takes effect; i915 and xe wait as long after a whole configuration. */
#define GPUOA_NOA_SETTLE_US 500

/* The largest OABUFFER that nobody asked for. */
#define GPUOA_DEFAULT_BUFFER_MAX SZ_16M

/* ---- what is asked for -------------------------------------------------------------------- */

static void params_release(struct gpuoa_unit *unit, struct gpuoa_stream_params *params)
{
	if (params->context)
		unit->ops->context_put(unit->host, params->context);
	gpuoa_metric_set_put(params->set);
}

/* Whose the context is can't be known from its name alone. */
static int params_name_context(struct gpuoa_unit *unit, const struct gpuoa_attr *attr,
			       struct gpuoa_stream_params *params)
{
	if (!perfmon_capable())
		return -EACCES;
	params->context_id = attr->context & unit->context_mask;
	params->filter = true;

	return 0;
}

static int params_get_context(struct gpuoa_unit *unit, const struct gpuoa_attr *attr,
			      struct gpuoa_stream_params *params)
{
	struct file *file;
	int ret;

	if (!(attr->flags & GPUOA_ATTR_CONTEXT))
		return 0;
	if (!unit->oa->filters_contexts)
		return -EOPNOTSUPP;
	if (attr->flags & GPUOA_ATTR_CONTEXT_HW_ID)
		return params_name_context(unit, attr, params);
	if (unit->oa->needs_context && !unit->ops->context_write)
		return -EOPNOTSUPP;
	params->batches = attr->flags & GPUOA_ATTR_BATCHES;
	if (params->batches && !unit->ops->context_batches)
		return -EOPNOTSUPP;

	file = fget(attr->drm_fd);
	if (!file)
		return -EBADF;
	ret = unit->ops->context_get(unit->host, file, attr->context, &params->context_id,
				     &params->context);
	fput(file);
	params->filter = !ret;

	return ret;
}

/* The registers that a user passes instead of an id. They are as much as a set that is added. */
static struct gpuoa_metric_set *params_inline_set(struct gpuoa_unit *unit,
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

	if (!perfmon_capable())
		return ERR_PTR(-EACCES);

	return gpuoa_metric_set_from_user(unit->oa, &regs);
}

/*
 * Reports in the AUX area are as the hardware put them there: what a filter by software changes,
 * or what is in two pieces, somewhere else in each lap, can't be there.
 */
static int params_check_aux(const struct gpuoa_unit *unit, const struct gpuoa_attr *attr,
			    const struct gpuoa_stream_params *params)
{
	const struct gpuoa_oa_ops *oa = unit->oa;

	if (!params->aux)
		return 0;
	if ((attr->flags & GPUOA_ATTR_CONTEXT) && oa->context_runs)
		return -EOPNOTSUPP;
	if (oa->splits_reports && !is_power_of_2(params->format->size))
		return -EOPNOTSUPP;

	return 0;
}

static u64 period_ns(const struct gpuoa_unit *unit, u32 exponent)
{
	return gpuoa_exponent_period_ns(unit->info.timestamp_frequency, exponent);
}

/* Can no counter wrap twice between two reports? */
static bool exponent_can_count(const struct gpuoa_unit *unit, u32 exponent)
{
	return period_ns(unit, exponent) <= gpuoa_count_period_max(&unit->info);
}

static int params_get_exponent(const struct gpuoa_unit *unit, const struct gpuoa_attr *attr,
			       const struct gpuoa_timing *timing,
			       struct gpuoa_stream_params *params)
{
	const struct gpuoa_timing counting = {
		.period_ns = min_t(u64, GPUOA_COUNT_PERIOD_NS, gpuoa_count_period_max(&unit->info)),
	};
	u64 frequency = unit->info.timestamp_frequency;
	int ret;

	ret = gpuoa_attr_exponent(unit->oa, frequency, attr, attr->counter ? &counting : timing);
	if (ret < 0)
		return ret;
	params->exponent = ret;
	params->any_exponent = attr->counter && !(attr->flags & GPUOA_ATTR_EXPONENT);
	if (attr->counter && !exponent_can_count(unit, params->exponent))
		return -ERANGE;
	if (gpuoa_exponent_faster_than(frequency, params->exponent, gpuoa_max_sample_rate()) &&
	    !perfmon_capable())
		return -EACCES;

	return 0;
}

/* Check what a user asks for, and take all of it that is in the user's memory. */
static int params_init(struct gpuoa_unit *unit, const struct gpuoa_attr *attr,
		       const struct gpuoa_timing *timing, struct gpuoa_stream_params *params)
{
	struct gpuoa_thin thin;
	int ret;

	*params = (struct gpuoa_stream_params){};

	ret = gpuoa_attr_check(unit->oa, attr);
	if (ret)
		return ret;
	params->format = gpuoa_attr_format(unit->oa, attr->format);
	params->buffer_size = attr->buffer_size;
	params->samples = !attr->counter;
	gpuoa_thin_init(&thin, params->format, attr->keep);
	memcpy(params->keep, thin.keep, sizeof(params->keep));
	params->aux = attr->flags & GPUOA_ATTR_AUX;
	ret = params_check_aux(unit, attr, params);
	if (ret)
		return ret;

	ret = params_get_exponent(unit, attr, timing, params);
	if (ret)
		return ret;

	if (!attr->metric_set) {
		params->set = params_inline_set(unit, attr);
		if (IS_ERR(params->set))
			return PTR_ERR(params->set);
	}

	return 0;
}

/* Look up what a user asks for by name. Lets go of all that @params holds if it is not there. */
static int params_find(struct gpuoa_unit *unit, const struct gpuoa_attr *attr,
		       struct gpuoa_stream_params *params)
{
	int ret;

	if (!params->set)
		params->set = gpuoa_registry_get(unit, attr->metric_set);
	if (!params->set)
		return -ENOENT;

	ret = params_get_context(unit, attr, params);
	if (ret)
		gpuoa_metric_set_put(params->set);

	return ret;
}

/* Who asks by name gets no less from a stream that holds the context; not the other way round. */
static bool context_compatible(const struct gpuoa_stream_params *running,
			       const struct gpuoa_stream_params *asked)
{
	return running->filter == asked->filter && running->context_id == asked->context_id &&
	       (!asked->context || running->context == asked->context);
}

/* An inline configuration has no name, so it has no other one. */
static bool uuid_compatible(const struct gpuoa_metric_set *a, const struct gpuoa_metric_set *b)
{
	return !a->uuid[0] || !b->uuid[0] || !strcasecmp(a->uuid, b->uuid);
}

static bool exponent_compatible(const struct gpuoa_unit *unit,
				const struct gpuoa_stream_params *running,
				const struct gpuoa_stream_params *asked)
{
	return running->exponent == asked->exponent ||
	       (asked->any_exponent && exponent_can_count(unit, running->exponent));
}

static bool samples_compatible(const struct gpuoa_stream *stream,
			       const struct gpuoa_stream_params *asked)
{
	return !asked->samples || !stream->samplers ||
	       !memcmp(stream->params.keep, asked->keep, sizeof(asked->keep));
}

static bool params_equal(const struct gpuoa_unit *unit, const struct gpuoa_stream_params *running,
			 const struct gpuoa_stream_params *asked)
{
	/* An AUX area can't be another event's as well. */
	return !running->aux && !asked->aux && gpuoa_metric_set_equal(running->set, asked->set) &&
	       uuid_compatible(running->set, asked->set) &&
	       running->format == asked->format && exponent_compatible(unit, running, asked) &&
	       context_compatible(running, asked) && running->batches == asked->batches &&
	       (!asked->buffer_size || running->buffer_size == asked->buffer_size);
}

/* ---- memory and configuration ------------------------------------------------------------- */

/* A second's worth of reports, as far as the hardware goes. Who wants still more has to ask. */
static u32 stream_default_buffer_size(const struct gpuoa_unit *unit,
				      const struct gpuoa_stream_params *params)
{
	u64 reports = div64_u64(unit->info.timestamp_frequency,
				gpuoa_exponent_ticks(params->exponent));
	u64 bytes = roundup_pow_of_two((reports + 1) * params->format->size);
	u32 max = min_t(u32, unit->oa->buffer_size_max, GPUOA_DEFAULT_BUFFER_MAX);

	return clamp_t(u64, bytes, unit->oa->buffer_size_min, max);
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

/**
 * gpuoa_stream_map - let the GPU see the OABUFFER
 * @stream: the stream
 * @pages: the buffer
 * @n_pages: number of them, a power of two
 *
 * Return: 0, -ERANGE, or what the host says
 */
int gpuoa_stream_map(struct gpuoa_stream *stream, struct page **pages, unsigned int n_pages)
{
	struct gpuoa_unit *unit = stream->unit;
	u32 size = n_pages << PAGE_SHIFT;
	s64 gpu;

	gpu = unit->ops->map(unit->host, pages, n_pages);
	if (gpu < 0)
		return gpu;
	/* The registers that take the address are 32 bits wide. */
	if (gpu + size - 1 > U32_MAX) {
		unit->ops->unmap(unit->host, gpu, n_pages);
		return -ERANGE;
	}

	stream->n_mapped = n_pages;
	stream->hw.buffer = gpu;
	stream->hw.buffer_size = size;

	return 0;
}

/**
 * gpuoa_stream_unmap - undo gpuoa_stream_map()
 * @stream: the stream
 */
void gpuoa_stream_unmap(struct gpuoa_stream *stream)
{
	if (stream->n_mapped)
		stream->unit->ops->unmap(stream->unit->host, stream->hw.buffer, stream->n_mapped);
	stream->n_mapped = 0;
}

/* Make the OABUFFER: zeroed pages, visible to the CPU in one piece and to the GPU in another. */
static int stream_alloc_buffer(struct gpuoa_stream *stream)
{
	const struct gpuoa_format_desc *format = stream->params.format;
	u32 size = stream->params.buffer_size;
	const struct gpuoa_ring_layout layout = {
		.size = size,
		.report_size = format->size,
		.mark_size = 2 * format->header->word,
		.split = stream->unit->oa->splits_reports,
	};
	void *base;
	int ret;

	ret = stream_alloc_pages(stream, size >> PAGE_SHIFT);
	if (ret)
		return ret;

	base = vmap(stream->pages, stream->n_pages, VM_MAP, PAGE_KERNEL);
	if (!base) {
		ret = -ENOMEM;
		goto err_pages;
	}

	ret = gpuoa_stream_map(stream, stream->pages, stream->n_pages);
	if (ret)
		goto err_vmap;
	gpuoa_ring_init(&stream->ring, base, &layout);

	return 0;

err_vmap:
	vunmap(base);
err_pages:
	stream_free_pages(stream);

	return ret;
}

/* What an AUX area has left is perf's to free. */
static void stream_free_buffer(struct gpuoa_stream *stream)
{
	gpuoa_stream_unmap(stream);
	if (stream->params.aux)
		return;
	vunmap(stream->ring.base);
	stream_free_pages(stream);
}

static void stream_init_announcement(struct gpuoa_stream *stream)
{
	struct gpuoa_record_stream *announcement = &stream->announcement;
	const struct gpuoa_stream_params *params = &stream->params;

	strscpy(announcement->uuid, params->set->uuid, sizeof(announcement->uuid));
	announcement->format = params->format->id;
	announcement->exponent = params->exponent;
	announcement->report_size = params->format->size;
	announcement->flags = (params->filter ? GPUOA_ATTR_CONTEXT : 0) |
			      (params->batches ? GPUOA_ATTR_BATCHES : 0) |
			      (params->aux ? GPUOA_ATTR_AUX : 0);
	announcement->info = stream->unit->info;
}

/* Acquire the unit. Takes over what @params holds, on success. */
static int stream_enable_metrics(struct gpuoa_stream *stream)
{
	const struct gpuoa_stream_params *params = &stream->params;
	struct gpuoa_unit *unit = stream->unit;
	int ret;

	ret = unit->oa->enable_metrics(&stream->hw, params->set);
	if (!ret && params->batches)
		ret = unit->ops->context_batches(unit->host, params->context, true);
	if (ret)
		unit->oa->disable_metrics(&stream->hw);
	else
		usleep_range(GPUOA_NOA_SETTLE_US, 2 * GPUOA_NOA_SETTLE_US);

	return ret;
}

static void stream_disable_metrics(struct gpuoa_stream *stream)
{
	const struct gpuoa_stream_params *params = &stream->params;
	struct gpuoa_unit *unit = stream->unit;

	if (params->batches)
		unit->ops->context_batches(unit->host, params->context, false);
	unit->oa->disable_metrics(&stream->hw);
}

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
	stream->params = *params;
	stream->sink = sink;
	stream->stop_epoch = unit->epoch - 1;
	raw_spin_lock_init(&stream->lock);
	INIT_LIST_HEAD(&stream->counts);
	stream->count_stride = gpuoa_count_stride(&unit->info, period_ns(unit, params->exponent));
	if (!stream->params.buffer_size && !params->aux)
		stream->params.buffer_size = stream_default_buffer_size(unit, params);
	stream->hw = (struct gpuoa_hw){
		.oa = unit->oa,
		.ops = unit->ops,
		.host = unit->host,
		.format = params->format,
		.exponent = params->exponent,
		.noa_delay_us = unit->noa_delay_us,
		.filter = params->filter,
		.context = params->context_id,
		.context_mask = unit->context_mask,
		.context_handle = params->context,
	};
	stream->filtered = params->filter && unit->oa->context_runs;
	/* Haswell's reports say not why they were written: there is but one reason. */
	stream->timer_alone = !unit->oa->id && !params->filter;
	gpuoa_pace_init(&stream->pace, unit->info.timestamp_frequency, params->exponent,
			!unit->oa->id && !params->batches);
	gpuoa_filter_init(&stream->filter, &stream->hw);

	ret = unit->ops->get(unit->host);
	if (ret)
		goto err_stream;
	/* An AUX area comes later, by gpuoa_aux_setup(). */
	ret = params->aux ? 0 : stream_alloc_buffer(stream);
	if (ret)
		goto err_host;

	ret = stream_enable_metrics(stream);
	if (ret)
		goto err_buffer;

	stream_init_announcement(stream);
	gpuoa_stream_init_timer(stream);
	gpuoa_half_full_init(stream);
	atomic64_inc(&unit->stats.opens);

	return stream;

err_buffer:
	stream_free_buffer(stream);
err_host:
	unit->ops->put(unit->host);
err_stream:
	kfree(stream);

	return ERR_PTR(ret);
}

/* Give back all that is the host's. */
static void stream_release(struct gpuoa_stream *stream)
{
	struct gpuoa_unit *unit = stream->unit;

	gpuoa_half_full_disable(stream);
	hrtimer_cancel(&stream->timer);
	if (stream->stop_failed)
		dev_err(&unit->dev, "the OA unit did not stop within its time\n");
	stream_disable_metrics(stream);
	stream_free_buffer(stream);
	unit->ops->put(unit->host);
	params_release(unit, &stream->params);
}

/* One user more. The first of those who sample says what of each report they want. */
static void stream_join(struct gpuoa_stream *stream, const struct gpuoa_stream_params *params)
{
	stream->users++;
	if (!params->samples || stream->samplers++)
		return;
	memcpy(stream->params.keep, params->keep, sizeof(params->keep));
	gpuoa_stream_thin(stream, params->keep);
}

/* Acquire the unit, or share it if it is used for the same. Takes over what @params holds. */
static struct gpuoa_stream *stream_get(struct gpuoa_unit *unit, struct gpuoa_stream_params *params,
				       struct gpuoa_sink *sink)
{
	struct gpuoa_stream *stream;

	mutex_lock(&unit->stream_lock);
	stream = unit->stream;
	if (!stream) {
		stream = stream_create(unit, params, sink);
		if (!IS_ERR(stream)) {
			unit->stream = stream;
			gpuoa_half_full_enable(stream);
		} else {
			params_release(unit, params);
		}
	} else {
		if (params_equal(unit, &stream->params, params) &&
		    samples_compatible(stream, params))
			gpuoa_stream_name(stream, params->set->uuid);
		else
			stream = ERR_PTR(-EBUSY);
		params_release(unit, params);
	}
	if (!IS_ERR(stream))
		stream_join(stream, params);
	mutex_unlock(&unit->stream_lock);

	return stream;
}

/**
 * gpuoa_stream_get - acquire a unit, or share it
 * @unit: the unit
 * @attr: what for
 * @timing: how often, if @attr does not say
 * @sink: where reports go; all who share a stream have the same
 *
 * Return: the stream, to be released by gpuoa_stream_put(), or an ERR_PTR as uapi/gpuoa.h documents
 * for perf_event_open
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

	ret = gpuoa_unit_enter(unit);
	if (ret) {
		if (params.set)
			gpuoa_metric_set_put(params.set);
		return ERR_PTR(ret);
	}
	ret = params_find(unit, attr, &params);
	stream = ret ? ERR_PTR(ret) : stream_get(unit, &params, sink);
	gpuoa_unit_leave(unit);

	return stream;
}

/**
 * gpuoa_stream_put - release a unit
 * @stream: the stream, which this caller has stopped
 * @samples: the caller's events sampled
 */
void gpuoa_stream_put(struct gpuoa_stream *stream, bool samples)
{
	struct gpuoa_unit *unit = stream->unit;

	mutex_lock(&unit->stream_lock);
	stream->samplers -= samples;
	if (!--stream->users) {
		if (!stream->ended)
			stream_release(stream);
		unit->stream = NULL;
		kfree(stream);
	}
	mutex_unlock(&unit->stream_lock);
}

static void stream_end(void *stream)
{
	gpuoa_stream_end(stream);
}

/**
 * gpuoa_stream_unplug - take the unit away from those who acquired it
 * @unit: the unit, which nobody can acquire any more
 *
 * They get all reports until now and the news. When this returns nothing holds any resource of the
 * host.
 */
void gpuoa_stream_unplug(struct gpuoa_unit *unit)
{
	/*
	 * Where the events are they stay, for as long as no CPU goes offline. That is taken first:
	 * CPU hotplug waits for locks of perf that perf holds when it calls gpuoa_aux_setup().
	 */
	cpus_read_lock();
	mutex_lock(&unit->stream_lock);
	if (unit->stream)
		smp_call_function_single(gpuoa_pmu_close(unit), stream_end, unit->stream, true);
	cpus_read_unlock();
	if (unit->stream)
		stream_release(unit->stream);
	mutex_unlock(&unit->stream_lock);
}
