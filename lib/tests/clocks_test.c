// SPDX-License-Identifier: MIT
/*
 * clocks_test.c - Test conversion between GPU time and CPU time. Clock pairs with error bounds are
 * the input; simulated clocks are the reference.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <time.h>

#include "base/nsec.h"
#include "gpuoa-query.h"
#include "gpuoa-time.h"
#include "tap.h"

#define HZ 12500000 /* nominal */
#define TICK_NS 80
#define PI 3.14159265358979323846L
#define START_NS (500 * NSEC_PER_SEC)
#define START_TICKS UINT64_C(0x123456789)
#define HOUR 3600

/* Reproducible random numbers */
static uint64_t random_state = 1;

static uint64_t random_below(uint64_t limit)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (random_state >> 33) % limit;
}

/*
 * Return the GPU's clock in ticks after START_TICKS. @ns: time after START_NS. The clock is 31.7
 * ppm too fast; thermal variation adds up to 0.8 ppm, with a period of 20 minutes
 */
static long double reference(long double ns)
{
	const long double w = 2 * PI / (1200.0L * NSEC_PER_SEC);

	return (ns * (1 + 31.7e-6L) + 0.8e-6L * (1 - cosl(ns * w)) / w) * HZ / NSEC_PER_SEC;
}

/* Return a clock pair that has a random error of at most @error. */
static struct gpuoa_clock_pair pair_at(uint64_t ns, uint32_t error)
{
	const int64_t wrong = (int64_t)random_below(2ULL * error + 1) - error;

	return (struct gpuoa_clock_pair){
		.gpu_ticks = START_TICKS + (uint64_t)reference((long double)ns),
		.cpu_ns = START_NS + ns + (uint64_t)wrong,
		.clock_id = CLOCK_MONOTONIC,
		.error_ns = error,
	};
}

static struct gpuoa_time *new_time(void)
{
	struct gpuoa_time *time = NULL;

	CHECK(!gpuoa_time_open(HZ, &time));
	return time;
}

