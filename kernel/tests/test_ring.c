// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_ring.c - detection of complete reports in the OABUFFER.
 */
#include <kunit/test.h>
#include <linux/sizes.h>

#include "../core/stream/gpuoa_ring.h"

#define RING_SIZE SZ_128K
#define REPORT_SIZE 256
#define SLOTS (RING_SIZE / REPORT_SIZE)

struct ring_fixture {
	struct gpuoa_ring ring;
	u32 *base;
};

static int ring_test_init(struct kunit *test)
{
	static const struct gpuoa_ring_layout layout = {
		.size = RING_SIZE,
		.report_size = REPORT_SIZE,
		.header_size = 8,
	};
	struct ring_fixture *fix = kunit_kzalloc(test, sizeof(*fix), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, fix);
	fix->base = kunit_kzalloc(test, RING_SIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, fix->base);
	gpuoa_ring_init(&fix->ring, fix->base, &layout);
	test->priv = fix;

	return 0;
}

static u32 *slot(struct ring_fixture *fix, u32 n)
{
	return fix->base + n % SLOTS * REPORT_SIZE / sizeof(u32);
}

/* Write report @n of the stream; its timestamp is @n + 1. */
static void land(struct ring_fixture *fix, u32 n)
{
	slot(fix, n)[1] = n + 1;
}

static u32 offset_of(u32 n)
{
	return n % SLOTS * REPORT_SIZE;
}

static void empty_ring_has_no_reports(struct kunit *test)
{
	struct ring_fixture *fix = test->priv;

	KUNIT_EXPECT_EQ(test, gpuoa_ring_update(&fix->ring, 0), 0);
	KUNIT_EXPECT_EQ(test, gpuoa_ring_update_idle(&fix->ring, 0), 0);
}

static void report_is_held_back_until_next_is_visible(struct kunit *test)
{
	struct ring_fixture *fix = test->priv;

	land(fix, 0);
	KUNIT_EXPECT_EQ(test, gpuoa_ring_update(&fix->ring, offset_of(1)), 0);
	land(fix, 1);
	KUNIT_EXPECT_EQ(test, gpuoa_ring_update(&fix->ring, offset_of(2)), 1);
}

static void tail_ahead_of_memory_is_ignored(struct kunit *test)
{
	struct ring_fixture *fix = test->priv;

	land(fix, 0);
	land(fix, 1);
	land(fix, 2);
	KUNIT_EXPECT_EQ(test, gpuoa_ring_update(&fix->ring, offset_of(10)), 2);
	land(fix, 3);
	KUNIT_EXPECT_EQ(test, gpuoa_ring_update(&fix->ring, offset_of(10)), 3);
}

static void late_report_is_not_skipped(struct kunit *test)
{
	struct ring_fixture *fix = test->priv;

	land(fix, 0);
	land(fix, 1);
	land(fix, 3);
	land(fix, 4);
	KUNIT_EXPECT_EQ(test, gpuoa_ring_update(&fix->ring, offset_of(5)), 1);
	land(fix, 2);
	KUNIT_EXPECT_EQ(test, gpuoa_ring_update(&fix->ring, offset_of(5)), 4);
}

static void tail_inside_a_report_is_rounded_down(struct kunit *test)
{
	struct ring_fixture *fix = test->priv;

	land(fix, 0);
	land(fix, 1);
	KUNIT_EXPECT_EQ(test, gpuoa_ring_update(&fix->ring, offset_of(1) + 192), 1);
	KUNIT_EXPECT_EQ(test, gpuoa_ring_update(&fix->ring, offset_of(2) + 64), 1);
}

static void id_alone_makes_header_valid(struct kunit *test)
{
	struct ring_fixture *fix = test->priv;

	land(fix, 0);
	slot(fix, 1)[0] = 1;
	KUNIT_EXPECT_EQ(test, gpuoa_ring_update(&fix->ring, offset_of(2)), 1);
}

