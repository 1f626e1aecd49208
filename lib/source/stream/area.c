// SPDX-License-Identifier: MIT
/*
 * area.c - consumes a perf event's AUX area, in which reports stay where the GPU wrote them
 *
 * Reports have a size that divides the area's, so that each has a fixed place. They are numbered by
 * their places, in all turns around the area: so numbers are consecutive unless perf lost the
 * record that tells of some.
 *
 * The window of a flight recorder is told when the recorder has stopped. It may contain pauses,
 * which only timestamps tell, and reports of an earlier window, which are not taken twice.
 */
#include "source/stream/area.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/* perf's own, without the trailer. */
struct aux_record {
	struct perf_event_header header;
	uint64_t offset;
	uint64_t size;
	uint64_t flags;
};

int area_map(struct area *area, struct perf_event_mmap_page *page, int fd, uint64_t offset,
	     uint64_t size, bool overwrite)
{
	void *data;

	/* Reports of other sizes would cross the end of the area. */
	if (size & (size - 1) || size % area->report_size)
		return -EOPNOTSUPP;
	page->aux_offset = offset;
	page->aux_size = size;
	data = mmap(NULL, size, PROT_READ | (overwrite ? 0 : PROT_WRITE), MAP_SHARED, fd,
		    (off_t)offset);
	if (data == MAP_FAILED)
		return -errno;
	area->page = page;
	area->data = data;
	area->size = size;
	area->overwrite = overwrite;
	return 0;
}

void area_unmap(struct area *area)
{
	if (area->data)
		munmap((void *)area->data, area->size);
	area->data = NULL;
}

/* Skip what an earlier window had. */
static void begin_window(struct area *area, const struct aux_record *aux)
{
	const uint64_t begin = aux->offset - aux->size;
	const bool overlaps = area->end > begin && area->end <= aux->offset;

	area->at = overlaps ? area->end : begin;
	area->end = aux->offset;
	area->follows = false;
	area->news = AREA_RESUME;
	if (aux->flags & PERF_AUX_FLAG_TRUNCATED)
		area->news |= AREA_LOST;
	if (area->clock.cpu_ns)
		area->news |= AREA_CLOCK;
}

int area_begin(struct area *area, const struct perf_event_header *record)
{
	struct aux_record aux;

	if (!area->data || record->size < sizeof(aux))
		return -EIO;
	memcpy(&aux, record, sizeof(aux));
	if (aux.size > area->size || aux.size % area->report_size || aux.offset % area->report_size)
		return -EIO;
	if (aux.flags & PERF_AUX_FLAG_OVERWRITE) {
		if (aux.size > aux.offset)
			return -EIO;
		begin_window(area, &aux);
		return 0;
	}
	area->at = aux.offset;
	area->end = aux.offset + aux.size;
	return 0;
}

static bool next_news(struct area *area, struct rawdata_item *item)
{
	const unsigned int first = area->news & -area->news;

	area->news &= ~first;
	switch (first) {
	case AREA_RESUME: /* what is missing was overwritten, not lost */
		item->kind = RAWDATA_RESUME;
		item->resume.stopped = false;
		return true;
	case AREA_LOST:
		item->kind = RAWDATA_LOST;
		item->lost = (struct rawdata_lost){ .unknown = true };
		return true;
	case AREA_CLOCK:
		item->kind = RAWDATA_CLOCK;
		item->clock = area->clock;
		return true;
	case AREA_PAUSE:
		item->kind = RAWDATA_RESUME;
		item->resume.stopped = true;
		return true;
	}
	return false;
}

/* How many of a window's next @count reports follow each other, and what was taken of it before? */
static uint64_t joined(struct area *area, const uint8_t *report, uint64_t count)
{
	const uint64_t mask = field_mask(area->timestamp);

	if (!area->period)
		return count;
	for (uint64_t i = 0; i < count; i++, report += area->report_size) {
		const uint64_t time = report_read(report, area->timestamp);

		if (area->follows && ((time - area->last) & mask) > area->period)
			return i;
		area->last = time;
		area->follows = true;
	}
	return count;
}

bool area_next(struct area *area, struct rawdata_item *item)
{
	const uint64_t offset = area->at & (area->size - 1);
	uint64_t left = area->end - area->at, count;

	if (next_news(area, item))
		return true;
	if (!left)
		return false;
	if (left > area->size - offset)
		left = area->size - offset;
	count = left / area->report_size;
	if (area->overwrite)
		count = joined(area, area->data + offset, count);
	if (!count) {
		area->follows = false;
		area->news = AREA_PAUSE;
		return next_news(area, item);
	}
	item->kind = RAWDATA_REPORTS;
	item->reports = (struct rawdata_reports){
		.data = area->data + offset,
		.first = area->at / area->report_size,
		.size = area->report_size,
		.count = count,
	};
	area->at += count * area->report_size;
	return true;
}

void area_release(struct area *area, size_t unread)
{
	if (area->data && !area->overwrite)
		__atomic_store_n(&area->page->aux_tail, area->at - unread * area->report_size,
				 __ATOMIC_RELEASE);
}

uint64_t area_fill(const struct area *area)
{
	if (!area->data || area->overwrite)
		return 0;
	return __atomic_load_n(&area->page->aux_head, __ATOMIC_ACQUIRE) - area->page->aux_tail;
}
