/* SPDX-License-Identifier: MIT */
/* occupancy.h - threads on the EUs, from OA reports in a recording of EU stalls */
#ifndef GPUOA_TOOLS_STALLS_OCCUPANCY_H
#define GPUOA_TOOLS_STALLS_OCCUPANCY_H

#include "common/tool.h"

/* Averages over the recording */
struct occupancy {
	bool known; /* false: the recording has no reports of a set with these metrics */
	char set[64]; /* symbol of the metric set */
	double active; /* time in which an EU executed instructions, percent */
	double stalled; /* time in which an EU had threads, and none could go on, percent */
	double threads; /* thread slots that held threads, percent */
	double loaded_threads; /* the same, of the time in which EUs had threads, percent */
};

/*
 * Read the OA reports of the GPU that was sampled. A file that is no recording has none. If reports
 * are damaged, the error is printed and the rest is used.
 */
void occupancy_read(struct occupancy *occupancy, const struct tool *tool, const char *file);

/*
 * Format a sentence about the averages, and one about what they mean for stalls of stage 1. Empty
 * if they are unknown. @stage1: threads were mostly stalled in stage 1
 */
void occupancy_text(const struct occupancy *occupancy, bool stage1, char *text, size_t size);

#endif /* GPUOA_TOOLS_STALLS_OCCUPANCY_H */