/* Add a clock pair for each second from @from to @to - 1. */
static void add_seconds(struct gpuoa_time *time, uint64_t from, uint64_t to)
{
	for (uint64_t s = from; s < to; s++) {
		const struct gpuoa_clock_pair pair = pair_at(s * NSEC_PER_SEC, 300);

		CHECK(!gpuoa_time_add(time, &pair));
	}
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* Returns whether the conversion is within its error bound, and that bound is at most @limit. */
static bool is_right(const struct gpuoa_time *time, uint64_t ns, uint64_t limit)
{
	const uint64_t ticks = START_TICKS + (uint64_t)reference((long double)ns);
	uint64_t found, error, back, back_error;

	if (gpuoa_time_to_cpu(time, CLOCK_MONOTONIC, ticks, &found, &error) ||
	    gpuoa_time_to_gpu(time, CLOCK_MONOTONIC, START_NS + ns, &back, &back_error))
		return false;
	return error <= limit && distance(found, START_NS + ns) <= error + TICK_NS &&
	       distance(back, ticks) <= back_error + 1;
}

static void conversion_without_pair_returns_enodata(void)
{
	struct gpuoa_time *time = new_time();
	struct gpuoa_clock_pair pair = pair_at(0, 100);
	uint64_t ns;
	double hz;

	CHECK(gpuoa_time_open(0, &time) == -EINVAL);
	CHECK(gpuoa_time_to_cpu(time, CLOCK_MONOTONIC, 0, &ns, NULL) == -ENODATA);
	CHECK(gpuoa_time_to_gpu(time, CLOCK_MONOTONIC, 0, &ns, NULL) == -ENODATA);
	CHECK(!gpuoa_time_add(time, &pair));
	CHECK(gpuoa_time_to_cpu(time, CLOCK_BOOTTIME, 0, &ns, NULL) == -ENODATA);
	CHECK(gpuoa_time_rate(time, CLOCK_MONOTONIC, &hz, NULL) == -ENODATA);
	for (int id = 100; id < 115; id++) {
		pair.clock_id = id;
		CHECK(!gpuoa_time_add(time, &pair));
	}
	pair.clock_id = 200;
	CHECK(gpuoa_time_add(time, &pair) == -ENOSPC);
	gpuoa_time_close(time);
	gpuoa_time_close(NULL);
}

static void conversion_works_with_one_pair(void)
{
	struct gpuoa_time *time = new_time();
	const struct gpuoa_clock_pair pair = {
		.gpu_ticks = 1000, .cpu_ns = 5000000, .error_ns = 20, .clock_id = CLOCK_BOOTTIME
	};
	uint64_t value, error;

	CHECK(!gpuoa_time_add(time, &pair));
	CHECK(!gpuoa_time_to_cpu(time, CLOCK_BOOTTIME, 1000, &value, &error));
	CHECK(value == 5000000 && error == 20 + TICK_NS);
	CHECK(!gpuoa_time_to_cpu(time, CLOCK_BOOTTIME, 1010, &value, &error) && value == 5000800);
	CHECK(!gpuoa_time_to_cpu(time, CLOCK_BOOTTIME, 990, &value, &error) && value == 4999200);
	CHECK(!gpuoa_time_to_gpu(time, CLOCK_BOOTTIME, 5000800, &value, &error) && value == 1010);
	CHECK(!gpuoa_time_to_gpu(time, CLOCK_BOOTTIME, 5000799, &value, &error) && value == 1009);
	CHECK(!gpuoa_time_to_gpu(time, CLOCK_BOOTTIME, 4999200, &value, &error) && value == 990);
	CHECK(error == 2);
	/* 500 ppm of a second */
	CHECK(!gpuoa_time_to_cpu(time, CLOCK_BOOTTIME, 1000 + HZ, &value, &error));
	CHECK(value == 5000000 + NSEC_PER_SEC && error == 100 + 500000);
	/* Convert times before the CPU's clock started, and times that would overflow it. */
	CHECK(gpuoa_time_to_gpu(time, CLOCK_BOOTTIME, 0, &value, &error) == -ERANGE);
	CHECK(gpuoa_time_to_cpu(time, CLOCK_BOOTTIME, UINT64_MAX, &value, &error) == -ERANGE);
	gpuoa_time_close(time);
}

/* A GPU time may be a tick early; the tick is rounded up to ns. */
static void bound_includes_a_whole_tick(void)
{
	static const struct {
		uint64_t hz;
		uint64_t tick_ns;
	} clocks[] = { { 19200000, 53 }, { 12500000, 80 }, { 1000000000, 1 }, { 999999999, 2 },
		       { 500000000, 2 }, { 500000001, 2 }, { 2000000000, 1 }, { 1, 1000000000 } };
	const struct gpuoa_clock_pair pair = { .gpu_ticks = 7, .cpu_ns = 900, .error_ns = 20 };

	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
		struct gpuoa_time *time;
		uint64_t ns, error = 0;

		REQUIRE(!gpuoa_time_open(clocks[i].hz, &time));
		CHECK(!gpuoa_time_add(time, &pair));
		CHECK(!gpuoa_time_to_cpu(time, 0, 7, &ns, &error));
		CHECK(ns == 900 && error == 20 + clocks[i].tick_ns);
		gpuoa_time_close(time);
	}
}

