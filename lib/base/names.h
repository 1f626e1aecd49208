/* SPDX-License-Identifier: MIT */
/* names.h - a hash table from names to what they stand for. */
#ifndef GPUOA_NAMES_H
#define GPUOA_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct name_slot;

/* Zero-initialize. The names stay the caller's. */
struct names {
	struct name_slot *slots;
	size_t mask; /* slots - 1; they are a power of two, less than half full */
	size_t count;
};

/* Give @name a meaning; one that it has already stays. False without memory. */
bool names_add(struct names *names, const char *name, const void *value);

/* What @name stands for, or NULL. */
const void *names_find(const struct names *names, const char *name);

/* The same with numbers: names_find_number() is @none if @name stands for nothing. */
static inline bool names_add_number(struct names *names, const char *name, uint32_t number)
{
	return names_add(names, name, (const void *)((uintptr_t)number + 1));
}

static inline uint32_t names_find_number(const struct names *names, const char *name, uint32_t none)
{
	uintptr_t value = (uintptr_t)names_find(names, name);

	return value ? value - 1 : none;
}

/* Forget all names; keep the memory unless it is much. */
void names_clear(struct names *names);

void names_free(struct names *names);

#endif /* GPUOA_NAMES_H */
