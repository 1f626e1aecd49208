/* SPDX-License-Identifier: MIT */
/*
 * zebin.h - zebins built in memory, with debug information and the faults of Intel's compiler
 *
 * The layout is that of files of IGC 2.40 with -g: a unit of debug information and a line table for
 * each kernel, DWARF 4, RELA relocations. The code is filler, unless it is given.
 */
#ifndef GPUOA_LIB_TESTS_ZEBIN_H
#define GPUOA_LIB_TESTS_ZEBIN_H

#include <elf.h>

#include "payload.h"

enum zebin_symbol {
	ZEBIN_SECTION, /* the symbol for the kernel's section is right */
	ZEBIN_NAMED, /* it has the index of another section, but the right name: IGC's first fault
		      */
	ZEBIN_NAMELESS, /* it has neither: IGC's second fault */
};

struct zebin_row {
	uint32_t offset;
	uint32_t line;
	uint32_t column;
	uint32_t file; /* index in zebin_files */
};

/* Names of source files, from number 1 */
static const char *const zebin_files[] = { "kernels.cl", "inline.h" };

struct zebin_kernel {
	const char *name;
	uint32_t size;
	const uint8_t *code; /* .size bytes; NULL: filler */
	uint64_t address; /* not 0: the file is a copy of a loaded module, and is relocated */
	const struct zebin_row *rows; /* the last row is the end of the table */
	size_t row_count; /* 0: no unit of debug information */
	enum zebin_symbol symbol;
	/* a function in the kernel's section; NULL: none */
	const char *function;
	uint32_t function_offset, function_size;
	/* number of functions, which follow each other and have numbers; 0: one, without a number
	 */
	uint32_t function_count;
	const char *subprogram; /* name of the unit's subprogram; NULL: that of the kernel */
	const char *linkage_name; /* of the subprogram; NULL: none */
	uint32_t types; /* number of entries before the subprogram */
	bool no_subprogram;
	bool no_lines; /* the unit has neither a line table nor a subprogram */
	bool rel; /* of the first kernel: relocations are SHT_REL, with addends in the sections */
};

struct zebin_section {
	Elf64_Shdr header;
	struct bytes data;
};

#define ZEBIN_MAX_KERNELS 16

struct zebin_file {
	/* kernels, then the others */
	struct zebin_section sections[ZEBIN_MAX_KERNELS + 8];
	uint32_t count;
	struct bytes names;
	uint32_t symtab, info, abbrev, line, rela_info, rela_line;
	uint32_t line_symbol; /* of .debug_line */
	uint32_t kernel_symbols[ZEBIN_MAX_KERNELS]; /* for the sections of kernels */
	bool placed;
	bool rel;
};

static inline uint32_t zebin_name(struct zebin_file *file, const char *name)
{
	return put(&file->names, name, strlen(name) + 1);
}

static inline uint32_t zebin_section(struct zebin_file *file, const char *name, uint32_t type)
{
	struct zebin_section *section = &file->sections[file->count];

	section->header.sh_name = zebin_name(file, name);
	section->header.sh_type = type;
	section->header.sh_addralign = 8;
	return file->count++;
}

static inline uint32_t zebin_symbol(struct zebin_file *file, const char *name, unsigned char type,
				    uint32_t section, uint64_t value, uint64_t size)
{
	struct bytes *symtab = &file->sections[file->symtab].data;
	const Elf64_Sym symbol = {
		.st_name = *name ? zebin_name(file, name) : 0,
		.st_info = ELF64_ST_INFO(STB_LOCAL, type),
		.st_shndx = section,
		.st_value = value,
		.st_size = size,
	};

	return put(symtab, &symbol, sizeof(symbol)) / sizeof(symbol);
}

static inline void put8(struct bytes *bytes, uint8_t value)
{
	put(bytes, &value, 1);
}

static inline void put16(struct bytes *bytes, uint16_t value)
{
	put(bytes, &value, sizeof(value));
}

