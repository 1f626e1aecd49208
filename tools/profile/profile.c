// SPDX-License-Identifier: MIT
/* profile.c - find the kernels and source lines of EU stall counts */
#define _GNU_SOURCE /* vasprintf */
#include "profile/profile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "profile/csv.h"
#include "profile/file.h"

#define RECORDS_PER_READ 4096

struct profile_text {
	struct profile_text *next;
	char *text;
};

const char *profile_text(struct profile *profile, const char *format, ...)
{
	struct profile_text *text = malloc(sizeof(*text));
	va_list args;

	va_start(args, format);
	if (!text || vasprintf(&text->text, format, args) < 0)
		die_of_memory();
	va_end(args);
	text->next = profile->texts;
	profile->texts = text;
	return text->text;
}

const char *profile_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

int profile_take_option(struct profile_input *input, const struct tool *tool, int option)
{
	if (option == PROFILE_OPTION_RAW) {
		input->layout = optarg;
		if (gpuoa_stall_layout_by_name(optarg))
			return EXIT_OK;
		return usage(tool, "unknown layout '%s'; layouts are pvc, xe2 and xe3p", optarg);
	}
	if (input->kernels_count == PROFILE_KERNELS_MAX)
		return usage(tool, "more than %d files of kernels", PROFILE_KERNELS_MAX);
	input->kernels[input->kernels_count++] = optarg;
	return EXIT_OK;
}

/* counts */

static int read_counts(const struct csv *csv, struct gpuoa_stall_sums *sums, int address,
		       const int *columns)
{
	struct gpuoa_stall_sum sum = { 0 };
	int ret = csv_number(csv, address, &sum.address);

	for (unsigned int i = 0; !ret && i < GPUOA_STALL_REASON_COUNT; i++)
		ret = csv_number(csv, columns[i], &sum.counts[i]);
	if (!ret && gpuoa_stall_sums_add_sum(sums, &sum, sizeof(sum)))
		ret = fail("out of memory");
	return ret;
}

static int read_csv(struct gpuoa_stall_sums *sums, const char *name)
{
	int columns[GPUOA_STALL_REASON_COUNT], address, reasons = 0;
	struct csv csv;
	int ret = csv_open(&csv, name);

	if (ret)
		return ret;
	address = csv_column(&csv, "address");
	for (unsigned int i = 0; i < GPUOA_STALL_REASON_COUNT; i++) {
		columns[i] = csv_column(&csv, profile_reason(i));
		reasons += columns[i] >= 0;
	}
	if (address < 0 || !reasons)
		ret = fail("%s: cannot read it: no columns 'address' and 'scoreboard' or other "
			   "reasons; give the output of 'gpuoa stalls stat --csv'",
			   csv.name);
	while (!ret && csv_next(&csv, &ret))
		ret = read_counts(&csv, sums, address, columns);
	csv_close(&csv);
	return ret;
}

static int read_raw(struct gpuoa_stall_sums *sums, const struct tool *tool, const char *name,
		    const char *layout_name)
{
	const struct gpuoa_stall_layout *layout = gpuoa_stall_layout_by_name(layout_name);
	const bool is_stdin = !strcmp(name, "-");
	FILE *file = is_stdin ? stdin : fopen(name, "re");
	struct gpuoa_stall_layout_desc desc;
	uint64_t incomplete = 0;
	size_t size, rest = 0;
	int ret = EXIT_OK;
	void *records;

	if (!file)
		return fail("%s: %s", name, strerror(errno));
	gpuoa_stall_layout_describe(layout, &desc, sizeof(desc));
	records = malloc((size_t)desc.record_size * RECORDS_PER_READ);
	while (records && !ret && !feof(file) && !ferror(file) &&
	       (size = fread(records, 1, (size_t)desc.record_size * RECORDS_PER_READ, file))) {
		const int added =
			gpuoa_stall_sums_add(sums, layout, records, size / desc.record_size);

		rest = size % desc.record_size;

		if (added < 0)
			ret = fail("%s: cannot read it: %s", name, strerror(-added));
		else
			incomplete += (uint64_t)added;
	}
	if (!records)
		ret = fail("out of memory");
	else if (ferror(file))
		ret = fail("%s: cannot read it: %s", name, strerror(errno));
	if (incomplete)
		note(tool, "%s: %" PRIu64 " records are incomplete, and were ignored", name,
		     incomplete);
	if (rest)
		note(tool, "%s: the last record is cut off, and was ignored", name);
	if (!is_stdin)
		fclose(file);
	free(records);
	return ret;
}

