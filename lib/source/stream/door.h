/* SPDX-License-Identifier: MIT */
/*
 * door.h - a stream of /dev/gpuoa<N>, for users whom perf refuses: fills a ring as perf would
 */
#ifndef GPUOA_LIB_SOURCE_STREAM_DOOR_H
#define GPUOA_LIB_SOURCE_STREAM_DOOR_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct door;
struct gpuoa_attr;
struct gpuoa_unit;

/* The layout of the samples that a door writes. */
#define DOOR_SAMPLE_TYPE                                                                \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_RAW)

/* The smallest ring that a door can fill, bytes. */
#define DOOR_RING_MIN (256UL * 1024)

/*
 * Open a stream of @unit; @fd is then that of the stream, and the caller's to close. 0, -ENOMEM or
 * what the kernel says.
 */
int door_open(struct door **door, const struct gpuoa_unit *unit, const struct gpuoa_attr *attr,
	      int *fd);

void door_free(struct door *door);

/* The id that samples have: no event of perf has it. */
uint64_t door_id(const struct door *door);

/*
 * Move what the kernel has, and what there is room for, to the @size bytes at @data, of which @page
 * says how far they are filled and read. Any thread may.
 */
void door_pump(struct door *door, struct perf_event_mmap_page *page, uint8_t *data, uint64_t size);

/* Have the kernel hand on what has landed. 0 or -errno. */
int door_look(const struct door *door);

/* As PERF_EVENT_IOC_ENABLE and _DISABLE. 0 or -errno. */
int door_switch(const struct door *door, bool on);

#endif /* GPUOA_LIB_SOURCE_STREAM_DOOR_H */
