// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_sim_gen12.c - the simulated OA units of gen12.0, gen12.7 and Xe2 as a driver sees them.
 */
#include <kunit/test.h>

#include "vgpu/model/gen12.h"
#include "sim_bench.h"

#define TIMER (BENCH_EXPONENT << 2 | BIT(1) | BIT(0))
#define BC64 (XE2_OACONTROL_COUNTER_SIZE_64 | XE2_OACONTROL_REPORT_BC)

/**
 * struct kind - kind of unit
 * @name: name used in messages
 * @platform: GPU platform
 * @unit: index of the unit on the GPU
 * @formats: report formats, terminated by {}
 * @default_format: index of the format used by the tests
 * @event_selects: offset of the counters' first event select register, or 0
 * @bank: counter bank of these event selects
 * @mux: offset of a multiplexer register, or 0
 * @render: unit sees contexts
 * @each_tells: each report contains the context id
 * @mmio_trigger: MMIO trigger register exists
 * @splits: reports are split at the end of the buffer
 */
struct kind {
	const char *name;
	const char *platform;
	unsigned int unit;
	const struct bench_format *formats;
	unsigned int default_format;
	u32 event_selects;
	const char *bank;
	u32 mux;
	bool render;
	bool each_tells;
	bool mmio_trigger;
	bool splits;
};

#define HEADER_32 { "clock", 0, 1, 32, 12 }
#define HEADER_64 { "clock", 0, 1, 64, 24 }

static const struct bench_format oag_gen12_formats[] = {
	{ "A12", 0 << 2, 64, { HEADER_32, { "A", 7, 12, 32, 16 } } },
	{ "A12_B8_C8", 2 << 2, 128,
	  { HEADER_32, { "A", 7, 12, 32, 16 }, { "B", 0, 8, 32, 64 }, { "C", 0, 8, 32, 96 } } },
	{ "A32u40_A4u32_B8_C8", 5 << 2, 256,
	  { HEADER_32, { "A", 0, 32, 40, 16, 160 }, { "A", 32, 4, 32, 144 },
	    { "B", 0, 8, 32, 192 }, { "C", 0, 8, 32, 224 } } },
	{ "C4_B8", 7 << 2, 64, { HEADER_32, { "C", 0, 4, 32, 16 }, { "B", 0, 8, 32, 32 } } },
	{},
};

static const struct bench_format oag_mtl_formats[] = {
	{ "A24u40_A14u32_B8_C8", 5 << 2, 256,
	  { HEADER_32, { "A", 0, 4, 32, 16 }, { "A", 4, 20, 40, 32, 164 }, { "A", 24, 4, 32, 112 },
	    { "A", 28, 4, 40, 128, 188 }, { "A", 32, 4, 32, 144 }, { "A", 36, 1, 32, 160 },
	    { "A", 37, 1, 32, 184 }, { "B", 0, 8, 32, 192 }, { "C", 0, 8, 32, 224 } } },
	{},
};

static const struct bench_format oag_xe2_formats[] = {
	{ "PEC64u64", 1 << 2 | XE2_OACONTROL_COUNTER_SIZE_64, 576,
	  { HEADER_64, { "PEC", 0, 64, 64, 32 } } },
	{ "PEC64u64_B8_C8", 1 << 2 | BC64, 640,
	  { HEADER_64, { "PEC", 0, 64, 64, 32 }, { "B", 0, 8, 32, 544 }, { "C", 0, 8, 32, 576 } } },
	{ "PEC64u32", 1 << 2, 320, { HEADER_64, { "PEC", 0, 64, 32, 32 } } },
	{ "PEC32u64_G1", 5 << 2 | XE2_OACONTROL_COUNTER_SIZE_64, 320,
	  { HEADER_64, { "PEC", 0, 32, 64, 32 } } },
	{ "PEC32u32_G1", 5 << 2, 192, { HEADER_64, { "PEC", 0, 32, 32, 32 } } },
	{ "PEC32u64_G2", 6 << 2 | XE2_OACONTROL_COUNTER_SIZE_64, 320,
	  { HEADER_64, { "PEC", 32, 32, 64, 32 } } },
	{ "PEC32u32_G2", 6 << 2, 192, { HEADER_64, { "PEC", 32, 32, 32, 32 } } },
	{ "PEC36u64_G1_32_G2_4", 3 << 2 | XE2_OACONTROL_COUNTER_SIZE_64, 320,
	  { HEADER_64, { "PEC", 0, 32, 64, 32 }, { "PEC", 32, 4, 64, 288 } } },
	{ "PEC36u64_G1_4_G2_32", 4 << 2 | XE2_OACONTROL_COUNTER_SIZE_64, 320,
	  { HEADER_64, { "PEC", 0, 4, 64, 32 }, { "PEC", 32, 32, 64, 64 } } },
	{},
};

static const struct bench_format oam_formats[] = {
	{ "MPEC8u64_B8_C8", 1 << 1, 192,
	  { HEADER_64, { "MPEC", 0, 8, 64, 32 }, { "B", 0, 8, 32, 96 }, { "C", 0, 8, 32, 128 } } },
	{ "MPEC8u32_B8_C8", 2 << 1, 128,
	  { HEADER_64, { "MPEC", 0, 8, 32, 32 }, { "B", 0, 8, 32, 64 }, { "C", 0, 8, 32, 96 } } },
	{},
};

