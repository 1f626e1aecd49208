// SPDX-License-Identifier: MIT
/*
 * zebin_test.c - Test what is read from zebins whose sections, symbols, relocations and units of
 * debug information are changed, at the limits of each check.
 */
#include <errno.h>
#include <stdlib.h>

#include "gpuoa-symbols.h"
#include "tap.h"
#include "zebin.h"

#define MACHINE 205
#define SCALE_SIZE 0x80
#define COPY_SIZE 0x40
#define PLACED UINT64_C(0x8001fffe5000)
#define ROWS(array) .rows = array, .row_count = sizeof(array) / sizeof((array)[0])

static const struct zebin_row scale_rows[] = { { 0x00, 3, 0, 0 },
					       { 0x10, 5, 9, 0 },
					       { 0x30, 7, 2, 1 },
					       { 0x60, 0, 0, 0 } };
static const struct zebin_row copy_rows[] = { { 0, 20, 0, 0 },
					      { 0x20, 22, 4, 0 },
					      { 0x40, 0, 0, 0 } };

static const struct zebin_kernel scale = { .name = "scale",
					   .size = SCALE_SIZE,
					   ROWS(scale_rows),
					   .function = "helper",
					   .function_offset = 0x10,
					   .function_size = 0x20 };
static const struct zebin_kernel copy = { .name = "copy", .size = COPY_SIZE, ROWS(copy_rows) };

/* Indexes of symbols in a file of these two kernels */
enum { SYMBOL_HELPER = 3, SYMBOL_SCALE_SECTION = 4, SYMBOL_COPY_SECTION = 6 };

static struct bytes file;
static struct gpuoa_symbols *symbols;
static struct gpuoa_symbols_desc desc;
static char error[128];

static void make(const struct zebin_kernel *one, const struct zebin_kernel *other)
{
	const struct zebin_kernel kernels[] = { *one, *other };

	file = zebin_make(kernels, 2, MACHINE);
}

static Elf64_Ehdr *header(void)
{
	return (Elf64_Ehdr *)file.data;
}

static Elf64_Shdr *section(const char *name)
{
	static Elf64_Shdr none;
	Elf64_Shdr *found = zebin_find_section(&file, name);

	return CHECK(found) ? found : &none;
}

static Elf64_Sym *symbol(uint32_t index)
{
	return (Elf64_Sym *)(file.data + section(".symtab")->sh_offset) + index;
}

static Elf64_Rela *line_relocation(uint32_t index)
{
	return (Elf64_Rela *)(file.data + section(".rela.debug_line")->sh_offset) + index;
}

/* Open the file, destroy its bytes, which are copied, and describe it. */
static int open_file(void)
{
	const int err = gpuoa_symbols_open(file.data, file.size, &symbols, error, sizeof(error));

	memset(file.data, 0xcc, file.size);
	memset(&desc, 0, sizeof(desc));
	if (!err)
		gpuoa_symbols_describe(symbols, &desc, sizeof(desc));
	return err;
}

static void close_file(void)
{
	gpuoa_symbols_close(symbols);
	symbols = NULL;
	clear(&file);
}

static struct gpuoa_code_line line_at(uint32_t kernel, uint64_t offset)
{
	struct gpuoa_code_line line = { 0 };

	gpuoa_symbols_find_line(symbols, kernel, offset, &line, sizeof(line));
	return line;
}

/* ---- sections ------------------------------------------------------------------------------- */

static void make_32_bit(void)
{
	header()->e_ident[EI_CLASS] = ELFCLASS32;
}

static void make_big_endian(void)
{
	header()->e_ident[EI_DATA] = ELFDATA2MSB;
	header()->e_machine = MACHINE << 8;
}

static void remove_name(void)
{
	section(".text.copy")->sh_name = 0x7fffffff;
}

static void end_at_the_end_of_the_file(void)
{
	section(".text.copy")->sh_offset = file.size - COPY_SIZE;
}

static void end_after_the_file(void)
{
	section(".text.copy")->sh_offset = file.size - COPY_SIZE + 1;
}

static void begin_after_the_file(void)
{
	section(".text.copy")->sh_offset = file.size + 1;
}

static void make_larger_than_memory(void)
{
	section(".text.copy")->sh_size = UINT64_MAX;
}

static void end_at_the_end_of_addresses(void)
{
	section(".text.copy")->sh_addr = UINT64_MAX - COPY_SIZE;
}

static void end_after_all_addresses(void)
{
	section(".text.copy")->sh_addr = UINT64_MAX - COPY_SIZE + 1;
}

