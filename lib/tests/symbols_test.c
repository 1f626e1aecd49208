// SPDX-License-Identifier: MIT
/* symbols_test.c - Test kernels, source lines and the code map with zebins built in memory. */
#define _GNU_SOURCE /* memmem */
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "gpuoa-symbols.h"
#include "tap.h"
#include "zebin.h"

#define MACHINE 205

static const struct zebin_row scale_rows[] = {
	{ 0x00, 3, 0, 0 }, { 0x10, 5, 9, 0 }, { 0x30, 7, 2, 1 },
	{ 0x38, 0, 0, 0 }, { 0x40, 6, 1, 0 }, { 0x60, 0, 0, 0 },
};
static const struct zebin_row copy_rows[] = {
	{ 0x00, 20, 0, 0 },
	{ 0x20, 21, 4, 0 },
	{ 0x20, 22, 4, 0 },
	{ 0x40, 0, 0, 0 },
};
#define ROWS(array) .rows = array, .row_count = sizeof(array) / sizeof((array)[0])

static struct gpuoa_symbols *open_kernels(const struct zebin_kernel *kernels, uint32_t count)
{
	struct bytes file = zebin_make(kernels, count, MACHINE);
	struct gpuoa_symbols *symbols;
	char error[256];

	if (!CHECK(!gpuoa_symbols_open(file.data, file.size, &symbols, error, sizeof(error))))
		printf("# %s\n", error);
	clear(&file);
	return symbols;
}

static struct gpuoa_symbols *open_two(enum zebin_symbol one, enum zebin_symbol other,
				      uint64_t address)
{
	const struct zebin_kernel kernels[] = {
		{ .name = "scale",
		  .size = 0x80,
		  .address = address,
		  ROWS(scale_rows),
		  .symbol = one },
		{ .name = "copy",
		  .size = 0x40,
		  .address = address ? address + 0x80 : 0,
		  ROWS(copy_rows),
		  .symbol = other },
	};

	return open_kernels(kernels, 2);
}

static bool line_is(const struct gpuoa_symbols *symbols, uint32_t kernel, uint64_t offset,
		    const char *file, uint32_t number, uint32_t column)
{
	struct gpuoa_code_line line;

	return CHECK(!gpuoa_symbols_find_line(symbols, kernel, offset, &line, sizeof(line))) &&
	       CHECK_STRING(line.file, file) && CHECK(line.line == number) &&
	       CHECK(line.column == column);
}

static void check_lines(const struct gpuoa_symbols *symbols)
{
	struct gpuoa_symbols_desc desc;
	struct gpuoa_code_line line;

	REQUIRE(symbols);
	gpuoa_symbols_describe(symbols, &desc, sizeof(desc));
	CHECK(desc.unit_count == 2 && desc.bad_unit_count == 0);
	CHECK(desc.line_count == 6 + 3);
	line_is(symbols, 0, 0x00, "/src/kernels.cl", 3, 0);
	line_is(symbols, 0, 0x0f, "/src/kernels.cl", 3, 0);
	line_is(symbols, 0, 0x10, "/src/kernels.cl", 5, 9);
	line_is(symbols, 0, 0x30, "/src/inline.h", 7, 2);
	line_is(symbols, 0, 0x40, "/src/kernels.cl", 6, 1);
	line_is(symbols, 0, 0x5f, "/src/kernels.cl", 6, 1);
	line_is(symbols, 1, 0x00, "/src/kernels.cl", 20, 0);
	/* the last of two rows for an instruction */
	line_is(symbols, 1, 0x20, "/src/kernels.cl", 22, 4);
	line_is(symbols, 1, 0x3f, "/src/kernels.cl", 22, 4);
	REQUIRE(!gpuoa_symbols_find_line(symbols, 0, 0x18, &line, sizeof(line)));
	CHECK(line.offset == 0x10 && line.size == 0x20);
	REQUIRE(!gpuoa_symbols_find_line(symbols, 1, 0x28, &line, sizeof(line)));
	CHECK(line.offset == 0x20 && line.size == 0x20);
}

static void find_line_returns_rows_of_each_kernel(void)
{
	struct gpuoa_symbols *symbols = open_two(ZEBIN_SECTION, ZEBIN_SECTION, 0);

	check_lines(symbols);
	gpuoa_symbols_close(symbols);
}

static void find_line_works_if_symbols_have_wrong_sections(void)
{
	struct gpuoa_symbols *symbols = open_two(ZEBIN_NAMED, ZEBIN_NAMED, 0);

	check_lines(symbols);
	gpuoa_symbols_close(symbols);
}

static void find_line_works_if_symbols_have_no_names(void)
{
	struct gpuoa_symbols *symbols = open_two(ZEBIN_NAMELESS, ZEBIN_NAMELESS, 0);

	check_lines(symbols);
	gpuoa_symbols_close(symbols);
}

static void find_line_works_in_placed_files(void)
{
	struct gpuoa_symbols *symbols = open_two(ZEBIN_NAMED, ZEBIN_NAMED, 0x8001fffe5000);

	check_lines(symbols);
	gpuoa_symbols_close(symbols);
}

