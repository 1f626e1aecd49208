/* SPDX-License-Identifier: GPL-2.0-only */
/* provider.h - provider callbacks for gpuoa.ko. */
#ifndef _GPUOA_I915_PROVIDER_H
#define _GPUOA_I915_PROVIDER_H

struct gpuoa_provider_ops;

extern const struct gpuoa_provider_ops lease_provider_ops;

#endif /* _GPUOA_I915_PROVIDER_H */
