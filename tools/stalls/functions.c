// SPDX-License-Identifier: MIT
/* functions.c - names of the functions of programs, by address */
#include "stalls/functions.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/file.h"

#define MAP_SIZE_MAX (UINT32_C(1) << 28)

/* ---- ELF files ---- */

struct elf {
	int fd;
	uint64_t size; /* of the file */
	Elf64_Shdr *sections;
	size_t section_count;
};

/* Read a part of the file and append a NUL. Returns NULL on failure; the caller frees it. */
static void *read_part(const struct elf *elf, uint64_t offset, uint64_t size)
{
	char *data;
	size_t done = 0;
	ssize_t got = 1;

	if (offset > elf->size || size > elf->size - offset)
		return NULL;
	data = malloc(size + 1);
	while (data && done < size && got > 0) {
		got = pread(elf->fd, data + done, size - done, (off_t)(offset + done));
		if (got > 0)
			done += (size_t)got;
	}
	if (data && done < size) {
		free(data);
		return NULL;
	}
	if (data)
		data[size] = '\0';
	return data;
}

static void close_elf(struct elf *elf)
{
	free(elf->sections);
	if (elf->fd >= 0)
		close(elf->fd);
	*elf = (struct elf){ .fd = -1 };
}

static bool open_elf(struct elf *elf, const char *path)
{
	Elf64_Ehdr *header = NULL;
	struct stat status;
	bool good;

	*elf = (struct elf){ .fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) };
	if (elf->fd >= 0 && !fstat(elf->fd, &status) && S_ISREG(status.st_mode)) {
		elf->size = (uint64_t)status.st_size;
		header = read_part(elf, 0, sizeof(*header));
	}
	good = header && !memcmp(header->e_ident, ELFMAG, SELFMAG) &&
	       header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == ELFDATA2LSB &&
	       header->e_shentsize == sizeof(Elf64_Shdr);
	if (good) {
		elf->section_count = header->e_shnum;
		elf->sections = read_part(elf, header->e_shoff,
					  elf->section_count * sizeof(*elf->sections));
	}
	free(header);
	if (good && elf->sections)
		return true;
	close_elf(elf);
	return false;
}

static const Elf64_Shdr *find_section(const struct elf *elf, uint32_t type)
{
	for (size_t i = 0; i < elf->section_count; i++)
		if (elf->sections[i].sh_type == type)
			return &elf->sections[i];
	return NULL;
}

/* Larger functions are first at the same address: the other ones are labels in them. */
static int compare(const void *a, const void *b)
{
	const struct function *one = a, *other = b;

	if (one->address != other->address)
		return one->address < other->address ? -1 : 1;
	return one->size > other->size ? -1 : one->size < other->size;
}

/* Keep the first function of each address. */
static void sort(struct functions *functions)
{
	size_t kept = 0;

	if (functions->count)
		qsort(functions->list, functions->count, sizeof(*functions->list), compare);
	for (size_t i = 0; i < functions->count; i++)
		if (!kept || functions->list[kept - 1].address != functions->list[i].address)
			functions->list[kept++] = functions->list[i];
	functions->count = kept;
}

static void take_symbols(struct functions *functions, const Elf64_Sym *symbols, size_t count,
			 uint64_t text_size)
{
	for (size_t i = 0; i < count; i++) {
		const Elf64_Sym *symbol = &symbols[i];
		const unsigned int type = ELF64_ST_TYPE(symbol->st_info);

		if ((type != STT_FUNC && type != STT_GNU_IFUNC) || symbol->st_shndx == SHN_UNDEF ||
		    symbol->st_name >= text_size || !functions->text[symbol->st_name])
			continue;
		functions->list[functions->count++] = (struct function){
			.address = symbol->st_value,
			.size = symbol->st_size,
			.name = functions->text + symbol->st_name,
		};
	}
	sort(functions);
}

/* Read the functions of a table of symbols. Returns whether there are any. */
static bool read_symbols(struct functions *functions, const struct elf *elf, uint32_t type)
{
	const Elf64_Shdr *section = find_section(elf, type), *strings;
	Elf64_Sym *symbols;
	size_t count;

	if (!section || section->sh_link >= elf->section_count)
		return false;
	strings = &elf->sections[section->sh_link];
	count = section->sh_size / sizeof(*symbols);
	symbols = read_part(elf, section->sh_offset, count * sizeof(*symbols));
	functions->text = read_part(elf, strings->sh_offset, strings->sh_size);
	functions->list = calloc(count + 1, sizeof(*functions->list));
	if (symbols && functions->text && functions->list)
		take_symbols(functions, symbols, count, strings->sh_size);
	free(symbols);
	if (!functions->count)
		functions_free(functions);
	return functions->count;
}

