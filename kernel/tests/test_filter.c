// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_filter.c - reports and counter values that a context filter lets through.
 */
#include <kunit/test.h>
#include <linux/slab.h>

#include "../core/oa/gpuoa_oa.h"
#include "../core/oa/gpuoa_report.h"
#include "../core/stream/gpuoa_attr.h"

#define OURS 0x1234
#define THEIRS 0x4321

#define TIMER 1
#define SWITCH 8

struct filter_fixture {
	struct gpuoa_hw hw;
	struct gpuoa_filter filter;
	u32 report[GPUOA_REPORT_MAX / sizeof(u32)];
};

static struct filter_fixture *new_filter(struct kunit *test, const struct gpuoa_oa_ops *oa,
					 u32 format)
{
	struct filter_fixture *fix = kunit_kzalloc(test, sizeof(*fix), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, fix);
	fix->hw = (struct gpuoa_hw){
		.oa = oa,
		.format = gpuoa_attr_format(oa, format),
		.filter = true,
		.context = OURS,
		.context_mask = 0x1fffff,
	};
	gpuoa_filter_init(&fix->filter, &fix->hw);

	return fix;
}

/* ---- context id in each report: gen8 to gen12.0 ------------------------------------------- */

struct step {
	/* hardware report: reason, context (0: idle), value of all counters */
	u32 reason;
	u32 context;
	u32 raw;
	/* expected output: visibility and counter value of the report; foreign ids are hidden */
	bool seen;
	u32 shown;
};

static void run_steps(struct kunit *test, struct filter_fixture *fix, const struct step *steps,
		      u32 count)
{
	const struct gpuoa_id_layout *id = fix->hw.oa->id;
	u32 *report = fix->report;
	u32 i;

	for (i = 0; i < count; i++) {
		const struct step *step = &steps[i];

		memset(report, 0, sizeof(fix->report));
		report[0] = step->reason << 19 | (step->context ? id->context_valid : 0);
		report[1] = 1000 + i;
		report[2] = step->context;
		report[3] = step->raw;
		report[15] = step->raw;
		KUNIT_EXPECT_EQ_MSG(test, gpuoa_filter_report(&fix->filter, report), step->seen,
				    "report %u", i);
		if (!step->seen)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, report[3], step->shown, "report %u", i);
		KUNIT_EXPECT_EQ_MSG(test, report[15], step->shown, "report %u", i);
		KUNIT_EXPECT_EQ(test, report[1], 1000 + i);
		KUNIT_EXPECT_EQ_MSG(test, report[2],
				    step->context == OURS ? OURS : GPUOA_CONTEXT_NOBODY,
				    "report %u", i);
	}
}

#define RUN_STEPS(test, fix, ...)                                   \
	do {                                                        \
		static const struct step steps_[] = { __VA_ARGS__ }; \
		run_steps(test, fix, steps_, ARRAY_SIZE(steps_));   \
	} while (0)

static void filter_stops_counters_while_others_run(struct kunit *test)
{
	struct filter_fixture *fix = new_filter(test, &gpuoa_oa_gen9, GPUOA_FORMAT_A12);

	RUN_STEPS(test, fix, { TIMER, THEIRS, 100 }, { SWITCH, OURS, 150, true, 0 },
		  { TIMER, OURS, 160, true, 10 }, { SWITCH, THEIRS, 165, true, 15 },
		  { TIMER, THEIRS, 1000 }, { SWITCH, 0x77, 2000 },
		  { SWITCH, OURS, 3000, true, 15 }, { SWITCH, 0, 3007, true, 22 },
		  { TIMER, 0, 3100 }, { SWITCH, OURS, 3200, true, 22 },
		  { TIMER, OURS, 3201, true, 23 });
}

