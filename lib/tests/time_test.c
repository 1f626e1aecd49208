// SPDX-License-Identifier: MIT
/* time_test.c - Test the conversion of timestamps and ticks to times. */
#include "gpuoa.h"
#include "tap.h"

#define HASWELL_HZ 12500000
#define TIGERLAKE_HZ 19200000

static void ticks_to_ns_rounds_down(void)
{
	CHECK(gpuoa_ticks_to_ns(HASWELL_HZ, 0) == 0);
	CHECK(gpuoa_ticks_to_ns(HASWELL_HZ, 1) == 80);
	CHECK(gpuoa_ticks_to_ns(TIGERLAKE_HZ, 1) == 52);
	CHECK(gpuoa_ticks_to_ns(TIGERLAKE_HZ, 12) == 625);
	CHECK(gpuoa_ticks_to_ns(1, 1) == 1000000000);
}

static void ticks_to_ns_saturates(void)
{
	CHECK(gpuoa_ticks_to_ns(HASWELL_HZ, UINT64_C(1) << 56) == (UINT64_C(1) << 56) * 80);
	CHECK(gpuoa_ticks_to_ns(1000000000, UINT64_MAX) == UINT64_MAX);
	CHECK(gpuoa_ticks_to_ns(HASWELL_HZ, UINT64_MAX) == UINT64_MAX);
	CHECK(gpuoa_ticks_to_ns(0, 1000) == 0);
}

static uint64_t ticks_of(uint32_t timestamp, uint64_t near)
{
	const uint32_t report[64] = { 0, timestamp };

	return gpuoa_report_ticks(GPUOA_REPORT_A45_B8_C8, report, near);
}

static void timestamps_extend_to_nearest_time(void)
{
	CHECK(ticks_of(0x10, 0x500000000) == 0x500000010);
	CHECK(ticks_of(0xfffffff0, 0x500000000) == 0x4fffffff0);
	CHECK(ticks_of(0x10, 0x5fffffff0) == 0x600000010);
	CHECK(ticks_of(0xfffffff0, 0) == 0xfffffff0);
}

static void wide_timestamps_extend_at_their_width(void)
{
	const uint64_t report[72] = { 0, UINT64_C(0x123456789abcde) };

	CHECK(gpuoa_report_ticks(GPUOA_REPORT_PEC64U64, report, (UINT64_C(3) << 56) + 1) ==
	      ((UINT64_C(3) << 56) + UINT64_C(0x123456789abcde)));
	CHECK(gpuoa_report_ticks(99, report, 7) == 0);
}

int main(void)
{
	RUN(ticks_to_ns_rounds_down);
	RUN(ticks_to_ns_saturates);
	RUN(timestamps_extend_to_nearest_time);
	RUN(wide_timestamps_extend_at_their_width);
	return tap_end();
}
