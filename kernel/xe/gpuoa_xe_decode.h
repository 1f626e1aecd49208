/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_xe_decode.h - meaning of data that xe and the GPU report. */
#ifndef _GPUOA_XE_DECODE_H
#define _GPUOA_XE_DECODE_H

#include <linux/types.h>

struct gpu;
struct gpuoa_unit_desc;
struct platform;

void xe_decode_units(struct gpu *gpu, const void *answer, size_t size);
int xe_decode_topology(const struct platform *platform, const void *answer, size_t size,
		       struct gpuoa_unit_desc *desc);
u32 xe_decode_engines(const void *answer, size_t size);
void xe_decode_frequencies(u32 caps, struct gpuoa_unit_desc *desc);
s64 xe_format(u32 format);

#endif /* _GPUOA_XE_DECODE_H */
