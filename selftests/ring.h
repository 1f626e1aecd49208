/* SPDX-License-Identifier: MIT */
/*
 * ring.h - the ring buffer of a perf event, and the records of gpuoa in its samples.
 */
#ifndef GPUOA_SELFTEST_RING_H
#define GPUOA_SELFTEST_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "uapi/gpuoa.h"

/* Pass on each event that is there, in one piece, and give its room back. */
void ring_drain(struct perf_event_mmap_page *page,
		void (*take)(void *context, const uint8_t *event), void *context);

/* Call @drain again and again for @ms; sleeps in poll() of @fd. */
void ring_run(int fd, unsigned int ms, void (*drain)(void *context), void *context);

/* The same until @drain says that it has enough; false if that does not come to pass. */
bool ring_run_until(int fd, bool (*drain)(void *context), void *context);

/*
 * Pass on each record of PERF_SAMPLE_RAW's data, which begins with its size: how many bytes it has
 * with that, 0 if it is not well-formed or @room is too small for it.
 */
size_t ring_payload(const uint8_t *payload, size_t room,
		    void (*take)(void *context, const struct gpuoa_record *record,
				 const uint8_t *data),
		    void *context);

/*
 * Pass on each record of a sample that has nothing but PERF_SAMPLE_RAW. False if it is not
 * well-formed.
 */
bool ring_sample(const uint8_t *event,
		 void (*take)(void *context, const struct gpuoa_record *record,
			      const uint8_t *data),
		 void *context);

#endif
