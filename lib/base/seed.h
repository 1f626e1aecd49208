/* SPDX-License-Identifier: MIT */
/* seed.h - seeds of hash tables that have keys from files */
#ifndef GPUOA_LIB_BASE_SEED_H
#define GPUOA_LIB_BASE_SEED_H

#include <stdint.h>

/*
 * Return a number that the author of a file cannot predict. If the kernel has no random numbers
 * yet, it is derived from the time and the address space layout.
 */
uint64_t seed_new(void);

/* Mix the bits of a number: each bit of the result depends on all bits of it. */
static inline uint64_t seed_mix(uint64_t number)
{
	/* The finalizer of splitmix64 */
	number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
	return number ^ number >> 31;
}

#endif /* GPUOA_LIB_BASE_SEED_H */
