// SPDX-License-Identifier: MIT
/*
 * area.c - consume a perf event's AUX area, in which the GPU wrote the reports
 *
 * Sequence numbers of reports count slots, over all revolutions, except slots without a report. So
 * they are consecutive unless perf lost a record.
 *
 * Most units have fixed slots; if their size does not divide that of the area, the rest is unused.
 * Other units split a report that crosses the end of the area. Then a report begins at a position
 * that is a multiple of its size, so the reports of each revolution have other offsets, and the
 * parts of a split report are put together in a copy.
 *
 * Slots without a report are skipped here, as the kernel skips them in RAW mode: slots that the
 * hardware passed without writing, and Haswell's invalid reports. A slot that was not written is a
 * lost report. An invalid report may replace a report or be additional: it counts as lost if
 * timestamps show that a report is missing. Slots that the kernel skipped lie between two records,
 * and the kernel has reported that loss.
 *
 * From the second revolution on, a slot that was not written still contains the report of the
 * previous revolution, which the kernel does not check. That report is older than the preceding
 * one: it is skipped, and counts as lost. Only reports of the same record are compared, because
 * between two records the unit may have paused for as long as a timestamp takes to wrap. If reports
 * have no fixed slots, that slot contains parts of two reports instead.
 *
 * The window of a flight recorder is published when the recorder is stopped. It may contain pauses,
 * which only timestamps reveal, and reports of an earlier window, which are not returned again.
 */
#include "reader/stream/area.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/* perf's record without trailer */
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

	if (size & (size - 1) || area->report_size > AREA_REPORT_MAX || area->report_size > size)
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

/* Begin with the reports of a flight recorder's window, except those of an earlier window. */
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

/* Return the number of slots before @position, over all revolutions. */
static uint64_t slots_before(const struct area *area, uint64_t position)
{
	const uint64_t slots = area->size / area->report_size;

	if (area->splits)
		return position / area->report_size;
	return position / area->size * slots + (position & (area->size - 1)) / area->report_size;
}

/* True if a slot begins, or the unused rest of the area begins or ends, at @position. */
static bool is_position(const struct area *area, uint64_t position)
{
	if (!area->splits)
		position &= area->size - 1;
	return position % area->report_size == 0;
}

int area_begin(struct area *area, const struct perf_event_header *record)
{
	struct aux_record aux;

	if (!area->data || record->size < sizeof(aux))
		return -EIO;
	memcpy(&aux, record, sizeof(aux));
	if (aux.size > area->size || !is_position(area, aux.offset))
		return -EIO;
	if (aux.flags & PERF_AUX_FLAG_OVERWRITE) {
		if (aux.size > aux.offset || !is_position(area, aux.offset - aux.size))
			return -EIO;
		begin_window(area, &aux);
		return 0;
	}
	if (!is_position(area, aux.offset + aux.size))
		return -EIO;
	/*
	 * If slots are missing before this record, and perf has not lost a record, the kernel
	 * skipped them and has reported the loss.
	 */
	if (aux.offset > area->end && !area->ring_lost)
		area->passed += slots_before(area, aux.offset) - slots_before(area, area->end);
	area->ring_lost = false;
	area->continues = false;
	area->at = aux.offset;
	area->end = aux.offset + aux.size;
	return 0;
}

void area_note_ring_lost(struct area *area)
{
	area->ring_lost = true;
}

static bool next_news(struct area *area, struct rawdata_item *item)
{
	const unsigned int first = area->news & -area->news;

	area->news &= ~first;
	switch (first) {
	/* Reports before the window were overwritten, which is a gap but not a loss. */
	case AREA_RESUME:
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
	case AREA_LEFT_OUT:
		item->kind = RAWDATA_LOST;
		item->lost = (struct rawdata_lost){ .count = area->lost };
		return true;
	}
	return false;
}

/* True if a slot contains a report. The first qword shows this, unless the report id is 0. */
static inline bool is_report(const struct area *area, const uint8_t *slot)
{
	uint64_t id;

	memcpy(&id, slot, sizeof(id));
	if (id & field_mask(area->report_id))
		return true;
	return !area->id_is_never_0 && report_read(slot, area->timestamp);
}

/*
 * True if the timestamps of two reports determine which is older: the period is shorter than half
 * of the time after which timestamps wrap.
 */
static bool knows_order(const struct area *area)
{
	return !area->overwrite && area->period && area->period <= field_mask(area->timestamp) / 2;
}

/*
 * Read the timestamp of a report like report_read(), but inline, because this is called for each
 * report.
 */
static inline uint64_t time_of(const struct area *area, const uint8_t *report)
{
	uint64_t time;

	memcpy(&time, report + area->timestamp.offset, sizeof(time));
	return time & field_mask(area->timestamp);
}

static inline bool is_older(const struct area *area, uint64_t time, uint64_t than)
{
	const uint64_t mask = field_mask(area->timestamp);

	return ((time - than) & mask) > mask / 2;
}

/*
 * True if the report in this slot is one of the previous revolution, which the GPU has not
 * overwritten.
 */
