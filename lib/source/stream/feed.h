/* SPDX-License-Identifier: MIT */
/*
 * feed.h - fills a ring as perf would, for streams that are no perf event
 *
 * A feed reads its origin's file without blocking, makes gpuoa's records of what it finds, and puts
 * samples with them into the ring. It does so whenever somebody looks how far the ring is filled,
 * so that there is no thread. An origin's feed begins with struct feed.
 */
#ifndef GPUOA_LIB_SOURCE_STREAM_FEED_H
#define GPUOA_LIB_SOURCE_STREAM_FEED_H

#include <linux/perf_event.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/* The layout of the samples that a feed writes. */
#define FEED_SAMPLE_TYPE                                                                \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_RAW)

/* Ids of feeds have this bit; those that perf gives count up from 1. */
#define FEED_ID (UINT64_C(1) << 63)

/* The smallest ring that a feed can fill, bytes. */
#define FEED_RING_MIN (256UL * 1024)

/* One that takes what there is each 100 ms at common rates, bytes. */
#define FEED_RING_ENOUGH (4UL * 1024 * 1024)

/* What a sample has in front of its payload, bytes; the size of the payload is among them. */
#define FEED_HEAD_SIZE 52

/* The largest payload of a sample, bytes: 4 more than a multiple of 8, as perf has them. */
#define FEED_PAYLOAD_MAX (65536 - FEED_HEAD_SIZE - 8)

/* Attributes of an event of perf whose samples are such, disabled. */
struct perf_event_attr feed_attr(uint32_t type);

struct feed;

struct feed_ops {
	/* Put what there is into the ring, as far as there is room. The feed is locked. */
	void (*pump)(struct feed *feed);
	/* Free the feed, but do not close the stream's file. */
	void (*free)(struct feed *feed);
};

struct feed {
	const struct feed_ops *ops;
	uint64_t id; /* that samples have: no event of perf has it */
	pthread_mutex_t lock; /* of the writing end of the ring, and of all below */
	struct perf_event_mmap_page *page; /* the ring, while pump() runs */
	uint8_t *data;
	uint64_t size;
	bool keeping; /* what the ring has no room for goes to .rest */
	struct feed_rest {
		uint8_t *data; /* samples that come next in the ring */
		size_t capacity, size, at; /* bytes; those up to .at are in the ring */
	} rest;
};

/* Begin a feed of the stream that has @fd. */
void feed_init(struct feed *feed, const struct feed_ops *ops, int fd);

void feed_free(struct feed *feed);

/*
 * Move what the kernel has, and what there is room for, to the @size bytes at @data, of which @page
 * says how far they are filled and read. Any thread may.
 */
void feed_pump(struct feed *feed, struct perf_event_mmap_page *page, uint8_t *data, uint64_t size);

/*
 * For a locked feed: until feed_end_keeping(), what the ring has no room for is put by, up to @size
 * bytes, and comes into the ring when there is room, before all that is new. It is for what the
 * kernel would forget. -ENOMEM.
 */
int feed_keep(struct feed *feed, size_t size);
void feed_end_keeping(struct feed *feed);

/* Is there more than the ring had room for? Any thread may ask. */
bool feed_has_rest(struct feed *feed);

/* For pump(): bytes that are free in the ring, or where they are kept. */
uint64_t feed_room(const struct feed *feed);

/*
 * For pump(): put a sample into the ring, or where it is kept: there is room for it. @pieces: its
 * payload, together FEED_PAYLOAD_MAX bytes at most, and 4 more than a multiple of 8.
 */
void feed_sample(struct feed *feed, const struct iovec *pieces, int count);

#endif /* GPUOA_LIB_SOURCE_STREAM_FEED_H */
