// SPDX-License-Identifier: MIT
/*
 * stalls_test.c - Test reasons, layouts, decoding and sums of EU stall sampling with records that
 * this file packs bit by bit.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <time.h>

#include "gpuoa-stalls.h"
#include "tap.h"

#define RECORD 64

/* The fields of each layout as xe's documentation lists them: name and number of bits */
struct documented {
	const char *name;
	unsigned int bits;
};

static const struct documented pvc[] = {
	{ "ip", 29 },	    { "active", 8 },	 { "other", 8 },    { "control", 8 },
	{ "pipestall", 8 }, { "send", 8 },	 { "dist_acc", 8 }, { "sbid", 8 },
	{ "sync", 8 },	    { "inst_fetch", 8 }, { NULL, 0 },
};

#define XE2_FIELDS                                                                         \
	{ "tdr", 8 }, { "other", 8 }, { "control", 8 }, { "pipestall", 8 }, { "send", 8 }, \
		{ "dist_acc", 8 }, { "sbid", 8 }, { "sync", 8 }, { "inst_fetch", 8 },      \
		{ "active", 8 }, { "ex_id", 3 }, { "end_flag", 1 },                        \
	{                                                                                  \
		NULL, 0                                                                    \
	}

static const struct documented xe2[] = { { "ip", 29 }, XE2_FIELDS };
static const struct documented xe3p[] = { { "ip", 61 }, XE2_FIELDS };

static const struct {
	const char *name;
	const struct documented *fields;
} layouts[] = { { "pvc", pvc }, { "xe2", xe2 }, { "xe3p", xe3p } };

#define N_LAYOUTS (sizeof(layouts) / sizeof(layouts[0]))

static const struct gpuoa_stall_layout *layout_at(size_t index)
{
	return gpuoa_stall_layout_by_name(layouts[index].name);
}

static void put_bits(uint8_t *record, unsigned int bit, unsigned int bits, uint64_t value)
{
	for (unsigned int i = 0; i < bits; i++)
		if (value >> i & 1)
			record[(bit + i) / 8] |= 1 << (bit + i) % 8;
}

/* Pack the value of one field, and zeros in all others. */
static void put_field(uint8_t *record, const struct documented *fields, const char *name,
		      uint64_t value)
{
	unsigned int bit = 0;

	for (; fields->name; bit += fields++->bits)
		if (!strcmp(fields->name, name))
			put_bits(record, bit, fields->bits, value);
}

static void pack(uint8_t *record, size_t layout, uint64_t ip, const uint32_t *counts)
{
	struct gpuoa_stall_reason_desc desc;

	memset(record, 0, RECORD);
	put_field(record, layouts[layout].fields, "ip", ip);
	put_field(record, layouts[layout].fields, "end_flag", 1);
	for (int r = 0; r < (int)GPUOA_STALL_REASON_COUNT; r++) {
		gpuoa_stall_describe_reason(r, &desc, sizeof(desc));
		put_field(record, layouts[layout].fields, desc.field, counts[r]);
	}
}

static uint32_t random_number(void)
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 16);
}

/* ---- reasons ---- */

static void each_reason_has_texts_and_is_found_by_its_name(void)
{
	struct gpuoa_stall_reason_desc desc;

	for (int i = 0; i < (int)GPUOA_STALL_REASON_COUNT; i++) {
		REQUIRE(!gpuoa_stall_describe_reason(i, &desc, sizeof(desc)));
		CHECK((int)desc.reason == i);
		REQUIRE(desc.name && desc.title && desc.description && desc.field &&
			desc.level_zero);
		CHECK(!strpbrk(desc.name, " \t_") && *desc.title && *desc.description);
		CHECK(desc.stage <= 2);
		CHECK(gpuoa_stall_find_reason(desc.name) == i);
	}
	CHECK(gpuoa_stall_describe_reason(GPUOA_STALL_REASON_COUNT, &desc, sizeof(desc)) ==
	      -ERANGE);
	CHECK(gpuoa_stall_find_reason("sbid") == -ENOENT);
}

