/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * host.h - the services that gpuoa.ko asks of the driver of a GPU.
 */
#ifndef _SIM_HOST_H
#define _SIM_HOST_H

#include <gpuoa_host.h>

extern const struct gpuoa_host_ops sim_host_ops;

#endif /* _SIM_HOST_H */
