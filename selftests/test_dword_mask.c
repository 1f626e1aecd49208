// SPDX-License-Identifier: MIT
/*
 * test_dword_mask.c - streams with dword masks.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "event.h"
#include "kselftest_harness.h"
#include "sim.h"

/*
 * Dwords with the counters A7 and B1 in reports of format A45_B8_C8, and the exponent for one
 * report every 81.92 us
 */
#define DWORD_A7 10
#define DWORD_B1 49
#define EXPONENT 9

static struct gpuoa_attr thin_attr(uint64_t dword_mask)
{
	struct gpuoa_attr attr = test_oa_attr(EXPONENT);

	attr.dword_mask[0] = dword_mask;
	return attr;
}

static uint32_t dword(const uint8_t *report, unsigned int number)
{
	uint32_t value;

	memcpy(&value, report + 4 * number, sizeof(value));
	return value;
}

TEST(masked_counters_equal_those_of_the_whole_report)
{
	const uint64_t dword_mask = 1ULL << DWORD_A7 | 1ULL << DWORD_B1;
	struct gpuoa_attr gpuoa = thin_attr(dword_mask);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	const struct tally *tally;
	struct reader reader;
	uint32_t from, to;

	ASSERT_EQ(0, reader_open(&reader, &attr, EXPONENT, 8));
	tally = &reader.tally;
	reader_enable(&reader);
	ASSERT_TRUE(reader_run_reports(&reader, 1000));
	reader_disable(&reader);
	reader_drain(&reader);

	EXPECT_ALL_OF(reader_due(&reader), &reader);
	EXPECT_EQ(dword_mask | 3, tally->thin.dword_mask[0]);
	EXPECT_EQ(0, tally->thin.dword_mask[1]);
	EXPECT_EQ(16, tally->stream.report_size);
	from = tally->first_timestamp;
	to = tally->last_timestamp;
	EXPECT_EQ((uint32_t)sim_reference(from, to, "A7"),
		  dword(tally->last_report, 2) - dword(tally->first_report, 2));
	EXPECT_EQ((uint32_t)sim_reference(from, to, "B1"),
		  dword(tally->last_report, 3) - dword(tally->first_report, 3));
	reader_close(&reader);
}

/* Get the bytes of perf's ring per report, including samples and records. */
static double bytes_per_report(uint64_t dword_mask)
{
	struct gpuoa_attr gpuoa = thin_attr(dword_mask);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	struct reader reader;
	double bytes;

	if (reader_open(&reader, &attr, EXPONENT, 10))
		return -1;
	reader_enable(&reader);
	if (!reader_run_reports(&reader, 3000))
		return -1;
	reader_disable(&reader);
	reader_drain(&reader);
	bytes = (double)reader.page->data_head / reader.tally.reports;
	reader_close(&reader);
	return bytes;
}

TEST(two_counters_need_a_tenth_of_the_space)
{
	double all = bytes_per_report(0);
	double two = bytes_per_report(1ULL << DWORD_A7 | 1ULL << DWORD_B1);

	TH_LOG("bytes per report: all %.1f, two counters %.1f", all, two);
	EXPECT_LT(256, all);
	EXPECT_LT(16, two);
	EXPECT_LT(two, all / 10);
}

TEST(odd_mask_adds_a_dword)
{
	struct gpuoa_attr gpuoa = thin_attr(1ULL << DWORD_A7);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	struct reader reader;

	ASSERT_EQ(0, reader_open(&reader, &attr, EXPONENT, 8));
	reader_enable(&reader);
	ASSERT_TRUE(reader_run_reports(&reader, 1));
	EXPECT_EQ(0, reader.tally.errors);
	EXPECT_EQ(1ULL << DWORD_A7 | 7, reader.tally.thin.dword_mask[0]);
	EXPECT_EQ(16, reader.tally.stream.report_size);
	reader_close(&reader);
}

TEST(other_mask_returns_ebusy)
{
	struct gpuoa_attr some = thin_attr(1ULL << DWORD_A7);
	struct gpuoa_attr other = thin_attr(1ULL << DWORD_B1);
	struct gpuoa_attr all = thin_attr(0), counts = thin_attr(0);
	struct gpuoa_attr same = thin_attr(1ULL << DWORD_A7 | 3);
	struct gpuoa_attr each = thin_attr(~0ULL);
	struct perf_event_attr same_attr = extensible_attr(&same);
	struct perf_event_attr each_attr = extensible_attr(&each);
	struct perf_event_attr some_attr = extensible_attr(&some);
	struct perf_event_attr other_attr = extensible_attr(&other);
	struct perf_event_attr all_attr = extensible_attr(&all);
	struct perf_event_attr counts_attr = extensible_attr(&counts);
	int samples, count;

	counts.counter = GPUOA_COUNTER_C(0);
	count = event_open(&counts_attr);
	ASSERT_LE(0, count);
	/* Counting events use whole reports, regardless of dword masks. */
	samples = event_open(&some_attr);
	ASSERT_LE(0, samples);
	EXPECT_EQ(0, event_try(&some_attr));
	/* The header is always included. */
	EXPECT_EQ(0, event_try(&same_attr));
	EXPECT_EQ(-EBUSY, event_try(&other_attr));
	EXPECT_EQ(-EBUSY, event_try(&all_attr));
	EXPECT_EQ(0, event_try(&counts_attr));
	close(samples);
	EXPECT_EQ(0, event_try(&other_attr));
	EXPECT_EQ(0, event_try(&all_attr));
	samples = event_open(&all_attr);
	ASSERT_LE(0, samples);
	EXPECT_EQ(0, event_try(&each_attr));
	close(samples);
	close(count);
}

TEST(bad_mask_returns_einval)
{
	struct gpuoa_attr gpuoa = thin_attr(~0ULL);
	struct perf_event_attr attr = extensible_attr(&gpuoa);

	EXPECT_EQ(0, event_try(&attr));
	gpuoa.dword_mask[1] = 1;
	EXPECT_EQ(-EINVAL, event_try(&attr));
	gpuoa = thin_attr(1 << 16);
	gpuoa.format = GPUOA_FORMAT_A13;
	EXPECT_EQ(-EINVAL, event_try(&attr));
}

TEST_HARNESS_MAIN
