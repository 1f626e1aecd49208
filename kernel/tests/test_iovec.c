// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_iovec.c - iovec of a sample, copied as one range.
 */
#include <kunit/test.h>

#include "../core/stream/gpuoa_sample.h"

#define IOVEC_BYTES 96

/* The value of each byte is its offset. */
static void fill(u8 *bytes, u32 size)
{
	u32 i;

	for (i = 0; i < size; i++)
		bytes[i] = i;
}

static void add_merges_adjacent_bytes(struct kunit *test)
{
	struct gpuoa_iovec *iovec = kunit_kzalloc(test, sizeof(*iovec), GFP_KERNEL);
	u8 bytes[64];

	KUNIT_ASSERT_NOT_NULL(test, iovec);
	gpuoa_iovec_clear(iovec);
	gpuoa_iovec_add(iovec, bytes, 16);
	gpuoa_iovec_add(iovec, bytes + 16, 8);
	KUNIT_EXPECT_EQ(test, iovec->count, 1);
	gpuoa_iovec_add(iovec, bytes + 32, 8);
	KUNIT_EXPECT_EQ(test, iovec->count, 2);
	gpuoa_iovec_add(iovec, bytes + 24, 8);
	KUNIT_EXPECT_EQ(test, iovec->count, 3);
	KUNIT_EXPECT_EQ(test, iovec->size, 40);
	gpuoa_iovec_clear(iovec);
	KUNIT_EXPECT_EQ(test, iovec->size, 0);
	KUNIT_EXPECT_EQ(test, iovec->count, 0);
}

/* Every part of the iovec can be copied, and bytes after the destination are not written. */
static void copy_returns_any_subrange(struct kunit *test)
{
	struct gpuoa_iovec *iovec = kunit_kzalloc(test, sizeof(*iovec), GFP_KERNEL);
	u8 bytes[2 * IOVEC_BYTES], copy[IOVEC_BYTES + 1];
	u32 at = 0, size, offset, i, k = 0;
	u8 from[IOVEC_BYTES];

	KUNIT_ASSERT_NOT_NULL(test, iovec);
	fill(bytes, sizeof(bytes));
	gpuoa_iovec_clear(iovec);
	/* Ranges of 1, 2, 3, ... bytes, separated by one unused byte */
	for (size = 1; iovec->size + size <= IOVEC_BYTES; at += size++ + 1) {
		gpuoa_iovec_add(iovec, bytes + at, size);
		for (i = 0; i < size; i++)
			from[k++] = at + i;
	}
	KUNIT_ASSERT_EQ(test, k, iovec->size);
	for (offset = 0; offset <= k; offset++) {
		for (size = 0; offset + size <= k; size++) {
			memset(copy, 0xff, sizeof(copy));
			gpuoa_iovec_copy(iovec, copy, offset, size);
			KUNIT_ASSERT_EQ(test, memcmp(copy, from + offset, size), 0);
			KUNIT_ASSERT_EQ(test, copy[size], 0xff);
		}
	}
}

static void full_leaves_room_for_one_entry(struct kunit *test)
{
	struct gpuoa_iovec *iovec = kunit_kzalloc(test, sizeof(*iovec), GFP_KERNEL);
	u8 bytes[2 * GPUOA_IOVEC_MAX];
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, iovec);
	gpuoa_iovec_clear(iovec);
	for (i = 0; !gpuoa_iovec_full(iovec); i++)
		gpuoa_iovec_add(iovec, bytes + 2 * i, 1);
	KUNIT_EXPECT_EQ(test, i, GPUOA_IOVEC_MAX - 1);
	gpuoa_iovec_add(iovec, bytes + 2 * i, 1);
	KUNIT_EXPECT_EQ(test, iovec->count, GPUOA_IOVEC_MAX);
	KUNIT_EXPECT_EQ(test, iovec->size, GPUOA_IOVEC_MAX);
}

static struct kunit_case iovec_cases[] = {
	KUNIT_CASE(add_merges_adjacent_bytes),
	KUNIT_CASE(copy_returns_any_subrange),
	KUNIT_CASE(full_leaves_room_for_one_entry),
	{}
};

static struct kunit_suite iovec_suite = {
	.name = "gpuoa_iovec",
	.test_cases = iovec_cases,
};

kunit_test_suite(iovec_suite);
