/* SPDX-License-Identifier: MIT */
/* arena.h - memory that is given back all at once. */
#ifndef GPUOA_LIB_BASE_ARENA_H
#define GPUOA_LIB_BASE_ARENA_H

#include <stddef.h>

struct arena_block;

/* An arena that is all zeros is empty. */
struct arena {
	struct arena_block *blocks;
	size_t used; /* bytes of the newest block */
};

/* Zeroed memory, aligned for any type; NULL if there is none. */
void *arena_alloc(struct arena *arena, size_t size);

/* NUL-terminated copy of @length bytes. */
char *arena_string(struct arena *arena, const char *text, size_t length);

void arena_free(struct arena *arena);

#endif /* GPUOA_LIB_BASE_ARENA_H */
