// SPDX-License-Identifier: MIT
/*
 * damage_test.c - Check that damaged reports of a recording, and no others, are dropped and
 * counted.
 */
#define _GNU_SOURCE /* memfd_create */
#include <errno.h>
#include <stdlib.h>

#include "fixture.h"
#include "reader/sanity.h"
#include "recording.h"
#include "report/dword_mask.h"
#include "tap.h"

#define REPORTS 200
#define OF_SAMPLE 10 /* reports per sample */
#define DWORDS (TEST_REPORT_SIZE / 4)
#define FIRST_COUNTER 3 /* index, in dwords */
#define ID 7 /* event id */

/* A recording. Tests can change its reports before they are read. */
static struct {
	uint32_t reports[REPORTS][DWORDS];
	uint32_t exponent;
	bool lost_before[REPORTS]; /* the preceding report is lost */
} now;

/* Haswell reports, @ticks apart */
static void make_reports(uint32_t first_ticks, uint32_t ticks)
{
	uint64_t state = 1;

	memset(&now, 0, sizeof(now));
	now.exponent = TEST_EXPONENT;
	for (uint32_t i = 0; i < REPORTS; i++) {
		now.reports[i][0] = TEST_REPORT_ID;
		now.reports[i][1] = first_ticks + i * ticks;
		for (size_t k = FIRST_COUNTER; k < DWORDS; k++)
			now.reports[i][k] =
				i ? now.reports[i - 1][k] +
						(uint32_t)(fixture_random(&state) % 4096) :
				    0xfffff000u;
	}
}

static struct gpuoa_reader *open_recording(void)
{
	struct gpuoa_record_stream stream = test_stream();
	struct recording recording = { 0 };
	uint64_t number = 0;

	stream.exponent = now.exponent;
	add_event(&recording, TEST_SAMPLE_TYPE, ID);
	for (size_t i = 0; i < REPORTS; i += OF_SAMPLE) {
		struct bytes payload = { 0 };

		put_head(&payload);
		if (!i)
			put(&payload, &stream, sizeof(stream));
		for (size_t k = i; k < i + OF_SAMPLE; k++) {
			struct gpuoa_record_reports head = {
				.record = { GPUOA_RECORD_REPORTS, sizeof(head) + TEST_REPORT_SIZE },
				.report_size = TEST_REPORT_SIZE,
				.count = 1,
			};

			number += now.lost_before[k];
			head.first = number++;
			put(&payload, &head, sizeof(head));
			put(&payload, now.reports[k], TEST_REPORT_SIZE);
		}
		put_sample(&recording.records, ID, 0, &payload);
		clear(&payload);
	}
	return open_laid_out(&recording);
}

/* The result of reading the recording. @came: whether each report was returned */
struct outcome {
	size_t reports;
	uint64_t damaged;
	uint64_t lost;
	size_t gaps;
	int result;
	bool came[REPORTS];
};

static struct outcome read_recording(void)
{
	struct gpuoa_reader *reader = open_recording();
	struct outcome outcome = { .result = -EINVAL };
	struct gpuoa_read_status status;
	const void *reports;
	size_t next = 0;

	if (!CHECK(reader))
		return outcome;
	while ((outcome.result = gpuoa_reader_peek(reader, &reports, SIZE_MAX, &status)) > 0) {
		outcome.damaged += status.damaged;
		outcome.lost += status.lost_ring;
		outcome.gaps += status.gap;
		outcome.reports += outcome.result;
		for (int i = 0; i < outcome.result; i++) {
			const char *report = (const char *)reports + (size_t)i * TEST_REPORT_SIZE;

			while (next < REPORTS &&
			       memcmp(report, now.reports[next], TEST_REPORT_SIZE))
				next++;
			if (CHECK(next < REPORTS))
				outcome.came[next] = true;
		}
	}
	outcome.damaged += status.damaged;
	gpuoa_reader_close(reader);
	return outcome;
}

