/* SPDX-License-Identifier: MIT */
/* ring.h - consume a perf event's ring buffer, or an emulated one */
#ifndef GPUOA_LIB_READER_STREAM_RING_H
#define GPUOA_LIB_READER_STREAM_RING_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

struct emulated_ring;

struct ring {
	struct perf_event_mmap_page *page; /* shared with the kernel or @emulated */
	size_t mapped; /* size of the mapping at @page in bytes */
	const uint8_t *data;
	uint64_t size; /* size of @data in bytes, a power of two */
	uint64_t at; /* position of the next record to read */
	void *straight; /* buffer for a record that wraps at the end */
	struct emulated_ring *emulated; /* fills the ring, which owns it; NULL: a perf event does */
};

/*
 * Initialize for an existing mapping: a page, then a power of two of pages. Returns 0 or -ENOMEM.
 */
int ring_init(struct ring *ring, void *mapping, size_t mapped);

/* Round @data_size up to a power of two of pages, in bytes. */
size_t ring_round(size_t data_size);

/*
 * Map the buffer of an event. @data_size: in bytes, rounded up to a power of two of pages. Errors
 * are those of mmap(2).
 */
int ring_map(struct ring *ring, int fd, size_t data_size);

/*
 * Create a buffer that @emulated fills; the ring takes ownership of it. Errors are
 * those of mmap(2).
 */
int ring_make(struct ring *ring, struct emulated_ring *emulated, size_t data_size);

/* Free the memory allocated by ring_init(), but not the mapping. */
void ring_fini(struct ring *ring);

void ring_unmap(struct ring *ring);

/* Returns the write position, which equals .at when all records have been consumed. */
uint64_t ring_end(const struct ring *ring);

/* Number of bytes not released yet. */
uint64_t ring_fill(const struct ring *ring);

/*
 * True if there are data for which the buffer had no space. They follow when consumed data are
 * released.
 */
bool ring_has_rest(const struct ring *ring);

/*
 * Consume the next record, which is valid until the next call or until it is released. Returns 1, 0
 * if there is none, or -EIO if the buffer is corrupt.
 */
int ring_next(struct ring *ring, const struct perf_event_header **record);

/* Release all consumed records to the kernel. */
void ring_release(struct ring *ring);

/*
 * Save the read position in @saved. Records consumed from here on use a separate buffer, so that
 * earlier ones remain valid. Returns 0 or -ENOMEM.
 */
int ring_look_ahead(struct ring *ring, struct ring *saved);

/* Restore the position in @saved. Nothing may have been released in between. */
void ring_look_back(struct ring *ring, const struct ring *saved);

/* Move the read position back to the first record that has not been released. */
void ring_rewind(struct ring *ring);

/*
 * Get a range of records that are consumed but not released, in place. Returns the number of
 * pieces, at most 2.
 */
int ring_pieces(const struct ring *ring, uint64_t from, uint64_t to, struct iovec pieces[2]);

#endif /* GPUOA_LIB_READER_STREAM_RING_H */