static void filter_uses_valid_bit_of_gen8(struct kunit *test)
{
	struct filter_fixture *fix = new_filter(test, &gpuoa_oa_bdw, GPUOA_FORMAT_A12);

	RUN_STEPS(test, fix, { SWITCH, OURS, 150, true, 0 }, { SWITCH, THEIRS, 165, true, 15 },
		  { SWITCH, OURS, 3000, true, 15 });

	/*
	 * Bit 16 of the report id has another meaning on gen8, so the context id counts as invalid
	 * here.
	 */
	fix->report[0] = SWITCH << 19 | BIT(16);
	fix->report[2] = OURS;
	gpuoa_filter_gap(&fix->filter);
	KUNIT_EXPECT_FALSE(test, gpuoa_filter_report(&fix->filter, fix->report));
}

/* The hardware does not clear the context field when the engine goes idle. */
static void filter_ignores_invalid_id(struct kunit *test)
{
	struct filter_fixture *fix = new_filter(test, &gpuoa_oa_gen9, GPUOA_FORMAT_A12);

	fix->report[0] = TIMER << 19;
	fix->report[2] = OURS;
	KUNIT_EXPECT_FALSE(test, gpuoa_filter_report(&fix->filter, fix->report));
}

/* Without a switch report the interval may include the next context, so none of it is counted. */
static void filter_drops_interval_of_two_contexts(struct kunit *test)
{
	struct filter_fixture *fix = new_filter(test, &gpuoa_oa_gen9, GPUOA_FORMAT_A12);

	RUN_STEPS(test, fix, { SWITCH, OURS, 100, true, 0 }, { TIMER, OURS, 110, true, 10 },
		  { TIMER, THEIRS, 130, true, 10 }, { SWITCH, THEIRS, 131 },
		  { TIMER, OURS, 200, true, 10 }, { SWITCH, OURS, 205, true, 15 },
		  { TIMER | SWITCH, THEIRS, 207, true, 17 });
}

static void filter_drops_gap(struct kunit *test)
{
	struct filter_fixture *fix = new_filter(test, &gpuoa_oa_gen9, GPUOA_FORMAT_A12);

	RUN_STEPS(test, fix, { SWITCH, OURS, 100, true, 0 }, { TIMER, OURS, 110, true, 10 });
	gpuoa_filter_gap(&fix->filter);
	RUN_STEPS(test, fix, { TIMER, OURS, 5000, true, 10 }, { TIMER, OURS, 5001, true, 11 });
	gpuoa_filter_gap(&fix->filter);
	RUN_STEPS(test, fix, { TIMER, THEIRS, 6000 }, { SWITCH, OURS, 7000, true, 11 });
}

static void filter_compares_masked_bits_only(struct kunit *test)
{
	struct filter_fixture *fix = new_filter(test, &gpuoa_oa_gen9, GPUOA_FORMAT_A12);

	fix->report[0] = SWITCH << 19 | BIT(16);
	fix->report[2] = 0xffe00000 | OURS;
	KUNIT_EXPECT_TRUE(test, gpuoa_filter_report(&fix->filter, fix->report));
	gpuoa_filter_gap(&fix->filter);
	fix->report[2] = 0x00100000 | OURS;
	KUNIT_EXPECT_FALSE(test, gpuoa_filter_report(&fix->filter, fix->report));
}

static void filter_continues_across_counter_wraps(struct kunit *test)
{
	struct filter_fixture *fix =
		new_filter(test, &gpuoa_oa_gen9, GPUOA_FORMAT_A32U40_A4U32_B8_C8);
	u32 *report = fix->report;
	u8 *high = (u8 *)report + 160;

	/* The first report has A0 = 0xff_fffffff0, A31 = 0x01_00000000, C7 = 0xffffffff. */
	report[0] = SWITCH << 19 | BIT(16);
	report[2] = OURS;
	report[4] = 0xfffffff0;
	high[0] = 0xff;
	high[31] = 1;
	report[63] = ~0;
	KUNIT_EXPECT_TRUE(test, gpuoa_filter_report(&fix->filter, report));
	KUNIT_EXPECT_PTR_EQ(test, memchr_inv(report + 3, 0, 256 - 12), NULL);

	/* In the second report, A0 is larger by 0x20, A31 by 0x1_00000001 and C7 by 3. */
	report[4] = 0x10;
	report[35] = 1;
	high[0] = 0;
	high[31] = 2;
	report[63] = 2;
	KUNIT_EXPECT_TRUE(test, gpuoa_filter_report(&fix->filter, report));
	KUNIT_EXPECT_EQ(test, report[4], 0x20);
	KUNIT_EXPECT_EQ(test, high[0], 0);
	KUNIT_EXPECT_EQ(test, report[35], 1);
	KUNIT_EXPECT_EQ(test, high[31], 1);
	KUNIT_EXPECT_EQ(test, report[63], 3);
}