static void check_whole(void)
{
	const struct outcome outcome = read_recording();

	if (!CHECK(outcome.reports == REPORTS && !outcome.damaged && outcome.gaps <= 1))
		printf("# %zu reports, %lu damaged, %zu gaps\n", outcome.reports,
		       (unsigned long)outcome.damaged, outcome.gaps);
	CHECK(!outcome.result);
}

/* Check that exactly the reports @first to @end - 1 are dropped as damaged. */
static void check_damaged(size_t first, size_t end)
{
	const struct outcome outcome = read_recording();

	if (!CHECK(outcome.damaged == end - first))
		printf("# %lu damaged, not %zu\n", (unsigned long)outcome.damaged, end - first);
	CHECK(outcome.reports == REPORTS - (end - first) && !outcome.lost && !outcome.result);
	for (size_t i = 0; i < REPORTS; i++)
		if (!CHECK(outcome.came[i] == (i < first || i >= end)))
			printf("# report %zu\n", i);
}

static void intact_reports_are_all_returned(void)
{
	make_reports(1000, TEST_TICKS);
	check_whole();
	/* The timestamp wraps, and so do all counters. */
	make_reports(0u - REPORTS / 2 * TEST_TICKS, TEST_TICKS);
	check_whole();
	/*
	 * Two reports have equal timestamps, as at a context switch; later, 20 reports are missing.
	 */
	make_reports(1000, TEST_TICKS);
	now.reports[50][1] = now.reports[49][1];
	for (size_t i = 100; i < REPORTS; i++)
		now.reports[i][1] += 20 * TEST_TICKS;
	check_whole();
}

static void long_periods_are_not_damage(void)
{
	for (uint32_t exponent = 6; exponent <= 31; exponent++) {
		uint64_t state = exponent;

		make_reports(1000, 2u << exponent);
		now.exponent = exponent;
		/*
		 * If a second or more has passed between two reports, a counter can have any value.
		 */
		for (size_t i = 0; i < REPORTS && exponent >= 23; i++)
			for (size_t k = FIRST_COUNTER; k < DWORDS; k++)
				now.reports[i][k] = (uint32_t)fixture_random(&state);
		check_whole();
	}
}

static void jump_after_lost_report_is_not_damage(void)
{
	make_reports(1000, TEST_TICKS);
	now.lost_before[70] = true;
	for (size_t i = 70; i < REPORTS; i++) {
		now.reports[i][1] += 1u << 31;
		now.reports[i][20] -= 1u << 30;
	}
	const struct outcome outcome = read_recording();

	CHECK(outcome.reports == REPORTS && !outcome.damaged && outcome.lost == 1);
}

/*
 * A report appears damaged, but all later reports agree with it: this is a discontinuity, not
 * damage.
 */
static void lasting_jump_is_a_gap(void)
{
	make_reports(1000, TEST_TICKS);
	for (size_t i = 75; i < REPORTS; i++)
		now.reports[i][1] += 1u << 30;
	const struct outcome outcome = read_recording();

	CHECK(outcome.reports == REPORTS - 1 && !outcome.damaged && outcome.gaps == 1);
	CHECK(!outcome.came[75] && outcome.came[76]);
}

static void timestamp_jump_is_damage(void)
{
	const uint32_t jumps[] = { 1u << 31, 1u << 28, 0u - 1000, 20000000 };

	for (size_t i = 0; i < sizeof(jumps) / sizeof(jumps[0]); i++)
		for (size_t at = 1; at < REPORTS; at += 9) {
			make_reports(1000, TEST_TICKS);
			now.reports[at][1] += jumps[i];
			check_damaged(at, at + 1);
		}
}

static void decreasing_counter_is_damage(void)
{
	for (size_t k = FIRST_COUNTER; k < DWORDS; k++) {
		make_reports(1000, TEST_TICKS);
		now.reports[55][k] ^= 1u << 31;
		check_damaged(55, 56);
	}
}

