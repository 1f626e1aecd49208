/* SPDX-License-Identifier: MIT */
/* failing_memory.h - Replaces the allocator in the program that includes it, and lets it fail. */
#ifndef GPUOA_LIB_TESTS_FAILING_MEMORY_H
#define GPUOA_LIB_TESTS_FAILING_MEMORY_H

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>

#include "failing.h"

static struct failing allocations = FAILING_NONE;

static bool allocation_fails(void)
{
	if (!failing_next(&allocations))
		return false;
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	static void *(*real)(size_t);

	if (!real)
		real = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
	return allocation_fails() ? NULL : real(size);
}

void *calloc(size_t count, size_t size)
{
	static void *(*real)(size_t, size_t);

	if (!real)
		real = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "calloc");
	return allocation_fails() ? NULL : real(count, size);
}

void *realloc(void *memory, size_t size)
{
	static void *(*real)(void *, size_t);

	if (!real)
		real = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
	return allocation_fails() ? NULL : real(memory, size);
}

void *reallocarray(void *memory, size_t count, size_t size)
{
	static void *(*real)(void *, size_t, size_t);

	if (!real)
		real = (void *(*)(void *, size_t, size_t))dlsym(RTLD_NEXT, "reallocarray");
	return allocation_fails() ? NULL : real(memory, count, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	static void *(*real)(size_t, size_t);

	if (!real)
		real = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "aligned_alloc");
	return allocation_fails() ? NULL : real(alignment, size);
}

#endif /* GPUOA_LIB_TESTS_FAILING_MEMORY_H */
