// SPDX-License-Identifier: MIT
/* groups.c - sums of the samples of a profile by kernel, line, ... */
#include "stalls/groups.h"

#include <stdlib.h>
#include <string.h>

static const char *const by_names[BY_COUNT] = { "kernel",  "function", "line",
						"address", "process",  "reason" };

static int take_by(enum by *by, const struct tool *tool, const char *name)
{
	for (*by = 0; *by < BY_COUNT; (*by)++)
		if (!strcmp(by_names[*by], name))
			return EXIT_OK;
	return usage(tool,
		     "unknown key '%s'; keys are kernel, function, line, address, process "
		     "and reason",
		     name);
}

int groups_take_option(struct group_options *options, const struct tool *tool, int option)
{
	switch (option) {
	case 'b':
		return take_by(&options->by, tool, optarg);
	case 'K':
		options->kernel = optarg;
		return EXIT_OK;
	case 'n':
		if (parse_number(optarg, &options->rows))
			return EXIT_OK;
		return usage(tool, "-n: '%s' is not a number", optarg);
	default:
		return profile_take_option(&options->input, tool, option);
	}
}

size_t groups_shown(const struct group_options *options, const struct tool *tool, size_t count)
{
	if (tool->format != OUTPUT_TABLE || !options->rows || options->rows > count)
		return count;
	return options->rows;
}

static int compare_text(const char *one, const char *other)
{
	return strcmp(one ? one : "", other ? other : "");
}

static int compare_numbers(uint64_t one, uint64_t other)
{
	return one < other ? -1 : one > other;
}

int groups_compare_keys(const struct profile_place *one, const struct profile_place *other,
			enum by by)
{
	int order = by == BY_PROCESS ? 0 : strcmp(one->kernel, other->kernel);

	switch (by) {
	case BY_PROCESS:
		return compare_numbers(one->pid, other->pid);
	case BY_ADDRESS:
		return order ? order : compare_numbers(one->address, other->address);
	case BY_LINE:
		order = order ? order : compare_text(one->file, other->file);
		order = order ? order : compare_numbers(one->line, other->line);
		break;
	default:
		break;
	}
	/* A line can belong to several functions. */
	return order || by == BY_KERNEL ? order : compare_text(one->function, other->function);
}

static enum by sort_key;

static int compare_by_key(const void *a, const void *b)
{
	const struct profile_place *const *one = a, *const *other = b;

	return groups_compare_keys(*one, *other, sort_key);
}

int groups_make(const struct profile *profile, enum by by, const char *kernel,
		struct group **groups, size_t *count)
{
	const struct profile_place **places = calloc(profile->count + 1, sizeof(*places));
	struct group *made = calloc(profile->count + 1, sizeof(*made));
	size_t selected = 0;

	*groups = made;
	*count = 0;
	if (!places || !made) {
		free(places);
		return fail("out of memory");
	}
	for (size_t i = 0; i < profile->count; i++)
		if (!kernel || !strcmp(kernel, profile->places[i].kernel))
			places[selected++] = &profile->places[i];
	sort_key = by;
	qsort(places, selected, sizeof(*places), compare_by_key);
	for (size_t i = 0; i < selected; i++) {
		struct group *group;

		if (!i || groups_compare_keys(places[i - 1], places[i], by))
			made[(*count)++].first = places[i];
		group = &made[*count - 1];
		for (unsigned int k = 0; k < GPUOA_STALL_REASONS; k++)
			group->counts[k] += places[i]->counts[k];
		group->total += places[i]->total;
	}
	free(places);
	return EXIT_OK;
}
