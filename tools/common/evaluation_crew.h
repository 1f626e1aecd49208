/* SPDX-License-Identifier: MIT */
/*
 * evaluation_crew.h - rows of an evaluation, computed by several threads and output in order
 *
 * A row needs two consecutive reports and the time of the first. Reports are therefore split into
 * pieces, each with its own calculator, where each piece begins with the last report of the
 * preceding piece and its time. Rows are bit-identical for any number of threads.
 */
#ifndef GPUOA_EVALUATION_CREW_H
#define GPUOA_EVALUATION_CREW_H

#include "common/evaluation.h"

/*
 * Start evaluation->request.jobs threads and set evaluation->crew. Returns an exit code; prints any
 * error.
 */
int evaluation_crew_open(struct evaluation *evaluation);

/* Counterparts of evaluation_feed(), gpuoa_calc_discontinuity() and gpuoa_calc_set_time_base(). */
void evaluation_crew_feed(struct evaluation_crew *crew, const char *reports, size_t count);
void evaluation_crew_gap(struct evaluation_crew *crew);
void evaluation_crew_anchor(struct evaluation_crew *crew, uint64_t ticks);

/* Record that reports were lost before the next ones; their rows include this. */
void evaluation_crew_lose(struct evaluation_crew *crew, uint64_t lost, bool unknown);

/* Wait until all rows are printed, or passed to the sink. */
void evaluation_crew_finish(struct evaluation_crew *crew);

/* Stop the threads and free everything. Does nothing for NULL. */
void evaluation_crew_close(struct evaluation_crew *crew);

#endif /* GPUOA_EVALUATION_CREW_H */
