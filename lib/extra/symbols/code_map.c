// SPDX-License-Identifier: MIT
/*
 * code_map.c - kernels of processes by GPU address
 *
 * The loads are in a treap: a binary tree sorted by start, with random priorities, so that its
 * depth is logarithmic for any order of additions. A node has the end of its subtree, so that a
 * search skips subtrees that end before the address. A hash table finds loads that are added again.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/seed.h"
#include "base/sized.h"
#include "extra/symbols/symbols.h"

struct code_load {
	uint64_t start; /* address, reduced to the bits of the map */
	uint64_t last; /* address of the last byte, reduced to the same bits */
	uint64_t address; /* whole address */
	const struct gpuoa_symbols *symbols;
	const char *kernel;
	uint32_t kernel_index;
	uint32_t pid;
	uint64_t hash;
	/* In the treap: index + 1 of a load, or 0 */
	uint32_t left; /* loads that start before this one, or were added earlier at the same start
			*/
	uint32_t right;
	uint64_t subtree_last; /* highest .last of this load and those below it */
};

#define LOADS_MAX (UINT32_C(1) << 30)
#define SLOTS_MIN 64

struct gpuoa_code_map {
	uint64_t mask;
	struct code_load *loads; /* in the order added */
	size_t count;
	size_t room;
	uint32_t root; /* index + 1; 0: empty */
	uint32_t *slots; /* index + 1, or 0; linear probing; at most half are used */
	size_t slot_count; /* a power of two, or 0 */
	uint64_t seed;
	struct arena arena; /* names */
};

int gpuoa_code_map_new(uint32_t address_bits, struct gpuoa_code_map **map)
{
	*map = NULL;
	if (address_bits < 12 || address_bits > 64)
		return -EINVAL;
	*map = calloc(1, sizeof(**map));
	if (!*map)
		return -ENOMEM;
	(*map)->mask = UINT64_MAX >> (64 - address_bits);
	(*map)->seed = seed_new();
	return 0;
}

void gpuoa_code_map_free(struct gpuoa_code_map *map)
{
	if (!map)
		return;
	free(map->loads);
	free(map->slots);
	arena_free(&map->arena);
	free(map);
}

/* ---- treap ---- */

static struct code_load *node(const struct gpuoa_code_map *map, uint32_t index)
{
	return &map->loads[index - 1];
}

static uint64_t priority(const struct gpuoa_code_map *map, uint32_t index)
{
	return seed_mix(map->seed + index);
}

static void update_last(const struct gpuoa_code_map *map, struct code_load *load)
{
	load->subtree_last = load->last;
	if (load->left && node(map, load->left)->subtree_last > load->subtree_last)
		load->subtree_last = node(map, load->left)->subtree_last;
	if (load->right && node(map, load->right)->subtree_last > load->subtree_last)
		load->subtree_last = node(map, load->right)->subtree_last;
}

/* Split a tree into the loads that start at @start or before, and those that start after it. */
static void split(const struct gpuoa_code_map *map, uint32_t root, uint64_t start, uint32_t *left,
		  uint32_t *right)
{
	struct code_load *load;

	if (!root) {
		*left = 0;
		*right = 0;
		return;
	}
	load = node(map, root);
	if (load->start <= start) {
		*left = root;
		split(map, load->right, start, &load->right, right);
	} else {
		*right = root;
		split(map, load->left, start, left, &load->left);
	}
	update_last(map, load);
}

static void insert(struct gpuoa_code_map *map, uint32_t index)
{
	struct code_load *load = node(map, index);
	uint32_t *link = &map->root;

	while (*link && priority(map, *link) >= priority(map, index)) {
		struct code_load *above = node(map, *link);

		if (load->last > above->subtree_last)
			above->subtree_last = load->last;
		link = load->start < above->start ? &above->left : &above->right;
	}
	split(map, *link, load->start, &load->left, &load->right);
	update_last(map, load);
	*link = index;
}

/* ---- hash table ---- */

static uint64_t hash_load(const struct gpuoa_code_map *map, const struct code_load *load)
{
	const uint64_t words[] = { load->address, load->last, load->pid, (uintptr_t)load->symbols };
	uint32_t name = HASH_BEGIN ^ (uint32_t)map->seed;
	uint64_t hash = map->seed;

	for (const char *c = load->kernel; *c; c++)
		name = hash_byte(name, (unsigned char)*c);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		hash = seed_mix(hash ^ words[i]);
	return seed_mix(hash ^ name);
}

