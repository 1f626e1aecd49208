// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_sim_timeline.c - the simulator's load model, compared with counting tick by tick.
 */
#include <kunit/test.h>
#include <linux/limits.h>

#include "vgpu/model/timeline.h"

static const struct sim_world hsw = {
	.frequency = 12500000,
	.slot_ticks = 12500,
	.max_mhz = 1200,
	.n_eus = 20,
};

/* Parameters of a GPU with a clock so slow that the test can count each tick */
#define SLOW_SLOT 25

static const struct sim_world slow = {
	.frequency = 25000,
	.slot_ticks = SLOW_SLOT,
	.max_mhz = 1200,
	.n_eus = 20,
};

struct world {
	struct sim_workload workloads[SIM_N_WORKLOADS];
	struct sim_workload work;
	struct sim_timeline timeline;
	struct sim_cursor cursor;
	__uint128_t sum[SIM_N_SIGNALS];
	__uint128_t expected[SIM_N_SIGNALS];
};

static struct world *world_create(struct kunit *test, const struct sim_world *what)
{
	struct world *world = kunit_kzalloc(test, sizeof(*world), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, world);
	for (i = 0; i < SIM_N_WORKLOADS; i++)
		sim_workload_build(&world->workloads[i], i, what);
	sim_work_build(&world->work, 1, what);
	return world;
}

static void change_workload(struct world *world, u64 start, u64 offset, unsigned int workload)
{
	struct sim_segment segment = {
		.start = start,
		.offset = offset,
		.workload = &world->workloads[workload],
		.owner = SIM_GLOBAL,
	};

	sim_timeline_append(&world->timeline, &segment);
}

static bool counts(unsigned int stream, unsigned int slot)
{
	return stream == SIM_GLOBAL || stream == slot;
}

/*
 * Add the counts of one tick of a stream. They are looked up in the workload's pieces, without the
 * code under test.
 */
static void count_tick(struct world *world, const struct sim_workload *workload,
		       unsigned int stream, u64 since_start)
{
	const struct sim_piece *piece = workload->pieces;
	unsigned int i;

	for (since_start %= workload->ticks; since_start >= piece->ticks; piece++)
		since_start -= piece->ticks;
	if (!counts(stream, piece->slot))
		return;
	for (i = 0; i < SIM_N_SIGNALS; i++)
		world->expected[i] += piece->rate[i];
}

static bool as_expected(struct world *world)
{
	return !memcmp(world->sum, world->expected, sizeof(world->sum));
}

static void segments_cover_workload(struct kunit *test)
{
	struct world *world = world_create(test, &hsw);
	unsigned int s, p, i;

	for (s = 0; s < SIM_N_WORKLOADS; s++) {
		const struct sim_workload *workload = &world->workloads[s];
		u64 ticks = 0, total = 0;

		for (p = 0; p < workload->n_pieces; p++) {
			const struct sim_piece *piece = &workload->pieces[p];

			KUNIT_EXPECT_GT(test, piece->ticks, 0ULL);
			KUNIT_EXPECT_TRUE(test, piece->slot == SIM_NOBODY ||
					  piece->slot == ticks / hsw.slot_ticks % SIM_N_SLOTS);
			KUNIT_EXPECT_EQ(test, piece->slot == SIM_NOBODY,
					!piece->rate[SIM_GPU_BUSY]);
			ticks += piece->ticks;
			for (i = 0; i < SIM_N_SIGNALS; i++)
				total += piece->rate[i] * piece->ticks;
		}
		for (i = 0; i < SIM_N_SIGNALS; i++)
			total -= workload->total[SIM_GLOBAL][i];
		KUNIT_EXPECT_EQ_MSG(test, ticks, workload->ticks, "%s", workload->name);
		KUNIT_EXPECT_EQ_MSG(test, ticks % (SIM_N_SLOTS * hsw.slot_ticks), 0ULL, "%s",
				    workload->name);
		KUNIT_EXPECT_EQ_MSG(test, total, 0ULL, "%s", workload->name);
	}
}

static void streams_share_all_work(struct kunit *test)
{
	struct world *world = world_create(test, &hsw);
	unsigned int s, i, slot;

	for (s = 0; s < SIM_N_WORKLOADS; s++) {
		const struct sim_workload *workload = &world->workloads[s];

		for (i = 0; i < SIM_N_SIGNALS; i++) {
			u64 total = 0;

			for (slot = 0; slot <= SIM_NOBODY; slot++)
				total += workload->total[slot][i];
			KUNIT_EXPECT_EQ(test, total, workload->total[SIM_GLOBAL][i]);
		}
	}
	/* Contexts differ. */
	KUNIT_EXPECT_NE(test, world->workloads[1].total[0][SIM_EU_ACTIVE],
			world->workloads[1].total[1][SIM_EU_ACTIVE]);
	KUNIT_EXPECT_NE(test, world->workloads[1].total[1][SIM_EU_ACTIVE],
			world->workloads[1].total[2][SIM_EU_ACTIVE]);
}

