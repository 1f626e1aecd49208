// SPDX-License-Identifier: MIT
/* kernels.c - kernels of GPU programs, from files that the user gives and from recordings */
#define _GNU_SOURCE /* asprintf, memmem */
#include "profile/kernels.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "profile/csv.h"
#include "profile/file.h"

#define SYMBOL_FILE_MAX (1u << 30)
#define EM_INTELGT_NUMBER 205 /* EM_INTELGT, which older C libraries do not define */

static void *need(void *memory)
{
	if (!memory)
		die_of_memory();
	return memory;
}

/* ---- the list ---- */

/* Add a file. @name, @data: allocated; the list owns them. Returns its index + 1. */
static size_t add_file(struct kernels *kernels, char *name, void *data, size_t size)
{
	kernels->files =
		need(realloc(kernels->files, (kernels->file_count + 1) * sizeof(*kernels->files)));
	kernels->files[kernels->file_count++] =
		(struct kernel_file){ .name = name, .data = data, .size = size };
	return kernels->file_count;
}

static void add_load(struct kernels *kernels, const struct kernel_load *load)
{
	if (kernels->load_count == kernels->load_room) {
		kernels->load_room = kernels->load_room ? 2 * kernels->load_room : 64;
		kernels->loads =
			need(realloc(kernels->loads, kernels->load_room * sizeof(*kernels->loads)));
	}
	kernels->loads[kernels->load_count++] = *load;
}

void kernels_free(struct kernels *kernels)
{
	for (size_t i = 0; i < kernels->file_count; i++) {
		gpuoa_symbols_close(kernels->files[i].symbols);
		free(kernels->files[i].name);
		free(kernels->files[i].data);
	}
	for (size_t i = 0; i < kernels->load_count; i++)
		free(kernels->loads[i].name);
	free(kernels->files);
	free(kernels->loads);
	*kernels = (struct kernels){ .files = NULL };
}

/* ---- reading ---- */

/* Read an ELF file, once. @name: allocated; the list owns it. Returns its index + 1; 0: error. */
static size_t read_elf(struct kernels *kernels, char *name)
{
	void *data;
	size_t size;
	int err;

	for (size_t i = 0; i < kernels->file_count; i++)
		if (!strcmp(kernels->files[i].name, name)) {
			free(name);
			return i + 1;
		}
	err = file_read(name, SYMBOL_FILE_MAX, &data, &size);
	if (!err)
		return add_file(kernels, name, data, size);
	if (err == -EINVAL || err == -EFBIG)
		print_error("%s: cannot read it: not a regular file of at most 1 GiB", name);
	else
		print_error("%s: %s", name, strerror(-err));
	free(name);
	return 0;
}

enum column {
	COLUMN_PID,
	COLUMN_ADDRESS,
	COLUMN_SIZE,
	COLUMN_KERNEL,
	COLUMN_FILE,
	COLUMN_COUNT,
};

static const char *const column_names[COLUMN_COUNT] = { "pid", "address", "size", "kernel",
							"file" };

/* Parse a field that may be empty. */
static int optional_number(const struct csv *csv, int column, uint64_t *number)
{
	*number = 0;
	return column < 0 || !*csv->fields[column] ? EXIT_OK : csv_number(csv, column, number);
}

/* A relative path is relative to the list. Returns an allocated path. */
static char *path_from(const char *list, const char *file)
{
	const char *slash = *file == '/' ? NULL : strrchr(list, '/');
	char *path;

	if (asprintf(&path, "%.*s%s", slash ? (int)(slash - list + 1) : 0, list, file) < 0)
		die_of_memory();
	return path;
}

/* Read a line of a list of kernels. */
static int read_line(struct kernels *kernels, const struct csv *csv, const int *columns,
		     const char *origin)
{
	const char *file = columns[COLUMN_FILE] < 0 ? "" : csv->fields[columns[COLUMN_FILE]];
	struct kernel_load load = { .origin = origin };
	uint64_t pid;
	int ret = optional_number(csv, columns[COLUMN_PID], &pid);

	if (!ret && pid > UINT32_MAX)
		ret = fail("%s:%lu: pid: '%s' is not a process", csv->name, csv->number,
			   csv->fields[columns[COLUMN_PID]]);
	load.pid = (uint32_t)pid;
	if (!ret)
		ret = csv_number(csv, columns[COLUMN_ADDRESS], &load.address);
	if (!ret)
		ret = optional_number(csv, columns[COLUMN_SIZE], &load.size);
	if (!ret && !*csv->fields[columns[COLUMN_KERNEL]])
		ret = fail("%s:%lu: kernel: the name is empty", csv->name, csv->number);
	if (!ret && *file) {
		load.file = read_elf(kernels, path_from(origin, file));
		ret = load.file ? EXIT_OK : EXIT_FAILED;
	}
	if (ret)
		return ret;
	load.name = need(strdup(csv->fields[columns[COLUMN_KERNEL]]));
	add_load(kernels, &load);
	return EXIT_OK;
}

