// SPDX-License-Identifier: MIT
/* table.c - look up records of the compiled definitions by name */
#include "table/table.h"

#include <string.h>

#include "base/hash.h"

long table_index_find(const struct table_index *index, const char *name,
		      const char *(*key)(const void *owner, size_t number), const void *owner)
{
	for (uint32_t i = hash_string(name) & index->mask; index->slots[i];
	     i = (i + 1) & index->mask)
		if (!strcmp(key(owner, index->slots[i] - 1), name))
			return index->slots[i] - 1;
	return -1;
}