static inline void put_leb(struct bytes *bytes, int64_t value, bool is_signed)
{
	for (;;) {
		const uint8_t low = value & 0x7f;

		value >>= 7;
		if (is_signed ? (value == 0 && !(low & 0x40)) || (value == -1 && low & 0x40) :
				value == 0) {
			put8(bytes, low);
			return;
		}
		put8(bytes, low | 0x80);
	}
}

static inline void put_string(struct bytes *bytes, const char *string)
{
	put(bytes, string, strlen(string) + 1);
}

/* Relocation types of EM_INTELGT: 1 for 64 bits, 2 for 32 bits */
static inline void zebin_relocate(struct zebin_file *file, uint32_t rela, uint64_t offset,
				  uint32_t symbol, uint32_t type, int64_t addend)
{
	const Elf64_Rela relocation = { offset, ELF64_R_INFO(symbol, type), addend };
	const uint32_t target = rela == file->rela_info ? file->info : file->line;

	if (file->rel)
		memcpy(file->sections[target].data.data + offset, &addend, type == 1 ? 8 : 4);
	put(&file->sections[rela].data, &relocation,
	    file->rel ? sizeof(Elf64_Rel) : sizeof(relocation));
}

/* Write a 64-bit address in a kernel; a placed file has its value, others a relocation. */
static inline void zebin_put_address(struct zebin_file *file, uint32_t section, uint32_t rela,
				     const struct zebin_kernel *kernel, uint32_t index,
				     uint64_t offset)
{
	struct bytes *data = &file->sections[section].data;

	/* Level Zero cannot relocate those of a kernel without a name: they stay 0. */
	if (file->placed)
		put64(data, offset + (kernel->symbol == ZEBIN_NAMELESS ? 0 : kernel->address));
	else
		zebin_relocate(file, rela, put(data, NULL, 8), file->kernel_symbols[index], 1,
			       (int64_t)offset);
}

static inline void zebin_put_lines(struct zebin_file *file, const struct zebin_kernel *kernel,
				   uint32_t index)
{
	/* number of operands of the standard opcodes 1 to 12 */
	static const uint8_t lengths[] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };
	struct bytes *data = &file->sections[file->line].data;
	uint32_t address = 0, line = 1, size;
	const size_t begin = data->size;
	size_t header;

	put32(data, 0);
	put16(data, 4); /* version */
	header = data->size;
	put32(data, 0);
	put8(data, 1); /* bytes per instruction */
	put8(data, 1); /* operations per instruction */
	put8(data, 1);
	put8(data, (uint8_t)-5); /* line base and range of special opcodes, which are not used */
	put8(data, 14);
	put8(data, sizeof(lengths) + 1);
	put(data, lengths, sizeof(lengths));
	put8(data, 0); /* no directories */
	for (size_t i = 0; i < 2; i++) {
		put_string(data, zebin_files[i]);
		put(data, NULL, 3); /* directory, time, length */
	}
	put8(data, 0);
	size = data->size - header - 4;
	memcpy(data->data + header, &size, 4);

	put(data, (uint8_t[]){ 0, 9, 2 }, 3); /* DW_LNE_set_address */
	zebin_put_address(file, file->line, file->rela_line, kernel, index, 0);
	for (size_t i = 0; i < kernel->row_count; i++) {
		const struct zebin_row *row = &kernel->rows[i];

		put8(data, 2); /* DW_LNS_advance_pc */
		put_leb(data, row->offset - address, false);
		address = row->offset;
		if (i == kernel->row_count - 1)
			break;
		put8(data, 3); /* DW_LNS_advance_line */
		put_leb(data, (int64_t)row->line - line, true);
		line = row->line;
		put8(data, 4); /* DW_LNS_set_file */
		put_leb(data, row->file + 1, false);
		put8(data, 5); /* DW_LNS_set_column */
		put_leb(data, row->column, false);
		put8(data, 1); /* DW_LNS_copy */
	}
	put(data, (uint8_t[]){ 0, 1, 1 }, 3); /* DW_LNE_end_sequence */
	size = data->size - begin - 4;
	memcpy(data->data + begin, &size, 4);
}

