// SPDX-License-Identifier: MIT
/*
 * crew.c - thread pool with results in submission order
 */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "common/crew.h"

/*
 * For each thread one piece in progress and one queued, plus spares, so that threads rarely wait.
 */
#define PIECES_EACH 2
#define PIECES_MORE 2

struct member {
	struct crew *crew;
	unsigned int number;
	pthread_t thread;
};

/* Counters count all pieces since the start; modulo .pieces, they are piece numbers. */
struct crew {
	struct crew_ops ops;
	unsigned int pieces;
	pthread_mutex_t lock;
	pthread_cond_t handed_in;
	pthread_cond_t done;
	/* Members below are protected by the lock. */
	size_t submitted;
	size_t begun;
	bool *ready; /* for each piece, whether it is done */
	bool stop;
	/* Members below are used by the caller only. */
	size_t delivered;
	unsigned int members;
	struct member member[];
};

unsigned int crew_pieces(unsigned int members)
{
	return PIECES_EACH * members + PIECES_MORE;
}

/* Get the next piece to work on. Returns false when the pool stops. */
static bool begin_piece(struct crew *crew, unsigned int *piece)
{
	bool any;

	pthread_mutex_lock(&crew->lock);
	while (!crew->stop && crew->begun == crew->submitted)
		pthread_cond_wait(&crew->handed_in, &crew->lock);
	any = !crew->stop;
	if (any)
		*piece = crew->begun++ % crew->pieces;
	pthread_mutex_unlock(&crew->lock);
	return any;
}

static void *work(void *context)
{
	const struct member *member = context;
	struct crew *crew = member->crew;
	unsigned int piece;

	while (begin_piece(crew, &piece)) {
		crew->ops.work(crew->ops.context, piece, member->number);
		pthread_mutex_lock(&crew->lock);
		crew->ready[piece] = true;
		pthread_cond_signal(&crew->done);
		pthread_mutex_unlock(&crew->lock);
	}
	return NULL;
}

int crew_open(struct crew **crew, unsigned int members, const struct crew_ops *ops)
{
	struct crew *new = calloc(1, sizeof(*new) + members * sizeof(new->member[0]));
	int err = 0;

	if (!new)
		return -ENOMEM;
	new->ops = *ops;
	new->pieces = crew_pieces(members);
	pthread_mutex_init(&new->lock, NULL);
	pthread_cond_init(&new->handed_in, NULL);
	pthread_cond_init(&new->done, NULL);
	new->ready = calloc(new->pieces, sizeof(*new->ready));
	if (!new->ready)
		err = -ENOMEM;
	for (; !err && new->members < members; new->members++) {
		struct member *member = &new->member[new->members];

		*member = (struct member){ .crew = new, .number = new->members };
		err = -pthread_create(&member->thread, NULL, work, member);
		if (err)
			break;
	}
	if (err) {
		crew_close(new);
		return err;
	}
	*crew = new;
	return 0;
}

/* Deliver the oldest piece. If it is not done, wait, or return false if @wait is not set. */
static bool deliver(struct crew *crew, bool wait)
{
	const unsigned int piece = crew->delivered % crew->pieces;
	bool ready;

	pthread_mutex_lock(&crew->lock);
	while (wait && !crew->ready[piece])
		pthread_cond_wait(&crew->done, &crew->lock);
	ready = crew->ready[piece];
	crew->ready[piece] = false;
	pthread_mutex_unlock(&crew->lock);
	if (!ready)
		return false;
	crew->ops.deliver(crew->ops.context, piece);
	crew->delivered++;
	return true;
}

/* Only the caller changes .submitted, so it is read without the lock. */
unsigned int crew_next(struct crew *crew)
{
	while (crew->delivered < crew->submitted &&
	       deliver(crew, crew->submitted - crew->delivered == crew->pieces))
		;
	return crew->submitted % crew->pieces;
}

void crew_submit(struct crew *crew)
{
	pthread_mutex_lock(&crew->lock);
	crew->submitted++;
	pthread_cond_signal(&crew->handed_in);
	pthread_mutex_unlock(&crew->lock);
}

void crew_finish(struct crew *crew)
{
	while (crew->delivered < crew->submitted)
		deliver(crew, true);
}

void crew_close(struct crew *crew)
{
	if (!crew)
		return;
	pthread_mutex_lock(&crew->lock);
	crew->stop = true;
	pthread_cond_broadcast(&crew->handed_in);
	pthread_mutex_unlock(&crew->lock);
	for (unsigned int i = 0; i < crew->members; i++)
		pthread_join(crew->member[i].thread, NULL);
	pthread_cond_destroy(&crew->done);
	pthread_cond_destroy(&crew->handed_in);
	pthread_mutex_destroy(&crew->lock);
	free(crew->ready);
	free(crew);
}
