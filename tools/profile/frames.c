// SPDX-License-Identifier: MIT
/* frames.c - the stacks of instructions */
#include "profile/frames.h"

#include <inttypes.h>
#include <string.h>

static uint64_t weight_of(const struct stack *stack, const struct launch *launch)
{
	return stack->by_groups ? launch->groups : launch->count;
}

/* Begin with the first launch of the stack's place. */
static void begin_place(const struct profile *profile, struct stack *stack)
{
	const struct profile_place *place = stack->place;
	size_t count = 0;

	stack->rest = *place;
	stack->weight = 0;
	stack->launch = place->known ? launches_find(&profile->launches, place->load_address,
						     place->pid, &count) :
				       NULL;
	stack->by_groups = true;
	for (size_t i = 0; i < count; i++)
		stack->by_groups &= stack->launch[i].groups > 0;
	for (size_t i = 0; i < count; i++)
		stack->weight += weight_of(stack, &stack->launch[i]);
	stack->launch_left = count ? count - 1 : 0;
}

/* Take the part of a number. The last part is the whole rest. */
static uint64_t part_of(uint64_t number, uint64_t weight, uint64_t all)
{
	return weight >= all ? number : (uint64_t)((double)number * ((double)weight / (double)all));
}

bool frames_next(const struct profile *profile, struct stack *stack)
{
	uint64_t weight;

	do {
		if (stack->launch_left) {
			stack->launch++;
			stack->launch_left--;
		} else {
			stack->place = stack->place ? stack->place + 1 : profile->places;
			if (stack->place == profile->places + profile->count)
				return false;
			begin_place(profile, stack);
		}
		weight = stack->launch ? weight_of(stack, stack->launch) : 0;
		stack->total = 0;
		for (unsigned int k = 0; k < GPUOA_STALL_REASONS; k++) {
			stack->counts[k] = stack->launch_left ? part_of(stack->rest.counts[k],
									weight, stack->weight) :
								stack->rest.counts[k];
			stack->rest.counts[k] -= stack->counts[k];
			stack->total += stack->counts[k];
		}
		stack->weight -= weight;
	} while (!stack->total);
	return true;
}

static size_t add_launch(const struct launch *launch, struct frame *frames)
{
	const char *name = launch->stack;

	for (size_t i = 0; i < launch->frame_count; i++) {
		frames[i] = (struct frame){ .symbol = name };
		name += strlen(name) + 1;
	}
	return launch->frame_count;
}

/* Begin a frame with a text. */
static char *add_text(struct frame *frame)
{
	frame->symbol = frame->file = NULL;
	frame->line = 0;
	return frame->text;
}

size_t frames_of(const struct stack *stack, struct frame *frames)
{
	const struct profile_place *place = stack->place;
	const uint32_t pid = stack->launch ? stack->launch->pid : place->pid;
	size_t count = 0;

	if (pid)
		snprintf(add_text(&frames[count++]), sizeof(frames->text), "process %u", pid);
	if (stack->launch)
		count += add_launch(stack->launch, frames + count);
	frames[count++] = (struct frame){ .symbol = place->kernel };
	if (place->function && strcmp(place->function, place->kernel))
		frames[count++] = (struct frame){ .symbol = place->function };
	if (place->file) {
		snprintf(add_text(&frames[count]), sizeof(frames->text), "%s:%u",
			 profile_base_name(place->file), place->line);
		frames[count].file = place->file;
		frames[count++].line = place->line;
	}
	/* Without a kernel, the offset is the address. */
	snprintf(add_text(&frames[count++]), sizeof(frames->text), "%s0x%" PRIx64,
		 place->known ? "+" : "", place->offset);
	return count;
}
