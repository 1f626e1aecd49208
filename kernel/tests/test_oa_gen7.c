// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_oa_gen7.c - register writes of the Haswell backend, in order.
 */
#include <kunit/test.h>
#include <linux/sizes.h>

#include "../core/oa/gpuoa_metric_set.h"
#include "../core/oa/gpuoa_oa.h"
#include "../core/stream/gpuoa_attr.h"

#define BUFFER 0x40000000

/* Register file that records writes */
struct gen7_fixture {
	struct gpuoa_hw hw;
	struct gpuoa_register writes[32];
	u32 n_writes;
	/* number of reads for which OACONTROL stays enabled after it was cleared */
	u32 slow_stop;
	u32 miscpctl;
	u32 ucgctl1;
	u32 gdt_chicken;
	u32 oastatus1;
	u32 oacontrol;
};

static u32 *gen7_reg(struct gen7_fixture *fix, u32 reg)
{
	switch (reg) {
	case 0x2360:
		return &fix->oacontrol;
	case 0x2364:
		return &fix->oastatus1;
	case 0x9400:
		return &fix->ucgctl1;
	case 0x9424:
		return &fix->miscpctl;
	case 0x9840:
		return &fix->gdt_chicken;
	default:
		return NULL;
	}
}

static u32 fake_read(void *provider, u32 reg)
{
	struct gen7_fixture *fix = provider;
	u32 *value = gen7_reg(fix, reg);

	if (reg == 0x2360 && fix->slow_stop) {
		fix->slow_stop--;
		return 1;
	}

	return value ? *value : 0;
}

static void fake_write(void *provider, u32 reg, u32 value)
{
	struct gen7_fixture *fix = provider;
	u32 *to = gen7_reg(fix, reg);

	if (fix->n_writes < ARRAY_SIZE(fix->writes))
		fix->writes[fix->n_writes++] = (struct gpuoa_register){ reg, value };
	if (to)
		*to = value;
}

static void fake_rmw(void *provider, u32 reg, u32 clear, u32 set)
{
	fake_write(provider, reg, (fake_read(provider, reg) & ~clear) | set);
}

static const struct gpuoa_provider_ops fake_ops = {
	.read = fake_read,
	.write = fake_write,
	.rmw = fake_rmw,
};

static int gen7_test_init(struct kunit *test)
{
	struct gen7_fixture *fix = kunit_kzalloc(test, sizeof(*fix), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, fix);
	fix->hw = (struct gpuoa_hw){
		.oa = &gpuoa_oa_gen7,
		.ops = &fake_ops,
		.provider = fix,
		.format = gpuoa_attr_format(&gpuoa_oa_gen7, GPUOA_FORMAT_A45_B8_C8),
		.exponent = 9,
		.buffer = BUFFER,
		.buffer_size = SZ_16M,
	};
	/*
	 * The initial values enable clock gating, as after boot, and set other bits that the
	 * backend must preserve.
	 */
	fix->miscpctl = 0x80000001;
	fix->ucgctl1 = 0x00000100;
	fix->gdt_chicken = 0x00000002;
	test->priv = fix;

	return 0;
}

static void expect_writes(struct kunit *test, const struct gpuoa_register *expected, u32 count)
{
	struct gen7_fixture *fix = test->priv;
	u32 i;

	KUNIT_ASSERT_EQ(test, fix->n_writes, count);
	for (i = 0; i < count; i++) {
		KUNIT_EXPECT_EQ_MSG(test, fix->writes[i].address, expected[i].address, "write %u",
				    i);
		KUNIT_EXPECT_EQ_MSG(test, fix->writes[i].value, expected[i].value, "write %u to %x",
				    i, expected[i].address);
	}
}

#define EXPECT_WRITES(test, expected) expect_writes(test, expected, ARRAY_SIZE(expected))

static void enable_writes_clock_gating_mux_boolean(struct kunit *test)
{
	static const struct gpuoa_register mux[] = {
		{ 0x9840, 0x80 },
		{ 0x25100, 1 },
		{ 0x25100, 2 },
	};
	static const struct gpuoa_register boolean[] = { { 0x2724, 0x800000 }, { 0x2710, 0 } };
	static const struct gpuoa_register expected[] = {
		{ 0x9424, 0x80000000 }, { 0x9400, 0x00000180 }, { 0x9840, 0x80 }, { 0x25100, 1 },
		{ 0x25100, 2 },		{ 0x2724, 0x800000 },	{ 0x2710, 0 },
	};
	struct gpuoa_metric_set set = { .mux = { mux, 3 }, .boolean = { boolean, 2 } };
	struct gen7_fixture *fix = test->priv;

	gpuoa_oa_gen7.enable_metrics(&fix->hw, &set);
	EXPECT_WRITES(test, expected);
}

static void disable_gates_clocks_and_noa(struct kunit *test)
{
	static const struct gpuoa_register expected[] = {
		{ 0x9400, 0x00000100 },
		{ 0x9424, 0x80000001 },
		{ 0x9840, 0x00000002 },
	};
	struct gen7_fixture *fix = test->priv;

	fix->ucgctl1 = 0x180;
	fix->miscpctl = 0x80000000;
	fix->gdt_chicken = 0x82;
	gpuoa_oa_gen7.disable_metrics(&fix->hw);
	EXPECT_WRITES(test, expected);
}