static bool is_left_over(const struct area *area, const uint8_t *slot)
{
	return area->continues && knows_order(area) &&
	       is_older(area, time_of(area, slot), area->last);
}

/* Skip slots up to the first report, at most @count slots. Returns their number. */
static uint64_t leave_out(struct area *area, const uint8_t *slot, uint64_t count)
{
	uint64_t n;

	for (n = 0; n < count; n++, slot += area->report_size) {
		const bool report = is_report(area, slot);

		if (report && !is_left_over(area, slot))
			break;
		if (!report && report_read(slot, area->timestamp))
			area->invalid++;
		else
			area->empty++;
	}
	area->passed += n;
	area->at += n * area->report_size;
	return n;
}

/*
 * Return the number of reports that are missing before @time because the hardware wrote invalid
 * reports instead.
 */
static uint64_t missing_before(const struct area *area, uint64_t time)
{
	uint64_t periods, missing;

	if (!area->invalid || !area->follows || !area->period)
		return 0;
	periods = ((time - area->last) & field_mask(area->timestamp)) / area->period;
	missing = periods > area->empty ? periods - area->empty - 1 : 0;
	/*
	 * More reports may be missing because of a pause, or because of a loss that the kernel has
	 * reported.
	 */
	return missing < area->invalid ? missing : area->invalid;
}

/*
 * Compute the number of reports that were lost in the slots skipped before @report. Returns true if
 * there are any.
 */
static bool has_lost(struct area *area, const uint8_t *report)
{
	if (!area->empty && !area->invalid)
		return false;
	area->lost = area->empty + missing_before(area, report_read(report, area->timestamp));
	area->empty = 0;
	area->invalid = 0;
	if (area->lost) {
		area->follows = false;
		area->news |= AREA_LEFT_OUT;
	}
	return area->lost;
}

/*
 * Return the number of consecutive slots, at most @count, that contain reports in order of time.
 * The first slot must contain a report.
 */
static uint64_t reports_among(const struct area *area, const uint8_t *slot, uint64_t count)
{
	const bool ordered = knows_order(area);
	uint64_t last = time_of(area, slot), n;

	for (n = 0; n < count && is_report(area, slot); n++, slot += area->report_size) {
		const uint64_t time = time_of(area, slot);

		if (ordered && is_older(area, time, last))
			break;
		last = time;
	}
	return n;
}

/*
 * Return the number of reports in a flight recorder's window, at most @count, that follow the last
 * report without a pause.
 */
static uint64_t joined(const struct area *area, const uint8_t *report, uint64_t count)
{
	const uint64_t mask = field_mask(area->timestamp);
	bool follows = area->follows;
	uint64_t last = area->last;

	if (!area->period)
		return count;
	for (uint64_t i = 0; i < count; i++, report += area->report_size) {
		const uint64_t time = report_read(report, area->timestamp);

		if (follows && ((time - last) & mask) > area->period)
			return i;
		last = time;
		follows = true;
	}
	return count;
}

/* Return contiguous reports in @item, at most @count. */
static bool take_reports(struct area *area, const uint8_t *reports, uint64_t count,
			 struct rawdata_item *item)
{
	count = reports_among(area, reports, count);
	if (area->overwrite)
		count = joined(area, reports, count);
	if (!count) {
		area->follows = false;
		area->news |= AREA_PAUSE;
		return false;
	}
	item->kind = RAWDATA_REPORTS;
	item->reports = (struct rawdata_reports){
		.data = reports,
		.first = slots_before(area, area->at) - area->passed,
		.size = area->report_size,
		.count = count,
	};
	area->at += count * area->report_size;
	area->last = report_read(reports + (count - 1) * area->report_size, area->timestamp);
	area->follows = true;
	area->continues = true;
	return true;
}

/* Return the number of bytes from the position to the end of the area if no slot begins there. */
static uint64_t unused(const struct area *area)
{
	const uint64_t before_end = area->size - (area->at & (area->size - 1));

	return !area->splits && before_end < area->report_size ? before_end : 0;
}

/*
 * Return the next slot, and the number of slots from it on, at most @left bytes, that are
 * contiguous in memory. This copies a slot that crosses the end of the area.
 */
static const uint8_t *next_slots(struct area *area, uint64_t left, uint64_t *count)
{
	const uint64_t offset = area->at & (area->size - 1);
	const uint64_t before_end = area->size - offset;

	*count = (left < before_end ? left : before_end) / area->report_size;
	if (*count)
		return area->data + offset;
	*count = 1;
	memcpy(area->joined, area->data + offset, before_end);
	memcpy(area->joined + before_end, area->data, area->report_size - before_end);
	return area->joined;
}

bool area_next(struct area *area, struct rawdata_item *item)
{
	while (!next_news(area, item)) {
		const uint8_t *slot;
		uint64_t left;

		if (area->at < area->end)
			area->at += unused(area);
		if (area->at == area->end)
			return false;
		slot = next_slots(area, area->end - area->at, &left);
		if (leave_out(area, slot, left) || has_lost(area, slot))
			continue;
		if (take_reports(area, slot, left, item))
			return true;
	}
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
