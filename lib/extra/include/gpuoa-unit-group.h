/* SPDX-License-Identifier: MIT */
/*
 * gpuoa-unit-group.h - units that stay programmed for metric sets
 *
 * Part of libgpuoa-extra. Conventions are those of gpuoa.h.
 */
#ifndef GPUOA_UNIT_GROUP_H
#define GPUOA_UNIT_GROUP_H

#include "gpuoa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- unit groups: several units at once ----------------------------------------------------- */

/**
 * struct gpuoa_unit_group - Unit group: units that stay programmed for sets, without sampling.
 *
 * A unit in the group can be sampled without a delay, and no other process can use it with another
 * set. Reports requested by batches (MI_REPORT_PERF_COUNT) count for the set, and flexible EU
 * counters and performance counters are programmed for programs that read them by other means.
 *
 * Like any other stream, streams of these units must have the set, format, period and buffer size
 * of the group. If the options do not set period and format, the library chooses those of the
 * group.
 */
struct gpuoa_unit_group;

/** struct gpuoa_unit_group_entry - A unit, and the set to program it for. */
struct gpuoa_unit_group_entry {
	struct gpuoa_unit *unit;
	const struct gpuoa_set *set;
	uint64_t reserved[2]; /* must be 0 */
};

/**
 * gpuoa_unit_group_open() - Create an empty unit group.
 * @options: options of the streams to be opened later; copied; may be NULL. Only period or
 *   exponent, rounding, format and buffer size are used
 * @group: result; close with gpuoa_unit_group_close()
 *
 * Return: 0, or:
 * -EINVAL: @options->size is not set
 * -E2BIG: @options has nonzero fields that this library does not know
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_unit_group_open(const struct gpuoa_stream_options *options,
				    struct gpuoa_unit_group **group, char *error,
				    size_t error_size);

/**
 * gpuoa_unit_group_close() - Release all units, and free the group. Open streams keep their sets.
 */
GPUOA_API void gpuoa_unit_group_close(struct gpuoa_unit_group *group);

/**
 * gpuoa_unit_group_set() - Set the units of a group and their sets, all or none.
 * @entries: @count entries, one per unit, of any GPUs; 0: none. Units must outlive the group, or be
 *   removed from it first
 *
 * Units that are not in the list are released. A unit that has its set already does not change. A
 * unit whose set changes stays in use meanwhile. If a change fails, all units are restored.
 *
 * Return: 0, an error of gpuoa_stream_open() or gpuoa_stream_reconfigure(), or:
 * -EINVAL: two sets for one unit; @error has their names
 * -EBUSY: another process uses a unit; @error has its name
 * -E2BIG: reserved words of an entry are not 0
 */
GPUOA_API int gpuoa_unit_group_set(struct gpuoa_unit_group *group,
				   const struct gpuoa_unit_group_entry *entries, size_t count,
				   char *error, size_t error_size);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_UNIT_GROUP_H */