/* Read the EU stalls, the kernels and their launches of a recording. */
static int read_recording(struct gpuoa_stall_sums *sums, struct profile *profile,
			  const struct tool *tool, const char *name)
{
	struct gpuoa_stall_file *file;
	struct gpuoa_stall_window window;
	uint64_t losses = 0;
	char error[512];
	int ret, err = gpuoa_stall_file_open(name, &file, error, sizeof(error));

	if (err)
		return fail("%s", error);
	while ((err = gpuoa_stall_file_next(file, &window, sizeof(window), sums)) > 0)
		losses += window.losses;
	if (losses)
		note(tool, "%s: records were lost %" PRIu64 " times", name, losses);
	if (err)
		ret = fail("%s: cannot read EU stalls: %s", name,
			   err == -EBADMSG ? "the file is damaged" : strerror(-err));
	else
		ret = kernels_take(&profile->kernels, name, file);
	launches_take(&profile->launches, file);
	gpuoa_stall_file_close(file);
	return ret;
}

static int read_samples(struct gpuoa_stall_sums *sums, struct profile *profile,
			const struct tool *tool, const struct profile_input *input)
{
	if (input->layout)
		return read_raw(sums, tool, input->file, input->layout);
	/* perf.data begins with PERFILE2. */
	if (strcmp(input->file, "-") && file_has_magic(input->file, "PERF"))
		return read_recording(sums, profile, tool, input->file);
	return read_csv(sums, input->file);
}

/* kernels */

static int read_kernels(struct profile *profile, const struct tool *tool,
			const struct profile_input *input)
{
	int ret = EXIT_OK;

	for (size_t i = 0; !ret && i < input->kernels_count; i++)
		ret = kernels_read(&profile->kernels, input->kernels[i]);
	return ret ? ret : kernels_map(&profile->kernels, tool, profile->map);
}

/* places */

/* Return all @count kernels at an address; they are valid until the next call. */
static const struct gpuoa_code_location *find_all(struct profile *profile, uint64_t address,
						  uint32_t count)
{
	if (count > profile->matches_room) {
		free(profile->matches);
		profile->matches = calloc(count, sizeof(*profile->matches));
		if (!profile->matches)
			die_of_memory();
		profile->matches_room = count;
	}
	gpuoa_code_map_find_all(profile->map, 0, address, profile->matches,
				sizeof(*profile->matches), count);
	return profile->matches;
}

/* Return whether all kernels at an address have the same name, offset and symbols, or no symbols.
 */
static bool are_same(const struct gpuoa_code_location *matches, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++)
		if (matches[i].symbols != matches[0].symbols ||
		    matches[i].offset != matches[0].offset ||
		    strcmp(matches[i].kernel, matches[0].kernel))
			return false;
	return true;
}

#define AMBIGUOUS_TEXT 256
#define AMBIGUOUS_NAMES (AMBIGUOUS_TEXT / 4) /* " or " is before each name but the first */

/* Name the different kernels that are at an address: "[ambiguous: a or b]". */
static const char *ambiguous_name(struct profile *profile,
				  const struct gpuoa_code_location *matches, uint32_t count)
{
	const char *names[AMBIGUOUS_NAMES];
	char text[AMBIGUOUS_TEXT] = "";
	size_t used = 0, named = 0;

	for (uint32_t i = 0; i < count && used < sizeof(text) && named < AMBIGUOUS_NAMES; i++) {
		const char *kernel = matches[i].kernel;
		size_t at = 0;

		while (at < named && strcmp(names[at], kernel))
			at++;
		if (at < named)
			continue;
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s",
					 named ? " or " : "", kernel);
		names[named++] = kernel;
	}
	return profile_text(profile, "[ambiguous: %s]", text);
}

void profile_locate(struct profile *profile, struct profile_place *place)
{
	const struct gpuoa_code_location *matches;
	struct gpuoa_code_location location;

	place->kernel = "[unknown]";
	place->offset = place->address;
	if (gpuoa_code_map_find(profile->map, 0, place->address, 0, &location, sizeof(location)))
		return;
	place->processes = location.match_count;
	if (!location.same_code) {
		matches = find_all(profile, place->address, location.match_count);
		if (!are_same(matches, location.match_count)) {
			place->kernel = ambiguous_name(profile, matches, location.match_count);
			profile->ambiguous += place->total;
			return;
		}
	}
	place->known = true;
	place->pid = location.match_count == 1 ? location.pid : 0;
	place->kernel = location.kernel;
	place->function = location.function;
	place->file = location.file;
	place->line = location.line;
	place->column = location.column;
	place->offset = location.offset;
	place->load_address = location.load_address;
	profile->known += place->total;
	if (location.match_count > 1)
		profile->shared += place->total;
}

