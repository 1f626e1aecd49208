/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stream.h - an OA unit in use: from the configuration to the reports.
 */
#ifndef _GPUOA_STREAM_H
#define _GPUOA_STREAM_H

#include <linux/types.h>

struct gpuoa_attr;
struct gpuoa_sink;
struct gpuoa_stream;
struct gpuoa_timing;
struct gpuoa_unit;

struct gpuoa_stream *gpuoa_stream_get(struct gpuoa_unit *unit, const struct gpuoa_attr *attr,
				      const struct gpuoa_timing *timing, struct gpuoa_sink *sink);
void gpuoa_stream_put(struct gpuoa_stream *stream);

void gpuoa_stream_start(struct gpuoa_stream *stream);
void gpuoa_stream_stop(struct gpuoa_stream *stream);

#endif /* _GPUOA_STREAM_H */
