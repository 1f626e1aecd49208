/* SPDX-License-Identifier: MIT */
/*
 * crew.h - thread pool with results in submission order
 *
 * The caller fills a piece and submits it; a thread works on it; the caller gets the finished
 * pieces in the order of submission. Pieces are reused, a few per thread, so memory does not grow
 * with the amount of work.
 */
#ifndef GPUOA_CREW_H
#define GPUOA_CREW_H

struct crew;

struct crew_ops {
	/* Work on a piece; called in thread @member, counted from 0. */
	void (*work)(void *context, unsigned int piece, unsigned int member);
	/* Handle the oldest piece, which is done; called by crew_next() and crew_finish(). */
	void (*deliver)(void *context, unsigned int piece);
	void *context;
};

/* Return the number of pieces that a pool of @members threads uses; pieces are counted from 0. */
unsigned int crew_pieces(unsigned int members);

/* Start a thread pool. Returns 0 or a negative errno. */
int crew_open(struct crew **crew, unsigned int members, const struct crew_ops *ops);

/*
 * Return the number of the piece to fill next. Delivers finished pieces; waits until one is free.
 */
unsigned int crew_next(struct crew *crew);

/* Submit the piece returned by the last crew_next(). */
void crew_submit(struct crew *crew);

/* Wait for all submitted pieces and deliver them. */
void crew_finish(struct crew *crew);

/* Stop the threads and free the pool, or do nothing for NULL. Undelivered pieces are dropped. */
void crew_close(struct crew *crew);

#endif /* GPUOA_CREW_H */
