// SPDX-License-Identifier: MIT
/*
 * saved.c - devices in files and buffers
 *
 * A saved device is text: lines of words, and definitions as gpuoa_definitions_parse() reads them.
 *
 *   gpuoa-device 1
 *   platform tglgt2
 *   constant GpuTimestampFrequency 19200000
 *   definitions 12345              number of bytes that follow the line
 *   ...
 *   set OA/RenderBasic             of the definitions above
 *
 * A set to which the program has added metrics has separate definitions, after those of the
 * platform.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpuoa-custom.h"
#include "igdmd.h"

static const char signature[] = "gpuoa-device 1\n";

/* ---- printing ------------------------------------------------------------------------------- */

struct printer {
	char *text;
	size_t size;
	size_t length; /* of the whole text */
};

__attribute__((format(printf, 2, 3))) static void put(struct printer *printer, const char *format,
						      ...)
{
	const size_t room = printer->length < printer->size ? printer->size - printer->length : 0;
	va_list args;

	va_start(args, format);
	printer->length += (size_t)vsnprintf(room ? printer->text + printer->length : NULL, room,
					     format, args);
	va_end(args);
}

static void put_constant(struct printer *printer, const struct device *device, const char *name)
{
	uint64_t value;

	if (!gpuoa_constants_get(device->constants, name, &value))
		put(printer, "constant %s %" PRIu64 "\n", name, value);
}

static void put_definitions(struct printer *printer, const struct gpuoa_platform *platform)
{
	const size_t length = gpuoa_platform_text(platform, NULL, 0);
	size_t room;

	put(printer, "definitions %zu\n", length);
	room = printer->length < printer->size ? printer->size - printer->length : 0;
	gpuoa_platform_text(platform, room ? printer->text + printer->length : NULL, room);
	printer->length += length;
	put(printer, "\n");
}

static void put_set(struct printer *printer, const struct set *set)
{
	put(printer, "set %s/%s\n", set->desc.domain, set->desc.symbol);
}

static bool is_wanted(const struct set *set, struct set *const *sets, size_t count)
{
	bool wanted = !count;

	for (size_t i = 0; i < count; i++)
		wanted |= sets[i] == set;
	return wanted && set->set && !set->open;
}

/*
 * Print each requested set: with @own, the sets with separate definitions, otherwise those of the
 * platform.
 */
static void put_sets(struct printer *printer, const struct device *device, struct set *const *sets,
		     size_t count, bool own)
{
	for (uint32_t i = 0; i < device->params.group_count; i++) {
		const struct group *group = &device->groups[i];

		for (uint32_t j = 0; j < group->params.set_count; j++) {
			const struct set *set = group->sets[j];

			if (!is_wanted(set, sets, count) || own != !!set->definitions)
				continue;
			if (own)
				put_definitions(printer, set->desc.platform);
			put_set(printer, set);
		}
	}
}

static bool belongs(const struct device *device, const struct set *set)
{
	return set && set->group->device == device && set->set;
}

int64_t saved_print(const struct device *device, struct set *const *sets, size_t count, char *text,
		    size_t size)
{
	struct printer printer = { .text = text, .size = text ? size : 0 };

	for (size_t i = 0; i < count; i++)
		if (!belongs(device, sets[i]))
			return -EINVAL;
	put(&printer, "%s", signature);
	put(&printer, "platform %s\n", gpuoa_platform_name(device->platform));
	for (uint32_t i = 0; i < device->params.symbol_count; i++)
		put_constant(&printer, device, device->symbols[i].name);
	put_definitions(&printer, device->platform);
	put_sets(&printer, device, sets, count, false);
	put_sets(&printer, device, sets, count, true);
	return (int64_t)printer.length;
}

/* ---- reading -------------------------------------------------------------------------------- */

struct saved_line {
	char word[32];
	char name[128];
	uint64_t value;
	const char *data; /* definitions: .value bytes */
};

/* Read the next line. Returns 1, 0 at the end of the text, or -EINVAL. */
static int next_line(const char **text, const char *end, struct saved_line *line)
{
	const char *newline = memchr(*text, '\n', (size_t)(end - *text));
	char copy[256];
	size_t length;

	if (*text == end || !**text)
		return 0;
	if (!newline)
		return -EINVAL;
	length = (size_t)(newline - *text);
	if (length >= sizeof(copy))
		return -EINVAL;
	memcpy(copy, *text, length);
	copy[length] = '\0';
	*text = newline + 1;
	*line = (struct saved_line){ .value = 0 };
	if (sscanf(copy, "definitions %" SCNu64, &line->value) == 1) {
		if (line->value >= (uint64_t)(end - *text))
			return -EINVAL;
		strcpy(line->word, "definitions");
		line->data = *text;
		*text += line->value + 1;
		return 1;
	}
	return sscanf(copy, "%31s %127s %" SCNu64, line->word, line->name, &line->value) >= 2 ?
		       1 :
		       -EINVAL;
}

bool saved_is(const char *text, size_t size)
{
	return size >= sizeof(signature) - 1 && !memcmp(text, signature, sizeof(signature) - 1);
}

static int parse_definitions(const struct saved_line *line, struct gpuoa_definitions **definitions)
{
	char error[512];
	int err = gpuoa_definitions_parse("saved device", line->data, line->value, definitions,
					  error, sizeof(error));

	if (err) {
		igdmd_log("%s", error);
		*definitions = NULL;
	}
	return err;
}