static void loads_are_plausible(struct kunit *test)
{
	struct world *world = world_create(test, &hsw);
	unsigned int s, p, i;

	for (s = 0; s < SIM_N_WORKLOADS; s++) {
		for (p = 0; p < world->workloads[s].n_pieces; p++) {
			const u64 *rate = world->workloads[s].pieces[p].rate;
			u64 clock = rate[SIM_CLOCK], active = 0, stall = 0, loaded = 0;

			for (i = 0; i < SIM_N_STAGES; i++) {
				active += rate[SIM_STAGE_ACTIVE(i)];
				stall += rate[SIM_STAGE_STALL(i)];
				loaded += rate[SIM_STAGE_LOADED(i)];
			}
			KUNIT_EXPECT_GT(test, clock, 0ULL);
			KUNIT_EXPECT_EQ(test, active, rate[SIM_EU_ACTIVE]);
			KUNIT_EXPECT_EQ(test, stall, rate[SIM_EU_STALL]);
			KUNIT_EXPECT_EQ(test, loaded, rate[SIM_EU_LOADED]);
			KUNIT_EXPECT_LE(test, active + stall, clock * hsw.n_eus);
			/* A busy EU has one to seven threads. */
			KUNIT_EXPECT_GE(test, loaded, (active + stall) / 8);
			KUNIT_EXPECT_LE(test, loaded, clock * hsw.n_eus * 7 / 8);
			KUNIT_EXPECT_LE(test, rate[SIM_GPU_BUSY], clock);
			KUNIT_EXPECT_LE(test, rate[SIM_PS_KILLED], rate[SIM_DEPTH_FAILS]);
			/* No counter exceeds one event per EU and clock. */
			for (i = 0; i < SIM_N_SIGNALS; i++)
				KUNIT_EXPECT_LE(test, rate[i], clock * hsw.n_eus);
		}
	}
}

static void clocks_match_workload(struct kunit *test)
{
	struct world *world = world_create(test, &hsw);

	/*
	 * With a timestamp of 12.5 MHz, GPU clocks of 350 MHz and 1 GHz have exactly 28 and 80
	 * clocks per tick.
	 */
	KUNIT_EXPECT_EQ(test, world->workloads[0].pieces[0].rate[SIM_CLOCK],
			28ULL << SIM_FRACTION_BITS);
	KUNIT_EXPECT_EQ(test, world->workloads[1].pieces[0].rate[SIM_CLOCK],
			80ULL << SIM_FRACTION_BITS);
}

static void slower_gpu_has_slower_clocks(struct kunit *test)
{
	struct sim_world half = hsw;
	struct world *world;

	half.max_mhz /= 2;
	world = world_create(test, &half);
	KUNIT_EXPECT_EQ(test, world->workloads[1].pieces[0].mhz, 500U);
	KUNIT_EXPECT_EQ(test, world->workloads[1].pieces[0].rate[SIM_CLOCK],
			40ULL << SIM_FRACTION_BITS);
}

static void integrals_equal_counted_events(struct kunit *test)
{
	static const unsigned int workloads[] = { 2, 1, 3, 2, 0, 3 };
	struct world *world = world_create(test, &slow);
	const u64 begin = 123;
	unsigned int stream;

	for (stream = 0; stream < SIM_N_STREAMS; stream++) {
		unsigned int segment = 0;
		u64 tick, seen = 0;

		sim_timeline_init(&world->timeline, begin, &world->workloads[workloads[0]]);
		memset(world->expected, 0, sizeof(world->expected));
		for (tick = begin; tick < begin + 1500; tick++) {
			if (tick > begin && (tick - begin) % 257 == 0) {
				change_workload(world, tick, 0, workloads[++segment]);
				seen = 0;
			}
			sim_timeline_at(&world->timeline, stream, tick, world->sum);
			KUNIT_ASSERT_TRUE_MSG(test, as_expected(world), "stream %u tick %llu",
					      stream, tick);
			count_tick(world, &world->workloads[workloads[segment]], stream, seen++);
		}
	}
}

