// SPDX-License-Identifier: MIT
/* folded.c - stacks for flamegraph.pl and other programs */
#include <inttypes.h>

#include "profile/frames.h"
#include "profile/write.h"

/* Semicolons separate frames, and lines end a stack. */
static void put_frame(FILE *file, const char *name)
{
	for (; *name; name++)
		putc(*name == ';' ? ',' : (unsigned char)*name < ' ' ? '?' : *name, file);
	putc(';', file);
}

void profile_write_folded(const struct profile *profile, FILE *file)
{
	struct frame frames[FRAMES_MAX];
	struct stack stack = { .place = NULL };

	while (frames_next(profile, &stack)) {
		const size_t count = frames_of(&stack, frames);

		for (unsigned int reason = 0; reason < GPUOA_STALL_REASON_COUNT; reason++) {
			if (!stack.counts[reason])
				continue;
			for (size_t k = 0; k < count; k++)
				put_frame(file, frame_name(&frames[k]));
			fprintf(file, "%s %" PRIu64 "\n", profile_reason(reason),
				stack.counts[reason]);
		}
	}
}
