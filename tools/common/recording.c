// SPDX-License-Identifier: MIT
/*
 * recording.c - a stream of a recording that is open, with its platform, constants and set
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/lookup.h"
#include "common/recording.h"
#include "common/tool.h"

/* List of unit names for a message; a long list is truncated and ends with an ellipsis. */
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
 * Read the unit names of all streams of a file into @names. Returns the first stream of the unit
 * that the user named by -d, or NULL.
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

/* Return the stream that the user named by -d, and close @first. Without -d, return @first. */
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

/*
 * Find the set that the user named, otherwise the set of the recording. NULL: none, after printing
 * the error.
 */
static const struct gpuoa_set *find_set(const struct recorded *recorded, const char *symbol)
{
	const struct gpuoa_platform *platform = recorded->platform;
	const char *uuid = recorded->desc.uuid;
	const struct gpuoa_set *set;

	if (symbol)
		return lookup_set(platform, recorded->unit.domain, symbol, recorded->constants);
	set = *uuid ? gpuoa_platform_find_uuid(platform, uuid) : NULL;
	if (set)
		return set;
	if (*uuid)
		print_error(
			"%s: recorded with configuration %s, which is not a set of %s; give one with -s SET",
			recorded->file, uuid, gpuoa_platform_title(platform));
	else
		print_error("%s: recorded with an inline configuration; give its set with -s SET",
			    recorded->file);
	return NULL;
}

/*
 * Find the definitions of the platform: those that the user gave by -D, otherwise those in the
 * recording, with their constants.
 */
static const struct gpuoa_platform *find_platform(const struct tool *tool,
						  const struct gpuoa_reader *reader,
						  const struct gpuoa_unit_desc *unit,
						  struct gpuoa_constants **constants)
{
	const struct gpuoa_platform *own = gpuoa_reader_platform(reader);
	const struct gpuoa_platform *asked = definitions_find(tool, unit->platform);

	if (own && (!asked || asked == gpuoa_platform_find(unit->platform))) {
		if (gpuoa_constants_copy(gpuoa_reader_constants(reader), constants))
			*constants = NULL;
		return own;
	}
	*constants = asked ? lookup_constants(asked, unit) : NULL;
	return asked;
}

static bool have_same_registers(const struct gpuoa_set *a, const struct gpuoa_set *b,
				const struct gpuoa_constants *constants,
				enum gpuoa_register_kind kind)
{
	const int count = gpuoa_set_registers(a, kind, constants, NULL, 0);
	struct gpuoa_reg *regs;
	bool same;

	if (count != gpuoa_set_registers(b, kind, constants, NULL, 0))
		return false;
	if (count <= 0)
		return true;
	regs = calloc(count, 2 * sizeof(*regs));
	same = regs && gpuoa_set_registers(a, kind, constants, regs, count) == count &&
	       gpuoa_set_registers(b, kind, constants, regs + count, count) == count &&
	       !memcmp(regs, regs + count, count * sizeof(*regs));
	free(regs);
	return same;
}

/*
 * Print only a warning, because the user may know the right set, for instance if the recording has
 * an unknown configuration.
 */
static void warn_of_other_set(const struct recorded *recorded, const struct tool *tool)
{
	const struct gpuoa_set *made =
		*recorded->desc.uuid ?
			gpuoa_platform_find_uuid(recorded->platform, recorded->desc.uuid) :
			NULL;
	struct gpuoa_set_desc of_file, asked;

	bool same = true;

	if (!made || made == recorded->set)
		return;
	for (int kind = GPUOA_REGISTER_MUX; kind <= GPUOA_REGISTER_FLEX; kind++)
		same &= have_same_registers(made, recorded->set, recorded->constants, kind);
	if (same)
		return;
	gpuoa_set_describe(made, &of_file, sizeof(of_file));
	gpuoa_set_describe(recorded->set, &asked, sizeof(asked));
	note(tool,
	     "%s: recorded with %s and evaluated as %s, which programs other registers; metrics that depend on these are wrong",
	     recorded->file, of_file.symbol, asked.symbol);
}

static int find_meaning(struct recorded *recorded, const struct tool *tool, const char *set)
{
	gpuoa_reader_describe(recorded->reader, &recorded->desc, sizeof(recorded->desc));
	gpuoa_reader_describe_unit(recorded->reader, &recorded->unit, sizeof(recorded->unit));
	recorded->platform =
		find_platform(tool, recorded->reader, &recorded->unit, &recorded->constants);
	if (!recorded->platform)
		return fail(
			"%s: no metrics for its platform '%s'; update gpuoa, or add some with -D FILE",
			recorded->file, recorded->unit.platform);
	if (!recorded->constants)
		return EXIT_FAILED;
	recorded->set = find_set(recorded, set);
	if (!recorded->set)
		return EXIT_FAILED;
	if (set)
		warn_of_other_set(recorded, tool);
	return EXIT_OK;
}

/* Complete the opening of a stream. recorded->reader is NULL if the stream could not be opened. */
static int open_source(struct recorded *recorded, const struct tool *tool, const char *set)
{
	int ret = recorded->reader ? find_meaning(recorded, tool, set) : EXIT_FAILED;

	if (ret)
		recorded_close(recorded);
	return ret;
}

int recorded_open(struct recorded *recorded, const struct tool *tool, const char *file,
		  const char *set)
{
	*recorded = (struct recorded){ .file = file, .reader = recording_open(tool, file) };
	return open_source(recorded, tool, set);
}

int recorded_open_stream(struct recorded *recorded, const struct tool *tool, const char *file,
			 uint32_t index, const char *set)
{
	char error[RECORDING_ERROR_SIZE];

	*recorded = (struct recorded){ .file = file };
	if (gpuoa_file_open_stream(file, index, &recorded->reader, error, sizeof(error)))
		return fail("%s", error);
	return open_source(recorded, tool, set);
}

void recorded_close(struct recorded *recorded)
{
	gpuoa_constants_free(recorded->constants);
	gpuoa_reader_close(recorded->reader);
	*recorded = (struct recorded){ 0 };
}

void recorded_note_nothing(const struct recorded *recorded, const struct tool *tool)
{
	note(tool, "%s: %s: no interval: there are no two reports without a gap in between",
	     recorded->file, recorded->unit.name);
}

int recorded_evaluate(const struct recorded *recorded, const struct tool *tool,
		      const struct evaluation_request *request)
{
	struct evaluation evaluation;
	int ret = evaluation_open(&evaluation, tool, request);

	if (ret)
		return ret;
	ret = evaluation_drain(&evaluation, recorded->reader);
	evaluation_losses(&evaluation);
	if (!evaluation_finish(&evaluation))
		recorded_note_nothing(recorded, tool);
	evaluation_close(&evaluation);
	return ret;
}

struct evaluation_request recorded_request(const struct recorded *recorded)
{
	return (struct evaluation_request){
		.set = recorded->set,
		.constants = recorded->constants,
		.format = recorded->desc.format,
		/*
		 * The header is always stored, so a mask without the header means that all dwords
		 * are stored.
		 */
		.dword_mask = recorded->desc.dword_mask[0] ? recorded->desc.dword_mask : NULL,
		.origin = recorded->file,
		.totals = TOTALS_INTERVAL,
		.end_tick = UINT64_MAX,
	};
}