static int read_list(struct kernels *kernels, const char *name)
{
	int columns[COLUMN_COUNT];
	struct csv csv;
	int ret = csv_open(&csv, name);

	if (ret)
		return ret;
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		columns[i] = csv_column(&csv, column_names[i]);
	if (columns[COLUMN_ADDRESS] < 0 || columns[COLUMN_KERNEL] < 0)
		ret = fail("%s: cannot read it: no columns 'address' and 'kernel'", csv.name);
	while (!ret && csv_next(&csv, &ret))
		ret = read_line(kernels, &csv, columns, name);
	csv_close(&csv);
	return ret;
}

int kernels_read(struct kernels *kernels, const char *name)
{
	struct kernel_load load = { .origin = name };

	if (!file_has_magic(name, "\177ELF"))
		return read_list(kernels, name);
	load.file = read_elf(kernels, need(strdup(name)));
	if (!load.file)
		return EXIT_FAILED;
	add_load(kernels, &load);
	return EXIT_OK;
}

/* ---- recordings ---- */

/* Copy an ELF file of a recording, once. Returns its index + 1; 0: it is not recorded. */
static size_t take_file(struct kernels *kernels, const char *name, size_t before,
			const struct gpuoa_stall_file *file, uint32_t number)
{
	const void *data;
	char *own_name;
	void *copy;
	size_t size;

	if (gpuoa_stall_file_get_elf(file, number, &data, &size))
		return 0;
	if (asprintf(&own_name, "%s: ELF file %u", name, number) < 0)
		die_of_memory();
	for (size_t i = before; i < kernels->file_count; i++)
		if (!strcmp(kernels->files[i].name, own_name)) {
			free(own_name);
			return i + 1;
		}
	copy = need(malloc(size));
	memcpy(copy, data, size);
	return add_file(kernels, own_name, copy, size);
}

int kernels_take(struct kernels *kernels, const char *name, const struct gpuoa_stall_file *file)
{
	const size_t before = kernels->file_count;
	struct gpuoa_stall_kernel kernel;

	for (uint32_t i = 0; !gpuoa_stall_file_get_kernel(file, i, &kernel, sizeof(kernel)); i++) {
		struct kernel_load load = {
			.pid = kernel.pid,
			.address = kernel.address,
			.size = kernel.size,
			.origin = name,
			.recorded = true,
		};

		if (kernel.file)
			load.file = take_file(kernels, name, before, file, kernel.file);
		/* A damaged record; the other kernels can be used. */
		if (!kernel.name && !load.file)
			continue;
		if (kernel.name)
			load.name = need(strdup(kernel.name));
		add_load(kernels, &load);
	}
	return EXIT_OK;
}

static int compare_numbers(uint64_t one, uint64_t other)
{
	return one < other ? -1 : one > other;
}

static int compare_loads(const struct kernel_load *one, const struct kernel_load *other)
{
	int order = compare_numbers(one->address, other->address);

	if (!order)
		order = compare_numbers(one->pid, other->pid);
	if (!order)
		order = compare_numbers(one->size, other->size);
	if (!order)
		order = compare_numbers(one->file, other->file);
	return order ? order : strcmp(one->name ? one->name : "", other->name ? other->name : "");
}

/* Equal loads are sorted by their places in the list. */
static int compare_places(const void *a, const void *b)
{
	const struct kernel_load *one = *(const struct kernel_load *const *)a;
	const struct kernel_load *other = *(const struct kernel_load *const *)b;
	const int order = compare_loads(one, other);

	return order ? order : one < other ? -1 : one > other;
}

/* Find the loads that repeat an earlier one: programs create kernels repeatedly. */
static bool *find_repeated(const struct kernels *kernels)
{
	const size_t count = kernels->load_count;
	const struct kernel_load **loads = need(calloc(count + 1, sizeof(*loads)));
	bool *repeated = need(calloc(count + 1, sizeof(*repeated)));

	for (size_t i = 0; i < count; i++)
		loads[i] = &kernels->loads[i];
	qsort(loads, count, sizeof(*loads), compare_places);
	for (size_t i = 1; i < count; i++)
		repeated[loads[i] - kernels->loads] = !compare_loads(loads[i - 1], loads[i]);
	free(loads);
	return repeated;
}