static inline void zebin_put_unit(struct zebin_file *file, const struct zebin_kernel *kernel,
				  uint32_t index)
{
	struct bytes *data = &file->sections[file->info].data;
	const uint32_t lines = file->sections[file->line].data.size;
	const size_t begin = data->size;
	uint32_t size;

	put32(data, 0);
	put16(data, 4); /* version */
	put32(data, 0); /* offset of the abbreviations */
	put8(data, 8); /* size of an address */
	put8(data, kernel->no_lines ? 6 : kernel->no_subprogram ? 3 : 1); /* DW_TAG_compile_unit */
	put_string(data, zebin_files[0]);
	if (!kernel->no_lines) {
		put_string(data, "/src");
		if (file->placed)
			put32(data, lines);
		else
			zebin_relocate(file, file->rela_info, put(data, NULL, 4), file->line_symbol,
				       2, lines);
	}
	if (!kernel->no_lines && !kernel->no_subprogram) {
		for (uint32_t i = 0; i < kernel->types; i++)
			put8(data, 5); /* DW_TAG_base_type */
		put8(data, kernel->linkage_name ? 4 : 2); /* DW_TAG_subprogram */
		put_string(data, kernel->subprogram ? kernel->subprogram : kernel->name);
		if (kernel->linkage_name)
			put_string(data, kernel->linkage_name);
		zebin_put_address(file, file->info, file->rela_info, kernel, index, 0);
		put8(data, 0); /* end of the unit's children */
	}
	size = data->size - begin - 4;
	memcpy(data->data + begin, &size, 4);
	if (!kernel->no_lines)
		zebin_put_lines(file, kernel, index);
}

static inline void zebin_put_symbols(struct zebin_file *file, const struct zebin_kernel *kernel,
				     uint32_t index)
{
	char name[64];

	zebin_symbol(file, kernel->name, STT_FUNC, index + 1, kernel->address, kernel->size);
	if (kernel->function && !kernel->function_count)
		zebin_symbol(file, kernel->function, STT_FUNC, index + 1,
			     kernel->address + kernel->function_offset, kernel->function_size);
	for (uint32_t i = 0; i < kernel->function_count; i++) {
		snprintf(name, sizeof(name), "%s%u", kernel->function, i);
		zebin_symbol(file, name, STT_FUNC, index + 1,
			     kernel->address + kernel->function_offset + i * kernel->function_size,
			     kernel->function_size);
	}
	snprintf(name, sizeof(name), ".text.%s", kernel->name);
	if (kernel->symbol == ZEBIN_NAMELESS)
		*name = '\0';
	file->kernel_symbols[index] =
		zebin_symbol(file, name, STT_OBJECT,
			     kernel->symbol == ZEBIN_SECTION ? index + 1 : file->info, 0, 0);
}

static inline struct bytes zebin_lay_out(struct zebin_file *file, uint16_t machine)
{
	Elf64_Ehdr header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_REL,
		.e_machine = machine,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(header),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = file->count,
		.e_shstrndx = file->count - 1,
	};
	struct bytes out = { 0 };

	put(&out, &header, sizeof(header));
	for (uint32_t i = 1; i < file->count; i++) {
		struct zebin_section *section = &file->sections[i];

		put(&out, NULL, -out.size & 7);
		section->header.sh_offset = put(&out, section->data.data, section->data.size);
		section->header.sh_size = section->data.size;
		clear(&section->data);
	}
	put(&out, NULL, -out.size & 7);
	header.e_shoff = out.size;
	for (uint32_t i = 0; i < file->count; i++)
		put(&out, &file->sections[i].header, sizeof(Elf64_Shdr));
	memcpy(out.data, &header, sizeof(header));
	return out;
}

