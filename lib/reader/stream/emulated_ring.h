/* SPDX-License-Identifier: MIT */
/*
 * emulated_ring.h - emulated ring: write samples to a ring like perf does, for streams that are not
 * perf events
 *
 * An emulated ring reads a driver's file without blocking, converts the data to gpuoa's records,
 * and writes samples with them to its memory. It does so each time the fill level of the ring is
 * checked, so no thread is needed. Each driver's struct begins with struct emulated_ring.
 */
#ifndef GPUOA_LIB_READER_STREAM_EMULATED_RING_H
#define GPUOA_LIB_READER_STREAM_EMULATED_RING_H

#include <linux/perf_event.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/* Layout of the samples in an emulated ring. */
#define EMULATED_SAMPLE_TYPE                                                            \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_RAW)

/*
 * Bit that is set in the event ids of emulated rings, unlike those of perf, which count up from 1
 */
#define EMULATED_ID (UINT64_C(1) << 63)

/* Minimum size of an emulated ring in bytes. */
#define EMULATED_RING_MIN (256UL * 1024)

/* Size in bytes of a ring that is sufficient for 100 ms at common rates. */
#define EMULATED_RING_ENOUGH (4UL * 1024 * 1024)

/* Size in bytes of a sample's header, including the field with the size of the payload */
#define EMULATED_HEAD_SIZE 52

/*
 * Maximum size of a sample's payload in bytes. As in perf, the size is 4 more than a multiple of 8.
 */
#define EMULATED_PAYLOAD_MAX (65536 - EMULATED_HEAD_SIZE - 8)

/* Return attributes of a disabled perf event that has samples with this layout. */
struct perf_event_attr emulated_attr(uint32_t type);

struct emulated_ring;

struct emulated_ring_ops {
	/* Write available data to the ring, as far as there is space. The caller holds the lock. */
	void (*pump)(struct emulated_ring *emulated);
	/* Free the emulated ring without closing the stream's file. */
	void (*free)(struct emulated_ring *emulated);
};

struct emulated_ring {
	const struct emulated_ring_ops *ops;
	uint64_t id; /* event id in samples, different from all ids of perf */
	pthread_mutex_t lock; /* protects the writing side of the ring and the members below */
	struct perf_event_mmap_page *page; /* the ring, while pump() runs */
	uint8_t *data;
	uint64_t size;
	bool keeping; /* samples that do not fit in the ring are stored in .rest */
	struct emulated_rest {
		uint8_t *data; /* stored samples, which are written to the ring before newer ones */
		/* sizes in bytes; samples before .at have been written to the ring */
		size_t capacity, size, at;
	} rest;
};

/* Initialize an emulated ring for a stream with file @fd. */
void emulated_init(struct emulated_ring *emulated, const struct emulated_ring_ops *ops, int fd);

void emulated_free(struct emulated_ring *emulated);

/*
 * Move data from the kernel to the ring of @size bytes at @data, as far as there is space. @page
 * contains the ring's read and write positions. May be called by any thread.
 */
void emulated_pump(struct emulated_ring *emulated, struct perf_event_mmap_page *page, uint8_t *data,
		   uint64_t size);

/*
 * Until emulated_end_keeping(), store samples that do not fit in the ring in a buffer of @size
 * bytes. When the ring has space, they are written to it before newer samples. Use this for data
 * that the kernel would discard. The emulated ring must be locked. Returns 0 or -ENOMEM.
 */
int emulated_keep(struct emulated_ring *emulated, size_t size);
void emulated_end_keeping(struct emulated_ring *emulated);

/* True if stored samples are waiting for space in the ring. May be called by any thread. */
bool emulated_has_rest(struct emulated_ring *emulated);

/*
 * Return the number of free bytes in the ring, or in the buffer for samples that do not fit. To be
 * called by pump().
 */
uint64_t emulated_room(const struct emulated_ring *emulated);

/*
 * Write a sample to the ring, or to the buffer for samples that do not fit. There must be space for
 * it. @pieces: memory ranges of its payload, which has at most EMULATED_PAYLOAD_MAX bytes in total,
 * and 4 more than a multiple of 8. To be called by pump().
 */
void emulated_sample(struct emulated_ring *emulated, const struct iovec *pieces, int count);

#endif /* GPUOA_LIB_READER_STREAM_EMULATED_RING_H */
