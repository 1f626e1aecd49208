/* SPDX-License-Identifier: MIT */
/*
 * gpuoa-symbols.h - kernels of GPU programs: from an address to a source line
 *
 *   symbols    kernels and line tables of an ELF file made by Intel's graphics compiler
 *   code map   which kernels are at which GPU addresses
 *
 * Part of libgpuoa-extra. Conventions are those of gpuoa.h.
 *
 * Sources: the files of Intel's graphics compiler (IGC) 2.x; its zebin specification
 * (documentation/zebin of intel/intel-graphics-compiler).
 */
#ifndef GPUOA_SYMBOLS_H
#define GPUOA_SYMBOLS_H

#include "gpuoa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- symbols -------------------------------------------------------------------------------- */

/**
 * struct gpuoa_symbols - Kernels and line tables of a zebin.
 *
 * A zebin is an ELF file for the machine EM_INTELGT (205) with a section .text.<kernel> for each
 * kernel. Level Zero returns it from zeModuleGetNativeBinary(), with relocatable debug information,
 * and from zetModuleGetDebugInfo(), at the addresses where the kernels were loaded; ocloc writes it
 * into a file. It has lines if the program was built with -g or -gline-tables-only.
 */
struct gpuoa_symbols;

/** struct gpuoa_symbols_desc - Description of symbols. */
struct gpuoa_symbols_desc {
	uint32_t kernel_count;
	uint32_t unit_count; /* units of debug information that have lines */
	/*
	 * units whose lines cannot be used: they are damaged, or do not say to which kernel they
	 * belong
	 */
	uint32_t bad_unit_count;
	uint32_t line_count; /* rows of all line tables */
	bool placed; /* kernels have GPU addresses: the file is a copy of a loaded module */
	uint64_t reserved[4];
};

/** struct gpuoa_kernel_desc - Description of a kernel. Strings live until the symbols are closed.
 */
struct gpuoa_kernel_desc {
	const char *name;
	uint64_t size; /* bytes of code */
	uint64_t address; /* GPU address; 0 unless gpuoa_symbols_desc.placed */
	const void *code; /* .size bytes; those that the loader relocates are as in the file */
	uint32_t line_count; /* rows of its line table; 0: the file has no lines for it */
	uint64_t reserved[4];
};

/** struct gpuoa_code_line - Source line of an instruction. Strings live as long as the symbols. */
struct gpuoa_code_line {
	/* function that contains the instruction; the kernel, unless the file names another one */
	const char *function;
	const char *file; /* path as in the file; NULL: no line */
	uint32_t line; /* from 1; 0: no line */
	uint32_t column; /* from 1; 0: unknown */
	uint64_t offset; /* first instruction of this row of the table, bytes in the kernel */
	uint64_t size; /* bytes of the row */
	uint64_t reserved[4];
};

/**
 * gpuoa_symbols_open() - Read a zebin.
 * @data: @size bytes, which are copied
 * @symbols: result; close with gpuoa_symbols_close()
 *
 * Lines of a unit of debug information that is damaged are left out; see
 * gpuoa_symbols_desc.bad_unit_count.
 *
 * Return: 0, or:
 * -EINVAL: not an ELF file, for another machine, or damaged
 * -ENODATA: no kernels
 * -EOPNOTSUPP: the library was built without elfutils, which reads ELF and DWARF
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_symbols_open(const void *data, size_t size, struct gpuoa_symbols **symbols,
				 char *error, size_t error_size);

GPUOA_API void gpuoa_symbols_close(struct gpuoa_symbols *symbols);

/** gpuoa_symbols_describe() - Describe symbols. @size is sizeof(*desc). */
GPUOA_API void gpuoa_symbols_describe(const struct gpuoa_symbols *symbols,
				      struct gpuoa_symbols_desc *desc, size_t size);

/**
 * gpuoa_symbols_describe_kernel() - Describe a kernel.
 * @kernel: index below gpuoa_symbols_desc.kernel_count; kernels are in the order of the file
 * @size: sizeof(*desc)
 *
 * Return: 0. -ERANGE: no such kernel.
 */
GPUOA_API int gpuoa_symbols_describe_kernel(const struct gpuoa_symbols *symbols, uint32_t kernel,
					    struct gpuoa_kernel_desc *desc, size_t size);

/**
 * gpuoa_symbols_find_kernel() - Find a kernel by its name.
 *
 * Return: its index, or -ENOENT.
 */
GPUOA_API int gpuoa_symbols_find_kernel(const struct gpuoa_symbols *symbols, const char *name);

/**
 * gpuoa_symbols_find_line() - Find the source line of an instruction.
 * @kernel: index of the kernel
 * @offset: bytes from the beginning of the kernel
 * @size: sizeof(*line)
 *
 * Functions that the compiler inlined have lines of their own, but IGC does not name them:
 * .function is then the function that they were inlined into.
 *
 * Return: 0. -ENODATA: no line; only .function is set. -ERANGE: no such kernel, or the offset is
 * not below its size.
 */
