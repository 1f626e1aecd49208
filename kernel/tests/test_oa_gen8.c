// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_oa_gen8.c - register writes of the gen8, gen9 and gen11 backend, in order.
 */
#include <kunit/test.h>
#include <linux/sizes.h>

#include "../core/oa/gpuoa_metric_set.h"
#include "fake_hw.h"

#define BUFFER 0x40000000

/* Exponent 9: (9 << 2) | timer | resume */
#define TIMER 0x27

static const struct gpuoa_register mux[] = { { 0x9840, 0x80 }, { 0x9888, 1 }, { 0x9888, 2 } };
static const struct gpuoa_register boolean[] = { { 0x2710, 3 }, { 0x2770, 4 } };
static const struct gpuoa_register flex[] = { { 0xe65c, 5 }, { 0xe458, 6 }, { 0xe65c, 7 } };
static const struct gpuoa_metric_set set = {
	.mux = { mux, ARRAY_SIZE(mux) },
	.boolean = { boolean, ARRAY_SIZE(boolean) },
	.flex = { flex, ARRAY_SIZE(flex) },
};

static void next_is_the_configuration(struct kunit *test)
{
	FAKE_NEXT(test, { FAKE_WRITE, 0x9840, 0x80 }, { FAKE_WRITE, 0x9888, 1 },
		  { FAKE_WRITE, 0x9888, 2 }, { FAKE_WRITE, 0x2710, 3 }, { FAKE_WRITE, 0x2770, 4 },
		  { FAKE_CONTEXTS, 0xe458, 6 }, { FAKE_CONTEXTS, 0xe558, 0 },
		  { FAKE_CONTEXTS, 0xe658, 0 }, { FAKE_CONTEXTS, 0xe758, 0 },
		  { FAKE_CONTEXTS, 0xe45c, 0 }, { FAKE_CONTEXTS, 0xe55c, 0 },
		  { FAKE_CONTEXTS, 0xe65c, 7 });
}

static void next_is_idle_context_state(struct kunit *test)
{
	FAKE_NEXT(test, { FAKE_CONTEXTS, 0x2360, 0 }, { FAKE_CONTEXTS, 0xe458, 0 },
		  { FAKE_CONTEXTS, 0xe558, 0 }, { FAKE_CONTEXTS, 0xe658, 0 },
		  { FAKE_CONTEXTS, 0xe758, 0 }, { FAKE_CONTEXTS, 0xe45c, 0 },
		  { FAKE_CONTEXTS, 0xe55c, 0 }, { FAKE_CONTEXTS, 0xe65c, 0 });
}

static struct fake_hw *new_hw(struct kunit *test, const struct gpuoa_oa_ops *oa)
{
	return fake_hw_new(test, oa, GPUOA_FORMAT_A32U40_A4U32_B8_C8);
}

static void gen8_enable_writes_contexts_mux_boolean_flex(struct kunit *test)
{
	struct fake_hw *fake = new_hw(test, &gpuoa_oa_bdw);

	KUNIT_EXPECT_EQ(test, gpuoa_oa_bdw.enable_metrics(&fake->hw, &set), 0);
	FAKE_NEXT(test, { FAKE_CONTEXTS, 0x2360, TIMER });
	next_is_the_configuration(test);
	fake_end(test);
}

static void gen9_and_gen11_enable_requests_clock_ratios(struct kunit *test)
{
	struct fake_hw *fake = new_hw(test, &gpuoa_oa_gen9);

	KUNIT_EXPECT_EQ(test, gpuoa_oa_gen9.enable_metrics(&fake->hw, &set), 0);
	FAKE_NEXT(test, { FAKE_WRITE, 0x2b04, 0x00600060 }, { FAKE_CONTEXTS, 0x2360, TIMER });
	next_is_the_configuration(test);
	fake_end(test);

	fake = new_hw(test, &gpuoa_oa_gen11);
	KUNIT_EXPECT_EQ(test, gpuoa_oa_gen11.enable_metrics(&fake->hw, &set), 0);
	FAKE_NEXT(test, { FAKE_WRITE, 0x2b04, 0x00600060 }, { FAKE_CONTEXTS, 0x2360, TIMER });
	next_is_the_configuration(test);
	fake_end(test);
}

static void provider_error_is_returned(struct kunit *test)
{
	struct fake_hw *fake = new_hw(test, &gpuoa_oa_bdw);

	fake->context_error = -EIO;
	KUNIT_EXPECT_EQ(test, gpuoa_oa_bdw.enable_metrics(&fake->hw, &set), -EIO);
	FAKE_LAST(test, { FAKE_CONTEXTS, 0x2360, TIMER });
}

