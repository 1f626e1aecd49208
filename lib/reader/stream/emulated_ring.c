// SPDX-License-Identifier: MIT
/*
 * emulated_ring.c - emulated ring: write samples to a ring like perf does, for streams that are not
 * perf events
 */
#include "reader/stream/emulated_ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/nsec.h"

/* A sample's header. */
struct sample_head {
	struct perf_event_header header;
	uint64_t id;
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, reserved;
	uint32_t raw_size;
} __attribute__((packed));

_Static_assert(sizeof(struct sample_head) == EMULATED_HEAD_SIZE, "as others count on it");

struct perf_event_attr emulated_attr(uint32_t type)
{
	return (struct perf_event_attr){
		.type = type,
		.size = sizeof(struct perf_event_attr),
		.sample_period = 1,
		.sample_type = EMULATED_SAMPLE_TYPE,
		.disabled = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
}

void emulated_init(struct emulated_ring *emulated, const struct emulated_ring_ops *ops, int fd)
{
	emulated->ops = ops;
	emulated->id = EMULATED_ID | (uint32_t)fd;
	pthread_mutex_init(&emulated->lock, NULL);
}

void emulated_free(struct emulated_ring *emulated)
{
	if (!emulated)
		return;
	pthread_mutex_destroy(&emulated->lock);
	free(emulated->rest.data);
	emulated->ops->free(emulated);
}

static uint64_t ring_room(const struct emulated_ring *emulated)
{
	const uint64_t tail = __atomic_load_n(&emulated->page->data_tail, __ATOMIC_ACQUIRE);

	return emulated->size - (emulated->page->data_head - tail);
}

uint64_t emulated_room(const struct emulated_ring *emulated)
{
	return emulated->keeping ? emulated->rest.capacity - emulated->rest.size :
				   ring_room(emulated);
}

/* Copy data to position @head of the ring, with a wrap at its end. Returns the new position. */
static uint64_t put(const struct emulated_ring *emulated, uint64_t head, const void *from,
		    size_t count)
{
	const size_t offset = head & (emulated->size - 1);
	const size_t first = count < emulated->size - offset ? count : emulated->size - offset;

	memcpy(emulated->data + offset, from, first);
	memcpy(emulated->data, (const uint8_t *)from + first, count - first);
	return head + count;
}

static void publish(const struct emulated_ring *emulated, uint64_t head)
{
	__atomic_store_n(&emulated->page->data_head, head, __ATOMIC_RELEASE);
}

static void drop_rest(struct emulated_ring *emulated)
{
	free(emulated->rest.data);
	emulated->rest = (struct emulated_rest){ .size = 0 };
}

/* Move stored samples to the ring, as far as there is space. */
static void put_rest(struct emulated_ring *emulated)
{
	struct emulated_rest *rest = &emulated->rest;
	struct perf_event_header header;

	while (rest->at < rest->size) {
		memcpy(&header, rest->data + rest->at, sizeof(header));
		if (header.size > ring_room(emulated))
			return;
		publish(emulated, put(emulated, emulated->page->data_head, rest->data + rest->at,
				      header.size));
		rest->at += header.size;
	}
	if (emulated->keeping)
		rest->at = rest->size = 0;
	else if (rest->size)
		drop_rest(emulated);
}

void emulated_pump(struct emulated_ring *emulated, struct perf_event_mmap_page *page, uint8_t *data,
		   uint64_t size)
{
	pthread_mutex_lock(&emulated->lock);
	emulated->page = page;
	emulated->data = data;
	emulated->size = size;
	put_rest(emulated);
	if (emulated->keeping || !emulated->rest.size)
		emulated->ops->pump(emulated);
	pthread_mutex_unlock(&emulated->lock);
}

int emulated_keep(struct emulated_ring *emulated, size_t size)
{
	const size_t left = emulated->rest.size - emulated->rest.at;
	uint8_t *data = malloc(left + size);

	if (!data)
		return -ENOMEM;
	if (left)
		memcpy(data, emulated->rest.data + emulated->rest.at, left);
	free(emulated->rest.data);
	emulated->rest =
		(struct emulated_rest){ .data = data, .capacity = left + size, .size = left };
	emulated->keeping = true;
	return 0;
}

void emulated_end_keeping(struct emulated_ring *emulated)
{
	emulated->keeping = false;
	if (emulated->rest.at == emulated->rest.size)
		drop_rest(emulated);
}

bool emulated_has_rest(struct emulated_ring *emulated)
{
	bool has;

	pthread_mutex_lock(&emulated->lock);
	has = emulated->rest.at < emulated->rest.size;
	pthread_mutex_unlock(&emulated->lock);
	return has;
}

static void put_sample(const struct emulated_ring *emulated, const struct sample_head *sample,
		       const struct iovec *pieces, int count)
{
	uint64_t head = put(emulated, emulated->page->data_head, sample, sizeof(*sample));

	for (int i = 0; i < count; i++)
		head = put(emulated, head, pieces[i].iov_base, pieces[i].iov_len);
	publish(emulated, head);
}

static void put_by(struct emulated_rest *rest, const struct sample_head *sample,
		   const struct iovec *pieces, int count)
{
	uint8_t *to = rest->data + rest->size;

	memcpy(to, sample, sizeof(*sample));
	to += sizeof(*sample);
	for (int i = 0; i < count; i++) {
		memcpy(to, pieces[i].iov_base, pieces[i].iov_len);
		to += pieces[i].iov_len;
	}
	rest->size += sample->header.size;
}

void emulated_sample(struct emulated_ring *emulated, const struct iovec *pieces, int count)
{
	struct sample_head sample = {
		.header = { .type = PERF_RECORD_SAMPLE },
		.id = emulated->id,
		.time = now_ns(),
	};

	for (int i = 0; i < count; i++)
		sample.raw_size += pieces[i].iov_len;
	sample.header.size = sizeof(sample) + sample.raw_size;
	if (emulated->rest.at < emulated->rest.size || sample.header.size > ring_room(emulated))
		put_by(&emulated->rest, &sample, pieces, count);
	else
		put_sample(emulated, &sample, pieces, count);
}