static void find_line_works_in_placed_files_with_unrelocated_units(void)
{
	struct gpuoa_symbols *symbols = open_two(ZEBIN_NAMELESS, ZEBIN_NAMED, 0x8001fffe5000);

	check_lines(symbols);
	gpuoa_symbols_close(symbols);
}

/* The name of a unit's subprogram matters only if the addresses of the unit are of no kernel. */
static void find_line_prefers_addresses_to_names(void)
{
	static const enum zebin_symbol relocated[] = { ZEBIN_SECTION, ZEBIN_NAMED };

	for (size_t i = 0; i < sizeof(relocated) / sizeof(relocated[0]); i++) {
		const struct zebin_kernel kernels[] = {
			{ .name = "scale",
			  .size = 0x80,
			  ROWS(scale_rows),
			  .symbol = relocated[i],
			  .subprogram = "copy" },
			{ .name = "copy",
			  .size = 0x40,
			  ROWS(copy_rows),
			  .symbol = relocated[i],
			  .subprogram = "other" },
		};
		struct gpuoa_symbols *symbols = open_kernels(kernels, 2);

		check_lines(symbols);
		gpuoa_symbols_close(symbols);
	}
}

static void find_line_returns_enodata_without_line(void)
{
	struct gpuoa_symbols *symbols = open_two(ZEBIN_SECTION, ZEBIN_SECTION, 0);
	struct gpuoa_code_line line;

	REQUIRE(symbols);
	/* line 0; after the end of the table; outside of the kernel; no such kernel */
	CHECK(gpuoa_symbols_find_line(symbols, 0, 0x38, &line, sizeof(line)) == -ENODATA);
	CHECK(!line.file && !line.line);
	CHECK(gpuoa_symbols_find_line(symbols, 0, 0x60, &line, sizeof(line)) == -ENODATA);
	CHECK_STRING(line.function, "scale");
	CHECK(gpuoa_symbols_find_line(symbols, 0, 0x80, &line, sizeof(line)) == -ERANGE);
	CHECK(gpuoa_symbols_find_line(symbols, 2, 0, &line, sizeof(line)) == -ERANGE);
	gpuoa_symbols_close(symbols);
}

static void find_line_returns_functions(void)
{
	const struct zebin_kernel kernel = { .name = "scale",
					     .size = 0x80,
					     ROWS(scale_rows),
					     .function = "helper",
					     .function_offset = 0x30,
					     .function_size = 0x10 };
	struct gpuoa_symbols *symbols = open_kernels(&kernel, 1);
	struct gpuoa_code_line line;

	REQUIRE(symbols);
	CHECK(!gpuoa_symbols_find_line(symbols, 0, 0x2f, &line, sizeof(line)));
	CHECK_STRING(line.function, "scale");
	CHECK(!gpuoa_symbols_find_line(symbols, 0, 0x30, &line, sizeof(line)));
	CHECK_STRING(line.function, "helper");
	CHECK(gpuoa_symbols_find_line(symbols, 0, 0x3f, &line, sizeof(line)) == -ENODATA);
	CHECK_STRING(line.function, "helper");
	CHECK(!gpuoa_symbols_find_line(symbols, 0, 0x40, &line, sizeof(line)));
	CHECK_STRING(line.function, "scale");
	gpuoa_symbols_close(symbols);
}

/* A function may be at the begin or at the end of its kernel, in a placed file as in another. */
static void functions_may_be_anywhere_in_a_kernel(void)
{
	static const uint64_t addresses[] = { 0, 0x10, 0x8001fffe5000 };
	static const struct {
		uint32_t offset, size;
		uint64_t in, out; /* an address in the function, and one that is not */
	} places[] = { { 0, 0x10, 0, 0x10 }, { 0, 0x10, 0xf, 0x10 }, { 0x70, 0x10, 0x70, 0x6f } };

	for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++)
		for (size_t k = 0; k < sizeof(places) / sizeof(places[0]); k++) {
			const struct zebin_kernel kernel = { .name = "scale",
							     .size = 0x80,
							     .address = addresses[i],
							     ROWS(scale_rows),
							     .function = "helper",
							     .function_offset = places[k].offset,
							     .function_size = places[k].size };
			struct gpuoa_symbols *symbols = open_kernels(&kernel, 1);
			struct gpuoa_code_line line = { .function = NULL };

			REQUIRE(symbols);
			gpuoa_symbols_find_line(symbols, 0, places[k].in, &line, sizeof(line));
			if (!CHECK(line.function && !strcmp(line.function, "helper")))
				printf("# case %zu of file %zu\n", k, i);
			gpuoa_symbols_find_line(symbols, 0, places[k].out, &line, sizeof(line));
			CHECK(line.function && !strcmp(line.function, "scale"));
			gpuoa_symbols_close(symbols);
		}
}

static void describe_kernel_returns_code(void)
{
	struct gpuoa_symbols *symbols = open_two(ZEBIN_SECTION, ZEBIN_SECTION, 0x100000);
	struct gpuoa_kernel_desc desc;

	REQUIRE(symbols);
	REQUIRE(!gpuoa_symbols_describe_kernel(symbols, 1, &desc, sizeof(desc)));
	CHECK_STRING(desc.name, "copy");
	CHECK(desc.size == 0x40 && desc.address == 0x100080 && desc.line_count == 3);
	CHECK(((const uint8_t *)desc.code)[5] == (5 ^ 0x10));
	CHECK(gpuoa_symbols_describe_kernel(symbols, 2, &desc, sizeof(desc)) == -ERANGE);
	CHECK(gpuoa_symbols_find_kernel(symbols, "copy") == 1);
	CHECK(gpuoa_symbols_find_kernel(symbols, "cop") == -ENOENT);
	gpuoa_symbols_close(symbols);
}

