// SPDX-License-Identifier: MIT
/*
 * i915_topology_test.c - Test the conversion of slices, subslices and EUs from and to the result of
 * DRM_I915_QUERY_TOPOLOGY_INFO.
 */
#include <errno.h>

#include "gpu/i915_topology.h"
#include "tap.h"

/* The head of the query's result */
struct head {
	uint16_t flags;
	uint16_t max_slices, max_subslices, max_eus;
	uint16_t subslice_offset, subslice_stride, eu_offset, eu_stride;
};

static union {
	struct head head;
	uint8_t bytes[65536];
} topology;

static const uint8_t *const masks = topology.bytes + sizeof(struct head);

/* ---- making a result ---- */

static int make(const char *platform, uint64_t subslices, uint32_t stride, uint32_t eus,
		size_t room)
{
	struct gpuoa_unit_desc desc = {
		.subslice_mask = subslices,
		.subslice_stride = stride,
		.eu_count = eus,
	};

	strcpy(desc.platform, platform);
	memset(&topology, 0xff, sizeof(topology));
	return i915_topology_make(&desc, &topology, room);
}

static void check_head(const char *platform, uint64_t subslices, uint32_t stride, uint32_t eus,
		       const struct head expected, int size)
{
	const struct head *head = &topology.head;

	CHECK(make(platform, subslices, stride, eus, sizeof(topology)) == size);
	if (!CHECK(!memcmp(head, &expected, sizeof(*head))))
		printf("# %s: %d %d %d, %d %d, %d %d\n", platform, head->max_slices,
		       head->max_subslices, head->max_eus, head->subslice_offset,
		       head->subslice_stride, head->eu_offset, head->eu_stride);
	/* Nothing is written beyond the result. */
	CHECK(topology.bytes[size] == 0xff);
	CHECK(make(platform, subslices, stride, eus, (size_t)size) == size);
	CHECK(make(platform, subslices, stride, eus, (size_t)size - 1) == -ENOBUFS);
}

static void make_lays_out_masks(void)
{
	/* three subslices per slice, as is usual for the platform */
	check_head("sklgt2", 0x7, 0, 24, (struct head){ 0, 1, 3, 8, 1, 1, 2, 1 }, 24);
	check_head("sklgt2", 0xf, 0, 32, (struct head){ 0, 2, 3, 8, 1, 1, 3, 1 }, 32);
	check_head("sklgt2", 0x3f, 0, 47, (struct head){ 0, 2, 3, 8, 1, 1, 3, 1 }, 32);
	check_head("sklgt2", 0x1, 0, 9, (struct head){ 0, 1, 3, 9, 1, 1, 2, 2 }, 24);
	check_head("sklgt2", 0, 0, 0, (struct head){ 0, 1, 3, 0, 1, 1, 2, 0 }, 24);
	/* as the unit describes it */
	check_head("sklgt2", 0x101, 4, 17, (struct head){ 0, 3, 4, 9, 1, 1, 4, 2 }, 48);
	check_head("sklgt2", 0x101, 9, 2, (struct head){ 0, 1, 9, 1, 1, 2, 3, 1 }, 32);
	check_head("sklgt2", UINT64_MAX, 64, 64, (struct head){ 0, 1, 64, 1, 1, 8, 9, 1 }, 96);
	check_head("sklgt2", UINT64_MAX, 1, 64, (struct head){ 0, 64, 1, 1, 8, 1, 72, 1 }, 152);
	/* a platform that the library does not know */
	check_head("none", 0x101, 0, 2, (struct head){ 0, 2, 8, 1, 1, 1, 3, 1 }, 40);
	/* GPUs with compute engines have one slice. */
	check_head("acmgt1", 0x83, 4, 24, (struct head){ 0, 1, 8, 8, 1, 1, 2, 1 }, 32);
	check_head("acmgt1", 0, 4, 0, (struct head){ 0, 1, 1, 0, 1, 1, 2, 0 }, 24);
}

