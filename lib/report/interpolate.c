// SPDX-License-Identifier: MIT
/*
 * interpolate.c - estimate the report for a time between two reports, and add the counters of
 * reports
 */
#include <errno.h>

#include "gpuoa.h"
#include "report/format.h"

typedef unsigned __int128 wide;

static void report_write(void *report, struct report_field field, uint64_t value)
{
	const uint32_t low = (uint32_t)value, high = (uint32_t)(value >> 32);

	if (!field.bits)
		return;
	memcpy((char *)report + field.offset, &low, sizeof(low));
	if (field.bits == 40) {
		((unsigned char *)report)[field.high] = (unsigned char)high;
	} else if (field.bits > 32) {
		/* Do not change the bits of the dword that do not belong to the field. */
		const uint64_t mask = field_mask(field) >> 32;
		const uint32_t old = report_dword(report, field.offset + 4);
		const uint32_t merged = (uint32_t)((old & ~mask) | (high & mask));

		memcpy((char *)report + field.offset + 4, &merged, sizeof(merged));
	}
}

/* Call @change for each counter of a format, with its position in a report. */
static void for_each_counter(const struct report_format *format,
			     void (*change)(void *context, struct report_field field),
			     void *context)
{
	for (uint32_t number = 0; number < COUNTER_COUNT; number++) {
		const struct report_field field = format_counter(format, number);

		if (field.bits)
			change(context, field);
	}
}

struct interpolation {
	const void *before;
	const void *after;
	void *report;
	uint64_t part; /* ticks since @before */
	uint64_t whole; /* number of ticks between the two reports, not 0 */
};

static void interpolate_field(void *context, struct report_field field)
{
	const struct interpolation *at = context;
	const uint64_t before = report_read(at->before, field);
	const uint64_t count = (report_read(at->after, field) - before) & field_mask(field);

	report_write(at->report, field,
		     (before + (uint64_t)((wide)count * at->part / at->whole)) & field_mask(field));
}

int gpuoa_report_interpolate(uint32_t id, const void *before, const void *after, uint64_t timestamp,
			     void *report)
{
	const struct report_format *format = format_get(id);
	struct interpolation at = { .before = before, .after = after, .report = report };
	uint64_t begin, mask;

	if (!format)
		return -ENOENT;
	mask = field_mask(format->timestamp);
	begin = report_read(before, format->timestamp);
	at.whole = (report_read(after, format->timestamp) - begin) & mask;
	at.part = (timestamp - begin) & mask;
	if (timestamp & ~mask || at.part > at.whole)
		return -EINVAL;
	memcpy(report, after, format->size);
	if (at.part == at.whole)
		return 0;
	report_write(report, format->timestamp, timestamp);
	if (format->clock.bits)
		interpolate_field(&at, format->clock);
	for_each_counter(format, interpolate_field, &at);
	return 0;
}

struct addition {
	void *report;
	const void *added;
};

static void add_field(void *context, struct report_field field)
{
	const struct addition *sum = context;

	report_write(sum->report, field,
		     report_read(sum->report, field) + report_read(sum->added, field));
}

int gpuoa_report_add(uint32_t id, void *report, const void *added)
{
	const struct report_format *format = format_get(id);
	struct addition sum = { report, added };

	if (!format)
		return -ENOENT;
	for_each_counter(format, add_field, &sum);
	return 0;
}
