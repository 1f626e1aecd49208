// SPDX-License-Identifier: MIT
/*
 * zebin.c - read a zebin with elfutils: kernels and functions by libelf, line tables by libdw
 *
 * libdw does not know the relocations of EM_INTELGT, so they are applied to a copy of the file.
 * Headers and relocations are read from the original, because libelf keeps pointers to headers, and
 * a section that is relocated can overlap them. In a file that was not loaded, all kernels begin at
 * address 0. Each gets an address range of its own for the time of reading, so that the address of
 * a line says to which kernel it belongs.
 *
 * Faults of IGC (seen in 2.40): the symbol that a relocation of debug information names for the
 * section of a kernel has the index of a debug section, and may have no name. Lines of such a unit
 * therefore begin at address 0, even in a file that Level Zero relocated. Its kernel is then the
 * one that has the name of the unit's subprogram.
 */
#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include "extra/symbols/symbols.h"

/* EM_INTELGT, missing in elf.h of older systems */
#define ZEBIN_MACHINE 205

/* Relocation types of EM_INTELGT: symbol + addend, in 64 or in 32 bits */
#define R_ZE_SYM_ADDR 1
#define R_ZE_SYM_ADDR_32 2

#define TEXT_PREFIX ".text."
/* Address range of a kernel in a file that is not placed; see kernel_base() */
#define RANGE_SHIFT 32
/* Maximum number of entries directly below a unit that are searched for a subprogram */
#define ENTRIES_MAX 65536u

struct zebin {
	struct gpuoa_symbols *symbols;
	const struct complaint *complaint;
	Elf *elf;
	Dwarf *dwarf;
	size_t section_names; /* index of the section with the names of sections */
	size_t section_count;
	uint32_t *kernel_of; /* by section: index of the kernel + 1; 0: no kernel */
	size_t rows; /* rows read from all line tables */
	/* Copies of the paths of source files, by the path that libdw returns until dwarf_end() */
	struct name_map paths;
	const char *path; /* of the previous row, and its copy */
	const char *path_copy;
};

static int damaged(const struct zebin *zebin, const char *what)
{
	return COMPLAIN(zebin->complaint, -EINVAL, "damaged file: %s", what);
}

/* The address of a kernel in line tables */
static uint64_t kernel_base(const struct zebin *zebin, uint32_t index)
{
	return zebin->symbols->desc.placed ? zebin->symbols->kernels[index].address :
					     (uint64_t)(index + 1) << RANGE_SHIFT;
}

/* Open the file @data, or its relocated copy, as ELF. libelf does not write to it. */
static int open_elf(struct zebin *zebin, const void *data)
{
	GElf_Ehdr header;

	if (elf_version(EV_CURRENT) == EV_NONE)
		return COMPLAIN(zebin->complaint, -EOPNOTSUPP, "libelf is too old");
	zebin->elf = elf_memory((char *)data, zebin->symbols->size);
	if (!zebin->elf || elf_kind(zebin->elf) != ELF_K_ELF || !gelf_getehdr(zebin->elf, &header))
		return COMPLAIN(zebin->complaint, -EINVAL, "this is no ELF file");
	if (header.e_machine != ZEBIN_MACHINE)
		return COMPLAIN(zebin->complaint, -EINVAL,
				"this ELF file is for machine %u, not for Intel's GPUs (%u)",
				header.e_machine, ZEBIN_MACHINE);
	if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
		return COMPLAIN(zebin->complaint, -EINVAL,
				"this ELF file is not 64-bit little-endian");
	if (elf_getshdrnum(zebin->elf, &zebin->section_count) ||
	    elf_getshdrstrndx(zebin->elf, &zebin->section_names))
		return damaged(zebin, "no table of sections");
	return 0;
}

/* Read a section header. Returns its name, or NULL if the section is damaged. */
static const char *section_name(const struct zebin *zebin, Elf_Scn *section, GElf_Shdr *header)
{
	if (!gelf_getshdr(section, header))
		return NULL;
	return elf_strptr(zebin->elf, zebin->section_names, header->sh_name);
}

