// SPDX-License-Identifier: MIT
/*
 * event_reader.c - parse RAW payloads and perf's loss records; a read never spans a gap
 *
 * A read ends before a gap, a loss or a clock pair, so that the reports that it returns are
 * contiguous. The item that ended a read is stored, and the next read begins with it.
 *
 * Sequence numbers yield the exact number of reports lost by perf's ring buffer. If perf reports a
 * loss but no number is missing, the lost record was not a report, but may have described a gap:
 * report a gap of unknown size.
 */
#include "reader/event_reader.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report/dword_mask.h"

/* Maximum number of reports that event_reader_next() expands at once */
#define MASK_BATCH 64

void event_reader_init(struct event_reader *events, event_reader_next_event next_event, void *ctx,
		       size_t report_size)
{
	*events = (struct event_reader){
		.next_event = next_event,
		.ctx = ctx,
		.report_size = report_size,
		.wire_size = report_size,
	};
}

int event_reader_set_mask(struct event_reader *events, const uint64_t *dword_mask)
{
	if (dword_mask_is_whole(dword_mask))
		return 0;
	events->whole = malloc(MASK_BATCH * events->report_size);
	if (!events->whole)
		return -ENOMEM;
	memcpy(events->dword_mask, dword_mask, sizeof(events->dword_mask));
	events->wire_size = dword_mask_size(dword_mask);
	return 0;
}

void event_reader_fini(struct event_reader *events)
{
	free(events->whole);
}

bool event_reader_holds(const struct event_reader *events)
{
	return events->count || events->has_held || events->raw.at != events->raw.end;
}

size_t event_reader_unread(const struct event_reader *events)
{
	if (events->has_held && events->held.kind == RAWDATA_REPORTS)
		return events->count + events->held.reports.count;
	return events->count;
}

/* Consume the available reports, at most @max, without copying them. Returns their number. */
static size_t step_over(struct event_reader *events, const void **at, size_t max)
{
	const size_t n = events->count < max ? events->count : max;

	*at = events->reports;
	events->reports += n * events->wire_size;
	events->count -= n;
	return n;
}

static size_t copy_reports(struct event_reader *events, void *to, size_t max)
{
	const void *at;
	const size_t n = step_over(events, &at, max);

	if (to && dword_mask_is_whole(events->dword_mask))
		memcpy(to, at, n * events->report_size);
	else if (to)
		dword_mask_expand(events->dword_mask, to, events->report_size, at, n);
	return n;
}

/*
 * Return available reports in place; if only some of their dwords are stored, return expanded
 * copies.
 */
static size_t next_reports(struct event_reader *events, const void **reports, size_t max)
{
	if (dword_mask_is_whole(events->dword_mask))
		return step_over(events, reports, max < INT_MAX ? max : INT_MAX);
	*reports = events->whole;
	return copy_reports(events, events->whole, max < MASK_BATCH ? max : MASK_BATCH);
}

static bool joins_on(const struct event_reader *events, const struct rawdata_reports *reports)
{
	return !events->gap && !events->perf_lost &&
	       (!events->numbered || reports->first == events->expected);
}

/* True if these reports can be returned by the same read as the reports before them. */
static bool follows_on(const struct event_reader *events, const struct rawdata_reports *reports)
{
	return joins_on(events, reports) && !events->left_out &&
	       (!events->sanity || reports->size != events->wire_size ||
		sanity_follows(events->sanity, reports->data));
}

/*
 * Count the reports lost before @reports. Reports that the kernel sampled for other events while
 * this event was disabled are not lost.
 */
static void account_ring_loss(struct event_reader *events, const struct rawdata_reports *reports,
			      struct gpuoa_read_status *status)
{
	const bool ahead = events->numbered && reports->first > events->expected;

	if (ahead && !events->resumed)
		status->lost_ring += reports->first - events->expected;
	else if ((events->perf_lost && !ahead) ||
		 (events->numbered && reports->first < events->expected))
		status->lost_unknown = true;
	events->perf_lost = false;
}

/*
 * Drop damaged reports at the beginning. If there are damaged reports later, leave the reports from
 * there on to the next read.
 */
