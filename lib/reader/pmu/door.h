/* SPDX-License-Identifier: MIT */
/* door.h - unprivileged stream: /dev/gpuoa<N>, for users denied by perf */
#ifndef GPUOA_LIB_READER_PMU_DOOR_H
#define GPUOA_LIB_READER_PMU_DOOR_H

#include "reader/stream/feed.h"

struct gpuoa_attr;
struct gpuoa_unit;

/*
 * Open a stream of @unit; the caller must close the stream's file *fd. Returns 0, -ENOMEM or the
 * kernel's errno.
 */
int door_open(struct feed **feed, const struct gpuoa_unit *unit, const struct gpuoa_attr *attr,
	      int *fd);

/* Flush reports from the hardware to the file. Returns 0 or -errno. */
int door_look(int fd);

/* Equivalent of PERF_EVENT_IOC_ENABLE and _DISABLE. Returns 0 or -errno. */
int door_switch(int fd, bool on);

#endif /* GPUOA_LIB_READER_PMU_DOOR_H */
