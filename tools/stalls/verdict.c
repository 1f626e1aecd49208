// SPDX-License-Identifier: MIT
/*
 * verdict.c - name the limit of the sampled kernels, and give advice
 *
 * The stages are those of gpuoa_stall_reason_desc: in stage 1 a thread had nothing to issue, in
 * stage 2 its pipe or queue was not ready.
 */
#include <stdio.h>

#include "profile/profile.h"
#include "stalls/text.h"
#include "stalls/verdict.h"

/* Below this share of stalled samples, the EUs are busy. */
#define STALLED_MIN 20.0

static const char *const advice[GPUOA_STALL_REASON_COUNT] = {
	[GPUOA_STALL_ACTIVE] = "the EUs are busy: fewer or cheaper instructions",
	[GPUOA_STALL_OTHER] = "the hardware does not report the reason",
	[GPUOA_STALL_CONTROL] = "fewer or more uniform branches; unroll short loops",
	[GPUOA_STALL_PIPE] = "less work for the pipe that is busy: cheaper math, lower precision, "
			     "or instructions for another pipe",
	[GPUOA_STALL_SEND] = "fewer and larger memory messages: coalesced accesses, block loads, "
			     "fewer atomics",
	[GPUOA_STALL_DISTANCE] = "more independent instructions between an instruction and the use "
				 "of its result; more threads",
	[GPUOA_STALL_SCOREBOARD] = "fewer accesses to slow memory (tiles in local memory or "
				   "registers), earlier loads (prefetch), more threads",
	[GPUOA_STALL_SYNC] = "fewer barriers and fences; equal work between barriers; smaller "
			     "work-groups",
	[GPUOA_STALL_FETCH] = "shorter code: less inlining and unrolling",
	[GPUOA_STALL_PS_ORDER] = "less overlap of pixels: sort or batch draws, avoid pixel shader "
				 "ordering",
};

struct verdict verdict_of(const uint64_t counts[GPUOA_STALL_REASONS])
{
	struct verdict verdict = { .reason = GPUOA_STALL_ACTIVE };
	struct gpuoa_stall_reason_desc desc;
	uint64_t total = 0;

	for (unsigned int k = 0; k < GPUOA_STALL_REASON_COUNT; k++)
		total += counts[k];
	for (unsigned int k = 0; k < GPUOA_STALL_REASON_COUNT; k++) {
		if (k == GPUOA_STALL_ACTIVE || !counts[k])
			continue;
		gpuoa_stall_describe_reason(k, &desc, sizeof(desc));
		verdict.stage[desc.stage <= 2 ? desc.stage : 0] +=
			profile_percent(counts[k], total);
		verdict.stalled += profile_percent(counts[k], total);
		if (verdict.reason == GPUOA_STALL_ACTIVE || counts[k] > counts[verdict.reason])
			verdict.reason = k;
	}
	if (verdict.reason != GPUOA_STALL_ACTIVE)
		verdict.share = profile_percent(counts[verdict.reason], total);
	verdict.advice =
		advice[verdict.stalled < STALLED_MIN ? GPUOA_STALL_ACTIVE : verdict.reason];
	return verdict;
}

void verdict_text(const struct verdict *verdict, const struct occupancy *occupancy,
		  char text[VERDICT_TEXT])
{
	struct gpuoa_stall_reason_desc desc;
	int length;

	if (verdict->reason == GPUOA_STALL_ACTIVE) {
		length = snprintf(text, VERDICT_TEXT, "0.0 %% stalled. Try: %s.", verdict->advice);
	} else {
		gpuoa_stall_describe_reason(verdict->reason, &desc, sizeof(desc));
		length = snprintf(
			text, VERDICT_TEXT,
			"%.1f %% stalled: %.1f %% had nothing to issue (stage 1), %.1f %% waited for a "
			"pipe or queue (stage 2); most often %s, %.1f %%: %s. Try: %s.",
			verdict->stalled, verdict->stage[1], verdict->stage[2], desc.name,
			verdict->share, desc.title, verdict->advice);
	}
	if (!occupancy->known)
		return;
	text[length++] = ' ';
	occupancy_text(occupancy,
		       verdict->stalled >= STALLED_MIN && verdict->stage[1] > verdict->stage[2],
		       text + length, VERDICT_TEXT - (size_t)length);
}