static int write_load(const struct kernels *kernels, const struct kernel_load *load,
		      const struct tool *tool, uint32_t *numbers,
		      struct gpuoa_stall_recorder *recorder)
{
	const struct kernel_file *file = load->file ? &kernels->files[load->file - 1] : NULL;
	struct gpuoa_stall_kernel kernel = {
		.pid = load->pid,
		.address = load->address,
		.size = load->size,
		.name = load->name,
	};
	int err;

	if (file && file->size) {
		/* The library would compute the hash of the file each time. */
		if (!numbers[load->file - 1]) {
			err = gpuoa_stall_recorder_add_file(recorder, file->data, file->size);
			if (err < 0)
				return err;
			numbers[load->file - 1] = (uint32_t)err;
		}
		kernel.file = numbers[load->file - 1];
	}
	err = gpuoa_stall_recorder_add_kernel(recorder, &kernel, sizeof(kernel));
	if (err != -ENAMETOOLONG)
		return err;
	note(tool, "%s: cannot record a kernel: its name is longer than %d bytes", load->origin,
	     GPUOA_STALL_NAME_MAX);
	return 0;
}

int kernels_write(const struct kernels *kernels, const struct tool *tool,
		  struct gpuoa_stall_recorder *recorder)
{
	/* The numbers of the files in the recording; 0: not written yet */
	uint32_t *numbers = need(calloc(kernels->file_count + 1, sizeof(*numbers)));
	bool *repeated = find_repeated(kernels);
	int err = 0;

	for (size_t i = 0; i < kernels->load_count && !err; i++)
		if (!repeated[i])
			err = write_load(kernels, &kernels->loads[i], tool, numbers, recorder);
	free(repeated);
	free(numbers);
	return err;
}

/* ---- mapping ---- */

/* Open the symbols of a file. Returns NULL, after printing the error the first time. */
static const struct gpuoa_symbols *open_symbols(struct kernel_file *file, const struct tool *tool,
						bool recorded)
{
	struct gpuoa_symbols_desc desc;
	char error[256];

	if (file->symbols || file->bad)
		return file->symbols;
	if (gpuoa_symbols_open(file->data, file->size, &file->symbols, error, sizeof(error))) {
		file->symbols = NULL;
		file->bad = true;
		if (recorded)
			note(tool, "%s: cannot read kernels: %s", file->name, error);
		else
			print_error("%s: cannot read kernels: %s", file->name, error);
		return NULL;
	}
	gpuoa_symbols_describe(file->symbols, &desc, sizeof(desc));
	if (desc.bad_unit_count)
		note(tool, "%s: the lines of %u of %u units cannot be used", file->name,
		     desc.bad_unit_count, desc.unit_count);
	return file->symbols;
}

/* ---- kernels at unknown addresses ---- */

/* Whether an ELF header is that of a file for Intel's GPUs */
static bool is_zebin(const Elf64_Ehdr *header)
{
	return !memcmp(header->e_ident, ELFMAG, SELFMAG) &&
	       header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == ELFDATA2LSB &&
	       header->e_machine == EM_INTELGT_NUMBER && header->e_shentsize == sizeof(Elf64_Shdr);
}

/* Return the size of an ELF file, the end of its last section; 0: it exceeds @size. */
static size_t size_of_elf(const uint8_t *data, size_t size)
{
	Elf64_Ehdr header;
	uint64_t end;

	memcpy(&header, data, sizeof(header));
	end = header.e_shoff + (uint64_t)header.e_shnum * sizeof(Elf64_Shdr);
	if (header.e_shoff > size || end > size)
		return 0;
	for (unsigned int i = 0; i < header.e_shnum; i++) {
		Elf64_Shdr section;

		memcpy(&section, data + header.e_shoff + i * sizeof(section), sizeof(section));
		if (section.sh_type == SHT_NOBITS)
			continue;
		if (section.sh_offset > size || section.sh_size > size - section.sh_offset)
			return 0;
		if (section.sh_offset + section.sh_size > end)
			end = section.sh_offset + section.sh_size;
	}
	return end;
}

/*
 * Add the ELF files for GPUs that other files contain: programs with kernels that were compiled
 * ahead of time, and archives of ocloc. Returns their number.
 */