static void describe_counts_units_of_no_kernel(void)
{
	const struct zebin_kernel kernels[] = {
		{ .name = "scale",
		  .size = 0x80,
		  ROWS(scale_rows),
		  .symbol = ZEBIN_NAMELESS,
		  .subprogram = "other" },
		{ .name = "copy", .size = 0x40, ROWS(copy_rows) },
	};
	struct gpuoa_symbols *symbols = open_kernels(kernels, 2);
	struct gpuoa_symbols_desc desc;

	REQUIRE(symbols);
	gpuoa_symbols_describe(symbols, &desc, sizeof(desc));
	CHECK(desc.unit_count == 2 && desc.bad_unit_count == 1 && desc.line_count == 3);
	line_is(symbols, 1, 0x20, "/src/kernels.cl", 22, 4);
	gpuoa_symbols_close(symbols);
}

static void describe_counts_damaged_units(void)
{
	const struct zebin_kernel kernel = { .name = "scale", .size = 0x80, ROWS(scale_rows) };
	struct bytes file = zebin_make(&kernel, 1, MACHINE);
	struct gpuoa_symbols *symbols;
	struct gpuoa_symbols_desc desc;
	uint8_t *file_names = memmem(file.data, file.size, "kernels.cl\0\0\0\0inline.h", 23);

	/* The version is 25 bytes before the names of the files. */
	REQUIRE(file_names && file_names[-25] == 4);
	file_names[-25] = 77;
	REQUIRE(!gpuoa_symbols_open(file.data, file.size, &symbols, NULL, 0));
	gpuoa_symbols_describe(symbols, &desc, sizeof(desc));
	CHECK(desc.kernel_count == 1 && desc.bad_unit_count == 1 && desc.line_count == 0);
	gpuoa_symbols_close(symbols);
	clear(&file);
}

static void open_works_without_debug_information(void)
{
	const struct zebin_kernel kernel = { .name = "scale", .size = 0x80 };
	struct gpuoa_symbols *symbols = open_kernels(&kernel, 1);
	struct gpuoa_code_line line;

	REQUIRE(symbols);
	CHECK(gpuoa_symbols_find_line(symbols, 0, 0, &line, sizeof(line)) == -ENODATA);
	CHECK_STRING(line.function, "scale");
	gpuoa_symbols_close(symbols);
}

static void open_rejects_other_files(void)
{
	const struct zebin_kernel kernel = { .name = "scale", .size = 0x80 };
	struct gpuoa_symbols *symbols;
	struct bytes file;
	char error[256];

	CHECK(gpuoa_symbols_open("kernel", 6, &symbols, error, sizeof(error)) == -EINVAL);
	CHECK_STRING(error, "this is no ELF file");
	CHECK(!symbols);
	CHECK(gpuoa_symbols_open(NULL, 0, &symbols, error, sizeof(error)) == -EINVAL);
	file = zebin_make(&kernel, 1, EM_X86_64);
	CHECK(gpuoa_symbols_open(file.data, file.size, &symbols, error, sizeof(error)) == -EINVAL);
	CHECK_STRING(error, "this ELF file is for machine 62, not for Intel's GPUs (205)");
	clear(&file);
	file = zebin_make(NULL, 0, MACHINE);
	CHECK(gpuoa_symbols_open(file.data, file.size, &symbols, error, sizeof(error)) == -ENODATA);
	CHECK_STRING(error, "there is no kernel: no section .text.<name> has code");
	clear(&file);
}

/* Otherwise each row could have a copy of a long path. */
static void open_copies_invalid_paths_once(void)
{
	const struct zebin_kernel kernel = { .name = "scale", .size = 0x80, ROWS(scale_rows) };
	struct bytes file = zebin_make(&kernel, 1, MACHINE);
	struct gpuoa_code_line one = { NULL }, other = { NULL };
	struct gpuoa_symbols *symbols;
	uint8_t *path;

	while ((path = memmem(file.data, file.size, "kernels.cl", 10)))
		path[6] = '\1';
	REQUIRE(!gpuoa_symbols_open(file.data, file.size, &symbols, NULL, 0));
	CHECK(!gpuoa_symbols_find_line(symbols, 0, 0x00, &one, sizeof(one)));
	CHECK(!gpuoa_symbols_find_line(symbols, 0, 0x40, &other, sizeof(other)));
	CHECK_STRING(one.file, "/src/kernel?.cl");
	CHECK(one.file == other.file);
	gpuoa_symbols_close(symbols);
	clear(&file);
}

