/* SPDX-License-Identifier: GPL-2.0-only */
/* use.h - user of a unit, and reconfiguration of a unit in use. */
#ifndef _GPUOA_USE_H
#define _GPUOA_USE_H

#include <linux/types.h>

struct gpuoa_metric_set;
struct gpuoa_stream;
struct gpuoa_unit;
struct gpuoa_user;

void gpuoa_use_begin(struct gpuoa_stream *stream);
void gpuoa_use_join(struct gpuoa_stream *stream);
void gpuoa_use_end(struct gpuoa_stream *stream);
void gpuoa_use_tell(struct gpuoa_unit *unit, struct gpuoa_user *use);
int gpuoa_use_reconfigure(struct gpuoa_unit *unit, struct gpuoa_metric_set *set, unsigned int cpu);

#endif /* _GPUOA_USE_H */
