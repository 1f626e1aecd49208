// SPDX-License-Identifier: MIT
/*
 * evaluation.c - computation of rows and totals from reports
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/evaluation.h"
#include "common/evaluation_crew.h"
#include "common/evaluation_print.h"
#include "common/row.h"

static void run_windows(struct evaluation *evaluation, const char *reports, size_t count)
{
	size_t used, rows;

	do {
		rows = gpuoa_resampler_run(evaluation->windows, 0, reports, count, evaluation->values,
					 evaluation->spans, EVALUATION_BATCH, &used);
		evaluation_print_windows(evaluation, rows);
		reports += used * evaluation->report_size;
		count -= used;
	} while (rows == EVALUATION_BATCH);
}

/* Compute only totals: no interval's values are needed. */
static void run_totals(struct evaluation *evaluation, const char *reports, size_t count)
{
	size_t used;

	evaluation->intervals_done += gpuoa_calc_run_outputs(
		evaluation->calc, reports, count, evaluation->no_columns, NULL, count, &used);
}

static void run_rows(struct evaluation *evaluation, const char *reports, size_t count)
{
	while (count) {
		size_t used;
		const size_t rows = gpuoa_calc_run(evaluation->calc, reports, count,
						   evaluation->values, evaluation->intervals,
						   EVALUATION_BATCH, &used);

		for (size_t i = 0; i < rows; i++)
			evaluation_print_row(evaluation, &evaluation->intervals[i],
					     evaluation->values + i * evaluation->row_size);
		evaluation->intervals_done += rows;
		reports += used * evaluation->report_size;
		count -= used;
	}
}

static void run_sink(struct evaluation *evaluation, const char *reports, size_t count)
{
	const struct evaluation_sink *sink = evaluation->request.sink;

	while (count) {
		size_t used;
		const size_t rows = gpuoa_calc_run_outputs(evaluation->calc, reports, count,
							   evaluation->sink_columns,
							   evaluation->intervals, EVALUATION_BATCH,
							   &used);

		if (rows)
			sink->take(sink->context, evaluation, evaluation->sink_columns,
				   evaluation->intervals, rows);
		evaluation->intervals_done += rows;
		reports += used * evaluation->report_size;
		count -= used;
	}
}

/* A sink may also need totals; these need all reports in one calculator. */
static void run_crew(struct evaluation *evaluation, const char *reports, size_t count)
{
	size_t used;

	evaluation_crew_feed(evaluation->crew, reports, count);
	if (evaluation->request.sink)
		gpuoa_calc_run_outputs(evaluation->calc, reports, count, evaluation->no_columns,
				       NULL, count, &used);
}

static void run(struct evaluation *evaluation, const char *reports, size_t count)
{
	if (evaluation->crew)
		run_crew(evaluation, reports, count);
	else if (evaluation->windows)
		run_windows(evaluation, reports, count);
	else if (evaluation->request.sink)
		run_sink(evaluation, reports, count);
	else if (evaluation->request.rows)
		run_rows(evaluation, reports, count);
	else
		run_totals(evaluation, reports, count);
}

static void anchor(struct evaluation *evaluation)
{
	if (evaluation->crew)
		evaluation_crew_anchor(evaluation->crew, evaluation->now);
	if (evaluation->windows)
		gpuoa_resampler_set_time_base(evaluation->windows, 0, evaluation->now);
	else
		gpuoa_calc_set_time_base(evaluation->calc, evaluation->now);
}

static void gap(struct evaluation *evaluation)
{
	if (evaluation->crew)
		evaluation_crew_gap(evaluation->crew);
	if (evaluation->windows)
		gpuoa_resampler_discontinuity(evaluation->windows, 0);
	else
		gpuoa_calc_discontinuity(evaluation->calc);
}

/* Return how many reports at the start of @reports are before @tick. */
static size_t count_before(struct evaluation *evaluation, const char *reports, size_t count,
			   uint64_t tick)
{
	size_t n;

	for (n = 0; n < count; n++) {
		evaluation->now = gpuoa_report_ticks(evaluation->request.format,
						     reports + n * evaluation->report_size,
						     evaluation->now);
		if (evaluation->now >= tick)
			break;
	}
	return n;
}

