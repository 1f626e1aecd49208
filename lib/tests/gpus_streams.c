// SPDX-License-Identifier: MIT
/*
 * gpus_streams.c - Test the functions of gpuoa-stream.h on each unit of each virtual GPU:
 * descriptions are correct, and the reports equal the GPU's true counts.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gpuoa-snapshot.h"
#include "gpuoa-stream.h"
#include "gpuoa-unit-group.h"
#include "selftests/wait.h"
#include "sim_unit.h"
#include "tap.h"

#define UNITS_MAX 32
#define PERIOD_NS 500000
#define MAX 256
#define AUX_NOTIFY 1500 /* 0.75 s of reports */
#define SOON_MS 20 /* time within which requested reports must arrive, in virtual time */
/* number of reports to wait for; fewer than MAX, because context switches add reports */
#define SOME 48

static struct sim_unit units[UNITS_MAX];
static size_t unit_count, aux_units;
static const struct sim_unit *unit; /* the unit under test */
/* two sets of the unit that have the same report format */
static const struct gpuoa_set *set, *other;

static uint8_t reports[MAX * RAW_SIZE_MAX], more[MAX * RAW_SIZE_MAX];

static uint8_t *at(uint8_t *all, size_t index)
{
	return all + index * gpuoa_format_size(unit->desc.default_format);
}

static struct gpuoa_reader *open_stream(void)
{
	struct gpuoa_stream_options options = { .size = sizeof(options), .period_ns = PERIOD_NS };
	struct gpuoa_reader *reader = NULL;
	char error[256] = "";

	options.format = unit->desc.default_format;
	if (!CHECK(!gpuoa_stream_open(unit->unit, set, &options, &reader, error, sizeof(error))))
		printf("# %s: %s\n", unit->desc.name, error);
	return reader;
}

/* Wait until the timer must have written @count reports. */
static void let_pass(unsigned int count)
{
	usleep(count * (PERIOD_NS / 1000) + 20000);
}

/* ---- run each test on each unit ---- */

static bool is_for_unit(const struct gpuoa_set *candidate)
{
	struct gpuoa_set_desc desc;

	gpuoa_set_describe(candidate, &desc, sizeof(desc));
	return desc.format == unit->desc.default_format &&
	       gpuoa_set_available(candidate, unit->desc.domain, gpuoa_unit_constants(unit->unit),
				   NULL, 0) == 1;
}

static void choose_sets(void)
{
	const struct gpuoa_set *candidate;

	set = other = NULL;
	for (size_t i = 0; (candidate = gpuoa_platform_get_set(unit->platform, i)); i++) {
		if (!is_for_unit(candidate))
			continue;
		if (set)
			other = candidate;
		else
			set = candidate;
	}
}

static void on_each_unit(void (*test)(void))
{
	for (size_t i = 0; i < unit_count; i++) {
		unit = &units[i];
		choose_sets();
		if (set)
			test();
		if (!tap.good) {
			printf("# of %s, which is %s of %s\n", unit->desc.name, unit->desc.domain,
			       unit->desc.platform);
			return;
		}
	}
}