static void describe_reason_fills_in_a_shorter_or_longer_struct(void)
{
	struct {
		struct gpuoa_stall_reason_desc desc;
		uint64_t more;
	} longer = { .more = 1 };
	uint32_t shorter[3] = { 0, 0, 77 };

	REQUIRE(!gpuoa_stall_describe_reason(GPUOA_STALL_SEND, &longer.desc, sizeof(longer)));
	CHECK(!longer.more);
	CHECK_STRING(longer.desc.name, "send");
	REQUIRE(!gpuoa_stall_describe_reason(GPUOA_STALL_SEND,
					     (struct gpuoa_stall_reason_desc *)shorter, 8));
	CHECK(shorter[0] == GPUOA_STALL_SEND && shorter[1] == 2 && shorter[2] == 77);
}

/* ---- layouts ---- */

static void layout_find_knows_the_platforms_with_stall_sampling(void)
{
	static const struct {
		const char *platform;
		const char *layout;
	} expected[] = {
		{ "pvc", "pvc" }, { "lnl", "xe2" },   { "bmg", "xe2" },	 { "ptl", "xe2" },
		{ "nvl", "xe2" }, { "nvlp", "xe3p" }, { "cri", "xe3p" },
	};
	static const char *const none[] = {
		"acmgt1", "mtlgt3", "arlgt2", "tglgt2", "hsw", "", "xe2"
	};

	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		const struct gpuoa_stall_layout *found =
			gpuoa_stall_layout_find(expected[i].platform);

		REQUIRE(found);
		CHECK(found == gpuoa_stall_layout_by_name(expected[i].layout));
	}
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		CHECK(!gpuoa_stall_layout_find(none[i]));
	CHECK(!gpuoa_stall_layout_by_name("lnl"));
}

static const struct gpuoa_stall_field *field_of(const struct gpuoa_stall_layout_desc *desc,
						const char *name)
{
	struct gpuoa_stall_reason_desc reason;

	if (!strcmp(name, "ip"))
		return &desc->address;
	if (!strcmp(name, "ex_id"))
		return &desc->exception_id;
	if (!strcmp(name, "end_flag"))
		return &desc->end_flag;
	for (int r = 0; r < (int)GPUOA_STALL_REASON_COUNT; r++) {
		gpuoa_stall_describe_reason(r, &reason, sizeof(reason));
		if (!strcmp(reason.field, name))
			return &desc->reasons[r];
	}
	return NULL;
}

static unsigned int fields_of(const struct gpuoa_stall_layout_desc *desc)
{
	unsigned int fields =
		!!desc->address.bits + !!desc->exception_id.bits + !!desc->end_flag.bits;

	for (unsigned int r = 0; r < GPUOA_STALL_REASONS; r++)
		fields += !!desc->reasons[r].bits;
	return fields;
}

static void described_fields_are_those_of_the_documentation(void)
{
	for (size_t i = 0; i < N_LAYOUTS; i++) {
		const struct documented *field = layouts[i].fields;
		struct gpuoa_stall_layout_desc desc;
		unsigned int bit = 0, count = 0;

		gpuoa_stall_layout_describe(layout_at(i), &desc, sizeof(desc));
		CHECK_STRING(desc.name, layouts[i].name);
		CHECK(desc.record_size == RECORD);
		CHECK(desc.address_bits == field->bits + 3);
		for (; field->name; bit += field++->bits, count++) {
			const struct gpuoa_stall_field *found = field_of(&desc, field->name);

			REQUIRE(found);
			CHECK(found->bit == bit && found->bits == field->bits);
		}
		CHECK(fields_of(&desc) == count);
	}
}

/* ---- decoding ---- */

