// SPDX-License-Identifier: MIT
/*
 * evaluation.c - compute rows and totals from reports, and print them on stdout
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/evaluation.h"
#include "common/scaling.h"
#include "common/thread_pool.h"

uint64_t row_ns(const struct evaluation *evaluation, uint64_t ticks)
{
	const struct evaluation_request *request = &evaluation->request;
	uint64_t ns = 0;

	if (!request->time)
		return gpuoa_ticks_to_ns(evaluation->frequency, ticks);
	gpuoa_time_to_cpu(request->time, request->clock_id, ticks, &ns, NULL);
	return ns;
}

static struct field number_field(const char *name, uint64_t number)
{
	return (struct field){ .name = name, .kind = FIELD_NUMBER, .number = number };
}

static size_t interval_fields(const struct evaluation *evaluation,
			      const struct gpuoa_interval *interval, enum totals_style style,
			      struct field *fields)
{
	if (style == TOTALS_ROW) {
		fields[0] = number_field("timestamp_ns", row_ns(evaluation, interval->end));
		return 1;
	}
	fields[0] = number_field("begin_ticks", interval->begin);
	fields[1] = number_field("end_ticks", interval->end);
	fields[2] = number_field("begin_ns", row_ns(evaluation, interval->begin));
	fields[3] = number_field("end_ns", row_ns(evaluation, interval->end));
	return 4;
}

/* Convert the row of an interval to output fields. Returns the number of fields. */
static size_t row_fields(const struct evaluation *evaluation, const struct gpuoa_interval *interval,
			 const union gpuoa_value *row, struct field *fields)
{
	const struct evaluation_request *request = &evaluation->request;
	const struct columns *columns = &evaluation->columns;
	size_t n = 0;

	if (request->unit) {
		fields[n++] = (struct field)FIELD_OF_TEXT("unit", NULL, request->unit);
		fields[n++] = (struct field)FIELD_OF_TEXT("set", NULL, evaluation->set.symbol);
	}
	n += interval_fields(evaluation, interval, request->rows ? TOTALS_ROW : request->totals,
			     fields + n);

	for (size_t i = 0; i < columns->count; i++)
		fields[n++] = column_field(&columns->list[i], row);
	return n;
}

/* Convert the row of a window to output fields. Returns the number of fields. */
static size_t row_window_fields(const struct evaluation *evaluation,
				const struct gpuoa_window *window, const union gpuoa_value *row,
				struct field *fields)
{
	const struct marks *marks = evaluation->request.marks;
	const struct gpuoa_interval interval = { window->begin, window->end };
	const struct columns *columns = &evaluation->columns;
	size_t n = interval_fields(evaluation, marks && window->covered ? &window->data : &interval,
				   TOTALS_INTERVAL, fields);

	if (marks)
		fields[n++] = marks_field(marks, window->number);
	fields[n++] = number_field("covered_ticks", window->covered);
	for (size_t i = 0; i < columns->count; i++)
		fields[n++] = column_field(&columns->list[i], row);
	return n;
}

/* Print the header at the start, so that it is printed even if no row follows. */
static void print_header(struct evaluation *evaluation)
{
	const struct gpuoa_interval nothing = { 0 };
	const struct gpuoa_window no_window = { 0 };

	if (evaluation->request.sink)
		return;
	if (evaluation->windows) {
		output_header(&evaluation->output, evaluation->fields,
			      row_window_fields(evaluation, &no_window, evaluation->values,
						evaluation->fields));
		return;
	}
	output_header(&evaluation->output, evaluation->fields,
		      row_fields(evaluation, &nothing, evaluation->values, evaluation->fields));
}

static void print_interval_row(struct evaluation *evaluation, const struct gpuoa_interval *interval,
			       const union gpuoa_value *row)
{
	output_record(&evaluation->output, evaluation->fields,
		      row_fields(evaluation, interval, row, evaluation->fields));
}

/* Print the row of a window. Windows between marks vary in length. */
static void print_window(struct evaluation *evaluation, const struct gpuoa_window *window,
			 const union gpuoa_value *values)
{
	const struct marks *marks = evaluation->request.marks;
	const bool marked = marks && window->number && window->number < marks->count;

	row_table_print(&evaluation->table, evaluation,
			&(struct row_table_row){
				.begin = marks && window->covered ? window->data.begin :
								    window->begin,
				.end = window->end,
				.covered = window->covered,
				.mark = marked ? &marks->values[window->number] : NULL,
				.values = values,
			});
}

