// SPDX-License-Identifier: MIT
/*
 * reader.c - parse RAW payloads and perf's loss records; a read never spans a gap
 *
 * A read ends before a gap, a loss or a clock pair, so that its reports are contiguous. The item
 * that ended a read is held and begins the next one.
 *
 * Sequence numbers yield the exact number of reports lost by perf's ring buffer. If perf reports a
 * loss but no number is missing, the lost record was not a report, but may have described a gap:
 * report a gap of unknown size.
 */
#include "source/reader.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report/thin.h"

/* Maximum number of reports that reader_next() expands at once */
#define THIN_BATCH 64

void reader_init(struct reader *reader, reader_next_event next_event, void *origin,
		 size_t report_size)
{
	*reader = (struct reader){
		.next_event = next_event,
		.origin = origin,
		.report_size = report_size,
		.wire_size = report_size,
	};
}

int reader_thin(struct reader *reader, const uint64_t *keep)
{
	if (thin_is_whole(keep))
		return 0;
	reader->whole = malloc(THIN_BATCH * reader->report_size);
	if (!reader->whole)
		return -ENOMEM;
	memcpy(reader->keep, keep, sizeof(reader->keep));
	reader->wire_size = thin_size(keep);
	return 0;
}

void reader_fini(struct reader *reader)
{
	free(reader->whole);
}

bool reader_holds(const struct reader *reader)
{
	return reader->count || reader->has_held || reader->raw.at != reader->raw.end;
}

size_t reader_unread(const struct reader *reader)
{
	if (reader->has_held && reader->held.kind == RAWDATA_REPORTS)
		return reader->count + reader->held.reports.count;
	return reader->count;
}

/* Consume at most @max of the available reports without copying them. */
static size_t step_over(struct reader *reader, const void **at, size_t max)
{
	const size_t n = reader->count < max ? reader->count : max;

	*at = reader->reports;
	reader->reports += n * reader->wire_size;
	reader->count -= n;
	return n;
}

static size_t copy_reports(struct reader *reader, void *to, size_t max)
{
	const void *at;
	const size_t n = step_over(reader, &at, max);

	if (to && thin_is_whole(reader->keep))
		memcpy(to, at, n * reader->report_size);
	else if (to)
		thin_expand(reader->keep, to, reader->report_size, at, n);
	return n;
}

/* Return available reports in place or, if only some dwords are stored, expanded. */
static size_t next_reports(struct reader *reader, const void **reports, size_t max)
{
	if (thin_is_whole(reader->keep))
		return step_over(reader, reports, max < INT_MAX ? max : INT_MAX);
	*reports = reader->whole;
	return copy_reports(reader, reader->whole, max < THIN_BATCH ? max : THIN_BATCH);
}

static bool joins_on(const struct reader *reader, const struct rawdata_reports *reports)
{
	return !reader->gap && !reader->perf_lost &&
	       (!reader->numbered || reports->first == reader->expected);
}

/* True if a read that has reports can also return these. */
static bool follows_on(const struct reader *reader, const struct rawdata_reports *reports)
{
	return joins_on(reader, reports) && !reader->left_out &&
	       (!reader->sanity || reports->size != reader->wire_size ||
		sanity_follows(reader->sanity, reports->data));
}

/*
 * Count the reports lost before @reports. Reports sampled for other events while this one was
 * disabled are not lost.
 */
static void account_ring_loss(struct reader *reader, const struct rawdata_reports *reports,
			      struct gpuoa_read_status *status)
{
	const bool ahead = reader->numbered && reports->first > reader->expected;

	if (ahead && !reader->resumed)
		status->lost_ring += reports->first - reader->expected;
	else if ((reader->perf_lost && !ahead) ||
		 (reader->numbered && reports->first < reader->expected))
		status->lost_unknown = true;
	reader->perf_lost = false;
}

/* Drop damaged reports at the beginning, and hold all reports from the next damaged one on. */
static void check_reports(struct reader *reader, struct rawdata_reports *reports,
			  struct gpuoa_read_status *status)
{
	const size_t damaged =
		sanity_skip(reader->sanity, reports->data, reports->count, &status->damaged);
	struct rawdata_reports *rest = &reader->held.reports;
	size_t good;

	reader->left_out |= damaged;
	reports->data += damaged * reports->size;
	reports->first += damaged;
	reports->count -= damaged;
	good = sanity_accept(reader->sanity, reports->data, reports->count);
	if (good == reports->count)
		return;
	reader->held = (struct rawdata_item){ .kind = RAWDATA_REPORTS, .reports = *reports };
	reader->has_held = true;
	rest->data += good * reports->size;
	rest->first += good;
	rest->count -= good;
	reports->count = good;
}

static int take_reports(struct reader *reader, const struct rawdata_reports *given,
			struct gpuoa_read_status *status)
{
	struct rawdata_reports reports = *given;

	if (reports.size != reader->wire_size)
		return -EBADMSG;
	if (!joins_on(reader, &reports)) {
		account_ring_loss(reader, &reports, status);
		status->gap = true;
		reader->gap = false;
		if (reader->sanity)
			status->damaged += sanity_restart(reader->sanity);
	}
	if (reader->sanity)
		check_reports(reader, &reports, status);
	if (reports.count) {
		status->gap |= reader->left_out;
		reader->left_out = false;
	}
	reader->reports = reports.data;
	reader->count = reports.count;
	reader->expected = reports.first + reports.count;
	reader->numbered = true;
	reader->resumed = false;
	return 0;
}

static void take_resume(struct reader *reader, const struct rawdata_resume *resume)
{
	if (!resume->stopped)
		reader->resumed = true;
	else if (reader->numbered)
		reader->gap = true;
}

