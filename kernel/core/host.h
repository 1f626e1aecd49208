/* SPDX-License-Identifier: GPL-2.0-only */
/* host.h - device class of OA units. */
#ifndef _GPUOA_CORE_HOST_H
#define _GPUOA_CORE_HOST_H

int gpuoa_class_init(void);
void gpuoa_class_exit(void);

#endif /* _GPUOA_CORE_HOST_H */