/* The clock counter of gen8 and later cannot count more than 10 GHz. */
static void impossible_clock_rate_is_damage(void)
{
	const struct gpuoa_reader_desc desc = {
		.format = GPUOA_FORMAT_A32U40_A4U32_B8_C8,
		.exponent = TEST_EXPONENT,
	};
	const struct gpuoa_unit_desc unit = { .timestamp_frequency = 12500000 };
	const uint32_t possible = 800 * TEST_TICKS;
	uint32_t first[DWORDS] = { TEST_REPORT_ID, 1000, 0, 0u - possible / 2 };
	uint32_t next[DWORDS] = { TEST_REPORT_ID, 1000 + TEST_TICKS, 0, possible / 2 };
	struct sanity sanity;
	uint64_t damaged = 0;

	sanity_init(&sanity, &desc, &unit);
	CHECK(!sanity_skip(&sanity, first, 1, &damaged) && sanity_follows(&sanity, next));
	/* A tick has 801 cycles at most, and 65536 more are tolerated. */
	next[3] = first[3] + 801 * TEST_TICKS + 65536;
	CHECK(sanity_follows(&sanity, next));
	next[3]++;
	CHECK(!sanity_follows(&sanity, next));
	CHECK(sanity_skip(&sanity, next, 1, &damaged) == 1);
	CHECK(!sanity_accept(&sanity, next, 1) && !damaged);
	CHECK(sanity_restart(&sanity) == 1);
}

static void write_counter(uint8_t *report, struct report_field field, uint64_t value)
{
	memcpy(report + field.offset, &value, field.bits > 40 ? 8 : 4);
	if (field.bits == 40)
		report[field.high] = (uint8_t)(value >> 32);
}

/* Return the dword with the sign bit of a counter. */
static uint32_t sign_dword(struct report_field field)
{
	if (field.bits == 40)
		return field.high / 4;
	return field.offset / 4 + (field.bits > 32);
}

/* Return half of the range of a counter, less one, in the dword with its sign bit. */
static uint64_t largest_step(struct report_field field)
{
	return field.bits == 32 ? INT32_MAX : (UINT64_C(1) << (field.bits - 1)) - (1ull << 32);
}

/*
 * Two reports of format @id with every ninth counter of @bank only. A decrease is damage if the
 * reports have the upper part of the counter, and only then. Any increase is possible.
 */
static void check_selected_counters(uint32_t id, enum counter_bank bank)
{
	const struct gpuoa_unit_desc unit = { .timestamp_frequency = 12500000,
					      .eu_count = 10,
					      .gt_max_frequency = 1000000000 };
	const struct report_format *format = format_get(id);
	struct gpuoa_reader_desc desc = { .format = id, .exponent = TEST_EXPONENT };
	uint8_t whole[4 * SANITY_DWORDS] = { 0 }, stored[4 * SANITY_DWORDS];
	const uint32_t later = TEST_TICKS;
	struct sanity sanity;
	uint64_t damaged = 0;

	dword_mask_add_header(desc.dword_mask, format);
	for (uint32_t i = 0; i < BANK_SIZE; i++) {
		const struct report_field field = format_counter(format, counter_number(bank, i));

		if (field.bits)
			write_counter(whole, field, field.bits == 32 ? 100 : UINT64_C(5) << 32);
		if (i % 9 == 0)
			dword_mask_add_field(desc.dword_mask, field);
	}
	sanity_init(&sanity, &desc, &unit);
	CHECK(sanity.size == dword_mask_size(desc.dword_mask));
	dword_mask_shrink(desc.dword_mask, stored, format->size, whole);
	CHECK(!sanity_skip(&sanity, stored, 1, &damaged));
	memcpy(whole + format->timestamp.offset, &later, sizeof(later));
	for (uint32_t i = 0; i < BANK_SIZE; i++) {
		const struct report_field field = format_counter(format, counter_number(bank, i));
		const uint32_t dword = sign_dword(field);

		if (!field.bits)
			continue;
		write_counter(whole, field, field.bits == 32 ? 99 : UINT64_C(4) << 32);
		dword_mask_shrink(desc.dword_mask, stored, format->size, whole);
		if (!CHECK(sanity_follows(&sanity, stored) ==
			   !(desc.dword_mask[dword / 64] >> dword % 64 & 1)))
			printf("# %s, counter %u\n", format->name, i);
		write_counter(whole, field,
			      largest_step(field) + (field.bits == 32 ? 100 : UINT64_C(5) << 32));
		dword_mask_shrink(desc.dword_mask, stored, format->size, whole);
		CHECK(sanity_follows(&sanity, stored));
		write_counter(whole, field, field.bits == 32 ? 100 : UINT64_C(5) << 32);
	}
}