/* All bits of one field, then all bits except those: each field is decoded alone. */
static void decode_separates_each_field_from_its_neighbours(void)
{
	for (size_t i = 0; i < N_LAYOUTS; i++) {
		const struct documented *field = layouts[i].fields;
		uint32_t counts[GPUOA_STALL_REASONS] = { 0 };
		uint8_t record[RECORD];
		struct gpuoa_stall_record decoded;

		for (int r = 0; r < (int)GPUOA_STALL_REASON_COUNT; r++) {
			struct gpuoa_stall_reason_desc desc;
			unsigned int sum = 0;
			bool exists = false;

			gpuoa_stall_describe_reason(r, &desc, sizeof(desc));
			for (field = layouts[i].fields; field->name; field++)
				exists |= !strcmp(field->name, desc.field);
			memset(counts, 0, sizeof(counts));
			counts[r] = 255;
			pack(record, i, 0, counts);
			gpuoa_stall_decode(layout_at(i), record, &decoded, sizeof(decoded));
			for (unsigned int k = 0; k < GPUOA_STALL_REASONS; k++)
				sum += decoded.counts[k];
			CHECK(decoded.counts[r] == (exists ? 255 : 0));
			CHECK(sum == decoded.counts[r] && !decoded.address &&
			      !decoded.exception_id && decoded.complete);
		}
		memset(record, 0, sizeof(record));
		put_field(record, layouts[i].fields, "ip", UINT64_MAX);
		gpuoa_stall_decode(layout_at(i), record, &decoded, sizeof(decoded));
		CHECK(decoded.address == (i == 2 ? UINT64_MAX << 3 : UINT64_C(0xfffffff8)));
		for (unsigned int k = 0; k < GPUOA_STALL_REASONS; k++)
			CHECK(!decoded.counts[k]);
		CHECK(decoded.complete == (i == 0));
		put_field(record, layouts[i].fields, "ex_id", 7);
		gpuoa_stall_decode(layout_at(i), record, &decoded, sizeof(decoded));
		CHECK(decoded.exception_id == (i == 0 ? 0 : 7));
		CHECK(decoded.complete == (i == 0));
	}
}

static void decode_ignores_undocumented_bits(void)
{
	for (size_t i = 0; i < N_LAYOUTS; i++) {
		uint32_t counts[GPUOA_STALL_REASONS] = { 0 };
		struct gpuoa_stall_record clean, dirty;
		uint8_t record[RECORD];
		unsigned int bits = 0;

		for (const struct documented *f = layouts[i].fields; f->name; f++)
			bits += f->bits;
		pack(record, i, 5, counts);
		gpuoa_stall_decode(layout_at(i), record, &clean, sizeof(clean));
		put_bits(record, bits, 64, UINT64_MAX);
		memset(record + bits / 8 + 8, 0xff, RECORD - bits / 8 - 8);
		gpuoa_stall_decode(layout_at(i), record, &dirty, sizeof(dirty));
		CHECK(!memcmp(&clean, &dirty, sizeof(clean)));
	}
}

static void decode_returns_random_values_of_unaligned_records(void)
{
	uint8_t buffer[RECORD + 8];

	for (unsigned int n = 0; n < 6000; n++) {
		const size_t i = n % N_LAYOUTS;
		uint8_t *record = buffer + n % 8;
		uint64_t ip = random_number() | (uint64_t)random_number() << 32;
		uint32_t counts[GPUOA_STALL_REASONS] = { 0 };
		struct gpuoa_stall_record decoded;

		ip &= (UINT64_C(1) << layouts[i].fields[0].bits) - 1;
		for (int r = 0; r < (int)GPUOA_STALL_REASON_COUNT; r++)
			counts[r] = random_number() & 0xff;
		if (!i)
			counts[GPUOA_STALL_PS_ORDER] = 0;
		pack(record, i, ip, counts);
		gpuoa_stall_decode(layout_at(i), record, &decoded, sizeof(decoded));
		REQUIRE(decoded.address == ip << 3);
		REQUIRE(!memcmp(decoded.counts, counts, sizeof(counts)));
	}
}

/* ---- sums ---- */

#define ADDRESSES 20000
#define RECORDS 60000