#define MEDIA_UNIT(unit_, base)                                                            \
	.unit = (unit_), .formats = oam_formats, .event_selects = (base) + 0x200,          \
	.bank = "MPEC", .mmio_trigger = true, .splits = true

static const struct kind kinds[] = {
	{
		.name = "OAG of gen12.0",
		.platform = "tgl_gt2",
		.formats = oag_gen12_formats,
		.default_format = 2,
		.mux = NOA_WRITE,
		.render = true,
		.each_tells = true,
	},
	{
		.name = "OAG of gen12.7",
		.platform = "mtl_gt2",
		.formats = oag_mtl_formats,
		.mux = NOA_WRITE,
		.render = true,
		.mmio_trigger = true,
	},
	{
		.name = "OAM of gen12.7",
		.platform = "mtl_gt2",
		MEDIA_UNIT(1, 0x393000),
		.mux = 0x38d100,
	},
	{
		.name = "OAG of Xe2",
		.platform = "bmg",
		.formats = oag_xe2_formats,
		.default_format = 1,
		.event_selects = 0x13000,
		.bank = "PEC",
		.mux = 0xd0e0,
		.render = true,
		.mmio_trigger = true,
	},
	{ .name = "OAM0 of Xe2", .platform = "bmg", MEDIA_UNIT(1, 0x394000) },
	{ .name = "OAMG of Xe2", .platform = "bmg", MEDIA_UNIT(2, 0x393000) },
	{ .name = "OAM1 of Xe2", .platform = "bmg", MEDIA_UNIT(3, 0x394800) },
};

