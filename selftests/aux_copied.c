// SPDX-License-Identifier: MIT
/* aux_copied.c - tests of an AUX area that the kernel copies reports into */
#define _GNU_SOURCE
#include "aux_copied.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "aux.h"
#include "wait.h"

#define AREA (128UL << 10)
#define TICKS_PER_US 19.2 /* of Xe2; units with a slower clock write fewer reports meanwhile */

static struct copied of;

/* Check that no timer report is missing. Context switches may cause others. */
static void take(struct aux_reader *reader, const uint8_t *report)
{
	const uint64_t mask = of.wide ? (1ULL << 56) - 1 : UINT32_MAX;
	const uint64_t period = 2ULL << reader->exponent;
	struct aux_tally *tally = &reader->tally;
	uint64_t time = 0;

	memcpy(&time, report + (of.wide ? 8 : 4), of.wide ? 8 : 4);
	time &= mask;
	if (tally->any && !tally->resync &&
	    ((time - tally->last_timestamp) & mask) > period * (1 + tally->missing))
		tally->errors++;
	tally->any = true;
	tally->resync = false;
	tally->missing = 0;
	tally->last_timestamp = time;
	tally->reports++;
}

static const char *begin(struct aux_reader *reader, struct perf_event_attr *attr,
			 const struct copied *copied, bool writable)
{
	of = *copied;
	if (aux_open(reader, attr, copied->exponent))
		return "the event cannot be opened";
	reader->format = copied->format;
	reader->report_size = copied->report_size;
	reader->splits = copied->splits;
	reader->take = take;
	if (aux_map(reader, AREA, writable))
		return "the area cannot be mapped";
	return aux_enable(reader) ? "the event cannot be enabled" : NULL;
}

/* Report the tally, because a failure is not reproducible. */
static const char *end(struct aux_reader *reader, const char *why)
{
	const struct aux_tally *tally = &reader->tally;

	printf("# %llu reports in %llu records, %llu lost, %llu unknown losses, %llu errors\n",
	       (unsigned long long)tally->reports, (unsigned long long)tally->records,
	       (unsigned long long)tally->lost, (unsigned long long)tally->lost_unknown,
	       (unsigned long long)tally->errors);
	if (!why && tally->errors)
		why = "reports are not in order";
	aux_close(reader);
	return why;
}

const char *copied_reports_are_in_order(struct perf_event_attr *attr, const struct copied *copied)
{
	const uint64_t wanted = 5 * AREA / 2 / copied->report_size;
	struct aux_reader reader;
	const char *why = begin(&reader, attr, copied, true);
	uint64_t count = 0;

	if (why)
		return why;
	if (!aux_run_reports(&reader, wanted))
		why = "reports are missing";
	aux_disable(&reader);
	aux_drain(&reader);
	if (read(reader.fd, &count, sizeof(count)) != sizeof(count) ||
	    count != reader.tally.reports)
		why = "read() returns another number of reports";
	if (reader.tally.records >= reader.tally.reports)
		why = "each report has a record";
	return end(&reader, why);
}

const char *copied_area_may_be_full(struct perf_event_attr *attr, const struct copied *copied)
{
	const uint64_t slots = AREA / copied->report_size;
	struct aux_reader reader;
	const char *why = begin(&reader, attr, copied, true);

	if (why)
		return why;
	if (!WAIT_UNTIL(aux_head(&reader) + 2 * copied->report_size > AREA))
		why = "the area does not become full";
	/* Let the unit write half as many reports again. */
	usleep((useconds_t)(slots * (2ULL << copied->exponent) / TICKS_PER_US / 2));
	if (aux_head(&reader) > AREA)
		why = "reports are overwritten";
	if (!why && !aux_run_reports(&reader, slots * 2))
		why = "reports stop after the area was full";
	if (!why && (reader.tally.lost || reader.tally.lost_unknown))
		why = "reports are lost although the OABUFFER has space";
	/* Reports that do not fit when the event is disabled are lost, and reported as such. */
	aux_disable(&reader);
	aux_drain(&reader);
	return end(&reader, why);
}

const char *copied_overflow_has_unknown_size(struct perf_event_attr *attr,
					     const struct copied *copied, bool (*overflow)(void))
{
	struct aux_reader reader;
	const char *why = begin(&reader, attr, copied, true);
	unsigned int i;

	if (why)
		return why;
	if (!aux_run_reports(&reader, 4) || reader.tally.lost || reader.tally.lost_unknown)
		why = "reports are missing";
	if (!why && !overflow())
		why = "the buffer cannot be filled";
	/* Reports of before the overflow may still have to be read. */
	for (i = 0; !why && i < 50 && !reader.tally.lost && !reader.tally.lost_unknown; i++)
		if (!aux_run_reports(&reader, 4))
			why = "reports stop after the overflow";
	if (!why && (reader.tally.lost || reader.tally.lost_unknown != 1))
		why = "the overflow is not reported once, with an unknown size";
	aux_disable(&reader);
	aux_drain(&reader);
	return end(&reader, why);
}

const char *copied_flight_recorder_has_newest(struct perf_event_attr *attr,
					      const struct copied *copied)
{
	const uint64_t slots = AREA / copied->report_size;
	struct aux_reader reader;
	const char *why = begin(&reader, attr, copied, false);

	if (why)
		return why;
	if (!WAIT_UNTIL(aux_head(&reader) >= 5 * AREA / 2))
		why = "the area is not written";
	aux_drain(&reader);
	if (reader.tally.records)
		why = "the window was published while the unit runs";
	aux_disable(&reader);
	aux_drain(&reader);
	if (!why && reader.tally.records != 1)
		why = "there is no window";
	if (!why && (reader.tally.reports < slots - 2 || reader.tally.reports > slots))
		why = "the window is not that of the area";
	return end(&reader, why);
}