static void open_survives_any_damaged_byte(void)
{
	const struct zebin_kernel kernels[] = {
		{ .name = "scale",
		  .size = 0x80,
		  ROWS(scale_rows),
		  .function = "helper",
		  .function_offset = 0x30,
		  .function_size = 0x10 },
		{ .name = "copy", .size = 0x40, ROWS(copy_rows), .symbol = ZEBIN_NAMELESS },
	};
	struct bytes file = zebin_make(kernels, 2, MACHINE);
	unsigned int opened = 0;

	for (size_t i = 0; i < 4 * file.size; i++) {
		static const uint8_t flips[] = { 0xff, 0x01, 0x80, 0x10 };
		struct gpuoa_symbols *symbols;
		int err;

		file.data[i / 4] ^= flips[i % 4];
		err = gpuoa_symbols_open(file.data, file.size, &symbols, NULL, 0);
		file.data[i / 4] ^= flips[i % 4];
		if (!CHECK(err == 0 || err == -EINVAL || err == -ENODATA))
			break;
		for (uint32_t offset = 0; !err && offset < 0x40; offset += 8) {
			struct gpuoa_code_line line;

			gpuoa_symbols_find_line(symbols, 0, offset, &line, sizeof(line));
		}
		opened += !err;
		gpuoa_symbols_close(symbols);
	}
	CHECK(opened > 100);
	for (size_t size = 0; size < file.size; size++) {
		struct gpuoa_symbols *symbols;
		const int err = gpuoa_symbols_open(file.data, size, &symbols, NULL, 0);

		if (!CHECK(err == -EINVAL || err == -ENODATA || err == 0))
			break;
		gpuoa_symbols_close(symbols);
	}
	clear(&file);
}

/* Relocations of a section that contains the table of sections make .strtab too large. */
static void open_ignores_headers_that_relocations_change(void)
{
	const struct zebin_kernel kernel = { .name = "scale", .size = 0x80, ROWS(scale_rows) };
	struct bytes file = zebin_make(&kernel, 1, MACHINE);
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)file.data;
	Elf64_Shdr *info = zebin_find_section(&file, ".debug_info");
	Elf64_Shdr *rela = zebin_find_section(&file, ".rela.debug_info");
	Elf64_Shdr *strings = zebin_find_section(&file, ".strtab");
	Elf64_Shdr *symtab = zebin_find_section(&file, ".symtab");
	struct gpuoa_symbols *symbols;
	Elf64_Rela *relocations;
	Elf64_Sym *list;
	int err;

	REQUIRE(info && rela && strings && symtab && rela->sh_size == 2 * sizeof(*relocations));
	relocations = (Elf64_Rela *)(file.data + rela->sh_offset);
	list = (Elf64_Sym *)(file.data + symtab->sh_offset);
	info->sh_offset = header->e_shoff;
	info->sh_size = header->e_shnum * sizeof(*info);
	relocations[0].r_offset =
		(size_t)((uint8_t *)&strings->sh_size - file.data) - header->e_shoff;
	relocations[0].r_info = ELF64_R_INFO(1, 1);
	relocations[0].r_addend = INT64_C(1) << 40;
	list[2].st_name = 0x7fffffff;
	relocations[1].r_info = ELF64_R_INFO(2, 1);
	err = gpuoa_symbols_open(file.data, file.size, &symbols, NULL, 0);
	CHECK(err == 0 || err == -EINVAL);
	gpuoa_symbols_close(symbols);
	clear(&file);
}

/* code map */

static int add(struct gpuoa_code_map *map, uint32_t pid, uint64_t address, uint64_t size,
	       const char *kernel, const struct gpuoa_symbols *symbols)
{
	const struct gpuoa_code_load load = {
		.pid = pid, .address = address, .size = size, .kernel = kernel, .symbols = symbols
	};
	char error[256];
	const int err = gpuoa_code_map_add(map, &load, sizeof(load), error, sizeof(error));

	if (err && !*error)
		return 1;
	return err;
}

static struct gpuoa_code_location find(const struct gpuoa_code_map *map, uint32_t pid,
				       uint64_t address)
{
	struct gpuoa_code_location location = { 0 };

	gpuoa_code_map_find(map, pid, address, 0, &location, sizeof(location));
	return location;
}

static void map_find_returns_kernel_and_line(void)
{
	struct gpuoa_symbols *symbols = open_two(ZEBIN_SECTION, ZEBIN_SECTION, 0);
	struct gpuoa_code_location location;
	struct gpuoa_code_map *map;

	REQUIRE(symbols && !gpuoa_code_map_new(32, &map));
	CHECK(!add(map, 10, 0x8001fffe5000, 0, "scale", symbols));
	CHECK(!add(map, 10, 0x8001fffe5300, 0, "copy", symbols));
	CHECK(!add(map, 10, 0x8001fffe6000, 0x100, "unknown code", NULL));
	location = find(map, 0, 0xfffe5010);
	CHECK(location.match_count == 1 && location.same_code && location.pid == 10);
	CHECK_STRING(location.kernel, "scale");
	CHECK_STRING(location.file, "/src/kernels.cl");
	CHECK(location.line == 5 && location.column == 9 && location.offset == 0x10);
	CHECK(location.load_address == 0x8001fffe5000 && location.symbols == symbols);
	location = find(map, 0, 0xfffe5320);
	CHECK_STRING(location.function, "copy");
	CHECK(location.line == 22 && location.kernel_index == 1);
	location = find(map, 10, 0xfffe60f8);
	CHECK_STRING(location.kernel, "unknown code");
	CHECK(!location.symbols && !location.file && location.offset == 0xf8);
	CHECK(!find(map, 0, 0xfffe5080).match_count);
	CHECK(!find(map, 0, 0xfffe4fff).match_count);
	CHECK(!find(map, 0, 0xfffe6100).match_count);
	CHECK(!find(map, 11, 0xfffe5010).match_count);
	gpuoa_code_map_free(map);
	gpuoa_symbols_close(symbols);
}

