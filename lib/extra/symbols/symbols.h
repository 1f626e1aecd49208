/* SPDX-License-Identifier: MIT */
/* symbols.h - the kernels of a zebin in memory */
#ifndef GPUOA_LIB_EXTRA_SYMBOLS_SYMBOLS_H
#define GPUOA_LIB_EXTRA_SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/complaint.h"
#include "base/name_map.h"
#include "gpuoa-symbols.h"

/* A row of a line table. It ends at the next row. */
struct symbol_row {
	uint64_t offset;
	const char *file; /* NULL: no line */
	uint32_t line; /* 0: no line */
	uint32_t column;
	uint32_t order; /* index of the row before sorting */
};

struct symbol_function {
	const char *name;
	uint64_t offset;
	uint64_t size;
};

struct symbol_kernel {
	const char *name;
	uint64_t size;
	uint64_t address;
	const uint8_t *code;
	struct symbol_row *rows; /* sorted by offset; no two have the same */
	size_t row_count;
	size_t row_room;
	struct symbol_function *functions; /* in the order of the file */
	size_t function_count;
	size_t function_room;
};

struct gpuoa_symbols {
	struct arena arena; /* strings */
	struct name_map names; /* kernels by name */
	uint8_t *image; /* the file; debug information is relocated */
	size_t size;
	struct symbol_kernel *kernels;
	uint32_t kernel_count;
	struct gpuoa_symbols_desc desc;
};

/*
 * Read @data, of which .image is a copy, into the empty @symbols, and relocate the debug
 * information in .image. Returns 0 or a negative errno.
 */
int zebin_read(struct gpuoa_symbols *symbols, const void *data, const struct complaint *complaint);

/*
 * Make room for another element of a growing array. Returns the array, or NULL if out of memory;
 * then the old one is still valid.
 */
void *symbols_grow(void *array, size_t count, size_t *room, size_t element_size);

/* Copy a string. Bytes that are not valid UTF-8, and control characters, become '?'. */
const char *symbols_string(struct gpuoa_symbols *symbols, const char *text, size_t length);

#endif /* GPUOA_LIB_EXTRA_SYMBOLS_SYMBOLS_H */
