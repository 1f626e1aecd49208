// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_sim_timeline.c - the simulator's load model, checked against counting tick by tick.
 */
#include <kunit/test.h>
#include <linux/limits.h>

#include "../sim/sim_scene.h"

#define HSW_FREQUENCY 12500000ULL
#define N_EUS 20

/*
 * A GPU whose clock is so slow that ticks can be counted one by one. 25 of them are a time slot: as
 * with real clocks, slots are longer than the largest power of two that divides their cycle.
 */
#define SLOW_FREQUENCY 10000ULL
#define SLOW_SLOT 25

struct world {
	struct sim_scene scenes[SIM_N_SCENES];
	struct sim_timeline timeline;
	struct sim_cursor cursor;
	__uint128_t sum[SIM_N_SIGNALS];
	__uint128_t expected[SIM_N_SIGNALS];
};

static struct world *world_create(struct kunit *test, u64 frequency)
{
	struct world *world = kunit_kzalloc(test, sizeof(*world), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, world);
	for (i = 0; i < SIM_N_SCENES; i++)
		sim_scene_build(&world->scenes[i], i, frequency, N_EUS);
	return world;
}

static void change_scene(struct world *world, u64 start, u64 offset, unsigned int scene)
{
	struct sim_segment segment = {
		.start = start,
		.offset = offset,
		.scene = &world->scenes[scene],
	};

	sim_timeline_append(&world->timeline, &segment);
}

/* What one more tick brings, looked up in the phases and nowhere else. */
static void count_tick(struct world *world, const struct sim_scene *scene, u64 since_start)
{
	const struct sim_phase *phase = scene->phases;
	unsigned int i;

	for (since_start %= scene->ticks; since_start >= phase->ticks; phase++)
		since_start -= phase->ticks;
	for (i = 0; i < SIM_N_SIGNALS; i++)
		world->expected[i] += phase->rate[i];
}

static bool as_expected(struct world *world)
{
	return !memcmp(world->sum, world->expected, sizeof(world->sum));
}

static bool slot_runs(unsigned int stream, u64 tick)
{
	return stream == SIM_GLOBAL || tick / SLOW_SLOT % SIM_N_SLOTS == stream;
}

static void phases_fill_the_cycle(struct kunit *test)
{
	struct world *world = world_create(test, HSW_FREQUENCY);
	unsigned int s, p, i;

	for (s = 0; s < SIM_N_SCENES; s++) {
		const struct sim_scene *scene = &world->scenes[s];
		u64 ticks = 0, total = 0;

		for (p = 0; p < scene->n_phases; p++) {
			ticks += scene->phases[p].ticks;
			for (i = 0; i < SIM_N_SIGNALS; i++)
				total += scene->phases[p].rate[i] * scene->phases[p].ticks;
		}
		for (i = 0; i < SIM_N_SIGNALS; i++)
			total -= scene->total[i];
		KUNIT_EXPECT_EQ_MSG(test, ticks, scene->ticks, "%s", scene->name);
		KUNIT_EXPECT_EQ_MSG(test, total, 0ULL, "%s", scene->name);
	}
}

static void loads_are_possible(struct kunit *test)
{
	struct world *world = world_create(test, HSW_FREQUENCY);
	unsigned int s, p, i;

	for (s = 0; s < SIM_N_SCENES; s++) {
		for (p = 0; p < world->scenes[s].n_phases; p++) {
			const u64 *rate = world->scenes[s].phases[p].rate;
			u64 clock = rate[SIM_CLOCK], active = 0, stall = 0;

			for (i = 0; i < SIM_N_STAGES; i++) {
				active += rate[SIM_STAGE_ACTIVE(i)];
				stall += rate[SIM_STAGE_STALL(i)];
			}
			KUNIT_EXPECT_GT(test, clock, 0ULL);
			KUNIT_EXPECT_EQ(test, active, rate[SIM_EU_ACTIVE]);
			KUNIT_EXPECT_EQ(test, stall, rate[SIM_EU_STALL]);
			KUNIT_EXPECT_LE(test, active + stall, clock * N_EUS);
			KUNIT_EXPECT_LE(test, rate[SIM_GPU_BUSY], clock);
			KUNIT_EXPECT_LE(test, rate[SIM_PS_KILLED], rate[SIM_DEPTH_FAILS]);
			/* No counter gets more in a clock than there are EUs. */
			for (i = 0; i < SIM_N_SIGNALS; i++)
				KUNIT_EXPECT_LE(test, rate[i], clock * N_EUS);
		}
	}
}

