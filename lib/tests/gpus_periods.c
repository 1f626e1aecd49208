// SPDX-License-Identifier: MIT
/*
 * gpus_periods.c - Test each timer exponent on each unit of each virtual GPU: reports are exactly
 * one period apart, at the ticks of the hardware timer.
 *
 * The test does not wait for long periods: it makes the GPU's clock skip most of each one.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sim_unit.h"
#include "tap.h"

#define UNITS_MAX 32
#define NS_PER_SECOND 1000000000ull
#define WAIT_NS 50000000 /* longest period for which the test waits */
#define LEAP_MARGIN_MS 30 /* time from the end of a skip to the next report */
#define REPORTS 4
#define REPORTS_FAR_APART 3
#define TRIES 10
#define MEMORY (1 << 20) /* size of each buffer */
#define ROOM 256 /* for additional reports */

static const struct sim_unit *unit; /* the unit under test */
static const struct gpuoa_set *set;
static unsigned int exponent;

static uint64_t period_ticks(void)
{
	return 2ull << exponent;
}

static struct gpuoa_reader *open_stream(void)
{
	const uint64_t frequency = unit->info.timestamp_frequency;
	/*
	 * The requested period is rounded up, because the library selects the longest period that
	 * does not exceed it.
	 */
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.period_ns = (unsigned __int128)period_ticks() * NS_PER_SECOND / frequency + 1,
		.buffer_size = MEMORY,
		.ring_size = MEMORY,
		.delivery = GPUOA_DELIVERY_RAW,
		.notify_reports = 1,
		.disabled = true,
	};
	struct gpuoa_reader_desc desc;
	struct gpuoa_reader *reader;

	if (!CHECK(!gpuoa_stream_open(unit->unit, set, &options, &reader, NULL, 0)))
		return NULL;
	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	CHECK(desc.exponent == exponent);
	return reader;
}

static uint64_t period_ns(void)
{
	return gpuoa_exponent_to_period(unit->info.timestamp_frequency, exponent);
}

/* Wait until the clock passes @due. Returns false if that was already the case. */
static bool wait_for_tick(uint64_t due)
{
	uint64_t tick = 0;
	int looks = 0;

	while (sim_unit_number(unit, "tick", &tick) && tick <= due) {
		usleep(1000);
		looks++;
	}
	return looks;
}

/*
 * Advance the GPU's clock to shortly before the next timer tick, unless that is near, and wait for
 * the tick. Returns false if the tick may have been skipped, because this program was delayed.
 */
static bool leap(void)
{
	const uint64_t margin = unit->info.timestamp_frequency * LEAP_MARGIN_MS / 1000;
	const uint64_t period = period_ticks();
	uint64_t ahead, tick, left;
	char ticks[32];

	if (!sim_unit_number(unit, "time_offset", &ahead) || !sim_unit_number(unit, "tick", &tick))
		return false;
	left = (period / 2 - tick) & (period - 1);
	snprintf(ticks, sizeof(ticks), "%" PRIu64, ahead + left - margin);
	if (left > margin && !sim_unit_switch(unit, "time_offset", ticks))
		return false;
	return wait_for_tick(tick + left);
}

static bool leap_from_report_to_report(void)
{
	for (size_t i = 0; i < REPORTS_FAR_APART; i++)
		if (!leap())
			return false;
	return true;
}

/* Truncate a timestamp to the width that the report format has. */
static uint64_t cut(const struct raw_format *format, uint64_t ticks)
{
	const unsigned int bits = format->fields[raw_find(format, 't', 0)].bits;

	return ticks & ((1ull << bits) - 1);
}

static void check_times(const struct sim_reports *reports)
{
	const size_t time = raw_find(reports->format, 't', 0);
	const uint64_t period = period_ticks();

	for (size_t i = 0; i < reports->count; i++) {
		CHECK((sim_report_time(reports, i) & (period - 1)) == period / 2);
		CHECK(!i || sim_reports_difference(reports, time, i - 1, i) ==
				    cut(reports->format, period));
		if (!tap.good) {
			printf("# report %zu at %" PRIu64 "\n", i, sim_report_time(reports, i));
			return;
		}
	}
}

static bool is_long(void)
{
	return period_ns() > WAIT_NS;
}

static void read_reports(struct gpuoa_reader *reader)
{
	struct gpuoa_reader_desc desc;
	struct sim_reports reports;

	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	REQUIRE(sim_reports_open(&reports, desc.format, ROOM));
	sim_reports_of_timer(&reports, unit);
	if (CHECK(sim_reports_read(&reports, reader, is_long() ? REPORTS_FAR_APART : REPORTS)))
		check_times(&reports);
	sim_reports_close(&reports);
}

/* Returns false if this program was delayed, so that the result is inconclusive. */
static bool try_period(void)
{
	struct gpuoa_reader *reader = open_stream();
	bool in_time = true;

	if (!reader)
		return true;
	CHECK(!gpuoa_reader_enable(reader));
	/* The last report in the buffer is delivered only when the unit is stopped. */
	if (is_long()) {
		in_time = leap_from_report_to_report();
		CHECK(!gpuoa_reader_disable(reader));
	}
	if (in_time)
		read_reports(reader);
	gpuoa_reader_close(reader);
	return in_time;
}

static void reports_come_a_period_apart(void)
{
	for (int i = 0; i < TRIES; i++)
		if (try_period())
			return;
	CHECK(!"in time");
}

static void check_unit(const struct sim_unit *of)
{
	char sentence[128];

	unit = of;
	set = sim_unit_any_set(of);
	for (exponent = 0; exponent <= unit->info.exponent_max; exponent += sim_sample()) {
		snprintf(sentence, sizeof(sentence), "%s, %s %s: exponent %u, %" PRIu64 " ns",
			 unit->desc.name, unit->desc.platform, unit->desc.domain, exponent,
			 period_ns());
		tap_run(reports_come_a_period_apart, sentence);
		fflush(stdout);
	}
}

int main(void)
{
	static struct sim_unit units[UNITS_MAX];
	size_t count = sim_units_open(units, UNITS_MAX);

	if (!count)
		return tap_skip("no OA unit");
	for (size_t i = 0; i < count; i++)
		check_unit(&units[i]);
	sim_units_close(units, count);
	return tap_end();
}