static void frequency_includes_measured_drift(void)
{
	struct gpuoa_time *time = new_time();
	double hz, error;

	add_seconds(time, 0, 60);
	REQUIRE(!gpuoa_time_rate(time, CLOCK_MONOTONIC, &hz, &error));
	/* The GPU's clock is 31.7 ppm too fast; the tolerance covers its thermal variation. */
	CHECK(fabs(hz - HZ * (1 + 31.7e-6)) < HZ * 0.3e-6);
	CHECK(error < HZ * 0.02e-6);
	/*
	 * One second after the last pair, the error bound is that of the pair, 2 ppm of the second,
	 * and the uncertainty of the rate.
	 */
	CHECK(is_right(time, 60 * NSEC_PER_SEC, 380 + 2000 + 30));
	CHECK(is_right(time, 58 * NSEC_PER_SEC + NSEC_PER_SEC / 2, 380 + 1000));
	CHECK(is_right(time, 30 * NSEC_PER_SEC + NSEC_PER_SEC / 4, 380 + 500));
	gpuoa_time_close(time);
}

static void pairs_are_accepted_in_any_order(void)
{
	struct gpuoa_time *in_order = new_time(), *shuffled = new_time();
	struct gpuoa_clock_pair pairs[20];
	uint64_t a, b;

	for (int i = 0; i < 20; i++)
		pairs[i] = pair_at((uint64_t)i * NSEC_PER_SEC, 300);
	for (int i = 0; i < 20; i++)
		CHECK(!gpuoa_time_add(in_order, &pairs[i]) &&
		      !gpuoa_time_add(shuffled, &pairs[i * 7 % 20]));
	for (uint64_t ticks = START_TICKS; ticks < START_TICKS + 22ULL * HZ; ticks += HZ / 3) {
		CHECK(!gpuoa_time_to_cpu(in_order, CLOCK_MONOTONIC, ticks, &a, NULL));
		CHECK(!gpuoa_time_to_cpu(shuffled, CLOCK_MONOTONIC, ticks, &b, NULL));
		CHECK(a == b);
	}
	gpuoa_time_close(in_order);
	gpuoa_time_close(shuffled);
}

/* The CPU was interrupted while it sampled the clock, so the bound is wide. */
static void pair_with_wide_bound_keeps_precision(void)
{
	for (uint64_t late = 0; late < 10; late++) {
		struct gpuoa_time *time = new_time();
		struct gpuoa_clock_pair wide = pair_at(late * NSEC_PER_SEC + 1000, 5000000);

		wide.cpu_ns = START_NS + late * NSEC_PER_SEC + 4900000;
		add_seconds(time, 0, late);
		CHECK(!gpuoa_time_add(time, &wide));
		if (late > 1)
			CHECK(is_right(time, late * NSEC_PER_SEC + 1000, 4000));
		add_seconds(time, late + 1, 10);
		for (uint64_t ms = 0; ms < 12000; ms += 50)
			CHECK(is_right(time, ms * NSEC_PER_MSEC,
				       ms < 1000 * late ? 3000 : 1600000));
		for (uint64_t ms = 1000 * (late + 2); ms < 9000; ms += 50)
			CHECK(is_right(time, ms * NSEC_PER_MSEC, 3000));
		gpuoa_time_close(time);
	}
}

/* ---- error bounds, computed by hand ---------------------------------------------------------- */

#define FIRST_NS (10 * NSEC_PER_SEC)

/* Add a pair @ticks after the first one. The bound of a pair includes the tick of 80 ns. */
static void add_pair(struct gpuoa_time *time, uint64_t ticks, uint64_t ns, uint32_t bound)
{
	const struct gpuoa_clock_pair pair = {
		.gpu_ticks = 2ULL * HZ + ticks,
		.cpu_ns = FIRST_NS + ns,
		.error_ns = bound - TICK_NS,
	};

	CHECK(!gpuoa_time_add(time, &pair));
}

/* Returns whether a time @ticks after the first pair is @ns after it, with this error bound. */
static bool converts(const struct gpuoa_time *time, int64_t ticks, int64_t ns, uint64_t bound)
{
	uint64_t found, error;

	if (gpuoa_time_to_cpu(time, 0, 2ULL * HZ + (uint64_t)ticks, &found, &error))
		return false;
	if (found != FIRST_NS + (uint64_t)ns || error != bound)
		printf("# %" PRId64 " ns, bound %" PRIu64 "\n", (int64_t)(found - FIRST_NS), error);
	return found == FIRST_NS + (uint64_t)ns && error == bound;
}

