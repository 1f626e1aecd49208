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
	/* first page of the mapping, shared with the kernel or with .emulated */
	struct perf_event_mmap_page *page;
	size_t mapped; /* size in bytes of the mapping at .page */
	const uint8_t *data;
	uint64_t size; /* size in bytes of .data, a power of two */
	uint64_t at; /* position of the next record to read */
	void *straight; /* buffer for a copy of a record that wraps at the end */
	/* fills the ring and is owned by it; NULL: the ring is that of a perf event */
	struct emulated_ring *emulated;
};

/*
 * Initialize a ring for an existing mapping: one page, then the data, which is a power of two of
 * pages. Returns 0 or -ENOMEM.
 */
int ring_init(struct ring *ring, void *mapping, size_t mapped);

/* Round a size in bytes up to a power of two of pages. Returns bytes. */
size_t ring_round(size_t data_size);

/*
 * Map the ring buffer of an event. @data_size: size in bytes, which is rounded up to a power of two
 * of pages. Errors are those of mmap(2).
 */
int ring_map(struct ring *ring, int fd, size_t data_size);

/*
 * Create a ring that @emulated fills; the ring takes ownership of @emulated. Errors are those of
 * mmap(2).
 */
int ring_make(struct ring *ring, struct emulated_ring *emulated, size_t data_size);

/* Free the memory allocated by ring_init(), but not the mapping. */
void ring_fini(struct ring *ring);

void ring_unmap(struct ring *ring);

/* Returns the write position, which equals .at if all records have been consumed. */
uint64_t ring_end(const struct ring *ring);

/* Returns the number of bytes that have not been released yet. */
uint64_t ring_fill(const struct ring *ring);

/*
 * True if there is data that did not fit in the ring. It follows after consumed data has been
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
 * Save the read position in @saved. Until ring_look_back(), wrapping records are copied to a
 * separate buffer, so that records consumed before remain valid. Returns 0 or -ENOMEM.
 */
int ring_look_ahead(struct ring *ring, struct ring *saved);

/* Restore the read position from @saved. Nothing may have been released since ring_look_ahead(). */
void ring_look_back(struct ring *ring, const struct ring *saved);

/* Move the read position back to the first record that has not been released. */
void ring_rewind(struct ring *ring);

/*
 * Get the memory ranges (at most 2) of the records between two positions, which must be consumed
 * and not released. Returns the number of ranges.
 */
int ring_pieces(const struct ring *ring, uint64_t from, uint64_t to, struct iovec pieces[2]);

#endif /* GPUOA_LIB_READER_STREAM_RING_H */
