// SPDX-License-Identifier: GPL-2.0-only
/* aux_area.c - use of an event's AUX area as OABUFFER. */
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
#include "unit/gpuoa_unit.h"

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

/* Use the area as OABUFFER if the stream has none. */
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
 * gpuoa_aux_setup() - Implement &pmu.setup_aux.
 * @event: event
 * @pages: zeroed pages
 * @n_pages: number of @pages, a power of two
 * @overwrite: the mapping is read-only
 *
 * Return: the area, or NULL on failure
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
	/* The event holds references to both, so these calls cannot fail. */
	__module_get(unit->owner);
	gpuoa_life_get(unit->pmu);

	return area;
}

/**
 * gpuoa_aux_free() - Implement &pmu.free_aux, after the last unmap.
 * @aux: area; perf has stopped the event and does not start it again
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
