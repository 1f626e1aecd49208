/* SPDX-License-Identifier: MIT */
/* groups.h - sums of the samples of a profile by kernel, line, ... */
#ifndef GPUOA_TOOLS_STALLS_GROUPS_H
#define GPUOA_TOOLS_STALLS_GROUPS_H

#include "profile/profile.h"

enum by {
	BY_KERNEL,
	BY_FUNCTION,
	BY_LINE,
	BY_ADDRESS,
	BY_PROCESS,
	BY_REASON,
	BY_COUNT,
};

/* The places of a profile with the same key */
struct group {
	const struct profile_place *first;
	uint64_t counts[GPUOA_STALL_REASONS];
	uint64_t total;
};

/* Options of commands that print groups */
struct group_options {
	struct profile_input input;
	enum by by;
	const char *kernel; /* only this kernel; NULL: all */
	uint64_t rows; /* rows of a table; 0: all */
};

#define GROUP_OPTIONS                     \
	{                                 \
		.by = BY_LINE, .rows = 20 \
	}

/* Elements of a table for getopt_long(), and short options */
#define GROUP_LONGS                                                                         \
	{ "by", required_argument, NULL, 'b' }, { "kernel", required_argument, NULL, 'K' }, \
		{ "rows", required_argument, NULL, 'n' }, PROFILE_LONGS
#define GROUP_SHORTS PROFILE_SHORTS "n:"

/* Process one of these options. Returns an exit code. */
int groups_take_option(struct group_options *options, const struct tool *tool, int option);

/* Number of rows to print of @count: a table is limited, CSV and JSON are not. */
size_t groups_shown(const struct group_options *options, const struct tool *tool, size_t count);

/*
 * Compare the keys of two places, which can be of different profiles; 0: they belong to the same
 * group.
 */
int groups_compare_keys(const struct profile_place *one, const struct profile_place *other,
			enum by by);

/*
 * Add up places by their key, in the order of the keys. @kernel: only this kernel; NULL: all.
 * *@groups: allocated; the caller frees it. *@count: number of groups. Returns an exit code.
 */
int groups_make(const struct profile *profile, enum by by, const char *kernel,
		struct group **groups, size_t *count);

#endif /* GPUOA_TOOLS_STALLS_GROUPS_H */
