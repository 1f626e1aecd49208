// SPDX-License-Identifier: MIT
/* blob.c - growing block of memory with records that refer to each other by relative offsets */
#include "definitions/compiler/blob.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "table/table.h"

struct blob_pooled {
	uint32_t hash;
	uint32_t size;
	uint32_t offset;
	uint32_t used;
};

size_t blob_reserve(struct blob *blob, size_t size, size_t align)
{
	size_t offset = (blob->size + align - 1) & -align;

	if (blob->failed)
		return 0;
	if (offset + size > blob->room) {
		size_t room = blob->room ? blob->room : 65536;
		unsigned char *data;

		while (room < offset + size)
			room *= 2;
		data = room <= INT32_MAX ? realloc(blob->data, room) : NULL;
		if (!data) {
			blob->failed = true;
			return 0;
		}
		memset(data + blob->room, 0, room - blob->room);
		blob->data = data;
		blob->room = room;
	}
	blob->size = offset + size;
	return offset;
}

static struct blob_pooled *pool_slot(const struct blob *blob, const void *data, size_t size,
				     size_t align, uint32_t hash)
{
	size_t mask = blob->pool_slots - 1, i = hash & mask;

	for (; blob->pool[i].used; i = (i + 1) & mask) {
		const struct blob_pooled *pooled = &blob->pool[i];

		if (pooled->hash == hash && pooled->size == size &&
		    !(pooled->offset & (align - 1)) &&
		    !memcmp(blob->data + pooled->offset, data, size))
			break;
	}
	return &blob->pool[i];
}

static bool pool_grow(struct blob *blob)
{
	size_t slots = blob->pool_slots ? 2 * blob->pool_slots : 1024;
	struct blob_pooled *old = blob->pool, *pool = calloc(slots, sizeof(*pool));

	if (!pool)
		return false;
	for (size_t i = 0; i < blob->pool_slots; i++) {
		size_t slot = old[i].hash & (slots - 1);

		if (!old[i].used)
			continue;
		while (pool[slot].used)
			slot = (slot + 1) & (slots - 1);
		pool[slot] = old[i];
	}
	free(old);
	blob->pool = pool;
	blob->pool_slots = slots;
	return true;
}

size_t blob_pool(struct blob *blob, const void *data, size_t size, size_t align)
{
	uint32_t hash = hash_bytes(data, size);
	struct blob_pooled *pooled;
	size_t offset;

	if (2 * blob->pool_count >= blob->pool_slots && !pool_grow(blob)) {
		blob->failed = true;
		return 0;
	}
	pooled = pool_slot(blob, data, size, align, hash);
	if (pooled->used)
		return pooled->offset;
	offset = blob_reserve(blob, size, align);
	if (blob->failed)
		return 0;
	memcpy(blob->data + offset, data, size);
	*pooled = (struct blob_pooled){ hash, size, offset, 1 };
	blob->pool_count++;
	return offset;
}

size_t blob_string(struct blob *blob, const char *string)
{
	return string && *string ? blob_pool(blob, string, strlen(string) + 1, 1) : 0;
}

void blob_link(struct blob *blob, size_t link, size_t target)
{
	struct table_link *record = blob_at(blob, link);

	if (record)
		record->distance = target ? (int32_t)((int64_t)target - (int64_t)link) : 0;
}

void *blob_at(struct blob *blob, size_t offset)
{
	return blob->failed ? NULL : blob->data + offset;
}

void blob_free(struct blob *blob)
{
	free(blob->data);
	free(blob->pool);
	*blob = (struct blob){ 0 };
}
