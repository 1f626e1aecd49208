// SPDX-License-Identifier: MIT
/* functions_elf.c - names of the functions of ELF files, by elfutils */
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stalls/functions.h"

struct file {
	int fd;
	Elf *elf;
};

static void close_file(struct file *file)
{
	elf_end(file->elf);
	if (file->fd >= 0)
		close(file->fd);
}

/* The file is not mapped, because another program may truncate it. */
static bool open_file(struct file *file, const char *path)
{
	struct stat status;

	*file = (struct file){ .fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) };
	if (file->fd >= 0 && !fstat(file->fd, &status) && S_ISREG(status.st_mode) &&
	    elf_version(EV_CURRENT) != EV_NONE)
		file->elf = elf_begin(file->fd, ELF_C_READ, NULL);
	if (file->elf && elf_kind(file->elf) == ELF_K_ELF)
		return true;
	close_file(file);
	return false;
}

static Elf_Scn *find_section(Elf *elf, GElf_Word type, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, header) && header->sh_type == type)
			break;
	return section;
}

static void take_symbols(struct functions *functions, Elf_Data *symbols, size_t count,
			 size_t text_size)
{
	GElf_Sym symbol;

	for (size_t i = 0; i < count && gelf_getsym(symbols, (int)i, &symbol); i++) {
		const unsigned int type = GELF_ST_TYPE(symbol.st_info);

		if ((type != STT_FUNC && type != STT_GNU_IFUNC) || symbol.st_shndx == SHN_UNDEF ||
		    symbol.st_name >= text_size || !functions->text[symbol.st_name])
			continue;
		functions->list[functions->count++] = (struct function){
			.address = symbol.st_value,
			.size = symbol.st_size,
			.name = functions->text + symbol.st_name,
		};
	}
	functions_sort(functions);
}

/* Read the functions of a table of symbols. Returns whether there are any. */
static bool read_symbols(struct functions *functions, Elf *elf, GElf_Word type)
{
	GElf_Shdr header;
	Elf_Scn *section = find_section(elf, type, &header);
	Elf_Data *symbols = section ? elf_getdata(section, NULL) : NULL;
	Elf_Data *strings = symbols ? elf_getdata(elf_getscn(elf, header.sh_link), NULL) : NULL;
	size_t count;

	if (!strings || !strings->d_buf)
		return false;
	count = symbols->d_size / gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);
	functions->text = malloc(strings->d_size + 1);
	functions->list = calloc(count + 1, sizeof(*functions->list));
	if (functions->text && functions->list) {
		memcpy(functions->text, strings->d_buf, strings->d_size);
		functions->text[strings->d_size] = '\0';
		take_symbols(functions, symbols, count, strings->d_size);
	}
	if (!functions->count)
		functions_free(functions);
	return functions->count;
}

#define BUILD_ID_MAX 64

/* Read the functions of the debug file with the same build identifier. */
static bool read_debug_file(struct functions *functions, Elf *elf)
{
	char path[64 + 2 * BUILD_ID_MAX];
	const void *data;
	const ssize_t size = dwelf_elf_gnu_build_id(elf, &data);
	const uint8_t *id = data;
	struct file file;
	bool found;
	int length;

	if (size < 2 || size > BUILD_ID_MAX)
		return false;
	length = snprintf(path, sizeof(path), "/usr/lib/debug/.build-id/%02x/", id[0]);
	for (ssize_t i = 1; i < size; i++)
		length += snprintf(path + length, sizeof(path) - (size_t)length, "%02x", id[i]);
	snprintf(path + length, sizeof(path) - (size_t)length, ".debug");
	if (!open_file(&file, path))
		return false;
	found = read_symbols(functions, file.elf, SHT_SYMTAB);
	close_file(&file);
	return found;
}

void functions_read_elf(struct functions *functions, const char *path)
{
	struct file file;

	*functions = (struct functions){ .list = NULL };
	if (!open_file(&file, path))
		return;
	if (!read_symbols(functions, file.elf, SHT_SYMTAB) && !read_debug_file(functions, file.elf))
		read_symbols(functions, file.elf, SHT_DYNSYM);
	close_file(&file);
}