static bool is_equal(const struct code_load *one, const struct code_load *other)
{
	return one->hash == other->hash && one->address == other->address &&
	       one->last == other->last && one->pid == other->pid &&
	       one->symbols == other->symbols && !strcmp(one->kernel, other->kernel);
}

/* Find the slot of an equal load, or the free slot where @load belongs. */
static uint32_t *find_slot(const struct gpuoa_code_map *map, const struct code_load *load)
{
	size_t slot = load->hash & (map->slot_count - 1);

	while (map->slots[slot] && !is_equal(node(map, map->slots[slot]), load))
		slot = (slot + 1) & (map->slot_count - 1);
	return &map->slots[slot];
}

/* Make room for another load. */
static int grow(struct gpuoa_code_map *map)
{
	struct code_load *loads;
	uint32_t *slots;

	if (map->count == LOADS_MAX)
		return -ENOMEM;
	loads = symbols_grow(map->loads, map->count, &map->room, sizeof(*loads));
	if (!loads)
		return -ENOMEM;
	map->loads = loads;
	if (2 * map->count < map->slot_count)
		return 0;
	slots = calloc(map->slot_count ? 2 * map->slot_count : SLOTS_MIN, sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	free(map->slots);
	map->slots = slots;
	map->slot_count = map->slot_count ? 2 * map->slot_count : SLOTS_MIN;
	for (uint32_t i = 1; i <= map->count; i++)
		*find_slot(map, node(map, i)) = i;
	return 0;
}

/* ---- adding ---- */

static int add_load(struct gpuoa_code_map *map, struct code_load load, uint64_t size,
		    const struct complaint *complaint)
{
	uint32_t *slot;

	load.start = load.address & map->mask;
	if (!load.address || !size || size - 1 > map->mask - load.start)
		return COMPLAIN(complaint, -EINVAL, "kernel %s: invalid address %#llx or size %llu",
				load.kernel, (unsigned long long)load.address,
				(unsigned long long)size);
	load.last = load.start + size - 1;
	load.hash = hash_load(map, &load);
	if (grow(map))
		return complaint_end(complaint, -ENOMEM);
	slot = find_slot(map, &load);
	if (*slot)
		return 0;
	load.kernel = arena_string(&map->arena, load.kernel, strlen(load.kernel));
	if (!load.kernel)
		return complaint_end(complaint, -ENOMEM);
	map->loads[map->count++] = load;
	*slot = (uint32_t)map->count;
	insert(map, (uint32_t)map->count);
	return 0;
}

static int add_all(struct gpuoa_code_map *map, const struct gpuoa_code_load *load,
		   const struct complaint *complaint)
{
	const struct gpuoa_symbols *symbols = load->symbols;

	if (!symbols || !symbols->desc.placed)
		return COMPLAIN(complaint, -ENODATA,
				"the name and the address of the kernel are missing");
	for (uint32_t i = 0; i < symbols->kernel_count; i++) {
		const struct symbol_kernel *kernel = &symbols->kernels[i];
		const struct code_load add = {
			.address = kernel->address,
			.symbols = symbols,
			.kernel = kernel->name,
			.kernel_index = i,
			.pid = load->pid,
		};
		/* Level Zero does not load sections that it does not need. */
		const int err = kernel->address ? add_load(map, add, kernel->size, complaint) : 0;

		if (err)
			return err;
	}
	return 0;
}

int gpuoa_code_map_add(struct gpuoa_code_map *map, const struct gpuoa_code_load *desc, size_t size,
		       char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct gpuoa_code_load load;
	struct code_load add;
	int index = 0;
	int err = sized_take_desc(&load, sizeof(load), desc, size, "kernels", &complaint);

	if (!err && load.reserved_1)
		err = COMPLAIN(&complaint, -E2BIG, "a reserved word of a kernel is not 0");
	if (!err)
		err = sized_check_reserved(load.reserved, RESERVED_WORDS(&load), "kernel", 0,
					   &complaint);
	if (err)
		return err;
	if (!load.kernel)
		return add_all(map, &load, &complaint);
	if (load.symbols)
		index = gpuoa_symbols_find_kernel(load.symbols, load.kernel);
	if (index < 0)
		return COMPLAIN(&complaint, -ENOENT, "the file has no kernel %s", load.kernel);
	add = (struct code_load){
		.address = load.address,
		.symbols = load.symbols,
		.kernel = load.kernel,
		.kernel_index = (uint32_t)index,
		.pid = load.pid,
	};
	if (!load.size && load.symbols)
		load.size = load.symbols->kernels[index].size;
	return add_load(map, add, load.size, &complaint);
}

/* ---- searching ---- */

struct search {
	const struct gpuoa_code_map *map;
	uint64_t at;
	uint32_t pid; /* 0: any */
	uint32_t matches;
	bool same; /* all matches have the same code */
	const struct code_load *first;
	uint32_t index; /* of the match that is .found; see take_match() */
	const struct code_load *found;
	/* Results of gpuoa_code_map_find_all(); NULL: only count */
	char *locations;
	size_t size;
	uint32_t room;
	uint32_t total; /* number of matches, from an earlier search */
	bool total_same;
};

static void locate(const struct code_load *load, uint64_t offset, uint32_t matches, bool same,
		   void *location, size_t size)
{
	struct gpuoa_code_line line = { .function = load->kernel };
	struct gpuoa_code_location found;

	if (load->symbols)
		gpuoa_symbols_find_line(load->symbols, load->kernel_index, offset, &line,
					sizeof(line));
	found = (struct gpuoa_code_location){
		.pid = load->pid,
		.match_count = matches,
		.same_code = same,
		.kernel_index = load->kernel_index,
		.kernel = load->kernel,
		.symbols = load->symbols,
		.offset = offset,
		.load_address = load->address,
		.function = line.function,
		.file = line.file,
		.line = line.line,
		.column = line.column,
	};
	sized_give(location, size, &found, sizeof(found));
}

/* Without symbols, the code is unknown: kernels of the same name can differ. */
static bool is_same_code(const struct code_load *one, const struct code_load *other)
{
	return one == other ||
	       (one->symbols && one->symbols == other->symbols &&
		one->kernel_index == other->kernel_index && one->start == other->start);
}

static void take_match(struct search *search, const struct code_load *load)
{
	const uint32_t index = search->matches++;

	if (!search->first)
		search->first = load;
	search->same &= is_same_code(search->first, load);
	if (index == search->index)
		search->found = load;
	if (search->locations && index < search->room)
		locate(load, search->at - load->start, search->total, search->total_same,
		       search->locations + index * search->size, search->size);
}

/* Visit the matches below a node in the order of their addresses. */
static void visit(struct search *search, uint32_t root)
{
	while (root) {
		const struct code_load *load = node(search->map, root);

		if (load->subtree_last < search->at)
			return;
		visit(search, load->left);
		if (load->start > search->at)
			return;
		if (load->last >= search->at &&
		    (!search->pid || !load->pid || search->pid == load->pid))
			take_match(search, load);
		root = load->right;
	}
}

static struct search search_for(const struct gpuoa_code_map *map, uint32_t pid, uint64_t address,
				uint32_t index)
{
	struct search search = {
		.map = map,
		.at = address & map->mask,
		.pid = pid,
		.same = true,
		.index = index,
	};

	visit(&search, map->root);
	return search;
}

int gpuoa_code_map_find(const struct gpuoa_code_map *map, uint32_t pid, uint64_t address,
			uint32_t index, struct gpuoa_code_location *location, size_t size)
{
	const struct search search = search_for(map, pid, address, index);

	if (!search.matches)
		return -ENOENT;
	if (!search.found)
		return -ERANGE;
	locate(search.found, search.at - search.found->start, search.matches, search.same, location,
	       size);
	return 0;
}

int gpuoa_code_map_find_all(const struct gpuoa_code_map *map, uint32_t pid, uint64_t address,
			    struct gpuoa_code_location *locations, size_t size, uint32_t count)
{
	struct search search = search_for(map, pid, address, 0);
	struct search list = {
		.map = map,
		.at = search.at,
		.pid = pid,
		.locations = (char *)locations,
		.size = size,
		.room = count,
		.total = search.matches,
		.total_same = search.same,
	};

	if (locations && count)
		visit(&list, map->root);
	return (int)search.matches;
}
