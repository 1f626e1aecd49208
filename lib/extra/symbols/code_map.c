// SPDX-License-Identifier: MIT
/* code_map.c - kernels of processes by GPU address */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "extra/symbols/symbols.h"

struct code_load {
	uint64_t start; /* address, reduced to the bits of the map */
	uint64_t size;
	uint64_t address; /* whole address */
	const struct gpuoa_symbols *symbols;
	const char *kernel;
	uint32_t kernel_index;
	uint32_t pid;
};

struct gpuoa_code_map {
	uint64_t mask;
	struct code_load *loads; /* sorted by start; those with the same start in the order added */
	size_t count;
	size_t room;
	uint64_t largest; /* size of the largest load */
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
	return 0;
}

void gpuoa_code_map_free(struct gpuoa_code_map *map)
{
	if (!map)
		return;
	free(map->loads);
	arena_free(&map->arena);
	free(map);
}

/* Return the number of loads that begin at @start or before. */
static size_t loads_until(const struct gpuoa_code_map *map, uint64_t start)
{
	size_t low = 0, high = map->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (map->loads[middle].start <= start)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_known(const struct gpuoa_code_map *map, size_t until, const struct code_load *load)
{
	for (size_t i = until; i && map->loads[i - 1].start == load->start; i--) {
		const struct code_load *other = &map->loads[i - 1];

		if (other->address == load->address && other->size == load->size &&
		    other->pid == load->pid && other->symbols == load->symbols &&
		    !strcmp(other->kernel, load->kernel))
			return true;
	}
	return false;
}

static int add_load(struct gpuoa_code_map *map, struct code_load load,
		    const struct complaint *complaint)
{
	struct code_load *loads;
	size_t at;

	load.start = load.address & map->mask;
	if (!load.address || !load.size || load.size - 1 > map->mask - load.start)
		return COMPLAIN(complaint, -EINVAL, "kernel %s: invalid address %#llx or size %llu",
				load.kernel, (unsigned long long)load.address,
				(unsigned long long)load.size);
	at = loads_until(map, load.start);
	if (is_known(map, at, &load))
		return 0;
	load.kernel = arena_string(&map->arena, load.kernel, strlen(load.kernel));
	loads = symbols_grow(map->loads, map->count, &map->room, sizeof(*loads));
	if (loads)
		map->loads = loads;
	if (!loads || !load.kernel)
		return complaint_end(complaint, -ENOMEM);
	memmove(&loads[at + 1], &loads[at], (map->count - at) * sizeof(*loads));
	loads[at] = load;
	map->count++;
	if (load.size > map->largest)
		map->largest = load.size;
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
			.size = kernel->size,
			.address = kernel->address,
			.symbols = symbols,
			.kernel = kernel->name,
			.kernel_index = i,
			.pid = load->pid,
		};
		/* Level Zero does not load sections that it does not need. */
		const int err = kernel->address ? add_load(map, add, complaint) : 0;

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
		.size = load.size,
		.address = load.address,
		.symbols = load.symbols,
		.kernel = load.kernel,
		.kernel_index = (uint32_t)index,
		.pid = load.pid,
	};
	if (!add.size && load.symbols)
		add.size = load.symbols->kernels[index].size;
	return add_load(map, add, &complaint);
}

static void locate(const struct code_load *load, uint64_t offset,
		   struct gpuoa_code_location *location)
{
	struct gpuoa_code_line line = { .function = load->kernel };

	if (load->symbols)
		gpuoa_symbols_find_line(load->symbols, load->kernel_index, offset, &line,
					sizeof(line));
	*location = (struct gpuoa_code_location){
		.pid = load->pid,
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
}

static bool is_same_code(const struct code_load *one, const struct code_load *other)
{
	return one->symbols == other->symbols && one->kernel_index == other->kernel_index &&
	       one->start == other->start && !strcmp(one->kernel, other->kernel);
}

int gpuoa_code_map_find(const struct gpuoa_code_map *map, uint32_t pid, uint64_t address,
			uint32_t index, struct gpuoa_code_location *location, size_t size)
{
	const uint64_t at = address & map->mask;
	const struct code_load *first = NULL;
	struct gpuoa_code_location known = { 0 };
	uint32_t matches = 0;
	bool same = true;
	size_t begin;

	begin = map->largest && at >= map->largest ? loads_until(map, at - map->largest) : 0;
	for (size_t i = begin; i < map->count && map->loads[i].start <= at; i++) {
		const struct code_load *load = &map->loads[i];

		if (at - load->start >= load->size || (pid && load->pid && pid != load->pid))
			continue;
		if (!first)
			first = load;
		same &= is_same_code(first, load);
		if (matches++ == index)
			locate(load, at - load->start, &known);
	}
	if (!matches)
		return -ENOENT;
	if (index >= matches)
		return -ERANGE;
	known.match_count = matches;
	known.same_code = same;
	sized_give(location, size, &known, sizeof(known));
	return 0;
}