static void map_find_returns_all_processes(void)
{
	struct gpuoa_symbols *symbols = open_two(ZEBIN_SECTION, ZEBIN_SECTION, 0);
	struct gpuoa_code_location location;
	struct gpuoa_code_map *map;

	REQUIRE(symbols && !gpuoa_code_map_new(32, &map));
	CHECK(!add(map, 10, 0x8001fffe5000, 0, "scale", symbols));
	CHECK(!add(map, 11, 0x8001fffe5000, 0, "scale", symbols));
	/* the same again */
	CHECK(!add(map, 11, 0x8001fffe5000, 0, "scale", symbols));
	location = find(map, 0, 0xfffe5010);
	CHECK(location.match_count == 2 && location.same_code);
	CHECK(find(map, 11, 0xfffe5010).match_count == 1);
	CHECK(find(map, 11, 0xfffe5010).pid == 11);

	/* another kernel that overlaps */
	CHECK(!add(map, 12, 0x8001fffe4ff0, 0, "copy", symbols));
	location = find(map, 0, 0xfffe5010);
	CHECK(location.match_count == 3 && !location.same_code);
	CHECK_STRING(location.kernel, "copy");
	CHECK(location.offset == 0x20);
	CHECK(!gpuoa_code_map_find(map, 0, 0xfffe5010, 2, &location, sizeof(location)));
	CHECK(location.pid == 11 && location.match_count == 3);
	CHECK(gpuoa_code_map_find(map, 0, 0xfffe5010, 3, &location, sizeof(location)) == -ERANGE);
	CHECK(gpuoa_code_map_find(map, 0, 0x5010, 0, &location, sizeof(location)) == -ENOENT);
	gpuoa_code_map_free(map);
	gpuoa_symbols_close(symbols);
}

static void map_find_all_returns_each_match(void)
{
	struct gpuoa_code_location locations[3] = { 0 };
	struct gpuoa_code_map *map;

	REQUIRE(!gpuoa_code_map_new(32, &map));
	CHECK(!add(map, 1, 0x2000, 0x100, "late", NULL));
	CHECK(!add(map, 2, 0x1000, 0x2000, "large", NULL));
	CHECK(!add(map, 3, 0x2000, 0x100, "later", NULL));
	CHECK(!add(map, 4, 0x1800, 0x100, "short", NULL));
	CHECK(gpuoa_code_map_find_all(map, 0, 0x2010, NULL, 0, 0) == 3);
	CHECK(gpuoa_code_map_find_all(map, 0, 0x3000, locations, sizeof(locations[0]), 3) == 0);
	CHECK(gpuoa_code_map_find_all(map, 0, 0x2010, locations, sizeof(locations[0]), 2) == 3);
	CHECK(locations[0].pid == 2 && locations[1].pid == 1 && !locations[2].pid);
	CHECK(gpuoa_code_map_find_all(map, 0, 0x2010, locations, sizeof(locations[0]), 3) == 3);
	CHECK_STRING(locations[2].kernel, "later");
	CHECK(locations[2].match_count == 3 && locations[2].offset == 0x10);
	CHECK(gpuoa_code_map_find_all(map, 3, 0x2010, locations, sizeof(locations[0]), 3) == 1);
	CHECK(locations[0].pid == 3 && locations[0].match_count == 1 && locations[0].same_code);
	gpuoa_code_map_free(map);
}

static void map_copies_names(void)
{
	char name[] = "first";
	struct gpuoa_code_map *map;

	REQUIRE(!gpuoa_code_map_new(32, &map));
	CHECK(!add(map, 1, 0x2000, 0x100, name, NULL));
	strcpy(name, "other");
	CHECK(!add(map, 1, 0x3000, 0x100, name, NULL));
	CHECK_STRING(find(map, 1, 0x2010).kernel, "first");
	CHECK_STRING(find(map, 1, 0x3010).function, "other");
	CHECK(!find(map, 1, 0x2010).kernel_index);
	gpuoa_code_map_free(map);
}

static void map_kernels_without_symbols_have_unknown_code(void)
{
	struct gpuoa_code_map *map;

	REQUIRE(!gpuoa_code_map_new(32, &map));
	CHECK(!add(map, 1, 0x2000, 0x100, "kernel", NULL));
	CHECK(find(map, 0, 0x2010).same_code);
	CHECK(!add(map, 2, 0x2000, 0x100, "kernel", NULL));
	CHECK(find(map, 0, 0x2010).match_count == 2 && !find(map, 0, 0x2010).same_code);
	CHECK(find(map, 2, 0x2010).match_count == 1 && find(map, 2, 0x2010).same_code);
	gpuoa_code_map_free(map);
}