/* Compare with sums in an array that is indexed by the address. */
static void sums_equal_those_of_a_plain_array(void)
{
	uint64_t(*plain)[GPUOA_STALL_REASONS] = calloc(ADDRESSES, sizeof(*plain));
	uint8_t *records = malloc((size_t)RECORDS * RECORD);
	uint64_t total[GPUOA_STALL_REASONS], plain_total[GPUOA_STALL_REASONS] = { 0 };
	struct gpuoa_stall_sums *sums;
	struct gpuoa_stall_sum sum;
	uint32_t used = 0, previous = 0;

	REQUIRE(plain && records && !gpuoa_stall_sums_new(&sums));
	for (unsigned int n = 0; n < RECORDS; n++) {
		const uint32_t index = random_number() % ADDRESSES;
		uint32_t counts[GPUOA_STALL_REASONS] = { 0 };

		for (int r = 0; r < (int)GPUOA_STALL_REASON_COUNT; r++) {
			counts[r] = random_number() & 0xff;
			plain[index][r] += counts[r];
			plain_total[r] += counts[r];
		}
		pack(records + (size_t)n * RECORD, 1, 0x1fff0000 + index, counts);
	}
	for (unsigned int n = 0; n < RECORDS; n += 1000)
		REQUIRE(!gpuoa_stall_sums_add(sums, layout_at(1), records + (size_t)n * RECORD,
					      1000));
	gpuoa_stall_sums_total(sums, total);
	CHECK(!memcmp(total, plain_total, sizeof(total)));
	for (uint32_t i = 0; i < ADDRESSES; i++) {
		const uint64_t address = (UINT64_C(0x1fff0000) + i) << 3;
		const int err = gpuoa_stall_sums_find(sums, address, &sum, sizeof(sum));

		if (err == -ENOENT) {
			memset(&sum, 0, sizeof(sum));
		} else {
			used++;
			CHECK(!err && sum.address == address);
		}
		REQUIRE(!memcmp(sum.counts, plain[i], sizeof(sum.counts)));
	}
	CHECK(gpuoa_stall_sums_count(sums) == used);
	gpuoa_stall_sums_sort(sums);
	for (uint32_t i = 0; i < used; i++) {
		REQUIRE(!gpuoa_stall_sums_get(sums, i, &sum, sizeof(sum)));
		CHECK(i == 0 || (uint32_t)(sum.address >> 3) > previous);
		previous = (uint32_t)(sum.address >> 3);
		REQUIRE(!memcmp(sum.counts, plain[previous - 0x1fff0000], sizeof(sum.counts)));
	}
	CHECK(gpuoa_stall_sums_get(sums, used, &sum, sizeof(sum)) == -ERANGE);
	gpuoa_stall_sums_free(sums);
	free(records);
	free(plain);
}

static void sums_keep_the_order_of_addresses_until_sorted(void)
{
	static const uint64_t order[] = { 0x40, 0x8, 0x100, 0 };
	struct gpuoa_stall_sums *sums;
	struct gpuoa_stall_sum sum = { 0 };

	REQUIRE(!gpuoa_stall_sums_new(&sums));
	for (int round = 0; round < 2; round++) {
		for (unsigned int i = 0; i < 4; i++) {
			sum = (struct gpuoa_stall_sum){ .address = order[i], .counts = { i + 1 } };
			CHECK(!gpuoa_stall_sums_add_sum(sums, &sum, sizeof(sum)));
		}
	}
	for (unsigned int i = 0; i < 4; i++) {
		REQUIRE(!gpuoa_stall_sums_get(sums, i, &sum, sizeof(sum)));
		CHECK(sum.address == order[i] && sum.counts[0] == 2 * (i + 1));
	}
	gpuoa_stall_sums_sort(sums);
	REQUIRE(!gpuoa_stall_sums_get(sums, 0, &sum, sizeof(sum)));
	CHECK(sum.address == 0 && sum.counts[0] == 8);
	/* The table is still valid after sorting. */
	sum = (struct gpuoa_stall_sum){ .address = 0x100, .counts = { 1 } };
	CHECK(!gpuoa_stall_sums_add_sum(sums, &sum, sizeof(sum)));
	REQUIRE(!gpuoa_stall_sums_get(sums, 3, &sum, sizeof(sum)));
	CHECK(sum.address == 0x100 && sum.counts[0] == 7);
	CHECK(gpuoa_stall_sums_count(sums) == 4);
	gpuoa_stall_sums_clear(sums);
	CHECK(!gpuoa_stall_sums_count(sums));
	CHECK(gpuoa_stall_sums_find(sums, 0x40, &sum, sizeof(sum)) == -ENOENT);
	CHECK(gpuoa_stall_sums_get(sums, 0, &sum, sizeof(sum)) == -ERANGE);
	gpuoa_stall_sums_free(sums);
	gpuoa_stall_sums_free(NULL);
}

