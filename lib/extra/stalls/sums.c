// SPDX-License-Identifier: MIT
/* sums.c - counts by address and reason, in a hash table of addresses */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "base/seed.h"
#include "base/sized.h"
#include "extra/stalls/layout.h"

struct entry {
	uint64_t address;
	uint64_t counts[GPUOA_STALL_REASON_COUNT];
};

struct gpuoa_stall_sums {
	struct entry *entries; /* room for half as many as there are slots */
	uint32_t *slots; /* index of an entry + 1, or 0; linear probing */
	uint32_t count;
	unsigned int slot_bits; /* binary logarithm of the number of slots */
	uint64_t seed;
	uint64_t factor; /* odd */
};

#define SLOT_BITS_MIN 9
#define SLOT_BITS_MAX 31

/*
 * Files can contain any addresses. The seed and the factor are random, so that a file cannot
 * contain addresses that all have the same slot.
 */
static uint32_t slot_of(const struct gpuoa_stall_sums *sums, uint64_t address)
{
	uint64_t hash = (address ^ sums->seed) * sums->factor;

	hash = (hash ^ hash >> 32) * UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(hash >> (64 - sums->slot_bits));
}

static uint32_t next_slot(const struct gpuoa_stall_sums *sums, uint32_t slot)
{
	return (slot + 1) & ((UINT32_C(1) << sums->slot_bits) - 1);
}

/* Find the slot of an address, or the free slot where it belongs. There is always a free one. */
static uint32_t find_slot(const struct gpuoa_stall_sums *sums, uint64_t address)
{
	uint32_t slot = slot_of(sums, address);

	while (sums->slots[slot] && sums->entries[sums->slots[slot] - 1].address != address)
		slot = next_slot(sums, slot);
	return slot;
}

static void fill_slots(struct gpuoa_stall_sums *sums)
{
	memset(sums->slots, 0, sizeof(*sums->slots) << sums->slot_bits);
	for (uint32_t i = 0; i < sums->count; i++)
		sums->slots[find_slot(sums, sums->entries[i].address)] = i + 1;
}

static int set_size(struct gpuoa_stall_sums *sums, unsigned int slot_bits)
{
	const size_t slots = (size_t)1 << slot_bits;
	struct entry *entries;
	uint32_t *table;

	if (slot_bits > SLOT_BITS_MAX)
		return -ENOMEM;
	entries = realloc(sums->entries, slots / 2 * sizeof(*entries));
	if (!entries)
		return -ENOMEM;
	sums->entries = entries;
	table = calloc(slots, sizeof(*table));
	if (!table)
		return -ENOMEM;
	free(sums->slots);
	sums->slots = table;
	sums->slot_bits = slot_bits;
	fill_slots(sums);
	return 0;
}

/* Returns the entry of an address, which is added if necessary; NULL if out of memory. */
static struct entry *get_entry(struct gpuoa_stall_sums *sums, uint64_t address)
{
	uint32_t slot = find_slot(sums, address);

	if (sums->slots[slot])
		return &sums->entries[sums->slots[slot] - 1];
	if (sums->count == UINT32_C(1) << (sums->slot_bits - 1)) {
		if (set_size(sums, sums->slot_bits + 1))
			return NULL;
		slot = find_slot(sums, address);
	}
	sums->slots[slot] = ++sums->count;
	sums->entries[sums->count - 1] = (struct entry){ .address = address };
	return &sums->entries[sums->count - 1];
}

int gpuoa_stall_sums_new(struct gpuoa_stall_sums **sums)
{
	struct gpuoa_stall_sums *new = calloc(1, sizeof(*new));

	if (new) {
		new->seed = seed_new();
		new->factor = seed_mix(new->seed) | 1;
	}
	if (!new || set_size(new, SLOT_BITS_MIN)) {
		gpuoa_stall_sums_free(new);
		return -ENOMEM;
	}
	*sums = new;
	return 0;
}

void gpuoa_stall_sums_free(struct gpuoa_stall_sums *sums)
{
	if (!sums)
		return;
	free(sums->entries);
	free(sums->slots);
	free(sums);
}

void gpuoa_stall_sums_clear(struct gpuoa_stall_sums *sums)
{
	sums->count = 0;
	fill_slots(sums);
}

