/* SPDX-License-Identifier: MIT */
/*
 * crew.h - work that several threads share, and whose results are taken in order
 *
 * The caller fills one piece after the other and hands it in; threads work on pieces; the caller is
 * given each back when it is done, in the order in which they were handed in. There are a few
 * pieces for each thread, which are used over and over: memory does not depend on how much is done.
 */
#ifndef GPUOA_CREW_H
#define GPUOA_CREW_H

struct crew;

struct crew_ops {
	/* In a thread: work on a piece. @member: number of the thread, from 0. */
	void (*work)(void *context, unsigned int piece, unsigned int member);
	/* In the caller of crew_next() and crew_finish(): the oldest piece is done. */
	void (*deliver)(void *context, unsigned int piece);
	void *context;
};

/* Number of pieces that a crew of so many uses: from 0 to one less. */
unsigned int crew_pieces(unsigned int members);

/* 0 or a negative errno. */
int crew_open(struct crew **crew, unsigned int members, const struct crew_ops *ops);

/* Number of the piece to fill next. Waits until one is free, and delivers what is done. */
unsigned int crew_next(struct crew *crew);

/* Hand in the piece of the last crew_next(). */
void crew_submit(struct crew *crew);

/* Wait for all that was handed in, and deliver it. */
void crew_finish(struct crew *crew);

/* NULL is fine. What was not delivered is not. */
void crew_close(struct crew *crew);

#endif /* GPUOA_CREW_H */