static void selected_dwords_are_checked(void)
{
	check_selected_counters(GPUOA_FORMAT_A45_B8_C8, BANK_A);
	check_selected_counters(GPUOA_FORMAT_A45_B8_C8, BANK_C);
	check_selected_counters(GPUOA_FORMAT_A32U40_A4U32_B8_C8, BANK_A);
	check_selected_counters(GPUOA_FORMAT_PEC64U64, BANK_PEC);
	check_selected_counters(GPUOA_FORMAT_PEC64U32, BANK_PEC);
}

/* ---- the limits of one report after another ---- */

/* A report of gen8, after one with timestamp 1000 and the rest 0 */
struct pair {
	uint32_t exponent;
	uint32_t ticks;
	uint32_t cycles;
	uint32_t decrease; /* of a 32-bit counter */
	uint32_t eus;
};

static bool follows(struct pair pair)
{
	const struct gpuoa_reader_desc desc = {
		.format = GPUOA_FORMAT_A32U40_A4U32_B8_C8,
		.exponent = pair.exponent,
	};
	const struct gpuoa_unit_desc unit = { .timestamp_frequency = 12500000,
					      .gt_max_frequency = 1000000000,
					      .eu_count = pair.eus };
	uint32_t first[DWORDS] = { TEST_REPORT_ID, 1000 };
	uint32_t next[DWORDS] = { TEST_REPORT_ID, 1000 + pair.ticks, 0, pair.cycles };
	struct sanity sanity;
	uint64_t damaged = 0;

	next[DWORDS - 1] -= pair.decrease;
	sanity_init(&sanity, &desc, &unit);
	CHECK(!sanity_skip(&sanity, first, 1, &damaged));
	return sanity_follows(&sanity, next);
}

static void time_between_reports_is_limited(void)
{
	/* 64 periods, but at least 10 ms */
	CHECK(follows((struct pair){ .exponent = 5, .ticks = 125000 }));
	CHECK(!follows((struct pair){ .exponent = 5, .ticks = 125001 }));
	CHECK(follows((struct pair){ .exponent = 11, .ticks = 64 * 4096 }));
	CHECK(!follows((struct pair){ .exponent = 11, .ticks = 64 * 4096 + 1 }));
	/* Time never goes back. */
	for (uint32_t exponent = 1; exponent <= 28; exponent++)
		CHECK(!follows((struct pair){ .exponent = exponent, .ticks = 0u - 1 }));
	CHECK(follows((struct pair){ .exponent = 28, .ticks = INT32_MAX }));
	CHECK(!follows((struct pair){ .exponent = 28, .ticks = UINT32_C(1) << 31 }));
	/* Without a period, only half of the timestamp's range is a limit. */
	CHECK(follows((struct pair){ .exponent = 0, .ticks = INT32_MAX }));
	CHECK(!follows((struct pair){ .exponent = 0, .ticks = UINT32_C(1) << 31 }));
	/* The timestamp wraps within the period: nothing is known. */
	for (uint32_t exponent = 29; exponent < 100; exponent++)
		CHECK(follows((struct pair){ .exponent = exponent,
					     .ticks = UINT32_MAX,
					     .cycles = UINT32_MAX,
					     .decrease = 1,
					     .eus = 10 }));
	for (uint32_t exponent = 29; exponent < 100; exponent++)
		CHECK(follows(
			(struct pair){ .exponent = exponent, .ticks = 1, .cycles = UINT32_MAX }));
}