static void disable_idles_contexts_then_noa(struct kunit *test)
{
	struct fake_hw *fake = new_hw(test, &gpuoa_oa_gen9);

	*fake_reg(fake, 0x9840) = 0xa0;
	gpuoa_oa_gen9.disable_metrics(&fake->hw);
	next_is_idle_context_state(test);
	FAKE_LAST(test, { FAKE_RMW, 0x9840, 0x20 });
}

static void gen11_uses_own_noa_register(struct kunit *test)
{
	struct fake_hw *fake = new_hw(test, &gpuoa_oa_gen11);

	*fake_reg(fake, 0x0d04) = 0x201;
	gpuoa_oa_gen11.disable_metrics(&fake->hw);
	next_is_idle_context_state(test);
	FAKE_LAST(test, { FAKE_RMW, 0x0d04, 0x001 });
}

static void start_writes_status_head_buffer_tail_control(struct kunit *test)
{
	struct fake_hw *fake = new_hw(test, &gpuoa_oa_bdw);

	gpuoa_oa_bdw.start(&fake->hw);
	/*
	 * start() writes OASTATUS, OAHEADPTR, OABUFFER_UDW, OABUFFER (16 MiB, GGTT), OATAILPTR and
	 * OACONTROL, in this order.
	 */
	FAKE_LAST(test, { FAKE_WRITE, 0x2b08, 0 }, { FAKE_WRITE, 0x2b0c, BUFFER },
		  { FAKE_WRITE, 0x23b4, 0 }, { FAKE_WRITE, 0x2b14, BUFFER | 0x39 },
		  { FAKE_WRITE, 0x2b10, BUFFER }, { FAKE_WRITE, 0x2b00, 5 << 2 | 1 });
}

static void buffer_size_selects_code(struct kunit *test)
{
	struct fake_hw *fake = new_hw(test, &gpuoa_oa_gen9);
	u32 code;

	for (code = 0; code <= 7; code++) {
		fake->hw.buffer_size = SZ_128K << code;
		fake->n_events = 0;
		gpuoa_oa_gen9.start(&fake->hw);
		KUNIT_EXPECT_EQ(test, *fake_reg(fake, 0x2b14), BUFFER | code << 3 | 1);
	}
	KUNIT_EXPECT_EQ(test, gpuoa_oa_gen9.buffer_size_min, SZ_128K);
	KUNIT_EXPECT_EQ(test, gpuoa_oa_gen9.buffer_size_max, SZ_16M);
}

struct format_case {
	u32 format;
	u32 control;
	u32 size;
};

static const struct format_case format_cases[] = {
	{ GPUOA_FORMAT_A12, 0 << 2 | 1, 64 },
	{ GPUOA_FORMAT_A12_B8_C8, 2 << 2 | 1, 128 },
	{ GPUOA_FORMAT_A32U40_A4U32_B8_C8, 5 << 2 | 1, 256 },
	{ GPUOA_FORMAT_C4_B8, 7 << 2 | 1, 64 },
};

static void format_selects_code(struct kunit *test)
{
	struct fake_hw *fake;
	size_t i;

	KUNIT_EXPECT_EQ(test, gpuoa_oa_gen9.n_formats, ARRAY_SIZE(format_cases));
	for (i = 0; i < ARRAY_SIZE(format_cases); i++) {
		fake = fake_hw_new(test, &gpuoa_oa_gen9, format_cases[i].format);
		gpuoa_oa_gen9.start(&fake->hw);
		KUNIT_EXPECT_EQ(test, *fake_reg(fake, 0x2b00), format_cases[i].control);
		KUNIT_EXPECT_EQ(test, fake->hw.format->size, format_cases[i].size);
	}
}

/* The hardware filter is not used. */
static void start_ignores_context(struct kunit *test)
{
	struct fake_hw *fake = new_hw(test, &gpuoa_oa_gen9);

	fake->hw.filter = true;
	fake->hw.context = 0x1fffff;
	gpuoa_oa_gen9.start(&fake->hw);
	KUNIT_EXPECT_EQ(test, *fake_reg(fake, 0x2b00), 5 << 2 | 1);
}

static void stop_waits_until_unit_is_off(struct kunit *test)
{
	struct fake_hw *fake = new_hw(test, &gpuoa_oa_gen9);

	fake->slow = 0x2b00;
	fake->slow_value = 1;
	fake->slow_reads = 3;
	KUNIT_EXPECT_EQ(test, gpuoa_oa_gen9.stop(&fake->hw), 0);
	KUNIT_EXPECT_EQ(test, fake->slow_reads, 0);
	FAKE_LAST(test, { FAKE_WRITE, 0x2b00, 0 });

	fake->slow_reads = U32_MAX;
	KUNIT_EXPECT_EQ(test, gpuoa_oa_gen9.stop(&fake->hw), -ETIMEDOUT);
}