/* Build a file for a machine; zebins are for 205. */
static inline struct bytes zebin_make(const struct zebin_kernel *kernels, uint32_t count,
				      uint16_t machine)
{
	static const uint8_t abbreviations[] = {
		1, 0x11, 1, 0x03, 0x08, 0x1b, 0x08, 0x10, 0x17, 0, 0, /* name, directory, lines */
		2, 0x2e, 0, 0x03, 0x08, 0x11, 0x01, 0,	  0, /* name, address */
		3, 0x11, 0, 0x03, 0x08, 0x1b, 0x08, 0x10, 0x17, 0, 0, /* as 1, without children */
		4, 0x2e, 0, 0x03, 0x08, 0x6e, 0x08, 0x11, 0x01, 0, 0, /* two names, address */
		5, 0x24, 0, 0,	  0, /* nothing */
		6, 0x11, 0, 0x03, 0x08, 0,    0, /* name */
		0,
	};
	struct zebin_file file = { .count = 1 };
	uint32_t strings;

	put8(&file.names, 0);
	for (uint32_t i = 0; i < count; i++) {
		char name[64];
		uint32_t section;

		snprintf(name, sizeof(name), ".text.%s", kernels[i].name);
		section = zebin_section(&file, name, SHT_PROGBITS);
		file.sections[section].header.sh_addr = kernels[i].address;
		for (uint32_t k = 0; k < kernels[i].size; k++)
			put8(&file.sections[section].data,
			     kernels[i].code ? kernels[i].code[k] : (uint8_t)(k ^ i << 4));
		file.placed |= kernels[i].address != 0;
	}
	file.rel = count && kernels[0].rel;
	file.symtab = zebin_section(&file, ".symtab", SHT_SYMTAB);
	file.info = zebin_section(&file, ".debug_info", SHT_PROGBITS);
	file.abbrev = zebin_section(&file, ".debug_abbrev", SHT_PROGBITS);
	file.line = zebin_section(&file, ".debug_line", SHT_PROGBITS);
	file.rela_info = zebin_section(&file, ".rela.debug_info", file.rel ? SHT_REL : SHT_RELA);
	file.rela_line = zebin_section(&file, ".rela.debug_line", file.rel ? SHT_REL : SHT_RELA);
	strings = zebin_section(&file, ".strtab", SHT_STRTAB);
	file.sections[file.symtab].header.sh_link = strings;
	file.sections[file.symtab].header.sh_entsize = sizeof(Elf64_Sym);
	file.sections[file.rela_info].header.sh_info = file.info;
	file.sections[file.rela_line].header.sh_info = file.line;
	for (uint32_t i = file.rela_info; i <= file.rela_line; i++) {
		file.sections[i].header.sh_link = file.symtab;
		file.sections[i].header.sh_entsize = file.rel ? sizeof(Elf64_Rel) :
								sizeof(Elf64_Rela);
	}

	zebin_symbol(&file, "", STT_NOTYPE, SHN_UNDEF, 0, 0);
	file.line_symbol = zebin_symbol(&file, ".debug_line", STT_OBJECT, file.info, 0, 0);
	put(&file.sections[file.abbrev].data, abbreviations, sizeof(abbreviations));
	for (uint32_t i = 0; i < count; i++) {
		zebin_put_symbols(&file, &kernels[i], i);
		if (kernels[i].row_count)
			zebin_put_unit(&file, &kernels[i], i);
	}
	file.sections[strings].data = file.names;
	return zebin_lay_out(&file, machine);
}

/* Find the header of a section. NULL: there is none. */
static inline Elf64_Shdr *zebin_find_section(const struct bytes *file, const char *name)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)file->data;
	Elf64_Shdr *sections = (Elf64_Shdr *)(file->data + header->e_shoff);
	const uint8_t *names = file->data + sections[header->e_shstrndx].sh_offset;

	for (uint32_t i = 1; i < header->e_shnum; i++)
		if (!strcmp((const char *)names + sections[i].sh_name, name))
			return &sections[i];
	return NULL;
}

#endif /* GPUOA_LIB_TESTS_ZEBIN_H */