/* Compare with a list that is searched from the beginning. */
static void map_finds_the_same_as_a_list(void)
{
	static struct {
		uint64_t start, size;
		uint32_t pid;
	} list[300];
	struct gpuoa_code_location found[300];
	struct gpuoa_code_map *map;
	uint64_t state = 1;

	REQUIRE(!gpuoa_code_map_new(32, &map));
	for (uint32_t i = 0; i < 300; i++) {
		state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
		list[i].start = 8 + (state >> 40) % 500;
		list[i].size = 1 + (state >> 20) % (i % 50 ? 20 : 500);
		list[i].pid = i + 1;
		CHECK(!add(map, list[i].pid, list[i].start, list[i].size, "kernel", NULL));
	}
	for (uint64_t at = 0; at < 1100; at++) {
		const int count = gpuoa_code_map_find_all(map, 0, at, found, sizeof(*found), 300);
		int expected = 0;

		for (uint32_t i = 0; i < 300; i++)
			expected += at >= list[i].start && at - list[i].start < list[i].size;
		REQUIRE(count == expected);
		for (int i = 0; i < count; i++) {
			const uint32_t of = found[i].pid - 1;

			REQUIRE(found[i].offset == at - list[of].start &&
				found[i].offset < list[of].size);
			if (i)
				REQUIRE(found[i - 1].load_address < found[i].load_address ||
					(found[i - 1].load_address == found[i].load_address &&
					 found[i - 1].pid < found[i].pid));
		}
	}
	gpuoa_code_map_free(map);
}

static double seconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

#define MANY 100000

/* Each part takes less than 0.3 s; those that were quadratic took many seconds. */
static void map_takes_no_quadratic_time(void)
{
	struct gpuoa_code_location *found = calloc(MANY, sizeof(*found));
	struct gpuoa_code_map *map;
	const double begin = seconds();

	REQUIRE(found && !gpuoa_code_map_new(64, &map));
	/* in descending order */
	for (uint64_t i = MANY; i; i--)
		REQUIRE(!add(map, 1, i * 0x100, 0x80, "kernel", NULL));
	CHECK(seconds() - begin < 4);
	/* a load that contains all others */
	CHECK(!add(map, 2, 0x10, MANY * UINT64_C(0x200), "large", NULL));
	for (uint64_t i = 1; i <= MANY; i++)
		REQUIRE(find(map, 0, i * 0x100).match_count == 2);
	CHECK(seconds() - begin < 8);
	/* many processes at the same address */
	for (uint32_t i = 0; i < MANY; i++)
		REQUIRE(!add(map, 10 + i, MANY * UINT64_C(0x1000), 0x80, "kernel", NULL));
	CHECK(gpuoa_code_map_find_all(map, 0, MANY * UINT64_C(0x1000), found, sizeof(*found),
				      MANY) == MANY);
	CHECK(seconds() - begin < 12);
	gpuoa_code_map_free(map);
	free(found);
}

static void map_uses_whole_addresses_of_64_bits(void)
{
	struct gpuoa_code_map *map;

	REQUIRE(!gpuoa_code_map_new(64, &map));
	CHECK(!add(map, 0, 0x8001fffe5000, 0x80, "kernel", NULL));
	CHECK(!find(map, 0, 0xfffe5010).match_count);
	CHECK(find(map, 7, 0x8001fffe5010).match_count == 1);
	gpuoa_code_map_free(map);
}

static void map_adds_placed_files(void)
{
	struct gpuoa_symbols *symbols = open_two(ZEBIN_NAMED, ZEBIN_NAMELESS, 0x8001fffe5000);
	struct gpuoa_code_map *map;

	REQUIRE(symbols && !gpuoa_code_map_new(32, &map));
	CHECK(!add(map, 10, 0, 0, NULL, symbols));
	CHECK(find(map, 0, 0xfffe5010).line == 5);
	CHECK(find(map, 0, 0xfffe50a0).line == 22);
	gpuoa_code_map_free(map);
	gpuoa_symbols_close(symbols);
}

/* The table of loads grows several times. */
static void map_finds_loads_that_are_added_again(void)
{
	struct gpuoa_code_map *map;

	REQUIRE(!gpuoa_code_map_new(32, &map));
	for (uint32_t i = 1; i <= 300; i++) {
		CHECK(!add(map, 1, i * 0x100, 0x100, "kernel", NULL));
		for (uint32_t k = 1; k <= i; k += i > 70 ? 37 : 1)
			CHECK(!add(map, 1, k * 0x100, 0x100, "kernel", NULL));
	}
	for (uint32_t i = 1; i <= 300; i++)
		REQUIRE(find(map, 0, i * 0x100 + 1).match_count == 1);
	gpuoa_code_map_free(map);
}