/* Print the first @rows rows of windows in evaluation->values. */
static void print_windows(struct evaluation *evaluation, size_t rows)
{
	const struct evaluation_sink *sink = evaluation->request.sink;

	for (size_t i = 0; i < rows; i++) {
		const union gpuoa_value *row = evaluation->values + i * evaluation->row_size;

		/*
		 * Skip empty windows before the first mark and after the last one: there may be no
		 * reports in them.
		 */
		if (evaluation->request.marks && !evaluation->spans[i].covered)
			continue;
		evaluation->intervals_done++;
		if (sink) {
			sink->take_window(sink->context, evaluation, &evaluation->spans[i], row);
			continue;
		}
		if (evaluation->tool->format == OUTPUT_TABLE)
			print_window(evaluation, &evaluation->spans[i], row);
		else
			output_record(&evaluation->output, evaluation->fields,
				      row_window_fields(evaluation, &evaluation->spans[i], row,
							evaluation->fields));
	}
}

/*
 * Format the rate of a count, such as "20.9 GB/s", which is printed in addition to the number.
 * Ratios are in percent and have no rate.
 */
static const char *rate_cell(const struct column *column, const union gpuoa_value *row,
			     double seconds, char text[SCALING_LONG])
{
	const struct scaling scaling = scaling_of(column);
	const double value = gpuoa_value_to_double(column->type, row[column->index]);
	struct gpuoa_measure_desc units;

	gpuoa_measure_describe(column->units, &units, sizeof(units));
	*text = '\0';
	if (!column->absent && units.quantity == GPUOA_QUANTITY_TIME)
		return scaling_text_seconds(value * units.scale, text);
	if (column->absent || scaling.relative || (!scaling.rate && scaling.is_word))
		return text;
	return scaling_text_unit(scaling_value(&scaling, value, seconds), &scaling, text);
}

/* Print one metric per line. */
static void print_table(struct evaluation *evaluation, const union gpuoa_value *row,
			const union gpuoa_value *max, double seconds)
{
	for (size_t i = 0; i < evaluation->columns.count; i++) {
		const struct column *column = &evaluation->columns.list[i];
		struct field value = column_field(column, row), most = column_field(column, max);
		char rate[SCALING_LONG];

		value.heading = "VALUE";
		value.grouped = true;
		most.heading = "MAX";
		most.grouped = true;
		most.optional = 2;
		if (!column->has_max)
			most.kind = FIELD_NONE;
		output_record(
			&evaluation->output,
			(struct field[]){
				value,
				{ .heading = "UNIT",
				  .kind = FIELD_TEXT,
				  .text = scaling_units(column->units) },
				{ .heading = "METRIC", .kind = FIELD_TEXT, .text = column->symbol },
				{ .heading = "RATE",
				  .kind = FIELD_TEXT,
				  .text = rate_cell(column, row, seconds, rate),
				  .optional = 3 },
				most,
				{ .heading = "NAME",
				  .kind = FIELD_TEXT,
				  .text = column->name,
				  .optional = 1 },
			},
			6);
	}
	output_end(&evaluation->output);
}

/* Print the totals of the interval, which are in evaluation->values. */
static void print_totals(struct evaluation *evaluation, const struct gpuoa_interval *interval)
{
	const union gpuoa_value *row = evaluation->values;
	union gpuoa_value *max = evaluation->values + evaluation->row_size;

	if (evaluation->tool->format != OUTPUT_TABLE) {
		print_interval_row(evaluation, interval, row);
		fflush(stdout);
		return;
	}
	if (evaluation->request.repeated) {
		row_table_print(&evaluation->table, evaluation,
				&(struct row_table_row){
					.begin = interval->begin,
					.end = interval->end,
					.covered = interval->end - interval->begin,
					.values = row,
				});
		fflush(stdout);
		return;
	}
	gpuoa_calc_total_max(evaluation->calc, max);
	print_table(evaluation, row, max,
		    (double)(interval->end - interval->begin) / (double)evaluation->frequency);
}

/* A piece has one report more than rows, because a row is the interval between two reports. */
#define PIECE_REPORTS (EVALUATION_BATCH + 1)