static bool in_file(const struct zebin *zebin, const GElf_Shdr *header)
{
	const size_t size = zebin->symbols->size;

	return header->sh_type != SHT_NOBITS && header->sh_offset <= size &&
	       header->sh_size <= size - header->sh_offset;
}

static int add_kernel(struct zebin *zebin, const char *name, const GElf_Shdr *header, size_t *room)
{
	struct gpuoa_symbols *symbols = zebin->symbols;
	struct symbol_kernel *kernels =
		symbols_grow(symbols->kernels, symbols->kernel_count, room, sizeof(*kernels));

	if (!kernels)
		return -ENOMEM;
	symbols->kernels = kernels;
	name = symbols_string(symbols, name, strlen(name));
	if (!name || !name_map_add_number(&symbols->names, name, symbols->kernel_count))
		return -ENOMEM;
	symbols->kernels[symbols->kernel_count++] = (struct symbol_kernel){
		.name = name,
		.size = header->sh_size,
		.address = header->sh_addr,
		.code = symbols->image + header->sh_offset,
	};
	symbols->desc.placed |= header->sh_addr != 0;
	return 0;
}

static int read_kernels(struct zebin *zebin)
{
	Elf_Scn *section = NULL;
	size_t room = 0;

	zebin->kernel_of = calloc(zebin->section_count + 1, sizeof(*zebin->kernel_of));
	if (!zebin->kernel_of)
		return -ENOMEM;
	while ((section = elf_nextscn(zebin->elf, section))) {
		const size_t index = elf_ndxscn(section);
		GElf_Shdr header;
		const char *name = section_name(zebin, section, &header);
		int err;

		if (!name)
			return damaged(zebin, "a section has no name");
		if (strncmp(name, TEXT_PREFIX, strlen(TEXT_PREFIX)) ||
		    header.sh_type != SHT_PROGBITS || !header.sh_size)
			continue;
		if (!in_file(zebin, &header))
			return damaged(zebin, "a kernel is outside of the file");
		if (header.sh_addr > UINT64_MAX - header.sh_size)
			return damaged(zebin, "a kernel is outside of the address space");
		err = add_kernel(zebin, name + strlen(TEXT_PREFIX), &header, &room);
		if (err)
			return err;
		if (index < zebin->section_count)
			zebin->kernel_of[index] = zebin->symbols->kernel_count;
	}
	return 0;
}

/* Add a symbol of type STT_FUNC to its kernel. */
static int add_function(struct zebin *zebin, const char *name, const GElf_Sym *symbol)
{
	struct symbol_kernel *kernel;
	struct symbol_function *functions;
	uint32_t index;
	uint64_t offset = symbol->st_value;

	if (symbol->st_shndx >= zebin->section_count || !symbol->st_size)
		return 0;
	index = zebin->kernel_of[symbol->st_shndx];
	if (!index)
		return 0;
	kernel = &zebin->symbols->kernels[index - 1];
	if (kernel->address && offset >= kernel->address)
		offset -= kernel->address;
	if (offset >= kernel->size || !strcmp(name, kernel->name))
		return 0;
	functions = symbols_grow(kernel->functions, kernel->function_count, &kernel->function_room,
				 sizeof(*functions));
	if (!functions)
		return -ENOMEM;
	kernel->functions = functions;
	name = symbols_string(zebin->symbols, name, strlen(name));
	if (!name)
		return -ENOMEM;
	functions[kernel->function_count++] = (struct symbol_function){
		.name = name,
		.offset = offset,
		.size = symbol->st_size,
	};
	return 0;
}

static int read_functions(struct zebin *zebin, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Sym symbol;

	if (!data)
		return damaged(zebin, "no table of symbols");
	for (int i = 0; gelf_getsym(data, i, &symbol); i++) {
		const char *name = elf_strptr(zebin->elf, header->sh_link, symbol.st_name);
		int err;

		if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || !name || !*name)
			continue;
		err = add_function(zebin, name, &symbol);
		if (err)
			return err;
	}
	return 0;
}

