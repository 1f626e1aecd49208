/* SPDX-License-Identifier: MIT */
/* launches.h - from where the command launches its kernels, as libgpuoa-ze.so recorded it */
#ifndef GPUOA_TOOLS_STALLS_LAUNCHES_H
#define GPUOA_TOOLS_STALLS_LAUNCHES_H

#include "common/tool.h"
#include "gpuoa-stalls.h"

/*
 * Write the launches that the files of a directory contain to a recording, with the names of the
 * functions. *@count: their number of stacks. Returns 0 or a negative errno; notes say what is not
 * recorded.
 */
int launches_write(const char *directory, const struct tool *tool,
		   struct gpuoa_stall_recorder *recorder, size_t *count);

#endif /* GPUOA_TOOLS_STALLS_LAUNCHES_H */
