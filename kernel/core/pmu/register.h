/* SPDX-License-Identifier: GPL-2.0-only */
/* register.h - registration of a unit's PMU. */
#ifndef _GPUOA_REGISTER_H
#define _GPUOA_REGISTER_H

struct gpuoa_unit;

int gpuoa_pmu_init(void);
void gpuoa_pmu_exit(void);
int gpuoa_pmu_register(struct gpuoa_unit *unit);
unsigned int gpuoa_pmu_cpu(struct gpuoa_unit *unit);
void gpuoa_pmu_unregister(struct gpuoa_unit *unit);
void gpuoa_pmu_free(struct gpuoa_unit *unit);

#endif /* _GPUOA_REGISTER_H */