static void remove_code(void)
{
	section(".text.copy")->sh_size = 0;
}

static void change_type(void)
{
	section(".text.copy")->sh_type = SHT_NOBITS;
}

static void change_prefix(void)
{
	Elf64_Shdr *names = section(".strtab"), *changed = section(".text.copy");

	file.data[names->sh_offset + changed->sh_name + 5] = '-';
}

static void kernels_are_sections_with_code_in_the_file(void)
{
	static const struct {
		void (*change)(void);
		uint32_t kernels; /* 0: error */
		const char *error;
	} cases[] = {
		{ make_32_bit, 0, "this ELF file is not 64-bit little-endian" },
		{ make_big_endian, 0, "this ELF file is not 64-bit little-endian" },
		{ remove_name, 0, "damaged file: a section has no name" },
		{ end_at_the_end_of_the_file, 2, "" },
		{ end_after_the_file, 0, "damaged file: a kernel is outside of the file" },
		{ begin_after_the_file, 0, "damaged file: a kernel is outside of the file" },
		{ make_larger_than_memory, 0, "damaged file: a kernel is outside of the file" },
		{ end_at_the_end_of_addresses, 2, "" },
		{ end_after_all_addresses, 0,
		  "damaged file: a kernel is outside of the address space" },
		{ remove_code, 1, "" },
		{ change_type, 1, "" },
		{ change_prefix, 1, "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		make(&scale, &copy);
		cases[i].change();
		if (!CHECK(open_file() == (cases[i].kernels ? 0 : -EINVAL)))
			printf("# case %zu\n", i);
		CHECK_STRING(error, cases[i].error);
		CHECK(desc.kernel_count == cases[i].kernels);
		if (symbols) {
			CHECK(gpuoa_symbols_find_kernel(symbols, "scale") == 0);
			CHECK(gpuoa_symbols_find_kernel(symbols, "copy") ==
			      (cases[i].kernels == 2 ? 1 : -ENOENT));
		}
		close_file();
	}
	CHECK(gpuoa_symbols_open(NULL, (size_t)UINT32_MAX + 1, &symbols, error, sizeof(error)) ==
	      -EINVAL);
	CHECK_STRING(error, "the file is larger than 4 GiB");
}

static void open_returns_all_of_many_kernels(void)
{
	static char names[ZEBIN_MAX_KERNELS][16];
	struct zebin_kernel kernels[ZEBIN_MAX_KERNELS];
	struct gpuoa_kernel_desc kernel;

	for (uint32_t i = 0; i < ZEBIN_MAX_KERNELS; i++) {
		snprintf(names[i], sizeof(names[i]), "kernel%u", i);
		kernels[i] = (struct zebin_kernel){ .name = names[i], .size = 8 * (i + 1) };
	}
	/* Names are UTF-8 without control characters. */
	strcpy(names[3], "a\x1f\x20\x7f\x80z\xc3\xa9");
	file = zebin_make(kernels, ZEBIN_MAX_KERNELS, MACHINE);
	REQUIRE(!open_file());
	CHECK(desc.kernel_count == ZEBIN_MAX_KERNELS && !desc.placed && !desc.line_count);
	for (uint32_t i = 0; i < ZEBIN_MAX_KERNELS; i++) {
		REQUIRE(!gpuoa_symbols_describe_kernel(symbols, i, &kernel, sizeof(kernel)));
		CHECK_STRING(kernel.name, i == 3 ? "a? ??z\xc3\xa9" : names[i]);
		CHECK(kernel.size == 8 * (i + 1) && !kernel.address && !kernel.line_count);
		CHECK(gpuoa_symbols_find_kernel(symbols, kernel.name) == (int)i);
		CHECK(((const uint8_t *)kernel.code)[1] == (uint8_t)(1 ^ i << 4));
	}
	close_file();
}

/* ---- functions ------------------------------------------------------------------------------ */

static void functions_are_symbols_in_a_kernel(void)
{
	const Elf64_Sym helper = { .st_info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC),
				   .st_shndx = 1,
				   .st_value = 0x10,
				   .st_size = 0x20 };
	struct {
		Elf64_Sym symbol;
		uint64_t offset;
		bool found;
	} cases[] = { { helper, 0x10, true },  { helper, 0x0f, false }, { helper, 0x2f, true },
		      { helper, 0x30, false }, { helper, 0x10, false }, { helper, 0x10, false },
		      { helper, 0x10, false }, { helper, 0x10, false }, { helper, 0x7f, true },
		      { helper, 0x7f, false }, { helper, 0x10, false }, { helper, 0x10, false } };

	cases[4].symbol.st_info = ELF64_ST_INFO(STB_LOCAL, STT_OBJECT);
	cases[5].symbol.st_size = 0;
	cases[6].symbol.st_shndx = SHN_ABS;
	cases[7].symbol.st_shndx = 3; /* .symtab */
	cases[8].symbol.st_value = SCALE_SIZE - 1;
	cases[9].symbol.st_value = SCALE_SIZE;
	cases[10].symbol.st_shndx = 2;
	cases[11].symbol.st_shndx = 0;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		make(&scale, &copy);
		cases[i].symbol.st_name = symbol(SYMBOL_HELPER)->st_name;
		*symbol(SYMBOL_HELPER) = cases[i].symbol;
		REQUIRE(!open_file());
		if (!CHECK_STRING(line_at(0, cases[i].offset).function,
				  cases[i].found ? "helper" : "scale"))
			printf("# case %zu\n", i);
		CHECK_STRING(line_at(1, 0x10).function, i == 10 ? "helper" : "copy");
		close_file();
	}
	/* Without a name, or with that of the kernel, and in a file without functions */
	make(&scale, &copy);
	symbol(SYMBOL_HELPER)->st_name = 0;
	REQUIRE(!open_file());
	CHECK_STRING(line_at(0, 0x10).function, "scale");
	close_file();
	make(&scale, &copy);
	section(".symtab")->sh_offset = file.size + 1;
	CHECK(open_file() == -EINVAL);
	CHECK_STRING(error, "damaged file: no table of symbols");
	close_file();
}

