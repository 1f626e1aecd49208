// SPDX-License-Identifier: MIT
/* frames.c - the stack of an instruction */
#include "profile/frames.h"

#include <inttypes.h>
#include <string.h>

size_t frames_of(const struct profile_place *place, struct frame *frames)
{
	size_t count = 0;

	memset(frames, 0, FRAMES_MAX * sizeof(*frames));
	if (place->pid)
		snprintf(frames[count++].text, sizeof(frames->text), "process %u", place->pid);
	frames[count++].symbol = place->kernel;
	if (place->function && strcmp(place->function, place->kernel))
		frames[count++].symbol = place->function;
	if (place->file) {
		frames[count].file = place->file;
		frames[count].line = place->line;
		snprintf(frames[count++].text, sizeof(frames->text), "%s:%u",
			 profile_base_name(place->file), place->line);
	}
	/* Without a kernel, the offset is the address. */
	snprintf(frames[count++].text, sizeof(frames->text), "%s0x%" PRIx64,
		 place->known ? "+" : "", place->offset);
	return count;
}