static void stopped_unit_delivers_last_report(struct kunit *test)
{
	struct ring_fixture *fix = test->priv;

	land(fix, 0);
	land(fix, 1);
	KUNIT_EXPECT_EQ(test, gpuoa_ring_update_idle(&fix->ring, offset_of(2)), 2);
	/* A report that never arrived is not delivered. */
	KUNIT_EXPECT_EQ(test, gpuoa_ring_update_idle(&fix->ring, offset_of(4)), 2);
}

static void consumed_slots_are_cleared(struct kunit *test)
{
	struct ring_fixture *fix = test->priv;
	u32 count;

	land(fix, 0);
	land(fix, 1);
	slot(fix, 0)[0] = 7;
	slot(fix, 0)[2] = 9;
	gpuoa_ring_update_idle(&fix->ring, offset_of(2));
	KUNIT_EXPECT_PTR_EQ(test, gpuoa_ring_peek(&fix->ring, &count), (const void *)fix->base);
	KUNIT_EXPECT_EQ(test, count, 2);
	gpuoa_ring_consume(&fix->ring, 1);

	KUNIT_EXPECT_EQ(test, slot(fix, 0)[0], 0);
	KUNIT_EXPECT_EQ(test, slot(fix, 0)[1], 0);
	KUNIT_EXPECT_EQ(test, slot(fix, 0)[2], 9);
	KUNIT_EXPECT_EQ(test, slot(fix, 1)[1], 2);
	KUNIT_EXPECT_EQ(test, fix->ring.head, offset_of(1));
}

static void peek_ends_at_wrap(struct kunit *test)
{
	struct ring_fixture *fix = test->priv;
	u32 n, count;

	for (n = 0; n < SLOTS - 2; n++)
		land(fix, n);
	gpuoa_ring_update_idle(&fix->ring, offset_of(n));
	gpuoa_ring_consume(&fix->ring, SLOTS - 2);

	for (; n < SLOTS + 4; n++)
		land(fix, n);
	KUNIT_EXPECT_EQ(test, gpuoa_ring_update(&fix->ring, offset_of(n)), 5);
	gpuoa_ring_peek(&fix->ring, &count);
	KUNIT_EXPECT_EQ(test, count, 2);
	gpuoa_ring_consume(&fix->ring, 2);
	KUNIT_EXPECT_EQ(test, fix->ring.head, 0);
	gpuoa_ring_peek(&fix->ring, &count);
	KUNIT_EXPECT_EQ(test, count, 3);
}

/* Ten laps in steps of all sizes, with a tail that runs up to 5 reports ahead. */
static void each_report_is_delivered_once_in_order(struct kunit *test)
{
	struct ring_fixture *fix = test->priv;
	u32 landed = 0, expected = 0, step = 1;
	const u32 *reports;
	u32 ready, count, i;

	while (expected < 10 * SLOTS) {
		for (i = 0; i < step; i++)
			land(fix, landed++);
		step = step * 7 % 401 + 1;

		ready = gpuoa_ring_update(&fix->ring, offset_of(landed + step % 6));
		KUNIT_ASSERT_EQ(test, ready, landed - 1 - expected);
		while (ready) {
			reports = gpuoa_ring_peek(&fix->ring, &count);
			KUNIT_ASSERT_GT(test, count, 0);
			for (i = 0; i < count; i++)
				KUNIT_ASSERT_EQ(test, reports[i * REPORT_SIZE / sizeof(u32) + 1],
						++expected);
			gpuoa_ring_consume(&fix->ring, count);
			ready -= count;
		}
	}
}

/* Consume all complete reports. Return the timestamp of the last one. */
static u32 consume_all(struct ring_fixture *fix)
{
	u32 last = 0, count;
	const u32 *reports;

	while (gpuoa_ring_ready(&fix->ring)) {
		reports = gpuoa_ring_peek(&fix->ring, &count);
		last = reports[(count - 1) * REPORT_SIZE / sizeof(u32) + 1];
		gpuoa_ring_consume(&fix->ring, count);
	}

	return last;
}

