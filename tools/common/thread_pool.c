// SPDX-License-Identifier: MIT
/*
 * thread_pool.c - a thread pool that delivers results in submission order, and the option -j
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "common/thread_pool.h"

/*
 * Number of pieces: for each thread one in progress and one queued, and some spare ones, so that
 * threads rarely wait.
 */
#define PIECES_EACH 2
#define PIECES_MORE 2

struct worker {
	struct thread_pool *pool;
	unsigned int number;
	pthread_t thread;
};

/*
 * A thread pool. Counters count all pieces since the start; a counter modulo .pieces is the number
 * of a piece.
 */
struct thread_pool {
	struct thread_pool_ops ops;
	unsigned int pieces;
	pthread_mutex_t lock;
	pthread_cond_t handed_in;
	pthread_cond_t done;
	/* The members below are protected by the lock. */
	size_t submitted;
	size_t begun;
	bool *ready; /* for each piece, whether it is done */
	bool stop;
	/* The members below are used by the caller only. */
	size_t delivered;
	unsigned int workers;
	struct worker worker[];
};

unsigned int thread_pool_pieces(unsigned int workers)
{
	return PIECES_EACH * workers + PIECES_MORE;
}

/* Get the next piece to work on. Returns false when the pool stops. */
static bool begin_piece(struct thread_pool *pool, unsigned int *piece)
{
	bool any;

	pthread_mutex_lock(&pool->lock);
	while (!pool->stop && pool->begun == pool->submitted)
		pthread_cond_wait(&pool->handed_in, &pool->lock);
	any = !pool->stop;
	if (any)
		*piece = pool->begun++ % pool->pieces;
	pthread_mutex_unlock(&pool->lock);
	return any;
}

static void *work(void *context)
{
	const struct worker *worker = context;
	struct thread_pool *pool = worker->pool;
	unsigned int piece;

	while (begin_piece(pool, &piece)) {
		pool->ops.work(pool->ops.context, piece, worker->number);
		pthread_mutex_lock(&pool->lock);
		pool->ready[piece] = true;
		pthread_cond_signal(&pool->done);
		pthread_mutex_unlock(&pool->lock);
	}
	return NULL;
}

int thread_pool_open(struct thread_pool **pool, unsigned int workers,
		     const struct thread_pool_ops *ops)
{
	struct thread_pool *new = calloc(1, sizeof(*new) + workers * sizeof(new->worker[0]));
	int err = 0;

	if (!new)
		return -ENOMEM;
	new->ops = *ops;
	new->pieces = thread_pool_pieces(workers);
	pthread_mutex_init(&new->lock, NULL);
	pthread_cond_init(&new->handed_in, NULL);
	pthread_cond_init(&new->done, NULL);
	new->ready = calloc(new->pieces, sizeof(*new->ready));
	if (!new->ready)
		err = -ENOMEM;
	for (; !err && new->workers < workers; new->workers++) {
		struct worker *worker = &new->worker[new->workers];

		*worker = (struct worker){ .pool = new, .number = new->workers };
		err = -pthread_create(&worker->thread, NULL, work, worker);
		if (err)
			break;
	}
	if (err) {
		thread_pool_close(new);
		return err;
	}
	*pool = new;
	return 0;
}

/* Deliver the oldest piece. If it is not done, wait for it, or return false if @wait is false. */
static bool deliver(struct thread_pool *pool, bool wait)
{
	const unsigned int piece = pool->delivered % pool->pieces;
	bool ready;

	pthread_mutex_lock(&pool->lock);
	while (wait && !pool->ready[piece])
		pthread_cond_wait(&pool->done, &pool->lock);
	ready = pool->ready[piece];
	pool->ready[piece] = false;
	pthread_mutex_unlock(&pool->lock);
	if (!ready)
		return false;
	pool->ops.deliver(pool->ops.context, piece);
	pool->delivered++;
	return true;
}

/* Only the caller's thread changes .submitted, so this function reads it without the lock. */
unsigned int thread_pool_next(struct thread_pool *pool)
{
	while (pool->delivered < pool->submitted &&
	       deliver(pool, pool->submitted - pool->delivered == pool->pieces))
		;
	return pool->submitted % pool->pieces;
}

void thread_pool_submit(struct thread_pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	pool->submitted++;
	pthread_cond_signal(&pool->handed_in);
	pthread_mutex_unlock(&pool->lock);
}

void thread_pool_finish(struct thread_pool *pool)
{
	while (pool->delivered < pool->submitted)
		deliver(pool, true);
}

void thread_pool_close(struct thread_pool *pool)
{
	if (!pool)
		return;
	pthread_mutex_lock(&pool->lock);
	pool->stop = true;
	pthread_cond_broadcast(&pool->handed_in);
	pthread_mutex_unlock(&pool->lock);
	for (unsigned int i = 0; i < pool->workers; i++)
		pthread_join(pool->worker[i].thread, NULL);
	pthread_cond_destroy(&pool->done);
	pthread_cond_destroy(&pool->handed_in);
	pthread_mutex_destroy(&pool->lock);
	free(pool->ready);
	free(pool);
}

#define JOBS_MAX 256

/* Minimum size of a file for several threads. Reading a smaller file takes only tens of ms. */
#define BIG_FILE (8 << 20)

int jobs_parse(const struct tool *tool, const char *text, unsigned int *jobs)
{
	uint64_t number;

	if (!parse_number(text, &number) || !number || number > JOBS_MAX)
		return usage(tool, "-j: cannot use '%s'; give a number of threads from 1 to %d",
			     text, JOBS_MAX);
	*jobs = (unsigned int)number;
	return EXIT_OK;
}

/*
 * Return the number of CPUs that this process may use. The system call fails if the machine has
 * more CPUs than a cpu_set_t can hold; then return a fixed number.
 */
static unsigned int cpus(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		return JOBS_MAX / 16;
	return CPU_COUNT(&set) < JOBS_MAX ? CPU_COUNT(&set) : JOBS_MAX;
}

/*
 * If the input is a pipe, use one thread, which prints rows as the reports arrive. Several threads
 * would wait until a piece is full.
 */
unsigned int jobs_for(unsigned int asked, const char *path)
{
	struct stat status;

	if (asked)
		return asked;
	if (stat(path, &status) || !S_ISREG(status.st_mode) || status.st_size < BIG_FILE)
		return 1;
	return cpus();
}
