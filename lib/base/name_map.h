/* SPDX-License-Identifier: MIT */
/* name_map.h - a hash table that maps names to pointers or numbers */
#ifndef GPUOA_LIB_BASE_NAME_MAP_H
#define GPUOA_LIB_BASE_NAME_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct name_slot;

/* A zero-initialized map is empty. Names are not copied: they must outlive the map. */
struct name_map {
	struct name_slot *slots;
	size_t mask; /* number of slots - 1; the number is a power of two, at most half are used */
	size_t count;
};

/* Map @name to @value, unless it is already mapped. Returns false if out of memory. */
bool name_map_add(struct name_map *names, const char *name, const void *value);

/* Returns the value of @name, or NULL. */
const void *name_map_find(const struct name_map *names, const char *name);

/* Map names to numbers. name_map_find_number() returns @none if there is no such name. */
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

/* Remove all names. The memory is reused for new names, unless the map is large. */
void name_map_clear(struct name_map *names);

void name_map_free(struct name_map *names);

#endif /* GPUOA_LIB_BASE_NAME_MAP_H */