/* The pairs are a second apart; the CPU's clock advances by 1 ppm more than the nominal time. */
static void bound_is_the_larger_one_plus_drift_from_the_nearer_pair(void)
{
	struct gpuoa_time *time = new_time();
	uint64_t ticks, error;

	add_pair(time, 0, 0, 100);
	add_pair(time, HZ, NSEC_PER_SEC + 1000, 300);
	CHECK(converts(time, 0, 0, 100));
	CHECK(converts(time, HZ, NSEC_PER_SEC + 1000, 300));
	CHECK(converts(time, HZ / 4, 250000250, 300 + 501));
	CHECK(converts(time, 3 * HZ / 4, 750000750, 300 + 501));
	CHECK(converts(time, HZ / 2, 500000500, 300 + 1001));
	CHECK(!gpuoa_time_to_gpu(time, 0, FIRST_NS + 250000250, &ticks, &error));
	/* 801 ns are 10.01 ticks, and the current tick is not over. */
	CHECK(ticks == 2ULL * HZ + HZ / 4 && error == 10 + 1);
	gpuoa_time_close(time);
}

static void bound_beyond_the_pairs_grows_with_the_error_of_the_rate(void)
{
	struct gpuoa_time *time = new_time();

	add_pair(time, 0, 0, 100);
	add_pair(time, HZ, NSEC_PER_SEC + 1000, 300);
	/* 400 ns of a second, and 2 ppm */
	CHECK(converts(time, 2 * HZ, 2 * NSEC_PER_SEC + 2000, 300 + 400 + 2001));
	CHECK(converts(time, -HZ, -(int64_t)NSEC_PER_SEC - 1000, 100 + 400 + 2001));
	CHECK(converts(time, HZ + 1000, NSEC_PER_SEC + 81000, 300 + 1 + 1));
	/* Results are rounded toward the past, also before the first pair. */
	CHECK(converts(time, -1000, -80001, 100 + 1 + 1));
	gpuoa_time_close(time);
}

/* Next to a pair with a narrow bound, the nominal rate is more precise than the other pair. */
static void nominal_rate_is_used_if_it_is_more_precise(void)
{
	for (int i = 0; i < 2; i++) {
		struct gpuoa_time *time = new_time();

		add_pair(time, 0, 0, i ? 100 : 1000000);
		add_pair(time, HZ, NSEC_PER_SEC + 1000, i ? 1000000 : 100);
		if (i) {
			CHECK(converts(time, 1000, 80000, 100 + 40));
			CHECK(converts(time, HZ, NSEC_PER_SEC, 100 + 500000));
		} else {
			CHECK(converts(time, HZ - 1000, NSEC_PER_SEC + 1000 - 80000, 100 + 40));
			CHECK(converts(time, 1, 1080, 100 + 500000));
		}
		gpuoa_time_close(time);
	}
}

/* A clock was stepped if the rate is more than 500 ppm off, beyond the errors of the pairs. */
static void step_of_a_clock_is_detected_beyond_the_tolerance(void)
{
	for (int64_t sign = -1; sign <= 1; sign += 2)
		for (int64_t more = 0; more < 2; more++) {
			const int64_t off = 500400 + more, ns = (int64_t)NSEC_PER_SEC + sign * off;
			struct gpuoa_time *time = new_time();

			add_pair(time, 0, 0, 100);
			add_pair(time, HZ, (uint64_t)ns, 300);
			CHECK(converts(time, HZ, ns, 300 + (uint64_t)(more ? off : 0)));
			/* After a step, the nominal rate is used. */
			if (more)
				CHECK(converts(time, 2 * HZ, ns + (int64_t)NSEC_PER_SEC,
					       300 + 500000));
			gpuoa_time_close(time);
		}
}

