// SPDX-License-Identifier: GPL-2.0-only
/*
 * gpuoa_program.c - programming a unit for a stream, by its backend or by the provider, and the
 * memory of its OABUFFER: allocated here or by perf and mapped for the GPU, or owned by the
 * provider.
 */
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "gpuoa_mode.h"
#include "gpuoa_program.h"
#include "gpuoa_recovery.h"
#include "gpuoa_stream.h"
#include "oa/gpuoa_metric_set.h"
#include "oa/gpuoa_oa.h"
#include "oa/gpuoa_report.h"
#include "unit/gpuoa_unit.h"

/* Time until the last writes take effect; i915 and xe wait as long after a configuration. */
#define GPUOA_NOA_SETTLE_US 500

/* Program the unit by the backend. */
static int program_by_backend(struct gpuoa_stream *stream)
{
	struct gpuoa_unit *unit = stream->unit;
	int ret;

	ret = unit->oa->enable_metrics(&stream->hw, stream->request.set);
	if (ret)
		unit->oa->disable_metrics(&stream->hw);
	else
		usleep_range(GPUOA_NOA_SETTLE_US, 2 * GPUOA_NOA_SETTLE_US);

	return ret;
}

static struct gpuoa_provider_config provider_config(const struct gpuoa_request *request)
{
	return (struct gpuoa_provider_config){
		.mux = request->set->mux,
		.boolean = request->set->boolean,
		.format = request->format->id,
		.report_size = request->format->size,
		.exponent = request->exponent,
		.buffer_size = request->buffer_size,
		.query_only = request->mode->flags & GPUOA_ATTR_QUERY_ONLY,
		.context = request->context,
	};
}

/* Program the unit by the provider, which then returns the context id that reports carry. */
static int program_by_provider(struct gpuoa_stream *stream)
{
	struct gpuoa_provider_config config = provider_config(&stream->request);
	const struct gpuoa_metric_set *set = stream->request.set;
	struct gpuoa_register flex[GPUOA_FLEX_REGS];
	struct gpuoa_unit *unit = stream->unit;
	int ret;

	if (unit->oa->flex) {
		gpuoa_flex_values(set, flex);
		config.flex = (struct gpuoa_reg_list){ flex, GPUOA_FLEX_REGS };
	}
	ret = unit->ops->configure(unit->provider, &config);
	if (ret || !config.context)
		return ret;
	stream->hw.context_mask = config.context_mask;
	stream->hw.context = config.context_id & config.context_mask;
	stream->request.context_id = stream->hw.context;

	return 0;
}

static int program(struct gpuoa_stream *stream)
{
	return stream->unit->ops->configure ? program_by_provider(stream) :
					      program_by_backend(stream);
}

static void unprogram(struct gpuoa_stream *stream)
{
	struct gpuoa_unit *unit = stream->unit;

	if (unit->ops->unconfigure)
		unit->ops->unconfigure(unit->provider);
	else if (!stream->recovery.suspended)
		/* A suspended GPU has lost its registers. */
		unit->oa->disable_metrics(&stream->hw);
}

/* Get the size of a buffer for the reports of one second, within the limits of the hardware. */
static u32 buffer_default_size(const struct gpuoa_stream *stream)
{
	const struct gpuoa_request *request = &stream->request;
	const struct gpuoa_unit *unit = stream->unit;
	u64 reports =
		div64_u64(unit->info.timestamp_frequency, gpuoa_exponent_ticks(request->exponent));
	u64 bytes = roundup_pow_of_two((reports + 1) * request->format->size);
	u32 max = min_t(u32, unit->oa->buffer_size_max, request->buffer_default_max);

	return clamp_t(u64, bytes, unit->oa->buffer_size_min, max);
}

/**
 * gpuoa_program_begin() - Program a unit.
 * @stream: stream
 *
 * Context: may sleep
 * Return: 0, or an error of the provider, with all changes undone
 */
int gpuoa_program_begin(struct gpuoa_stream *stream)
{
	struct gpuoa_request *request = &stream->request;
	struct gpuoa_unit *unit = stream->unit;
	int ret;

	/* The provider may allocate its buffer now. */
	if (stream->mode->alloc_buffer && !request->buffer_size)
		request->buffer_size = buffer_default_size(stream);
	ret = program(stream);
	if (ret || !request->batches)
		return ret;
	ret = unit->ops->context_batches(unit->provider, request->context, true);
	if (ret)
		unprogram(stream);

	return ret;
}

/**
 * gpuoa_program_join() - Check whether another event may share the programmed unit.
 * @stream: stream
 * @request: request of the event, compatible with the stream
 *
 * Context: may sleep
 * Return: 0 or an error of the provider
 */
