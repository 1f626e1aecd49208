/* SPDX-License-Identifier: GPL-2.0-only */
/* open.h - opening an event of the PMU. */
#ifndef _GPUOA_OPEN_H
#define _GPUOA_OPEN_H

struct perf_event;

int gpuoa_event_init(struct perf_event *event);

#endif /* _GPUOA_OPEN_H */
