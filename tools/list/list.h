/* SPDX-License-Identifier: MIT */
/*
 * list.h - the lists that `gpuoa list` prints; all functions return exit codes
 */
#ifndef GPUOA_LIST_H
#define GPUOA_LIST_H

#include "common/tool.h"

/* List OA units; only that of tool->device if it is set. */
int list_devices(const struct tool *tool);

/* List GPUs, including unsupported ones with the reason. */
int list_gpus(const struct tool *tool);

int list_platforms(const struct tool *tool);

/* List the sets of a unit's domain ("": all), and whether a GPU with @constants has them. */
int list_sets(const struct tool *tool, const struct gpuoa_platform *platform, const char *domain,
	      const struct gpuoa_constants *constants);

int list_constants(const struct tool *tool, const struct gpuoa_constants *constants);

/* List the metrics of these sets, or of one set. */
int list_metrics(const struct tool *tool, const struct gpuoa_platform *platform, const char *domain,
		 const struct gpuoa_constants *constants);
int list_metrics_of_set(const struct tool *tool, const struct gpuoa_set *set,
			const struct gpuoa_constants *constants);

/* List the registers that are written to the GPU for a set. */
int list_registers(const struct tool *tool, const struct gpuoa_set *set,
		   const struct gpuoa_constants *constants);

#endif /* GPUOA_LIST_H */
