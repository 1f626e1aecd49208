/* SPDX-License-Identifier: MIT */
/* kernels.h - kernels of GPU programs, from files that the user gives and from recordings */
#ifndef GPUOA_TOOLS_PROFILE_KERNELS_H
#define GPUOA_TOOLS_PROFILE_KERNELS_H

#include <stdint.h>

#include "common/tool.h"
#include "gpuoa-stalls.h"
#include "gpuoa-symbols.h"

/* An ELF file that contains kernels */
struct kernel_file {
	char *name;
	void *data;
	size_t size;
	struct gpuoa_symbols *symbols; /* NULL: not opened yet, or it cannot be read */
	bool bad; /* it cannot be read */
};

/* A kernel of a process, or all kernels of a placed file */
struct kernel_load {
	uint32_t pid; /* 0: unknown */
	uint64_t address;
	uint64_t size; /* 0: as in the file */
	char *name; /* NULL: all kernels of the file */
	size_t file; /* index of the file + 1; 0: none */
	const char *origin; /* the file that listed it, for messages; it outlives the list */
	bool recorded; /* it comes from a recording or a process, so a fault of it is no error */
};

/* A zero-initialized list is empty. */
struct kernels {
	struct kernel_file *files;
	size_t file_count;
	struct kernel_load *loads;
	size_t load_count;
	size_t load_room;
};

/*
 * Read kernels from a file: CSV with the columns pid, address, size, kernel and file, or the ELF
 * file of a loaded module. Returns an exit code; prints any error.
 */
int kernels_read(struct kernels *kernels, const char *name);

/*
 * Read ELF files with kernels at addresses that are not known yet, and open their symbols: @name is
 * one, or contains some without compression, or is a directory with such files, in which other
 * files are ignored. The new files are at the end of the list. Returns an exit code; prints any
 * error.
 */
int kernels_add_files(struct kernels *kernels, const struct tool *tool, const char *name);

/* Add a kernel of a file. @file: its index + 1 */
void kernels_add(struct kernels *kernels, uint32_t pid, uint64_t address, const char *name,
		 size_t file);

/* Add the kernels of a recording. Returns an exit code; prints any error. */
int kernels_take(struct kernels *kernels, const char *name, const struct gpuoa_stall_file *file);

/*
 * Open the symbols of all files, and add all kernels to a map, which must not outlive the list.
 * Returns an exit code; prints any error, and notes about damaged files.
 */
int kernels_map(struct kernels *kernels, const struct tool *tool, struct gpuoa_code_map *map);

/*
 * Write all kernels and their files to a recording, each once. Notes say which cannot be written.
 * Returns 0 or a negative errno.
 */
int kernels_write(const struct kernels *kernels, const struct tool *tool,
		  struct gpuoa_stall_recorder *recorder);

void kernels_free(struct kernels *kernels);

#endif /* GPUOA_TOOLS_PROFILE_KERNELS_H */