static void take_lost(struct reader *reader, const struct rawdata_lost *lost,
		      struct gpuoa_read_status *status)
{
	if (lost->unknown)
		status->lost_unknown = true;
	else if (lost->overflow)
		status->lost_overflow += lost->count;
	else
		status->lost_hardware += lost->count;
	reader->gap = true;
}

/* Streams have pairs for several CPU clocks; reads return only this one. */
static bool is_anchor(const struct gpuoa_clock_pair *pair)
{
	return pair->clock_id == CLOCK_MONOTONIC;
}

/* True if a read that has reports can continue after this item. */
static bool goes_on(const struct reader *reader, const struct rawdata_item *item)
{
	switch (item->kind) {
	case RAWDATA_REPORTS:
		return !item->reports.count || follows_on(reader, &item->reports);
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
		return false;
	}
	return false;
}

static int take_clock(struct reader *reader, const struct gpuoa_clock_pair *pair,
		      struct gpuoa_read_status *status)
{
	if (is_anchor(pair)) {
		status->has_clock = true;
		status->clock = *pair;
	}
	return reader->notes ? notes_take_clock(reader->notes, pair) : 0;
}

static int take_item(struct reader *reader, const struct rawdata_item *item,
		     struct gpuoa_read_status *status)
{
	switch (item->kind) {
	case RAWDATA_REPORTS:
		return item->reports.count ? take_reports(reader, &item->reports, status) : 0;
	case RAWDATA_LOST:
		take_lost(reader, &item->lost, status);
		return 0;
	case RAWDATA_RESUME:
		take_resume(reader, &item->resume);
		return 0;
	case RAWDATA_STATUS:
		status->wraps += item->status.wrapped;
		status->lost_triggers += item->status.triggers_lost;
		return 0;
	case RAWDATA_CLOCK:
		return take_clock(reader, &item->clock, status);
	case RAWDATA_MARKER:
		return reader->notes ? notes_take_marker(reader->notes, &item->marker) : 0;
	case RAWDATA_STREAM:
	case RAWDATA_TEXT:
	case RAWDATA_CONTEXT:
		return 0;
	}
	return 0;
}

/* Begin the next payload. Returns 1, 0 if there is no event, or a negative errno. */
static int next_payload(struct reader *reader)
{
	struct stream_event event;
	int ret = reader->next_event(reader->origin, &event);

	if (ret <= 0)
		return ret;
	switch (event.kind) {
	case STREAM_EVENT_LOST:
		reader->perf_lost = true;
		return 1;
	case STREAM_EVENT_RAW:
		ret = rawdata_begin(&reader->raw, event.payload, event.size);
		return ret ? -EBADMSG : 1;
	case STREAM_EVENT_ITEM:
		reader->held = event.item;
		reader->has_held = true;
		return 1;
	}
	return -EBADMSG;
}

/*
 * Get the next item, beginning with a held one. Returns 1, 0 if there is none, or a negative errno.
 */
static int next_item(struct reader *reader, struct rawdata_item *item)
{
	int ret;

	do {
		if (reader->has_held) {
			*item = reader->held;
			reader->has_held = false;
			return 1;
		}
		ret = rawdata_next(&reader->raw, item);
		if (ret)
			return ret;
		ret = next_payload(reader);
	} while (ret > 0);
	return ret;
}

/*
 * Process the next item in a read that has @n reports. Returns 1, 0 if the read ends, or a negative
 * errno.
 */
static int read_item(struct reader *reader, size_t n, struct gpuoa_read_status *status)
{
	struct rawdata_item item;
	int ret = next_item(reader, &item);

	if (ret <= 0)
		return ret;
	if (n && !goes_on(reader, &item)) {
		reader->held = item;
		reader->has_held = true;
		return 0;
	}
	ret = take_item(reader, &item, status);
	return ret ? ret : 1;
}

/* True if a read returns or reports something because of this item. */
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
		return false;
	}
	return false;
}

bool reader_has_news(struct reader *reader)
{
	struct rawdata_item item;
	bool news = reader->count || reader->err;

	while (!news) {
		const int ret = next_item(reader, &item);

		if (!ret)
			break;
		news = ret < 0 || is_news(&item);
	}
	return news;
}

int reader_next(struct reader *reader, const void **reports, size_t max,
		struct gpuoa_read_status *status)
{
	int ret = 1;

	*status = (struct gpuoa_read_status){ 0 };
	*reports = NULL;
	while (max && !reader->count && !reader->err && ret > 0) {
		ret = read_item(reader, 0, status);
		if (ret < 0)
			reader->err = ret;
	}
	if (reader->err)
		return reader->err;
	return reader->count ? (int)next_reports(reader, reports, max) : 0;
}

int reader_read(struct reader *reader, void *reports, size_t max, struct gpuoa_read_status *status)
{
	size_t n = 0;

	*status = (struct gpuoa_read_status){ 0 };
	if (max > INT_MAX)
		max = INT_MAX;
	while (n < max && !reader->err) {
		int ret = 1;

		if (reader->count)
			n += copy_reports(
				reader, reports ? (char *)reports + n * reader->report_size : NULL,
				max - n);
		else
			ret = read_item(reader, n, status);
		if (ret < 0)
			reader->err = ret;
		if (ret <= 0)
			break;
	}
	return n ? (int)n : reader->err;
}

void reader_finish(struct reader *reader, struct gpuoa_read_status *status)
{
	if (reader->perf_lost)
		status->lost_unknown = true;
	reader->perf_lost = false;
	if (reader->sanity)
		status->damaged += sanity_restart(reader->sanity);
}
