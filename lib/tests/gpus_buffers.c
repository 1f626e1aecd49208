// SPDX-License-Identifier: MIT
/*
 * gpus_buffers.c - Test each OABUFFER size on each unit of each virtual GPU: reports continue where
 * the buffer wraps, even if its size is no multiple of the report size. Other buffer sizes are
 * rejected.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim_unit.h"
#include "tap.h"

#define UNITS_MAX 32
#define LAPS 2 /* through the smallest buffer */
/* approximate time in which the buffer wraps once; longer than any delay of the virtual machine */
#define LAP_NS 300000000

static const struct sim_unit *unit; /* the unit under test */
static const struct gpuoa_set *set;
static uint32_t format;
static uint32_t size;

static int open_stream(struct gpuoa_reader **reader)
{
	const uint64_t reports = unit->info.buffer_size_min / raw_format_of_id(format)->size;
	struct gpuoa_stream_options options = {
		.size = sizeof(options),
		.period_ns = LAP_NS / reports,
		.format = format,
		.buffer_size = size,
		.ring_size = 2 << 20,
		.delivery = GPUOA_DELIVERY_RAW,
		.disabled = true,
	};

	return gpuoa_stream_open(unit->unit, set, &options, reader, NULL, 0);
}

static bool reports_follow_each_other(const struct sim_reports *reports)
{
	const size_t time = raw_find(reports->format, 't', 0);
	const uint64_t period = sim_reports_difference(reports, time, 0, 1);

	for (size_t i = 1; i < reports->count; i++)
		if (sim_reports_difference(reports, time, i - 1, i) != period)
			return false;
	return true;
}

static void reports_run_on(size_t count)
{
	struct gpuoa_reader *reader;
	struct sim_reports reports;
	int error = open_stream(&reader);

	if (!CHECK(!error)) {
		printf("# %s\n", strerror(-error));
		return;
	}
	REQUIRE(sim_reports_open(&reports, format, count + 65536));
	sim_reports_of_timer(&reports, unit);
	CHECK(!gpuoa_reader_enable(reader));
	if (CHECK(sim_reports_read(&reports, reader, count)))
		CHECK(reports_follow_each_other(&reports));
	gpuoa_reader_close(reader);
	sim_reports_close(&reports);
}

static void the_buffer_is_a_ring(void)
{
	size = unit->info.buffer_size_min;
	reports_run_on(LAPS * (uint64_t)size / raw_format_of_id(format)->size);
}

static void all_sizes_are_there(void)
{
	uint64_t next = unit->info.buffer_size_min;

	CHECK(next && !(next & (next - 1)));
	for (; next <= unit->info.buffer_size_max; next *= 2) {
		size = next;
		reports_run_on(20);
	}
	CHECK(next / 2 == unit->info.buffer_size_max);
}

static void other_sizes_are_refused(void)
{
	struct gpuoa_reader *reader;

	size = unit->info.buffer_size_min / 2;
	CHECK(open_stream(&reader) == -ERANGE);
	size = unit->info.buffer_size_max * 2;
	CHECK(open_stream(&reader) == -ERANGE);
	size = unit->info.buffer_size_min * 3;
	CHECK(open_stream(&reader) == -EINVAL);
	size = unit->info.buffer_size_min + 4096;
	CHECK(open_stream(&reader) == -EINVAL);
}

static void run(void (*test)(void), const char *what)
{
	char sentence[128];

	snprintf(sentence, sizeof(sentence), "%s, %s %s: %s", unit->desc.name, unit->desc.platform,
		 unit->desc.domain, what);
	tap_run(test, sentence);
	fflush(stdout);
}

/* Returns whether the report size is not yet in @seen, and adds it. */
static bool is_new_size(uint64_t *seen)
{
	const uint64_t bit = 1ull << raw_format_of_id(format)->size / 64;
	const bool new = !(*seen & bit);

	*seen |= bit;
	return new;
}

static void check_unit(void)
{
	uint64_t seen = 0;
	char what[64];

	set = sim_unit_any_set(unit);
	for (format = 1; format < 64; format++) {
		if (!(unit->info.formats[format / 64] >> format % 64 & 1) || !is_new_size(&seen))
			continue;
		snprintf(what, sizeof(what), "a ring of reports of %zu bytes",
			 raw_format_of_id(format)->size);
		run(the_buffer_is_a_ring, what);
	}
	format = unit->info.default_format;
	run(all_sizes_are_there, "all sizes are there");
	run(other_sizes_are_refused, "other sizes are refused");
}

int main(void)
{
	static struct sim_unit units[UNITS_MAX];
	size_t count = sim_units_open(units, UNITS_MAX);

	if (!count)
		return tap_skip("no OA unit");
	for (unit = units; unit < units + count; unit++)
		check_unit();
	sim_units_close(units, count);
	return tap_end();
}
