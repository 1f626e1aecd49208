/* SPDX-License-Identifier: MIT */
/* text.h - texts of stall profiles */
#ifndef GPUOA_TOOLS_STALLS_TEXT_H
#define GPUOA_TOOLS_STALLS_TEXT_H

#include "profile/profile.h"

/* Write the most frequent stall reasons of some samples: "scoreboard 39%, send 20%, sync 18%". */
#define REASONS_TEXT 96
void reasons_text(char text[REASONS_TEXT], const uint64_t *counts, uint64_t total);

/* Print the totals of a profile. */
void profile_print_totals(const struct profile *profile);

/* Return @part in percent of @whole. */
static inline double profile_percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

#endif /* GPUOA_TOOLS_STALLS_TEXT_H */
