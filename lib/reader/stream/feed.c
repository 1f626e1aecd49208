// SPDX-License-Identifier: MIT
/* feed.c - emulated ring: fill a ring like perf, for streams that are no perf events */
#include "reader/stream/feed.h"

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

_Static_assert(sizeof(struct sample_head) == FEED_HEAD_SIZE, "as others count on it");

struct perf_event_attr feed_attr(uint32_t type)
{
	return (struct perf_event_attr){
		.type = type,
		.size = sizeof(struct perf_event_attr),
		.sample_period = 1,
		.sample_type = FEED_SAMPLE_TYPE,
		.disabled = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
}

void feed_init(struct feed *feed, const struct feed_ops *ops, int fd)
{
	feed->ops = ops;
	feed->id = FEED_ID | (uint32_t)fd;
	pthread_mutex_init(&feed->lock, NULL);
}

void feed_free(struct feed *feed)
{
	if (!feed)
		return;
	pthread_mutex_destroy(&feed->lock);
	free(feed->rest.data);
	feed->ops->free(feed);
}

static uint64_t ring_room(const struct feed *feed)
{
	const uint64_t tail = __atomic_load_n(&feed->page->data_tail, __ATOMIC_ACQUIRE);

	return feed->size - (feed->page->data_head - tail);
}

uint64_t feed_room(const struct feed *feed)
{
	return feed->keeping ? feed->rest.capacity - feed->rest.size : ring_room(feed);
}

/* Copy to the ring at @head, wrapping at its end. Returns the new head. */
static uint64_t put(const struct feed *feed, uint64_t head, const void *from, size_t count)
{
	const size_t offset = head & (feed->size - 1);
	const size_t first = count < feed->size - offset ? count : feed->size - offset;

	memcpy(feed->data + offset, from, first);
	memcpy(feed->data, (const uint8_t *)from + first, count - first);
	return head + count;
}

static void publish(const struct feed *feed, uint64_t head)
{
	__atomic_store_n(&feed->page->data_head, head, __ATOMIC_RELEASE);
}

static void drop_rest(struct feed *feed)
{
	free(feed->rest.data);
	feed->rest = (struct feed_rest){ .size = 0 };
}

/* Move kept samples to the ring, as far as there is space. */
static void put_rest(struct feed *feed)
{
	struct feed_rest *rest = &feed->rest;
	struct perf_event_header header;

	while (rest->at < rest->size) {
		memcpy(&header, rest->data + rest->at, sizeof(header));
		if (header.size > ring_room(feed))
			return;
		publish(feed, put(feed, feed->page->data_head, rest->data + rest->at, header.size));
		rest->at += header.size;
	}
	if (feed->keeping)
		rest->at = rest->size = 0;
	else if (rest->size)
		drop_rest(feed);
}

void feed_pump(struct feed *feed, struct perf_event_mmap_page *page, uint8_t *data, uint64_t size)
{
	pthread_mutex_lock(&feed->lock);
	feed->page = page;
	feed->data = data;
	feed->size = size;
	put_rest(feed);
	if (feed->keeping || !feed->rest.size)
		feed->ops->pump(feed);
	pthread_mutex_unlock(&feed->lock);
}

int feed_keep(struct feed *feed, size_t size)
{
	const size_t left = feed->rest.size - feed->rest.at;
	uint8_t *data = malloc(left + size);

	if (!data)
		return -ENOMEM;
	if (left)
		memcpy(data, feed->rest.data + feed->rest.at, left);
	free(feed->rest.data);
	feed->rest = (struct feed_rest){ .data = data, .capacity = left + size, .size = left };
	feed->keeping = true;
	return 0;
}

void feed_end_keeping(struct feed *feed)
{
	feed->keeping = false;
	if (feed->rest.at == feed->rest.size)
		drop_rest(feed);
}

bool feed_has_rest(struct feed *feed)
{
	bool has;

	pthread_mutex_lock(&feed->lock);
	has = feed->rest.at < feed->rest.size;
	pthread_mutex_unlock(&feed->lock);
	return has;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
}

static void put_sample(const struct feed *feed, const struct sample_head *sample,
		       const struct iovec *pieces, int count)
{
	uint64_t head = put(feed, feed->page->data_head, sample, sizeof(*sample));

	for (int i = 0; i < count; i++)
		head = put(feed, head, pieces[i].iov_base, pieces[i].iov_len);
	publish(feed, head);
}

static void put_by(struct feed_rest *rest, const struct sample_head *sample,
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

void feed_sample(struct feed *feed, const struct iovec *pieces, int count)
{
	struct sample_head sample = {
		.header = { .type = PERF_RECORD_SAMPLE },
		.id = feed->id,
		.time = now_ns(),
	};

	for (int i = 0; i < count; i++)
		sample.raw_size += pieces[i].iov_len;
	sample.header.size = sizeof(sample) + sample.raw_size;
	if (feed->rest.at < feed->rest.size || sample.header.size > ring_room(feed))
		put_by(&feed->rest, &sample, pieces, count);
	else
		put_sample(feed, &sample, pieces, count);
}