/* Loads that differ in one member only are not the same. */
static void map_distinguishes_loads_by_each_member(void)
{
	struct gpuoa_symbols *symbols = open_two(ZEBIN_SECTION, ZEBIN_SECTION, 0);
	struct gpuoa_code_map *map;
	char name[16];

	REQUIRE(symbols && !gpuoa_code_map_new(32, &map));
	for (uint32_t i = 0; i < 500; i++) {
		snprintf(name, sizeof(name), "kernel %u", i);
		CHECK(!add(map, 1, 0x10000, 0x10000, name, NULL));
		CHECK(!add(map, i + 2, 0x10000, 0x10000, "kernel", NULL));
		CHECK(!add(map, 1, 0x10001 + i, 0xffff - i, "kernel", NULL));
		CHECK(!add(map, 1, 0x10000, 0xffff - i, "kernel", NULL));
		/* only the low 32 bits are the same */
		CHECK(!add(map, 1, ((uint64_t)(i + 1) << 32) + 0x10000, 0x10000, "kernel", NULL));
	}
	CHECK(!add(map, 1, 0x10000, 0x10000, "copy", NULL));
	CHECK(!add(map, 1, 0x10000, 0x10000, "copy", symbols));
	CHECK(gpuoa_code_map_find_all(map, 0, 0x1f000, NULL, 0, 0) == 5 * 500 + 2);
	gpuoa_code_map_free(map);
	gpuoa_symbols_close(symbols);
}

static void map_uses_the_low_bits_of_addresses(void)
{
	struct gpuoa_code_map *map;

	REQUIRE(!gpuoa_code_map_new(12, &map));
	CHECK(!add(map, 1, 0xffffffffffff800, 0x800, "end", NULL));
	CHECK(add(map, 1, 0xffffffffffff800, 0x801, "end", NULL) == -EINVAL);
	CHECK(!add(map, 1, 0x7000, 0x1000, "all", NULL));
	CHECK(find(map, 0, 0xfff).match_count == 2 && find(map, 0, 0xfff).offset == 0xfff);
	CHECK(find(map, 0, 0x1000).match_count == 1 && find(map, 0, 0x17ff).match_count == 1);
	CHECK(find(map, 0, 0x12345800).match_count == 2);
	gpuoa_code_map_free(map);
}

static struct gpuoa_symbols *open_placed(uint64_t one, uint64_t other)
{
	const struct zebin_kernel kernels[] = {
		{ .name = "scale", .size = 0x80, .address = one, ROWS(scale_rows) },
		{ .name = "copy", .size = 0x40, .address = other, ROWS(copy_rows) },
	};

	return open_kernels(kernels, 2);
}

/* Kernels that were not loaded have no address. */
static void map_adds_the_loaded_kernels_of_placed_files(void)
{
	struct gpuoa_symbols *symbols = open_placed(0, 0x2000);
	struct gpuoa_code_location location;
	struct gpuoa_code_map *map;

	REQUIRE(symbols && !gpuoa_code_map_new(32, &map));
	CHECK(!add(map, 10, 0, 0, NULL, symbols) && !add(map, 10, 0, 0, NULL, symbols));
	location = find(map, 0, 0x2020);
	CHECK(location.match_count == 1 && location.pid == 10 && location.kernel_index == 1);
	CHECK_STRING(location.kernel, "copy");
	CHECK(location.line == 22 && location.load_address == 0x2000);
	CHECK(!find(map, 0, 0x10).match_count && !find(map, 0, 0x2040).match_count);
	gpuoa_code_map_free(map);
	gpuoa_symbols_close(symbols);

	symbols = open_placed(0x1000, 0xfffffff0);
	REQUIRE(symbols && !gpuoa_code_map_new(32, &map));
	CHECK(add(map, 10, 0, 0, NULL, symbols) == -EINVAL);
	CHECK(find(map, 0, 0x1000).match_count == 1);
	gpuoa_code_map_free(map);
	gpuoa_symbols_close(symbols);
}

/* A size that is given is used instead of that of the kernel. */
static void map_uses_the_given_size(void)
{
	struct gpuoa_symbols *symbols = open_two(ZEBIN_SECTION, ZEBIN_SECTION, 0);
	struct gpuoa_code_map *map;

	REQUIRE(symbols && !gpuoa_code_map_new(32, &map));
	CHECK(!add(map, 1, 0x1000, 0x20, "scale", symbols));
	CHECK(!add(map, 1, 0x2000, 0, "scale", symbols));
	CHECK(find(map, 1, 0x101f).line == 5 && !find(map, 1, 0x1020).match_count);
	CHECK(find(map, 1, 0x2020).line == 5 && find(map, 1, 0x207f).match_count == 1);
	CHECK(!find(map, 1, 0x2080).match_count);
	/* The same kernel at another offset is other code. */
	CHECK(!add(map, 2, 0x1ff0, 0, "scale", symbols));
	CHECK(find(map, 0, 0x2010).match_count == 2 && !find(map, 0, 0x2010).same_code);
	CHECK(!add(map, 3, 0x3000, 0x80, "scale", symbols));
	CHECK(!add(map, 4, 0x3000, 0x80, "copy", symbols));
	CHECK(find(map, 0, 0x3010).match_count == 2 && !find(map, 0, 0x3010).same_code);
	gpuoa_code_map_free(map);
	gpuoa_symbols_close(symbols);
}

