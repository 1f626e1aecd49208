/* SPDX-License-Identifier: MIT */
/*
 * door.h - a stream of /dev/gpuoa<N>, for users whom perf refuses
 */
#ifndef GPUOA_LIB_SOURCE_PMU_DOOR_H
#define GPUOA_LIB_SOURCE_PMU_DOOR_H

#include "source/stream/feed.h"

struct gpuoa_attr;
struct gpuoa_unit;

/*
 * Open a stream of @unit; @fd is then that of the stream, and the caller's to close. 0, -ENOMEM or
 * what the kernel says.
 */
int door_open(struct feed **feed, const struct gpuoa_unit *unit, const struct gpuoa_attr *attr,
	      int *fd);

/* Have the kernel hand on what has landed. 0 or -errno. */
int door_look(int fd);

/* As PERF_EVENT_IOC_ENABLE and _DISABLE. 0 or -errno. */
int door_switch(int fd, bool on);

#endif /* GPUOA_LIB_SOURCE_PMU_DOOR_H */
