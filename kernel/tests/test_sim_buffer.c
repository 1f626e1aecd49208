// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_sim_buffer.c - the simulator's OABUFFER: order, wrap, free space, and a tail that runs
 * ahead.
 */
#include <kunit/test.h>
#include <linux/sizes.h>

#include "vgpu/model/buffer.h"

#define SIZE SZ_4K

static struct sim_buffer *buffer_create(struct kunit *test)
{
	struct sim_buffer *buffer = kunit_kzalloc(test, sizeof(*buffer), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, buffer);
	buffer->memory = kunit_kzalloc(test, SIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, buffer->memory);
	buffer->size = SIZE;
	buffer->length = SIZE;
	buffer->word = sizeof(u32);
	return buffer;
}

/* Write a report with its number in every dword. */
static void write_report(struct sim_buffer *buffer, u32 n, u32 size, unsigned int ahead)
{
	u32 report[SIM_MAX_REPORT / sizeof(u32)], i;

	for (i = 0; i < ARRAY_SIZE(report); i++)
		report[i] = n << 16 | i;
	sim_buffer_write(buffer, report, size, ahead);
}

static bool landed(const struct sim_buffer *buffer, u32 offset, u32 n, u32 first, u32 last)
{
	u32 i;

	for (i = first; i < last; i++) {
		u32 at = (offset + i * sizeof(u32)) % SIZE;

		if (*(u32 *)(buffer->memory + at) != (n << 16 | i))
			return false;
	}
	return true;
}

static void reports_are_contiguous(struct kunit *test)
{
	struct sim_buffer *buffer = buffer_create(test);
	u32 n;

	for (n = 1; n <= 5; n++)
		write_report(buffer, n, 128, 0);
	KUNIT_EXPECT_EQ(test, buffer->tail, 5U * 128);
	for (n = 1; n <= 5; n++)
		KUNIT_EXPECT_TRUE(test, landed(buffer, (n - 1) * 128, n, 0, 32));
}

static void report_wraps_at_the_end(struct kunit *test)
{
	struct sim_buffer *buffer = buffer_create(test);

	buffer->tail = SIZE - 64;
	buffer->head = SIZE - 64;
	write_report(buffer, 7, 192, 0);
	KUNIT_EXPECT_EQ(test, buffer->tail, 128U);
	KUNIT_EXPECT_TRUE(test, landed(buffer, SIZE - 64, 7, 0, 48));
}

static void full_buffer_is_not_empty(struct kunit *test)
{
	struct sim_buffer *buffer = buffer_create(test);
	u32 n = 0;

	buffer->head = 1024;
	buffer->tail = 1024;
	while (sim_buffer_has_room(buffer, 256))
		write_report(buffer, ++n, 256, 0);
	KUNIT_EXPECT_EQ(test, n, SIZE / 256 - 1);
	KUNIT_EXPECT_EQ(test, buffer->tail, 1024U - 256);
	KUNIT_EXPECT_TRUE(test, sim_buffer_has_room(buffer, 192));
}

static void tail_runs_ahead_of_memory(struct kunit *test)
{
	struct sim_buffer *buffer = buffer_create(test);
	u32 n;

	for (n = 0; n < 8; n++)
		write_report(buffer, n + 1, 256, 3);
	KUNIT_EXPECT_EQ(test, buffer->tail, 8U * 256);
	for (n = 0; n < 5; n++)
		KUNIT_EXPECT_TRUE_MSG(test, landed(buffer, n * 256, n + 1, 0, 64), "report %u", n);
	for (n = 5; n < 8; n++) {
		u32 *header = (u32 *)(buffer->memory + n * 256);

		KUNIT_EXPECT_EQ_MSG(test, header[0] | header[1], 0U, "report %u", n);
		/*
		 * Pending reports cycle through three states: only the end, nothing, or all but the
		 * header arrived.
		 */
		KUNIT_EXPECT_EQ_MSG(test, landed(buffer, n * 256, n + 1, 16, 64), n % 3 != 0,
				    "report %u", n);
		KUNIT_EXPECT_EQ_MSG(test, landed(buffer, n * 256, n + 1, 2, 16), n % 3 == 1,
				    "report %u", n);
	}

	sim_buffer_land(buffer, 1);
	for (n = 0; n < 8; n++)
		KUNIT_EXPECT_TRUE_MSG(test, landed(buffer, n * 256, n + 1, 0, 64), "report %u", n);
}

