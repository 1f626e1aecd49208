/* SPDX-License-Identifier: GPL-2.0-only */
/* acquire.h - acquiring, sharing and releasing an OA unit. */
#ifndef _GPUOA_ACQUIRE_H
#define _GPUOA_ACQUIRE_H

#include <linux/types.h>

struct gpuoa_attr;
struct gpuoa_marker;
struct gpuoa_registered_attr;
struct gpuoa_sink;
struct gpuoa_stream;
struct gpuoa_timing;
struct gpuoa_unit;

struct gpuoa_stream *gpuoa_stream_get(struct gpuoa_unit *unit, const struct gpuoa_attr *attr,
				      const struct gpuoa_timing *timing,
				      const struct gpuoa_registered_attr *registered,
				      struct gpuoa_sink *sink);
void gpuoa_stream_put(struct gpuoa_stream *stream, bool samples);
void gpuoa_stream_end_on(struct gpuoa_unit *unit, unsigned int cpu);
int gpuoa_stream_mark_on(struct gpuoa_unit *unit, unsigned int cpu, struct gpuoa_marker *mark);
void gpuoa_stream_reset(struct gpuoa_unit *unit);
void gpuoa_stream_suspend(struct gpuoa_unit *unit);
int gpuoa_stream_resume(struct gpuoa_unit *unit);
void gpuoa_stream_take_away(struct gpuoa_unit *unit);

#endif /* _GPUOA_ACQUIRE_H */