static void kind_name(const struct kind *kind, char *name)
{
	strscpy(name, kind->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(kind, kinds, kind_name);

static const struct kind *kind_of(struct kunit *test)
{
	return test->param_value;
}

static int gen12_init(struct kunit *test)
{
	return bench_init(test, kind_of(test)->platform);
}

static struct sim_oa *oa_of(struct kunit *test)
{
	return &bench_gpu(test)->oa[kind_of(test)->unit];
}

static const struct gen12_unit *regs_of(struct kunit *test)
{
	return oa_of(test)->ops->variant;
}

static const struct bench_format *format_of(struct kunit *test)
{
	return &kind_of(test)->formats[kind_of(test)->default_format];
}

static void write_reg(struct kunit *test, u32 reg, u32 value)
{
	sim_mmio_write(bench_gpu(test), reg, value);
}

static u32 read_reg(struct kunit *test, u32 reg)
{
	return sim_mmio_read(bench_gpu(test), reg);
}

static void set_up_buffer(struct kunit *test)
{
	const struct gen12_unit *regs = regs_of(test);

	write_reg(test, regs->status, 0);
	write_reg(test, regs->head, SIM_TEST_BUFFER);
	write_reg(test, regs->buffer, SIM_TEST_BUFFER | GEN12_OABUFFER_GGTT);
	write_reg(test, regs->tail, SIM_TEST_BUFFER);
}

static void start_timer(struct kunit *test, const struct bench_format *format, u32 timer)
{
	write_reg(test, regs_of(test)->timer, timer);
	set_up_buffer(test);
	write_reg(test, regs_of(test)->control, format->control | GEN12_OACONTROL_ENABLE);
}

static void start(struct kunit *test)
{
	start_timer(test, format_of(test), TIMER);
}

static void stop(struct kunit *test)
{
	write_reg(test, regs_of(test)->control, 0);
}

static unsigned int n_bytes(struct kunit *test)
{
	return read_reg(test, regs_of(test)->tail) - SIM_TEST_BUFFER;
}

static unsigned int n_reports(struct kunit *test)
{
	return n_bytes(test) / format_of(test)->size;
}

static const u32 *report(struct kunit *test, unsigned int n)
{
	return (u32 *)(sim_test_memory + n * format_of(test)->size);
}

/* Get field @n of a report header. */
static u32 field(struct kunit *test, const u32 *r, unsigned int n)
{
	return r[n * oa_of(test)->ops->default_format->word / sizeof(u32)];
}

#define TIMESTAMP 1
#define CONTEXT 2
#define CLOCK 3

static u32 reason(struct kunit *test, const u32 *r)
{
	return r[0] >> 19 & (kind_of(test)->each_tells ? 0x3f : 0x7f);
}

/* ---- configurations ----------------------------------------------------------------------- */

/* Select events, a different one for each counter if possible. */
static void select_events(struct kunit *test)
{
	const struct kind *kind = kind_of(test);
	unsigned int i, n = kind->event_selects ? oa_of(test)->ops->banks[0].n : 0;

	for (i = 0; i < n; i++) {
		u32 offset = i < 32 ? 8 * i : 0x300 + 8 * (i - 32);

		write_reg(test, kind->event_selects + offset, 0x100 + i);
		write_reg(test, kind->event_selects + offset + 4, 7 * i);
	}
}

/* Program TestOa. */
static void program(struct kunit *test)
{
	static const u32 cec[] = {
		0x4, 0, 0x3, 0, 0x7, 0, 0x100002, 0xfff7, 0x100002, 0xffcf, 0x100082, 0xffef,
		0x1000c2, 0xffe7, 0x100001, 0xffe7,
	};
	const struct sim_boolean_regs *boolean = &regs_of(test)->boolean;
	unsigned int i;

	write_reg(test, boolean->starttrig2, 0xf0800000);
	write_reg(test, boolean->starttrig6, 0xf0800000);
	for (i = 0; i < ARRAY_SIZE(cec); i++)
		write_reg(test, boolean->cec + i * sizeof(u32), cec[i]);
	select_events(test);
}

/* ---- registers ---------------------------------------------------------------------------- */

static void registers_have_documented_access(struct kunit *test)
{
	const u32 gt = kind_of(test)->render ? 0 : MEDIA_GT_BASE;
	const struct gen12_unit *regs = regs_of(test);
	struct sim_gpu *gpu = bench_gpu(test);

	/* The upper half of a value written to OA_DEBUG enables writes to the lower half. */
	write_reg(test, regs->debug, 0x00660026);
	KUNIT_EXPECT_EQ(test, read_reg(test, regs->debug), 0x26U);
	write_reg(test, regs->debug, 0x00200000);
	KUNIT_EXPECT_EQ(test, read_reg(test, regs->debug), 0x06U);
	write_reg(test, RCS_CONTEXT_CONTROL, 0x01000100);
	KUNIT_EXPECT_EQ(test, read_reg(test, RCS_CONTEXT_CONTROL), 0x100U);
	/* TLB invalidation completes at once, so the busy bit reads as 0. */
	write_reg(test, gt + OA_TLB_INV_CR, OA_TLB_INV_CR_BUSY);
	KUNIT_EXPECT_EQ(test, read_reg(test, gt + OA_TLB_INV_CR), 0U);
	write_reg(test, RCS_TIMESTAMP, 0);
	KUNIT_EXPECT_EQ(test, read_reg(test, RCS_TIMESTAMP), (u32)BENCH_START);
	write_reg(test, gt + SQCNT1, SQCNT1_PMON_ENABLE);
	KUNIT_EXPECT_EQ(test, read_reg(test, gt + SQCNT1), (u32)SQCNT1_PMON_ENABLE);
	KUNIT_EXPECT_EQ(test, gpu->statistics.unknown_accesses, 0ULL);
	read_reg(test, regs->status - 0x100 + 2);
	KUNIT_EXPECT_EQ(test, gpu->statistics.unknown_accesses, 1ULL);

	/* Sleep clears registers of the unit, but not those of contexts. */
	sim_mmio_sleep(gpu);
	sim_oa_sleep(oa_of(test));
	KUNIT_EXPECT_EQ(test, read_reg(test, regs->debug), 0U);
	KUNIT_EXPECT_EQ(test, read_reg(test, regs->tail), 0U);
	KUNIT_EXPECT_EQ(test, read_reg(test, RCS_CONTEXT_CONTROL), 0x100U);
}

static void status_is_sticky_until_written(struct kunit *test)
{
	const struct gen12_unit *regs = regs_of(test);

	start(test);
	oa_of(test)->faults.lose_reports = 3;
	sim_test_now += 10 * BENCH_PERIOD;
	KUNIT_EXPECT_EQ(test, n_reports(test), 7U);
	KUNIT_EXPECT_EQ(test, read_reg(test, regs->status), (u32)GEN12_OASTATUS_REPORT_LOST);
	write_reg(test, regs->status, 0);
	KUNIT_EXPECT_EQ(test, read_reg(test, regs->status), 0U);
	sim_test_now += 2000 * BENCH_PERIOD;
	KUNIT_EXPECT_TRUE(test, read_reg(test, regs->status) & GEN12_OASTATUS_BUFFER_OVERFLOW);
	stop(test);
	start(test);
	sim_test_now += 10 * BENCH_PERIOD;
	KUNIT_EXPECT_GE(test, n_reports(test), 10U);
	KUNIT_EXPECT_EQ(test, read_reg(test, regs->status), 0U);
}

static void trigger_queue_overflow_is_flagged(struct kunit *test)
{
	const struct gen12_unit *regs = regs_of(test);

	if (!regs->trigger)
		kunit_skip(test, "the unit has none");
	/* Triggers are enabled after a reset. */
	start(test);
	oa_of(test)->faults.lose_triggers = 1;
	write_reg(test, regs->trigger, 17);
	KUNIT_EXPECT_EQ(test, n_reports(test), 0U);
	KUNIT_EXPECT_EQ(test, read_reg(test, regs->status), (u32)GEN12_5_OASTATUS_MMIO_TRG_Q_FULL);
	write_reg(test, regs->status, 0);
	write_reg(test, regs->trigger, 17);
	KUNIT_EXPECT_EQ(test, n_reports(test), 1U);
	KUNIT_EXPECT_EQ(test, read_reg(test, regs->status), 0U);
}

static void wrong_setup_order_causes_overflow(struct kunit *test)
{
	const struct gen12_unit *regs = regs_of(test);
	const u32 orders[][3] = {
		{ regs->buffer, regs->head, regs->tail },
		{ regs->head, regs->tail, regs->buffer },
		{ regs->tail, regs->head, regs->buffer },
		{ regs->buffer, regs->tail, regs->head },
	};
	unsigned int i, r;

	for (i = 0; i < ARRAY_SIZE(orders); i++) {
		set_up_buffer(test);
		KUNIT_EXPECT_EQ(test, read_reg(test, regs->status), 0U);
		for (r = 0; r < ARRAY_SIZE(orders[i]); r++)
			write_reg(test, orders[i][r], SIM_TEST_BUFFER | BIT(0));
		KUNIT_EXPECT_EQ_MSG(test, read_reg(test, regs->status),
				    (u32)GEN12_OASTATUS_BUFFER_OVERFLOW, "order %u", i);
	}
}

/* ---- formats ------------------------------------------------------------------------------ */

static void formats_have_documented_layout(struct kunit *test)
{
	const struct bench_format *format;

	program(test);
	for (format = kind_of(test)->formats; format->name; format++) {
		bench_expect_layout(test, oa_of(test)->ops, format,
				    regs_of(test)->format(format->control));
		start_timer(test, format, TIMER);
		sim_test_now += 20 * BENCH_PERIOD;
		KUNIT_EXPECT_EQ(test, n_bytes(test) % format->size, 0U);
		KUNIT_ASSERT_GE(test, n_bytes(test), 20 * format->size);
		bench_expect_values(test, oa_of(test), format, sim_test_memory);
		bench_expect_values(test, oa_of(test), format,
				    sim_test_memory + 19 * format->size);
		stop(test);
	}
}

static void undefined_format_codes_write_no_reports(struct kunit *test)
{
	const struct kind *kind = kind_of(test);
	const u32 shift = regs_of(test)->format_shift;
	const struct bench_format *format;
	u32 code, known = 0;

	for (format = kind->formats; format->name; format++)
		known |= BIT(format->control >> shift & 7);
	for (code = 0; code < 8; code++)
		KUNIT_EXPECT_EQ(test, !!regs_of(test)->format(code << shift),
				!!(known & BIT(code)));
}

/* ---- report reasons and contexts ---------------------------------------------------------- */

#define SLOW_EXPONENT 12

/* Record two frames, at a period for which the buffer is large enough. */
static unsigned int record_frames(struct kunit *test)
{
	bench_play(test, BENCH_FRAMES);
	start_timer(test, format_of(test), SLOW_EXPONENT << 2 | BIT(1) | BIT(0));
	sim_test_now += 2 * 200000;
	return n_reports(test);
}

/* Expect a report at each tick that has a reason, and no others. */
static void expect_reasons(struct kunit *test, unsigned int n, u32 events)
{
	const u64 period = 2ULL << SLOW_EXPONENT;
	unsigned int i = 0;
	u64 tick;

	for (tick = BENCH_START + 1; tick <= sim_test_now; tick++) {
		u32 expected = tick % period == period / 2 ? SIM_REASON_TIMER : 0;

		/* The state before the first tick is unknown, so the first tick is not an event. */
		if (tick > BENCH_START + 1)
			expected |= bench_frames_events(tick) & events;
		if (!expected)
			continue;
		KUNIT_ASSERT_LT(test, i, n);
		KUNIT_EXPECT_EQ(test, field(test, report(test, i), TIMESTAMP), (u32)tick);
		KUNIT_EXPECT_EQ_MSG(test, reason(test, report(test, i)), expected, "at %llu",
				    tick);
		i++;
	}
	KUNIT_EXPECT_EQ(test, i, n);
}

static void reports_have_reason(struct kunit *test)
{
	const u32 all = SIM_REASON_SWITCH | SIM_REASON_GO | SIM_REASON_RATIO;

	expect_reasons(test, record_frames(test), kind_of(test)->render ? all : 0);
}

static void reports_can_be_suppressed(struct kunit *test)
{
	static const struct {
		u32 bit;
		u32 reason;
	} bits[] = {
		{ BIT(1), SIM_REASON_SWITCH },
		{ BIT(2), SIM_REASON_GO },
		{ BIT(5), SIM_REASON_RATIO },
	};
	unsigned int mask, i;

	if (!kind_of(test)->render)
		kunit_skip(test, "there is nothing to suppress");
	for (mask = 0; mask < BIT(ARRAY_SIZE(bits)); mask++) {
		u32 debug = 0, events = 0;

		for (i = 0; i < ARRAY_SIZE(bits); i++) {
			debug |= mask & BIT(i) ? bits[i].bit : 0;
			events |= mask & BIT(i) ? 0 : bits[i].reason;
		}
		sim_test_now = BENCH_START;
		write_reg(test, regs_of(test)->debug, 0xffff0000 | debug);
		expect_reasons(test, record_frames(test), events);
		stop(test);
	}
}

/*
 * On gen12.0 each report contains the id of the running context. On later generations only switch
 * reports do, along with the engine. Bit 16 is set in all reports while a context runs.
 */
static void reports_have_context_id(struct kunit *test)
{
	const struct kind *kind = kind_of(test);
	unsigned int n = record_frames(test), i;

	for (i = 0; i < n; i++) {
		const u32 *r = report(test, i);
		unsigned int slot = bench_frames_slot(field(test, r, TIMESTAMP));
		bool tells = kind->each_tells || reason(test, r) & SIM_REASON_SWITCH;
		u32 source = !kind->each_tells && tells ? REPORT_SOURCE_RCS : 0;

		KUNIT_EXPECT_EQ(test, !!(r[0] & BIT(16)), slot != SIM_NOBODY);
		KUNIT_EXPECT_EQ(test, r[0] >> 26, source);
		if (tells && slot != SIM_NOBODY)
			KUNIT_EXPECT_EQ(test, field(test, r, CONTEXT), (slot + 1) << 7);
	}
}

static void clock_ratio_reports_are_written(struct kunit *test)
{
	unsigned int n, i;

	write_reg(test, regs_of(test)->debug, 0x00400040);
	n = record_frames(test);
	for (i = 0; i < n; i++) {
		u32 id = report(test, i)[0];
		u32 ratio = bench_frames_mhz(field(test, report(test, i), TIMESTAMP)) * 6 / 100;

		KUNIT_EXPECT_EQ(test, id & 0x1ff, ratio);
		if (kind_of(test)->each_tells)
			KUNIT_EXPECT_EQ(test, (id >> 9 & 3) << 7 | id >> 25, ratio);
	}
}

static void a19_carries_a_marker(struct kunit *test)
{
	if (!kind_of(test)->each_tells)
		kunit_skip(test, "markers are MMIO triggers there");
	start(test);
	sim_test_now += 3;
	write_reg(test, 0xda18, 0x1234567);
	write_reg(test, 0xd934, 0x80200000);
	KUNIT_EXPECT_EQ(test, n_reports(test), 0U);
	write_reg(test, 0xd934, 0x80600000);
	write_reg(test, 0xd924, 0x80200000);
	write_reg(test, 0xd924, 0x80600000);
	KUNIT_ASSERT_EQ(test, n_reports(test), 2U);
	KUNIT_EXPECT_EQ(test, reason(test, report(test, 0)), (u32)SIM_REASON_TRIGGER2);
	KUNIT_EXPECT_EQ(test, reason(test, report(test, 1)), (u32)SIM_REASON_TRIGGER1);
	KUNIT_EXPECT_EQ(test, report(test, 0)[0x5c / sizeof(u32)], 0x1234567U);
}

static void mmio_trigger_carries_a_value(struct kunit *test)
{
	const struct gen12_unit *regs = regs_of(test);
	const u32 *r = report(test, 0);

	if (!kind_of(test)->mmio_trigger) {
		write_reg(test, OAG_MMIOTRIGGER, 1);
		KUNIT_EXPECT_EQ(test, bench_gpu(test)->statistics.unknown_accesses, 1ULL);
		return;
	}
	write_reg(test, regs->trigger, 0xdeadbeef);
	start(test);
	sim_test_now += 3;
	write_reg(test, regs->trigger, 0xcafe1234);
	KUNIT_ASSERT_EQ(test, n_reports(test), 1U);
	KUNIT_EXPECT_EQ(test, reason(test, r), (u32)SIM_REASON_MMIO);
	KUNIT_EXPECT_EQ(test, r[0] & BIT(16), BIT(16));
	KUNIT_EXPECT_EQ(test, field(test, r, CONTEXT), 0xcafe1234U);
	KUNIT_EXPECT_EQ(test, field(test, r, TIMESTAMP), (u32)sim_test_now);
	write_reg(test, regs->debug, BIT(14) << 16 | BIT(14));
	write_reg(test, regs->trigger, 0xcafe1235);
	KUNIT_EXPECT_EQ(test, n_reports(test), 1U);
}

/* Reports stay ordered even if time passes while the trigger register is written. */
static void triggered_reports_are_in_order(struct kunit *test)
{
	const struct gen12_unit *regs = regs_of(test);
	struct sim_oa *oa = oa_of(test);
	unsigned int n, i;

	start(test);
	sim_test_now += 3 * BENCH_PERIOD + 5;
	sim_oa_advance(oa, sim_test_now);
	sim_test_now += 2 * BENCH_PERIOD;
	sim_oa_trigger(oa, SIM_REASON_TRIGGER1, 0);
	n = n_reports(test);
	KUNIT_ASSERT_EQ(test, n, 6U);
	for (i = 1; i < n; i++)
		KUNIT_EXPECT_GT(test, field(test, report(test, i), TIMESTAMP),
				field(test, report(test, i - 1), TIMESTAMP));
	KUNIT_EXPECT_EQ(test, read_reg(test, regs->status), 0U);
}

/* ---- counting ----------------------------------------------------------------------------- */

static const struct bench_field *field_of(struct kunit *test, const char *bank)
{
	const struct bench_field *f = format_of(test)->fields;

	while (f->n && strcmp(f->bank, bank))
		f++;
	KUNIT_ASSERT_NE(test, f->n, 0U);
	return f;
}

static void test_oa_counts_exactly(struct kunit *test)
{
	unsigned int b = field_of(test, "B")->offset / sizeof(u32), i;

	program(test);
	start(test);
	sim_test_now += 100 * BENCH_PERIOD;
	KUNIT_ASSERT_EQ(test, n_reports(test), 100U);
	for (i = 0; i < 100; i++)
		bench_expect_test_oa(test, report(test, i) + b,
				     field(test, report(test, i), CLOCK));
	KUNIT_EXPECT_EQ(test, field(test, report(test, 99), CLOCK) -
			field(test, report(test, 0), CLOCK), (u32)(99 * BENCH_PERIOD * 80));
}

static void counters_wrap_at_their_width(struct kunit *test)
{
	const u32 step = BENCH_PERIOD * 80;
	const struct bench_field *f;
	unsigned int i;

	program(test);
	start(test);
	oa_of(test)->wrap = step / 2;
	sim_test_now += 2 * BENCH_PERIOD;
	KUNIT_ASSERT_EQ(test, n_reports(test), 2U);
	for (f = format_of(test)->fields; f->n; f++) {
		const u8 *r = (const u8 *)report(test, 0);

		for (i = 0; i < f->n; i++) {
			KUNIT_EXPECT_EQ(test, *(u32 *)(r + f->offset + i * (f->bits == 64 ? 8 : 4)),
					-(step / 2));
			if (f->bits == 40)
				KUNIT_EXPECT_EQ(test, (int)r[f->high + i], 0xff);
			if (f->bits == 64)
				KUNIT_EXPECT_EQ(test, *(u32 *)(r + f->offset + i * 8 + 4), ~0U);
		}
	}
	KUNIT_EXPECT_EQ(test, field(test, report(test, 1), CLOCK), step / 2);
	if (kind_of(test)->splits || kind_of(test)->event_selects)
		KUNIT_EXPECT_EQ(test, report(test, 1)[7], 0U);
}

/* Get a hash of the signals that a counter bank counts. */
static u64 selected(struct kunit *test, const char *bank)
{
	const struct sim_selection *selection = sim_oa_selection(oa_of(test));
	u64 hash = SIM_HASH_START;
	unsigned int i, counter;

	for (i = 0; ; i++) {
		counter = bench_counter(oa_of(test)->ops, bank, i);
		if (counter == SIM_MAX_COUNTERS)
			return hash;
		hash = sim_hash(hash, selection->sources[counter].signal,
				selection->sources[counter].share);
	}
}

static void configuration_selects_signals(struct kunit *test)
{
	const struct kind *kind = kind_of(test);
	u32 cec = regs_of(test)->boolean.cec;
	u64 nothing = selected(test, "B"), one, other;

	write_reg(test, cec, 1);
	one = selected(test, "B");
	write_reg(test, cec, 2);
	other = selected(test, "B");
	KUNIT_EXPECT_NE(test, one, nothing);
	KUNIT_EXPECT_NE(test, one, other);

	/* If a comparator is always true, its counter counts every clock. */
	write_reg(test, regs_of(test)->boolean.starttrig2, 0xf0800000);
	KUNIT_EXPECT_EQ(test, sim_oa_selection(oa_of(test))->compared, 0);
	write_reg(test, cec, 3);
	KUNIT_EXPECT_EQ(test, sim_oa_selection(oa_of(test))->compared, BIT(0));
	KUNIT_EXPECT_EQ(test, sim_oa_selection(oa_of(test))->patterns[0], 0x3f);

	if (kind->event_selects) {
		one = selected(test, kind->bank);
		write_reg(test, kind->event_selects, 1);
		other = selected(test, kind->bank);
		KUNIT_EXPECT_NE(test, one, other);
		write_reg(test, kind->event_selects + 8, 1);
		KUNIT_EXPECT_NE(test, selected(test, kind->bank), other);
		write_reg(test, kind->event_selects, 0);
		write_reg(test, kind->event_selects + 8, 0);
		KUNIT_EXPECT_EQ(test, selected(test, kind->bank), one);
	}

	if (!kind->mux)
		return;
	one = selected(test, "C");
	write_reg(test, kind->mux, 5);
	other = selected(test, "C");
	KUNIT_EXPECT_NE(test, other, one);
	write_reg(test, kind->mux, 6);
	KUNIT_EXPECT_NE(test, selected(test, "C"), other);
	/* Switching NOA off resets the selection. */
	write_reg(test, regs_of(test)->noa, 0);
	KUNIT_EXPECT_EQ(test, selected(test, "C"), one);
}

static void flexible_counter_counts_selected_event(struct kunit *test)
{
	u64 before;

	if (kind_of(test)->event_selects)
		kunit_skip(test, "event selects are elsewhere");
	before = selected(test, "A");
	write_reg(test, EU_PERF_CNTL3, 0x014);
	KUNIT_EXPECT_NE(test, selected(test, "A"), before);
	KUNIT_EXPECT_EQ(test, (int)sim_oa_selection(oa_of(test))->sources[13].signal,
			(int)SIM_STAGE_ACTIVE(SIM_VS));
}

/* From gen12.5 on, bits 24 and 25 of the register are the fifth bits of the events. */
static void eu_event_has_five_bits(struct kunit *test)
{
	const struct sim_source *a = sim_oa_selection(oa_of(test))->sources;
	unsigned int control;

	if (kind_of(test)->event_selects)
		kunit_skip(test, "event selects are elsewhere");
	write_reg(test, EU_PERF_CNTL3, BIT(24) | 0x001);
	sim_oa_selection(oa_of(test));
	control = kind_of(test)->each_tells ? 96 : 32;
	KUNIT_EXPECT_EQ(test, (unsigned int)a[13].share, control);
	KUNIT_EXPECT_EQ(test, (unsigned int)a[14].share, 160U);
	write_reg(test, EU_PERF_CNTL3, BIT(25) | 0x001 << 12 | 0x001);
	sim_oa_selection(oa_of(test));
	KUNIT_EXPECT_EQ(test, (unsigned int)a[13].share, 96U);
	KUNIT_EXPECT_EQ(test, (unsigned int)a[14].share, control);
}

/*
 * Test event 1 occurs in every clock of each Xe core, test event 2 in every clock of each slice. A
 * counter counts one or all of them.
 */
static void test_events_count_clocks_of_parts(struct kunit *test)
{
	static const struct {
		u32 select;
		unsigned int clocks;
	} selects[] = {
		{ 0x003e00, 20 }, { 0x013e00, 1 }, { 0x713e00, 1 }, { 0x1313e00, 1 },
		{ 0x1413e00, 0 }, { 0x007e00, 5 }, { 0x417e00, 1 }, { 0x517e00, 0 },
	};
	const struct sim_source *pec = sim_oa_selection(oa_of(test))->sources;
	unsigned int i;

	if (!kind_of(test)->render || !kind_of(test)->event_selects)
		kunit_skip(test, "another unit than OAG of Xe2");
	for (i = 0; i < ARRAY_SIZE(selects); i++) {
		write_reg(test, kind_of(test)->event_selects + 0x300, selects[i].select);
		sim_oa_selection(oa_of(test));
		KUNIT_EXPECT_EQ_MSG(test, (unsigned int)pec[32].share,
				    selects[i].clocks * (unsigned int)SIM_SHARE_ONE, "%07x",
				    selects[i].select);
		KUNIT_EXPECT_EQ(test, (int)pec[32].signal, (int)SIM_CLOCK);
	}
}

/* ---- buffer ------------------------------------------------------------------------------- */

/* After the wrap, reports are either split or begin at offset 0; the final tail shows which. */
static void expect_wrap_at(struct kunit *test, u32 size)
{
	const struct gen12_unit *regs = regs_of(test);
	const u32 report_size = format_of(test)->size;
	u32 whole = size - size % report_size, tail = whole - report_size, expected;

	write_reg(test, regs->timer, TIMER);
	write_reg(test, regs->head, SIM_TEST_BUFFER + tail);
	write_reg(test, regs->buffer, SIM_TEST_BUFFER | GEN12_OABUFFER_GGTT);
	write_reg(test, regs->tail, SIM_TEST_BUFFER + tail);
	write_reg(test, regs->control, format_of(test)->control | GEN12_OACONTROL_ENABLE);
	sim_test_now += 3 * BENCH_PERIOD;
	expected = kind_of(test)->splits ? tail + 3 * report_size - size : 2 * report_size;
	KUNIT_EXPECT_EQ_MSG(test, n_bytes(test), expected, "buffer of %u", size);
	stop(test);
}

static void reports_wrap_or_split_as_documented(struct kunit *test)
{
	const u32 report_size = format_of(test)->size;
	u32 whole = SIM_TEST_BUFFER_SIZE - SIM_TEST_BUFFER_SIZE % report_size;
	u32 *last = (u32 *)(sim_test_memory + whole - report_size);
	u32 *behind = (u32 *)(sim_test_memory + whole);

	expect_wrap_at(test, SIM_TEST_BUFFER_SIZE);
	KUNIT_EXPECT_NE(test, last[0], 0U);
	if (whole < SIM_TEST_BUFFER_SIZE)
		KUNIT_EXPECT_EQ(test, !!behind[0], kind_of(test)->splits);
	else
		KUNIT_EXPECT_NE(test, report(test, 0)[0], 0U);
}

static void oa_debug_selects_large_buffer(struct kunit *test)
{
	/* The tail can be read although there is no memory at the addresses of the buffer. */
	write_reg(test, regs_of(test)->debug, MASKED_SET(GEN12_5_OA_DEBUG_BUF_SIZE_SELECT));
	expect_wrap_at(test, kind_of(test)->mmio_trigger ? SZ_1M : SZ_128K);
	write_reg(test, regs_of(test)->debug, MASKED_CLEAR(GEN12_5_OA_DEBUG_BUF_SIZE_SELECT));
	expect_wrap_at(test, SZ_128K);
}

/* ---- work of batches ---------------------------------------------------------------------- */

static void work_is_attributed_to_its_context(struct kunit *test)
{
	u64 from = BENCH_START + 40 * BENCH_PERIOD, to = from + 50 * BENCH_PERIOD;
	unsigned int n, i, switches = 0;

	start(test);
	bench_work(test, 5, from, to);
	sim_test_now += 120 * BENCH_PERIOD;
	n = n_reports(test);
	for (i = 0; i < n; i++) {
		const u32 *r = report(test, i);
		u32 tick = field(test, r, TIMESTAMP);

		if (!(reason(test, r) & SIM_REASON_SWITCH))
			continue;
		KUNIT_EXPECT_EQ(test, tick, (u32)(switches ? to : from));
		KUNIT_EXPECT_EQ(test, field(test, r, CONTEXT), (switches ? 0U + 1 : 5U + 1) << 7);
		switches++;
	}
	KUNIT_EXPECT_EQ(test, switches, kind_of(test)->render ? 2U : 0U);
	KUNIT_EXPECT_EQ(test, n, 120 + switches);
}

/* OAR: a batch reads counts of its context only, and OAG's stream is not affected. */
static void batch_reports_count_own_context(struct kunit *test)
{
	const unsigned int slot = 6, clock = bench_counter(oa_of(test)->ops, "clock", 0);
	u64 from = BENCH_START + 40 * BENCH_PERIOD, to = from + 10 * BENCH_PERIOD;
	u32 *r = kunit_kzalloc(test, SIM_MAX_REPORT, GFP_KERNEL);
	struct sim_oa *oa = oa_of(test);
	const __uint128_t *sums;
	u32 size;

	if (!kind_of(test)->render)
		kunit_skip(test, "media batches read nothing");
	KUNIT_ASSERT_NOT_NULL(test, r);
	program(test);
	start(test);
	bench_work(test, slot, from, to);
	sim_test_now = to + 17;
	size = sim_oa_report_for(oa, slot, 0xcafe, r);
	KUNIT_EXPECT_EQ(test, size, kind_of(test)->event_selects ? 576U : 256U);
	KUNIT_EXPECT_EQ(test, r[0], 0xcafeU);
	KUNIT_EXPECT_EQ(test, field(test, r, TIMESTAMP), (u32)sim_test_now);
	KUNIT_EXPECT_EQ(test, field(test, r, CLOCK), (u32)(to - from) * 80);
	sums = bench_sums(test, slot, sim_test_now);
	KUNIT_EXPECT_EQ(test, (u64)field(test, r, CLOCK),
			sim_counter_value(&oa->selection, clock, oa->ops->first_b, sums));
	/* Create the report of a context that did not run. */
	sim_oa_report_for(oa, 4, 1, r);
	KUNIT_EXPECT_EQ(test, field(test, r, CLOCK), 0U);

	KUNIT_EXPECT_EQ(test, n_reports(test), 50U + 2);
	sim_test_now += 20 * BENCH_PERIOD;
	KUNIT_EXPECT_EQ(test, n_reports(test), 70U + 2);
	KUNIT_EXPECT_EQ(test, field(test, report(test, 71), CLOCK) -
			field(test, report(test, 0), CLOCK), (u32)(69 * BENCH_PERIOD * 80));
	KUNIT_EXPECT_EQ(test, read_reg(test, regs_of(test)->status), 0U);
}

static void reused_slot_is_a_context_switch(struct kunit *test)
{
	if (!kind_of(test)->render)
		kunit_skip(test, "media units see no contexts");
	start(test);
	sim_test_now += 5;
	bench_advance(bench_gpu(test));
	sim_oa_slot_changed(oa_of(test), 3);
	sim_test_now += 5;
	KUNIT_EXPECT_EQ(test, n_reports(test), 0U);
	sim_oa_slot_changed(oa_of(test), 0);
	sim_test_now += 5;
	KUNIT_ASSERT_EQ(test, n_reports(test), 1U);
	KUNIT_EXPECT_EQ(test, reason(test, report(test, 0)), (u32)SIM_REASON_SWITCH);
}

/* The other units of the GPU stay off. */
static void units_are_independent(struct kunit *test)
{
	struct sim_gpu *gpu = bench_gpu(test);
	unsigned int i;

	program(test);
	start(test);
	sim_test_now += 3000 * BENCH_PERIOD;
	n_reports(test);
	bench_advance(gpu);
	for (i = 0; i < gpu->n_oa; i++) {
		bool this = i == kind_of(test)->unit;

		KUNIT_EXPECT_EQ(test, gpu->oa[i].running, this);
		KUNIT_EXPECT_EQ(test, !!gpu->oa[i].statistics.generated, this);
		KUNIT_EXPECT_EQ(test, !!gpu->oa[i].status, this);
		KUNIT_EXPECT_EQ(test, !!sim_oa_selection(&gpu->oa[i])->name, this);
	}
}

static struct kunit_case gen12_cases[] = {
	KUNIT_CASE_PARAM(registers_have_documented_access, kind_gen_params),
	KUNIT_CASE_PARAM(status_is_sticky_until_written, kind_gen_params),
	KUNIT_CASE_PARAM(trigger_queue_overflow_is_flagged, kind_gen_params),
	KUNIT_CASE_PARAM(wrong_setup_order_causes_overflow, kind_gen_params),
	KUNIT_CASE_PARAM(formats_have_documented_layout, kind_gen_params),
	KUNIT_CASE_PARAM(undefined_format_codes_write_no_reports, kind_gen_params),
	KUNIT_CASE_PARAM(reports_have_reason, kind_gen_params),
	KUNIT_CASE_PARAM(reports_can_be_suppressed, kind_gen_params),
	KUNIT_CASE_PARAM(reports_have_context_id, kind_gen_params),
	KUNIT_CASE_PARAM(clock_ratio_reports_are_written, kind_gen_params),
	KUNIT_CASE_PARAM(a19_carries_a_marker, kind_gen_params),
	KUNIT_CASE_PARAM(mmio_trigger_carries_a_value, kind_gen_params),
	KUNIT_CASE_PARAM(triggered_reports_are_in_order, kind_gen_params),
	KUNIT_CASE_PARAM(test_oa_counts_exactly, kind_gen_params),
	KUNIT_CASE_PARAM(counters_wrap_at_their_width, kind_gen_params),
	KUNIT_CASE_PARAM(configuration_selects_signals, kind_gen_params),
	KUNIT_CASE_PARAM(flexible_counter_counts_selected_event, kind_gen_params),
	KUNIT_CASE_PARAM(eu_event_has_five_bits, kind_gen_params),
	KUNIT_CASE_PARAM(test_events_count_clocks_of_parts, kind_gen_params),
	KUNIT_CASE_PARAM(reports_wrap_or_split_as_documented, kind_gen_params),
	KUNIT_CASE_PARAM(oa_debug_selects_large_buffer, kind_gen_params),
	KUNIT_CASE_PARAM(work_is_attributed_to_its_context, kind_gen_params),
	KUNIT_CASE_PARAM(batch_reports_count_own_context, kind_gen_params),
	KUNIT_CASE_PARAM(reused_slot_is_a_context_switch, kind_gen_params),
	KUNIT_CASE_PARAM(units_are_independent, kind_gen_params),
	{}
};

static struct kunit_suite gen12_suite = {
	.name = "gpuoa_sim_gen12",
	.init = gen12_init,
	.exit = bench_exit,
	.test_cases = gen12_cases,
};

kunit_test_suite(gen12_suite);
