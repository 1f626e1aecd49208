/* SPDX-License-Identifier: MIT */
/*
 * ahead.h - a file that is read ahead: one block while the caller works on the one before
 *
 * The file is read, not mapped: where it ends while it is being read, that is its end.
 */
#ifndef GPUOA_AHEAD_H
#define GPUOA_AHEAD_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

#define AHEAD_BLOCKS 2

struct ahead {
	int fd;
	size_t size; /* of a block */
	char *room; /* for all blocks */
	bool holds; /* the caller has a block */
	ssize_t bytes[AHEAD_BLOCKS]; /* what is in them; 0: the file's end; < 0: a negative errno */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	/* under the lock: */
	size_t filled; /* blocks, since the beginning */
	size_t taken;
	bool stop;
};

/* Begin to read @fd by blocks of @size. 0 or a negative errno. */
int ahead_open(struct ahead *ahead, int fd, size_t size);

/*
 * The next block is at *@block until the next call. Returns its size, which is less than all only
 * at the end of the file; 0 behind it; or a negative errno.
 */
ssize_t ahead_next(struct ahead *ahead, const char **block);

/* Waits for the read that is under way. */
void ahead_close(struct ahead *ahead);

#endif /* GPUOA_AHEAD_H */
