// SPDX-License-Identifier: MIT
/* load.c - loads metric definitions at run time, from files or memory */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/complaint.h"
#include "base/utf8.h"
#include "definitions/compiler/compile.h"
#include "definitions/language/lexer.h"
#include "definitions/language/parse.h"
#include "definitions/language/source_file.h"
#include "definitions/load/extend.h"
#include "definitions/load/import.h"
#include "definitions/load/load.h"
#include "table/table.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	       "the built-in tables are little-endian, too");

struct gpuoa_definitions {
	unsigned char *block; /* tables as in table.h */
};

static const struct table_root *root_of(const struct gpuoa_definitions *definitions)
{
	return (const struct table_root *)definitions->block;
}

int definitions_compile(const struct definition *const *list, size_t count,
			struct gpuoa_definitions **definitions, struct diagnostic *diagnostic)
{
	struct gpuoa_definitions *new = calloc(1, sizeof(*new));
	struct blob blob = { 0 };
	int err = new ? compile_definitions(list, count, &blob, diagnostic) : -ENOMEM;

	if (err) {
		free(new);
	} else {
		new->block = blob.data;
		blob.data = NULL;
		*definitions = new;
	}
	blob_free(&blob);
	return err;
}

/* State while definitions are loaded; it is freed afterwards. */
struct load {
	/* device and inode of the file; NULL if the text is not from a file */
	const struct source_file *identity;
	struct arena arena;
	struct definition_list list;
	struct diagnostic diagnostic;
};

/*
 * True if a text is XML: unlike our language, XML begins with '<' or with a UTF-16 byte order mark.
 * A UTF-8 byte order mark can precede either language.
 */
static bool is_xml(const char *text, size_t size)
{
	static const char spaces[] = " \t\r\n";
	const size_t mark = utf8_mark(text, size);

	if (size >= 2 && (unsigned char)text[0] >= 0xfe)
		return true;
	text += mark;
	size -= mark;
	while (size && memchr(spaces, *text, sizeof(spaces) - 1)) {
		text++;
		size--;
	}
	return size && *text == '<';
}

static int read_own(struct load *load, const char *name, const char *text, size_t size)
{
	load->list.items = arena_alloc(&load->arena, sizeof(*load->list.items));
	if (!load->list.items)
		return -ENOMEM;
	load->list.count = 1;
	return definition_parse(name, text, size, load->identity, &load->arena, load->list.items,
				&load->diagnostic);
}

static int extend_all(struct load *load)
{
	int err = 0;

	for (size_t i = 0; i < load->list.count && !err; i++) {
		struct definition *definition = load->list.items[i];
		const struct gpuoa_platform *base = gpuoa_platform_find(definition->name);

		if (base)
			err = definition_extend(definition, base, &load->arena, &load->diagnostic);
	}
	return err;
}

static int load_all(struct load *load, const char *name, const char *text, size_t size,
		    struct gpuoa_definitions **definitions)
{
	int err = is_xml(text, size) ? xml_import(name, text, size, &load->arena, &load->list,
						  &load->diagnostic) :
				       read_own(load, name, text, size);

	if (!err)
		err = extend_all(load);
	if (!err)
		err = definitions_compile((const struct definition *const *)load->list.items,
					  load->list.count, definitions, &load->diagnostic);
	return err;
}

static int load(const char *name, const char *text, size_t size, const struct source_file *identity,
		struct gpuoa_definitions **definitions, const struct complaint *complaint)
{
	struct load load = { .identity = identity };
	int err = load_all(&load, name, text, size, definitions);

	if (err)
		diagnostic_complain(complaint, err, name, &load.diagnostic);
	arena_free(&load.arena);
	return err;
}

int gpuoa_definitions_load(const char *path, struct gpuoa_definitions **definitions, char *error,
			   size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct source_file identity = { 0 };
	size_t size;
	char *text;
	int err = source_file_read(path, &text, &size, &identity);

	if (err)
		return COMPLAIN(&complaint, err, "%s: %s", path, source_file_error(err));
	err = load(path, text, size, &identity, definitions, &complaint);
	free(text);
	return err;
}

int gpuoa_definitions_parse(const char *name, const char *text, size_t size,
			    struct gpuoa_definitions **definitions, char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	static const struct source_file none;

	if (size > SOURCE_SIZE_MAX)
		return COMPLAIN(&complaint, -EFBIG, "%s: %s", name, strerror(EFBIG));
	return load(name, text, size, &none, definitions, &complaint);
}

void gpuoa_definitions_free(struct gpuoa_definitions *definitions)
{
	if (!definitions)
		return;
	free(definitions->block);
	free(definitions);
}

const struct gpuoa_platform *
gpuoa_definitions_get_platform(const struct gpuoa_definitions *definitions, size_t index)
{
	const struct table_root *root = root_of(definitions);
	const struct gpuoa_platform *platforms = table_follow(&root->platforms);

	return index < root->platform_count ? &platforms[index] : NULL;
}

const struct gpuoa_platform *gpuoa_definitions_find(const struct gpuoa_definitions *definitions,
						    const char *name)
{
	const struct gpuoa_platform *platform;

	for (size_t i = 0; (platform = gpuoa_definitions_get_platform(definitions, i)); i++)
		if (!strcmp(gpuoa_platform_name(platform), name))
			return platform;
	return NULL;
}
