// SPDX-License-Identifier: MIT
/*
 * ring.c - consume a perf event's ring buffer
 *
 * The kernel publishes data_head with a release barrier after writing data. It must not overwrite
 * data still being read, so data_tail is also published with a release barrier.
 */
#include "reader/stream/ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "reader/stream/emulated_ring.h"

/* maximum size of a record: larger ones do not fit in perf_event_header.size */
#define RECORD_MAX 65536

int ring_init(struct ring *ring, void *mapping, size_t mapped)
{
	const size_t page_size = sysconf(_SC_PAGESIZE);

	*ring = (struct ring){
		.page = mapping,
		.mapped = mapped,
		.data = (const uint8_t *)mapping + page_size,
		.size = mapped - page_size,
		.straight = malloc(RECORD_MAX),
	};
	if (!ring->straight) {
		*ring = (struct ring){ 0 };
		return -ENOMEM;
	}
	ring->at = ring->page->data_tail;
	return 0;
}

size_t ring_round(size_t data_size)
{
	size_t size = sysconf(_SC_PAGESIZE);

	while (size < data_size && size <= SIZE_MAX / 4)
		size *= 2;
	return size;
}

static int map(struct ring *ring, size_t data_size, int flags, int fd)
{
	const size_t page_size = sysconf(_SC_PAGESIZE);
	size_t size;
	void *mapping;
	int err;

	if (data_size > SIZE_MAX / 4)
		return -ENOMEM;
	size = ring_round(data_size);
	mapping = mmap(NULL, page_size + size, PROT_READ | PROT_WRITE, flags, fd, 0);
	if (mapping == MAP_FAILED)
		return -errno;
	err = ring_init(ring, mapping, page_size + size);
	if (err)
		munmap(mapping, page_size + size);
	return err;
}

int ring_map(struct ring *ring, int fd, size_t data_size)
{
	return map(ring, data_size, MAP_SHARED, fd);
}

int ring_make(struct ring *ring, struct emulated_ring *emulated, size_t data_size)
{
	const size_t size = data_size < EMULATED_RING_MIN ? EMULATED_RING_MIN : data_size;
	const int err = map(ring, size, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	if (!err)
		ring->emulated = emulated;
	return err;
}

void ring_fini(struct ring *ring)
{
	free(ring->straight);
	ring->straight = NULL;
}

void ring_unmap(struct ring *ring)
{
	emulated_free(ring->emulated);
	ring->emulated = NULL;
	munmap(ring->page, ring->mapped);
	ring_fini(ring);
}

static uint64_t published(const struct ring *ring)
{
	return __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
}

uint64_t ring_end(const struct ring *ring)
{
	if (ring->emulated)
		emulated_pump(ring->emulated, ring->page,
			      (uint8_t *)ring->page + ring->mapped - ring->size, ring->size);
	return published(ring);
}

bool ring_has_rest(const struct ring *ring)
{
	return ring->emulated && emulated_has_rest(ring->emulated);
}

uint64_t ring_fill(const struct ring *ring)
{
	return ring_end(ring) - ring->page->data_tail;
}

/* Returns the next @size bytes as one range: a copy if they wrap at the end of the buffer. */
static const void *straighten(const struct ring *ring, size_t size)
{
	const size_t offset = ring->at & (ring->size - 1);
	const size_t before_end = ring->size - offset;

	if (size <= before_end)
		return ring->data + offset;
	memcpy(ring->straight, ring->data + offset, before_end);
	memcpy((char *)ring->straight + before_end, ring->data, size - before_end);
	return ring->straight;
}

int ring_next(struct ring *ring, const struct perf_event_header **record)
{
	uint64_t ready = published(ring) - ring->at;
	const struct perf_event_header *head;

	/* ring_end() lets an emulated ring read from the kernel. */
	if (!ready)
		ready = ring_end(ring) - ring->at;
	if (!ready)
		return 0;
	if (ready > ring->size || ready < sizeof(*head))
		return -EIO;
	head = straighten(ring, sizeof(*head));
	if (head->size < sizeof(*head) || head->size > ready)
		return -EIO;
	*record = straighten(ring, head->size);
	ring->at += (*record)->size;
	return 1;
}

void ring_release(struct ring *ring)
{
	__atomic_store_n(&ring->page->data_tail, ring->at, __ATOMIC_RELEASE);
}

int ring_look_ahead(struct ring *ring, struct ring *saved)
{
	void *straight = malloc(RECORD_MAX);

	if (!straight)
		return -ENOMEM;
	*saved = *ring;
	ring->straight = straight;
	return 0;
}

void ring_look_back(struct ring *ring, const struct ring *saved)
{
	free(ring->straight);
	*ring = *saved;
}

void ring_rewind(struct ring *ring)
{
	ring->at = ring->page->data_tail;
}

int ring_pieces(const struct ring *ring, uint64_t from, uint64_t to, struct iovec pieces[2])
{
	const size_t offset = from & (ring->size - 1);
	const size_t size = to - from;
	const size_t before_end = ring->size - offset;
	const size_t first = size < before_end ? size : before_end;

	pieces[0] = (struct iovec){ (void *)(ring->data + offset), first };
	pieces[1] = (struct iovec){ (void *)ring->data, size - first };
	return !!pieces[0].iov_len + !!pieces[1].iov_len;
}
