/* SPDX-License-Identifier: MIT */
/*
 * thread_pool.h - a thread pool that delivers results in submission order, and the option -j
 *
 * The caller fills a piece of work and submits it, a thread works on it, and the caller receives
 * the finished pieces in the order of submission. There are a few pieces per thread, which are
 * reused, so memory does not grow with the amount of work.
 */
#ifndef GPUOA_TOOLS_COMMON_THREAD_POOL_H
#define GPUOA_TOOLS_COMMON_THREAD_POOL_H

#include "common/tool.h"

struct thread_pool;

struct thread_pool_ops {
	/* Do the work of a piece. Runs in thread @worker, counted from 0. */
	void (*work)(void *context, unsigned int piece, unsigned int worker);
	/*
	 * Handle the oldest piece, which is done. Runs in thread_pool_next() and
	 * thread_pool_finish().
	 */
	void (*deliver)(void *context, unsigned int piece);
	void *context;
};

/* Return the number of pieces that a pool of @workers threads uses. */
unsigned int thread_pool_pieces(unsigned int workers);

/* Start a thread pool. Returns 0 or a negative errno. */
int thread_pool_open(struct thread_pool **pool, unsigned int workers,
		     const struct thread_pool_ops *ops);

/*
 * Return the number of the piece that the caller should fill next. If no piece is free, wait for
 * one. Finished pieces are delivered.
 */
unsigned int thread_pool_next(struct thread_pool *pool);

/* Submit the piece that the last call of thread_pool_next() returned. */
void thread_pool_submit(struct thread_pool *pool);

/* Wait until all submitted pieces are finished, and deliver them. */
void thread_pool_finish(struct thread_pool *pool);

/*
 * Stop the threads and free the pool. Pieces that were not delivered are dropped. Does nothing for
 * NULL.
 */
void thread_pool_close(struct thread_pool *pool);

#define JOBS_HELP                                                                                    \
	"  -j, --jobs N           threads that compute rows (default: one for each CPU if the file " \
	"is big, else 1)\n"
#define JOBS_LONG                                    \
	{                                            \
		"jobs", required_argument, NULL, 'j' \
	}

/* Parse the argument of -j. Returns an exit code; prints any error. */
int jobs_parse(const struct tool *tool, const char *text, unsigned int *jobs);

/*
 * Return the number of threads to use: @asked, or if that is 0, a number that suits the size of the
 * file.
 */
unsigned int jobs_for(unsigned int asked, const char *path);

#endif /* GPUOA_TOOLS_COMMON_THREAD_POOL_H */
