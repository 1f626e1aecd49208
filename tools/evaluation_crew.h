/* SPDX-License-Identifier: MIT */
/*
 * evaluation_crew.h - rows of an evaluation that several threads compute; they come in order
 *
 * Each row needs two reports that follow each other, and the time of the first: so reports can be
 * computed piece by piece, each with a calculator of its own, if each piece begins with the last
 * report of the one before, and with its time. Rows are the same to the bit and to the character,
 * however many threads there are.
 */
#ifndef GPUOA_EVALUATION_CREW_H
#define GPUOA_EVALUATION_CREW_H

#include "evaluation.h"

/* Sets evaluation->crew, for evaluation->request.jobs threads. An exit code; what is wrong has been
 * said. */
int evaluation_crew_open(struct evaluation *evaluation);

/* What of evaluation_feed() and gpuoa_calc_... they stand for. */
void evaluation_crew_feed(struct evaluation_crew *crew, const char *reports, size_t count);
void evaluation_crew_gap(struct evaluation_crew *crew);
void evaluation_crew_anchor(struct evaluation_crew *crew, uint64_t ticks);

/* Reports were lost before those that are fed next: their rows are given with that. */
void evaluation_crew_lose(struct evaluation_crew *crew, uint64_t lost, bool unknown);

/* Wait until all is printed, or given to the sink. */
void evaluation_crew_finish(struct evaluation_crew *crew);

/* NULL is fine. */
void evaluation_crew_close(struct evaluation_crew *crew);

#endif /* GPUOA_EVALUATION_CREW_H */