/* Symbols of placed files have whole addresses, or offsets. */
static void functions_of_placed_kernels_have_addresses_or_offsets(void)
{
	static const struct {
		uint64_t value;
		const char *function; /* at 0x10 */
	} cases[] = { { PLACED + 0x10, "helper" },
		      { 0x10, "helper" },
		      { PLACED - 0x10, "scale" },
		      { PLACED + SCALE_SIZE, "scale" },
		      { PLACED, "helper" } };
	struct zebin_kernel one = scale, other = copy;

	one.address = PLACED;
	other.address = PLACED + SCALE_SIZE;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		make(&one, &other);
		symbol(SYMBOL_HELPER)->st_value = cases[i].value;
		REQUIRE(!open_file());
		CHECK(desc.placed);
		CHECK_STRING(line_at(0, 0x10).function, cases[i].function);
		CHECK_STRING(line_at(0, 0x40).function, "scale");
		close_file();
	}
}

static void find_line_returns_the_innermost_of_many_functions(void)
{
	struct zebin_kernel one = scale;

	one.function_count = 20;
	one.function_offset = 4;
	one.function_size = 6;
	make(&one, &copy);
	/* The second one is in the first one, and the last one is as large as the one it is in. */
	symbol(SYMBOL_HELPER + 1)->st_value = 6;
	symbol(SYMBOL_HELPER + 1)->st_size = 2;
	symbol(SYMBOL_HELPER + 19)->st_value = 4 + 18 * 6;
	REQUIRE(!open_file());
	for (uint32_t offset = 0; offset < SCALE_SIZE; offset++) {
		char expected[16];

		snprintf(expected, sizeof(expected), "helper%u", (offset - 4) / 6);
		if (offset < 4 || offset >= 4 + 19 * 6 || (offset >= 10 && offset < 16))
			strcpy(expected, "scale");
		if (offset == 6 || offset == 7)
			strcpy(expected, "helper1");
		CHECK_STRING(line_at(0, offset).function, expected);
	}
	close_file();
}

/* ---- relocations ---------------------------------------------------------------------------- */

/* Subprograms have other names, so that lines need their relocations. */
static void make_relocated(bool rel)
{
	struct zebin_kernel one = scale, other = copy;

	one.subprogram = other.subprogram = "other";
	one.rel = rel;
	make(&one, &other);
}

static void find_line_works_with_addends_in_sections(void)
{
	make_relocated(true);
	REQUIRE(!open_file());
	CHECK(desc.unit_count == 2 && !desc.bad_unit_count && desc.line_count == 4 + 3);
	CHECK(line_at(0, 0x10).line == 5 && line_at(1, 0x20).line == 22);
	/* The two units have the same file. */
	CHECK(line_at(0, 0).file == line_at(1, 0).file);
	close_file();
}

