// SPDX-License-Identifier: MIT
/*
 * feed.c - fills a ring as perf would, for streams that are no perf event
 */
#include "source/stream/feed.h"

#include <string.h>
#include <time.h>

#include "base/nsec.h"

/* What stands before the payload. */
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
	feed->ops->free(feed);
}

void feed_pump(struct feed *feed, struct perf_event_mmap_page *page, uint8_t *data, uint64_t size)
{
	pthread_mutex_lock(&feed->lock);
	feed->page = page;
	feed->data = data;
	feed->size = size;
	feed->ops->pump(feed);
	pthread_mutex_unlock(&feed->lock);
}

uint64_t feed_room(const struct feed *feed)
{
	const uint64_t tail = __atomic_load_n(&feed->page->data_tail, __ATOMIC_ACQUIRE);

	return feed->size - (feed->page->data_head - tail);
}

/* Copy to where the ring is filled to, which may be short before its end. */
static uint64_t put(const struct feed *feed, uint64_t head, const void *from, size_t count)
{
	const size_t offset = head & (feed->size - 1);
	const size_t first = count < feed->size - offset ? count : feed->size - offset;

	memcpy(feed->data + offset, from, first);
	memcpy(feed->data, (const uint8_t *)from + first, count - first);
	return head + count;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
}

void feed_sample(struct feed *feed, const struct iovec *pieces, int count)
{
	struct sample_head sample = {
		.header = { .type = PERF_RECORD_SAMPLE },
		.id = feed->id,
		.time = now_ns(),
	};
	uint64_t head = feed->page->data_head;

	for (int i = 0; i < count; i++)
		sample.raw_size += pieces[i].iov_len;
	sample.header.size = sizeof(sample) + sample.raw_size;
	head = put(feed, head, &sample, sizeof(sample));
	for (int i = 0; i < count; i++)
		head = put(feed, head, pieces[i].iov_base, pieces[i].iov_len);
	__atomic_store_n(&feed->page->data_head, head, __ATOMIC_RELEASE);
}
