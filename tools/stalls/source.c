// SPDX-License-Identifier: MIT
/* source.c - read source files */
#include "stalls/source.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "profile/file.h"
#include "profile/profile.h"

#define SOURCE_SIZE_MAX (64 << 20)

static int read_text(struct source *source, const char *path)
{
	void *text;
	size_t size;
	const int err = file_read(path, SOURCE_SIZE_MAX, &text, &size);

	if (!err)
		source->text = text;
	return err;
}

static int divide(struct source *source)
{
	uint32_t lines = 1;

	for (const char *c = source->text; *c; c++)
		lines += *c == '\n';
	source->lines = calloc(lines, sizeof(*source->lines));
	if (!source->lines)
		return -ENOMEM;
	for (char *line = source->text; line && *line;) {
		char *end = strchr(line, '\n');

		source->lines[source->count++] = line;
		if (end)
			*end++ = '\0';
		line = end;
	}
	return 0;
}

int source_read(struct source *source, const char *path, const char *const *directories,
		size_t count)
{
	char name[PATH_MAX];
	int err = -ENOENT;

	*source = (struct source){ .text = NULL };
	for (size_t i = 0; err && i < 2 * count; i++) {
		const char *part = i % 2 ? profile_base_name(path) : path;

		if ((size_t)snprintf(name, sizeof(name), "%s/%s", directories[i / 2], part) <
		    sizeof(name))
			err = read_text(source, name);
	}
	if (err)
		err = read_text(source, path);
	if (!err)
		err = divide(source);
	if (err)
		source_free(source);
	return err;
}

void source_free(struct source *source)
{
	free(source->text);
	free(source->lines);
	*source = (struct source){ .text = NULL };
}

const char *source_line(const struct source *source, uint32_t number)
{
	return number && number <= source->count ? source->lines[number - 1] : NULL;
}