static void clocks_are_those_of_the_scene(struct kunit *test)
{
	struct world *world = world_create(test, HSW_FREQUENCY);

	/* 350 MHz and 1 GHz at 12.5 MHz: 28 and 80 clocks a tick, without a fraction */
	KUNIT_EXPECT_EQ(test, world->scenes[0].phases[0].rate[SIM_CLOCK],
			28ULL << SIM_FRACTION_BITS);
	KUNIT_EXPECT_EQ(test, world->scenes[1].phases[0].rate[SIM_CLOCK],
			80ULL << SIM_FRACTION_BITS);
}

/* Each stream sees each scene begin with the scene, and unroll only while the stream counts. */
static void integrals_equal_counting(struct kunit *test)
{
	static const unsigned int scenes[] = { 2, 1, 3, 2, 0, 3 };
	struct world *world = world_create(test, SLOW_FREQUENCY);
	const u64 begin = 123;
	unsigned int stream;

	for (stream = 0; stream < SIM_N_STREAMS; stream++) {
		unsigned int segment = 0;
		u64 tick, seen = 0;

		sim_timeline_init(&world->timeline, SLOW_SLOT, begin, &world->scenes[scenes[0]]);
		memset(world->expected, 0, sizeof(world->expected));
		for (tick = begin; tick < begin + 1500; tick++) {
			if (tick > begin && (tick - begin) % 257 == 0) {
				change_scene(world, tick, 0, scenes[++segment]);
				seen = 0;
			}
			sim_timeline_at(&world->timeline, stream, tick, world->sum);
			KUNIT_ASSERT_TRUE_MSG(test, as_expected(world), "stream %u tick %llu",
					      stream, tick);
			if (slot_runs(stream, tick))
				count_tick(world, &world->scenes[scenes[segment]], seen++);
		}
	}
}

static void history_may_be_forgotten(struct kunit *test)
{
	struct world *world = world_create(test, SLOW_FREQUENCY);
	unsigned int i, seen = 0;
	u64 tick;

	sim_timeline_init(&world->timeline, SLOW_SLOT, 0, &world->scenes[0]);
	for (tick = 0; tick < 3 * SIM_N_SEGMENTS * 40; tick++) {
		i = tick / 40 % SIM_N_SCENES;
		if (tick && tick % 40 == 0) {
			change_scene(world, tick, 0, i);
			seen = 0;
		}
		if (slot_runs(5, tick))
			count_tick(world, &world->scenes[i], seen++);
	}
	sim_timeline_at(&world->timeline, 5, tick, world->sum);
	KUNIT_EXPECT_TRUE(test, as_expected(world));
	KUNIT_EXPECT_EQ(test, world->timeline.n_segments, (unsigned int)SIM_N_SEGMENTS);
}

static void cursor_follows_the_timeline(struct kunit *test)
{
	struct world *world = world_create(test, SLOW_FREQUENCY);
	struct sim_cursor *cursor = &world->cursor;
	unsigned int stream, i;
	u64 tick, end;

	sim_timeline_init(&world->timeline, SLOW_SLOT, 7, &world->scenes[1]);
	change_scene(world, 333, 0, 2);
	for (stream = 0; stream < SIM_N_STREAMS; stream++) {
		cursor->to = 0;
		for (tick = 333; tick < 2000; tick++) {
			if (sim_stream_active(&world->timeline, stream, tick, &end) != tick)
				continue;
			if (tick >= cursor->to)
				sim_timeline_seek(&world->timeline, stream, tick, cursor);
			for (i = 0; i < SIM_N_SIGNALS; i++)
				world->expected[i] = cursor->sum[i] +
					(__uint128_t)cursor->rate[i] * (tick - cursor->from);
			sim_timeline_at(&world->timeline, stream, tick, world->sum);
			KUNIT_ASSERT_TRUE_MSG(test, as_expected(world), "stream %u tick %llu",
					      stream, tick);
		}
	}
}

static void slots_take_turns(struct kunit *test)
{
	struct world *world = world_create(test, SLOW_FREQUENCY);
	unsigned int stream;
	u64 tick, end, next;

	sim_timeline_init(&world->timeline, SLOW_SLOT, 0, &world->scenes[0]);
	for (stream = 0; stream < SIM_N_STREAMS; stream++) {
		u64 counted = 0;

		for (tick = 0; tick < 400; tick++) {
			KUNIT_ASSERT_EQ(test, counted,
					sim_stream_ticks(&world->timeline, stream, tick));
			for (next = tick; !slot_runs(stream, next); next++)
				;
			KUNIT_ASSERT_EQ(test, next,
					sim_stream_active(&world->timeline, stream, tick, &end));
			if (stream != SIM_GLOBAL) {
				KUNIT_ASSERT_TRUE(test, slot_runs(stream, end - 1));
				KUNIT_ASSERT_FALSE(test, slot_runs(stream, end));
				KUNIT_ASSERT_LE(test, end - next, (u64)SLOW_SLOT);
			}
			counted += slot_runs(stream, tick);
		}
	}
}