#define EACH(name)                         \
	static void name(void)             \
	{                                  \
		on_each_unit(name##_here); \
	}

/* ---- true counts ---- */

/* Check that the differences of the counters between two reports equal the GPU's true counts. */
static bool is_true(const uint8_t *from, const uint8_t *to)
{
	const struct raw_format *format = raw_format_of_id(unit->desc.default_format);
	uint64_t reference[RAW_FIELDS_MAX], found[RAW_FIELDS_MAX];
	bool same = true;

	if (!CHECK(format) ||
	    !CHECK(sim_unit_reference(unit, format, gpuoa_report_timestamp(format->id, from),
				      gpuoa_report_timestamp(format->id, to), reference)))
		return false;
	raw_differences(format, from, to, found);
	for (size_t i = 0; i < format->count; i++) {
		const unsigned int bits = format->fields[i].bits;
		const uint64_t mask = bits < 64 ? (1ull << bits) - 1 : UINT64_MAX;

		if (((found[i] ^ reference[i]) & mask) == 0)
			continue;
		printf("# %c%u: %" PRIu64 ", but should be %" PRIu64 "\n", format->fields[i].bank,
		       format->fields[i].index, found[i], reference[i]);
		same = false;
	}
	return CHECK(same);
}

/* In real time, other processes may delay this one indefinitely. */
static bool is_soon(uint64_t before, uint64_t after)
{
	return !virtual_time() || after - before < SOON_MS * unit->desc.timestamp_frequency / 1000;
}

static void snapshots_of(struct gpuoa_reader *reader)
{
	struct gpuoa_clock_pair before, after;
	struct gpuoa_read_detail detail;
	uint8_t shot[2][RAW_SIZE_MAX];

	REQUIRE(reader);
	for (int i = 0; i < 2; i++) {
		uint64_t ticks;

		let_pass(10);
		CHECK(!gpuoa_unit_clock(unit->unit, CLOCK_MONOTONIC, &before));
		CHECK(!gpuoa_stream_snapshot(reader, shot[i], scaled_ms(1000), &detail,
					     sizeof(detail)));
		CHECK(!gpuoa_unit_clock(unit->unit, CLOCK_MONOTONIC, &after));
		ticks = gpuoa_report_ticks(unit->desc.default_format, shot[i], before.gpu_ticks);
		CHECK(ticks >= before.gpu_ticks && ticks <= after.gpu_ticks);
		CHECK(is_soon(before.gpu_ticks, after.gpu_ticks));
		CHECK(detail.dropped >= 10);
	}
	is_true(shot[0], shot[1]);
	CHECK(!gpuoa_reader_disable(reader));
	CHECK(gpuoa_stream_snapshot(reader, shot[0], 1000, NULL, 0) == -ECANCELED);
	gpuoa_reader_close(reader);
}

static void snapshots_are_recent_and_match_reference_here(void)
{
	snapshots_of(open_stream());
}
EACH(snapshots_are_recent_and_match_reference)

/*
 * Open a stream that wakes the reader only every 0.75 s, so that within that time reports arrive
 * only on request. Returns NULL if the unit has no AUX mode.
 */
static struct gpuoa_reader *open_aux(void)
{
	struct gpuoa_stream_options options = { .size = sizeof(options),
						.period_ns = PERIOD_NS,
						.notify_reports = AUX_NOTIFY,
						.delivery = GPUOA_DELIVERY_AUX };
	struct gpuoa_reader *reader;
	const int err = gpuoa_stream_open(unit->unit, set, &options, &reader, NULL, 0);

	if (err)
		CHECK(err == -EOPNOTSUPP);
	return err ? NULL : reader;
}

static void aux_snapshots_are_recent_here(void)
{
	struct gpuoa_reader *reader = open_aux();

	if (!reader)
		return;
	aux_units++;
	snapshots_of(reader);
}

static void aux_snapshots_are_recent(void)
{
	on_each_unit(aux_snapshots_are_recent_here);
	CHECK(aux_units);
}

/* A read returns the newest reports of a running stream without waiting. */
static void read_newest_of_aux_area_returns_at_once_here(void)
{
	const struct gpuoa_read_options newest = { .size = sizeof(newest), .newest = SOME };
	struct gpuoa_reader *reader = open_aux();
	struct gpuoa_clock_pair now;
	struct gpuoa_read_detail detail;
	uint64_t ticks;
	int n;

	if (!reader)
		return;
	for (int i = 0; i < 3; i++) {
		let_pass(4 * SOME);
		n = gpuoa_reader_read_filtered(reader, reports, MAX, &newest, &detail,
					       sizeof(detail));
		CHECK(!gpuoa_unit_clock(unit->unit, CLOCK_MONOTONIC, &now));
		CHECK(n == SOME && detail.dropped);
		REQUIRE(n > 0);
		ticks = gpuoa_report_ticks(unit->desc.default_format, at(reports, n - 1),
					   now.gpu_ticks);
		CHECK(is_soon(ticks, now.gpu_ticks));
	}
	gpuoa_reader_close(reader);
}
EACH(read_newest_of_aux_area_returns_at_once)

/* ---- filtered reads ---- */

static int read_to(struct gpuoa_reader *reader, uint8_t *to, size_t max,
		   struct gpuoa_read_options options, struct gpuoa_read_detail *detail)
{
	options.size = sizeof(options);
	return gpuoa_reader_read_filtered(reader, to, max, &options, detail, sizeof(*detail));
}

static int read_some(struct gpuoa_reader *reader, uint8_t *to, struct gpuoa_read_options options,
		     struct gpuoa_read_detail *detail)
{
	return read_to(reader, to, MAX, options, detail);
}

static void peek_consumes_nothing_here(void)
{
	const size_t size = gpuoa_format_size(unit->desc.default_format);
	const struct gpuoa_read_options newest = { .newest = MAX },
					peek = { .newest = MAX, .peek = true };
	struct gpuoa_reader *reader = open_stream();
	struct gpuoa_read_detail peeked, taken;
	int n, again;

	REQUIRE(reader);
	let_pass(SOME);
	CHECK(!gpuoa_reader_disable(reader));
	n = read_some(reader, reports, peek, &peeked);
	CHECK(n >= SOME / 2 && !peeked.outstanding);
	again = read_some(reader, more, peek, &peeked);
	CHECK(again == n && !memcmp(reports, more, n * size));
	again = read_some(reader, more, newest, &taken);
	CHECK(again == n && !memcmp(reports, more, n * size));
	CHECK(!memcmp(&peeked, &taken, sizeof(taken)));
	CHECK(!read_some(reader, more, newest, &taken));
	gpuoa_reader_close(reader);
}
EACH(peek_consumes_nothing)

static void read_newest_counts_the_skipped_reports_here(void)
{
	const size_t size = gpuoa_format_size(unit->desc.default_format);
	struct gpuoa_reader *reader = open_stream();
	struct gpuoa_read_detail all, newest;
	int n, few;

	REQUIRE(reader);
	let_pass(SOME);
	CHECK(!gpuoa_reader_disable(reader));
	n = read_some(reader, reports, (struct gpuoa_read_options){ .newest = MAX, .peek = true },
		      &all);
	few = read_some(reader, more, (struct gpuoa_read_options){ .newest = 7 }, &newest);
	CHECK(few == 7 && n > 7 && newest.dropped == all.dropped + n - 7);
	if (n > 7)
		CHECK(!memcmp(more, at(reports, n - 7), 7 * size));
	is_true(more, at(more, 6));
	gpuoa_reader_close(reader);
}
EACH(read_newest_counts_the_skipped_reports)

static struct gpuoa_report_desc describe(const uint8_t *report)
{
	struct gpuoa_report_desc desc;

	CHECK(!gpuoa_report_describe(set, unit->desc.default_format, report, &desc, sizeof(desc)));
	return desc;
}

/* A filtered read must return the same reports as a loop that checks each report. */
static void read_filtered_by_reason_here(void)
{
	const size_t size = gpuoa_format_size(unit->desc.default_format);
	struct gpuoa_read_options timer = { .reasons = GPUOA_REASON_TIMER };
	struct gpuoa_reader *reader = open_stream();
	struct gpuoa_read_detail detail;
	int n, expected = 0, found = 0, left_out = 0;

	REQUIRE(reader);
	let_pass(SOME);
	CHECK(!gpuoa_reader_disable(reader));
	n = read_some(reader, reports, (struct gpuoa_read_options){ .newest = MAX, .peek = true },
		      &detail);
	CHECK(n > 0 && !detail.dropped);
	if (!describe(reports).has_reason) {
		CHECK(read_some(reader, more, timer, &detail) == -EOPNOTSUPP);
		gpuoa_reader_close(reader);
		return;
	}
	do {
		const int some = read_to(reader, at(more, found), MAX - found, timer, &detail);

		if (!CHECK(some >= 0))
			break;
		found += some;
		left_out += detail.left_out;
	} while (detail.outstanding && found < MAX);
	for (int i = 0; i < n; i++)
		if (describe(at(reports, i)).reason & GPUOA_REASON_TIMER)
			CHECK(!memcmp(at(reports, i), at(more, expected++), size));
	CHECK(expected == found && left_out == n - found);
	gpuoa_reader_close(reader);
}
EACH(read_filtered_by_reason)

/* Returns the id of any context that ran, or 0 if there is none. */
static uint32_t any_context(int n)
{
	for (int i = 0; i < n; i++) {
		const struct gpuoa_report_desc desc = describe(at(reports, i));

		if (desc.has_context)
			return desc.context_id;
	}
	return 0;
}

static void read_filtered_by_context_here(void)
{
	const bool switches = gpuoa_set_find_info(set, "SourceId");
	const size_t size = gpuoa_format_size(unit->desc.default_format);
	struct gpuoa_reader *reader = open_stream();
	struct gpuoa_read_options choice = { .newest = MAX, .context_filter = true };
	struct gpuoa_read_detail detail;
	int n, found, expected = 0;
	bool runs = false;

	REQUIRE(reader);
	let_pass(SOME);
	CHECK(!gpuoa_reader_disable(reader));
	n = read_some(reader, reports, (struct gpuoa_read_options){ .newest = MAX, .peek = true },
		      &detail);
	choice.context_id = any_context(n);
	if (choice.context_id) {
		found = read_some(reader, more, choice, &detail);
		for (int i = 0; i < n; i++) {
			const struct gpuoa_report_desc desc = describe(at(reports, i));

			if (desc.has_context)
				runs = desc.context_id == choice.context_id;
			else
				runs &= switches && !(desc.reason & GPUOA_REASON_CONTEXT_SWITCH);
			if (runs)
				CHECK(!memcmp(at(reports, i), at(more, expected++), size));
		}
		CHECK(found > 0 && found == expected && detail.left_out == (uint64_t)(n - found));
	}
	gpuoa_reader_close(reader);
}
EACH(read_filtered_by_context)

/* Haswell cannot report wraps. */
static void wraps_are_reported_here(void)
{
	const bool tells = strcmp(unit->desc.platform, "hsw");
	struct gpuoa_reader *reader = open_stream();
	struct gpuoa_read_detail detail;
	uint64_t wraps = 0;

	REQUIRE(reader);
	let_pass(5);
	CHECK(read_some(reader, reports, (struct gpuoa_read_options){ .newest = 1 }, &detail) == 1);
	CHECK(sim_unit_switch(unit, "wrap_counters", "1000"));
	for (int i = 0; i < 20 && !wraps; i++) {
		let_pass(10);
		CHECK(read_some(reader, reports, (struct gpuoa_read_options){ .newest = 5 },
				&detail) == 5);
		CHECK(!detail.status.gap && !detail.status.lost_unknown);
		wraps += detail.status.wraps;
	}
	CHECK((wraps > 0) == tells);
	gpuoa_reader_close(reader);
}
EACH(wraps_are_reported)

/* ---- changing the set ---- */

/* Check the counts of at least five reports. @gap: true: only those after a discontinuity */
static void check_reports(struct gpuoa_reader *reader, bool gap)
{
	struct gpuoa_read_detail detail = { .dropped = 0 };
	bool seen = !gap;
	int n = 0;

	for (int tries = 0; tries < 100 && (n < 5 || !seen); tries++) {
		let_pass(10);
		n = read_some(reader, reports, (struct gpuoa_read_options){ .newest = 5 }, &detail);
		if (!CHECK(n >= 0))
			return;
		seen |= detail.status.gap;
		CHECK(!detail.status.gap || detail.gap.begin < detail.gap.end);
	}
	CHECK(seen && n == 5);
	for (int i = 1; i < n; i++)
		is_true(at(reports, i - 1), at(reports, i));
}

static void set_can_be_changed_on_open_stream_here(void)
{
	struct gpuoa_reader *reader = other ? open_stream() : NULL;
	struct gpuoa_reader_desc desc;
	struct gpuoa_set_desc wanted;
	char error[256] = "";

	if (!other)
		return; /* the unit has only one set, so there is none to change to */
	REQUIRE(reader);
	check_reports(reader, false);
	if (!CHECK(!gpuoa_stream_reconfigure(reader, other, error, sizeof(error))))
		printf("# %s\n", error);
	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	gpuoa_set_describe(other, &wanted, sizeof(wanted));
	CHECK_STRING(desc.uuid, wanted.uuid);
	check_reports(reader, true);
	gpuoa_reader_close(reader);
}
EACH(set_can_be_changed_on_open_stream)

/* ---- resolving options before opening ---- */

static void resolved_options_equal_those_of_the_stream_here(void)
{
	struct gpuoa_stream_options asked = { .size = sizeof(asked),
					      .period_ns = 777777,
					      .buffer_size = 3000000,
					      .notify_reports = 12,
					      .rounding = GPUOA_ROUNDING_UP |
							  GPUOA_ROUNDING_CLAMP },
				    told = asked, actual = asked;
	struct gpuoa_reader *reader;
	struct gpuoa_unit_user use;

	CHECK(!gpuoa_unit_get_user(unit->unit, &use, sizeof(use)) && !use.streams);
	REQUIRE(!gpuoa_stream_resolve_options(unit->unit, set, &told, NULL, 0));
	REQUIRE(!gpuoa_stream_open(unit->unit, set, &actual, &reader, NULL, 0));
	CHECK(!memcmp(&told, &actual, sizeof(told)));
	CHECK(actual.period_ns >= 777777 && actual.buffer_size == 4 << 20);
	CHECK(gpuoa_exponent_to_period(unit->desc.timestamp_frequency, actual.exponent) ==
	      actual.period_ns);
	CHECK(gpuoa_unit_get_user(unit->unit, &use, sizeof(use)) == 1);
	CHECK(use.streams == 1 && use.process == (uint32_t)getpid() && use.buffer_size == 4 << 20 &&
	      use.exponent == actual.exponent && use.delivery == GPUOA_DELIVERY_RAW);
	gpuoa_reader_close(reader);

	asked = (struct gpuoa_stream_options){ .size = sizeof(asked),
					       .buffer_size = UINT32_MAX,
					       .period_ns = 1,
					       .rounding = GPUOA_ROUNDING_CLAMP };
	CHECK(!gpuoa_stream_resolve_options(unit->unit, set, &asked, NULL, 0));
	CHECK(asked.buffer_size == unit->desc.buffer_size_max && asked.exponent == 0);
	asked = (struct gpuoa_stream_options){ .size = sizeof(asked),
					       .use_exponent = true,
					       .exponent = unit->desc.exponent_max + 1 };
	CHECK(gpuoa_stream_resolve_options(unit->unit, set, &asked, NULL, 0) == -ERANGE);
	asked.rounding = 3;
	asked.use_exponent = false;
	CHECK(gpuoa_stream_resolve_options(unit->unit, set, &asked, NULL, 0) == -EINVAL);
}
EACH(resolved_options_equal_those_of_the_stream)

/*
 * The kernel returns the values that it selects. A stream whose options are not set shares the unit
 * with the streams that are open.
 */
static void unset_options_follow_the_current_stream_here(void)
{
	struct gpuoa_stream_options options = { .size = sizeof(options) };
	struct gpuoa_reader *first = open_stream(), *second;

	REQUIRE(first);
	REQUIRE(!gpuoa_stream_open(unit->unit, set, &options, &second, NULL, 0));
	CHECK(options.format == unit->desc.default_format && options.period_ns <= PERIOD_NS);
	CHECK(options.buffer_size >= unit->desc.buffer_size_min &&
	      !(options.buffer_size & (options.buffer_size - 1)));
	gpuoa_reader_close(first);
	gpuoa_reader_close(second);
}
EACH(unset_options_follow_the_current_stream)

/* ---- several units at once ---- */

/*
 * Make an entry for each unit that has two sets of one report format. Returns the number of
 * entries.
 */
static size_t make_entries(struct gpuoa_unit_group_entry *first,
			   struct gpuoa_unit_group_entry *second)
{
	size_t count = 0;

	for (size_t i = 0; i < unit_count; i++) {
		unit = &units[i];
		choose_sets();
		if (!other)
			continue;
		first[count] = (struct gpuoa_unit_group_entry){ .unit = unit->unit, .set = set };
		second[count++] =
			(struct gpuoa_unit_group_entry){ .unit = unit->unit, .set = other };
	}
	return count;
}

static bool is_used_for(struct gpuoa_unit *used, const struct gpuoa_set *wanted)
{
	struct gpuoa_unit_user use;
	struct gpuoa_set_desc desc;

	gpuoa_set_describe(wanted, &desc, sizeof(desc));
	return gpuoa_unit_get_user(used, &use, sizeof(use)) == 1 && !strcmp(use.uuid, desc.uuid);
}

static bool all_used_for(const struct gpuoa_unit_group_entry *entries, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!is_used_for(entries[i].unit, entries[i].set))
			return false;
	return true;
}

