/* SPDX-License-Identifier: MIT */
/*
 * ring.h - ring buffer of a perf event, and gpuoa's records in its samples.
 */
#ifndef GPUOA_SELFTEST_RING_H
#define GPUOA_SELFTEST_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>

#include "uapi/gpuoa.h"

/* Pass each available perf record to @take as contiguous bytes, then consume it. */
void ring_drain(struct perf_event_mmap_page *page,
		void (*take)(void *context, const uint8_t *event), void *context);

/* Call @drain repeatedly for @ms. Sleep in poll() of @fd between the calls. */
void ring_run(int fd, unsigned int ms, void (*drain)(void *context), void *context);

/* Call @drain repeatedly until it returns true. Return false on timeout. */
bool ring_run_until(int fd, bool (*drain)(void *context), void *context);

/*
 * Pass each record of the data of PERF_SAMPLE_RAW to @take. The data starts with its size. Return
 * the total size, or 0 if the data is malformed or larger than @room.
 */
size_t ring_payload(const uint8_t *payload, size_t room,
		    void (*take)(void *context, const struct gpuoa_record *record,
				 const uint8_t *data),
		    void *context);

/* Pass each record of a PERF_SAMPLE_RAW sample to @take. Return false if it is malformed. */
bool ring_sample(const uint8_t *event,
		 void (*take)(void *context, const struct gpuoa_record *record,
			      const uint8_t *data),
		 void *context);

#endif
