// SPDX-License-Identifier: MIT
/*
 * stream_fd.c - unprivileged stream: /dev/gpuoa<N>, for users denied by perf
 *
 * perf denies all events to users without CAP_PERFMON. For a context of the user's own processes,
 * gpuoa.ko provides the same samples through this file, without perf's sample header.
 */
#include "reader/pmu/stream_fd.h"

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
#define PUMP_ROOM (GPUOA_STREAM_READ_MIN + GPUOA_STREAM_READ_MIN / SAMPLE_MIN * EMULATED_HEAD_SIZE)

_Static_assert(PUMP_ROOM <= EMULATED_RING_MIN / 2, "half of a ring is room enough");

struct stream_fd {
	struct emulated_ring emulated;
	int fd;
	uint8_t samples[GPUOA_STREAM_READ_MIN];
};

/* Move the @size bytes that were read to the ring. */
static void put_samples(struct stream_fd *stream, size_t size)
{
	struct iovec piece;
	uint32_t raw_size;

	for (size_t at = 0; size - at > sizeof(raw_size); at += sizeof(raw_size) + raw_size) {
		memcpy(&raw_size, stream->samples + at, sizeof(raw_size));
		if (raw_size > size - at - sizeof(raw_size) || raw_size > EMULATED_PAYLOAD_MAX)
			break;
		piece = (struct iovec){ stream->samples + at + sizeof(raw_size), raw_size };
		emulated_sample(&stream->emulated, &piece, 1);
	}
}

static void stream_fd_pump(struct emulated_ring *emulated)
{
	struct stream_fd *stream = (struct stream_fd *)emulated;
	ssize_t count;

	while (emulated_room(emulated) >= PUMP_ROOM) {
		count = read(stream->fd, stream->samples, sizeof(stream->samples));
		if (count <= 0)
			break;
		put_samples(stream, count);
	}
}

static void stream_fd_free(struct emulated_ring *emulated)
{
	free(emulated);
}

static const struct emulated_ring_ops stream_fd_ops = {
	.pump = stream_fd_pump,
	.free = stream_fd_free,
};

int stream_fd_open(struct emulated_ring **emulated, const struct gpuoa_unit *unit,
		   const struct gpuoa_attr *attr, int *fd)
{
	struct stream_fd *made = calloc(1, sizeof(*made));

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
	emulated_init(&made->emulated, &stream_fd_ops, made->fd);
	*emulated = &made->emulated;
	*fd = made->fd;
	return 0;
}

int stream_fd_switch(int fd, bool on)
{
	return ioctl(fd, on ? GPUOA_STREAM_IOC_ENABLE : GPUOA_STREAM_IOC_DISABLE) ? -errno : 0;
}

int stream_fd_poll(int fd)
{
	struct gpuoa_stream_status status;

	return ioctl(fd, GPUOA_STREAM_IOC_STATUS, &status) ? -errno : 0;
}