static void status_is_decoded(struct kunit *test)
{
	struct fake_hw *fake = new_hw(test, &gpuoa_oa_gen9);
	struct gpuoa_hw_status status;

	*fake_reg(fake, 0x2b10) = BUFFER + 0x12340;
	*fake_reg(fake, 0x2b08) = 0x30000 | 4;
	gpuoa_oa_gen9.status(&fake->hw, &status);
	KUNIT_EXPECT_EQ(test, status.tail, 0x12340);
	KUNIT_EXPECT_EQ(test, gpuoa_oa_gen9.tail(&fake->hw), 0x12340);
	KUNIT_EXPECT_FALSE(test, status.overflow);
	KUNIT_EXPECT_FALSE(test, status.lost);
	KUNIT_EXPECT_EQ(test, status.notes, GPUOA_STATUS_COUNTERS_WRAPPED);
	FAKE_LAST(test, { FAKE_WRITE, 0x2b08, 0x30000 });

	*fake_reg(fake, 0x2b08) = 2;
	gpuoa_oa_gen9.status(&fake->hw, &status);
	KUNIT_EXPECT_TRUE(test, status.overflow);
	KUNIT_EXPECT_FALSE(test, status.lost);
	KUNIT_EXPECT_EQ(test, status.notes, 0);
	/* No status bit is set, so none is acknowledged by a register write. */
	KUNIT_EXPECT_EQ(test, fake->n_events, 0);
}

/*
 * Reading the status clears the bits for counter overflow and lost reports, writes 1 to the wrap
 * bits, and keeps the other bits.
 */
static void lost_reports_are_reported_once(struct kunit *test)
{
	struct fake_hw *fake = new_hw(test, &gpuoa_oa_gen9);
	struct gpuoa_hw_status status;

	KUNIT_EXPECT_FALSE(test, gpuoa_oa_gen9.lost_latches);
	*fake_reg(fake, 0x2b08) = 8 | 4 | 1;
	gpuoa_oa_gen9.status(&fake->hw, &status);
	KUNIT_EXPECT_TRUE(test, status.lost);
	FAKE_LAST(test, { FAKE_WRITE, 0x2b08, 0x30008 });

	gpuoa_oa_gen9.status(&fake->hw, &status);
	KUNIT_EXPECT_FALSE(test, status.lost);
}

static void head_is_address(struct kunit *test)
{
	struct fake_hw *fake = new_hw(test, &gpuoa_oa_gen9);

	gpuoa_oa_gen9.set_head(&fake->hw, 0x4300);
	FAKE_LAST(test, { FAKE_WRITE, 0x2b0c, BUFFER + 0x4300 });
}

static void timer_report_is_identified_by_reason(struct kunit *test)
{
	struct fake_hw *fake = new_hw(test, &gpuoa_oa_bdw);
	u32 report[64] = {};

	report[0] = 1 << 19;
	KUNIT_EXPECT_TRUE(test, gpuoa_oa_bdw.is_timer_report(&fake->hw, report));
	/* Timer and context switch in one report */
	report[0] = 9 << 19;
	KUNIT_EXPECT_TRUE(test, gpuoa_oa_bdw.is_timer_report(&fake->hw, report));
	report[0] = ~(1 << 19);
	KUNIT_EXPECT_FALSE(test, gpuoa_oa_bdw.is_timer_report(&fake->hw, report));
}

static struct kunit_case gen8_cases[] = {
	KUNIT_CASE(gen8_enable_writes_contexts_mux_boolean_flex),
	KUNIT_CASE(gen9_and_gen11_enable_requests_clock_ratios),
	KUNIT_CASE(provider_error_is_returned),
	KUNIT_CASE(disable_idles_contexts_then_noa),
	KUNIT_CASE(gen11_uses_own_noa_register),
	KUNIT_CASE(start_writes_status_head_buffer_tail_control),
	KUNIT_CASE(buffer_size_selects_code),
	KUNIT_CASE(format_selects_code),
	KUNIT_CASE(start_ignores_context),
	KUNIT_CASE(stop_waits_until_unit_is_off),
	KUNIT_CASE(status_is_decoded),
	KUNIT_CASE(lost_reports_are_reported_once),
	KUNIT_CASE(head_is_address),
	KUNIT_CASE(timer_report_is_identified_by_reason),
	{},
};

static struct kunit_suite gen8_suite = {
	.name = "gpuoa_oa_gen8",
	.test_cases = gen8_cases,
};

kunit_test_suite(gen8_suite);
