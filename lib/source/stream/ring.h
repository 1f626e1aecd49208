/* SPDX-License-Identifier: MIT */
/*
 * ring.h - consumes perf's mmap'ed ring buffer, or one that a feed fills
 */
#ifndef GPUOA_LIB_SOURCE_STREAM_RING_H
#define GPUOA_LIB_SOURCE_STREAM_RING_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

struct feed;

struct ring {
	struct perf_event_mmap_page *page; /* shared with the kernel, or with @feed */
	size_t mapped; /* bytes at @page */
	const uint8_t *data;
	uint64_t size; /* bytes of @data, a power of two */
	uint64_t at; /* how far records were taken */
	void *straight; /* a record that wraps around the end, in one piece */
	struct feed *feed; /* fills it, if there is one; the ring's own */
};

/* Take over a mapped buffer: a page, then a power of two of pages. -ENOMEM. */
int ring_init(struct ring *ring, void *mapping, size_t mapped);

/* Bytes of a buffer for @data_size: a power of two of pages. */
size_t ring_round(size_t data_size);

/*
 * Map the buffer of an event. @data_size: bytes, rounded up to a power of two of pages. Errors are
 * mmap(2)'s.
 */
int ring_map(struct ring *ring, int fd, size_t data_size);

/* Make a buffer that @feed fills; the feed is the ring's then. Errors are mmap(2)'s. */
int ring_make(struct ring *ring, struct feed *feed, size_t data_size);

/* Free the memory of ring_init(); the mapping stays. */
void ring_fini(struct ring *ring);

void ring_unmap(struct ring *ring);

/* How far the kernel has written: where .at is when all records were taken. */
uint64_t ring_end(const struct ring *ring);

/* Bytes that were not given back yet. */
uint64_t ring_fill(const struct ring *ring);

/* Is there more than the buffer had room for? It comes when what was taken is given back. */
bool ring_has_rest(const struct ring *ring);

/*
 * Take the next record. It stays where it is until the next call, or until it is given back.
 * Returns 1, 0 if there is none, -EIO if the buffer is corrupt.
 */
int ring_next(struct ring *ring, const struct perf_event_header **record);

/* Give all records taken so far back to the kernel. */
void ring_release(struct ring *ring);

/*
 * Note in @saved how far records were taken. Those that are taken from here on do not disturb what
 * is in use: @ring gets another place to make them straight. -ENOMEM.
 */
int ring_look_ahead(struct ring *ring, struct ring *saved);

/* Back to where @saved was noted. Nothing was released meanwhile. */
void ring_look_back(struct ring *ring, const struct ring *saved);

/* Forget what was taken since the last release: the next record is the first one not given back. */
void ring_rewind(struct ring *ring);

/*
 * What was taken and not given back, or a part of that, as it lies in the buffer. Returns the
 * number of pieces, at most 2.
 */
int ring_pieces(const struct ring *ring, uint64_t from, uint64_t to, struct iovec pieces[2]);

#endif /* GPUOA_LIB_SOURCE_STREAM_RING_H */
