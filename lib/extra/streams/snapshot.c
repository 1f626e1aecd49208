// SPDX-License-Identifier: MIT
/*
 * snapshot.c - read the newest report of a stream on demand
 *
 * Reading the newest report flushes reports from the hardware. A snapshot waits for the timer's
 * first report from now on, which is known to be complete when the next one arrives.
 */
#include <errno.h>
#include <time.h>

#include "base/nsec.h"
#include "base/read_status.h"
#include "base/sized.h"
#include "gpuoa-snapshot.h"
#include "gpuoa-stream.h"
#include "reader/stream/stream.h"
#include "reader/stream/unit.h"

/* Polling period: up to 16 polls per snapshot. */
#define LOOKS_PER_PERIOD 8
#define LOOK_MIN_NS (20 * NSEC_PER_USEC)
#define LOOK_MAX_NS (50 * NSEC_PER_MSEC)

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
}

static void sleep_ns(uint64_t ns)
{
	const struct timespec time = { .tv_nsec = (long)ns };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

static uint64_t look_period(const struct stream *stream)
{
	const struct gpuoa_reader *reader = &stream->reader;
	const uint64_t ns =
		gpuoa_exponent_to_period(reader->unit.timestamp_frequency, reader->desc.exponent) /
		LOOKS_PER_PERIOD;

	return ns < LOOK_MIN_NS ? LOOK_MIN_NS : ns > LOOK_MAX_NS ? LOOK_MAX_NS : ns;
}

/* Read the newest available report. Returns 1, 0 or a negative errno. */
static int look(struct stream *stream, void *report, struct gpuoa_read_detail *sum)
{
	const struct gpuoa_read_options newest = { .size = sizeof(newest), .newest = 1 };
	struct gpuoa_read_detail found;
	const int n = gpuoa_reader_read_filtered(&stream->reader, report, 1, &newest, &found,
						 sizeof(found));

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

/* Wait for a report not older than @since. Returns 0 or a negative errno. */
static int snapshot(struct stream *stream, void *report, uint64_t since, uint64_t deadline,
		    struct gpuoa_read_detail *sum)
{
	for (;;) {
		const uint64_t now = now_ns();
		const int n = look(stream, report, sum);

		if (n < 0)
			return n;
		if (n && gpuoa_report_ticks(stream->reader.desc.format, report, since) >= since)
			return 0;
		sum->dropped += n;
		if (!stream->sampling)
			return -ECANCELED;
		if (now >= deadline)
			return -ETIMEDOUT;
		sleep_ns(look_period(stream));
	}
}

int gpuoa_stream_snapshot(struct gpuoa_reader *reader, void *report, int timeout_ms,
			  struct gpuoa_read_detail *detail, size_t size)
{
	struct stream *stream = stream_from_source(reader);
	struct gpuoa_read_detail sum = { .dropped = 0 };
	struct gpuoa_clock_pair now;
	uint64_t deadline = UINT64_MAX;
	int err;

	if (!stream)
		return -EOPNOTSUPP;
	if (stream->area.overwrite)
		return -EOPNOTSUPP;
	err = gpuoa_unit_clock(stream->unit, CLOCK_MONOTONIC, &now);
	if (err)
		return err;
	if (timeout_ms >= 0)
		deadline = now_ns() + timeout_ms * NSEC_PER_MSEC;
	err = snapshot(stream, report, now.gpu_ticks, deadline, &sum);
	if (detail)
		sized_give(detail, size, &sum, sizeof(sum));
	return err;
}