static void map_errors_have_messages(void)
{
	struct gpuoa_symbols *symbols = open_two(ZEBIN_SECTION, ZEBIN_SECTION, 0);
	const struct gpuoa_code_load good = { .kernel = "x", .address = 0x1000, .size = 8 };
	struct gpuoa_code_load loads[6] = { good, good, good, good, good, good };
	static const struct {
		int err;
		const char *error;
	} expected[] = {
		{ 0, "" },
		{ -E2BIG, "a reserved word of a kernel is not 0" },
		{ -E2BIG, "reserved word" },
		{ -EINVAL, "kernel x: invalid address 0 or size 8" },
		{ -ENOENT, "the file has no kernel x" },
		{ -ENODATA, "the name and the address of the kernel are missing" },
	};
	struct gpuoa_code_map *map;

	REQUIRE(symbols && !gpuoa_code_map_new(32, &map));
	loads[1].reserved_1 = 1;
	loads[2].reserved[3] = 1;
	loads[3].address = 0;
	loads[4].symbols = symbols;
	loads[5].kernel = NULL;
	for (size_t i = 0; i < 6; i++) {
		char error[128] = "x";

		CHECK(gpuoa_code_map_add(map, &loads[i], sizeof(loads[i]), error, sizeof(error)) ==
		      expected[i].err);
		if (!CHECK(strstr(error, expected[i].error) && !*error == !expected[i].err))
			printf("# %s\n", error);
	}
	CHECK(find(map, 0, 0x1000).match_count == 1);
	gpuoa_code_map_free(map);
	gpuoa_symbols_close(symbols);
}

static void map_rejects_invalid_loads(void)
{
	struct gpuoa_symbols *symbols = open_two(ZEBIN_SECTION, ZEBIN_SECTION, 0);
	struct gpuoa_code_load load = { .kernel = "x", .address = 8, .size = 8, .reserved = { 1 } };
	struct gpuoa_code_map *map;

	gpuoa_code_map_free(NULL);
	CHECK(gpuoa_code_map_new(11, &map) == -EINVAL && !map);
	CHECK(gpuoa_code_map_new(65, &map) == -EINVAL);
	REQUIRE(symbols && !gpuoa_code_map_new(32, &map));
	CHECK(add(map, 1, 0, 16, "scale", symbols) == -EINVAL);
	CHECK(add(map, 1, 0x1000, 0, "scale", NULL) == -EINVAL);
	CHECK(add(map, 1, 0x1fffffff0, 0x11, "scale", NULL) == -EINVAL);
	CHECK(add(map, 1, 0x1fffffff0, 0x10, "scale", NULL) == 0);
	CHECK(add(map, 1, 0x1000, 0, "missing", symbols) == -ENOENT);
	CHECK(add(map, 1, 0, 0, NULL, symbols) == -ENODATA);
	CHECK(add(map, 1, 0, 0, NULL, NULL) == -ENODATA);
	CHECK(gpuoa_code_map_add(map, &load, sizeof(load), NULL, 0) == -E2BIG);
	gpuoa_code_map_free(map);
	gpuoa_symbols_close(symbols);
}

static void open_needs_elfutils(void)
{
	struct gpuoa_symbols *symbols;
	char error[256];

	CHECK(gpuoa_symbols_open("kernel", 6, &symbols, error, sizeof(error)) == -EOPNOTSUPP);
	CHECK_STRING(error, "cannot read kernels: libgpuoa-extra was built without elfutils "
			    "(libdw), which reads ELF files");
	CHECK(!symbols);
}

int main(void)
{
	struct gpuoa_symbols *symbols;

	if (gpuoa_symbols_open(NULL, 0, &symbols, NULL, 0) == -EOPNOTSUPP) {
		RUN(open_needs_elfutils);
		RUN(map_uses_whole_addresses_of_64_bits);
		return tap_end();
	}
	RUN(find_line_returns_rows_of_each_kernel);
	RUN(find_line_works_if_symbols_have_wrong_sections);
	RUN(find_line_works_if_symbols_have_no_names);
	RUN(find_line_works_in_placed_files);
	RUN(find_line_works_in_placed_files_with_unrelocated_units);
	RUN(find_line_prefers_addresses_to_names);
	RUN(find_line_returns_enodata_without_line);
	RUN(find_line_returns_functions);
	RUN(functions_may_be_anywhere_in_a_kernel);
	RUN(describe_kernel_returns_code);
	RUN(describe_counts_units_of_no_kernel);
	RUN(describe_counts_damaged_units);
	RUN(open_works_without_debug_information);
	RUN(open_rejects_other_files);
	RUN(open_copies_invalid_paths_once);
	RUN(open_survives_any_damaged_byte);
	RUN(open_ignores_headers_that_relocations_change);
	RUN(map_find_returns_kernel_and_line);
	RUN(map_find_returns_all_processes);
	RUN(map_find_all_returns_each_match);
	RUN(map_copies_names);
	RUN(map_kernels_without_symbols_have_unknown_code);
	RUN(map_finds_the_same_as_a_list);
	RUN(map_takes_no_quadratic_time);
	RUN(map_uses_whole_addresses_of_64_bits);
	RUN(map_adds_placed_files);
	RUN(map_finds_loads_that_are_added_again);
	RUN(map_distinguishes_loads_by_each_member);
	RUN(map_uses_the_low_bits_of_addresses);
	RUN(map_adds_the_loaded_kernels_of_placed_files);
	RUN(map_uses_the_given_size);
	RUN(map_errors_have_messages);
	RUN(map_rejects_invalid_loads);
	return tap_end();
}