/* Load the platform. The lines before its definitions have its name and the constants. */
static int load_platform(struct device *device, const char *text, const char *end, const char *name)
{
	struct saved_line line;
	int err = 1;

	while ((err = next_line(&text, end, &line)) == 1)
		if (!strcmp(line.word, "definitions"))
			break;
	if (err != 1)
		return -EINVAL;
	err = parse_definitions(&line, &device->definitions);
	if (err)
		return err;
	device->platform = gpuoa_definitions_find(device->definitions, name);
	return device->platform ? 0 : -EINVAL;
}

/* Constants that this version of the library does not know are ignored. */
static int load_constants(struct device *device, const char *text, const char *end)
{
	struct saved_line line;
	int err = gpuoa_constants_new(device->platform, &device->constants);

	while (!err && next_line(&text, end, &line) == 1 && strcmp(line.word, "definitions"))
		if (!strcmp(line.word, "constant") &&
		    gpuoa_constants_set(device->constants, line.name, line.value) == -EINVAL)
			err = -EINVAL;
	return err;
}

int saved_load(struct device *device, const char *text, size_t size)
{
	const char *end = text + size, *lines = text + sizeof(signature) - 1, *first = lines;
	struct saved_line line;
	int err;

	if (next_line(&first, end, &line) != 1 || strcmp(line.word, "platform"))
		return -EINVAL;
	if (device->unit_count && strcmp(line.name, gpuoa_platform_name(device->platform))) {
		igdmd_log("cannot open a saved device: it is of platform %s", line.name);
		return -EINVAL;
	}
	err = load_platform(device, first, end, line.name);
	if (!err && !device->unit_count)
		err = load_constants(device, first, end);
	return err;
}

/* ---- sets ----------------------------------------------------------------------------------- */

static struct group *find_group(struct device *device, const char *symbol, size_t length)
{
	for (uint32_t i = 0; i < device->params.group_count; i++) {
		struct group *group = &device->groups[i];

		if (strlen(group->params.symbol) == length &&
		    !memcmp(group->params.symbol, symbol, length))
			return group;
	}
	return NULL;
}

static struct set *find_set(const struct group *group, const char *symbol)
{
	for (uint32_t i = 0; i < group->params.set_count; i++)
		if (!strcmp(group->sets[i]->desc.symbol, symbol))
			return group->sets[i];
	return NULL;
}

/* Add a set with separate definitions, or replace the platform's set of the same name. */
static int load_own_set(struct group *group, const char *symbol, const struct saved_line *source)
{
	struct set_definitions *own = igdmd_alloc(1, sizeof(*own));
	const struct gpuoa_platform *platform = NULL;
	const struct gpuoa_set *definition;
	struct set *set = find_set(group, symbol);
	struct set **sets;
	int err = own ? parse_definitions(source, &own->definitions) : -ENOMEM;

	if (!err)
		platform = gpuoa_definitions_get_platform(own->definitions, 0);
	if (!err)
		err = gpuoa_constants_new(platform, &own->constants);
	if (err) {
		gpuoa_definitions_free(own ? own->definitions : NULL);
		free(own);
		return err;
	}
	gpuoa_constants_transfer(own->constants, group->device->constants);
	definition = gpuoa_platform_find_set(platform, symbol, group->params.symbol, NULL);
	sets = realloc(group->sets, (group->params.set_count + 1) * sizeof(*sets));
	if (sets)
		group->sets = sets;
	if (!definition || !sets) {
		err = definition ? -ENOMEM : -EINVAL;
	} else if (!set) {
		err = set_new(group, NULL, &set);
		if (!err)
			group->sets[group->params.set_count++] = set;
	}
	if (!err)
		return set_redefine(set, definition, own);
	gpuoa_constants_free(own->constants);
	gpuoa_definitions_free(own->definitions);
	free(own);
	return err;
}

static bool is_listed(const char *text, const char *end, const struct set *set)
{
	struct saved_line line;
	char name[128];

	snprintf(name, sizeof(name), "%s/%s", set->desc.domain, set->desc.symbol);
	while (next_line(&text, end, &line) == 1)
		if (!strcmp(line.word, "set") && !strcmp(line.name, name))
			return true;
	return false;
}

static void remove_unlisted_sets(struct device *device, const char *text, const char *end)
{
	for (uint32_t i = 0; i < device->params.group_count; i++) {
		struct group *group = &device->groups[i];
		uint32_t kept = 0;

		for (uint32_t j = 0; j < group->params.set_count; j++) {
			struct set *set = group->sets[j];

			if (is_listed(text, end, set))
				group->sets[kept++] = set;
			else
				set_free(set);
		}
		group->params.set_count = kept;
	}
}

int saved_load_sets(struct device *device, const char *text, size_t size)
{
	const char *end = text + size;
	struct saved_line line, source = { .data = NULL };
	uint32_t documents = 0;
	int more;

	text += sizeof(signature) - 1;
	remove_unlisted_sets(device, text, end);
	while ((more = next_line(&text, end, &line)) == 1) {
		const char *slash = strchr(line.name, '/');
		struct group *group;
		int err;

		if (!strcmp(line.word, "definitions")) {
			source = line;
			documents++;
		}
		if (strcmp(line.word, "set") || documents < 2 || !slash)
			continue;
		group = find_group(device, line.name, (size_t)(slash - line.name));
		if (!group)
			continue; /* Skip the set, because the GPU has no such unit. */
		err = load_own_set(group, slash + 1, &source);
		if (err)
			return err;
	}
	return more;
}
