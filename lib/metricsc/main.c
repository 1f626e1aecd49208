// SPDX-License-Identifier: MIT
/*
 * main.c - gpuoa-metricsc: compiles metric definitions into the tables of table.h
 *
 * Runs on the build machine. Its output is constant data without pointers.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "definitions/compiler/compile.h"
#include "definitions/language/lexer.h"
#include "definitions/language/parse.h"
#include "table/table.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	       "tables have the byte order of the GPUs that they describe");

static int complain(const char *file, const char *message)
{
	fprintf(stderr, "gpuoa-metricsc: %s: %s\n", file, message);
	return 1;
}

/*
 * Check that all metrics have a description, as is required for definitions that are built into the
 * library.
 */
static int check_described(const struct definition *definition,
			   const struct metric_definition *metric, struct diagnostic *diagnostic)
{
	for (; metric; metric = metric->next) {
		if (metric->attributes.given & ATTRIBUTE_DESCRIPTION)
			continue;
		diagnostic_set(diagnostic, definition->file, metric->location,
			       "%s has no description, and none of a family fits", metric->symbol);
		return -EINVAL;
	}
	return 0;
}

static int read_definition(const char *path, struct arena *arena, struct definition **definition,
			   struct diagnostic *diagnostic)
{
	int err = definition_parse_file(path, arena, definition, diagnostic);

	if (!err)
		err = check_described(*definition, (*definition)->infos, diagnostic);
	if (!err)
		err = check_described(*definition, (*definition)->metrics, diagnostic);
	return err;
}

static int write_tables(const char *path, const struct blob *blob)
{
	FILE *file = fopen(path, "w");
	bool failed;

	if (!file)
		return complain(path, strerror(errno));
	failed = fwrite(blob->data, 1, blob->size, file) != blob->size;
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
	int count = argc - 2, status = 1, err;

	if (count < 1) {
		fprintf(stderr, "usage: gpuoa-metricsc OUTPUT DEFINITION.oa...\n");
		return 2;
	}
	definitions = calloc(count, sizeof(*definitions));
	if (!definitions)
		return complain(output, strerror(ENOMEM));
	for (int i = 0; i < count; i++) {
		struct definition *definition;

		err = read_definition(argv[2 + i], &arena, &definition, &diagnostic);
		if (err)
			goto err_definition;
		definitions[i] = definition;
	}
	err = compile_definitions(definitions, count, &blob, &diagnostic);
	if (err)
		goto err_definition;
	status = write_tables(output, &blob);
	goto out;

err_definition:
	fprintf(stderr, "%s\n", *diagnostic.text ? diagnostic.text : strerror(-err));
out:
	blob_free(&blob);
	arena_free(&arena);
	free(definitions);
	return status;
}
