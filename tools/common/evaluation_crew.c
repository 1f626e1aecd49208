// SPDX-License-Identifier: MIT
/*
 * evaluation_crew.c - rows of an evaluation, computed by several threads and output in order
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/thread_pool.h"
#include "common/evaluation_crew.h"
#include "common/row.h"

/* N rows need N + 1 reports. */
#define PIECE_REPORTS (EVALUATION_BATCH + 1)

struct piece {
	char *reports;
	size_t count;
	uint64_t begin; /* GPU time of the first report, in ticks */
	bool jumps; /* the second report follows a new time base; its time is .next */
	uint64_t next;
	uint64_t lost; /* number of reports lost before this piece */
	bool lost_unknown;
	/* Results: */
	struct gpuoa_interval *intervals;
	size_t rows;
	void **columns; /* memory for a batch of each column, consecutive; NULL: no sink */
	struct buffer text; /* without a sink: text of all rows */
};

/* State of a thread */
struct member {
	struct gpuoa_calc *calc;
	union gpuoa_value *values;
	struct field *fields;
	struct output output;
};

struct evaluation_crew {
	struct evaluation *evaluation;
	struct thread_pool *crew;
	struct piece *pieces;
	unsigned int piece_count;
	struct member *members;
	unsigned int member_count;
	struct piece *open; /* being filled; NULL: none */

	/* State of the report sequence, as in a calculator: */
	char *last; /* the last report */
	bool has_last;
	bool has_ticks;
	uint64_t ticks; /* GPU time of the last report */
	bool has_anchor;
	uint64_t anchor;
	uint64_t lost; /* since the start of the last piece */
	bool lost_unknown;
};

/* Append the rows of @count reports to those of the piece. */
static void compute(struct evaluation_crew *crew, struct piece *piece, struct member *member,
		    const char *reports, size_t count)
{
	const struct evaluation *evaluation = crew->evaluation;
	size_t used;

	if (evaluation->request.sink)
		piece->rows += gpuoa_calc_run_outputs(member->calc, reports, count, piece->columns,
						      piece->intervals, EVALUATION_BATCH, &used);
	else
		piece->rows += gpuoa_calc_run(member->calc, reports, count, member->values,
					      piece->intervals, EVALUATION_BATCH, &used);
}

static void print_rows(struct evaluation_crew *crew, struct piece *piece, struct member *member)
{
	const struct evaluation *evaluation = crew->evaluation;

	member->output.lines = piece->text;
	member->output.lines.size = 0;
	for (size_t i = 0; i < piece->rows; i++)
		output_record(&member->output, member->fields,
			      row_fields(evaluation, &piece->intervals[i],
					 member->values + i * evaluation->row_size,
					 member->fields));
	piece->text = member->output.lines;
}

static void work(void *context, unsigned int number, unsigned int member_number)
{
	struct evaluation_crew *crew = context;
	struct member *member = &crew->members[member_number];
	struct piece *piece = &crew->pieces[number];
	size_t done = 0;

	piece->rows = 0;
	gpuoa_calc_discontinuity(member->calc);
	gpuoa_calc_set_time_base(member->calc, piece->begin);
	if (piece->jumps) {
		done = 1;
		compute(crew, piece, member, piece->reports, done);
		gpuoa_calc_set_time_base(member->calc, piece->next);
	}
	compute(crew, piece, member, piece->reports + done * crew->evaluation->report_size,
		piece->count - done);
	if (!crew->evaluation->request.sink)
		print_rows(crew, piece, member);
}

/* Output the rows of a piece; runs in the caller's thread. */
static void deliver(void *context, unsigned int number)
{
	struct evaluation_crew *crew = context;
	struct evaluation *evaluation = crew->evaluation;
	const struct evaluation_sink *sink = evaluation->request.sink;
	struct piece *piece = &crew->pieces[number];

	evaluation->lost += piece->lost;
	evaluation->lost_unknown |= piece->lost_unknown;
	if (!sink)
		fwrite(piece->text.text, 1, piece->text.size, evaluation->output.file);
	else if (piece->rows)
		sink->take(sink->context, evaluation, piece->columns, piece->intervals,
			   piece->rows);
	evaluation->intervals_done += piece->rows;
}