/* Evaluate the reports in the part that was requested. */
static void run_part(struct evaluation *evaluation, const char *reports, size_t count)
{
	const struct evaluation_request *request = &evaluation->request;
	const size_t before = count_before(evaluation, reports, count, request->begin_tick);

	reports += before * evaluation->report_size;
	count -= before;
	anchor(evaluation);
	if (request->end_tick < UINT64_MAX)
		count = count_before(evaluation, reports, count, request->end_tick + 1);
	run(evaluation, reports, count);
}

static void count_losses(struct evaluation *evaluation, const struct gpuoa_read_status *status)
{
	const uint64_t lost = status->lost_overflow + status->lost_hardware + status->lost_ring;

	if (evaluation->crew) {
		evaluation_crew_lose(evaluation->crew, lost, status->lost_unknown);
		return;
	}
	evaluation->lost += lost;
	evaluation->lost_unknown |= status->lost_unknown;
}

void evaluation_count_damaged(struct evaluation *evaluation, const struct gpuoa_read_status *status)
{
	if (status->damaged && !evaluation->damaged)
		print_error("the recording is damaged: reports contradict those around them; they "
			    "are left out");
	evaluation->damaged += status->damaged;
}

void evaluation_feed(struct evaluation *evaluation, const void *reports, size_t count,
		     const struct gpuoa_read_status *status)
{
	count_losses(evaluation, status);
	evaluation_count_damaged(evaluation, status);
	if (status->gap)
		gap(evaluation);
	if (status->has_clock) {
		evaluation->now = status->clock.gpu_ticks;
		anchor(evaluation);
	}
	if (evaluation->request.part)
		run_part(evaluation, reports, count);
	else
		run(evaluation, reports, count);
}

void evaluation_settle(struct evaluation *evaluation)
{
	if (evaluation->crew)
		evaluation_crew_finish(evaluation->crew);
}

int evaluation_drain(struct evaluation *evaluation, struct gpuoa_reader *reader)
{
	struct progress *progress = evaluation->request.progress;
	struct gpuoa_read_status status;
	const void *reports;
	int n;

	do {
		n = gpuoa_reader_peek(reader, &reports, SIZE_MAX, &status);
		if (n >= 0)
			evaluation_feed(evaluation, reports, n, &status);
		if (n > 0)
			progress_add(progress, n * evaluation->stored_size);
	} while (n > 0);
	evaluation_settle(evaluation);
	progress_end(progress);
	switch (n) {
	case 0:
		return evaluation->damaged ? EXIT_FAILED : EXIT_OK;
	case -ENODEV:
		return fail("the GPU was removed");
	case -EBADMSG:
		return fail("the recording is damaged from here on");
	default:
		return fail("cannot read reports: %s", strerror(-n));
	}
}

bool evaluation_totals(struct evaluation *evaluation)
{
	struct gpuoa_interval interval;

	if (gpuoa_calc_total(evaluation->calc, evaluation->values, &interval, true))
		return false;
	if (evaluation->tool->format == OUTPUT_TABLE && !evaluation->request.repeated)
		printf("%s: GPU time %" PRIu64 " to %" PRIu64 " ns (ticks %" PRIu64 " to %" PRIu64
		       ")\n",
		       evaluation->set.symbol, row_ns(evaluation, interval.begin),
		       row_ns(evaluation, interval.end), interval.begin, interval.end);
	evaluation_print_totals(evaluation, &interval);
	return true;
}

/* Print the windows that have not ended. */
static void finish_windows(struct evaluation *evaluation)
{
	size_t rows;

	do {
		rows = gpuoa_resampler_flush(evaluation->windows, evaluation->values,
					   evaluation->spans, EVALUATION_BATCH);
		evaluation_print_windows(evaluation, rows);
	} while (rows == EVALUATION_BATCH);
}

bool evaluation_finish(struct evaluation *evaluation)
{
	evaluation_settle(evaluation);
	if (evaluation->windows)
		finish_windows(evaluation);
	else if (!evaluation->request.rows && !evaluation->request.sink)
		return evaluation_totals(evaluation);
	return evaluation->request.rows || evaluation->intervals_done;
}

void evaluation_losses(const struct evaluation *evaluation)
{
	if (evaluation->lost)
		note(evaluation->tool, "%" PRIu64 " reports were lost; no interval bridges a gap",
		     evaluation->lost);
	if (evaluation->lost_unknown)
		note(evaluation->tool, "some reports were lost that could not be counted");
	if (evaluation->damaged)
		note(evaluation->tool, "%" PRIu64 " damaged reports were left out",
		     evaluation->damaged);
}
