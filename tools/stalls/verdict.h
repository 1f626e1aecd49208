/* SPDX-License-Identifier: MIT */
/* verdict.h - name the limit of the sampled kernels, and give advice */
#ifndef GPUOA_TOOLS_STALLS_VERDICT_H
#define GPUOA_TOOLS_STALLS_VERDICT_H

#include <stddef.h>
#include <stdint.h>

#include "gpuoa-stalls.h"
#include "stalls/occupancy.h"

struct verdict {
	double stalled; /* samples with a stall, percent */
	double stage[3]; /* samples of stages 1 and 2, percent; [0]: stalls without a stage */
	unsigned int reason; /* the most frequent stall; GPUOA_STALL_ACTIVE: there is none */
	double share; /* samples with this stall, percent */
	const char *advice; /* static */
};

/* Judge counts by reason. */
struct verdict verdict_of(const uint64_t counts[GPUOA_STALL_REASONS]);

/* Write the verdict as sentences. */
#define VERDICT_TEXT 2048
void verdict_text(const struct verdict *verdict, const struct occupancy *occupancy,
		  char text[VERDICT_TEXT]);

#endif /* GPUOA_TOOLS_STALLS_VERDICT_H */