static int compare_places(const void *a, const void *b)
{
	const struct profile_place *one = a, *other = b;
	const int kernels = strcmp(one->kernel, other->kernel);

	if (kernels)
		return kernels;
	if (one->offset != other->offset)
		return one->offset < other->offset ? -1 : 1;
	return one->address < other->address ? -1 : one->address > other->address;
}

static int find_places(struct profile *profile, const struct gpuoa_stall_sums *sums)
{
	const uint32_t count = gpuoa_stall_sums_count(sums);
	struct gpuoa_stall_sum sum;

	profile->places = calloc((size_t)count + 1, sizeof(*profile->places));
	if (!profile->places)
		return fail("out of memory");
	for (uint32_t i = 0; i < count; i++) {
		struct profile_place *place = &profile->places[profile->count];

		gpuoa_stall_sums_get(sums, i, &sum, sizeof(sum));
		place->address = sum.address;
		memcpy(place->counts, sum.counts, sizeof(place->counts));
		place->total = 0;
		for (unsigned int k = 0; k < GPUOA_STALL_REASONS; k++) {
			profile->counts[k] += sum.counts[k];
			place->total += sum.counts[k];
		}
		/* An address without samples is no place. */
		if (!place->total)
			continue;
		profile->total += place->total;
		profile_locate(profile, place);
		profile->count++;
	}
	qsort(profile->places, profile->count, sizeof(*profile->places), compare_places);
	return EXIT_OK;
}

/*
 * Records have 32 bits of an address, except those of Xe3p. If all addresses fit, only these are
 * compared with those of kernels.
 */
static uint32_t address_bits(const struct gpuoa_stall_sums *sums)
{
	const uint32_t count = gpuoa_stall_sums_count(sums);
	struct gpuoa_stall_sum sum;

	for (uint32_t i = 0; i < count; i++) {
		gpuoa_stall_sums_get(sums, i, &sum, sizeof(sum));
		if (sum.address > UINT32_MAX)
			return 64;
	}
	return 32;
}

static void note_places(const struct profile *profile, const struct tool *tool,
			const struct profile_input *input)
{
	const uint64_t unknown = profile->total - profile->known - profile->ambiguous;

	if (!profile->kernels.load_count)
		note(tool, "%s: no kernels are known; give their addresses with -k", input->file);
	else if (unknown)
		note(tool, "%s: %" PRIu64 " of %" PRIu64 " samples are in no known kernel",
		     input->file, unknown, profile->total);
	if (profile->ambiguous)
		note(tool,
		     "%s: %" PRIu64 " of %" PRIu64
		     " samples have addresses at which different kernels were loaded",
		     input->file, profile->ambiguous, profile->total);
	if (profile->shared)
		note(tool,
		     "%s: %" PRIu64 " of %" PRIu64
		     " samples are in kernels that several processes have at the same address; "
		     "their processes are unknown",
		     input->file, profile->shared, profile->total);
}

int profile_read(struct profile *profile, const struct tool *tool,
		 const struct profile_input *input)
{
	struct gpuoa_stall_sums *sums;
	int ret;

	*profile = (struct profile){ .places = NULL };
	if (gpuoa_stall_sums_new(&sums))
		return fail("out of memory");
	ret = read_samples(sums, profile, tool, input);
	if (!ret && gpuoa_code_map_new(address_bits(sums), &profile->map))
		ret = fail("out of memory");
	if (!ret)
		ret = read_kernels(profile, tool, input);
	if (!ret)
		ret = find_places(profile, sums);
	if (!ret && !profile->total)
		ret = fail("%s: there are no samples", input->file);
	if (!ret)
		note_places(profile, tool, input);
	gpuoa_stall_sums_free(sums);
	if (ret)
		profile_free(profile);
	return ret;
}

int profile_read_kernels(struct profile *profile, const struct tool *tool,
			 const struct profile_input *input)
{
	int ret;

	*profile = (struct profile){ .places = NULL };
	ret = gpuoa_code_map_new(32, &profile->map) ? fail("out of memory") :
						      read_kernels(profile, tool, input);
	if (ret)
		profile_free(profile);
	return ret;
}

void profile_free_texts(struct profile *profile)
{
	while (profile->texts) {
		struct profile_text *text = profile->texts;

		profile->texts = text->next;
		free(text->text);
		free(text);
	}
}

void profile_free(struct profile *profile)
{
	gpuoa_code_map_free(profile->map);
	kernels_free(&profile->kernels);
	launches_free(&profile->launches);
	free(profile->places);
	free(profile->matches);
	profile_free_texts(profile);
	*profile = (struct profile){ .places = NULL };
}
