/* SPDX-License-Identifier: MIT */
/* reasons.h - reasons of EU stalls as text */
#ifndef GPUOA_TOOLS_PROFILE_REASONS_H
#define GPUOA_TOOLS_PROFILE_REASONS_H

#include <stdbool.h>
#include <stdint.h>

/* Return @part in percent of @whole. */
static inline double profile_percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* Return the name of a reason. */
const char *profile_reason(unsigned int reason);

/*
 * Write the most frequent reasons of some samples: "scoreboard 39%, send 20%, sync 18%".
 * @with_active: also "active", which is no stall
 */
#define REASONS_TEXT 96
void reasons_text(char text[REASONS_TEXT], const uint64_t *counts, uint64_t total,
		  bool with_active);

#endif /* GPUOA_TOOLS_PROFILE_REASONS_H */
