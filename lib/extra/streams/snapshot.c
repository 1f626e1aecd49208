// SPDX-License-Identifier: MIT
/*
 * snapshot.c - read the newest report of a stream on demand
 *
 * Reading the newest report flushes reports from the hardware. A snapshot waits for the first timer
 * report that is written after the call. This report is known to be complete when the next one
 * arrives.
 */
#include <errno.h>
#include <time.h>

#include "base/nsec.h"
#include "base/read_status.h"
#include "base/sized.h"
#include "gpuoa-snapshot.h"
#include "reader/stream/stream_private.h"

/*
 * Number of polls per sampling period; a snapshot takes up to two periods, and so up to 16 polls.
 */
#define POLLS_PER_PERIOD 8
#define POLL_MIN_NS (20 * NSEC_PER_USEC)
#define POLL_MAX_NS (50 * NSEC_PER_MSEC)

static void sleep_ns(uint64_t ns)
{
	const struct timespec time = { .tv_nsec = (long)ns };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

static uint64_t poll_period(const struct gpuoa_unit_desc *unit,
			    const struct gpuoa_reader_desc *desc)
{
	const uint64_t ns = gpuoa_exponent_to_period(unit->timestamp_frequency, desc->exponent) /
			    POLLS_PER_PERIOD;

	return ns < POLL_MIN_NS ? POLL_MIN_NS : ns > POLL_MAX_NS ? POLL_MAX_NS : ns;
}

/* Read the newest available report. Returns 1, 0 if there is none, or a negative errno. */
static int read_newest(struct gpuoa_reader *stream, void *report, struct gpuoa_read_detail *sum)
{
	const struct gpuoa_read_options newest = { .size = sizeof(newest), .newest = 1 };
	struct gpuoa_read_detail found;
	const int n = gpuoa_reader_read_filtered(stream, report, 1, &newest, &found, sizeof(found));

	if (n < 0)
		return n;
	if (!found.status.gap)
		found.gap = sum->gap;
	status_add(&sum->status, &found.status);
	found.status = sum->status;
	found.dropped += sum->dropped;
	found.frequency_changed |= sum->frequency_changed;
	*sum = found;
	return n;
}

/* Wait for a report that was written at @since or later. Returns 0 or a negative errno. */
static int snapshot(struct gpuoa_reader *stream, void *report, uint64_t since, uint64_t deadline,
		    struct gpuoa_read_detail *sum)
{
	struct gpuoa_reader_desc desc;
	struct gpuoa_unit_desc unit;

	gpuoa_reader_describe(stream, &desc, sizeof(desc));
	gpuoa_reader_describe_unit(stream, &unit, sizeof(unit));
	for (;;) {
		const uint64_t now = now_ns();
		const int n = read_newest(stream, report, sum);

		if (n < 0)
			return n;
		if (n && gpuoa_report_ticks(desc.format, report, since) >= since)
			return 0;
		sum->dropped += n;
		if (!stream_state(stream, NULL))
			return -ECANCELED;
		if (now >= deadline)
			return -ETIMEDOUT;
		sleep_ns(poll_period(&unit, &desc));
	}
}

int gpuoa_stream_snapshot(struct gpuoa_reader *stream, void *report, int timeout_ms,
			  struct gpuoa_read_detail *detail, size_t size)
{
	struct gpuoa_read_detail sum = { .dropped = 0 };
	struct gpuoa_clock_pair now;
	uint64_t deadline = UINT64_MAX;
	int err = stream_state(stream, &now);

	if (err < 0)
		return err;
	if (timeout_ms >= 0)
		deadline = now_ns() + timeout_ms * NSEC_PER_MSEC;
	err = snapshot(stream, report, now.gpu_ticks, deadline, &sum);
	if (detail)
		sized_give(detail, size, &sum, sizeof(sum));
	return err;
}
