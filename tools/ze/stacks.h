/* SPDX-License-Identifier: MIT */
/* stacks.h - record from where a program launches its kernels */
#ifndef GPUOA_TOOLS_ZE_STACKS_H
#define GPUOA_TOOLS_ZE_STACKS_H

#include <stdint.h>

/* Record stacks in files of this directory, which is not copied. */
void stacks_begin(const char *directory);

/* Set the address of a kernel. A handle that is reused replaces the previous one. */
void stacks_add_kernel(const void *handle, uint64_t address);

/*
 * Count a launch of a kernel. @groups: number of its thread groups; 0: unknown. @caller: address to
 * which the function of Level Zero returns; the stack begins there.
 */
void stacks_add_launch(const void *kernel, uint64_t groups, const void *caller);

#endif /* GPUOA_TOOLS_ZE_STACKS_H */
