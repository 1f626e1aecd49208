/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_xe_query.h - queries to xe: OA units, topology, engines, clocks. */
#ifndef _GPUOA_XE_QUERY_H
#define _GPUOA_XE_QUERY_H

#include <linux/types.h>

struct gpu;
struct gpuoa_unit_desc;
struct lease_unit;

int query_clock(struct lease_unit *unit, u64 *clock);

int describe_gpu(struct gpu *gpu, struct gpuoa_unit_desc *desc, const char **why);
int describe_unit(struct gpu *gpu, unsigned int i, struct gpuoa_unit_desc *desc);

#endif /* _GPUOA_XE_QUERY_H */
