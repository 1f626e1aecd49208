/* SPDX-License-Identifier: MIT */
/*
 * pmu_find.h - finds the OA units of gpuoa.ko in sysfs, and the one that a name means
 */
#ifndef GPUOA_LIB_SOURCE_PMU_PMU_FIND_H
#define GPUOA_LIB_SOURCE_PMU_PMU_FIND_H

#include "source/stream/unit.h"

/* As of struct origin. */
int pmu_list(char (*names)[UNIT_NAME_SIZE], size_t max);
int pmu_find(const char *name, char unit[UNIT_NAME_SIZE]);
void pmu_find_parent(const char *unit, char *parent, size_t size);

/* The CPU that a unit's events must be opened on, or a negative errno. */
int pmu_find_cpu(const char *unit);

#endif /* GPUOA_LIB_SOURCE_PMU_PMU_FIND_H */
