// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_pieces.c - iovec of a sample, copied as one range.
 */
#include <kunit/test.h>

#include "../core/stream/gpuoa_sample.h"

#define PIECES_BYTES 96

/* The value of each byte is its offset. */
static void fill(u8 *bytes, u32 size)
{
	u32 i;

	for (i = 0; i < size; i++)
		bytes[i] = i;
}

static void what_follows_is_one_place(struct kunit *test)
{
	struct gpuoa_pieces *pieces = kunit_kzalloc(test, sizeof(*pieces), GFP_KERNEL);
	u8 bytes[64];

	KUNIT_ASSERT_NOT_NULL(test, pieces);
	gpuoa_pieces_clear(pieces);
	gpuoa_pieces_add(pieces, bytes, 16);
	gpuoa_pieces_add(pieces, bytes + 16, 8);
	KUNIT_EXPECT_EQ(test, pieces->count, 1);
	gpuoa_pieces_add(pieces, bytes + 32, 8);
	KUNIT_EXPECT_EQ(test, pieces->count, 2);
	gpuoa_pieces_add(pieces, bytes + 24, 8);
	KUNIT_EXPECT_EQ(test, pieces->count, 3);
	KUNIT_EXPECT_EQ(test, pieces->size, 40);
	gpuoa_pieces_clear(pieces);
	KUNIT_EXPECT_EQ(test, pieces->size, 0);
	KUNIT_EXPECT_EQ(test, pieces->count, 0);
}

/* Copy every subrange; bytes after it are not written. */
static void any_part_is_copied(struct kunit *test)
{
	struct gpuoa_pieces *pieces = kunit_kzalloc(test, sizeof(*pieces), GFP_KERNEL);
	u8 bytes[2 * PIECES_BYTES], copy[PIECES_BYTES + 1];
	u32 at = 0, size, offset, i, k = 0;
	u8 from[PIECES_BYTES];

	KUNIT_ASSERT_NOT_NULL(test, pieces);
	fill(bytes, sizeof(bytes));
	gpuoa_pieces_clear(pieces);
	/* Pieces of 1, 2, 3, ... bytes, separated by one unused byte */
	for (size = 1; pieces->size + size <= PIECES_BYTES; at += size++ + 1) {
		gpuoa_pieces_add(pieces, bytes + at, size);
		for (i = 0; i < size; i++)
			from[k++] = at + i;
	}
	KUNIT_ASSERT_EQ(test, k, pieces->size);
	for (offset = 0; offset <= k; offset++) {
		for (size = 0; offset + size <= k; size++) {
			memset(copy, 0xff, sizeof(copy));
			gpuoa_pieces_copy(pieces, copy, offset, size);
			KUNIT_ASSERT_EQ(test, memcmp(copy, from + offset, size), 0);
			KUNIT_ASSERT_EQ(test, copy[size], 0xff);
		}
	}
}

static void full_leaves_room_for_one(struct kunit *test)
{
	struct gpuoa_pieces *pieces = kunit_kzalloc(test, sizeof(*pieces), GFP_KERNEL);
	u8 bytes[2 * GPUOA_PIECES_MAX];
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, pieces);
	gpuoa_pieces_clear(pieces);
	for (i = 0; !gpuoa_pieces_full(pieces); i++)
		gpuoa_pieces_add(pieces, bytes + 2 * i, 1);
	KUNIT_EXPECT_EQ(test, i, GPUOA_PIECES_MAX - 1);
	gpuoa_pieces_add(pieces, bytes + 2 * i, 1);
	KUNIT_EXPECT_EQ(test, pieces->count, GPUOA_PIECES_MAX);
	KUNIT_EXPECT_EQ(test, pieces->size, GPUOA_PIECES_MAX);
}

static struct kunit_case pieces_cases[] = {
	KUNIT_CASE(what_follows_is_one_place),
	KUNIT_CASE(any_part_is_copied),
	KUNIT_CASE(full_leaves_room_for_one),
	{}
};

static struct kunit_suite pieces_suite = {
	.name = "gpuoa_pieces",
	.test_cases = pieces_cases,
};

kunit_test_suite(pieces_suite);