/*
 * Find the kernel whose section a symbol names, by the symbol's section or its name. Returns its
 * index + 1, or 0.
 */
static uint32_t kernel_of_symbol(const struct zebin *zebin, const GElf_Sym *symbol, size_t strings)
{
	const char *name;
	int kernel;

	if (symbol->st_shndx < zebin->section_count && zebin->kernel_of[symbol->st_shndx])
		return zebin->kernel_of[symbol->st_shndx];
	name = elf_strptr(zebin->elf, strings, symbol->st_name);
	if (!name || strncmp(name, TEXT_PREFIX, strlen(TEXT_PREFIX)))
		return 0;
	kernel = gpuoa_symbols_find_kernel(zebin->symbols, name + strlen(TEXT_PREFIX));
	return kernel < 0 ? 0 : (uint32_t)kernel + 1;
}

struct symtab {
	Elf_Data *data;
	size_t strings; /* section with the names */
};

/* Apply a relocation to the section @target. If it is outside, or of another type, ignore it. */
static void relocate(struct zebin *zebin, const GElf_Shdr *target, const struct symtab *symtab,
		     const GElf_Rela *relocation, bool has_addend)
{
	const size_t size = GELF_R_TYPE(relocation->r_info) == R_ZE_SYM_ADDR ? 8 : 4;
	uint64_t value = 0;
	uint32_t kernel;
	uint8_t *place;
	GElf_Sym symbol;

	if (GELF_R_TYPE(relocation->r_info) != R_ZE_SYM_ADDR &&
	    GELF_R_TYPE(relocation->r_info) != R_ZE_SYM_ADDR_32)
		return;
	if (relocation->r_offset > target->sh_size ||
	    size > target->sh_size - relocation->r_offset ||
	    !gelf_getsym(symtab->data, (int)GELF_R_SYM(relocation->r_info), &symbol))
		return;
	place = zebin->symbols->image + target->sh_offset + relocation->r_offset;
	if (has_addend)
		value = (uint64_t)relocation->r_addend;
	else
		memcpy(&value, place, size);
	/* IGC's symbols for sections have the value 0. */
	value += symbol.st_value;
	kernel = kernel_of_symbol(zebin, &symbol, symtab->strings);
	if (kernel)
		value += kernel_base(zebin, kernel - 1);
	memcpy(place, &value, size);
}

/* Apply the relocations of a section, if they are for debug information. */
static void relocate_section(struct zebin *zebin, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Scn *target = elf_getscn(zebin->elf, header->sh_info);
	Elf_Scn *symbols = elf_getscn(zebin->elf, header->sh_link);
	Elf_Data *data = elf_getdata(section, NULL);
	const bool has_addend = header->sh_type == SHT_RELA;
	GElf_Shdr target_header, symbols_header;
	struct symtab symtab;
	const char *name;
	GElf_Rela rela;
	GElf_Rel rel;

	if (!target || !data || !symbols || !gelf_getshdr(symbols, &symbols_header))
		return;
	name = section_name(zebin, target, &target_header);
	symtab = (struct symtab){ elf_getdata(symbols, NULL), symbols_header.sh_link };
	if (!symtab.data || !name || strncmp(name, ".debug_", strlen(".debug_")) ||
	    !in_file(zebin, &target_header))
		return;
	for (int i = 0;; i++) {
		if (has_addend) {
			if (!gelf_getrela(data, i, &rela))
				return;
		} else {
			if (!gelf_getrel(data, i, &rel))
				return;
			rela = (GElf_Rela){ .r_offset = rel.r_offset, .r_info = rel.r_info };
		}
		relocate(zebin, &target_header, &symtab, &rela, has_addend);
	}
}

