/* SPDX-License-Identifier: MIT */
/* arena.h - an allocator that frees all of its memory at once */
#ifndef GPUOA_LIB_BASE_ARENA_H
#define GPUOA_LIB_BASE_ARENA_H

#include <stddef.h>

struct arena_block;

/* A zero-initialized arena is empty. */
struct arena {
	struct arena_block *blocks;
	size_t used; /* number of bytes used in the newest block */
};

/* Allocate zeroed memory, aligned for any type. Returns NULL if out of memory. */
void *arena_alloc(struct arena *arena, size_t size);

/* Copy @length bytes and append a NUL. Returns NULL if out of memory. */
char *arena_string(struct arena *arena, const char *text, size_t length);

void arena_free(struct arena *arena);

#endif /* GPUOA_LIB_BASE_ARENA_H */
