/* SPDX-License-Identifier: MIT */
/*
 * profile.h - EU stall profiles: counts by instruction, with kernel and source line
 *
 * Shared by gpuoa stalls, gpuoa export and gpuoa top.
 */
#ifndef GPUOA_TOOLS_PROFILE_PROFILE_H
#define GPUOA_TOOLS_PROFILE_PROFILE_H

#include <stdio.h>

#include "common/tool.h"
#include "gpuoa-stalls.h"
#include "gpuoa-symbols.h"
#include "profile/kernels.h"
#include "profile/launches.h"
#include "profile/reasons.h"

#define PROFILE_KERNELS_MAX 64

/* The file that gpuoa stalls record writes by default */
#define PROFILE_FILE "gpuoa-stalls.data"

/* Files to read, as the user gave them */
struct profile_input {
	const char *file; /* counts: a recording, CSV or raw records; "-": standard input */
	const char *layout; /* layout of raw records; NULL: a recording or CSV */
	const char *kernels[PROFILE_KERNELS_MAX]; /* list of kernels, or ELF file of a loaded module
						   */
	size_t kernels_count;
};

/* An instruction */
struct profile_place {
	uint64_t address;
	uint32_t pid; /* 0: unknown, or one of several */
	/* "[unknown]": no kernel is known there; "[ambiguous: ...]": several kernels are */
	const char *kernel;
	const char *function; /* NULL: no kernel */
	const char *file; /* path of the source; NULL: no line */
	uint32_t line;
	uint32_t column;
	uint64_t offset; /* bytes from the beginning of the kernel; the address without a kernel */
	uint64_t load_address; /* of the kernel; 0: no kernel */
	uint32_t processes; /* number of processes that the instruction can belong to */
	bool known; /* the kernel is known */
	uint64_t counts[GPUOA_STALL_REASONS];
	uint64_t total; /* samples of all reasons */
};

struct profile_text;

struct profile {
	struct profile_place *places; /* sorted by kernel, then by offset, then by address */
	size_t count;
	uint64_t counts[GPUOA_STALL_REASONS];
	uint64_t total;
	uint64_t known; /* samples in known kernels */
	uint64_t ambiguous; /* samples of addresses that fit different kernels */
	uint64_t shared; /* samples of known kernels that fit several processes */
	/* Owned by the profile: */
	struct kernels kernels;
	struct launches launches;
	struct gpuoa_code_map *map;
	struct gpuoa_code_location *matches; /* kernels at an address */
	size_t matches_room;
	struct profile_text *texts;
};

/* The options that commands have in common; see profile_take_option(). */
#define PROFILE_SHORTS "k:"
#define PROFILE_LONGS                                              \
	{ "kernels", required_argument, NULL, 'k' },               \
	{                                                          \
		"raw", required_argument, NULL, PROFILE_OPTION_RAW \
	}
#define PROFILE_OPTION_RAW 0x5000
#define PROFILE_HELP                                                                             \
	"  -k, --kernels FILE     kernels: CSV with pid,address,size,kernel,file, or the ELF\n"  \
	"                         file of a loaded module (zetModuleGetDebugInfo); repeatable\n" \
	"      --raw LAYOUT       FILE has raw records: pvc, xe2 or xe3p\n"

/* Take -k or --raw. Returns an exit code. */
int profile_take_option(struct profile_input *input, const struct tool *tool, int option);

/*
 * Read counts and kernels, and find the place of each address. Returns an exit code; prints any
 * error, and notes about damaged symbols and unknown or ambiguous addresses.
 */
int profile_read(struct profile *profile, const struct tool *tool,
		 const struct profile_input *input);
void profile_free(struct profile *profile);

/*
 * Read the kernels of -k only, for profile_locate(). Addresses are compared by their low 32 bits.
 * Returns an exit code; prints any error, and notes about damaged symbols.
 */
int profile_read_kernels(struct profile *profile, const struct tool *tool,
			 const struct profile_input *input);

/*
 * Find the kernel and the line of a place, of which the address and the counts are set. Strings
 * live as long as the profile; the name of an ambiguous kernel lives until profile_free_texts().
 */
void profile_locate(struct profile *profile, struct profile_place *place);

/* Free all texts of profile_text(). */
void profile_free_texts(struct profile *profile);

/* Return a copy of a formatted text that lives as long as the profile. */
__attribute__((format(printf, 2, 3))) const char *profile_text(struct profile *profile,
							       const char *format, ...);

/* Number of samples that found a thread stalled */
static inline uint64_t profile_stalled(const uint64_t *counts, uint64_t total)
{
	return total - counts[GPUOA_STALL_ACTIVE];
}

/* Return the part of a path after the last slash. */
const char *profile_base_name(const char *path);

#endif /* GPUOA_TOOLS_PROFILE_PROFILE_H */
