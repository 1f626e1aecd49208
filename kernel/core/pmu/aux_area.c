// SPDX-License-Identifier: GPL-2.0-only
/*
 * aux_area.c - the AUX area of an event becomes the OABUFFER, and ceases to be it.
 */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "aux_area.h"
#include "life.h"
#include "pmu.h"
#include "stream/acquire.h"
#include "stream/buffer.h"
#include "stream/stream.h"
#include "unit/unit.h"

/**
 * DOC: Lifetime of an AUX area
 *
 * perf allocates the pages when the area is mapped, and frees them after it was unmapped for the
 * last time, when it has stopped the event. That may be later than the event's own end: its buffer
 * can be another event's output, too. So the area holds the stream, the PMU, and the host's module,
 * but not the host: a unit that goes away unmaps the area.
 *
 * Whatever is wrong with an area, perf says ENOMEM: setup_aux() can't say why.
 */

static bool area_fits(const struct gpuoa_stream *stream, u64 size)
{
	const struct gpuoa_oa_ops *oa = stream->unit->oa;

	if (!stream->mode->in_area || size < oa->buffer_size_min || size > oa->buffer_size_max)
		return false;

	return !stream->request.buffer_size || size == stream->request.buffer_size;
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

/* Make the area the OABUFFER, if the stream has none yet. */
static int area_map(struct gpuoa_stream *stream, struct gpuoa_aux_area *area)
{
	int ret;

	if (stream->ended)
		return -ENODEV;
	if (stream->aux.sink.area)
		return -EBUSY;
	ret = gpuoa_buffer_map(stream, area->pages, area->n_pages);
	if (ret)
		return ret;

	area->stream = stream;
	stream->users++;
	gpuoa_mode_aux_attach(stream, area);

	return 0;
}

/**
 * gpuoa_aux_setup - &pmu.setup_aux: an AUX area is mapped
 * @event: the event
 * @pages: zeroed pages
 * @n_pages: number of them, a power of two
 * @overwrite: the mapping is read-only
 *
 * Return: the area, or NULL if it can't be
 */
void *gpuoa_aux_setup(struct perf_event *event, void **pages, int n_pages, bool overwrite)
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
	/* The event that it is mapped for has both. */
	__module_get(unit->owner);
	gpuoa_life_get(unit->pmu);

	return area;
}

/**
 * gpuoa_aux_free - &pmu.free_aux: nobody maps an area any more
 * @aux: the area; perf has stopped the event, and has it not start again
 */
void gpuoa_aux_free(void *aux)
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
	gpuoa_life_put(unit->pmu);
}