/* A header with 64-bit fields also arrives last. */
static void wide_headers_land_last(struct kunit *test)
{
	struct sim_buffer *buffer = buffer_create(test);
	u32 n;

	buffer->word = sizeof(u64);
	for (n = 0; n < 3; n++)
		write_report(buffer, n + 1, 256, 3);
	for (n = 0; n < 3; n++) {
		KUNIT_EXPECT_TRUE_MSG(test, !*(u64 *)(buffer->memory + n * 256), "report %u", n);
		KUNIT_EXPECT_TRUE_MSG(test, !*(u64 *)(buffer->memory + n * 256 + 8), "report %u",
				      n);
	}
	KUNIT_EXPECT_TRUE(test, landed(buffer, 256, 2, 4, 64));
	sim_buffer_land(buffer, 1);
	for (n = 0; n < 3; n++)
		KUNIT_EXPECT_TRUE_MSG(test, landed(buffer, n * 256, n + 1, 0, 64), "report %u", n);
}

/* If reports are not split, the end of the buffer may be unused. */
static void unsplit_report_wraps_to_start(struct kunit *test)
{
	struct sim_buffer *buffer = buffer_create(test);
	u32 n;

	buffer->length = SIZE - SIZE % 576;
	for (n = 0; n < SIZE / 576; n++) {
		buffer->head = buffer->tail;
		KUNIT_EXPECT_TRUE(test, sim_buffer_has_room(buffer, 576));
		write_report(buffer, n + 1, 576, 0);
	}
	KUNIT_EXPECT_EQ(test, buffer->tail, 0U);
	KUNIT_EXPECT_TRUE(test, landed(buffer, (n - 1) * 576, n, 0, 144));
	for (n = buffer->length; n < SIZE; n++)
		KUNIT_EXPECT_EQ(test, buffer->memory[n], 0);
	buffer->head = 576;
	KUNIT_EXPECT_FALSE(test, sim_buffer_has_room(buffer, 576));
}

static void disabling_tail_ahead_keeps_order(struct kunit *test)
{
	struct sim_buffer *buffer = buffer_create(test);
	u32 n;

	for (n = 0; n < 6; n++)
		write_report(buffer, n + 1, 256, SIM_MAX_TAIL_AHEAD);
	write_report(buffer, 7, 256, 2);
	KUNIT_EXPECT_EQ(test, buffer->n_pending, 2U);
	write_report(buffer, 8, 256, 0);
	KUNIT_EXPECT_EQ(test, buffer->n_pending, 0U);
	for (n = 0; n < 8; n++)
		KUNIT_EXPECT_TRUE_MSG(test, landed(buffer, n * 256, n + 1, 0, 64), "report %u", n);
}

static void used_size_excludes_consumed_reports(struct kunit *test)
{
	struct sim_buffer *buffer = buffer_create(test);
	u32 n;

	KUNIT_EXPECT_EQ(test, sim_buffer_used(buffer), 0U);
	for (n = 1; n <= 15; n++)
		write_report(buffer, n, 256, 0);
	KUNIT_EXPECT_EQ(test, sim_buffer_used(buffer), 15U * 256);
	buffer->head = 14 * 256;
	for (n = 1; n <= 3; n++)
		write_report(buffer, n, 256, 0);
	KUNIT_EXPECT_EQ(test, buffer->tail, 2U * 256);
	KUNIT_EXPECT_EQ(test, sim_buffer_used(buffer), 4U * 256);
}

