/* SPDX-License-Identifier: MIT */
/*
 * wait.h - waits for conditions, with limits that grow where everything takes longer.
 *
 * The machine may be emulated, have all of a debug kernel's checks, and be busy with other things.
 * A test that sleeps for so long and then expects something fails there for no reason: it shall
 * wait until it is so. Nothing but a hang runs into the limits.
 */
#ifndef GPUOA_SELFTEST_WAIT_H
#define GPUOA_SELFTEST_WAIT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* How long WAIT_UNTIL() waits where the slowness is 1 */
#define WAIT_LIMIT_MS 20000

/*
 * How many times as long as in an idle, emulated guest with a stock kernel things take here; 1 or
 * more. scripts/run-tests.sh measures it before each program.
 */
static inline unsigned int slowness(void)
{
	const char *measured = getenv("GPUOA_SLOWNESS");
	const int n = measured ? atoi(measured) : 1;

	return n > 1 ? n : 1;
}

/*
 * How many times to try what goes wrong by chance: @often where the slowness is 1, and a quarter of
 * that where it is 4 or more, as on a debug kernel.
 */
static inline unsigned int rounds_of(unsigned int often)
{
	return often / (slowness() < 4 ? slowness() : 4);
}

/*
 * Do the clocks count the instructions of the guest's only CPU? Then nobody is ever late because
 * the host has other things to do.
 */
static inline bool virtual_time(void)
{
	const char *says = getenv("GPUOA_VIRTUAL_TIME");

	return says && *says;
}

/* A limit of @ms where the slowness is 1; for limits only, never for what is measured. */
static inline int patient_ms(unsigned int ms)
{
	return ms * slowness();
}

static inline uint64_t wait_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ULL + now.tv_nsec / 1000000;
}

/* Between two looks at a condition: false when it is time to give up. */
static inline bool wait_goes_on(uint64_t begin)
{
	usleep(1000);
	return wait_now_ms() - begin < (uint64_t)patient_ms(WAIT_LIMIT_MS);
}

/* Look at @condition once a millisecond until it holds: whether it does in the end. */
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