static void check_reports(struct event_reader *events, struct rawdata_reports *reports,
			  struct gpuoa_read_status *status)
{
	const size_t damaged =
		sanity_skip(events->sanity, reports->data, reports->count, &status->damaged);
	struct rawdata_reports *rest = &events->held.reports;
	size_t good;

	events->left_out |= damaged;
	reports->data += damaged * reports->size;
	reports->first += damaged;
	reports->count -= damaged;
	good = sanity_accept(events->sanity, reports->data, reports->count);
	if (good == reports->count)
		return;
	events->held = (struct rawdata_item){ .kind = RAWDATA_REPORTS, .reports = *reports };
	events->has_held = true;
	rest->data += good * reports->size;
	rest->first += good;
	rest->count -= good;
	reports->count = good;
}

static int take_reports(struct event_reader *events, const struct rawdata_reports *given,
			struct gpuoa_read_status *status)
{
	struct rawdata_reports reports = *given;

	if (reports.size != events->wire_size)
		return -EBADMSG;
	if (!joins_on(events, &reports)) {
		account_ring_loss(events, &reports, status);
		status->gap = true;
		events->gap = false;
		if (events->sanity)
			status->damaged += sanity_restart(events->sanity);
	}
	if (events->sanity)
		check_reports(events, &reports, status);
	if (reports.count) {
		status->gap |= events->left_out;
		events->left_out = false;
	}
	events->reports = reports.data;
	events->count = reports.count;
	events->expected = reports.first + reports.count;
	events->numbered = true;
	events->resumed = false;
	return 0;
}

static void take_resume(struct event_reader *events, const struct rawdata_resume *resume)
{
	if (!resume->stopped)
		events->resumed = true;
	else if (events->numbered)
		events->gap = true;
}

static void take_lost(struct event_reader *events, const struct rawdata_lost *lost,
		      struct gpuoa_read_status *status)
{
	if (lost->unknown)
		status->lost_unknown = true;
	else if (lost->overflow)
		status->lost_overflow += lost->count;
	else
		status->lost_hardware += lost->count;
	events->gap = true;
}

/*
 * True if reads return this clock pair: streams have pairs of several CPU clocks, but reads return
 * only those of CLOCK_MONOTONIC.
 */
static bool is_anchor(const struct gpuoa_clock_pair *pair)
{
	return pair->clock_id == CLOCK_MONOTONIC;
}

/* True if a read that already has reports can continue after this item. */
static bool goes_on(const struct event_reader *events, const struct rawdata_item *item)
{
	switch (item->kind) {
	case RAWDATA_REPORTS:
		return !item->reports.count || follows_on(events, &item->reports);
	case RAWDATA_STREAM:
	case RAWDATA_STATUS:
	case RAWDATA_MARKER:
	case RAWDATA_TEXT:
	case RAWDATA_CONTEXT:
		return true;
	case RAWDATA_CLOCK:
		return !is_anchor(&item->clock);
	case RAWDATA_RESUME:
	case RAWDATA_LOST:
		break;
	}
	return false;
}

static int take_clock(struct event_reader *events, const struct gpuoa_clock_pair *pair,
		      struct gpuoa_read_status *status)
{
	if (is_anchor(pair)) {
		status->has_clock = true;
		status->clock = *pair;
	}
	return events->side_data ? side_data_take_clock(events->side_data, pair) : 0;
}

static int take_item(struct event_reader *events, const struct rawdata_item *item,
		     struct gpuoa_read_status *status)
{
	int err = 0;

	switch (item->kind) {
	case RAWDATA_REPORTS:
		if (item->reports.count)
			err = take_reports(events, &item->reports, status);
		break;
	case RAWDATA_LOST:
		take_lost(events, &item->lost, status);
		break;
	case RAWDATA_RESUME:
		take_resume(events, &item->resume);
		break;
	case RAWDATA_STATUS:
		status->wraps += item->status.wrapped;
		status->lost_triggers += item->status.triggers_lost;
		break;
	case RAWDATA_CLOCK:
		err = take_clock(events, &item->clock, status);
		break;
	case RAWDATA_MARKER:
		if (events->side_data)
			err = side_data_take_marker(events->side_data, &item->marker);
		break;
	case RAWDATA_STREAM:
	case RAWDATA_TEXT:
	case RAWDATA_CONTEXT:
		break;
	}
	return err;
}

