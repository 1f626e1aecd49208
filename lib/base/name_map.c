// SPDX-License-Identifier: MIT
/* name_map.c - a hash table that maps names to pointers or numbers */
#include "base/name_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

struct name_slot {
	const char *name; /* NULL: free slot */
	const void *value;
};

static struct name_slot *find_slot(const struct name_map *names, const char *name)
{
	size_t i = hash_string(name) & names->mask;

	while (names->slots[i].name && strcmp(names->slots[i].name, name))
		i = (i + 1) & names->mask;
	return &names->slots[i];
}

static bool grow(struct name_map *names)
{
	size_t count = names->slots ? 2 * (names->mask + 1) : 64;
	struct name_map larger = {
		.slots = calloc(count, sizeof(*larger.slots)),
		.mask = count - 1,
		.count = names->count,
	};

	if (!larger.slots)
		return false;
	for (size_t i = 0; names->slots && i <= names->mask; i++)
		if (names->slots[i].name)
			*find_slot(&larger, names->slots[i].name) = names->slots[i];
	free(names->slots);
	*names = larger;
	return true;
}

bool name_map_add(struct name_map *names, const char *name, const void *value)
{
	struct name_slot *slot;

	if ((!names->slots || 2 * names->count >= names->mask) && !grow(names))
		return false;
	slot = find_slot(names, name);
	if (slot->name)
		return true;
	*slot = (struct name_slot){ name, value };
	names->count++;
	return true;
}

const void *name_map_find(const struct name_map *names, const char *name)
{
	return names->slots ? find_slot(names, name)->value : NULL;
}

/* Free a large map instead of clearing it, because clearing visits every slot. */
#define KEPT_SLOTS 4096

void name_map_clear(struct name_map *names)
{
	if (names->slots && names->mask >= KEPT_SLOTS)
		name_map_free(names);
	if (names->slots)
		memset(names->slots, 0, (names->mask + 1) * sizeof(*names->slots));
	names->count = 0;
}

void name_map_free(struct name_map *names)
{
	free(names->slots);
	*names = (struct name_map){ 0 };
}