/* Read functions, and relocate debug information. */
static int read_sections(struct zebin *zebin)
{
	Elf_Scn *section = NULL;
	int err = 0;

	while (!err && (section = elf_nextscn(zebin->elf, section))) {
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header))
			return damaged(zebin, "a section has no header");
		if (header.sh_type == SHT_SYMTAB)
			err = read_functions(zebin, section, &header);
		else if ((header.sh_type == SHT_RELA || header.sh_type == SHT_REL) &&
			 !zebin->symbols->desc.placed)
			relocate_section(zebin, section, &header);
	}
	return err;
}

/* Find the kernel that has a name of a subprogram. Returns its index + 1, or 0. */
static uint32_t kernel_named(const struct zebin *zebin, Dwarf_Die *subprogram)
{
	/* Kernels of C++ have the mangled name. */
	static const unsigned int names[] = { DW_AT_linkage_name, DW_AT_name };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		Dwarf_Attribute attribute;
		const char *name = dwarf_formstring(dwarf_attr(subprogram, names[i], &attribute));
		const int kernel = name ? gpuoa_symbols_find_kernel(zebin->symbols, name) : -1;

		if (kernel >= 0)
			return (uint32_t)kernel + 1;
	}
	return 0;
}

/* Find the kernel of a unit by its subprograms. Returns its index + 1, or 0. */
static uint32_t kernel_of_unit(const struct zebin *zebin, Dwarf_Die *unit)
{
	unsigned int entries = 0;
	Dwarf_Die entry;

	if (dwarf_child(unit, &entry))
		return 0;
	do {
		const uint32_t kernel =
			dwarf_tag(&entry) == DW_TAG_subprogram ? kernel_named(zebin, &entry) : 0;

		if (kernel)
			return kernel;
	} while (++entries < ENTRIES_MAX && !dwarf_siblingof(&entry, &entry));
	return 0;
}

/* Return whether an address of a line table is in a kernel; the end of the table can be its end. */
static bool contains(const struct zebin *zebin, uint32_t index, uint64_t address, bool end,
		     uint64_t *offset)
{
	const struct gpuoa_symbols *symbols = zebin->symbols;

	/* Level Zero places only the sections that it loads. */
	if (index >= symbols->kernel_count ||
	    (symbols->desc.placed && !symbols->kernels[index].address))
		return false;
	*offset = address - kernel_base(zebin, index);
	return *offset < symbols->kernels[index].size + end;
}

/*
 * Find the kernel of an address of a line table. Lines of a unit that was relocated wrongly have
 * offsets in the kernel @own.
 *
 * @last: kernel of the previous line
 * @own: index of the kernel with the name of the unit's subprogram, + 1; 0: there is none
 *
 * Returns the kernel and writes the offset in it. NULL: no kernel.
 */
static struct symbol_kernel *find_kernel(const struct zebin *zebin, uint64_t address, bool end,
					 uint32_t *last, uint32_t own, uint64_t *offset)
{
	struct gpuoa_symbols *symbols = zebin->symbols;

	if (contains(zebin, *last, address, end, offset))
		return &symbols->kernels[*last];
	if (!symbols->desc.placed) {
		*last = (uint32_t)(address >> RANGE_SHIFT) - 1;
		if (contains(zebin, *last, address, end, offset))
			return &symbols->kernels[*last];
	} else {
		for (*last = 0; *last < symbols->kernel_count; ++*last)
			if (contains(zebin, *last, address, end, offset))
				return &symbols->kernels[*last];
	}
	*last = 0;
	*offset = address;
	return own && address < symbols->kernels[own - 1].size + end ? &symbols->kernels[own - 1] :
								       NULL;
}

/* Return the one copy of a path that libdw returned; NULL: out of memory. */
static const char *intern(struct zebin *zebin, const char *path)
{
	const char *copy;

	/* Consecutive rows mostly have the same file, whose path libdw stores once per unit. */
	if (path == zebin->path)
		return zebin->path_copy;
	copy = name_map_find(&zebin->paths, path);
	if (!copy) {
		copy = symbols_string(zebin->symbols, path, strlen(path));
		if (!copy || !name_map_add(&zebin->paths, path, copy))
			return NULL;
	}
	zebin->path = path;
	zebin->path_copy = copy;
	return copy;
}