int gpuoa_program_join(const struct gpuoa_stream *stream, const struct gpuoa_request *request)
{
	const struct gpuoa_provider_config config = provider_config(request);
	struct gpuoa_unit *unit = stream->unit;

	return unit->ops->join ? unit->ops->join(unit->provider, &config) : 0;
}

/* Check whether the provider allocates and frees the buffer together with the configuration. */
static bool program_moves_buffer(const struct gpuoa_stream *stream)
{
	return stream->unit->ops->buffer_get && stream->mode->alloc_buffer;
}

/**
 * gpuoa_program_again() - Reprogram a unit, after it lost its registers or for a new configuration.
 * @stream: stream, not running
 *
 * A buffer of the provider may be replaced by another one.
 *
 * Context: may sleep
 * Return: 0, or an error of the provider, after which nothing is programmed
 */
int gpuoa_program_again(struct gpuoa_stream *stream)
{
	bool moves = program_moves_buffer(stream);
	int ret;

	if (moves)
		stream->mode->free_buffer(stream);
	ret = program(stream);
	if (!ret && moves)
		ret = stream->mode->alloc_buffer(stream);

	return ret;
}

/**
 * gpuoa_program_suspend() - Return resources to the provider before the GPU is suspended.
 * @stream: stream, which does not run until gpuoa_program_again()
 *
 * Context: may sleep
 */
void gpuoa_program_suspend(struct gpuoa_stream *stream)
{
	struct gpuoa_unit *unit = stream->unit;

	if (program_moves_buffer(stream))
		stream->mode->free_buffer(stream);
	if (unit->ops->unconfigure)
		unit->ops->unconfigure(unit->provider);
}

/**
 * gpuoa_program_end() - Undo gpuoa_program_begin().
 * @stream: stream
 *
 * Context: may sleep
 */
void gpuoa_program_end(struct gpuoa_stream *stream)
{
	const struct gpuoa_request *request = &stream->request;
	struct gpuoa_unit *unit = stream->unit;

	if (request->batches)
		unit->ops->context_batches(unit->provider, request->context, false);
	unprogram(stream);
}

/**
 * gpuoa_buffer_map() - Map the OABUFFER for the GPU.
 * @stream: stream
 * @pages: pages of the buffer
 * @n_pages: number of @pages, a power of two
 *
 * Context: &gpuoa_unit.stream_lock held, may sleep
 * Return: 0; -ERANGE if the GPU address exceeds 32 bits; or an error of the provider
 */
int gpuoa_buffer_map(struct gpuoa_stream *stream, struct page **pages, unsigned int n_pages)
{
	struct gpuoa_unit *unit = stream->unit;
	u32 size = n_pages << PAGE_SHIFT;
	s64 gpu;

	lockdep_assert_held(&unit->stream_lock);

	gpu = unit->ops->map(unit->provider, pages, n_pages);
	if (gpu < 0)
		return gpu;
	/* The address registers are 32 bits wide. */
	if (gpu + size - 1 > U32_MAX) {
		unit->ops->unmap(unit->provider, gpu, n_pages);
		return -ERANGE;
	}

	stream->mapped = pages;
	stream->n_mapped = n_pages;
	stream->hw.buffer = gpu;
	stream->hw.buffer_size = size;

	return 0;
}

/* The unit failed to stop: leak the buffer, because the unit may still write to it. */
static void buffer_abandon(struct gpuoa_stream *stream)
{
	unsigned int i;

	dev_err(&stream->unit->dev, "the OA unit does not stop; its buffer is never freed\n");
	for (i = 0; i < stream->n_mapped; i++)
		get_page(stream->mapped[i]);
}

/**
 * gpuoa_buffer_unmap() - Undo gpuoa_buffer_map(), if it was called.
 * @stream: stream
 *
 * Context: &gpuoa_unit.stream_lock held, may sleep
 */
void gpuoa_buffer_unmap(struct gpuoa_stream *stream)
{
	struct gpuoa_unit *unit = stream->unit;

	lockdep_assert_held(&unit->stream_lock);

	if (stream->n_mapped && !gpuoa_recovery_await_stop(stream))
		buffer_abandon(stream);
	else if (stream->n_mapped)
		unit->ops->unmap(unit->provider, stream->hw.buffer, stream->n_mapped);
	stream->n_mapped = 0;
}

static void buffer_free_pages(struct gpuoa_raw_buffer *raw)
{
	unsigned int i;

	for (i = 0; i < raw->n_pages; i++)
		__free_page(raw->pages[i]);
	kvfree(raw->pages);
}

/*
 * Allocate the pages of a buffer, charged to the user's memory cgroup. A fatal signal ends the
 * loop, because it may be long.
 */
