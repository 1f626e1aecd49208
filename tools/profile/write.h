/* SPDX-License-Identifier: MIT */
/* write.h - write EU stall profiles for other programs */
#ifndef GPUOA_TOOLS_PROFILE_WRITE_H
#define GPUOA_TOOLS_PROFILE_WRITE_H

#include <stdio.h>

#include "profile/profile.h"

/*
 * Write stacks, one per line, as flamegraph.pl and others read them: frames from the outermost to
 * the innermost, separated by semicolons, and the number of samples. Frames: process, kernel,
 * function, line, instruction, reason.
 */
void profile_write_folded(const struct profile *profile, FILE *file);

/*
 * Write a profile of pprof: one location per instruction, with its line; one value per reason, in
 * addition to all samples and those that are stalls. It is not compressed.
 */
void profile_write_pprof(const struct profile *profile, FILE *file);

/* Write a sampled profile of https://www.speedscope.app, with the stacks of the folded format. */
void profile_write_speedscope(const struct profile *profile, const char *name, FILE *file);

#endif /* GPUOA_TOOLS_PROFILE_WRITE_H */
