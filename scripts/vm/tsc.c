// SPDX-License-Identifier: MIT
/*
 * tsc.c - print the frequency of the time stamp counter in kHz, for emulated CPUs
 *
 * Otherwise, a virtual machine measures the frequency with a timer at boot. On a busy host, the
 * result may be wrong by a factor of five, and then the clock of the virtual machine is wrong by
 * the same factor.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include <x86intrin.h>

#define TRIES 32
#define NSEC_PER_SEC 1000000000LL

struct moment {
	uint64_t ticks;
	int64_t ns;
};

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * NSEC_PER_SEC + time.tv_nsec;
}

/* Of several readings of both clocks, use the one that took the shortest time. */
static struct moment measure(void)
{
	struct moment best = { 0 };
	uint64_t shortest = UINT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		const uint64_t before = __rdtsc();
		const int64_t ns = now();
		const uint64_t after = __rdtsc();

		if (after - before >= shortest)
			continue;
		shortest = after - before;
		best = (struct moment){ before + shortest / 2, ns };
	}
	return best;
}

int main(void)
{
	const struct timespec pause = { .tv_nsec = 50000000 };
	struct moment first, last;

	first = measure();
	nanosleep(&pause, NULL);
	last = measure();
	printf("%.0f\n", (double)(last.ticks - first.ticks) * 1e6 /
				 (double)(last.ns - first.ns));
	return 0;
}