/* One report never arrives. Its slot is skipped when it is old, and not before. */
static void missing_report_is_skipped_when_later_ones_are_old(struct kunit *test)
{
	struct ring_fixture *fix = test->priv;
	const u32 tail = offset_of(10);
	u64 now = 12345;
	u32 n;

	for (n = 0; n < 10; n++)
		if (n != 3)
			land(fix, n);
	KUNIT_EXPECT_EQ(test, gpuoa_ring_update(&fix->ring, tail), 2);
	KUNIT_EXPECT_EQ(test, consume_all(fix), 2);

	/*
	 * First, the report before the missing one becomes ready. It was held back until its
	 * successor landed.
	 */
	KUNIT_EXPECT_EQ(test, gpuoa_ring_skip_missing(&fix->ring, tail, now), 0);
	KUNIT_EXPECT_EQ(test,
			gpuoa_ring_skip_missing(&fix->ring, tail, now + GPUOA_RING_MISSING_NS - 1),
			0);
	KUNIT_EXPECT_EQ(test, gpuoa_ring_update(&fix->ring, tail), 0);
	now += GPUOA_RING_MISSING_NS;
	KUNIT_EXPECT_EQ(test, gpuoa_ring_skip_missing(&fix->ring, tail, now), 0);
	KUNIT_EXPECT_EQ(test, gpuoa_ring_ready(&fix->ring), 1);
	KUNIT_EXPECT_EQ(test, consume_all(fix), 3);
	/* Then the missing report */
	KUNIT_EXPECT_EQ(test, gpuoa_ring_skip_missing(&fix->ring, tail, now), 1);
	KUNIT_EXPECT_EQ(test, fix->ring.head, offset_of(4));
	KUNIT_EXPECT_EQ(test, gpuoa_ring_update(&fix->ring, tail), 5);
	KUNIT_EXPECT_EQ(test, consume_all(fix), 9);
}

static void recently_announced_report_is_not_missing(struct kunit *test)
{
	struct ring_fixture *fix = test->priv;
	u64 now = 0;
	u32 n;

	/* No later report is visible: the tail may be far ahead. */
	for (n = 0; n < 10; n++, now += GPUOA_RING_MISSING_NS)
		KUNIT_EXPECT_EQ(test, gpuoa_ring_skip_missing(&fix->ring, offset_of(5), now), 0);
	KUNIT_EXPECT_EQ(test, gpuoa_ring_ready(&fix->ring), 0);

	/*
	 * The visible later reports were seen only now, so the missing report is not yet given up.
	 */
	gpuoa_ring_skip_missing(&fix->ring, offset_of(5), now);
	land(fix, 6);
	land(fix, 7);
	now += GPUOA_RING_MISSING_NS;
	KUNIT_EXPECT_EQ(test, gpuoa_ring_skip_missing(&fix->ring, offset_of(8), now), 0);
	KUNIT_EXPECT_EQ(test, fix->ring.head, 0);
}

/* A report that arrives while others are skipped is neither lost nor counted twice. */
static void each_report_is_read_or_lost(struct kunit *test)
{
	struct ring_fixture *fix = test->priv;
	u32 landed = 0, read = 0, lost = 0, missing = 0, random = 1, count, last;
	u64 now = 0;

	while (landed < 20 * SLOTS) {
		for (count = 0; count < 16; count++, landed++) {
			random = random * 1664525 + 1013904223;
			if (random >> 29 && landed)
				land(fix, landed);
			else
				missing++;
		}
		for (count = 0; count < 40; count++, now += NSEC_PER_MSEC) {
			read += gpuoa_ring_update(&fix->ring, offset_of(landed));
			last = consume_all(fix);
			KUNIT_ASSERT_TRUE(test, !last || last <= landed);
			lost += gpuoa_ring_skip_missing(&fix->ring, offset_of(landed), now);
			read += gpuoa_ring_ready(&fix->ring);
			consume_all(fix);
			KUNIT_ASSERT_LE(test, read + lost, landed);
			KUNIT_ASSERT_EQ(test, offset_of(read + lost), fix->ring.head);
		}
		KUNIT_ASSERT_LE(test, lost, missing);
	}
	KUNIT_EXPECT_GT(test, read + lost, landed - 32);
	KUNIT_EXPECT_GT(test, lost, SLOTS);
}

