/* SPDX-License-Identifier: MIT */
/*
 * thread_pool.h - thread pool with results in submission order, and option -j
 *
 * The caller fills a piece and submits it; a thread works on it; the caller gets the finished
 * pieces in the order of submission. Pieces are reused, a few per thread, so memory does not grow
 * with the amount of work.
 */
#ifndef GPUOA_TOOLS_COMMON_THREAD_POOL_H
#define GPUOA_TOOLS_COMMON_THREAD_POOL_H

#include "common/tool.h"

struct thread_pool;

struct thread_pool_ops {
	/* Work on a piece; called in thread @worker, counted from 0. */
	void (*work)(void *context, unsigned int piece, unsigned int worker);
	/* Handle the oldest piece, which is done; called by thread_pool_next() and
	 * thread_pool_finish(). */
	void (*deliver)(void *context, unsigned int piece);
	void *context;
};

/* Return the number of pieces that a pool of @workers threads uses; pieces are counted from 0. */
unsigned int thread_pool_pieces(unsigned int workers);

/* Start a thread pool. Returns 0 or a negative errno. */
int thread_pool_open(struct thread_pool **pool, unsigned int workers,
		     const struct thread_pool_ops *ops);

/*
 * Return the number of the piece to fill next. Delivers finished pieces; waits until one is free.
 */
unsigned int thread_pool_next(struct thread_pool *pool);

/* Submit the piece returned by the last thread_pool_next(). */
void thread_pool_submit(struct thread_pool *pool);

/* Wait for all submitted pieces and deliver them. */
void thread_pool_finish(struct thread_pool *pool);

/* Stop the threads and free the pool, or do nothing for NULL. Undelivered pieces are dropped. */
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

/* Return @asked, or if that is 0, a number of threads that fits the file's size. */
unsigned int jobs_for(unsigned int asked, const char *path);

#endif /* GPUOA_TOOLS_COMMON_THREAD_POOL_H */