static void end_piece(struct evaluation_crew *crew)
{
	if (!crew->open)
		return;
	crew->open = NULL;
	thread_pool_submit(crew->crew);
}

static void begin_piece(struct evaluation_crew *crew)
{
	const size_t size = crew->evaluation->report_size;
	struct piece *piece = &crew->pieces[thread_pool_next(crew->crew)];

	piece->count = 0;
	piece->jumps = false;
	piece->lost = crew->lost;
	piece->lost_unknown = crew->lost_unknown;
	crew->lost = 0;
	crew->lost_unknown = false;
	if (crew->has_last) {
		memcpy(piece->reports, crew->last, size);
		piece->count = 1;
		piece->begin = crew->ticks;
	}
	crew->open = piece;
}

/*
 * Return the first time at or after @past that matches the report's timestamp. The library returns
 * the match nearest to a time, so pass one that is later by half the range of a 32-bit timestamp.
 * Longer timestamps do not wrap.
 */
static uint64_t ticks_after(const struct evaluation *evaluation, const char *report, uint64_t past)
{
	return gpuoa_report_ticks(evaluation->request.format, report, past + (1ULL << 31));
}

static void take_times(struct evaluation_crew *crew, const char *reports, size_t count)
{
	const struct evaluation *evaluation = crew->evaluation;
	struct piece *piece = crew->open;

	if (crew->has_anchor || !crew->has_ticks)
		crew->ticks = gpuoa_report_ticks(evaluation->request.format, reports,
						 crew->has_anchor ? crew->anchor : 0);
	else
		crew->ticks = ticks_after(evaluation, reports, crew->ticks);
	if (!piece->count)
		piece->begin = crew->ticks;
	if (piece->count && crew->has_anchor) {
		piece->jumps = true;
		piece->next = crew->ticks;
	}
	crew->has_anchor = false;
	crew->has_ticks = true;
	for (size_t i = 1; i < count; i++)
		crew->ticks =
			ticks_after(evaluation, reports + i * evaluation->report_size, crew->ticks);
}

void evaluation_crew_feed(struct evaluation_crew *crew, const char *reports, size_t count)
{
	const size_t size = crew->evaluation->report_size;

	while (count) {
		struct piece *piece;
		size_t n;

		if (!crew->open)
			begin_piece(crew);
		piece = crew->open;
		n = PIECE_REPORTS - piece->count < count ? PIECE_REPORTS - piece->count : count;
		take_times(crew, reports, n);
		memcpy(piece->reports + piece->count * size, reports, n * size);
		piece->count += n;
		reports += n * size;
		count -= n;
		memcpy(crew->last, reports - size, size);
		crew->has_last = true;
		if (piece->count == PIECE_REPORTS)
			end_piece(crew);
	}
}

void evaluation_crew_gap(struct evaluation_crew *crew)
{
	end_piece(crew);
	crew->has_last = false;
}

void evaluation_crew_anchor(struct evaluation_crew *crew, uint64_t ticks)
{
	end_piece(crew);
	crew->anchor = ticks;
	crew->has_anchor = true;
}

void evaluation_crew_lose(struct evaluation_crew *crew, uint64_t lost, bool unknown)
{
	if (!lost && !unknown)
		return;
	end_piece(crew);
	crew->lost += lost;
	crew->lost_unknown |= unknown;
}

void evaluation_crew_finish(struct evaluation_crew *crew)
{
	end_piece(crew);
	thread_pool_finish(crew->crew);
	crew->evaluation->lost += crew->lost;
	crew->evaluation->lost_unknown |= crew->lost_unknown;
	crew->lost = 0;
	crew->lost_unknown = false;
}

