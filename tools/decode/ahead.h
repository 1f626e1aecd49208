/* SPDX-License-Identifier: MIT */
/*
 * ahead.h - read-ahead of a file: a thread reads the next block while the caller uses this one
 *
 * The file is read, not mapped, so a file that is truncated meanwhile just ends early.
 */
#ifndef GPUOA_AHEAD_H
#define GPUOA_AHEAD_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

#define AHEAD_BLOCKS 2

struct ahead {
	int fd;
	size_t size; /* size of a block, in bytes */
	char *room; /* memory of all blocks */
	bool holds; /* the caller is using a block */
	ssize_t bytes[AHEAD_BLOCKS]; /* bytes in each block; 0: end of file; < 0: negative errno */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	/* Members below are protected by the lock. */
	size_t filled; /* number of blocks read so far */
	size_t taken;
	bool stop;
};

/* Start to read @fd in blocks of @size bytes. Returns 0 or a negative errno. */
int ahead_open(struct ahead *ahead, int fd, size_t size);

/*
 * Get the next block; *@block is valid until the next call. Returns its size in bytes (less than a
 * full block only at the end of the file), 0 after the end, or a negative errno.
 */
ssize_t ahead_next(struct ahead *ahead, const char **block);

/* Wait for the read in progress, then free everything. */
void ahead_close(struct ahead *ahead);

#endif /* GPUOA_AHEAD_H */
