/* SPDX-License-Identifier: GPL-2.0-only */
/* provider.h - device class of OA units. */
#ifndef _GPUOA_CORE_PROVIDER_H
#define _GPUOA_CORE_PROVIDER_H

int gpuoa_class_init(void);
void gpuoa_class_exit(void);

#endif /* _GPUOA_CORE_PROVIDER_H */