static int add_row(struct zebin *zebin, struct symbol_kernel *kernel, uint64_t offset,
		   Dwarf_Line *line, bool end)
{
	struct symbol_row *rows =
		symbols_grow(kernel->rows, kernel->row_count, &kernel->row_room, sizeof(*rows));
	struct symbol_row row = { .offset = offset, .order = (uint32_t)kernel->row_count };
	const char *path = dwarf_linesrc(line, NULL, NULL);
	int number = 0, column = 0;

	if (!rows)
		return -ENOMEM;
	kernel->rows = rows;
	dwarf_lineno(line, &number);
	dwarf_linecol(line, &column);
	/* Line 0: code of the compiler, which is in no line. */
	if (!end && path && number > 0) {
		row.file = intern(zebin, path);
		if (!row.file)
			return -ENOMEM;
		row.line = (uint32_t)number;
		row.column = column > 0 ? (uint32_t)column : 0;
	}
	rows[kernel->row_count++] = row;
	return 0;
}

/*
 * Read the lines of a unit. Returns 1 if they are usable, 0 if not, or a negative errno.
 */
static int read_unit(struct zebin *zebin, Dwarf_Die *unit)
{
	const uint32_t own = kernel_of_unit(zebin, unit);
	uint32_t last = 0;
	Dwarf_Lines *lines;
	size_t count, used = 0;

	if (dwarf_getsrclines(unit, &lines, &count))
		return 0;
	/*
	 * Each row takes at least a byte of the file. More rows: many units have the same table.
	 * The limit keeps a small file from taking much memory.
	 */
	zebin->rows += count;
	if (zebin->rows > zebin->symbols->size)
		return damaged(zebin, "several units have the same line table");
	for (size_t i = 0; i < count; i++) {
		Dwarf_Line *line = dwarf_onesrcline(lines, i);
		struct symbol_kernel *kernel;
		Dwarf_Addr address;
		uint64_t offset;
		bool end;

		if (!line || dwarf_lineaddr(line, &address) || dwarf_lineendsequence(line, &end))
			continue;
		kernel = find_kernel(zebin, address, end, &last, own, &offset);
		if (!kernel)
			continue;
		if (add_row(zebin, kernel, offset, line, end))
			return -ENOMEM;
		used++;
	}
	return used || !count;
}

static int read_lines(struct zebin *zebin)
{
	struct gpuoa_symbols_desc *desc = &zebin->symbols->desc;
	Dwarf_CU *unit = NULL;
	Dwarf_Die entry;
	int ret;

	zebin->dwarf = dwarf_begin_elf(zebin->elf, DWARF_C_READ, NULL);
	if (!zebin->dwarf)
		return 0;
	while (!(ret = dwarf_get_units(zebin->dwarf, unit, &unit, NULL, NULL, &entry, NULL))) {
		if (!dwarf_hasattr(&entry, DW_AT_stmt_list))
			continue;
		ret = read_unit(zebin, &entry);
		if (ret < 0)
			return ret;
		desc->unit_count++;
		desc->bad_unit_count += !ret;
	}
	/* Units after the first one that cannot be delimited are lost. */
	desc->bad_unit_count += ret < 0;
	desc->unit_count += ret < 0;
	return 0;
}

int zebin_read(struct gpuoa_symbols *symbols, const void *data, const struct complaint *complaint)
{
	struct zebin zebin = { .symbols = symbols, .complaint = complaint };
	int err = open_elf(&zebin, data);

	if (!err)
		err = read_kernels(&zebin);
	if (!err && symbols->kernel_count)
		err = read_sections(&zebin);
	elf_end(zebin.elf);
	zebin.elf = NULL;
	if (!err && symbols->kernel_count)
		err = open_elf(&zebin, symbols->image);
	if (!err && symbols->kernel_count)
		err = read_lines(&zebin);
	name_map_free(&zebin.paths);
	dwarf_end(zebin.dwarf);
	elf_end(zebin.elf);
	free(zebin.kernel_of);
	return err;
}
