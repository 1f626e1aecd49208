// SPDX-License-Identifier: MIT
/* arena.c - an allocator that frees all of its memory at once */
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE 65536

struct arena_block {
	struct arena_block *next;
	size_t size;
	_Alignas(max_align_t) char bytes[];
};

void *arena_alloc(struct arena *arena, size_t size)
{
	struct arena_block *block = arena->blocks;
	void *memory;

	size = (size + _Alignof(max_align_t) - 1) & -_Alignof(max_align_t);
	if (!block || block->size - arena->used < size) {
		size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;

		block = calloc(1, sizeof(*block) + room);
		if (!block)
			return NULL;
		block->size = room;
		block->next = arena->blocks;
		arena->blocks = block;
		arena->used = 0;
	}
	memory = block->bytes + arena->used;
	arena->used += size;
	return memory;
}

char *arena_string(struct arena *arena, const char *text, size_t length)
{
	char *string = arena_alloc(arena, length + 1);

	if (string)
		memcpy(string, text, length);
	return string;
}

void arena_free(struct arena *arena)
{
	while (arena->blocks) {
		struct arena_block *block = arena->blocks;

		arena->blocks = block->next;
		free(block);
	}
	arena->used = 0;
}