/* One context uses the GPU alone for a while; then the interrupted workload resumes. */
static void work_interrupts_the_workload(struct kunit *test)
{
	struct world *world = world_create(test, &slow);
	struct sim_timeline *timeline = &world->timeline;
	const struct sim_segment work = { .start = 210, .workload = &world->work, .owner = 3 };
	struct sim_segment after = {
		.start = 240,
		.workload = &world->workloads[2],
		.owner = SIM_GLOBAL,
	};
	unsigned int stream;
	u64 tick;

	for (stream = 0; stream < SIM_N_STREAMS; stream++) {
		sim_timeline_init(timeline, 0, &world->workloads[2]);
		after.skip = sim_segment_skip(sim_timeline_last(timeline), work.start);
		sim_timeline_append(timeline, &work);
		sim_timeline_append(timeline, &after);
		memset(world->expected, 0, sizeof(world->expected));
		for (tick = 0; tick < 1000; tick++) {
			sim_timeline_at(timeline, stream, tick, world->sum);
			KUNIT_ASSERT_TRUE_MSG(test, as_expected(world), "stream %u tick %llu",
					      stream, tick);
			if (tick < 210 || tick >= 240)
				count_tick(world, &world->workloads[2], stream,
					   tick < 210 ? tick : tick - 30);
			else if (counts(stream, work.owner))
				count_tick(world, &world->work, SIM_GLOBAL, 0);
		}
	}
}

static void history_can_be_discarded(struct kunit *test)
{
	struct world *world = world_create(test, &slow);
	unsigned int i, seen = 0;
	u64 tick;

	sim_timeline_init(&world->timeline, 0, &world->workloads[0]);
	for (tick = 0; tick < 3 * SIM_N_SEGMENTS * 40; tick++) {
		i = tick / 40 % SIM_N_WORKLOADS;
		if (tick && tick % 40 == 0) {
			change_workload(world, tick, 0, i);
			seen = 0;
		}
		count_tick(world, &world->workloads[i], 1, seen++);
	}
	sim_timeline_at(&world->timeline, 1, tick, world->sum);
	KUNIT_EXPECT_TRUE(test, as_expected(world));
	KUNIT_EXPECT_EQ(test, world->timeline.n_segments, (unsigned int)SIM_N_SEGMENTS);
}

static void expect_at_cursor(struct kunit *test, u64 tick)
{
	struct world *world = test->priv;
	struct sim_cursor *cursor = &world->cursor;
	unsigned int i;

	for (i = 0; i < SIM_N_SIGNALS; i++)
		world->expected[i] = cursor->sum[i] +
				     (__uint128_t)cursor->rate[i] * (tick - cursor->from);
	sim_timeline_at(&world->timeline, cursor->stream, tick, world->sum);
	KUNIT_ASSERT_TRUE_MSG(test, as_expected(world), "stream %u tick %llu", cursor->stream,
			      tick);
}

/* Advancing step by step leads to the same state as a seek. */
static void cursor_follows_the_timeline(struct kunit *test)
{
	struct world *world = world_create(test, &slow);
	const struct sim_segment work = { .start = 500, .workload = &world->work, .owner = 6 };
	struct sim_cursor *cursor = &world->cursor;
	unsigned int stream;
	u64 tick;

	test->priv = world;
	for (stream = 0; stream < SIM_N_STREAMS; stream++) {
		sim_timeline_init(&world->timeline, 7, &world->workloads[1]);
		change_workload(world, 333, 10, 2);
		sim_timeline_append(&world->timeline, &work);
		change_workload(world, 540, 20, 3);
		sim_cursor_seek(&world->timeline, stream, 9, cursor);
		for (tick = 9; tick < 2000; tick++) {
			if (tick == cursor->to)
				sim_cursor_next(&world->timeline, cursor);
			expect_at_cursor(test, tick);
			KUNIT_ASSERT_EQ(test, cursor->offset,
					sim_timeline_offset(&world->timeline, tick));
			if (tick >= 500 && tick < 540)
				KUNIT_ASSERT_EQ(test, cursor->slot, 6U);
		}
		for (tick = 9; tick < 2000; tick += 17) {
			sim_cursor_seek(&world->timeline, stream, tick, cursor);
			expect_at_cursor(test, tick);
			expect_at_cursor(test, cursor->to);
		}
	}
}

static void timer_fires_on_rising_bit(struct kunit *test)
{
	unsigned int exponent;
	u64 tick, next, offset;

	for (exponent = 0; exponent < 8; exponent++) {
		for (offset = 0; offset < 70; offset += 23) {
			for (tick = 0; tick < 600; tick++) {
				for (next = tick; ((next + offset) & ((2ULL << exponent) - 1)) !=
				     1ULL << exponent; next++)
					;
				KUNIT_ASSERT_EQ(test, next, sim_timer_due(tick, offset, exponent));
			}
		}
	}
	KUNIT_EXPECT_EQ(test, sim_timer_due(1000, 0, 63), 1ULL << 63);
	KUNIT_EXPECT_EQ(test, sim_timer_due(1ULL << 40, 5, 62), (1ULL << 62) - 5);
}