static void narrow_counters_are_checked_while_they_cannot_wrap(void)
{
	/* 10 EUs at 1 GHz: 4 events a cycle take 2^31 / 4e10 s, or 671088 ticks, to half the range.
	 */
	struct pair pair = { .exponent = 20, .ticks = 167771, .decrease = 1, .eus = 10 };

	CHECK(!follows(pair));
	pair.ticks = 167772;
	CHECK(follows(pair));
	pair.ticks = 100;
	CHECK(!follows(pair));
	pair.decrease = UINT32_C(1) << 31;
	CHECK(!follows(pair));
	pair.decrease++; /* an increase by almost half of the range */
	CHECK(follows(pair));
	/* The rate of events is unknown. */
	pair = (struct pair){ .exponent = 5, .decrease = 1 };
	CHECK(follows(pair));
	pair.ticks = 1;
	CHECK(follows(pair));
}

static void last_good_report_is_compared(void)
{
	const struct gpuoa_reader_desc desc = { .format = GPUOA_FORMAT_A32U40_A4U32_B8_C8,
						.exponent = TEST_EXPONENT };
	const struct gpuoa_unit_desc unit = { .timestamp_frequency = 12500000 };
	const uint32_t jump = 1u << 28;
	uint32_t reports[6][DWORDS] = { { 0 } }, between[DWORDS] = { TEST_REPORT_ID, 30 };
	struct sanity sanity;
	uint64_t damaged = 0;

	for (uint32_t i = 0; i < 6; i++) {
		reports[i][0] = TEST_REPORT_ID;
		reports[i][1] = i * TEST_TICKS;
	}
	/* Two suspects, which contradict the others and each other */
	reports[2][1] += 5 * jump;
	reports[3][1] += 3 * jump;
	sanity_init(&sanity, &desc, &unit);
	CHECK(sanity_accept(&sanity, reports, 0) == 0);
	CHECK(!sanity_skip(&sanity, reports, 6, &damaged));
	CHECK(sanity_follows(&sanity, between));
	CHECK(sanity_accept(&sanity, reports, 6) == 2);
	CHECK(!sanity_follows(&sanity, between) && sanity_follows(&sanity, reports[1]));
	/* If none is good, the last good one stays. */
	CHECK(sanity_accept(&sanity, reports[2], 2) == 0 && sanity_follows(&sanity, reports[1]));
	CHECK(sanity_skip(&sanity, reports[2], 4, &damaged) == 2 && damaged == 2);
	CHECK(sanity_accept(&sanity, reports[4], 2) == 2);
	CHECK(!sanity_follows(&sanity, reports[4]) && sanity_follows(&sanity, reports[5]));
	CHECK(!sanity_restart(&sanity) && sanity_follows(&sanity, between));
	/* Suspects at the end are counted once. */
	CHECK(!sanity_skip(&sanity, reports, 1, &damaged));
	CHECK(sanity_skip(&sanity, reports[2], 2, &damaged) == 2 && damaged == 2);
	CHECK(sanity_restart(&sanity) == 2 && sanity_restart(&sanity) == 0);
}

