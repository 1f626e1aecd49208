/* SPDX-License-Identifier: GPL-2.0-only */
/* host.h - provider callbacks for gpuoa.ko. */
#ifndef _GPUOA_I915_HOST_H
#define _GPUOA_I915_HOST_H

struct gpuoa_host_ops;

extern const struct gpuoa_host_ops lease_host_ops;

#endif /* _GPUOA_I915_HOST_H */
