/* SPDX-License-Identifier: MIT */
/* frames.h - the stack of an instruction */
#ifndef GPUOA_TOOLS_PROFILE_FRAMES_H
#define GPUOA_TOOLS_PROFILE_FRAMES_H

#include "profile/profile.h"

#define FRAMES_MAX 5

struct frame {
	char name[512];
	const char *file; /* NULL: no source */
	uint32_t line;
};

/*
 * Write the frames of a place, the outermost first, without that of the reason. Returns their
 * number.
 */
size_t frames_of(const struct profile_place *place, struct frame *frames);

#endif /* GPUOA_TOOLS_PROFILE_FRAMES_H */