static size_t add_contained(struct kernels *kernels, const struct tool *tool, const char *name,
			    const uint8_t *data, size_t size)
{
	size_t found = 0, length;
	Elf64_Ehdr header;

	for (size_t at = 1; at + sizeof(header) <= size; at += length) {
		const uint8_t *next = memmem(data + at, size - at, ELFMAG, SELFMAG);
		struct kernel_file *file;
		char *own_name;
		void *copy;

		if (!next || size - (size_t)(next - data) < sizeof(header))
			break;
		at = (size_t)(next - data);
		memcpy(&header, next, sizeof(header));
		length = is_zebin(&header) ? size_of_elf(next, size - at) : 0;
		if (!length) {
			length = SELFMAG;
			continue;
		}
		if (asprintf(&own_name, "%s+0x%zx", name, at) < 0)
			die_of_memory();
		copy = need(malloc(length));
		memcpy(copy, next, length);
		add_file(kernels, own_name, copy, length);
		file = &kernels->files[kernels->file_count - 1];
		if (open_symbols(file, tool, true)) {
			found++;
			continue;
		}
		/* It may be cut off, and another one follows. */
		kernels->file_count--;
		free(own_name);
		free(copy);
		length = SELFMAG;
	}
	return found;
}

/* Read a file. @optional: errors are ignored. */
static int add_file_or_contained(struct kernels *kernels, const struct tool *tool, const char *name,
				 bool optional)
{
	Elf64_Ehdr header;
	void *data;
	size_t size, file;
	int err = file_read(name, SYMBOL_FILE_MAX, &data, &size);

	if (err && !optional)
		return fail("%s: cannot read kernels: %s", name, strerror(-err));
	if (err)
		return EXIT_OK;
	if (size >= sizeof(header)) {
		memcpy(&header, data, sizeof(header));
		if (is_zebin(&header)) {
			file = add_file(kernels, need(strdup(name)), data, size);
			return open_symbols(&kernels->files[file - 1], tool, optional) || optional ?
				       EXIT_OK :
				       EXIT_FAILED;
		}
	}
	file = add_contained(kernels, tool, name, data, size);
	free(data);
	return file || optional ?
		       EXIT_OK :
		       fail("%s: cannot read kernels: it contains no ELF file for GPUs", name);
}

#define DEPTH_MAX 8

/* Add the files of a directory and those below it. */
static int add_directory(struct kernels *kernels, const struct tool *tool, const char *name,
			 unsigned int depth)
{
	DIR *directory = depth < DEPTH_MAX ? opendir(name) : NULL;
	const struct dirent *entry;
	struct stat status;
	char *path;

	while (directory && (entry = readdir(directory))) {
		if (*entry->d_name == '.')
			continue;
		if (asprintf(&path, "%s/%s", name, entry->d_name) < 0)
			die_of_memory();
		/* Links are not followed: they could lead out of the directory, or back. */
		if (lstat(path, &status))
			status.st_mode = 0;
		if (S_ISDIR(status.st_mode))
			add_directory(kernels, tool, path, depth + 1);
		else if (S_ISREG(status.st_mode))
			add_file_or_contained(kernels, tool, path, true);
		free(path);
	}
	if (directory)
		closedir(directory);
	return EXIT_OK;
}

int kernels_add_files(struct kernels *kernels, const struct tool *tool, const char *name)
{
	struct stat status;

	if (!stat(name, &status) && S_ISDIR(status.st_mode))
		return add_directory(kernels, tool, name, 0);
	return add_file_or_contained(kernels, tool, name, false);
}

void kernels_add(struct kernels *kernels, uint32_t pid, uint64_t address, const char *name,
		 size_t file)
{
	add_load(kernels, &(struct kernel_load){
				  .pid = pid,
				  .address = address,
				  .name = need(strdup(name)),
				  .file = file,
				  .origin = kernels->files[file - 1].name,
				  .recorded = true,
			  });
}

int kernels_map(struct kernels *kernels, const struct tool *tool, struct gpuoa_code_map *map)
{
	for (size_t i = 0; i < kernels->load_count; i++) {
		const struct kernel_load *load = &kernels->loads[i];
		struct gpuoa_code_load add = {
			.pid = load->pid,
			.address = load->address,
			.size = load->size,
			.kernel = load->name,
		};
		char error[256];

		if (load->file)
			add.symbols =
				open_symbols(&kernels->files[load->file - 1], tool, load->recorded);
		if (load->file && !add.symbols && !load->recorded)
			return EXIT_FAILED;
		if (!gpuoa_code_map_add(map, &add, sizeof(add), error, sizeof(error)))
			continue;
		if (!load->recorded)
			return fail("%s: cannot use its kernels: %s", load->origin, error);
		note(tool, "%s: a kernel was ignored: %s", load->origin, error);
	}
	return EXIT_OK;
}
