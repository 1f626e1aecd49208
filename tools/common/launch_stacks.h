/* SPDX-License-Identifier: MIT */
/* launch_stacks.h - files of stacks that libgpuoa-ze.so writes (tools/ze/stacks.c) */
#ifndef GPUOA_TOOLS_COMMON_LAUNCH_STACKS_H
#define GPUOA_TOOLS_COMMON_LAUNCH_STACKS_H

#include <stdint.h>

#define STACKS_SLOTS 131072
#define STACKS_MAX (STACKS_SLOTS / 2) /* number of stacks of a process */

struct stacks_count {
	uint64_t launches;
	uint64_t groups; /* number of thread groups of all launches but .unknown */
	uint64_t unknown; /* launches with an unknown number of thread groups */
	uint64_t zero;
};

/* By slot, and one entry for launches without a slot */
#define STACKS_COUNTS_SIZE ((STACKS_SLOTS + 1) * sizeof(struct stacks_count))

#endif /* GPUOA_TOOLS_COMMON_LAUNCH_STACKS_H */