static void stopped_unit_skips_missing_reports(struct kunit *test)
{
	struct ring_fixture *fix = test->priv;
	const u32 tail = offset_of(9);

	land(fix, 0);
	land(fix, 4);
	gpuoa_ring_stopped(&fix->ring, tail);
	KUNIT_EXPECT_EQ(test, gpuoa_ring_update_idle(&fix->ring, tail), 1);
	KUNIT_EXPECT_EQ(test, consume_all(fix), 1);
	KUNIT_EXPECT_EQ(test, gpuoa_ring_skip_missing_idle(&fix->ring, tail), 3);
	KUNIT_EXPECT_EQ(test, gpuoa_ring_update_idle(&fix->ring, tail), 1);
	KUNIT_EXPECT_EQ(test, consume_all(fix), 5);
	KUNIT_EXPECT_EQ(test, gpuoa_ring_skip_missing_idle(&fix->ring, tail), 4);
	KUNIT_EXPECT_EQ(test, gpuoa_ring_announced(&fix->ring, tail), 0);
	KUNIT_EXPECT_EQ(test, gpuoa_ring_skip_missing_idle(&fix->ring, tail), 0);
}

static void newest_report_precedes_tail(struct kunit *test)
{
	struct ring_fixture *fix = test->priv;
	u32 n;

	for (n = 0; n < SLOTS; n++)
		land(fix, n);
	gpuoa_ring_update_idle(&fix->ring, offset_of(7));
	KUNIT_EXPECT_PTR_EQ(test, gpuoa_ring_newest(&fix->ring), (const void *)slot(fix, 6));
	gpuoa_ring_consume(&fix->ring, 7);
	gpuoa_ring_update_idle(&fix->ring, 0);
	KUNIT_EXPECT_PTR_EQ(test, gpuoa_ring_newest(&fix->ring),
			    (const void *)slot(fix, SLOTS - 1));
}

static void discarded_buffer_is_cleared(struct kunit *test)
{
	struct ring_fixture *fix = test->priv;
	u32 n;

	for (n = 0; n < SLOTS; n++)
		land(fix, n);
	gpuoa_ring_update(&fix->ring, offset_of(100));
	gpuoa_ring_discard(&fix->ring);
	/* Clearing takes long, so it is done in steps. */
	KUNIT_EXPECT_FALSE(test, gpuoa_ring_clean(&fix->ring, SLOTS / 2));
	KUNIT_EXPECT_FALSE(test, gpuoa_ring_clean(&fix->ring, SLOTS / 2 - 1));
	KUNIT_EXPECT_TRUE(test, gpuoa_ring_clean(&fix->ring, SLOTS / 2));
	for (n = 0; n < SLOTS; n++)
		KUNIT_EXPECT_EQ(test, slot(fix, n)[1], 0);
	KUNIT_EXPECT_EQ(test, gpuoa_ring_ready(&fix->ring), 0);
}

/*
 * The unit was stopped while two announced reports had not yet arrived and a third was partly
 * written. They arrive after the reader has given up on them.
 */
static void late_report_of_previous_run_is_not_new(struct kunit *test)
{
	struct ring_fixture *fix = test->priv;
	const u32 stopped = offset_of(5) + 64;

	land(fix, 0);
	land(fix, 1);
	land(fix, 2);
	gpuoa_ring_stopped(&fix->ring, stopped);
	KUNIT_EXPECT_EQ(test, gpuoa_ring_update_idle(&fix->ring, stopped), 3);
	KUNIT_EXPECT_EQ(test, consume_all(fix), 3);
	KUNIT_EXPECT_EQ(test, gpuoa_ring_skip_missing_idle(&fix->ring, stopped), 2);
	land(fix, 1);
	land(fix, 3);
	land(fix, 4);
	land(fix, 5);

	KUNIT_EXPECT_TRUE(test, gpuoa_ring_clean(&fix->ring, U32_MAX));
	KUNIT_EXPECT_EQ(test, gpuoa_ring_update_idle(&fix->ring, offset_of(6)), 0);
	KUNIT_EXPECT_EQ(test, fix->ring.head, 0);
	/* Stale reports do not prove that their predecessors are complete. */
	land(fix, 0);
	KUNIT_EXPECT_EQ(test, gpuoa_ring_update(&fix->ring, offset_of(6)), 0);
}

