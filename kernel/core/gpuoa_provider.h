/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gpuoa_provider.h - registration of OA units by providers (gpuoa_provider.h), and their class devices.
 */
#ifndef _GPUOA_PROVIDER_H
#define _GPUOA_PROVIDER_H

struct attribute_group;

#endif /* _GPUOA_PROVIDER_H */
