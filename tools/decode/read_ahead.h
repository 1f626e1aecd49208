/* SPDX-License-Identifier: MIT */
/*
 * read_ahead.h - read-ahead of a file: a thread reads the next block while the caller uses this one
 *
 * The file is read, not mapped, so a file that is truncated meanwhile just ends early.
 */
#ifndef GPUOA_TOOLS_DECODE_READ_AHEAD_H
#define GPUOA_TOOLS_DECODE_READ_AHEAD_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

#define READ_AHEAD_BLOCKS 2

struct read_ahead {
	int fd;
	size_t size; /* size of a block, in bytes */
	char *room; /* memory of all blocks */
	bool holds; /* the caller is using a block */
	ssize_t bytes[READ_AHEAD_BLOCKS]; /* bytes in each block; 0: end of file; < 0: negative
					     errno */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	/* Members below are protected by the lock. */
	size_t filled; /* number of blocks read so far */
	size_t taken;
	bool stop;
};

/* Start to read @fd in blocks of @size bytes. Returns 0 or a negative errno. */
int read_ahead_open(struct read_ahead *ahead, int fd, size_t size);

/*
 * Get the next block; *@block is valid until the next call. Returns its size in bytes (less than a
 * full block only at the end of the file), 0 after the end, or a negative errno.
 */
ssize_t read_ahead_next(struct read_ahead *ahead, const char **block);

/* Wait for the read in progress, then free everything. */
void read_ahead_close(struct read_ahead *ahead);

#endif /* GPUOA_TOOLS_DECODE_READ_AHEAD_H */