struct piece {
	char *reports;
	size_t count;
	uint64_t begin; /* GPU time of the piece's first report, in ticks */
	bool jumps; /* a new time base begins with the second report, whose time is .next */
	uint64_t next;
	uint64_t lost; /* number of reports lost before the first report of this piece */
	bool lost_unknown;
	/* Results: */
	struct gpuoa_interval *intervals;
	size_t rows;
	/*
	 * with a sink: for each column, a part of one block of memory that holds a batch; NULL: no
	 * sink
	 */
	void **columns;
	struct buffer text; /* text of all rows, if there is no sink */
};

/* State of a thread */
struct worker {
	struct gpuoa_calc *calc;
	union gpuoa_value *values;
	struct field *fields;
	struct output output;
};

struct row_threads {
	struct evaluation *evaluation;
	struct thread_pool *pool;
	struct piece *pieces;
	unsigned int piece_count;
	struct worker *workers;
	unsigned int worker_count;
	struct piece *open; /* being filled; NULL: none */

	/* State of the sequence of reports, as a calculator has it: */
	char *last; /* the last report */
	bool has_last;
	bool has_ticks;
	uint64_t ticks; /* GPU time of the last report, in ticks */
	bool has_anchor;
	uint64_t anchor;
	uint64_t lost; /* number of reports lost since the start of the last piece */
	bool lost_unknown;
};

/* Calculate the rows of @count reports, and append them to those of the piece. */
static void compute(struct row_threads *threads, struct piece *piece, struct worker *worker,
		    const char *reports, size_t count)
{
	const struct evaluation *evaluation = threads->evaluation;
	size_t used;

	if (evaluation->request.sink)
		piece->rows += gpuoa_calc_run_outputs(worker->calc, reports, count, piece->columns,
						      piece->intervals, EVALUATION_BATCH, &used);
	else
		piece->rows += gpuoa_calc_run(worker->calc, reports, count, worker->values,
					      piece->intervals, EVALUATION_BATCH, &used);
}

static void print_rows(struct row_threads *threads, struct piece *piece, struct worker *worker)
{
	const struct evaluation *evaluation = threads->evaluation;

	worker->output.lines = piece->text;
	worker->output.lines.size = 0;
	for (size_t i = 0; i < piece->rows; i++)
		output_record(&worker->output, worker->fields,
			      row_fields(evaluation, &piece->intervals[i],
					 worker->values + i * evaluation->row_size,
					 worker->fields));
	piece->text = worker->output.lines;
}

static void work(void *context, unsigned int number, unsigned int worker_number)
{
	struct row_threads *threads = context;
	struct worker *worker = &threads->workers[worker_number];
	struct piece *piece = &threads->pieces[number];
	size_t done = 0;

	piece->rows = 0;
	gpuoa_calc_discontinuity(worker->calc);
	gpuoa_calc_set_time_base(worker->calc, piece->begin);
	if (piece->jumps) {
		done = 1;
		compute(threads, piece, worker, piece->reports, done);
		gpuoa_calc_set_time_base(worker->calc, piece->next);
	}
	compute(threads, piece, worker, piece->reports + done * threads->evaluation->report_size,
		piece->count - done);
	if (!threads->evaluation->request.sink)
		print_rows(threads, piece, worker);
}

/* Print the rows of a piece, or pass them to the sink. Runs in the caller's thread. */
static void deliver(void *context, unsigned int number)
{
	struct row_threads *threads = context;
	struct evaluation *evaluation = threads->evaluation;
	const struct evaluation_sink *sink = evaluation->request.sink;
	struct piece *piece = &threads->pieces[number];

	evaluation->lost += piece->lost;
	evaluation->lost_unknown |= piece->lost_unknown;
	if (!sink)
		fwrite(piece->text.text, 1, piece->text.size, evaluation->output.file);
	else if (piece->rows)
		sink->take(sink->context, evaluation, piece->columns, piece->intervals,
			   piece->rows);
	evaluation->intervals_done += piece->rows;
}

static void end_piece(struct row_threads *threads)
{
	if (!threads->open)
		return;
	threads->open = NULL;
	thread_pool_submit(threads->pool);
}

static void begin_piece(struct row_threads *threads)
{
	const size_t size = threads->evaluation->report_size;
	struct piece *piece = &threads->pieces[thread_pool_next(threads->pool)];

	piece->count = 0;
	piece->jumps = false;
	piece->lost = threads->lost;
	piece->lost_unknown = threads->lost_unknown;
	threads->lost = 0;
	threads->lost_unknown = false;
	if (threads->has_last) {
		memcpy(piece->reports, threads->last, size);
		piece->count = 1;
		piece->begin = threads->ticks;
	}
	threads->open = piece;
}

