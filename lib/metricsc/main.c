// SPDX-License-Identifier: MIT
/*
 * main.c - gpuoa-metricsc: compiles metric definitions into a C file with the tables of table.h.
 *
 * Runs on the build machine; what it writes is constant data without pointers.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile.h"
#include "table.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	       "tables have the byte order of the GPUs that they describe");

static int complain(const char *file, const char *message)
{
	fprintf(stderr, "gpuoa-metricsc: %s: %s\n", file, message);
	return 1;
}

static char *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	char *text = NULL;
	size_t room = 0, got = 1;

	if (!file)
		return NULL;
	for (*size = 0; got; *size += got) {
		if (*size == room) {
			char *more;

			room = room ? 2 * room : 65536;
			more = realloc(text, room);
			if (!more)
				break;
			text = more;
		}
		got = fread(text + *size, 1, room - *size, file);
	}
	if (got || ferror(file)) {
		free(text);
		text = NULL;
	}
	fclose(file);
	return text;
}

static int write_tables(const char *path, const struct blob *blob)
{
	FILE *file = fopen(path, "w");
	bool failed;

	if (!file)
		return complain(path, strerror(errno));
	fprintf(file, "/* Written by gpuoa-metricsc; do not edit. */\n"
		      "#include \"table.h\"\n\n"
		      "static const uint64_t tables[] = {");
	for (size_t i = 0; i < blob->size; i += sizeof(uint64_t)) {
		uint64_t word;

		memcpy(&word, blob->data + i, sizeof(word));
		fprintf(file, "%s0x%llx,", i % 64 ? " " : "\n\t",
			(unsigned long long)word);
	}
	fprintf(file, "\n};\n\n"
		      "const struct table_root *table_builtin(void)\n{\n"
		      "\treturn (const struct table_root *)tables;\n}\n");
	failed = ferror(file);
	if (fclose(file) || failed)
		return complain(path, "can't be written");
	return 0;
}

int main(int argc, char **argv)
{
	const char *output = argc > 1 ? argv[1] : NULL;
	const struct definition **definitions;
	struct diagnostic diagnostic = { "" };
	struct arena arena = { 0 };
	struct blob blob = { 0 };
	int count = argc - 2, status = 1, error;

	if (count < 1) {
		fprintf(stderr,
			"usage: gpuoa-metricsc OUTPUT.c DEFINITION.oa...\n");
		return 2;
	}
	definitions = calloc(count, sizeof(*definitions));
	if (!definitions)
		return complain(output, strerror(ENOMEM));
	for (int i = 0; i < count; i++) {
		const char *path = argv[2 + i];
		struct definition *definition;
		size_t size;
		char *text = read_file(path, &size);

		if (!text) {
			complain(path, strerror(errno));
			goto out;
		}
		error = definition_parse(path, text, size, &arena, &definition,
					 &diagnostic);
		free(text);
		if (error)
			goto err_definition;
		definitions[i] = definition;
	}
	error = definition_compile(definitions, count, &blob, &diagnostic);
	if (error)
		goto err_definition;
	status = write_tables(output, &blob);
	goto out;

err_definition:
	fprintf(stderr, "%s\n",
		error == -EINVAL ? diagnostic.text : strerror(-error));
out:
	blob_free(&blob);
	arena_free(&arena);
	free(definitions);
	return status;
}