static void change_relocation_type(void)
{
	line_relocation(1)->r_info = ELF64_R_INFO(SYMBOL_COPY_SECTION, 3);
}

static void shorten_relocation(void)
{
	line_relocation(1)->r_info = ELF64_R_INFO(SYMBOL_COPY_SECTION, 2);
}

static void move_relocation_to_the_end(void)
{
	line_relocation(1)->r_offset = section(".debug_line")->sh_size - 7;
}

static void move_relocation_after_the_end(void)
{
	line_relocation(1)->r_offset = section(".debug_line")->sh_size + 1;
}

static void change_relocation_symbol(void)
{
	line_relocation(1)->r_info = ELF64_R_INFO(1000, 1);
}

static void change_symbol_section(void)
{
	symbol(SYMBOL_COPY_SECTION)->st_shndx = SHN_ABS;
	symbol(SYMBOL_COPY_SECTION)->st_name = 0;
}

static void change_symbol_name(void)
{
	symbol(SYMBOL_COPY_SECTION)->st_shndx = SHN_ABS;
	symbol(SYMBOL_COPY_SECTION)->st_name += 5; /* without ".text" */
}

static void change_symbol_section_only(void)
{
	symbol(SYMBOL_COPY_SECTION)->st_shndx = SHN_ABS;
}

static void change_symbol_kernel(void)
{
	symbol(SYMBOL_COPY_SECTION)->st_shndx = SHN_ABS;
	file.data[section(".strtab")->sh_offset + symbol(SYMBOL_COPY_SECTION)->st_name + 6] = 'C';
}

static void change_target(void)
{
	section(".rela.debug_line")->sh_info = 1; /* .text.scale */
}

static void remove_target(void)
{
	section(".rela.debug_line")->sh_info = 1000;
}

static void remove_symbols(void)
{
	section(".rela.debug_line")->sh_link = 1000;
}

static void remove_relocations(void)
{
	section(".rela.debug_line")->sh_offset = file.size + 1;
}

static void change_relocation_section_type(void)
{
	section(".rela.debug_line")->sh_type = SHT_PROGBITS;
}