/*
 * Three contexts alternate at random. The counts that the filter reports must add up to those of
 * our context. The counter advances by a different amount for each context.
 */
static void filter_sums_are_exact(struct kunit *test)
{
	static const u32 contexts[] = { OURS, THEIRS, 0x5555, 0 };
	struct filter_fixture *fix = new_filter(test, &gpuoa_oa_gen11, GPUOA_FORMAT_C4_B8);
	u32 raw = 0xfffff000, ours = 0, begin, random = 1, running = 1, n;
	bool started = false;

	for (n = 0; n < 20000; n++) {
		random = random * 1103515245 + 12345;
		begin = raw;
		raw += random >> 12;
		if (running == 0 && started)
			ours += raw - begin;

		fix->report[0] = TIMER << 19;
		if (random & 0x100) {
			running = random >> 9 & 3;
			fix->report[0] = SWITCH << 19;
		}
		fix->report[0] |= contexts[running] ? BIT(16) : 0;
		fix->report[2] = contexts[running];
		fix->report[4] = raw;
		started |= running == 0;
		if (gpuoa_filter_report(&fix->filter, fix->report))
			KUNIT_ASSERT_EQ_MSG(test, fix->report[4], ours, "report %u", n);
		else
			KUNIT_ASSERT_NE(test, running, 0);
	}
	KUNIT_EXPECT_NE(test, ours, 0);
}

/* ---- context id in switch reports only, per engine: gen12.5 and later --------------------- */

#define RENDER 8
#define COMPUTE 9

struct switch_step {
	/* reason, source, context (0: no context starts), value of all counters */
	u32 reason;
	u32 source;
	u32 context;
	u32 raw;
	bool seen;
	u32 shown;
};

static void run_switches(struct kunit *test, struct filter_fixture *fix,
			 const struct switch_step *steps, u32 count)
{
	u64 *report = (u64 *)fix->report;
	u32 i;

	for (i = 0; i < count; i++) {
		const struct switch_step *step = &steps[i];

		memset(report, 0, sizeof(fix->report));
		report[0] = step->source << 26 | step->reason << 19 |
			    (step->reason == SWITCH && step->context ? BIT(16) : 0);
		report[2] = step->context;
		report[3] = step->raw;
		report[67] = step->raw;
		KUNIT_EXPECT_EQ_MSG(test, gpuoa_filter_report(&fix->filter, report), step->seen,
				    "report %u", i);
		if (!step->seen)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, report[3], step->shown, "report %u", i);
		KUNIT_EXPECT_EQ_MSG(test, report[67], step->shown, "report %u", i);
	}
}

#define RUN_SWITCHES(test, fix, ...)                                       \
	do {                                                               \
		static const struct switch_step steps_[] = { __VA_ARGS__ }; \
		run_switches(test, fix, steps_, ARRAY_SIZE(steps_));       \
	} while (0)

/* Only switch reports identify contexts; the context field of other reports is ignored. */
static void switch_reports_delimit_intervals(struct kunit *test)
{
	struct filter_fixture *fix = new_filter(test, &gpuoa_oag_xe2, GPUOA_FORMAT_PEC64U64);

	RUN_SWITCHES(test, fix, { TIMER, 0, OURS, 100 }, { SWITCH, RENDER, THEIRS, 110 },
		     { SWITCH, RENDER, OURS, 120, true, 0 }, { TIMER, 0, 0, 125, true, 5 },
		     { 0x40, 1, THEIRS, 126, true, 6 }, { SWITCH, RENDER, THEIRS, 130, true, 10 },
		     { TIMER, 0, OURS, 140 }, { SWITCH, RENDER, OURS, 150, true, 10 },
		     { SWITCH, RENDER, 0, 155, true, 15 }, { TIMER, 0, 0, 160 });
}

