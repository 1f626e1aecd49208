// SPDX-License-Identifier: MIT
/* uuid.c - generate a version 8 UUID from a hash of the set's registers */
#include "extra/custom/uuid.h"

#include <inttypes.h>
#include <stdio.h>

/* Hash a word with 64-bit FNV-1a. */
static uint64_t hash_word(uint64_t hash, uint32_t word)
{
	for (int i = 0; i < 4; i++, word >>= 8)
		hash = (hash ^ (word & 0xff)) * UINT64_C(0x100000001b3);
	return hash;
}

static uint64_t hash_set(const struct set_definition *set, uint64_t hash)
{
	hash = hash_word(hash, set->format);
	for (const struct register_list *list = set->registers; list; list = list->next) {
		hash = hash_word(hash, list->kind);
		for (const char *c = list->condition.text; c && *c; c++)
			hash = hash_word(hash, (unsigned char)*c);
		for (uint32_t i = 0; i < list->count; i++) {
			hash = hash_word(hash, list->registers[i].address);
			hash = hash_word(hash, list->registers[i].value);
		}
	}
	return hash;
}

const char *custom_uuid(struct gpuoa_custom *custom, const struct set_definition *set)
{
	const uint64_t high = hash_set(set, UINT64_C(0xcbf29ce484222325));
	const uint64_t low = hash_set(set, high);
	char text[37];

	snprintf(text, sizeof(text), "%08" PRIx32 "-%04x-8%03x-%04x-%012" PRIx64,
		 (uint32_t)(high >> 32), (unsigned int)(high >> 16) & 0xffff,
		 (unsigned int)high & 0xfff, 0x8000 | ((unsigned int)(low >> 48) & 0x3fff),
		 low & UINT64_C(0xffffffffffff));
	return custom_string(custom, text);
}
