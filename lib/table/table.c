// SPDX-License-Identifier: MIT
/* table.c - names to numbers in the compiled definitions. */
#include "table/table.h"

#include <string.h>

/* FNV-1a */
uint32_t table_hash(const char *name)
{
	uint32_t hash = 2166136261u;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	return hash;
}

long table_index_find(const struct table_index *index, const char *name,
		      const char *(*key)(const void *owner, size_t number), const void *owner)
{
	for (uint32_t i = table_hash(name) & index->mask; index->slots[i];
	     i = (i + 1) & index->mask)
		if (!strcmp(key(owner, index->slots[i] - 1), name))
			return index->slots[i] - 1;
	return -1;
}
