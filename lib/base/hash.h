/* SPDX-License-Identifier: MIT */
/* hash.h - the hash function of all tables: 32-bit FNV-1a */
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

#endif /* GPUOA_LIB_BASE_HASH_H */
