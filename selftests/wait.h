/* SPDX-License-Identifier: MIT */
/*
 * wait.h - waits for conditions, with timeouts scaled to the speed of the machine.
 *
 * The machine may be emulated, run a debug kernel, or be busy. A test that sleeps for a fixed time
 * and then checks a condition fails on such a machine. Tests therefore wait for conditions; only a
 * hang reaches the timeout.
 */
#ifndef GPUOA_SELFTEST_WAIT_H
#define GPUOA_SELFTEST_WAIT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Timeout of WAIT_UNTIL() if timeout_scale() is 1 */
#define WAIT_LIMIT_MS 20000

/*
 * Factor by which this machine is slower than an idle emulated guest with a stock kernel, at least
 * 1. scripts/run-tests.sh measures it before each program.
 */
static inline unsigned int timeout_scale(void)
{
	const char *measured = getenv("GPUOA_TIMEOUT_SCALE");
	const int n = measured ? atoi(measured) : 1;

	return n > 1 ? n : 1;
}

/*
 * Get the number of rounds for tests of races: @often if timeout_scale() is 1, a quarter if it is 4
 * or more, as on a debug kernel.
 */
static inline unsigned int scaled_rounds(unsigned int often)
{
	return often / (timeout_scale() < 4 ? timeout_scale() : 4);
}

/*
 * Check whether time is virtual: the clocks count instructions of the guest's only CPU, so host
 * load delays nothing.
 */
static inline bool virtual_time(void)
{
	const char *says = getenv("GPUOA_VIRTUAL_TIME");

	return says && *says;
}

/* Scale a timeout of @ms by timeout_scale(); not for measured intervals. */
static inline int scaled_ms(unsigned int ms)
{
	return ms * timeout_scale();
}

static inline uint64_t wait_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ULL + now.tv_nsec / 1000000;
}

/* Sleep before the next check of a condition. Return false on timeout. */
static inline bool wait_goes_on(uint64_t begin)
{
	usleep(1000);
	return wait_now_ms() - begin < (uint64_t)scaled_ms(WAIT_LIMIT_MS);
}

/* Check @condition every millisecond until it is true. Return false on timeout. */
#define WAIT_UNTIL(condition)                                      \
	({                                                         \
		const uint64_t wait_begin = wait_now_ms();         \
		bool wait_holds = (condition);                     \
                                                                   \
		while (!wait_holds) {                              \
			bool wait_more = wait_goes_on(wait_begin); \
			wait_holds = (condition);                  \
			if (!wait_more)                            \
				break;                             \
		}                                                  \
		wait_holds;                                        \
	})

#endif
