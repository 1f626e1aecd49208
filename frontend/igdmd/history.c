// SPDX-License-Identifier: MIT
/*
 * history.c - the last reports of a stream, to subtract the work of other contexts from queries
 *
 * From gen8 to gen11, reports of batches have the counters of the whole GPU. The GPU writes a
 * report at every switch to another context. In a stream of one context, i915 gives that context a
 * fixed id, and returns the reports of all switches, with an invalid id if another context, or
 * none, runs after it.
 */
#include "history.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gpuoa-stream.h"
#include "igdmd.h"

#define MAX_REPORTS 16384
#define INVALID_ID UINT32_MAX
#define FIELDS 64

struct history {
	const struct gpuoa_set *set; /* any set of the platform */
	uint32_t format;
	uint32_t size; /* of a report */
	uint64_t time_mask; /* ticks */
	struct gpuoa_field_desc context;
	struct gpuoa_field_desc fields[FIELDS]; /* that advance: time, clock, and counters */
	uint32_t field_count;

	uint64_t id; /* of the context of the last stream in which it ran; INVALID_ID: none */

	/* Reports are complete from the time @from to that of the last one, ticks of 64 bits. */
	uint64_t from;
	size_t count;
	uint64_t times[MAX_REPORTS];
	uint8_t reports[];
};

static uint64_t get(const uint8_t *report, const struct gpuoa_field_desc *field)
{
	uint64_t value = 0;

	memcpy(&value, report + field->offset, field->bits > 40 ? 8 : 4);
	if (field->bits == 40)
		value |= (uint64_t)report[field->high] << 32;
	return value;
}

static void put(uint8_t *report, const struct gpuoa_field_desc *field, uint64_t value)
{
	memcpy(report + field->offset, &value, field->bits > 40 ? 8 : 4);
	if (field->bits == 40)
		report[field->high] = (uint8_t)(value >> 32);
}

static void add_fields(struct history *history, enum gpuoa_field field)
{
	struct gpuoa_field_desc *next = &history->fields[history->field_count];

	for (uint32_t i = 0; history->field_count < FIELDS &&
			     !gpuoa_report_field(history->format, field, i, next, sizeof(*next));
	     i++, next++)
		history->field_count++;
}

/* Forget all reports. New ones are complete from @now on; UINT64_MAX: unknown. */
static void restart(struct history *history, uint64_t now)
{
	history->from = now;
	history->count = 0;
}

struct history *history_new(const struct gpuoa_set *set, uint32_t format, uint64_t now)
{
	const uint32_t size = (uint32_t)gpuoa_format_size(format);
	struct history *history;
	struct gpuoa_field_desc time, context;

	if (gpuoa_report_field(format, GPUOA_FIELD_CONTEXT_ID, 0, &context, sizeof(context)) ||
	    gpuoa_report_field(format, GPUOA_FIELD_TIMESTAMP, 0, &time, sizeof(time)))
		return NULL;
	history = malloc(sizeof(*history) + (size_t)MAX_REPORTS * size);
	if (!history)
		return NULL;
	history->set = set;
	history->format = format;
	history->size = size;
	history->time_mask = time.bits < 64 ? (UINT64_C(1) << time.bits) - 1 : UINT64_MAX;
	history->context = context;
	history->fields[0] = time;
	history->field_count = 1;
	history->id = INVALID_ID;
	add_fields(history, GPUOA_FIELD_CLOCK);
	add_fields(history, GPUOA_FIELD_COUNTER_A);
	add_fields(history, GPUOA_FIELD_COUNTER_B);
	add_fields(history, GPUOA_FIELD_COUNTER_C);
	restart(history, now);
	return history;
}

void history_free(struct history *history)
{
	free(history);
}

static uint8_t *report_at(struct history *history, size_t index)
{
	return history->reports + index * history->size;
}

/* Drop the older half of the reports. */
static void make_room(struct history *history)
{
	const size_t kept = MAX_REPORTS / 2, dropped = history->count - kept;

	memmove(history->reports, report_at(history, dropped), kept * history->size);
	memmove(history->times, history->times + dropped, kept * sizeof(history->times[0]));
	history->count = kept;
	history->from = history->times[0];
}

/*
 * Extend the time of a report to 64 bits. It is before @now, or after it by a small part of the
 * range, since the two come from different clocks.
 */
static uint64_t extend(const struct history *history, uint64_t ticks, uint64_t now)
{
	const uint64_t latest = now + (history->time_mask >> 4);

	return latest - ((latest - ticks) & history->time_mask);
}

