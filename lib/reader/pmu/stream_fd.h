/* SPDX-License-Identifier: MIT */
/* stream_fd.h - unprivileged stream: /dev/gpuoa<N>, for users denied by perf */
#ifndef GPUOA_LIB_READER_PMU_STREAM_FD_H
#define GPUOA_LIB_READER_PMU_STREAM_FD_H

#include "reader/stream/emulated_ring.h"

struct gpuoa_attr;
struct gpuoa_unit;

/*
 * Open a stream of @unit; the caller must close the stream's file *fd. Returns 0, -ENOMEM or the
 * kernel's errno.
 */
int stream_fd_open(struct emulated_ring **emulated, const struct gpuoa_unit *unit,
		   const struct gpuoa_attr *attr, int *fd);

/* Flush reports from the hardware to the file. Returns 0 or -errno. */
int stream_fd_poll(int fd);

/* Equivalent of PERF_EVENT_IOC_ENABLE and _DISABLE. Returns 0 or -errno. */
int stream_fd_switch(int fd, bool on);

#endif /* GPUOA_LIB_READER_PMU_STREAM_FD_H */