static void unit_group_set_is_all_or_nothing(void)
{
	struct gpuoa_unit_group_entry first[UNITS_MAX + 1], second[UNITS_MAX + 1];
	const size_t count = make_entries(first, second);
	struct gpuoa_unit_group *group, *rival;
	struct gpuoa_reader *reader;
	struct gpuoa_unit_user use;
	char error[256] = "";

	REQUIRE(count > 1);
	REQUIRE(!gpuoa_unit_group_open(NULL, &group, NULL, 0));
	REQUIRE(!gpuoa_unit_group_open(NULL, &rival, NULL, 0));
	CHECK(!gpuoa_unit_group_set(group, first, count, error, sizeof(error)));
	CHECK(all_used_for(first, count));

	/*
	 * A second list of sets replaces the first one: then only streams of sets in the second
	 * list can be opened.
	 */
	CHECK(!gpuoa_unit_group_set(group, second, count, error, sizeof(error)));
	CHECK(all_used_for(second, count));
	CHECK(gpuoa_stream_open(first[0].unit, first[0].set, NULL, &reader, error, sizeof(error)) ==
	      -EBUSY);
	CHECK(strstr(error, "by this process: with another set"));
	REQUIRE(!gpuoa_stream_open(second[0].unit, second[0].set, NULL, &reader, NULL, 0));
	gpuoa_reader_close(reader);

	/* A list with two sets of the same unit is rejected without any change. */
	first[count] =
		(struct gpuoa_unit_group_entry){ .unit = first[0].unit, .set = second[0].set };
	CHECK(gpuoa_unit_group_set(group, first, count + 1, error, sizeof(error)) == -EINVAL);
	CHECK(strstr(error, "can be programmed for one set, not for"));
	CHECK(all_used_for(second, count));

	/*
	 * If another group holds the last unit of the list, the group of the other units remains as
	 * it was.
	 */
	CHECK(!gpuoa_unit_group_set(group, second, count - 1, error, sizeof(error)));
	CHECK(!gpuoa_unit_group_set(rival, &second[count - 1], 1, error, sizeof(error)));
	CHECK(gpuoa_unit_group_set(group, first, count, error, sizeof(error)) == -EBUSY);
	CHECK(strstr(error, "is in use by"));
	CHECK(all_used_for(second, count));

	gpuoa_unit_group_close(rival);
	CHECK(!gpuoa_unit_group_set(group, NULL, 0, error, sizeof(error)));
	for (size_t i = 0; i < count; i++)
		CHECK(!gpuoa_unit_get_user(first[i].unit, &use, sizeof(use)));
	gpuoa_unit_group_close(group);
}

int main(void)
{
	unit_count = sim_units_open(units, UNITS_MAX);
	if (!unit_count)
		return tap_skip("no OA unit");
	RUN(snapshots_are_recent_and_match_reference);
	RUN(aux_snapshots_are_recent);
	RUN(read_newest_of_aux_area_returns_at_once);
	RUN(peek_consumes_nothing);
	RUN(read_newest_counts_the_skipped_reports);
	RUN(read_filtered_by_reason);
	RUN(read_filtered_by_context);
	RUN(wraps_are_reported);
	RUN(set_can_be_changed_on_open_stream);
	RUN(resolved_options_equal_those_of_the_stream);
	RUN(unset_options_follow_the_current_stream);
	RUN(unit_group_set_is_all_or_nothing);
	sim_units_close(units, unit_count);
	return tap_end();
}