static int buffer_alloc_pages(struct gpuoa_raw_buffer *raw, unsigned int n_pages)
{
	int ret;

	raw->pages = kvcalloc(n_pages, sizeof(*raw->pages), GFP_KERNEL_ACCOUNT);
	if (!raw->pages)
		return -ENOMEM;

	for (; raw->n_pages < n_pages; raw->n_pages++) {
		ret = -EINTR;
		if (fatal_signal_pending(current))
			goto err_pages;
		ret = -ENOMEM;
		raw->pages[raw->n_pages] = alloc_page(GFP_KERNEL_ACCOUNT | __GFP_ZERO);
		if (!raw->pages[raw->n_pages])
			goto err_pages;
		cond_resched();
	}

	return 0;

err_pages:
	buffer_free_pages(raw);

	return ret;
}

/* Allocate pages and map them for the GPU. */
static int buffer_make(struct gpuoa_stream *stream)
{
	struct gpuoa_raw_buffer *raw = &stream->raw;
	int ret;

	ret = buffer_alloc_pages(raw, stream->request.buffer_size >> PAGE_SHIFT);
	if (ret)
		return ret;
	ret = gpuoa_buffer_map(stream, raw->pages, raw->n_pages);
	if (ret)
		buffer_free_pages(raw);

	return ret;
}

static void buffer_unmake(struct gpuoa_stream *stream)
{
	gpuoa_buffer_unmap(stream);
	buffer_free_pages(&stream->raw);
}

/* Get the pages of the provider's buffer, which may hold old data. */
static int buffer_borrow(struct gpuoa_stream *stream)
{
	struct gpuoa_unit *unit = stream->unit;
	struct gpuoa_provider_buffer buffer;
	int ret;

	ret = unit->ops->buffer_get(unit->provider, stream->request.buffer_size, &buffer);
	if (ret)
		return ret;
	stream->raw.pages = buffer.pages;
	stream->raw.n_pages = buffer.n_pages;
	stream->hw.buffer = buffer.gpu_address;
	stream->hw.buffer_size = buffer.n_pages << PAGE_SHIFT;

	return 0;
}

static void buffer_return(struct gpuoa_stream *stream)
{
	struct gpuoa_unit *unit = stream->unit;
	bool stopped = gpuoa_recovery_await_stop(stream);

	if (!stopped)
		dev_err(&unit->dev, "the OA unit does not stop; its driver loses the buffer\n");
	unit->ops->buffer_put(unit->provider, !stopped);
}

static void buffer_give_up(struct gpuoa_stream *stream)
{
	if (stream->unit->ops->buffer_put)
		buffer_return(stream);
	else
		buffer_unmake(stream);
	stream->raw.n_pages = 0;
	/* Without a buffer, no slots have to be cleared before the next start. */
	stream->raw.ring.size = 0;
	stream->raw.ring.dirty = 0;
}

/**
 * gpuoa_buffer_alloc() - Implement &gpuoa_mode.alloc_buffer with zeroed pages mapped for CPU and
 * GPU.
 * @stream: programmed stream
 *
 * Context: may sleep; &gpuoa_unit.stream_lock held unless the provider owns the buffer
 * Return: 0; -ENOMEM; -EINTR for a fatal signal; or an error of the provider
 */
int gpuoa_buffer_alloc(struct gpuoa_stream *stream)
{
	const struct gpuoa_format_desc *format = stream->request.format;
	struct gpuoa_raw_buffer *raw = &stream->raw;
	struct gpuoa_ring_layout layout = {
		.size = stream->request.buffer_size,
		.report_size = format->size,
		.header_size = 2 * format->header->word,
		.split = stream->unit->oa->splits_reports,
	};
	bool borrows = stream->unit->ops->buffer_get;
	void *base;
	int ret;

	ret = borrows ? buffer_borrow(stream) : buffer_make(stream);
	if (ret)
		return ret;

	base = vmap(raw->pages, raw->n_pages, VM_MAP, PAGE_KERNEL);
	if (!base) {
		buffer_give_up(stream);
		return -ENOMEM;
	}
	if (borrows)
		memset(base, 0, layout.size);
	gpuoa_ring_init(&raw->ring, base, &layout);

	return 0;
}

/**
 * gpuoa_buffer_free() - Undo gpuoa_buffer_alloc(), if it was called.
 * @stream: stream
 *
 * Context: may sleep; &gpuoa_unit.stream_lock held unless the provider owns the buffer
 */
void gpuoa_buffer_free(struct gpuoa_stream *stream)
{
	if (!stream->raw.n_pages)
		return;
	vunmap(stream->raw.ring.base);
	buffer_give_up(stream);
}