static bool open_columns(struct piece *piece, size_t columns)
{
	uint64_t *room = calloc(EVALUATION_BATCH * (columns + 1), sizeof(*room));

	piece->columns = calloc(columns + 1, sizeof(*piece->columns));
	if (!room || !piece->columns) {
		free(room);
		return false;
	}
	for (size_t i = 0; i <= columns; i++)
		piece->columns[i] = room + i * EVALUATION_BATCH;
	return true;
}

static bool open_piece(const struct evaluation *evaluation, struct piece *piece)
{
	piece->reports = malloc(PIECE_REPORTS * evaluation->report_size);
	piece->intervals = calloc(EVALUATION_BATCH, sizeof(*piece->intervals));
	return piece->reports && piece->intervals &&
	       (!evaluation->request.sink || open_columns(piece, evaluation->row_size));
}

static bool open_member(const struct evaluation *evaluation, struct member *member)
{
	const struct evaluation_request *request = &evaluation->request;

	output_begin_rows(&member->output, evaluation->output.format, NULL);
	member->values =
		calloc(EVALUATION_BATCH * evaluation->row_size + 1, sizeof(*member->values));
	member->fields =
		calloc(ROW_HEAD_FIELDS + evaluation->columns.count, sizeof(*member->fields));
	return member->values && member->fields &&
	       !gpuoa_calc_open(request->set, request->constants, request->format,
				&evaluation->options, &member->calc, NULL, 0);
}

static bool open_all(struct evaluation_crew *crew)
{
	const struct evaluation *evaluation = crew->evaluation;
	bool ok = crew->pieces && crew->members && crew->last;

	for (unsigned int i = 0; ok && i < crew->piece_count; i++)
		ok = open_piece(evaluation, &crew->pieces[i]);
	for (unsigned int i = 0; ok && i < crew->member_count; i++)
		ok = open_member(evaluation, &crew->members[i]);
	return ok;
}

/* evaluation_open() has validated the same options, so only memory can be missing. */
int evaluation_crew_open(struct evaluation *evaluation)
{
	struct evaluation_crew *crew = calloc(1, sizeof(*crew));
	const struct thread_pool_ops ops = { .work = work, .deliver = deliver, .context = crew };
	int err;

	if (!crew)
		return fail("out of memory");
	evaluation->crew = crew;
	crew->evaluation = evaluation;
	crew->member_count = evaluation->request.jobs;
	crew->piece_count = thread_pool_pieces(crew->member_count);
	crew->pieces = calloc(crew->piece_count, sizeof(*crew->pieces));
	crew->members = calloc(crew->member_count, sizeof(*crew->members));
	crew->last = malloc(evaluation->report_size);
	if (!open_all(crew))
		return fail("out of memory");
	err = thread_pool_open(&crew->crew, crew->member_count, &ops);
	return err ? fail("cannot start threads: %s; try -j 1", strerror(-err)) : EXIT_OK;
}

static void close_piece(struct piece *piece)
{
	if (piece->columns)
		free(piece->columns[0]);
	free(piece->columns);
	free(piece->reports);
	free(piece->intervals);
	buffer_free(&piece->text);
}

static void close_member(struct member *member)
{
	gpuoa_calc_close(member->calc);
	free(member->values);
	free(member->fields);
}

void evaluation_crew_close(struct evaluation_crew *crew)
{
	if (!crew)
		return;
	thread_pool_close(crew->crew);
	for (unsigned int i = 0; crew->pieces && i < crew->piece_count; i++)
		close_piece(&crew->pieces[i]);
	for (unsigned int i = 0; crew->members && i < crew->member_count; i++)
		close_member(&crew->members[i]);
	free(crew->pieces);
	free(crew->members);
	free(crew->last);
	free(crew);
}