static void only_dirty_slots_are_cleared(struct kunit *test)
{
	struct ring_fixture *fix = test->priv;
	u32 n;

	for (n = 0; n < 100; n++)
		land(fix, n);
	gpuoa_ring_update_idle(&fix->ring, offset_of(100));
	consume_all(fix);
	gpuoa_ring_stopped(&fix->ring, offset_of(100));
	KUNIT_EXPECT_EQ(test, fix->ring.dirty, 1);
	KUNIT_EXPECT_EQ(test, fix->ring.dirty_from, offset_of(100));
	KUNIT_EXPECT_TRUE(test, gpuoa_ring_clean(&fix->ring, 1));
}

/* ---- report sizes that do not divide the buffer size, 64-bit headers ---------------------- */

/* Clear the ring and change its layout. */
static void lay_out(struct ring_fixture *fix, u32 report_size, bool split)
{
	const struct gpuoa_ring_layout layout = {
		.size = RING_SIZE,
		.report_size = report_size,
		.header_size = 16,
		.split = split,
	};

	memset(fix->base, 0, RING_SIZE);
	gpuoa_ring_init(&fix->ring, fix->base, &layout);
}

static void wide_headers_are_detected_and_cleared(struct kunit *test)
{
	struct ring_fixture *fix = test->priv;
	u32 word, count;

	for (word = 0; word < 4; word++) {
		lay_out(fix, REPORT_SIZE, false);
		slot(fix, 0)[word] = 1;
		slot(fix, 0)[4] = 9;
		slot(fix, 1)[3 - word] = 1;
		KUNIT_EXPECT_EQ(test, gpuoa_ring_update(&fix->ring, offset_of(2)), 1);
		gpuoa_ring_peek(&fix->ring, &count);
		KUNIT_EXPECT_EQ(test, count, 1);
		gpuoa_ring_consume(&fix->ring, 1);
		KUNIT_EXPECT_EQ(test, slot(fix, 0)[word], 0);
		KUNIT_EXPECT_EQ(test, slot(fix, 0)[4], 9);
	}

	/* Only id and timestamp make a valid header. */
	lay_out(fix, REPORT_SIZE, false);
	slot(fix, 0)[0] = 1;
	slot(fix, 1)[4] = 1;
	KUNIT_EXPECT_EQ(test, gpuoa_ring_update(&fix->ring, offset_of(2)), 0);
}

/* Write a report with its number in every dword. Return the new tail. */
static u32 hardware_writes(struct ring_fixture *fix, u32 report_size, bool split, u32 tail, u32 n)
{
	u32 dwords = RING_SIZE / sizeof(u32), i;

	if (!split && tail + report_size > RING_SIZE)
		tail = 0;
	for (i = 0; i < report_size / sizeof(u32); i++)
		fix->base[(tail / sizeof(u32) + i) % dwords] = n;

	return (tail + report_size) % RING_SIZE;
}

static void read_report(struct kunit *test, const u32 *report, u32 report_size, u32 n)
{
	u32 i;

	for (i = 0; i < report_size / sizeof(u32); i++)
		KUNIT_ASSERT_EQ_MSG(test, report[i], n, "dword %u", i);
}

