/* SPDX-License-Identifier: MIT */
/*
 * list.h - the lists that `gpuoa list` prints. All return exit codes
 */
#ifndef GPUOA_LIST_H
#define GPUOA_LIST_H

#include "tool.h"

/* Of tool->device only, if it is given. */
int list_devices(const struct tool *tool);

/* With those that cannot be measured, and why. */
int list_gpus(const struct tool *tool);

int list_platforms(const struct tool *tool);

/* Sets of a unit's domain, or "" for all. Availability is that on a GPU with @constants. */
int list_sets(const struct tool *tool, const struct gpuoa_platform *platform, const char *domain,
	      const struct gpuoa_constants *constants);

int list_constants(const struct tool *tool, const struct gpuoa_constants *constants);

/* The same, of their metrics. */
int list_metrics(const struct tool *tool, const struct gpuoa_platform *platform, const char *domain,
		 const struct gpuoa_constants *constants);
int list_metrics_of_set(const struct tool *tool, const struct gpuoa_set *set,
			const struct gpuoa_constants *constants);

/* What is written to the GPU for a set. */
int list_registers(const struct tool *tool, const struct gpuoa_set *set,
		   const struct gpuoa_constants *constants);

#endif /* GPUOA_LIST_H */
