// SPDX-License-Identifier: MIT
/*
 * recording.c - selection of a recording's stream
 */
#include <stdio.h>
#include <string.h>

#include "common/recording.h"

/* Names of units, for a message; truncated with an ellipsis */
struct names {
	char text[256];
	size_t length;
};

static void add_name(struct names *names, const char *name)
{
	const char *separator = names->length ? ", " : "";
	const size_t left = sizeof(names->text) - names->length;
	const int n = snprintf(names->text + names->length, left, "%s%s", separator, name);

	if ((size_t)n < left)
		names->length += n;
	else
		strcpy(names->text + sizeof(names->text) - sizeof("..."), "...");
}

static bool is_meant(const struct gpuoa_reader *reader, const char *device,
		     struct gpuoa_unit_desc *unit)
{
	gpuoa_reader_describe_unit(reader, unit, sizeof(*unit));
	return device && (!strcmp(unit->name, device) || !strcmp(unit->parent, device));
}

/*
 * Read the unit names of all streams of a file into @names. Returns the first stream that -d names,
 * or NULL.
 */
static struct gpuoa_reader *look_through(const struct tool *tool, const char *file, uint32_t count,
					 struct names *names)
{
	struct gpuoa_reader *reader, *found = NULL;
	struct gpuoa_unit_desc unit;

	for (uint32_t i = 0; i < count; i++) {
		char error[RECORDING_ERROR_SIZE];

		if (gpuoa_file_open_stream(file, i, &reader, error, sizeof(error))) {
			note(tool, "%s", error);
			add_name(names, "?");
			continue;
		}
		if (is_meant(reader, tool->device, &unit) && !found)
			found = reader;
		else
			gpuoa_reader_close(reader);
		add_name(names, unit.name);
	}
	return found;
}

/* Return the stream named by -d, and close @first; without -d, return @first. */
static struct gpuoa_reader *choose(const struct tool *tool, const char *file,
				   struct gpuoa_reader *first, uint32_t count)
{
	struct names names = { .length = 0 };
	struct gpuoa_unit_desc unit;
	struct gpuoa_reader *reader = look_through(tool, file, count, &names);

	if (!tool->device)
		reader = first;
	else
		gpuoa_reader_close(first);
	if (!reader) {
		print_error("%s: no unit '%s' in the recording; it has %s", file, tool->device,
			    names.text);
		return NULL;
	}
	gpuoa_reader_describe_unit(reader, &unit, sizeof(unit));
	if (count > 1)
		note(tool, "%s: has %s; showing %s%s", file, names.text, unit.name,
		     tool->device ? "" : "; select another with -d");
	return reader;
}

struct gpuoa_reader *recording_open(const struct tool *tool, const char *file)
{
	struct gpuoa_reader_desc desc;
	struct gpuoa_reader *reader;
	char error[RECORDING_ERROR_SIZE];

	if (gpuoa_file_open(file, &reader, error, sizeof(error))) {
		print_error("%s", error);
		return NULL;
	}
	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	if (desc.streams == 1 && !tool->device)
		return reader;
	return choose(tool, file, reader, desc.streams);
}

int recording_streams(const char *file, uint32_t *streams)
{
	struct gpuoa_reader_desc desc;
	struct gpuoa_reader *reader;
	char error[RECORDING_ERROR_SIZE];

	if (gpuoa_file_open(file, &reader, error, sizeof(error)))
		return fail("%s", error);
	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	gpuoa_reader_close(reader);
	*streams = desc.streams;
	return EXIT_OK;
}