static u32 read_all(struct kunit *test, u32 report_size, u32 ready, u32 expected)
{
	struct ring_fixture *fix = test->priv;
	u32 count, i;

	while (ready) {
		const void *reports = gpuoa_ring_peek(&fix->ring, &count);

		KUNIT_ASSERT_GT(test, count, 0);
		KUNIT_ASSERT_LE(test, count, ready);
		for (i = 0; i < count; i++)
			read_report(test, reports + i * report_size, report_size, ++expected);
		gpuoa_ring_consume(&fix->ring, count);
		ready -= count;
	}

	return expected;
}

/* Several laps in steps of all sizes: each report is delivered once, complete and in order. */
static void run_laps(struct kunit *test, u32 report_size, bool split)
{
	u32 written = 0, expected = 0, tail = 0, step = 1, i;
	u32 slots = RING_SIZE / report_size;
	struct ring_fixture *fix = test->priv;

	lay_out(fix, report_size, split);
	while (expected < 7 * slots) {
		for (i = 0; i < step; i++)
			tail = hardware_writes(fix, report_size, split, tail, ++written);
		step = step * 7 % (slots / 2) + 1;

		i = gpuoa_ring_update(&fix->ring, tail);
		KUNIT_ASSERT_EQ(test, i, written - 1 - expected);
		expected = read_all(test, report_size, i, expected);
	}
	expected = read_all(test, report_size, gpuoa_ring_update_idle(&fix->ring, tail), expected);
	KUNIT_EXPECT_EQ(test, expected, written);

	/* No stale data remains where later reports have their id or timestamp. */
	gpuoa_ring_stopped(&fix->ring, tail);
	KUNIT_EXPECT_TRUE(test, gpuoa_ring_clean(&fix->ring, U32_MAX));
	KUNIT_EXPECT_EQ(test, gpuoa_ring_update_idle(&fix->ring, RING_SIZE / 2), 0);
	if (split)
		KUNIT_EXPECT_PTR_EQ(test, memchr_inv(fix->base, 0, RING_SIZE), NULL);
}

static const u32 odd_sizes[] = { 192, 320, 576, 640 };

static void unsplit_reports_leave_rest_of_buffer_unused(struct kunit *test)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(odd_sizes); i++)
		run_laps(test, odd_sizes[i], false);
}

static void split_reports_are_joined(struct kunit *test)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(odd_sizes); i++)
		run_laps(test, odd_sizes[i], true);
}

static void reports_that_divide_the_buffer_are_never_split(struct kunit *test)
{
	struct ring_fixture *fix = test->priv;

	lay_out(fix, 128, true);
	KUNIT_EXPECT_FALSE(test, fix->ring.split);
	KUNIT_EXPECT_EQ(test, fix->ring.size, RING_SIZE);
	lay_out(fix, 192, true);
	KUNIT_EXPECT_TRUE(test, fix->ring.split);
	KUNIT_EXPECT_EQ(test, fix->ring.size, RING_SIZE);
	lay_out(fix, 192, false);
	KUNIT_EXPECT_FALSE(test, fix->ring.split);
	KUNIT_EXPECT_EQ(test, fix->ring.size, RING_SIZE - RING_SIZE % 192);
}

static void split_report_is_held_back_until_next_is_visible(struct kunit *test)
{
	struct ring_fixture *fix = test->priv;
	u32 tail = 0, n, count;

	lay_out(fix, 192, true);
	/* 682 complete reports, and 128 bytes of the next one before the end of the buffer */
	for (n = 1; n <= 682; n++)
		tail = hardware_writes(fix, 192, true, tail, n);
	KUNIT_EXPECT_EQ(test, gpuoa_ring_update_idle(&fix->ring, tail), 682);
	gpuoa_ring_consume(&fix->ring, 682);

	fix->base[tail / sizeof(u32)] = 683;
	KUNIT_EXPECT_EQ(test, gpuoa_ring_update(&fix->ring, 64), 0);
	tail = hardware_writes(fix, 192, true, tail, 683);
	KUNIT_EXPECT_EQ(test, tail, 64);
	KUNIT_EXPECT_EQ(test, gpuoa_ring_update(&fix->ring, tail), 0);
	hardware_writes(fix, 192, true, tail, 684);
	KUNIT_EXPECT_EQ(test, gpuoa_ring_update(&fix->ring, tail + 192), 1);
	read_report(test, gpuoa_ring_peek(&fix->ring, &count), 192, 683);
	KUNIT_EXPECT_EQ(test, count, 1);
	gpuoa_ring_consume(&fix->ring, 1);
	KUNIT_EXPECT_EQ(test, fix->ring.head, 64);
}