/* Between pairs with bounds of 100 and 300 ns, the bound of the middle is 300 + 1001 ns. */
static void redundant_pair_is_dropped(void)
{
	static const struct {
		int64_t off;
		uint32_t bound;
		bool dropped;
	} pairs[] = {
		{ 0, 1301, true },     { 0, 1300, false },    { 3301, 2000, true },
		{ -3301, 2000, true }, { 3302, 2000, false }, { -3302, 2000, false },
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		for (int last = 0; last < 2; last++) {
			const uint64_t ns = (uint64_t)(500000500 + pairs[i].off);
			struct gpuoa_time *time = new_time();

			add_pair(time, 0, 0, 100);
			if (!last)
				add_pair(time, HZ / 2, ns, pairs[i].bound);
			add_pair(time, HZ, NSEC_PER_SEC + 1000, 300);
			if (last)
				add_pair(time, HZ / 2, ns, pairs[i].bound);
			if (pairs[i].dropped)
				CHECK(converts(time, HZ / 2, 500000500, 1301));
			else
				CHECK(converts(time, HZ / 2, (int64_t)ns, pairs[i].bound));
			gpuoa_time_close(time);
		}
}

static void pair_of_the_same_time_replaces_one_with_a_wider_bound(void)
{
	struct gpuoa_time *time = new_time();

	add_pair(time, 0, 0, 1000);
	add_pair(time, 0, 7, 1000);
	CHECK(converts(time, 0, 0, 1000));
	add_pair(time, 0, 7, 999);
	CHECK(converts(time, 0, 7, 999));
	add_pair(time, 0, 9, 1001);
	CHECK(converts(time, 0, 7, 999));
	gpuoa_time_close(time);
}

/*
 * The GPU's clock is 10 ppm too fast in the first half of a minute, and 10 ppm too slow in the
 * second one. Return the measured rate in ppm. @more: ns by which the time is longer
 */
static double rate_over_minute(uint64_t more, uint32_t first_bound)
{
	struct gpuoa_time *time = new_time();
	double hz = 0, error_hz;

	add_pair(time, 0, 0, first_bound);
	add_pair(time, 30ULL * HZ, 30 * NSEC_PER_SEC - 300000, 100);
	add_pair(time, 60ULL * HZ, 60 * NSEC_PER_SEC + more, 100);
	CHECK(!gpuoa_time_rate(time, 0, &hz, &error_hz));
	gpuoa_time_close(time);
	return (hz / HZ - 1) * 1e6;
}

/* Of two equally precise rates, the one of the later pairs is used. */
static void rate_is_that_of_the_nearer_pair_if_equally_precise(void)
{
	struct gpuoa_time *time = new_time();
	double hz = 0, error_hz = 0;

	add_pair(time, 0, 0, 300);
	add_pair(time, 30ULL * HZ + 3750, 30 * NSEC_PER_SEC, 100);
	add_pair(time, 60ULL * HZ, 60 * NSEC_PER_SEC, 100);
	CHECK(!gpuoa_time_rate(time, 0, &hz, &error_hz));
	CHECK(fabs((hz / HZ - 1) * 1e6 + 10) < 0.01);
	CHECK(fabs(error_hz - hz * 200 / (30.0 * NSEC_PER_SEC)) < 1e-6);
	CHECK(!gpuoa_time_rate(time, 0, &hz, NULL));
	gpuoa_time_close(time);
}

/* Twice the time allows for twice the error. */
static void rate_is_that_of_the_most_precise_minute(void)
{
	CHECK(fabs(rate_over_minute(0, 100)) < 0.01);
	CHECK(fabs(rate_over_minute(0, 299)) < 0.01);
	CHECK(fabs(rate_over_minute(0, 300) + 10) < 0.01);
	CHECK(fabs(rate_over_minute(1, 100) + 10) < 0.01);
}

/* These jumps occur if CLOCK_REALTIME is set, or because CLOCK_MONOTONIC stops during suspend. */
static void clock_jump_widens_bound(void)
{
	struct gpuoa_time *time = new_time();
	const struct gpuoa_clock_pair pairs[] = {
		{ .gpu_ticks = 0, .cpu_ns = NSEC_PER_SEC },
		{ .gpu_ticks = HZ, .cpu_ns = 2 * NSEC_PER_SEC },
		{ .gpu_ticks = 2 * HZ, .cpu_ns = 10 * NSEC_PER_SEC },
		{ .gpu_ticks = 3 * HZ, .cpu_ns = 11 * NSEC_PER_SEC },
	};
	uint64_t ns, error;

	for (int i = 0; i < 4; i++)
		CHECK(!gpuoa_time_add(time, &pairs[i]));
	CHECK(!gpuoa_time_to_cpu(time, 0, HZ / 2, &ns, &error));
	CHECK(ns == 3 * NSEC_PER_SEC / 2 && error < 2000);
	CHECK(!gpuoa_time_to_cpu(time, 0, 3 * HZ / 2, &ns, &error));
	CHECK(ns >= 2 * NSEC_PER_SEC && ns <= 10 * NSEC_PER_SEC);
	CHECK(error >= 7ULL * NSEC_PER_SEC);
	CHECK(!gpuoa_time_to_cpu(time, 0, 5 * HZ / 2, &ns, &error));
	CHECK(ns == 21 * NSEC_PER_SEC / 2 && error < 2000);
	CHECK(!gpuoa_time_to_cpu(time, 0, 4 * HZ, &ns, &error) && ns == 12 * NSEC_PER_SEC);
	gpuoa_time_close(time);
}

/* CLOCK_REALTIME is set back to the time of the previous pair: the rate between both is not 0. */
static void clock_set_back_between_pairs_advances_at_the_nominal_rate(void)
{
	struct gpuoa_time *time = new_time();
	const struct gpuoa_clock_pair pairs[] = {
		{ .gpu_ticks = 0, .cpu_ns = NSEC_PER_SEC },
		{ .gpu_ticks = HZ, .cpu_ns = NSEC_PER_SEC },
	};
	uint64_t ns, error;
	double hz;

	for (int i = 0; i < 2; i++)
		CHECK(!gpuoa_time_add(time, &pairs[i]));
	CHECK(!gpuoa_time_to_cpu(time, 0, HZ / 2, &ns, &error));
	CHECK(ns == 3 * NSEC_PER_SEC / 2 && error >= NSEC_PER_SEC);
	CHECK(gpuoa_time_rate(time, 0, &hz, NULL) == -ENODATA);
	gpuoa_time_close(time);
}

/* Clock pairs of a whole day; the library thins those of the first hours to one every 8 s. */
static void day_of_pairs_uses_bounded_memory(void)
{
	struct gpuoa_time *time = new_time();

	add_seconds(time, 0, 100000);
	for (uint64_t s = 0; s < 99000; s += 777)
		CHECK(is_right(time, s * NSEC_PER_SEC + NSEC_PER_SEC / 3, 380 + 8000));
	gpuoa_time_close(time);
}

#define EXPONENT 5
#define PERIOD (2ULL << EXPONENT)

/* Returns the time of a timer report of Haswell; its 32-bit timestamp wraps every 344 s. */
static uint64_t report_ticks(uint64_t ticks, uint64_t near)
{
	const uint32_t report[64] = { 1, (uint32_t)ticks };

	return gpuoa_report_ticks(GPUOA_REPORT_A45_B8_C8, report, near);
}

/*
 * Batches start and end at random times within an hour. Find the first timer report after each of
 * these times, as a program does that knows only the CPU times, the clock pairs up to the present,
 * and the reports.
 */
static void batch_times_map_to_reports_for_an_hour(void)
{
	struct gpuoa_time *live = new_time(), *recorded = new_time();
	uint64_t worst_live = 0, worst_recorded = 0, worst_back = 0;
	const uint64_t seed = random_state;

	add_seconds(recorded, 0, HOUR + 1);
	random_state = seed;
	add_seconds(live, 0, 2);
	for (uint64_t s = 2; s < HOUR; s++) {
		add_seconds(live, s, s + 1);
		for (int batch = 0; batch < 20; batch++) {
			const uint64_t ns = s * NSEC_PER_SEC + random_below(NSEC_PER_SEC);
			const uint64_t ticks = START_TICKS + (uint64_t)reference((long double)ns);
			const uint64_t next = (ticks / PERIOD + 1) * PERIOD;
			uint64_t a, b, c, near;

			REQUIRE(!gpuoa_time_to_gpu(live, CLOCK_MONOTONIC, START_NS + ns, &a, NULL));
			REQUIRE(!gpuoa_time_to_gpu(recorded, CLOCK_MONOTONIC, START_NS + ns, &b,
						   NULL));
			near = START_TICKS + s * HZ;
			REQUIRE(report_ticks(next, near) == next);
			worst_live = fmax(worst_live, distance((a / PERIOD + 1) * PERIOD, next));
			worst_recorded =
				fmax(worst_recorded, distance((b / PERIOD + 1) * PERIOD, next));
			REQUIRE(!gpuoa_time_to_cpu(live, CLOCK_MONOTONIC, ticks, &c, NULL));
			worst_back = fmax(worst_back, distance(c, START_NS + ns));
		}
	}
	CHECK(worst_live <= PERIOD);
	CHECK(worst_recorded <= PERIOD);
	CHECK(worst_back <= PERIOD * TICK_NS / 2);
	gpuoa_time_close(live);
	gpuoa_time_close(recorded);
}

static void ticks_rescale_converts_command_ticks(void)
{
	CHECK(gpuoa_ticks_rescale(19200000, 19200000, 12500000) == 12500000);
	/*
	 * On DG2, the OA clock either runs 8 times as fast as the command streamer's clock or
	 * equally fast.
	 */
	CHECK(gpuoa_ticks_rescale(UINT64_C(1) << 60, 1, 8) == UINT64_C(1) << 63);
	CHECK(gpuoa_ticks_rescale(UINT64_C(1) << 62, 1, 8) == UINT64_MAX);
	CHECK(gpuoa_ticks_rescale(7, 2, 1) == 3);
	CHECK(gpuoa_ticks_rescale(7, 0, 1) == 0);
}

int main(void)
{
	RUN(conversion_without_pair_returns_enodata);
	RUN(conversion_works_with_one_pair);
	RUN(bound_includes_a_whole_tick);
	RUN(frequency_includes_measured_drift);
	RUN(pairs_are_accepted_in_any_order);
	RUN(pair_with_wide_bound_keeps_precision);
	RUN(bound_is_the_larger_one_plus_drift_from_the_nearer_pair);
	RUN(bound_beyond_the_pairs_grows_with_the_error_of_the_rate);
	RUN(nominal_rate_is_used_if_it_is_more_precise);
	RUN(step_of_a_clock_is_detected_beyond_the_tolerance);
	RUN(redundant_pair_is_dropped);
	RUN(pair_of_the_same_time_replaces_one_with_a_wider_bound);
	RUN(rate_is_that_of_the_nearer_pair_if_equally_precise);
	RUN(rate_is_that_of_the_most_precise_minute);
	RUN(clock_jump_widens_bound);
	RUN(clock_set_back_between_pairs_advances_at_the_nominal_rate);
	RUN(day_of_pairs_uses_bounded_memory);
	RUN(batch_times_map_to_reports_for_an_hour);
	RUN(ticks_rescale_converts_command_ticks);
	return tap_end();
}