GPUOA_API int gpuoa_symbols_find_line(const struct gpuoa_symbols *symbols, uint32_t kernel,
				      uint64_t offset, struct gpuoa_code_line *line, size_t size);

/* ---- code map ------------------------------------------------------------------------------- */

/**
 * struct gpuoa_code_map - Kernels of processes, by GPU address.
 *
 * Each process has an address space of its own, and Level Zero loads the first module of each at
 * the same address. Hardware does not report the process of an instruction. So an address can
 * belong to several kernels, and the map returns them all.
 */
struct gpuoa_code_map;

/** struct gpuoa_code_load - A kernel, or all kernels of a placed file, in an address space. */
struct gpuoa_code_load {
	uint32_t pid; /* process; 0: unknown */
	uint32_t reserved_1;
	uint64_t address; /* GPU address; 0 if .kernel is NULL */
	uint64_t size; /* bytes; 0: that of the kernel in .symbols */
	/* kernel; copied. NULL: all kernels of .symbols, which are placed */
	const char *kernel;
	/* symbols with that kernel, which must outlive the map; NULL: only the name is known */
	const struct gpuoa_symbols *symbols;
	uint64_t reserved[4];
};

/** struct gpuoa_code_location - An instruction of a process. Strings live as long as the map. */
struct gpuoa_code_location {
	uint32_t pid; /* process; 0: unknown */
	uint32_t match_count; /* number of locations that the address can be */
	/*
	 * all matches have the same code: the same kernel and symbols, at the same offset. false if
	 * there are several, and symbols are missing: kernels of the same name can differ
	 */
	bool same_code;
	uint32_t kernel_index; /* index of the kernel in .symbols */
	const char *kernel;
	const struct gpuoa_symbols *symbols; /* NULL: only the kernel's name is known */
	uint64_t offset; /* bytes from the beginning of the kernel */
	uint64_t load_address; /* GPU address of the kernel */
	const char *function; /* as in struct gpuoa_code_line; the kernel without symbols */
	const char *file; /* NULL: no line */
	uint32_t line; /* 0: no line */
	uint32_t column; /* 0: unknown */
	uint64_t reserved[4];
};

/**
 * gpuoa_code_map_new() - Create an empty map. Release with gpuoa_code_map_free().
 * @address_bits: number of low bits that addresses to be found have, from 12 to 64: that of the
 *   layout of stall records
 *
 * Return: 0. -EINVAL: invalid number of bits. -ENOMEM: out of memory.
 */
GPUOA_API int gpuoa_code_map_new(uint32_t address_bits, struct gpuoa_code_map **map);

GPUOA_API void gpuoa_code_map_free(struct gpuoa_code_map *map);

/**
 * gpuoa_code_map_add() - Add a kernel.
 * @size: sizeof(*load)
 *
 * A kernel that is already there, with the same process, address, name and symbols, is not added
 * again.
 *
 * Return: 0, or:
 * -EINVAL: no address, no size, or the kernel crosses the end of the address range
 * -ENOENT: the symbols have no kernel of this name
 * -ENODATA: no name, and the symbols are NULL or not placed
 * -E2BIG: nonzero fields that this library does not know
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_code_map_add(struct gpuoa_code_map *map, const struct gpuoa_code_load *load,
				 size_t size, char *error, size_t error_size);

/**
 * gpuoa_code_map_find() - Find the kernel and the source line of an instruction.
 * @pid: process; 0: any. Kernels of unknown processes belong to any process
 * @address: GPU address; only its low bits are used
 * @index: which of the matches, below gpuoa_code_location.match_count; the order is that of the
 *   kernels' addresses, then that in which they were added
 * @size: sizeof(*location)
 *
 * Return: 0. -ENOENT: no kernel is known there. -ERANGE: there are fewer matches.
 */
GPUOA_API int gpuoa_code_map_find(const struct gpuoa_code_map *map, uint32_t pid, uint64_t address,
				  uint32_t index, struct gpuoa_code_location *location,
				  size_t size);

/**
 * gpuoa_code_map_find_all() - Find all locations that an address can be.
 * @pid: process; 0: any
 * @locations: array of @count locations; may be NULL if @count is 0
 * @size: sizeof(*locations)
 *
 * The order is that of gpuoa_code_map_find(). One call is faster than a call for each match.
 *
 * Return: the number of matches, which can exceed @count. 0: no kernel is known there.
 */
GPUOA_API int gpuoa_code_map_find_all(const struct gpuoa_code_map *map, uint32_t pid,
				      uint64_t address, struct gpuoa_code_location *locations,
				      size_t size, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_SYMBOLS_H */