static void start_writes_head_buffer_tail_control(struct kunit *test)
{
	static const struct gpuoa_register expected[] = {
		{ 0x2368, BUFFER | 1 }, /* OASTATUS2: head, GGTT */
		{ 0x23b0, BUFFER }, /* OABUFFER */
		{ 0x2364, BUFFER | 0x38 }, /* OASTATUS1: tail, size of 16 MiB, clear status */
		{ 0x2360, 9 << 6 | 1 << 5 | 5 << 2 | 1 },
	};
	struct gen7_fixture *fix = test->priv;

	gpuoa_oa_gen7.start(&fix->hw);
	EXPECT_WRITES(test, expected);
}

static void buffer_size_selects_code(struct kunit *test)
{
	struct gen7_fixture *fix = test->priv;
	u32 code;

	for (code = 0; code <= 7; code++) {
		fix->hw.buffer_size = SZ_128K << code;
		fix->n_writes = 0;
		gpuoa_oa_gen7.start(&fix->hw);
		KUNIT_EXPECT_EQ(test, fix->oastatus1, BUFFER | code << 3);
	}
}

static void start_sets_context_filter_in_control(struct kunit *test)
{
	struct gen7_fixture *fix = test->priv;

	fix->hw.filter = true;
	fix->hw.context = 0x12345000;
	gpuoa_oa_gen7.start(&fix->hw);
	KUNIT_EXPECT_EQ(test, fix->oacontrol, 0x12345000 | 9 << 6 | 1 << 5 | 5 << 2 | 1 << 1 | 1);
}

static void stop_waits_until_unit_is_off(struct kunit *test)
{
	static const struct gpuoa_register expected[] = { { 0x2360, 0 } };
	struct gen7_fixture *fix = test->priv;

	fix->oacontrol = 1;
	fix->slow_stop = 3;
	KUNIT_EXPECT_EQ(test, gpuoa_oa_gen7.stop(&fix->hw), 0);
	KUNIT_EXPECT_EQ(test, fix->slow_stop, 0);
	EXPECT_WRITES(test, expected);
}

static void stop_times_out(struct kunit *test)
{
	struct gen7_fixture *fix = test->priv;

	fix->slow_stop = U32_MAX;
	KUNIT_EXPECT_EQ(test, gpuoa_oa_gen7.stop(&fix->hw), -ETIMEDOUT);
}

static void status_is_decoded(struct kunit *test)
{
	struct gen7_fixture *fix = test->priv;
	struct gpuoa_hw_status status;

	fix->oastatus1 = (BUFFER + 0x12340) | 0x38;
	gpuoa_oa_gen7.status(&fix->hw, &status);
	KUNIT_EXPECT_EQ(test, status.tail, 0x12340);
	KUNIT_EXPECT_FALSE(test, status.overflow);
	KUNIT_EXPECT_FALSE(test, status.lost);

	fix->oastatus1 |= 1;
	gpuoa_oa_gen7.status(&fix->hw, &status);
	KUNIT_EXPECT_TRUE(test, status.lost);
	KUNIT_EXPECT_FALSE(test, status.overflow);

	fix->oastatus1 = (BUFFER + 0xffffc0) | 0x38 | 2 | 4;
	gpuoa_oa_gen7.status(&fix->hw, &status);
	KUNIT_EXPECT_EQ(test, status.tail, 0xffffc0);
	KUNIT_EXPECT_EQ(test, gpuoa_oa_gen7.tail(&fix->hw), 0xffffc0);
	KUNIT_EXPECT_TRUE(test, status.overflow);
	KUNIT_EXPECT_FALSE(test, status.lost);
}

static void head_write_keeps_address_space(struct kunit *test)
{
	static const struct gpuoa_register expected[] = { { 0x2368, (BUFFER + 0x4300) | 1 } };
	struct gen7_fixture *fix = test->priv;

	gpuoa_oa_gen7.set_head(&fix->hw, 0x4300);
	EXPECT_WRITES(test, expected);
}

static bool timer_report(struct gen7_fixture *fix, u32 exponent, u32 timestamp)
{
	const u32 report[2] = { 1, timestamp };

	fix->hw.exponent = exponent;

	return gpuoa_oa_gen7.is_timer_report(&fix->hw, report);
}

static void timer_report_is_identified_by_phase(struct kunit *test)
{
	struct gen7_fixture *fix = test->priv;

	KUNIT_EXPECT_TRUE(test, timer_report(fix, 0, 1));
	KUNIT_EXPECT_FALSE(test, timer_report(fix, 0, 2));
	KUNIT_EXPECT_TRUE(test, timer_report(fix, 9, 0xffff0200));
	KUNIT_EXPECT_FALSE(test, timer_report(fix, 9, 0xffff0000));
	KUNIT_EXPECT_FALSE(test, timer_report(fix, 9, 0xffff0201));
	KUNIT_EXPECT_TRUE(test, timer_report(fix, 31, 0x80000000));
	KUNIT_EXPECT_FALSE(test, timer_report(fix, 31, 0));
}

static struct kunit_case gen7_cases[] = {
	KUNIT_CASE(enable_writes_clock_gating_mux_boolean),
	KUNIT_CASE(disable_gates_clocks_and_noa),
	KUNIT_CASE(start_writes_head_buffer_tail_control),
	KUNIT_CASE(buffer_size_selects_code),
	KUNIT_CASE(start_sets_context_filter_in_control),
	KUNIT_CASE(stop_waits_until_unit_is_off),
	KUNIT_CASE(stop_times_out),
	KUNIT_CASE(status_is_decoded),
	KUNIT_CASE(head_write_keeps_address_space),
	KUNIT_CASE(timer_report_is_identified_by_phase),
	{},
};

static struct kunit_suite gen7_suite = {
	.name = "gpuoa_oa_gen7",
	.init = gen7_test_init,
	.test_cases = gen7_cases,
};

kunit_test_suite(gen7_suite);