/* Registers of a removed GPU read as all ones. The tail is never more than one lap ahead. */
static void tail_beyond_the_end_is_wrapped(struct kunit *test)
{
	struct ring_fixture *fix = test->priv;
	u32 n;

	for (n = 0; n < SLOTS; n++)
		land(fix, n);
	KUNIT_EXPECT_EQ(test, gpuoa_ring_update(&fix->ring, RING_SIZE + offset_of(3)), 3);
	KUNIT_EXPECT_LT(test, gpuoa_ring_update(&fix->ring, 0xffffffc0), SLOTS);

	lay_out(fix, 576, false);
	for (n = 0; n < fix->ring.size / 576; n++)
		fix->base[n * 576 / sizeof(u32)] = 1;
	KUNIT_EXPECT_EQ(test, gpuoa_ring_update_idle(&fix->ring, fix->ring.size), 0);
	KUNIT_EXPECT_LT(test, gpuoa_ring_update_idle(&fix->ring, 0xbfffffc0), SLOTS);
}

static void discarded_split_reports_are_cleared(struct kunit *test)
{
	struct ring_fixture *fix = test->priv;

	lay_out(fix, 192, true);
	memset(fix->base, 0xff, RING_SIZE);
	gpuoa_ring_discard(&fix->ring);
	KUNIT_EXPECT_TRUE(test, gpuoa_ring_clean(&fix->ring, U32_MAX));
	KUNIT_EXPECT_PTR_EQ(test, memchr_inv(fix->base, 0, RING_SIZE), NULL);
}

static struct kunit_case ring_cases[] = {
	KUNIT_CASE(empty_ring_has_no_reports),
	KUNIT_CASE(report_is_held_back_until_next_is_visible),
	KUNIT_CASE(tail_ahead_of_memory_is_ignored),
	KUNIT_CASE(late_report_is_not_skipped),
	KUNIT_CASE(tail_inside_a_report_is_rounded_down),
	KUNIT_CASE(id_alone_makes_header_valid),
	KUNIT_CASE(stopped_unit_delivers_last_report),
	KUNIT_CASE(consumed_slots_are_cleared),
	KUNIT_CASE(peek_ends_at_wrap),
	KUNIT_CASE(each_report_is_delivered_once_in_order),
	KUNIT_CASE(missing_report_is_skipped_when_later_ones_are_old),
	KUNIT_CASE(recently_announced_report_is_not_missing),
	KUNIT_CASE(each_report_is_read_or_lost),
	KUNIT_CASE(stopped_unit_skips_missing_reports),
	KUNIT_CASE(newest_report_precedes_tail),
	KUNIT_CASE(discarded_buffer_is_cleared),
	KUNIT_CASE(late_report_of_previous_run_is_not_new),
	KUNIT_CASE(only_dirty_slots_are_cleared),
	KUNIT_CASE(wide_headers_are_detected_and_cleared),
	KUNIT_CASE(unsplit_reports_leave_rest_of_buffer_unused),
	KUNIT_CASE(split_reports_are_joined),
	KUNIT_CASE(reports_that_divide_the_buffer_are_never_split),
	KUNIT_CASE(split_report_is_held_back_until_next_is_visible),
	KUNIT_CASE(tail_beyond_the_end_is_wrapped),
	KUNIT_CASE(discarded_split_reports_are_cleared),
	{}
};

static struct kunit_suite ring_suite = {
	.name = "gpuoa_ring",
	.init = ring_test_init,
	.test_cases = ring_cases,
};

kunit_test_suite(ring_suite);