static void make_rejects_what_masks_cannot_hold(void)
{
	CHECK(make("sklgt2", 0x1, 0, 64, sizeof(topology)) > 0);
	CHECK(make("sklgt2", 0x1, 0, 65, sizeof(topology)) == -EINVAL);
	CHECK(make("sklgt2", 0x3, 0, 128, sizeof(topology)) > 0);
	CHECK(make("sklgt2", 0x3, 0, 129, sizeof(topology)) == -EINVAL);
	CHECK(make("sklgt2", 0x1, 65, 1, sizeof(topology)) == -EINVAL);
}

static void make_distributes_eus(void)
{
	/* masks of slices, of the subslices of two slices, and of the EUs of six subslices */
	static const uint8_t expected[] = { 0x3, 0x5, 0x2, 0x7, 0, 0x7, 0, 0x3, 0 };

	CHECK(make("sklgt2", 0x15, 0, 8, sizeof(topology)) == 32);
	CHECK(!memcmp(masks, expected, sizeof(expected)));
}

/* ---- reading a result ---- */

static void set_bit(size_t offset, size_t index)
{
	topology.bytes[sizeof(struct head) + offset + index / 8] |= (uint8_t)(1 << index % 8);
}

/* Begin a result with this many bits; its masks are empty. Returns its size. */
static size_t begin(uint16_t slices, uint16_t subslices, uint16_t eus)
{
	struct head *head = &topology.head;

	memset(&topology, 0, sizeof(topology));
	*head = (struct head){ 0, slices, subslices, eus, 10, 9, 1000, 9 };
	return sizeof(*head) + 1000 + (size_t)slices * subslices * 9;
}

static void add_subslice(size_t slice, size_t subslice, size_t eus)
{
	const struct head *head = &topology.head;

	set_bit(0, slice);
	set_bit(head->subslice_offset + slice * head->subslice_stride, subslice);
	for (size_t eu = 0; eu < eus; eu++)
		set_bit(head->eu_offset +
				(slice * head->max_subslices + subslice) * head->eu_stride,
			eu);
}

static struct gpuoa_unit_desc take(const char *platform, size_t size)
{
	struct gpuoa_unit_desc desc = { .platform = "" };

	strcpy(desc.platform, platform);
	CHECK(!i915_topology_take(&topology, size, &desc));
	return desc;
}

static void take_concatenates_masks_of_slices(void)
{
	const size_t size = begin(3, 4, 16);
	struct gpuoa_unit_desc desc;

	add_subslice(0, 0, 8);
	add_subslice(0, 2, 7);
	add_subslice(2, 1, 16);
	desc = take("sklgt2", size);
	CHECK(desc.subslice_stride == 3 && desc.subslice_mask == 0x85);
	CHECK(desc.slice_mask == 0x5 && desc.slice_count == 2);
	CHECK(desc.subslice_count == 3 && desc.eu_count == 31);
	CHECK(desc.threads_per_eu == 7 && desc.compute_engine_count == 0);
	/* A platform that the library does not know has the stride of the result. */
	desc = take("none", size);
	CHECK(desc.subslice_stride == 4 && desc.subslice_mask == 0x205);
	CHECK(desc.slice_mask == 0x5 && desc.eu_count == 31);
	CHECK(desc.threads_per_eu == 0 && desc.compute_engine_count == 0);
}

static void take_derives_slices_of_later_gpus(void)
{
	const size_t size = begin(1, 32, 8);
	struct gpuoa_unit_desc desc;

	add_subslice(0, 0, 8);
	add_subslice(0, 5, 8);
	add_subslice(0, 31, 8);
	desc = take("acmgt1", size);
	CHECK(desc.subslice_stride == 4 && desc.subslice_mask == 0x80000021);
	CHECK(desc.slice_mask == 0x83 && desc.slice_count == 3);
	CHECK(desc.threads_per_eu == 8 && desc.compute_engine_count == 1);
}

