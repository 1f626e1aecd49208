/* SPDX-License-Identifier: MIT */
/* frames.h - the stack of an instruction */
#ifndef GPUOA_TOOLS_PROFILE_FRAMES_H
#define GPUOA_TOOLS_PROFILE_FRAMES_H

#include "profile/profile.h"

#define FRAMES_MAX 5

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

/*
 * Write the frames of a place, the outermost first, without that of the reason. Their strings live
 * as long as the profile. Returns their number.
 */
size_t frames_of(const struct profile_place *place, struct frame *frames);

#endif /* GPUOA_TOOLS_PROFILE_FRAMES_H */
