// SPDX-License-Identifier: MIT
/*
 * triggers.c - the reports of a stream that batches requested, for queries of Xe2 and later
 *
 * A batch writes a value to a register of the OA unit, which then writes a report with this value
 * to its buffer. xe lets batches do so while a stream is open.
 *
 * A value is that of one edge of one query. Commands that are executed again have the same value,
 * so that the time of the command streamer, which the batch stores in memory, selects the report.
 */
#include "triggers.h"

#include <stdlib.h>
#include <string.h>

#include "gpuoa-query.h"
#include "gpuoa-stream.h"
#include "igdmd.h"

#define MAX_REPORTS 4096
#define SOME_REPORTS 64 /* that are read at once */

/* Time of the command streamer, which has 36 bits; ticks by which the two clocks may differ */
#define COMMAND_MASK ((UINT64_C(1) << 36) - 1)
#define TOLERANCE 16

struct trigger {
	uint32_t value;
	uint64_t ticks; /* of the command streamer */
};

struct triggers {
	const struct gpuoa_set *set;
	uint32_t format;
	uint32_t size; /* of a report */
	uint64_t report_frequency; /* of timestamps, Hz */
	uint64_t command_frequency;

	/* The newest reports; the newest one replaces the oldest one. */
	uint64_t count; /* of all */
	struct trigger list[MAX_REPORTS];
	uint8_t *read; /* SOME_REPORTS reports */
	uint8_t reports[]; /* of .list */
};

struct triggers *triggers_new(const struct gpuoa_set *set, uint32_t format,
			      const struct gpuoa_unit_desc *unit)
{
	const size_t size = gpuoa_format_size(format);
	struct triggers *triggers = malloc(sizeof(*triggers) + (MAX_REPORTS + SOME_REPORTS) * size);

	if (!triggers)
		return NULL;
	triggers->set = set;
	triggers->format = format;
	triggers->size = (uint32_t)size;
	triggers->report_frequency = unit->timestamp_frequency;
	triggers->command_frequency = unit->cs_timestamp_frequency;
	triggers->count = 0;
	triggers->read = triggers->reports + MAX_REPORTS * size;
	return triggers;
}

void triggers_free(struct triggers *triggers)
{
	free(triggers);
}

static uint8_t *report_at(struct triggers *triggers, uint64_t index)
{
	return triggers->reports + index % MAX_REPORTS * triggers->size;
}

/* Add a report to the list if a batch requested it. */
static void add(struct triggers *triggers, const uint8_t *report)
{
	const uint64_t ticks = gpuoa_report_timestamp(triggers->format, report);
	struct gpuoa_report_desc desc;

	if (gpuoa_report_describe(triggers->set, triggers->format, report, &desc, sizeof(desc)) ||
	    !desc.has_marker)
		return;
	triggers->list[triggers->count % MAX_REPORTS] = (struct trigger){
		.value = desc.marker,
		.ticks = gpuoa_ticks_rescale(ticks, triggers->report_frequency,
					     triggers->command_frequency),
	};
	memcpy(report_at(triggers, triggers->count), report, triggers->size);
	triggers->count++;
}

void triggers_read(struct triggers *triggers, struct gpuoa_reader *stream)
{
	const struct gpuoa_read_options options = { .size = sizeof(options), .set = triggers->set };
	struct gpuoa_read_detail detail;
	int n;

	do {
		n = gpuoa_reader_read_filtered(stream, triggers->read, SOME_REPORTS, &options,
					       &detail, sizeof(detail));
		for (int i = 0; i < n; i++)
			add(triggers, triggers->read + (size_t)i * triggers->size);
	} while (n > 0 || (!n && detail.outstanding));
}

void triggers_finish(struct triggers *triggers, struct gpuoa_reader *stream)
{
	wait_settled();
	triggers_read(triggers, stream);
}

/* Return the index of the first report with @value from @ticks on, or .count if there is none. */
static uint64_t find(const struct triggers *triggers, uint32_t value, uint64_t ticks)
{
	const uint64_t oldest = triggers->count > MAX_REPORTS ? triggers->count - MAX_REPORTS : 0;
	uint64_t found = triggers->count, nearest = COMMAND_MASK / 2;

	for (uint64_t i = oldest; i < triggers->count; i++) {
		const struct trigger *trigger = &triggers->list[i % MAX_REPORTS];
		const uint64_t later = (trigger->ticks - ticks + TOLERANCE) & COMMAND_MASK;

		if (trigger->value == value && later < nearest) {
			nearest = later;
			found = i;
		}
	}
	return found;
}

const uint8_t *triggers_find(struct triggers *triggers, struct gpuoa_reader *stream, uint32_t value,
			     uint64_t ticks)
{
	const int64_t deadline = wait_now_ms() + QUERY_WAIT_MS;
	uint64_t found = find(triggers, value, ticks);

	while (found == triggers->count && stream && wait_for_more(stream, deadline)) {
		triggers_read(triggers, stream);
		found = find(triggers, value, ticks);
	}
	return found == triggers->count ? NULL : report_at(triggers, found);
}