/* Return the id of the context that runs after a report, or INVALID_ID if it is another one. */
static uint64_t id_of(const struct history *history, const uint8_t *report)
{
	struct gpuoa_report_desc desc;

	if (gpuoa_report_describe(history->set, history->format, report, &desc, sizeof(desc)) ||
	    !desc.has_context)
		return INVALID_ID;
	return get(report, &history->context);
}

/* Keep @count reports that have been read to the end of the list. */
static void append(struct history *history, size_t count, uint64_t now)
{
	for (; count; count--, history->count++) {
		const uint8_t *report = report_at(history, history->count);

		history->times[history->count] = extend(history, get(report, history->fields), now);
		if (id_of(history, report) != INVALID_ID)
			history->id = id_of(history, report);
	}
}

/* Read reports until none is left. Returns 0 or a negative errno. */
static int read_all(struct history *history, struct gpuoa_reader *stream, struct gpuoa_unit *unit)
{
	const struct gpuoa_read_options options = { .size = sizeof(options), .set = history->set };
	struct gpuoa_read_detail detail;
	struct gpuoa_clock_pair pair;
	int n;

	do {
		if (history->count == MAX_REPORTS)
			make_room(history);
		n = gpuoa_reader_read_filtered(stream, report_at(history, history->count),
					       MAX_REPORTS - history->count, &options, &detail,
					       sizeof(detail));
		if (n < 0)
			return n;
		if (gpuoa_unit_clock(unit, CLOCK_MONOTONIC, &pair))
			return -ENODEV;
		if (detail.status.gap) {
			memmove(history->reports, report_at(history, history->count),
				(size_t)n * history->size);
			restart(history, pair.gpu_ticks);
		}
		append(history, (size_t)n, pair.gpu_ticks);
		if (detail.status.gap && n)
			history->from = history->times[0];
	} while (n || detail.outstanding);
	return 0;
}

void history_read(struct history *history, struct gpuoa_reader *stream, struct gpuoa_unit *unit)
{
	if (read_all(history, stream, unit))
		restart(history, UINT64_MAX);
}

static bool reaches(const struct history *history, uint64_t time)
{
	return history->count && history->times[history->count - 1] >= time;
}

/* Read reports until one is not older than @time. */
static void read_until(struct history *history, struct gpuoa_reader *stream,
		       struct gpuoa_unit *unit, uint64_t time)
{
	const int64_t deadline = wait_now_ms() + QUERY_WAIT_MS;

	history_read(history, stream, unit);
	while (!reaches(history, time) && history->from <= time && wait_for_more(stream, deadline))
		history_read(history, stream, unit);
}

void history_catch_up(struct history *history, struct gpuoa_reader *stream, struct gpuoa_unit *unit,
		      uint64_t now, const uint8_t *end)
{
	read_until(history, stream, unit, extend(history, get(end, history->fields), now));
}

void history_finish(struct history *history, struct gpuoa_reader *stream, struct gpuoa_unit *unit)
{
	wait_settled();
	history_read(history, stream, unit);
}

void history_resume(struct history *history, uint64_t now)
{
	if (!history->count)
		restart(history, now);
}

/* Subtract from a report what was counted between two others. */
static void subtract(const struct history *history, uint8_t *report, const uint8_t *before,
		     const uint8_t *after)
{
	for (uint32_t i = 0; i < history->field_count; i++) {
		const struct gpuoa_field_desc *field = &history->fields[i];

		put(report, field, get(report, field) - (get(after, field) - get(before, field)));
	}
}

bool history_subtract(struct history *history, uint64_t now, const uint8_t *begin, uint8_t *end)
{
	const uint64_t from = extend(history, get(begin, history->fields), now);
	const uint64_t to = from + ((get(end, history->fields) - get(begin, history->fields)) &
				    history->time_mask);
	const uint64_t id = get(begin, &history->context);
	const uint8_t *other = NULL; /* report after which another context runs */
	uint8_t *whole;

	if (history->from > from || !reaches(history, to) || id != history->id)
		return false;
	whole = malloc(history->size);
	if (!whole)
		return false;
	memcpy(whole, end, history->size);
	for (size_t i = 0; i < history->count && history->times[i] < to; i++) {
		const uint8_t *report = report_at(history, i);

		if (history->times[i] <= from)
			continue;
		if (other)
			subtract(history, end, other, report);
		other = id_of(history, report) == id ? NULL : report;
	}
	if (other)
		subtract(history, end, other, whole);
	free(whole);
	return true;
}
