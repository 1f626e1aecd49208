// SPDX-License-Identifier: MIT
/*
 * door.c - a stream of /dev/gpuoa<N>, for users whom perf refuses: fills a ring as perf would
 *
 * perf refuses events to users without CAP_PERFMON, whatever they show. gpuoa.ko has another door,
 * for a context of the user's own, behind which there are the same samples. Here they get the head
 * that perf would give them, so that all others need not know where a stream comes from.
 */
#include "source/stream/door.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/nsec.h"
#include "source/stream/unit.h"
#include "uapi/gpuoa.h"

/* What stands before the payload, which begins with its size. */
struct sample_head {
	struct perf_event_header header;
	uint64_t id;
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, reserved;
};

/* The shortest sample is the head of one and one record of nothing. */
#define SAMPLE_MIN (sizeof(uint32_t) + sizeof(struct gpuoa_raw) + sizeof(struct gpuoa_record))

/* Room that is needed for whatever one read gives. */
#define PUMP_ROOM \
	(GPUOA_STREAM_READ_MIN + GPUOA_STREAM_READ_MIN / SAMPLE_MIN * sizeof(struct sample_head))

_Static_assert(PUMP_ROOM <= DOOR_RING_MIN / 2, "half of a ring is room enough");

struct door {
	int fd;
	pthread_mutex_t lock; /* of the writing end of the ring, and of all below */
	uint8_t samples[GPUOA_STREAM_READ_MIN];
};

int door_open(struct door **door, const struct gpuoa_unit *unit, const struct gpuoa_attr *attr,
	      int *fd)
{
	struct door *made = calloc(1, sizeof(*made));

	if (!made)
		return -ENOMEM;
	made->fd = ioctl(unit->fd, GPUOA_IOC_OPEN_STREAM, attr);
	if (made->fd < 0 || fcntl(made->fd, F_SETFL, O_NONBLOCK)) {
		const int err = -errno;

		if (made->fd >= 0)
			close(made->fd);
		free(made);
		return err;
	}
	pthread_mutex_init(&made->lock, NULL);
	*door = made;
	*fd = made->fd;
	return 0;
}

void door_free(struct door *door)
{
	if (!door)
		return;
	pthread_mutex_destroy(&door->lock);
	free(door);
}

uint64_t door_id(const struct door *door)
{
	return 1ULL << 63 | (uint32_t)door->fd;
}

/* Copy to where the ring is filled to, which may be short before its end. */
static uint64_t put(uint8_t *data, uint64_t size, uint64_t head, const void *from, size_t count)
{
	const size_t offset = head & (size - 1);
	const size_t first = count < size - offset ? count : size - offset;

	memcpy(data + offset, from, first);
	memcpy(data, (const uint8_t *)from + first, count - first);
	return head + count;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
}

/* Move the @size bytes that were read to the ring. Returns how far it is filled then. */
static uint64_t put_samples(const struct door *door, size_t size, uint8_t *data, uint64_t data_size,
			    uint64_t head)
{
	struct sample_head sample = {
		.header = { .type = PERF_RECORD_SAMPLE },
		.id = door_id(door),
		.time = now_ns(),
	};
	uint32_t raw_size;

	for (size_t at = 0; size - at > sizeof(raw_size); at += sizeof(raw_size) + raw_size) {
		memcpy(&raw_size, door->samples + at, sizeof(raw_size));
		if (raw_size > size - at - sizeof(raw_size))
			break;
		sample.header.size = sizeof(sample) + sizeof(raw_size) + raw_size;
		head = put(data, data_size, head, &sample, sizeof(sample));
		head = put(data, data_size, head, door->samples + at, sizeof(raw_size) + raw_size);
	}
	return head;
}

void door_pump(struct door *door, struct perf_event_mmap_page *page, uint8_t *data, uint64_t size)
{
	pthread_mutex_lock(&door->lock);
	for (;;) {
		const uint64_t tail = __atomic_load_n(&page->data_tail, __ATOMIC_ACQUIRE);
		uint64_t head = page->data_head;
		ssize_t count;

		if (size - (head - tail) < PUMP_ROOM)
			break;
		count = read(door->fd, door->samples, sizeof(door->samples));
		if (count <= 0)
			break;
		head = put_samples(door, count, data, size, head);
		__atomic_store_n(&page->data_head, head, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&door->lock);
}

int door_switch(const struct door *door, bool on)
{
	return ioctl(door->fd, on ? GPUOA_STREAM_IOC_ENABLE : GPUOA_STREAM_IOC_DISABLE) ? -errno :
											  0;
}

int door_look(const struct door *door)
{
	struct gpuoa_stream_status status;

	return ioctl(door->fd, GPUOA_STREAM_IOC_STATUS, &status) ? -errno : 0;
}