/*
 * Add records of layouts that differ in the size of the address and in the reasons of the first and
 * the last count only. Inlined with constants for each layout, which takes a third of the time.
 */
static inline __attribute__((always_inline)) int add_records(struct gpuoa_stall_sums *sums,
							     const struct gpuoa_stall_layout layout,
							     const uint8_t *record, size_t count)
{
	int incomplete = 0;

	for (; count; count--, record += STALL_RECORD_SIZE) {
		const struct stall_words words = stall_load(&layout, record);
		struct entry *entry;

		if (!stall_is_complete(&layout, &words)) {
			incomplete++;
			continue;
		}
		entry = get_entry(sums, words.address);
		if (!entry)
			return -ENOMEM;
#pragma GCC unroll 16
		for (unsigned int i = 0; i < layout.count; i++)
			entry->counts[layout.reasons[i]] += stall_count(&words, i);
	}
	return incomplete;
}

int gpuoa_stall_sums_add(struct gpuoa_stall_sums *sums, const struct gpuoa_stall_layout *layout,
			 const void *records, size_t count)
{
	static const struct gpuoa_stall_layout pvc = STALL_LAYOUT_PVC;
	static const struct gpuoa_stall_layout xe2 = STALL_LAYOUT_XE2;
	static const struct gpuoa_stall_layout xe3p = STALL_LAYOUT_XE3P;

	if (count > INT_MAX)
		return -EOVERFLOW;
	if (!layout->exception_bits)
		return add_records(sums, pvc, records, count);
	if (layout->address_bits == xe2.address_bits)
		return add_records(sums, xe2, records, count);
	return add_records(sums, xe3p, records, count);
}

int gpuoa_stall_sums_add_sum(struct gpuoa_stall_sums *sums, const struct gpuoa_stall_sum *sum,
			     size_t size)
{
	const struct complaint none = { 0 };
	struct gpuoa_stall_sum known;
	struct entry *entry;
	const int err = sized_take_desc(&known, sizeof(known), sum, size, "sum", &none);

	if (err)
		return err;
	for (unsigned int i = GPUOA_STALL_REASON_COUNT; i < GPUOA_STALL_REASONS; i++)
		if (known.counts[i])
			return -E2BIG;
	entry = get_entry(sums, known.address);
	if (!entry)
		return -ENOMEM;
	for (unsigned int i = 0; i < GPUOA_STALL_REASON_COUNT; i++)
		entry->counts[i] += known.counts[i];
	return 0;
}

uint32_t gpuoa_stall_sums_count(const struct gpuoa_stall_sums *sums)
{
	return sums->count;
}

static void give(const struct entry *entry, struct gpuoa_stall_sum *sum, size_t size)
{
	struct gpuoa_stall_sum found = { .address = entry->address };

	memcpy(found.counts, entry->counts, sizeof(entry->counts));
	sized_give(sum, size, &found, sizeof(found));
}

int gpuoa_stall_sums_get(const struct gpuoa_stall_sums *sums, uint32_t index,
			 struct gpuoa_stall_sum *sum, size_t size)
{
	if (index >= sums->count)
		return -ERANGE;
	give(&sums->entries[index], sum, size);
	return 0;
}

int gpuoa_stall_sums_find(const struct gpuoa_stall_sums *sums, uint64_t address,
			  struct gpuoa_stall_sum *sum, size_t size)
{
	const uint32_t slot = find_slot(sums, address);

	if (!sums->slots[slot])
		return -ENOENT;
	give(&sums->entries[sums->slots[slot] - 1], sum, size);
	return 0;
}

static int by_address(const void *left, const void *right)
{
	const struct entry *l = left, *r = right;

	return l->address < r->address ? -1 : l->address > r->address;
}

void gpuoa_stall_sums_sort(struct gpuoa_stall_sums *sums)
{
	qsort(sums->entries, sums->count, sizeof(*sums->entries), by_address);
	fill_slots(sums);
}

void gpuoa_stall_sums_total(const struct gpuoa_stall_sums *sums,
			    uint64_t counts[GPUOA_STALL_REASONS])
{
	memset(counts, 0, GPUOA_STALL_REASONS * sizeof(*counts));
	for (uint32_t i = 0; i < sums->count; i++)
		for (unsigned int r = 0; r < GPUOA_STALL_REASON_COUNT; r++)
			counts[r] += sums->entries[i].counts[r];
}
