/* SPDX-License-Identifier: MIT */
/*
 * feed.h - emulated ring: fill a ring like perf, for streams that are no perf events
 *
 * A feed reads a driver's file without blocking, converts the data to gpuoa's records, and writes
 * samples with them to the ring. It does so each time the fill level of the ring is checked, so no
 * thread is needed. Each driver's feed begins with struct feed.
 */
#ifndef GPUOA_LIB_READER_STREAM_FEED_H
#define GPUOA_LIB_READER_STREAM_FEED_H

#include <linux/perf_event.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/* Layout of the samples that a feed writes. */
#define FEED_SAMPLE_TYPE                                                                \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_RAW)

/* Set in the ids of feeds; perf's own ids count up from 1. */
#define FEED_ID (UINT64_C(1) << 63)

/* Minimum size of a feed's ring in bytes. */
#define FEED_RING_MIN (256UL * 1024)

/* Size in bytes of a ring that is sufficient for 100 ms at common rates. */
#define FEED_RING_ENOUGH (4UL * 1024 * 1024)

/* Size in bytes of a sample's header, including the size of the payload. */
#define FEED_HEAD_SIZE 52

/* Maximum size of a sample's payload in bytes: as in perf, 4 more than a multiple of 8. */
#define FEED_PAYLOAD_MAX (65536 - FEED_HEAD_SIZE - 8)

/* Attributes of a disabled perf event with such samples. */
struct perf_event_attr feed_attr(uint32_t type);

struct feed;

struct feed_ops {
	/* Write available data to the ring, as far as there is space. The feed is locked. */
	void (*pump)(struct feed *feed);
	/* Free the feed without closing the stream's file. */
	void (*free)(struct feed *feed);
};

struct feed {
	const struct feed_ops *ops;
	uint64_t id; /* event id in samples, distinct from all ids of perf */
	pthread_mutex_t lock; /* protects the writing side of the ring and the members below */
	struct perf_event_mmap_page *page; /* the ring, while pump() runs */
	uint8_t *data;
	uint64_t size;
	bool keeping; /* store samples in .rest if the ring is full */
	struct feed_rest {
		uint8_t *data; /* samples to be written to the ring next */
		size_t capacity, size, at; /* in bytes; samples before .at are in the ring */
	} rest;
};

/* Initialize a feed for a stream with file @fd. */
void feed_init(struct feed *feed, const struct feed_ops *ops, int fd);

void feed_free(struct feed *feed);

/*
 * Move data from the kernel to the ring of @size bytes at @data, as far as there is space; @page
 * has the ring's positions. May be called by any thread.
 */
void feed_pump(struct feed *feed, struct perf_event_mmap_page *page, uint8_t *data, uint64_t size);

/*
 * Until feed_end_keeping(), keep samples that do not fit in the ring, up to @size bytes, and write
 * them to the ring before newer ones when there is space. For data that the kernel would discard.
 * The feed must be locked. Returns 0 or -ENOMEM.
 */
int feed_keep(struct feed *feed, size_t size);
void feed_end_keeping(struct feed *feed);

/* True if samples are waiting for space in the ring. May be called by any thread. */
bool feed_has_rest(struct feed *feed);

/* Number of free bytes in the ring, or in the buffer for kept samples. For pump(). */
uint64_t feed_room(const struct feed *feed);

/*
 * Write a sample to the ring or to the buffer for kept samples, which must have space. @pieces: its
 * payload, in total at most FEED_PAYLOAD_MAX bytes, and 4 more than a multiple of 8. For pump().
 */
void feed_sample(struct feed *feed, const struct iovec *pieces, int count);

#endif /* GPUOA_LIB_READER_STREAM_FEED_H */