/* Nothing is checked without a format or without a clock. */
static void reports_of_unknown_kind_are_accepted(void)
{
	const struct gpuoa_unit_desc units[] = { { .timestamp_frequency = 12500000 },
						 { .timestamp_frequency = 0 } };
	const struct gpuoa_reader_desc descs[] = { { .format = 9999, .exponent = 5 },
						   { .format = GPUOA_FORMAT_A45_B8_C8,
						     .exponent = 5 } };
	uint32_t reports[2][DWORDS];
	struct sanity sanity;
	uint64_t damaged = 0;

	memset(reports[0], 0x55, sizeof(reports[0]));
	memset(reports[1], 0xaa, sizeof(reports[1]));
	for (int i = 0; i < 2; i++) {
		sanity_init(&sanity, &descs[i], &units[i]);
		CHECK(!sanity.size);
		CHECK(!sanity_skip(&sanity, reports, 2, &damaged) && !damaged);
		CHECK(sanity_follows(&sanity, reports[1]));
		CHECK(sanity_accept(&sanity, reports, 2) == 2);
		CHECK(!sanity_restart(&sanity));
	}
}

static void random_bytes_are_damage(void)
{
	uint64_t state = 4;

	for (int round = 0; round < 40 && tap.good; round++) {
		const size_t first = 1 + fixture_random(&state) % (REPORTS - 20);
		const size_t count = 1 + fixture_random(&state) % 18;

		make_reports(1000, TEST_TICKS);
		for (size_t i = first; i < first + count; i++)
			for (size_t k = 0; k < DWORDS; k++)
				now.reports[i][k] = (uint32_t)fixture_random(&state);
		check_damaged(first, first + count);
		/* Damage the file from the middle of one report to the middle of another. */
		make_reports(1000, TEST_TICKS);
		for (size_t i = first * DWORDS + 30; i < (first + count) * DWORDS + 30; i++)
			now.reports[i / DWORDS][i % DWORDS] = (uint32_t)fixture_random(&state);
		check_damaged(first, first + count + 1);
	}
}

static void constant_reports_are_damage(void)
{
	make_reports(1000, TEST_TICKS);
	memset(now.reports[41], 0, 12 * TEST_REPORT_SIZE);
	now.reports[0][1] = 0x40000000;
	for (size_t i = 0; i < REPORTS; i++)
		if (now.reports[i][0])
			now.reports[i][1] += 0x40000000;
	now.reports[0][1] = 0x40000000 + 1000;
	struct outcome outcome = read_recording();

	CHECK(outcome.damaged == 12 && outcome.reports == REPORTS - 12);
	make_reports(1000, TEST_TICKS);
	memset(now.reports[41], 0xff, 12 * TEST_REPORT_SIZE);
	outcome = read_recording();
	CHECK(outcome.damaged == 12 && outcome.reports == REPORTS - 12);
}

static void damage_at_the_end_is_counted(void)
{
	make_reports(1000, TEST_TICKS);
	now.reports[REPORTS - 1][1] += 1u << 30;
	check_damaged(REPORTS - 1, REPORTS);
}

/*
 * If the first report is the damaged one, the reader returns it and drops the next report, which
 * contradicts it.
 */
static void damaged_first_report_loses_only_neighbors(void)
{
	make_reports(1000, TEST_TICKS);
	now.reports[0][1] += 1u << 30;
	const struct outcome outcome = read_recording();

	CHECK(outcome.reports == REPORTS - 1 && outcome.came[0] && !outcome.came[1]);
	CHECK(outcome.gaps >= 1 && !outcome.result);
}

int main(void)
{
	RUN(intact_reports_are_all_returned);
	RUN(long_periods_are_not_damage);
	RUN(jump_after_lost_report_is_not_damage);
	RUN(lasting_jump_is_a_gap);
	RUN(timestamp_jump_is_damage);
	RUN(decreasing_counter_is_damage);
	RUN(impossible_clock_rate_is_damage);
	RUN(selected_dwords_are_checked);
	RUN(time_between_reports_is_limited);
	RUN(narrow_counters_are_checked_while_they_cannot_wrap);
	RUN(last_good_report_is_compared);
	RUN(reports_of_unknown_kind_are_accepted);
	RUN(random_bytes_are_damage);
	RUN(constant_reports_are_damage);
	RUN(damage_at_the_end_is_counted);
	RUN(damaged_first_report_loses_only_neighbors);
	return tap_end();
}
