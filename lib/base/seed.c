// SPDX-License-Identifier: MIT
/* seed.c - seeds of hash tables that have keys from files */
#include "base/seed.h"

#include <sys/random.h>
#include <time.h>

uint64_t seed_new(void)
{
	struct timespec time = { 0 };
	uint64_t seed;

	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) == sizeof(seed))
		return seed;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return seed_mix((uint64_t)time.tv_nsec << 32 ^ (uint64_t)time.tv_sec ^ (uintptr_t)&time);
}
