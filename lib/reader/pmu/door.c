// SPDX-License-Identifier: MIT
/*
 * door.c - unprivileged stream: /dev/gpuoa<N>, for users denied by perf
 *
 * perf denies all events to users without CAP_PERFMON. For a context of the user's own processes,
 * gpuoa.ko provides the same samples through this file, without perf's sample header.
 */
#include "reader/pmu/door.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "reader/stream/unit.h"

/* The shortest sample is a header and one empty record. */
#define SAMPLE_MIN (sizeof(uint32_t) + sizeof(struct gpuoa_raw) + sizeof(struct gpuoa_record))

/* Space needed for the result of one read. */
#define PUMP_ROOM (GPUOA_STREAM_READ_MIN + GPUOA_STREAM_READ_MIN / SAMPLE_MIN * FEED_HEAD_SIZE)

_Static_assert(PUMP_ROOM <= FEED_RING_MIN / 2, "half of a ring is room enough");

struct door {
	struct feed feed;
	int fd;
	uint8_t samples[GPUOA_STREAM_READ_MIN];
};

/* Move the @size bytes that were read to the ring. */
static void put_samples(struct door *door, size_t size)
{
	struct iovec piece;
	uint32_t raw_size;

	for (size_t at = 0; size - at > sizeof(raw_size); at += sizeof(raw_size) + raw_size) {
		memcpy(&raw_size, door->samples + at, sizeof(raw_size));
		if (raw_size > size - at - sizeof(raw_size) || raw_size > FEED_PAYLOAD_MAX)
			break;
		piece = (struct iovec){ door->samples + at + sizeof(raw_size), raw_size };
		feed_sample(&door->feed, &piece, 1);
	}
}

static void door_pump(struct feed *feed)
{
	struct door *door = (struct door *)feed;
	ssize_t count;

	while (feed_room(feed) >= PUMP_ROOM) {
		count = read(door->fd, door->samples, sizeof(door->samples));
		if (count <= 0)
			break;
		put_samples(door, count);
	}
}

static void door_free(struct feed *feed)
{
	free(feed);
}

static const struct feed_ops door_ops = {
	.pump = door_pump,
	.free = door_free,
};

int door_open(struct feed **feed, const struct gpuoa_unit *unit, const struct gpuoa_attr *attr,
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
	feed_init(&made->feed, &door_ops, made->fd);
	*feed = &made->feed;
	*fd = made->fd;
	return 0;
}

int door_switch(int fd, bool on)
{
	return ioctl(fd, on ? GPUOA_STREAM_IOC_ENABLE : GPUOA_STREAM_IOC_DISABLE) ? -errno : 0;
}

int door_look(int fd)
{
	struct gpuoa_stream_status status;

	return ioctl(fd, GPUOA_STREAM_IOC_STATUS, &status) ? -errno : 0;
}
