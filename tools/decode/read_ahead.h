/* SPDX-License-Identifier: MIT */
/*
 * read_ahead.h - read a file ahead: a thread reads the next block while the caller uses the current
 * one
 *
 * The file is read, not mapped, so if it is truncated meanwhile, it just ends early.
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
	bool holds; /* whether the caller is using a block */
	/* number of bytes in each block; 0: end of the file; below 0: negative errno */
	ssize_t bytes[READ_AHEAD_BLOCKS];
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	/* The members below are protected by the lock. */
	size_t filled; /* number of blocks that have been read */
	size_t taken;
	bool stop;
};

/* Start to read @fd in blocks of @size bytes. Returns 0 or a negative errno. */
int read_ahead_open(struct read_ahead *ahead, int fd, size_t size);

/*
 * Get the next block. *@block is valid until the next call. Returns the size of the block in bytes,
 * 0 after the end of the file, or a negative errno. Only the last block of a file can be smaller
 * than the others.
 */
ssize_t read_ahead_next(struct read_ahead *ahead, const char **block);

/* Wait for the current read(), then stop the thread and free everything. */
void read_ahead_close(struct read_ahead *ahead);

#endif /* GPUOA_TOOLS_DECODE_READ_AHEAD_H */
