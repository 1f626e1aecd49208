/* SPDX-License-Identifier: MIT */
/* pmu_find.h - find the OA units of gpuoa.ko in sysfs */
#ifndef GPUOA_LIB_READER_PMU_PMU_FIND_H
#define GPUOA_LIB_READER_PMU_PMU_FIND_H

#include "reader/stream/unit.h"

/* Implementations for struct backend. */
int pmu_list(char (*names)[UNIT_NAME_SIZE], size_t max);
void pmu_find_parent(const char *unit, char *parent, size_t size);
void pmu_find_node(const char *unit, char *path, size_t size);

/* Returns the CPU that a unit's events must be opened on, or a negative errno. */
int pmu_find_cpu(const char *unit);

#endif /* GPUOA_LIB_READER_PMU_PMU_FIND_H */
