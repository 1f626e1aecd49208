/* SPDX-License-Identifier: MIT */
/* hash.h - the hash functions: FNV-1a with 32 bits for tables, with 64 bits to identify data */
#ifndef GPUOA_LIB_BASE_HASH_H
#define GPUOA_LIB_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_BEGIN UINT32_C(2166136261)

static inline uint32_t hash_byte(uint32_t hash, unsigned char byte)
{
	return (hash ^ byte) * UINT32_C(16777619);
}

static inline uint32_t hash_bytes(const void *data, size_t size)
{
	const unsigned char *byte = data;
	uint32_t hash = HASH_BEGIN;

	while (size--)
		hash = hash_byte(hash, *byte++);
	return hash;
}

static inline uint32_t hash_string(const char *string)
{
	uint32_t hash = HASH_BEGIN;

	for (; *string; string++)
		hash = hash_byte(hash, (unsigned char)*string);
	return hash;
}

#define HASH64_BEGIN UINT64_C(14695981039346656037)

static inline uint64_t hash64_byte(uint64_t hash, unsigned char byte)
{
	return (hash ^ byte) * UINT64_C(1099511628211);
}

static inline uint64_t hash64_bytes(const void *data, size_t size)
{
	const unsigned char *byte = data;
	uint64_t hash = HASH64_BEGIN;

	while (size--)
		hash = hash64_byte(hash, *byte++);
	return hash;
}

#endif /* GPUOA_LIB_BASE_HASH_H */