/* Get the path of the debug file of a build identifier, which notes contain. */
static bool find_debug_path(const uint8_t *notes, uint64_t size, char *path, size_t room)
{
	static const char directory[] = "/usr/lib/debug/.build-id/";
	uint64_t at = 0;
	Elf64_Nhdr note;

	while (size - at >= sizeof(note)) {
		uint64_t name, id;
		int length;

		memcpy(&note, notes + at, sizeof(note));
		name = ((uint64_t)note.n_namesz + 3) / 4 * 4;
		id = ((uint64_t)note.n_descsz + 3) / 4 * 4;
		at += sizeof(note);
		if (name + id > size - at)
			return false;
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof("GNU") ||
		    memcmp(notes + at, "GNU", sizeof("GNU")) || note.n_descsz < 2 ||
		    sizeof(directory) + 2 * (size_t)note.n_descsz + sizeof("/.debug") > room) {
			at += name + id;
			continue;
		}
		length = snprintf(path, room, "%s", directory);
		for (uint32_t i = 0; i < note.n_descsz; i++)
			length += snprintf(path + length, room - (size_t)length,
					   i == 1 ? "/%02x" : "%02x", notes[at + name + i]);
		snprintf(path + length, room - (size_t)length, ".debug");
		return true;
	}
	return false;
}

static bool read_debug_file(struct functions *functions, const struct elf *elf)
{
	char path[512];
	struct elf debug;
	bool found = false;

	for (size_t i = 0; i < elf->section_count && !found; i++) {
		const Elf64_Shdr *section = &elf->sections[i];
		uint8_t *notes = section->sh_type == SHT_NOTE ?
					 read_part(elf, section->sh_offset, section->sh_size) :
					 NULL;

		found = notes && find_debug_path(notes, section->sh_size, path, sizeof(path));
		free(notes);
	}
	if (!found || !open_elf(&debug, path))
		return false;
	found = read_symbols(functions, &debug, SHT_SYMTAB);
	close_elf(&debug);
	return found;
}

void functions_read_elf(struct functions *functions, const char *path)
{
	struct elf elf;

	*functions = (struct functions){ .list = NULL };
	if (!open_elf(&elf, path))
		return;
	if (!read_symbols(functions, &elf, SHT_SYMTAB) && !read_debug_file(functions, &elf))
		read_symbols(functions, &elf, SHT_DYNSYM);
	close_elf(&elf);
}

/* ---- generated code ---- */

/* Parse "START SIZE NAME", the numbers in hexadecimal. */
static bool parse_line(char *line, struct function *function)
{
	char *end, *name;

	function->address = strtoull(line, &end, 16);
	if (end == line || *end != ' ')
		return false;
	function->size = strtoull(end, &name, 16);
	if (name == end || *name != ' ' || !name[1])
		return false;
	function->name = name + 1;
	return true;
}

static bool is_trusted(const char *path)
{
	struct stat status;

	return !lstat(path, &status) && S_ISREG(status.st_mode) &&
	       (!status.st_uid || status.st_uid == geteuid());
}

void functions_read_map(struct functions *functions, const char *path)
{
	size_t size, room = 0;
	char *line, *save;
	void *text;

	*functions = (struct functions){ .list = NULL };
	if (!is_trusted(path) || file_read(path, MAP_SIZE_MAX, &text, &size))
		return;
	functions->text = text;
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (functions->count == room) {
			const size_t more = room ? 2 * room : 1024;
			struct function *grown =
				realloc(functions->list, more * sizeof(*functions->list));

			if (!grown)
				break;
			functions->list = grown;
			room = more;
		}
		functions->count += parse_line(line, &functions->list[functions->count]);
	}
	sort(functions);
}

/* ---- both ---- */

const char *functions_find(const struct functions *functions, uint64_t address)
{
	size_t low = 0, high = functions->count;
	const struct function *function;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (functions->list[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	function = &functions->list[low - 1];
	return !function->size || address - function->address < function->size ? function->name :
										 NULL;
}

void functions_free(struct functions *functions)
{
	free(functions->list);
	free(functions->text);
	*functions = (struct functions){ .list = NULL };
}
