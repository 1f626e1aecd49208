/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gpuoa_stream_fd.h - unprivileged stream fd: a stream for one context (GPUOA_IOC_OPEN_STREAM).
 */
#ifndef _GPUOA_STREAM_FD_H
#define _GPUOA_STREAM_FD_H

#include <linux/types.h>

struct gpuoa_event;
struct gpuoa_unit;
struct perf_event;

int gpuoa_stream_fd_open(struct gpuoa_unit *unit, u64 user);
bool gpuoa_stream_fd_has(const struct perf_event *event);
struct gpuoa_event *gpuoa_stream_fd_claim(const struct perf_event *event);

#endif /* _GPUOA_STREAM_FD_H */
