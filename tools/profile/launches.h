/* SPDX-License-Identifier: MIT */
/* launches.h - from where kernels were launched */
#ifndef GPUOA_TOOLS_PROFILE_LAUNCHES_H
#define GPUOA_TOOLS_PROFILE_LAUNCHES_H

#include <stddef.h>
#include <stdint.h>

#include "gpuoa-stalls.h"

#define LAUNCH_FRAMES_MAX 300

struct launch {
	uint64_t address; /* of the kernel */
	uint64_t count;
	uint64_t groups; /* 0: unknown */
	char *stack; /* the frames, each with a NUL, the outermost first */
	size_t frame_count;
	uint32_t pid;
};

/* A zero-initialized list is empty. */
struct launches {
	struct launch *list; /* sorted by kernel, then by process */
	size_t count;
};

/* Add the launches of a recording. The program exits if memory runs out. */
void launches_take(struct launches *launches, const struct gpuoa_stall_file *file);

/*
 * Find the launches of a kernel. @pid: 0: of all processes. Returns the first one, or NULL;
 * *@count: their number
 */
const struct launch *launches_find(const struct launches *launches, uint64_t address, uint32_t pid,
				   size_t *count);

void launches_free(struct launches *launches);

#endif /* GPUOA_TOOLS_PROFILE_LAUNCHES_H */