/*
 * Return the first time at or after @past that matches the report's timestamp. gpuoa_report_ticks()
 * returns the match nearest to a given time, so the function passes a time that is later by half
 * the range of a 32-bit timestamp. Longer timestamps do not wrap.
 */
static uint64_t ticks_after(const struct evaluation *evaluation, const char *report, uint64_t past)
{
	return gpuoa_report_ticks(evaluation->request.format, report, past + (1ULL << 31));
}

static void take_times(struct row_threads *threads, const char *reports, size_t count)
{
	const struct evaluation *evaluation = threads->evaluation;
	struct piece *piece = threads->open;

	if (threads->has_anchor || !threads->has_ticks)
		threads->ticks = gpuoa_report_ticks(evaluation->request.format, reports,
						    threads->has_anchor ? threads->anchor : 0);
	else
		threads->ticks = ticks_after(evaluation, reports, threads->ticks);
	if (!piece->count)
		piece->begin = threads->ticks;
	if (piece->count && threads->has_anchor) {
		piece->jumps = true;
		piece->next = threads->ticks;
	}
	threads->has_anchor = false;
	threads->has_ticks = true;
	for (size_t i = 1; i < count; i++)
		threads->ticks = ticks_after(evaluation, reports + i * evaluation->report_size,
					     threads->ticks);
}

/* Counterpart of evaluation_feed() */
static void row_threads_feed(struct row_threads *threads, const char *reports, size_t count)
{
	const size_t size = threads->evaluation->report_size;

	while (count) {
		struct piece *piece;
		size_t n;

		if (!threads->open)
			begin_piece(threads);
		piece = threads->open;
		n = PIECE_REPORTS - piece->count < count ? PIECE_REPORTS - piece->count : count;
		take_times(threads, reports, n);
		memcpy(piece->reports + piece->count * size, reports, n * size);
		piece->count += n;
		reports += n * size;
		count -= n;
		memcpy(threads->last, reports - size, size);
		threads->has_last = true;
		if (piece->count == PIECE_REPORTS)
			end_piece(threads);
	}
}

/* Counterpart of gpuoa_calc_discontinuity() */
static void row_threads_gap(struct row_threads *threads)
{
	end_piece(threads);
	threads->has_last = false;
}

/* Counterpart of gpuoa_calc_set_time_base() */
static void row_threads_anchor(struct row_threads *threads, uint64_t ticks)
{
	end_piece(threads);
	threads->anchor = ticks;
	threads->has_anchor = true;
}

/* Record a loss of reports before the next report. The next row contains the loss. */
static void row_threads_lose(struct row_threads *threads, uint64_t lost, bool unknown)
{
	if (!lost && !unknown)
		return;
	end_piece(threads);
	threads->lost += lost;
	threads->lost_unknown |= unknown;
}

