// SPDX-License-Identifier: MIT
/* symbols.c - kernels and source lines of a zebin */
#include "extra/symbols/symbols.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "base/utf8.h"

void *symbols_grow(void *array, size_t count, size_t *room, size_t element_size)
{
	const size_t larger = *room ? *room * 2 : 16;
	void *grown;

	if (count < *room)
		return array;
	grown = realloc(array, larger * element_size);
	if (grown)
		*room = larger;
	return grown;
}

const char *symbols_string(struct gpuoa_symbols *symbols, const char *text, size_t length)
{
	char *copy = arena_string(&symbols->arena, text, length);
	const char *invalid = copy;

	if (!copy)
		return NULL;
	for (char *c = copy; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	while ((invalid = utf8_find_invalid(invalid, (size_t)(copy + length - invalid))))
		copy[invalid - copy] = '?';
	return copy;
}

static int compare_rows(const void *a, const void *b)
{
	const struct symbol_row *one = a, *other = b;

	if (one->offset != other->offset)
		return one->offset < other->offset ? -1 : 1;
	return one->order < other->order ? -1 : one->order > other->order;
}

/*
 * Sort the rows. Of those with the same offset, the last one that has a line is valid: the compiler
 * writes several rows for an instruction if lines have no instruction of their own, and the end of
 * a sequence can be the beginning of another.
 */
static void sort_rows(struct symbol_kernel *kernel)
{
	struct symbol_row *rows = kernel->rows;
	size_t count = 0;

	if (!kernel->row_count)
		return;
	qsort(rows, kernel->row_count, sizeof(*rows), compare_rows);
	for (size_t i = 0; i < kernel->row_count; i++) {
		if (!count || rows[count - 1].offset != rows[i].offset)
			rows[count++] = rows[i];
		else if (rows[i].file)
			rows[count - 1] = rows[i];
	}
	kernel->row_count = count;
}

int gpuoa_symbols_open(const void *data, size_t size, struct gpuoa_symbols **result, char *error,
		       size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct gpuoa_symbols *symbols;
	uint64_t lines = 0;
	int err;

	*result = NULL;
	if (size > UINT32_MAX)
		return COMPLAIN(&complaint, -EINVAL, "the file is larger than 4 GiB");
	symbols = calloc(1, sizeof(*symbols));
	if (symbols)
		symbols->image = malloc(size + 1);
	if (!symbols || !symbols->image) {
		gpuoa_symbols_close(symbols);
		return complaint_end(&complaint, -ENOMEM);
	}
	if (size)
		memcpy(symbols->image, data, size);
	symbols->size = size;
	err = zebin_read(symbols, data, &complaint);
	if (!err && !symbols->kernel_count)
		err = COMPLAIN(&complaint, -ENODATA,
			       "there is no kernel: no section .text.<name> has code");
	if (err) {
		gpuoa_symbols_close(symbols);
		return complaint_end(&complaint, err);
	}
	for (uint32_t i = 0; i < symbols->kernel_count; i++) {
		sort_rows(&symbols->kernels[i]);
		lines += symbols->kernels[i].row_count;
	}
	symbols->desc.kernel_count = symbols->kernel_count;
	symbols->desc.line_count = lines;
	*result = symbols;
	return 0;
}

void gpuoa_symbols_close(struct gpuoa_symbols *symbols)
{
	if (!symbols)
		return;
	for (uint32_t i = 0; i < symbols->kernel_count; i++) {
		free(symbols->kernels[i].rows);
		free(symbols->kernels[i].functions);
	}
	free(symbols->kernels);
	name_map_free(&symbols->names);
	arena_free(&symbols->arena);
	free(symbols->image);
	free(symbols);
}

void gpuoa_symbols_describe(const struct gpuoa_symbols *symbols, struct gpuoa_symbols_desc *desc,
			    size_t size)
{
	sized_give(desc, size, &symbols->desc, sizeof(symbols->desc));
}

int gpuoa_symbols_describe_kernel(const struct gpuoa_symbols *symbols, uint32_t index,
				  struct gpuoa_kernel_desc *desc, size_t size)
{
	const struct symbol_kernel *kernel;
	struct gpuoa_kernel_desc known;

	if (index >= symbols->kernel_count)
		return -ERANGE;
	kernel = &symbols->kernels[index];
	known = (struct gpuoa_kernel_desc){
		.name = kernel->name,
		.size = kernel->size,
		.address = kernel->address,
		.code = kernel->code,
		.line_count = kernel->row_count,
	};
	sized_give(desc, size, &known, sizeof(known));
	return 0;
}

int gpuoa_symbols_find_kernel(const struct gpuoa_symbols *symbols, const char *name)
{
	const uint32_t index = name_map_find_number(&symbols->names, name, UINT32_MAX);

	return index == UINT32_MAX ? -ENOENT : (int)index;
}

/* Find the innermost function that contains an offset. */
static const char *function_at(const struct symbol_kernel *kernel, uint64_t offset)
{
	const struct symbol_function *best = NULL;

	for (size_t i = 0; i < kernel->function_count; i++) {
		const struct symbol_function *function = &kernel->functions[i];

		if (offset >= function->offset && offset - function->offset < function->size &&
		    (!best || function->size < best->size))
			best = function;
	}
	return best ? best->name : kernel->name;
}

/* Find the last row that does not begin after an offset. */
static const struct symbol_row *row_at(const struct symbol_kernel *kernel, uint64_t offset)
{
	size_t low = 0, high = kernel->row_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (kernel->rows[middle].offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &kernel->rows[low - 1] : NULL;
}

int gpuoa_symbols_find_line(const struct gpuoa_symbols *symbols, uint32_t index, uint64_t offset,
			    struct gpuoa_code_line *line, size_t size)
{
	struct gpuoa_code_line known = { 0 };
	const struct symbol_kernel *kernel;
	const struct symbol_row *row;
	uint64_t end;

	if (index >= symbols->kernel_count || offset >= symbols->kernels[index].size)
		return -ERANGE;
	kernel = &symbols->kernels[index];
	known.function = function_at(kernel, offset);
	row = row_at(kernel, offset);
	if (row && row->file) {
		end = row + 1 < kernel->rows + kernel->row_count ? row[1].offset : kernel->size;
		known.file = row->file;
		known.line = row->line;
		known.column = row->column;
		known.offset = row->offset;
		known.size = end - row->offset;
	}
	sized_give(line, size, &known, sizeof(known));
	return known.file ? 0 : -ENODATA;
}
