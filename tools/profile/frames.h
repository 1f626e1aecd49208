/* SPDX-License-Identifier: MIT */
/* frames.h - the stacks of instructions */
#ifndef GPUOA_TOOLS_PROFILE_FRAMES_H
#define GPUOA_TOOLS_PROFILE_FRAMES_H

#include "profile/profile.h"

#define FRAMES_MAX (5 + LAUNCH_FRAMES_MAX)

struct frame {
	/* kernel, function (mangled names can be long) or reason; NULL: the name is .text */
	const char *symbol;
	char text[512];
	const char *file; /* NULL: no source */
	uint32_t line;
};

static inline const char *frame_name(const struct frame *frame)
{
	return frame->symbol ? frame->symbol : frame->text;
}

/* The samples of a place, or of some of the launches of its kernel */
struct stack {
	const struct profile_place *place; /* NULL: the first call */
	const struct launch *launch; /* NULL: unknown */
	uint64_t counts[GPUOA_STALL_REASONS];
	uint64_t total;
	/* Private: */
	size_t launch_left; /* number of launches of this place that follow */
	uint64_t weight; /* of all of them */
	bool by_groups;
	struct profile_place rest; /* .counts, .total: samples that are not divided yet */
};

/*
 * Get the next stack of a profile; zero-initialize it at first. Records do not have the launch, so
 * the samples of a place are divided among the launches of its kernel, by the number of thread
 * groups, or by the number of launches if one of them does not have it. The sums are exact. Returns
 * false at the end.
 */
bool frames_next(const struct profile *profile, struct stack *stack);

/*
 * Write the frames of a stack, the outermost first, without that of the reason. @frames: room for
 * FRAMES_MAX. Their strings live as long as the profile. Returns their number.
 */
size_t frames_of(const struct stack *stack, struct frame *frames);

#endif /* GPUOA_TOOLS_PROFILE_FRAMES_H */
