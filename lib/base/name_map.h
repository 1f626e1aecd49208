/* SPDX-License-Identifier: MIT */
/* name_map.h - a hash table from names to what they stand for. */
#ifndef GPUOA_LIB_BASE_NAME_MAP_H
#define GPUOA_LIB_BASE_NAME_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct name_slot;

/* A map that is all zeros is empty. Names are not copied: they must live as long as the map. */
struct name_map {
	struct name_slot *slots;
	size_t mask; /* slots - 1; they are a power of two, less than half full */
	size_t count;
};

/*
 * Give @name a meaning. If it has one already, that one stays. Returns false if there is no memory.
 */
bool name_map_add(struct name_map *names, const char *name, const void *value);

/* What @name stands for, or NULL. */
const void *name_map_find(const struct name_map *names, const char *name);

/* The same with numbers: name_map_find_number() is @none if @name stands for nothing. */
static inline bool name_map_add_number(struct name_map *names, const char *name, uint32_t number)
{
	return name_map_add(names, name, (const void *)((uintptr_t)number + 1));
}

static inline uint32_t name_map_find_number(const struct name_map *names, const char *name,
					    uint32_t none)
{
	uintptr_t value = (uintptr_t)name_map_find(names, name);

	return value ? value - 1 : none;
}

/* Forget all names. The memory is kept for the next ones, unless it is much. */
void name_map_clear(struct name_map *names);

void name_map_free(struct name_map *names);

#endif /* GPUOA_LIB_BASE_NAME_MAP_H */