/* Counts cannot be attributed while two engines are busy. */
static void filter_counts_exclusive_time_only(struct kunit *test)
{
	struct filter_fixture *fix = new_filter(test, &gpuoa_oag_xe2, GPUOA_FORMAT_PEC64U64);

	RUN_SWITCHES(test, fix, { SWITCH, RENDER, OURS, 100, true, 0 },
		     { SWITCH, COMPUTE, THEIRS, 110, true, 10 }, { TIMER, 0, 0, 120 },
		     { SWITCH, COMPUTE, 0, 130, true, 10 }, { TIMER, 0, 0, 131, true, 11 },
		     { SWITCH, COMPUTE, OURS, 132, true, 12 }, { SWITCH, RENDER, 0, 135, true, 15 },
		     { SWITCH, COMPUTE, THEIRS, 137, true, 17 },
		     { SWITCH, RENDER, OURS, 140 }, { SWITCH, COMPUTE, 0, 150, true, 17 });
}

static void filter_assumes_others_run_after_gap(struct kunit *test)
{
	struct filter_fixture *fix = new_filter(test, &gpuoa_oag_xe2, GPUOA_FORMAT_PEC64U64);

	RUN_SWITCHES(test, fix, { SWITCH, COMPUTE, THEIRS, 100 }, { SWITCH, RENDER, OURS, 110 });
	gpuoa_filter_gap(&fix->filter);
	RUN_SWITCHES(test, fix, { SWITCH, RENDER, OURS, 120 },
		     { SWITCH, COMPUTE, 0, 130, true, 0 });
	gpuoa_filter_gap(&fix->filter);
	RUN_SWITCHES(test, fix, { TIMER, 0, 0, 140 }, { SWITCH, RENDER, OURS, 150, true, 0 });
}

/* ---- hardware filter: Haswell ------------------------------------------------------------- */

static void hardware_filter_starts_counters_at_0(struct kunit *test)
{
	struct filter_fixture *fix = new_filter(test, &gpuoa_oa_gen7, GPUOA_FORMAT_A13);
	static const u32 raw[] = { 0xfffffff0, 0xfffffffa, 7, 7, 20 };
	static const u32 shown[] = { 0, 10, 23, 23, 36 };
	u32 *report = fix->report;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(raw); i++) {
		report[0] = 1;
		report[1] = 1000 + i;
		report[2] = 0x55;
		report[3] = raw[i];
		report[15] = raw[i];
		KUNIT_EXPECT_TRUE(test, gpuoa_filter_report(&fix->filter, report));
		KUNIT_EXPECT_EQ(test, report[0], 1);
		KUNIT_EXPECT_EQ(test, report[1], 1000 + i);
		KUNIT_EXPECT_EQ(test, report[2], 0x55);
		KUNIT_EXPECT_EQ_MSG(test, report[3], shown[i], "report %u", i);
		KUNIT_EXPECT_EQ_MSG(test, report[15], shown[i], "report %u", i);
		/* Counts of the context during a discontinuity still belong to the context. */
		gpuoa_filter_gap(&fix->filter);
	}
}

static struct kunit_case filter_cases[] = {
	KUNIT_CASE(filter_stops_counters_while_others_run),
	KUNIT_CASE(filter_uses_valid_bit_of_gen8),
	KUNIT_CASE(filter_ignores_invalid_id),
	KUNIT_CASE(filter_drops_interval_of_two_contexts),
	KUNIT_CASE(filter_drops_gap),
	KUNIT_CASE(filter_compares_masked_bits_only),
	KUNIT_CASE(filter_continues_across_counter_wraps),
	KUNIT_CASE(filter_sums_are_exact),
	KUNIT_CASE(switch_reports_delimit_intervals),
	KUNIT_CASE(filter_counts_exclusive_time_only),
	KUNIT_CASE(filter_assumes_others_run_after_gap),
	KUNIT_CASE(hardware_filter_starts_counters_at_0),
	{}
};

static struct kunit_suite filter_suite = {
	.name = "gpuoa_filter",
	.test_cases = filter_cases,
};

kunit_test_suite(filter_suite);