/* Wait until all rows are printed, or have been passed to the sink. */
static void row_threads_finish(struct row_threads *threads)
{
	end_piece(threads);
	thread_pool_finish(threads->pool);
	threads->evaluation->lost += threads->lost;
	threads->evaluation->lost_unknown |= threads->lost_unknown;
	threads->lost = 0;
	threads->lost_unknown = false;
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

static bool open_worker(const struct evaluation *evaluation, struct worker *worker)
{
	const struct evaluation_request *request = &evaluation->request;

	output_begin_rows(&worker->output, evaluation->output.format, NULL);
	worker->values =
		calloc(EVALUATION_BATCH * evaluation->row_size + 1, sizeof(*worker->values));
	worker->fields =
		calloc(ROW_HEAD_FIELDS + evaluation->columns.count, sizeof(*worker->fields));
	return worker->values && worker->fields &&
	       !gpuoa_calc_open(request->set, request->constants, request->format,
				&evaluation->options, &worker->calc, NULL, 0);
}

static bool open_all(struct row_threads *threads)
{
	const struct evaluation *evaluation = threads->evaluation;
	bool ok = threads->pieces && threads->workers && threads->last;

	for (unsigned int i = 0; ok && i < threads->piece_count; i++)
		ok = open_piece(evaluation, &threads->pieces[i]);
	for (unsigned int i = 0; ok && i < threads->worker_count; i++)
		ok = open_worker(evaluation, &threads->workers[i]);
	return ok;
}

/*
 * Open the threads. Since evaluation_open() has validated the same options, the only possible error
 * is a lack of memory.
 */
static int row_threads_open(struct evaluation *evaluation)
{
	struct row_threads *threads = calloc(1, sizeof(*threads));
	const struct thread_pool_ops ops = { .work = work, .deliver = deliver, .context = threads };
	int err;

	if (!threads)
		return fail("out of memory");
	evaluation->threads = threads;
	threads->evaluation = evaluation;
	threads->worker_count = evaluation->request.jobs;
	threads->piece_count = thread_pool_pieces(threads->worker_count);
	threads->pieces = calloc(threads->piece_count, sizeof(*threads->pieces));
	threads->workers = calloc(threads->worker_count, sizeof(*threads->workers));
	threads->last = malloc(evaluation->report_size);
	if (!open_all(threads))
		return fail("out of memory");
	err = thread_pool_open(&threads->pool, threads->worker_count, &ops);
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

static void close_worker(struct worker *worker)
{
	gpuoa_calc_close(worker->calc);
	free(worker->values);
	free(worker->fields);
}

/* Stop the threads and free everything. Do nothing for NULL. */
static void row_threads_close(struct row_threads *threads)
{
	if (!threads)
		return;
	thread_pool_close(threads->pool);
	for (unsigned int i = 0; threads->pieces && i < threads->piece_count; i++)
		close_piece(&threads->pieces[i]);
	for (unsigned int i = 0; threads->workers && i < threads->worker_count; i++)
		close_worker(&threads->workers[i]);
	free(threads->pieces);
	free(threads->workers);
	free(threads->last);
	free(threads);
}

static void run_windows(struct evaluation *evaluation, const char *reports, size_t count)
{
	size_t used, rows;

	do {
		rows = gpuoa_resampler_run(evaluation->windows, 0, reports, count,
					   evaluation->values, evaluation->spans, EVALUATION_BATCH,
					   &used);
		print_windows(evaluation, rows);
		reports += used * evaluation->report_size;
		count -= used;
	} while (rows == EVALUATION_BATCH);
}

/* Calculate only the totals, without the values of each interval. */
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
			print_interval_row(evaluation, &evaluation->intervals[i],
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

/*
 * Pass reports to the threads. If there is a sink, it may need totals also, which require that one
 * calculator reads all reports.
 */
static void run_threads(struct evaluation *evaluation, const char *reports, size_t count)
{
	size_t used;

	row_threads_feed(evaluation->threads, reports, count);
	if (evaluation->request.sink)
		gpuoa_calc_run_outputs(evaluation->calc, reports, count, evaluation->no_columns,
				       NULL, count, &used);
}

static void run(struct evaluation *evaluation, const char *reports, size_t count)
{
	if (evaluation->threads)
		run_threads(evaluation, reports, count);
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
	if (evaluation->threads)
		row_threads_anchor(evaluation->threads, evaluation->now);
	if (evaluation->windows)
		gpuoa_resampler_set_time_base(evaluation->windows, 0, evaluation->now);
	else
		gpuoa_calc_set_time_base(evaluation->calc, evaluation->now);
}

static void gap(struct evaluation *evaluation)
{
	if (evaluation->threads)
		row_threads_gap(evaluation->threads);
	if (evaluation->windows)
		gpuoa_resampler_discontinuity(evaluation->windows, 0);
	else
		gpuoa_calc_discontinuity(evaluation->calc);
}

/* Return the number of reports at the start of @reports that are before @tick. */
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

/* Evaluate those reports that are in the requested part of the recording. */
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

	if (evaluation->threads) {
		row_threads_lose(evaluation->threads, lost, status->lost_unknown);
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
	if (evaluation->threads)
		row_threads_finish(evaluation->threads);
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
	print_totals(evaluation, &interval);
	return true;
}

/* Print the windows that are incomplete when the reports end. */
static void finish_windows(struct evaluation *evaluation)
{
	size_t rows;

	do {
		rows = gpuoa_resampler_flush(evaluation->windows, evaluation->values,
					     evaluation->spans, EVALUATION_BATCH);
		print_windows(evaluation, rows);
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

/* Print a list of all missing constants, so that the user need not find them one by one. */
static int missing_constants(const struct evaluation *evaluation)
{
	const struct evaluation_request *request = &evaluation->request;
	char list[512] = "";
	const char *name;
	size_t length;

	if (request->origin)
		return fail(
			"%s: cannot evaluate %s: constants of the GPU are missing; the file is damaged, or of another version",
			request->origin, evaluation->set.symbol);
	for (size_t i = 0; (name = gpuoa_calc_missing_constant(request->set, request->constants,
							       &evaluation->options, i));
	     i++) {
		length = strlen(list);
		snprintf(list + length, sizeof(list) - length, " -c %s=VALUE", name);
	}
	return usage(evaluation->tool,
		     "%s: cannot evaluate it: constants of the GPU are missing; give them with%s",
		     evaluation->set.symbol, list);
}

/*
 * Calculate only what is shown: the metrics among the columns, and the information items if one of
 * them is a column. Set each column's index in such a row; metrics come first. An unavailable
 * metric has no index.
 */
static void choose_metrics(struct evaluation *evaluation)
{
	const size_t metric_count = evaluation->set.metric_count;
	struct columns *columns = &evaluation->columns;
	struct gpuoa_calc_options *options = &evaluation->options;

	options->no_infos = true;
	for (size_t i = 0; i < columns->count; i++) {
		struct column *column = &columns->list[i];

		if (column->is_info) {
			options->no_infos = false;
		} else if (!column->absent) {
			evaluation->metrics[options->metric_count] =
				gpuoa_set_get_metric(evaluation->request.set, column->index);
			column->index = options->metric_count++;
		}
	}
	for (size_t i = 0; i < columns->count; i++)
		if (columns->list[i].is_info)
			columns->list[i].index += options->metric_count - metric_count;
}

static int choose_calc(struct evaluation *evaluation)
{
	evaluation->metrics = calloc(evaluation->columns.count + 1, sizeof(*evaluation->metrics));
	if (!evaluation->metrics)
		return fail("out of memory");
	evaluation->options = (struct gpuoa_calc_options){
		.size = sizeof(evaluation->options),
		.metrics = evaluation->metrics,
	};
	choose_metrics(evaluation);
	return EXIT_OK;
}

static int open_calc(struct evaluation *evaluation)
{
	const struct evaluation_request *request = &evaluation->request;
	char error[256];
	int err;

	if (!evaluation->report_size)
		return fail("cannot evaluate reports: unknown format %" PRIu32 "; update gpuoa",
			    request->format);
	err = gpuoa_calc_open(request->set, request->constants, request->format,
			      &evaluation->options, &evaluation->calc, error, sizeof(error));
	if (err == -ENODATA)
		return missing_constants(evaluation);
	return err ? fail("cannot evaluate %s: %s", evaluation->set.symbol, error) : EXIT_OK;
}

int evaluation_window(const struct tool *tool, const char *text, bool total, uint64_t *ns)
{
	*ns = 0;
	if (!text)
		return EXIT_OK;
	if (total)
		return usage(tool, "--total and --window exclude each other");
	return option_duration(tool, "--window", text, 1, 1, INT64_MAX, ns);
}

/* Open the resampler. The first window begins where the requested part of the recording begins. */
static int open_windows(struct evaluation *evaluation)
{
	const struct evaluation_request *request = &evaluation->request;
	const struct gpuoa_resampler_options options = {
		.size = sizeof(options),
		.period_ns = request->window_ns,
		.start = request->begin_tick,
		.list = request->marks ? request->marks->list : NULL,
		.list_count = request->marks ? request->marks->count : 0,
		.calc = &evaluation->options,
	};
	char error[256];
	int err;

	if (!request->window_ns && !request->marks)
		return EXIT_OK;
	err = gpuoa_resampler_open(request->set, request->constants, request->format, &options,
				   &evaluation->windows, error, sizeof(error));
	if (err == -ERANGE)
		return usage(evaluation->tool,
			     "windows of %" PRIu64 " ns are shorter than a tick of the timestamp",
			     request->window_ns);
	return err ? fail("cannot evaluate %s: %s", evaluation->set.symbol, error) : EXIT_OK;
}

static int open_frequency(struct evaluation *evaluation)
{
	static const char name[] = "GpuTimestampFrequency";

	if (!gpuoa_constants_get(evaluation->request.constants, name, &evaluation->frequency) &&
	    evaluation->frequency)
		return EXIT_OK;
	if (evaluation->request.origin)
		return fail(
			"%s: no frequency of timestamps; the file is damaged, or of another version",
			evaluation->request.origin);
	return usage(evaluation->tool, "missing frequency of timestamps; give -c %s=HZ", name);
}

static int allocate_sink(struct evaluation *evaluation)
{
	const size_t columns = evaluation->row_size;
	uint64_t *room = calloc(EVALUATION_BATCH * (columns + 1), sizeof(*room));

	evaluation->sink_columns = calloc(columns + 1, sizeof(*evaluation->sink_columns));
	if (!room || !evaluation->sink_columns) {
		free(room);
		return fail("out of memory");
	}
	for (size_t i = 0; i <= columns; i++)
		evaluation->sink_columns[i] = room + i * EVALUATION_BATCH;
	return EXIT_OK;
}

static void free_sink(struct evaluation *evaluation)
{
	if (evaluation->sink_columns)
		free(evaluation->sink_columns[0]);
	free(evaluation->sink_columns);
}

static int allocate(struct evaluation *evaluation)
{
	evaluation->row_size = gpuoa_calc_output_count(evaluation->calc);
	evaluation->values =
		calloc(EVALUATION_BATCH * evaluation->row_size, sizeof(*evaluation->values));
	evaluation->intervals = calloc(EVALUATION_BATCH, sizeof(*evaluation->intervals));
	evaluation->spans = calloc(EVALUATION_BATCH, sizeof(*evaluation->spans));
	evaluation->no_columns = calloc(evaluation->row_size + 1, sizeof(*evaluation->no_columns));
	evaluation->fields =
		calloc(ROW_HEAD_FIELDS + evaluation->columns.count, sizeof(*evaluation->fields));
	if (evaluation->values && evaluation->intervals && evaluation->spans &&
	    evaluation->no_columns && evaluation->fields)
		return evaluation->request.sink ? allocate_sink(evaluation) : EXIT_OK;
	return fail("out of memory");
}

/* In a recording, reports may have only some of their dwords. */
static size_t stored_size(const struct evaluation_request *request)
{
	size_t dwords = 0;

	for (size_t i = 0; request->dword_mask && i < GPUOA_DWORD_MASK_WORDS; i++)
		dwords += __builtin_popcountll(request->dword_mask[i]);
	return request->dword_mask ? dwords * sizeof(uint32_t) : gpuoa_format_size(request->format);
}

/*
 * Return whether several threads are useful. They are not for totals and windows, whose calculation
 * takes less time than reading.
 */
static bool shares(const struct evaluation_request *request)
{
	return request->jobs > 1 && (request->sink || request->rows) && !request->window_ns &&
	       !request->marks;
}

int evaluation_open(struct evaluation *evaluation, const struct tool *tool,
		    const struct evaluation_request *request)
{
	int ret;

	*evaluation = (struct evaluation){
		.tool = tool,
		.request = *request,
		.report_size = gpuoa_format_size(request->format),
		.stored_size = stored_size(request),
	};
	gpuoa_set_describe(request->set, &evaluation->set, sizeof(evaluation->set));
	output_begin(&evaluation->output, tool->format);
	if (request->csv) {
		evaluation->output.format = OUTPUT_CSV;
		evaluation->output.file = request->csv;
	}
	ret = columns_select(&evaluation->columns, tool, request->set, request->constants,
			     request->metrics);
	if (!ret && request->dword_mask)
		columns_thin(&evaluation->columns, tool, request->set, request->format,
			     request->dword_mask, request->metrics);
	if (!ret)
		ret = choose_calc(evaluation);
	if (!ret)
		ret = open_calc(evaluation);
	if (!ret)
		ret = open_frequency(evaluation);
	if (!ret)
		ret = open_windows(evaluation);
	if (!ret)
		ret = allocate(evaluation);
	if (!ret && shares(request))
		ret = row_threads_open(evaluation);
	if (ret)
		evaluation_close(evaluation);
	else
		print_header(evaluation);
	return ret;
}

void evaluation_close(struct evaluation *evaluation)
{
	row_threads_close(evaluation->threads);
	output_end(&evaluation->output);
	row_table_end(&evaluation->table, evaluation->tool);
	gpuoa_calc_close(evaluation->calc);
	gpuoa_resampler_close(evaluation->windows);
	columns_free(&evaluation->columns);
	free_sink(evaluation);
	free(evaluation->metrics);
	free(evaluation->no_columns);
	free(evaluation->values);
	free(evaluation->intervals);
	free(evaluation->spans);
	free(evaluation->fields);
}