static void timer_fires_when_its_bit_rises(struct kunit *test)
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

static void timer_of_a_context_waits_for_its_slot(struct kunit *test)
{
	struct world *world = world_create(test, SLOW_FREQUENCY);
	unsigned int stream, exponent;
	u64 tick, next;

	sim_timeline_init(&world->timeline, SLOW_SLOT, 0, &world->scenes[0]);
	for (stream = 0; stream < SIM_N_STREAMS; stream += 3) {
		for (exponent = 0; exponent < 7; exponent++) {
			for (tick = 0; tick < 300; tick++) {
				next = tick;
				while (sim_timer_due(next, 0, exponent) != next ||
				       !slot_runs(stream, next))
					next++;
				KUNIT_ASSERT_EQ(test, next,
						sim_stream_due(&world->timeline, stream, tick,
							       exponent));
			}
		}
	}
	KUNIT_EXPECT_GE(test, sim_stream_due(&world->timeline, 1, 5, 62), 1ULL << 62);
	KUNIT_EXPECT_GE(test, sim_stream_due(&world->timeline, 1, 5, 63), 1ULL << 62);
}

static void timestamps_are_found_in_the_history(struct kunit *test)
{
	struct world *world = world_create(test, SLOW_FREQUENCY);
	const u64 far = 1ULL << 32, now = 5000;
	const struct sim_timeline *timeline = &world->timeline;
	u64 tick;

	sim_timeline_init(&world->timeline, SLOW_SLOT, 1000, &world->scenes[0]);
	KUNIT_EXPECT_EQ(test, sim_timeline_tick(timeline, 1500, 1000, &tick), 0);
	KUNIT_EXPECT_EQ(test, tick, 1000ULL);
	KUNIT_EXPECT_EQ(test, sim_timeline_tick(timeline, 1500, 999, &tick), -ERANGE);
	KUNIT_EXPECT_EQ(test, sim_timeline_tick(timeline, 1500, 1501, &tick), -ERANGE);

	change_scene(world, 2000, 0, 1);
	change_scene(world, 3000, far - 3500, 1);

	/* Before the jump, and after it, where the timestamp wraps at tick 3500. */
	KUNIT_EXPECT_EQ(test, sim_timeline_tick(timeline, now, far - 100, &tick), 0);
	KUNIT_EXPECT_EQ(test, tick, 3400ULL);
	KUNIT_EXPECT_EQ(test, sim_timeline_tick(timeline, now, far + 100, &tick), 0);
	KUNIT_EXPECT_EQ(test, tick, 3600ULL);
	KUNIT_EXPECT_EQ(test, sim_timeline_tick(timeline, now, 100, &tick), 0);
	KUNIT_EXPECT_EQ(test, tick, 3600ULL);
	/* A small number that can only be an old moment. */
	KUNIT_EXPECT_EQ(test, sim_timeline_tick(timeline, now, 1600, &tick), 0);
	KUNIT_EXPECT_EQ(test, tick, 1600ULL);
	KUNIT_EXPECT_EQ(test, sim_timeline_tick(timeline, now, 2000, &tick), 0);
	KUNIT_EXPECT_EQ(test, tick, 2000ULL);
	/* In the jump, in the future. */
	KUNIT_EXPECT_EQ(test, sim_timeline_tick(timeline, now, 3200, &tick), -ERANGE);
	KUNIT_EXPECT_EQ(test, sim_timeline_tick(timeline, now, far - 501, &tick), -ERANGE);
	KUNIT_EXPECT_EQ(test, sim_timeline_tick(timeline, now, far + 1501, &tick), -ERANGE);
}

static struct kunit_case timeline_cases[] = {
	KUNIT_CASE(phases_fill_the_cycle),
	KUNIT_CASE(loads_are_possible),
	KUNIT_CASE(clocks_are_those_of_the_scene),
	KUNIT_CASE(integrals_equal_counting),
	KUNIT_CASE(history_may_be_forgotten),
	KUNIT_CASE(cursor_follows_the_timeline),
	KUNIT_CASE(slots_take_turns),
	KUNIT_CASE(timer_fires_when_its_bit_rises),
	KUNIT_CASE(timer_of_a_context_waits_for_its_slot),
	KUNIT_CASE(timestamps_are_found_in_the_history),
	{}
};

static struct kunit_suite timeline_suite = {
	.name = "gpuoa_sim_timeline",
	.test_cases = timeline_cases,
};

kunit_test_suite(timeline_suite);