static void relocations_that_cannot_be_applied_are_ignored(void)
{
	static const struct {
		void (*change)(void);
		bool scale, copy; /* whether lines of the kernel are found */
	} cases[] = {
		{ change_relocation_type, true, false },
		{ shorten_relocation, true, false },
		{ move_relocation_to_the_end, true, false },
		{ move_relocation_after_the_end, true, false },
		{ change_relocation_symbol, true, false },
		{ change_symbol_section, true, false },
		{ change_symbol_name, true, false },
		{ change_symbol_section_only, true, true },
		{ change_symbol_kernel, true, false },
		{ change_target, false, false },
		{ remove_target, false, false },
		{ remove_symbols, false, false },
		{ remove_relocations, false, false },
		{ change_relocation_section_type, false, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct gpuoa_kernel_desc kernel;

		make_relocated(false);
		cases[i].change();
		REQUIRE(!open_file());
		if (!CHECK(!!line_at(0, 0x10).line == cases[i].scale &&
			   !!line_at(1, 0x10).line == cases[i].copy))
			printf("# case %zu\n", i);
		CHECK(desc.unit_count == 2);
		CHECK(desc.bad_unit_count == 2u - cases[i].scale - cases[i].copy);
		/* Code is not changed. */
		CHECK(!gpuoa_symbols_describe_kernel(symbols, 0, &kernel, sizeof(kernel)));
		for (uint32_t k = 0; k < SCALE_SIZE; k++)
			CHECK(((const uint8_t *)kernel.code)[k] == k);
		close_file();
	}
}

static void relocations_add_the_value_of_their_symbol(void)
{
	make_relocated(false);
	symbol(SYMBOL_SCALE_SECTION)->st_value = 0x08;
	line_relocation(0)->r_addend = 4;
	REQUIRE(!open_file());
	CHECK(!line_at(0, 0x0b).line && line_at(0, 0x0c).line == 3 && line_at(0, 0x1c).line == 5);
	close_file();
}

/* The reference of the last unit to its line table is at the very end of its section. */
static void relocation_at_the_end_of_a_section_is_applied(void)
{
	struct zebin_kernel other = copy;

	other.no_subprogram = true;
	make(&scale, &other);
	REQUIRE(!open_file());
	CHECK(desc.unit_count == 2 && !desc.bad_unit_count);
	CHECK(line_at(0, 0x10).line == 5 && line_at(1, 0x20).line == 22);
	close_file();
}

/* Relocations of a placed file were applied by Level Zero. */
static void relocations_of_placed_files_are_ignored(void)
{
	struct zebin_kernel one = scale, other = copy;
	Elf64_Shdr *rela;

	one.address = PLACED;
	other.address = PLACED + SCALE_SIZE;
	make(&one, &other);
	/* Any bytes are a relocation that changes the begin of the line table. */
	rela = section(".rela.debug_line");
	rela->sh_offset = section(".text.scale")->sh_offset;
	rela->sh_size = 24;
	*(Elf64_Rela *)(file.data + rela->sh_offset) =
		(Elf64_Rela){ .r_info = ELF64_R_INFO(SYMBOL_COPY_SECTION, 1), .r_addend = 77 };
	REQUIRE(!open_file());
	CHECK(desc.unit_count == 2 && !desc.bad_unit_count);
	CHECK(line_at(0, 0x10).line == 5 && line_at(1, 0x20).line == 22);
	close_file();
}

/* ---- units and lines ------------------------------------------------------------------------ */

/* The relocations of the unit are wrong, so that its kernel is that of a subprogram. */
static void unit_belongs_to_the_kernel_of_a_subprogram(void)
{
	static const struct {
		const char *subprogram, *linkage_name;
		uint32_t types;
		bool no_subprogram, found;
	} cases[] = {
		{ "scale", NULL, 0, false, true },	  { "scale", NULL, 3, false, true },
		{ "other", NULL, 3, false, false },	  { "scale(int)", "scale", 0, false, true },
		{ "scale", "_Z5other", 0, false, true },  { "copy", "scale", 1, false, true },
		{ "other", "_Z5other", 1, false, false }, { "scale", NULL, 0, true, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct zebin_kernel one = scale;

		one.symbol = ZEBIN_NAMELESS;
		one.subprogram = cases[i].subprogram;
		one.linkage_name = cases[i].linkage_name;
		one.types = cases[i].types;
		one.no_subprogram = cases[i].no_subprogram;
		make(&one, &copy);
		REQUIRE(!open_file());
		if (!CHECK(line_at(0, 0x10).line == (cases[i].found ? 5 : 0)))
			printf("# case %zu\n", i);
		CHECK(desc.bad_unit_count == !cases[i].found);
		CHECK(line_at(1, 0x20).line == 22);
		close_file();
	}
}

static void describe_counts_units_with_lines(void)
{
	const uint32_t reserved = 0xfffffff5;
	struct zebin_kernel one = scale;
	Elf64_Shdr *info;
	uint32_t length;

	one.no_lines = true;
	make(&one, &copy);
	REQUIRE(!open_file());
	CHECK(desc.unit_count == 1 && !desc.bad_unit_count && desc.line_count == 3);
	close_file();
	/* The length of the first unit is a reserved number: it and the second one are lost. */
	make(&scale, &copy);
	info = section(".debug_info");
	memcpy(&length, file.data + info->sh_offset, sizeof(length));
	memcpy(file.data + info->sh_offset, &reserved, sizeof(reserved));
	REQUIRE(!open_file());
	CHECK(desc.unit_count == 1 && desc.bad_unit_count == 1 && !desc.line_count);
	close_file();
	/* That of the second unit is one. */
	make(&scale, &copy);
	memcpy(file.data + section(".debug_info")->sh_offset + 4 + length, &reserved,
	       sizeof(reserved));
	REQUIRE(!open_file());
	CHECK(desc.unit_count == 2 && desc.bad_unit_count == 1 && desc.line_count == 4);
	close_file();
}

/* The end of a table can be that of its kernel, but a line cannot begin there. */
static void lines_end_with_their_kernel(void)
{
	static const struct zebin_row at_end[] = { { 0, 1, 0, 0 },
						   { COPY_SIZE, 2, 0, 0 },
						   { COPY_SIZE + 8, 0, 0, 0 } };
	static const struct zebin_row before_end[] = { { 0, 1, 0, 0 },
						       { COPY_SIZE - 1, 2, 0, 0 },
						       { COPY_SIZE, 0, 0, 0 } };
	static const struct zebin_row line_0[] = {
		{ 0, 1, 0, 0 }, { 8, 0, 0, 0 }, { 16, 1, 0, 0 }, { COPY_SIZE, 0, 0, 0 }
	};
	static const struct {
		const struct zebin_row *rows;
		size_t count;
		uint32_t lines, first, last; /* the first row and the last instruction */
	} cases[] = {
		{ at_end, 3, 1, 1, 1 },
		{ before_end, 3, 3, 1, 2 },
		{ line_0, 4, 4, 1, 1 },
	};
	static const enum zebin_symbol kinds[] = { ZEBIN_SECTION, ZEBIN_NAMED, ZEBIN_NAMELESS };

	for (size_t i = 0; i < 2 * 3 * sizeof(cases) / sizeof(cases[0]); i++) {
		struct zebin_kernel other = copy;
		const size_t c = i / 6;
		struct gpuoa_kernel_desc kernel;

		other.rows = cases[c].rows;
		other.row_count = cases[c].count;
		other.symbol = kinds[i / 2 % 3];
		/* Only the second kernel is placed; the first one was not loaded. */
		other.address = i % 2 ? PLACED : 0;
		make(&(struct zebin_kernel){ .name = "scale", .size = SCALE_SIZE }, &other);
		REQUIRE(!open_file());
		CHECK(desc.line_count == cases[c].lines && desc.unit_count == 1);
		CHECK(!desc.bad_unit_count && desc.placed == i % 2);
		CHECK(!gpuoa_symbols_describe_kernel(symbols, 1, &kernel, sizeof(kernel)));
		if (!CHECK(kernel.line_count == cases[c].lines))
			printf("# case %zu\n", i);
		CHECK(line_at(1, 0).line == cases[c].first);
		CHECK(line_at(1, COPY_SIZE - 1).line == cases[c].last);
		CHECK(line_at(1, 8).line == (c == 2 ? 0 : 1));
		close_file();
	}
}

/* The units refer to the table of the first one. */
static void tables_of_several_units_are_refused(void)
{
	static struct zebin_row rows[2000];
	struct zebin_kernel kernels[ZEBIN_MAX_KERNELS];
	static char names[ZEBIN_MAX_KERNELS][16];

	for (uint32_t i = 0; i < 2000; i++)
		rows[i] = (struct zebin_row){ i, i + 1, 0, 0 };
	for (uint32_t i = 0; i < ZEBIN_MAX_KERNELS; i++) {
		snprintf(names[i], sizeof(names[i]), "kernel%u", i);
		kernels[i] = (struct zebin_kernel){ .name = names[i], .size = 8, ROWS(copy_rows) };
	}
	kernels[0].size = 2000;
	kernels[0].rows = rows;
	kernels[0].row_count = 2000;
	for (int same = 0; same < 2; same++) {
		Elf64_Shdr *rela;
		Elf64_Rela *list;

		file = zebin_make(kernels, ZEBIN_MAX_KERNELS, MACHINE);
		rela = section(".rela.debug_info");
		list = (Elf64_Rela *)(file.data + rela->sh_offset);
		for (uint32_t i = 0; same && i < rela->sh_size / sizeof(*list); i++)
			if (ELF64_R_TYPE(list[i].r_info) == 2)
				list[i].r_addend = 0;
		CHECK(open_file() == (same ? -EINVAL : 0));
		CHECK_STRING(error,
			     same ? "damaged file: several units have the same line table" : "");
		if (!same) {
			CHECK(desc.unit_count == ZEBIN_MAX_KERNELS && !desc.bad_unit_count);
			for (uint32_t i = 0; i < 1999; i++)
				CHECK(line_at(0, i).line == i + 1 && line_at(0, i).size == 1);
		}
		close_file();
	}
}

int main(void)
{
	if (gpuoa_symbols_open(NULL, 0, &symbols, NULL, 0) == -EOPNOTSUPP)
		return tap_skip("the library was built without elfutils");
	RUN(kernels_are_sections_with_code_in_the_file);
	RUN(open_returns_all_of_many_kernels);
	RUN(functions_are_symbols_in_a_kernel);
	RUN(functions_of_placed_kernels_have_addresses_or_offsets);
	RUN(find_line_returns_the_innermost_of_many_functions);
	RUN(find_line_works_with_addends_in_sections);
	RUN(relocations_that_cannot_be_applied_are_ignored);
	RUN(relocations_add_the_value_of_their_symbol);
	RUN(relocation_at_the_end_of_a_section_is_applied);
	RUN(relocations_of_placed_files_are_ignored);
	RUN(unit_belongs_to_the_kernel_of_a_subprogram);
	RUN(describe_counts_units_with_lines);
	RUN(lines_end_with_their_kernel);
	RUN(tables_of_several_units_are_refused);
	return tap_end();
}
