/* SPDX-License-Identifier: MIT */
/* hook.h - find the kernels that a command loads, by libgpuoa-ze.so */
#ifndef GPUOA_TOOLS_STALLS_HOOK_H
#define GPUOA_TOOLS_STALLS_HOOK_H

#include "profile/kernels.h"

struct hook {
	char directory[256]; /* of the lists that the library writes; "": the library is not used */
	bool stacks; /* stacks of launches are recorded */
};

/*
 * Set the environment of the command that is started next, so that it loads libgpuoa-ze.so. Without
 * the library, do nothing, or fail if @stacks of launches are wanted. Returns an exit code.
 */
int hook_begin(struct hook *hook, bool stacks);

/* Read the kernels that the command has loaded so far. @hook must outlive the list. */
void hook_read(const struct hook *hook, struct kernels *kernels);

/* Remove all files. */
void hook_end(struct hook *hook);

#endif /* GPUOA_TOOLS_STALLS_HOOK_H */
