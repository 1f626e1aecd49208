/* SPDX-License-Identifier: MIT */
/* blob.h - a growing block of memory whose records refer to each other by distance. */
#ifndef GPUOA_LIB_DEFINITIONS_COMPILER_BLOB_H
#define GPUOA_LIB_DEFINITIONS_COMPILER_BLOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct blob_pooled;

/*
 * A blob that is all zeros is empty. Everything is addressed by its offset, since the block moves
 * while it grows.
 */
struct blob {
	unsigned char *data;
	size_t size;
	size_t room;
	bool failed; /* out of memory, or too large: what is there is worthless */
	struct blob_pooled *pool;
	size_t pool_slots;
	size_t pool_count;
};

/* Room for a zeroed record. Returns its offset, 0 after a failure. */
size_t blob_reserve(struct blob *blob, size_t size, size_t align);

/* Copy of @data, shared with an earlier one of the same bytes. Returns its offset. */
size_t blob_pool(struct blob *blob, const void *data, size_t size, size_t align);

/* Pooled string. Returns its offset, or 0 for NULL and "". */
size_t blob_string(struct blob *blob, const char *string);

/* Make the struct table_link at offset @link refer to @target; 0: to nothing. */
void blob_link(struct blob *blob, size_t link, size_t target);

/* The record at @offset, until the next call that may grow the block; NULL after a failure. */
void *blob_at(struct blob *blob, size_t offset);

void blob_free(struct blob *blob);

#endif /* GPUOA_LIB_DEFINITIONS_COMPILER_BLOB_H */
