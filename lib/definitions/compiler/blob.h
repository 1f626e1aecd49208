/* SPDX-License-Identifier: MIT */
/* blob.h - growing block of memory with records that refer to each other by relative offsets */
#ifndef GPUOA_LIB_DEFINITIONS_COMPILER_BLOB_H
#define GPUOA_LIB_DEFINITIONS_COMPILER_BLOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct blob_pooled;

/*
 * Zero-initialize this struct for an empty blob. Records are addressed by offset, because the
 * memory block moves when it grows.
 */
struct blob {
	unsigned char *data;
	size_t size;
	size_t room;
	bool failed; /* out of memory or too large: the content is invalid */
	struct blob_pooled *pool;
	size_t pool_slots;
	size_t pool_count;
};

/* Allocate a zeroed record. Returns its offset, or 0 on failure. */
size_t blob_reserve(struct blob *blob, size_t size, size_t align);

/* Store @data, or reuse an earlier copy of the same bytes. Returns its offset. */
size_t blob_pool(struct blob *blob, const void *data, size_t size, size_t align);

/* Store a string, or reuse an earlier copy. Returns its offset, or 0 for NULL and "". */
size_t blob_string(struct blob *blob, const char *string);

/* Set the struct table_link at offset @link to refer to @target, or to nothing if @target is 0. */
void blob_link(struct blob *blob, size_t link, size_t target);

/* Return the record at @offset, valid until the block grows; NULL after a failure. */
void *blob_at(struct blob *blob, size_t offset);

void blob_free(struct blob *blob);

#endif /* GPUOA_LIB_DEFINITIONS_COMPILER_BLOB_H */