static void timestamp_is_found_in_history(struct kunit *test)
{
	struct world *world = world_create(test, &slow);
	const u64 far = 1ULL << 32, now = 5000;
	const struct sim_timeline *timeline = &world->timeline;
	u64 tick;

	sim_timeline_init(&world->timeline, 1000, &world->workloads[0]);
	KUNIT_EXPECT_EQ(test, sim_timeline_tick(timeline, 1500, 1000, &tick), 0);
	KUNIT_EXPECT_EQ(test, tick, 1000ULL);
	KUNIT_EXPECT_EQ(test, sim_timeline_tick(timeline, 1500, 999, &tick), -ERANGE);
	KUNIT_EXPECT_EQ(test, sim_timeline_tick(timeline, 1500, 1501, &tick), -ERANGE);

	change_workload(world, 2000, 0, 1);
	change_workload(world, 3000, far - 3500, 1);

	/* These timestamps are from before and after the jump. The timestamp wraps at tick 3500. */
	KUNIT_EXPECT_EQ(test, sim_timeline_tick(timeline, now, far - 100, &tick), 0);
	KUNIT_EXPECT_EQ(test, tick, 3400ULL);
	KUNIT_EXPECT_EQ(test, sim_timeline_tick(timeline, now, far + 100, &tick), 0);
	KUNIT_EXPECT_EQ(test, tick, 3600ULL);
	KUNIT_EXPECT_EQ(test, sim_timeline_tick(timeline, now, 100, &tick), 0);
	KUNIT_EXPECT_EQ(test, tick, 3600ULL);
	/* These timestamps are small and can only be from before the jump. */
	KUNIT_EXPECT_EQ(test, sim_timeline_tick(timeline, now, 1600, &tick), 0);
	KUNIT_EXPECT_EQ(test, tick, 1600ULL);
	KUNIT_EXPECT_EQ(test, sim_timeline_tick(timeline, now, 2000, &tick), 0);
	KUNIT_EXPECT_EQ(test, tick, 2000ULL);
	/* These timestamps are inside the jump, and in the future. */
	KUNIT_EXPECT_EQ(test, sim_timeline_tick(timeline, now, 3200, &tick), -ERANGE);
	KUNIT_EXPECT_EQ(test, sim_timeline_tick(timeline, now, far - 501, &tick), -ERANGE);
	KUNIT_EXPECT_EQ(test, sim_timeline_tick(timeline, now, far + 1501, &tick), -ERANGE);
}

/* When work is cut short, the next workload starts at once; earlier segments are unchanged. */
static void aborted_work_advances_next_workload(struct kunit *test)
{
	struct world *world = world_create(test, &slow);
	struct sim_timeline *timeline = &world->timeline;

	sim_timeline_init(timeline, 1000, &world->workloads[0]);
	sim_timeline_hasten(timeline, 10);
	KUNIT_EXPECT_EQ(test, sim_timeline_last(timeline)->start, 1000ULL);

	change_workload(world, 2000, 0, 1);
	change_workload(world, 9000, 0, 2);
	sim_timeline_hasten(timeline, 9001);
	KUNIT_EXPECT_EQ(test, sim_timeline_last(timeline)->start, 9000ULL);
	sim_timeline_hasten(timeline, 3000);
	KUNIT_EXPECT_EQ(test, timeline->n_segments, 3U);
	KUNIT_EXPECT_EQ(test, sim_timeline_last(timeline)->start, 3000ULL);
	KUNIT_EXPECT_PTR_EQ(test, sim_timeline_last(timeline)->workload, &world->workloads[2]);

	/* Work that has not begun is removed. */
	sim_timeline_hasten(timeline, 1500);
	KUNIT_EXPECT_EQ(test, timeline->n_segments, 2U);
	KUNIT_EXPECT_EQ(test, sim_timeline_last(timeline)->start, 2000ULL);
	KUNIT_EXPECT_PTR_EQ(test, sim_timeline_last(timeline)->workload, &world->workloads[2]);
}

static struct kunit_case timeline_cases[] = {
	KUNIT_CASE(segments_cover_workload),
	KUNIT_CASE(streams_share_all_work),
	KUNIT_CASE(loads_are_plausible),
	KUNIT_CASE(clocks_match_workload),
	KUNIT_CASE(slower_gpu_has_slower_clocks),
	KUNIT_CASE(integrals_equal_counted_events),
	KUNIT_CASE(work_interrupts_the_workload),
	KUNIT_CASE(history_can_be_discarded),
	KUNIT_CASE(aborted_work_advances_next_workload),
	KUNIT_CASE(cursor_follows_the_timeline),
	KUNIT_CASE(timer_fires_on_rising_bit),
	KUNIT_CASE(timestamp_is_found_in_history),
	{}
};

static struct kunit_suite timeline_suite = {
	.name = "gpuoa_sim_timeline",
	.test_cases = timeline_cases,
};

kunit_test_suite(timeline_suite);
