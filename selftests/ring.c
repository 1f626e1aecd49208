// SPDX-License-Identifier: MIT
/*
 * ring.c - ring buffer of a perf event, and gpuoa's records in its samples.
 */
#include "ring.h"

#include <poll.h>
#include <string.h>

#include "wait.h"

/* Copy data out of the ring, which may wrap at any byte. */
static void ring_copy(const struct perf_event_mmap_page *page, uint64_t position, void *to,
		      size_t size)
{
	const uint8_t *data = (const uint8_t *)page + page->data_offset;
	size_t offset = position % page->data_size;
	size_t piece = size < page->data_size - offset ? size : page->data_size - offset;

	memcpy(to, data + offset, piece);
	memcpy((uint8_t *)to + piece, data, size - piece);
}

void ring_drain(struct perf_event_mmap_page *page,
		void (*take)(void *context, const uint8_t *event), void *context)
{
	static uint8_t event[65536] __attribute__((aligned(8)));
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = page->data_tail;
	struct perf_event_header header;

	while (tail < head) {
		ring_copy(page, tail, &header, sizeof(header));
		ring_copy(page, tail, event, header.size);
		take(context, event);
		tail += header.size;
	}
	__atomic_store_n(&page->data_tail, tail, __ATOMIC_RELEASE);
}

void ring_run(int fd, unsigned int ms, void (*drain)(void *context), void *context)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };
	uint64_t end = wait_now_ms() + ms;

	while (wait_now_ms() < end) {
		poll(&pollfd, 1, 20);
		drain(context);
	}
}

bool ring_run_until(int fd, bool (*drain)(void *context), void *context)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };
	uint64_t end = wait_now_ms() + scaled_ms(WAIT_LIMIT_MS);

	while (!drain(context)) {
		if (wait_now_ms() >= end)
			return false;
		poll(&pollfd, 1, 20);
	}
	return true;
}

size_t ring_payload(const uint8_t *payload, size_t room,
		    void (*take)(void *context, const struct gpuoa_record *record,
				 const uint8_t *data),
		    void *context)
{
	const uint8_t *at = payload, *end;
	struct gpuoa_record record;
	struct gpuoa_raw raw;
	uint32_t size;

	if (room < sizeof(size) + sizeof(raw))
		return 0;
	memcpy(&size, at, sizeof(size));
	at += sizeof(size);
	end = at + size;
	if (size < sizeof(raw) || size > room - sizeof(size))
		return 0;
	memcpy(&raw, at, sizeof(raw));
	if (raw.magic != GPUOA_RAW_MAGIC)
		return 0;
	for (at += sizeof(raw); at + sizeof(record) <= end; at += record.size) {
		memcpy(&record, at, sizeof(record));
		if (record.size < sizeof(record) || record.size % 8 || record.size > end - at)
			return 0;
		take(context, &record, at);
	}
	return at == end ? sizeof(size) + size : 0;
}

bool ring_sample(const uint8_t *event,
		 void (*take)(void *context, const struct gpuoa_record *record,
			      const uint8_t *data),
		 void *context)
{
	struct perf_event_header header;
	size_t room;

	memcpy(&header, event, sizeof(header));
	room = header.size - sizeof(header);
	return ring_payload(event + sizeof(header), room, take, context) == room;
}