/* Bits beyond the numbers in the head are no part of the masks. */
static void take_ignores_other_bits(void)
{
	const size_t size = begin(2, 3, 5);
	struct gpuoa_unit_desc desc;

	add_subslice(0, 1, 6);
	set_bit(0, 2);
	set_bit(10, 3);
	set_bit(10 + 9 + 9, 0);
	set_bit(10 + 9, 1); /* of a slice that is absent */
	set_bit(1000, 0); /* EU of a subslice that is absent */
	desc = take("sklgt2", size);
	CHECK(desc.slice_mask == 1 && desc.subslice_mask == 2 && desc.eu_count == 5);
}

/* A mask has 64 bits; EUs of further subslices are counted. */
static void take_limits_mask_to_64_subslices(void)
{
	const size_t size = begin(64, 64, 1);
	struct gpuoa_unit_desc desc;

	for (size_t slice = 0; slice < 64; slice++)
		for (size_t subslice = 0; subslice < 64; subslice++)
			add_subslice(slice, subslice, 1);
	topology.head.subslice_stride = 8;
	memset(topology.bytes + sizeof(struct head) + 10, 0xff, 64 * 8);
	desc = take("none", size);
	CHECK(desc.subslice_stride == 64 && desc.subslice_mask == UINT64_MAX);
	CHECK(desc.slice_mask == 1 && desc.slice_count == 1 && desc.subslice_count == 64);
	CHECK(desc.eu_count == 64 * 64);
}

static void check_numbers(uint16_t slices, uint16_t subslices, uint16_t eus, int expected)
{
	struct gpuoa_unit_desc desc = { .platform = "none" };

	begin(slices, subslices, eus);
	CHECK(i915_topology_take(&topology, sizeof(topology), &desc) == expected);
}

static void take_rejects_damaged_result(void)
{
	const size_t size = sizeof(struct head) + 1000 + 1; /* up to the last bit */
	struct gpuoa_unit_desc desc = { .platform = "none" };

	check_numbers(0, 1, 1, -EBADMSG);
	check_numbers(65, 1, 1, -EBADMSG);
	check_numbers(1, 0, 1, -EBADMSG);
	check_numbers(1, 65, 1, -EBADMSG);
	check_numbers(1, 1, 65, -EBADMSG);
	check_numbers(64, 64, 64, 0);
	check_numbers(1, 1, 0, 0);
	begin(1, 1, 8);
	add_subslice(0, 0, 8);
	for (size_t part = 0; part < size; part++)
		CHECK(i915_topology_take(&topology, part, &desc) == -EBADMSG);
	desc.eu_count = 0;
	CHECK(!i915_topology_take(&topology, size, &desc) && desc.eu_count == 8);
}

static void check_round_trip(const char *platform, uint64_t subslices, uint32_t stride,
			     uint32_t eus)
{
	const int size = make(platform, subslices, stride, eus, sizeof(topology));
	struct gpuoa_unit_desc desc;

	REQUIRE(size > 0);
	desc = take(platform, (size_t)size);
	CHECK(desc.subslice_mask == subslices && desc.eu_count == eus);
}

static void take_reverses_make(void)
{
	check_round_trip("sklgt2", 0x7, 0, 24);
	check_round_trip("sklgt2", 0x35, 0, 31);
	check_round_trip("icl", 0xdd, 0, 48);
	check_round_trip("tglgt2", 0x3f, 0, 96);
	check_round_trip("acmgt1", 0xff00ff, 0, 250);
}

int main(void)
{
	RUN(make_lays_out_masks);
	RUN(make_rejects_what_masks_cannot_hold);
	RUN(make_distributes_eus);
	RUN(take_concatenates_masks_of_slices);
	RUN(take_derives_slices_of_later_gpus);
	RUN(take_ignores_other_bits);
	RUN(take_limits_mask_to_64_subslices);
	RUN(take_rejects_damaged_result);
	RUN(take_reverses_make);
	return tap_end();
}