/*
 * Get the next event and begin to parse it. Returns 1, 0 if there is no event, or a negative errno.
 */
static int next_payload(struct event_reader *events)
{
	struct stream_event event;
	int ret = events->next_event(events->ctx, &event);

	if (ret <= 0)
		return ret;
	switch (event.kind) {
	case STREAM_EVENT_LOST:
		events->perf_lost = true;
		return 1;
	case STREAM_EVENT_RAW:
		ret = rawdata_begin(&events->raw, event.payload, event.size);
		return ret ? -EBADMSG : 1;
	case STREAM_EVENT_ITEM:
		events->held = event.item;
		events->has_held = true;
		return 1;
	}
	return -EBADMSG;
}

/*
 * Get the next item: the stored one that ended the last read, or one of the current payload.
 * Returns 1, 0 if there is none, or a negative errno.
 */
static int next_item(struct event_reader *events, struct rawdata_item *item)
{
	int ret;

	do {
		if (events->has_held) {
			*item = events->held;
			events->has_held = false;
			return 1;
		}
		ret = rawdata_next(&events->raw, item);
		if (ret)
			return ret;
		ret = next_payload(events);
	} while (ret > 0);
	return ret;
}

/*
 * Process the next item in a read that already has @n reports. Returns 1, 0 if the read ends, or a
 * negative errno.
 */
static int read_item(struct event_reader *events, size_t n, struct gpuoa_read_status *status)
{
	struct rawdata_item item;
	int ret = next_item(events, &item);

	if (ret <= 0)
		return ret;
	if (n && !goes_on(events, &item)) {
		events->held = item;
		events->has_held = true;
		return 0;
	}
	ret = take_item(events, &item, status);
	return ret ? ret : 1;
}

/* True if a read returns a report or reports an event because of this item. */
static bool is_news(const struct rawdata_item *item)
{
	switch (item->kind) {
	case RAWDATA_REPORTS:
		return item->reports.count;
	case RAWDATA_LOST:
	case RAWDATA_STATUS:
	case RAWDATA_MARKER:
		return true;
	case RAWDATA_STREAM:
	case RAWDATA_TEXT:
	case RAWDATA_CONTEXT:
	case RAWDATA_CLOCK:
	case RAWDATA_RESUME:
		break;
	}
	return false;
}

bool event_reader_has_news(struct event_reader *events)
{
	struct rawdata_item item;
	bool news = events->count || events->err;

	while (!news) {
		const int ret = next_item(events, &item);

		if (!ret)
			break;
		news = ret < 0 || is_news(&item);
	}
	return news;
}

int event_reader_next(struct event_reader *events, const void **reports, size_t max,
		      struct gpuoa_read_status *status)
{
	int ret = 1;

	*status = (struct gpuoa_read_status){ 0 };
	*reports = NULL;
	while (max && !events->count && !events->err && ret > 0) {
		ret = read_item(events, 0, status);
		if (ret < 0)
			events->err = ret;
	}
	if (events->err)
		return events->err;
	return events->count ? (int)next_reports(events, reports, max) : 0;
}

int event_reader_read(struct event_reader *events, void *reports, size_t max,
		      struct gpuoa_read_status *status)
{
	size_t n = 0;

	*status = (struct gpuoa_read_status){ 0 };
	if (max > INT_MAX)
		max = INT_MAX;
	while (n < max && !events->err) {
		int ret = 1;

		if (events->count)
			n += copy_reports(
				events, reports ? (char *)reports + n * events->report_size : NULL,
				max - n);
		else
			ret = read_item(events, n, status);
		if (ret < 0)
			events->err = ret;
		if (ret <= 0)
			break;
	}
	return n ? (int)n : events->err;
}

void event_reader_finish(struct event_reader *events, struct gpuoa_read_status *status)
{
	if (events->perf_lost)
		status->lost_unknown = true;
	events->perf_lost = false;
	if (events->sanity)
		status->damaged += sanity_restart(events->sanity);
}