static void writes_without_memory_are_lost(struct kunit *test)
{
	struct sim_buffer *buffer = buffer_create(test);

	buffer->memory = NULL;
	write_report(buffer, 1, 256, 1);
	write_report(buffer, 2, 256, 0);
	KUNIT_EXPECT_EQ(test, buffer->tail, 512U);
}

static void write_late(struct sim_buffer *buffer, u32 n, u64 lands, bool torn)
{
	u32 report[SIM_MAX_REPORT / sizeof(u32)], i;

	for (i = 0; i < ARRAY_SIZE(report); i++)
		report[i] = n << 16 | i;
	sim_buffer_write_late(buffer, report, 256, lands, torn);
}

static void late_reports_land_at_their_time(struct kunit *test)
{
	struct sim_buffer *buffer = buffer_create(test);

	KUNIT_EXPECT_EQ(test, sim_buffer_lands(buffer), U64_MAX);
	write_late(buffer, 1, 100, false);
	write_late(buffer, 2, 200, false);
	KUNIT_EXPECT_EQ(test, buffer->tail, 512U);
	KUNIT_EXPECT_EQ(test, sim_buffer_lands(buffer), 100ULL);
	sim_buffer_land(buffer, 99);
	KUNIT_EXPECT_EQ(test, *(u32 *)(buffer->memory + 4), 0U);
	sim_buffer_land(buffer, 100);
	KUNIT_EXPECT_TRUE(test, landed(buffer, 0, 1, 0, 64));
	KUNIT_EXPECT_EQ(test, *(u32 *)(buffer->memory + 256 + 4), 0U);

	/* The late report goes to the old buffer. */
	buffer->memory = NULL;
	sim_buffer_land_all(buffer);
	KUNIT_EXPECT_EQ(test, sim_buffer_lands(buffer), U64_MAX);
}

static void torn_report_shows_first_line(struct kunit *test)
{
	struct sim_buffer *buffer = buffer_create(test);

	write_late(buffer, 1, 100, true);
	KUNIT_EXPECT_TRUE(test, landed(buffer, 0, 1, 0, 16));
	KUNIT_EXPECT_EQ(test, *(u32 *)(buffer->memory + 64), 0U);
	KUNIT_EXPECT_EQ(test, *(u32 *)(buffer->memory + 252), 0U);
	sim_buffer_land_late(buffer, 100);
	KUNIT_EXPECT_TRUE(test, landed(buffer, 0, 1, 0, 64));
}

static void missing_report_leaves_memory_unchanged(struct kunit *test)
{
	struct sim_buffer *buffer = buffer_create(test);

	write_report(buffer, 1, 256, 0);
	sim_buffer_skip(buffer, 256);
	write_report(buffer, 3, 256, 0);
	KUNIT_EXPECT_EQ(test, buffer->tail, 3U * 256);
	KUNIT_EXPECT_TRUE(test, landed(buffer, 0, 1, 0, 64));
	KUNIT_EXPECT_EQ(test, *(u32 *)(buffer->memory + 256 + 4), 0U);
	KUNIT_EXPECT_TRUE(test, landed(buffer, 512, 3, 0, 64));
}

static struct kunit_case buffer_cases[] = {
	KUNIT_CASE(reports_are_contiguous),
	KUNIT_CASE(report_wraps_at_the_end),
	KUNIT_CASE(full_buffer_is_not_empty),
	KUNIT_CASE(used_size_excludes_consumed_reports),
	KUNIT_CASE(tail_runs_ahead_of_memory),
	KUNIT_CASE(wide_headers_land_last),
	KUNIT_CASE(unsplit_report_wraps_to_start),
	KUNIT_CASE(disabling_tail_ahead_keeps_order),
	KUNIT_CASE(writes_without_memory_are_lost),
	KUNIT_CASE(late_reports_land_at_their_time),
	KUNIT_CASE(torn_report_shows_first_line),
	KUNIT_CASE(missing_report_leaves_memory_unchanged),
	{}
};

static struct kunit_suite buffer_suite = {
	.name = "gpuoa_sim_buffer",
	.test_cases = buffer_cases,
};

kunit_test_suite(buffer_suite);