static void sums_add_counts_and_leaves_out_incomplete_records(void)
{
	const uint32_t counts[GPUOA_STALL_REASONS] = { 1, 2 };
	uint8_t records[4][RECORD];
	struct gpuoa_stall_sums *sums;
	struct gpuoa_stall_sum sum;

	REQUIRE(!gpuoa_stall_sums_new(&sums));
	for (unsigned int i = 0; i < 4; i++)
		pack(records[i], 1, 9, counts);
	records[1][14] = 0; /* byte of the end flag, bit 112 */
	memset(records[2], 0, RECORD);
	CHECK(gpuoa_stall_sums_add(sums, layout_at(1), records, 4) == 2);
	REQUIRE(gpuoa_stall_sums_count(sums) == 1 &&
		!gpuoa_stall_sums_get(sums, 0, &sum, sizeof(sum)));
	CHECK(sum.address == 72 && sum.counts[0] == 2 && sum.counts[1] == 4);
	CHECK(gpuoa_stall_sums_add(sums, layout_at(1), records, (size_t)INT_MAX + 1) == -EOVERFLOW);
	CHECK(!gpuoa_stall_sums_add(sums, layout_at(1), records, 0));
	gpuoa_stall_sums_free(sums);
}

/* Addresses whose product with 2^64 divided by the golden ratio is small */
static void sums_take_linear_time_for_crafted_addresses(void)
{
	const uint64_t inverse = UINT64_C(0xf1de83e19937733d);
	struct gpuoa_stall_sums *sums;
	struct timespec begin, end;

	CHECK(inverse * UINT64_C(0x9e3779b97f4a7c15) == 1);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	/* The hash function is random, so each table has another one. */
	for (int round = 0; round < 4; round++) {
		uint32_t added = 0;

		REQUIRE(!gpuoa_stall_sums_new(&sums));
		for (uint64_t i = 1; added < 50000; i++) {
			const uint64_t shifted = i * inverse;
			struct gpuoa_stall_sum sum = { .address = shifted << 3 };

			/* The three highest bits are not part of an address. */
			if (shifted >> 61)
				continue;
			REQUIRE(!gpuoa_stall_sums_add_sum(sums, &sum, sizeof(sum)));
			added++;
		}
		CHECK(gpuoa_stall_sums_count(sums) == added);
		gpuoa_stall_sums_free(sums);
	}
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
	/* About 40 ms; with all of them in one slot, several seconds */
	CHECK((end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec) < 1e9);
}

static void sums_add_sum_rejects_unknown_fields_and_reasons(void)
{
	struct {
		struct gpuoa_stall_sum sum;
		uint64_t more;
	} longer = { .sum.address = 8, .more = 1 };
	struct gpuoa_stall_sums *sums;

	REQUIRE(!gpuoa_stall_sums_new(&sums));
	CHECK(gpuoa_stall_sums_add_sum(sums, &longer.sum, sizeof(longer)) == -E2BIG);
	longer.more = 0;
	longer.sum.counts[GPUOA_STALL_REASONS - 1] = 1;
	CHECK(gpuoa_stall_sums_add_sum(sums, &longer.sum, sizeof(longer)) == -E2BIG);
	CHECK(!gpuoa_stall_sums_count(sums));
	longer.sum.counts[GPUOA_STALL_REASONS - 1] = 0;
	CHECK(!gpuoa_stall_sums_add_sum(sums, &longer.sum, sizeof(longer)));
	CHECK(gpuoa_stall_sums_count(sums) == 1);
	gpuoa_stall_sums_free(sums);
}

int main(void)
{
	RUN(each_reason_has_texts_and_is_found_by_its_name);
	RUN(describe_reason_fills_in_a_shorter_or_longer_struct);
	RUN(layout_find_knows_the_platforms_with_stall_sampling);
	RUN(described_fields_are_those_of_the_documentation);
	RUN(decode_separates_each_field_from_its_neighbours);
	RUN(decode_ignores_undocumented_bits);
	RUN(decode_returns_random_values_of_unaligned_records);
	RUN(sums_equal_those_of_a_plain_array);
	RUN(sums_keep_the_order_of_addresses_until_sorted);
	RUN(sums_add_counts_and_leaves_out_incomplete_records);
	RUN(sums_take_linear_time_for_crafted_addresses);
	RUN(sums_add_sum_rejects_unknown_fields_and_reasons);
	return tap_end();
}
