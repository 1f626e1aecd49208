// SPDX-License-Identifier: MIT
/* result.c - the result of a query: completion, consistency checks and values */
#include <errno.h>

#include "base/sized.h"
#include "base/ticks.h"
#include "extra/query/between.h"
#include "extra/query/flags.h"
#include "extra/query/pool.h"

/* Size of the hints in the first version of the library. */
#define HINTS_SIZE_MIN sizeof(struct gpuoa_query_hints)

/* A query with requested end commands, and its reports in memory */
struct finding {
	const struct gpuoa_query_pool *pool;
	const struct query *query;
	const char *begin;
	const char *end;
	uint64_t ticks; /* duration by reports or by command timestamps, the larger of both */
	struct gpuoa_query_result result;
};

/* Acquire: after the tag, all earlier writes of the GPU are visible. */
static uint64_t tag_of(const struct gpuoa_query_pool *pool, const char *report)
{
	return __atomic_load_n(&query_notes(pool, report)->tag, __ATOMIC_ACQUIRE);
}

static bool has_ended(const struct finding *finding)
{
	return tag_of(finding->pool, finding->end) == finding->query->id + 1;
}

/* After a query has ended, later changes of the unit do not affect it. */
static void note_end(const struct gpuoa_query_pool *pool, struct query *query)
{
	query->seen |= query->programmed == pool->programmed->state;
}

static struct finding find(const struct gpuoa_query_pool *pool, uint32_t query)
{
	const char *begin = query_memory(pool, query);

	return (struct finding){
		.pool = pool,
		.query = &pool->queries[query],
		.begin = begin,
		.end = begin + pool->desc.end_offset,
	};
}

static int check_ended(const struct gpuoa_query_pool *pool, uint32_t query,
		       const struct complaint *complaint)
{
	int err = query_check(pool, query, complaint);

	if (!err && pool->queries[query].state != QUERY_ENDED)
		err = COMPLAIN(complaint, -ENOENT, "query %u has not been ended", query);
	return err;
}

int gpuoa_query_ready(struct gpuoa_query_pool *pool, uint32_t query)
{
	const struct complaint complaint = complaint_begin(NULL, 0);
	struct finding finding;
	int err = check_ended(pool, query, &complaint);

	if (err)
		return err;
	finding = find(pool, query);
	if (!has_ended(&finding))
		return 0;
	note_end(pool, &pool->queries[query]);
	return 1;
}

static uint64_t frequency_of(const struct gpuoa_query_pool *pool, uint32_t value)
{
	const struct query_frequency *frequency = &pool->hardware->frequency;
	const uint64_t step_hz = 50000000;

	if (!(pool->desc.registers & GPUOA_QUERY_REGISTER_FREQUENCY) || value == QUERY_UNWRITTEN_32)
		return 0;
	return (value >> frequency->shift & frequency->mask) * step_hz / frequency->divisor;
}

static bool lacks_registers(const struct gpuoa_query_pool *pool, const struct query_notes *notes)
{
	const uint32_t registers = pool->desc.registers;

	return (registers & GPUOA_QUERY_REGISTER_PERFCNT &&
		notes->perfcnt[0] == QUERY_UNWRITTEN_64) ||
	       (registers & GPUOA_QUERY_REGISTER_FREQUENCY &&
		notes->frequency == QUERY_UNWRITTEN_32) ||
	       (registers & GPUOA_QUERY_REGISTER_A36_A37 && notes->a36[0] == QUERY_UNWRITTEN_32) ||
	       (registers & GPUOA_QUERY_REGISTER_STATUS && notes->status == QUERY_UNWRITTEN_32);
}

static void note_registers(struct finding *finding)
{
	const struct gpuoa_query_pool *pool = finding->pool;
	const struct query_notes *begin = query_notes(pool, finding->begin);
	const struct query_notes *end = query_notes(pool, finding->end);
	struct gpuoa_query_result *result = &finding->result;

	result->begin_hz = frequency_of(pool, begin->frequency);
	result->end_hz = frequency_of(pool, end->frequency);
	result->begin_command_ticks = begin->ticks;
	result->end_command_ticks = end->ticks;
	if (result->begin_hz != result->end_hz)
		result->flags |= GPUOA_QUERY_FREQUENCY_CHANGE;
	if (lacks_registers(pool, begin) || lacks_registers(pool, end))
		result->flags |= GPUOA_QUERY_NO_REGISTERS;
	else if (pool->desc.registers & GPUOA_QUERY_REGISTER_STATUS &&
		 (begin->status | end->status) & QUERY_STATUS_OVERRUN)
		result->flags |= GPUOA_QUERY_OVERRUN;
}

/* True if nothing was written, or a disabled unit wrote only the command's id. */
static bool is_absent(const struct gpuoa_query_pool *pool, const char *report)
{
	return !report_read(report, pool->format.timestamp) &&
	       (!report_read(report, pool->format.report_id) ||
		!report_read(report, pool->format.clock));
}

static uint32_t id_of(const struct gpuoa_query_pool *pool, const char *report)
{
	return (uint32_t)report_read(report, pool->format.report_id);
}

static void note_reports(struct finding *finding)
{
	const struct gpuoa_query_pool *pool = finding->pool;
	struct gpuoa_query_result *result = &finding->result;

	result->begin_id = id_of(pool, finding->begin);
	result->end_id = id_of(pool, finding->end);
	if (tag_of(pool, finding->begin) != finding->query->id || !has_ended(finding))
		result->flags |= GPUOA_QUERY_NOT_EXECUTED;
	else if (is_absent(pool, finding->begin) || is_absent(pool, finding->end))
		result->flags |= GPUOA_QUERY_LOST;
	else if (result->begin_id != finding->query->id || result->end_id != finding->query->id + 1)
		result->flags |= GPUOA_QUERY_ID_MISMATCH;
}

static void note_context(struct finding *finding)
{
	const struct gpuoa_query_pool *pool = finding->pool;
	const struct gpuoa_query_options *options = &pool->options;
	struct gpuoa_query_result *result = &finding->result;
	const uint64_t context = report_read(finding->begin, pool->format.context);

	if (!pool->format.context.bits)
		return;
	result->has_context = true;
	result->context_id = (uint32_t)context;
	if (report_read(finding->end, pool->format.context) != context ||
	    (options->context_check && options->context_id != context))
		result->flags |= GPUOA_QUERY_CONTEXT_MISMATCH;
}

/* The command streamer's timestamp has 36 bits in all generations. */
#define COMMAND_TICKS_MASK ((UINT64_C(1) << 36) - 1)

/*
 * The two clocks run at the same rate, or one at twice the other's. A larger difference than that
 * plus the duration of the commands means that the times are not from one query.
 */
#define CLOCKS_APART 4
#define COMMANDS_TICKS 100000

static void note_time(struct finding *finding, uint64_t near)
{
	const struct gpuoa_query_pool *pool = finding->pool;
	struct gpuoa_query_result *result = &finding->result;
	const struct report_field field = pool->format.timestamp;
	const uint64_t begin = report_read(finding->begin, field);
	const uint64_t length = (report_read(finding->end, field) - begin) & field_mask(field);
	const bool has_commands = result->begin_command_ticks != QUERY_UNWRITTEN_64 &&
				  result->end_command_ticks != QUERY_UNWRITTEN_64;
	const uint64_t commands = (result->end_command_ticks - result->begin_command_ticks) &
				  COMMAND_TICKS_MASK;

	result->interval.begin = near ? ticks_near(near, begin, field_mask(field)) : begin;
	result->interval.end = result->interval.begin + length;
	result->gpu_time_ns = gpuoa_ticks_to_ns(pool->timestamp_frequency, length);
	if (!length)
		result->flags |= GPUOA_QUERY_EMPTY;
	if (has_commands && length / CLOCKS_APART > commands + COMMANDS_TICKS)
		result->flags |= GPUOA_QUERY_INCONSISTENT;
	finding->ticks = has_commands && commands > length ? commands : length;
	if (finding->ticks > pool->desc.longest_ticks)
		result->flags |= GPUOA_QUERY_WRAP;
}

static int error_of(const struct finding *finding, uint32_t query,
		    const struct complaint *complaint)
{
	const struct gpuoa_query_result *result = &finding->result;

	if (result->flags & GPUOA_QUERY_NOT_EXECUTED)
		return COMPLAIN(complaint, -ENODATA, "query %u: its %s did not run", query,
				has_ended(finding) ? "begin" : "end");
	if (result->flags & GPUOA_QUERY_LOST)
		return COMPLAIN(complaint, -ENODATA,
				"query %u: there is no report. Does a stream of this set run, from "
				"gen12 on one of this context?",
				query);
	if (result->flags & GPUOA_QUERY_ID_MISMATCH)
		return COMPLAIN(complaint, -EBADMSG,
				"query %u: ids of reports are %u and %u, not %u and %u", query,
				result->begin_id, result->end_id, finding->query->id,
				finding->query->id + 1);
	if (result->flags & GPUOA_QUERY_CONTEXT_MISMATCH)
		return COMPLAIN(complaint, -EREMCHG, "query %u: a report is of another context",
				query);
	if (result->flags & GPUOA_QUERY_INCONSISTENT)
		return COMPLAIN(complaint, -EILSEQ, "query %u: times of its reports are apart",
				query);
	return 0;
}

static int examine(struct finding *finding, uint32_t query, uint64_t near,
		   const struct complaint *complaint)
{
	struct gpuoa_query_result *result = &finding->result;

	note_reports(finding);
	if (!finding->query->seen)
		result->flags |= GPUOA_QUERY_UNPROGRAMMED;
	if (!(result->flags & (GPUOA_QUERY_NOT_EXECUTED | GPUOA_QUERY_LOST))) {
		note_registers(finding);
		note_context(finding);
		note_time(finding, near);
	}
	return error_of(finding, query, complaint);
}

/* Find and check the result of a query. */
static int examine_query(struct gpuoa_query_pool *pool, uint32_t query,
			 const struct gpuoa_query_hints *hints, struct finding *finding,
			 const struct complaint *complaint)
{
	int err = check_ended(pool, query, complaint);

	if (err)
		return err;
	*finding = find(pool, query);
	if (!hints->executed && !has_ended(finding))
		return COMPLAIN(complaint, -EAGAIN, "query %u is not over", query);
	note_end(pool, &pool->queries[query]);
	err = examine(finding, query, hints->near_ticks, complaint);
	finding->result.severity = query_severity(finding->result.flags);
	return err;
}

/* Up to this number of queries are calculated singly: a batch of sixteen costs the same for one. */
#define FEW 4

static bool run_few(struct gpuoa_query_pool *pool, const struct finding *first, size_t count,
		    uint64_t near, union gpuoa_value *values)
{
	const size_t columns = gpuoa_calc_output_count(pool->calc);
	bool done = count <= FEW;

	for (size_t i = 0; i < count && done; i++)
		done = calc_run_pair(pool->calc, first[i].begin, first[i].end, near,
				     values + i * columns);
	return done;
}

static void run(struct gpuoa_query_pool *pool, const struct finding *first, size_t count,
		uint64_t near, union gpuoa_value *values)
{
	const struct calc_sink sink = { .values = values };

	if (run_few(pool, first, count, near, values))
		return;
	calc_run_pairs(pool->calc, first->begin, count, near, &sink);
}

static void run_between(struct gpuoa_query_pool *pool, const struct query_between *between,
			const struct finding *finding, bool alone, union gpuoa_value *values)
{
	gpuoa_calc_discontinuity(pool->calc);
	gpuoa_calc_set_time_base(pool->calc, finding->result.interval.begin);
	query_between_run(pool, between, finding->begin, finding->end, alone, values);
}

/* Calculate the values, using reports of a stream. */
static void calculate(struct gpuoa_query_pool *pool, const struct gpuoa_query_hints *hints,
		      struct finding *finding, union gpuoa_value *values)
{
	struct gpuoa_query_result *result = &finding->result;
	struct query_between between =
		query_between_find(pool, hints, finding->begin, finding->end);
	const bool alone = query_between_tells_contexts(pool, &between);
	const bool excluded = result->flags & GPUOA_QUERY_WRAP &&
			      query_between_excludes_wraps(pool, &between, finding->begin,
							   finding->end, finding->ticks);

	query_between_note(pool, &between, result);
	if (result->flags & GPUOA_QUERY_CONTEXT_SWITCH && !pool->hardware->own_counters && !alone &&
	    pool->options.mode != GPUOA_QUERY_GLOBAL)
		result->flags |= GPUOA_QUERY_OTHERS;
	if (excluded)
		result->flags &= ~(uint32_t)GPUOA_QUERY_WRAP;
	result->severity = query_severity(result->flags);
	if (values && (alone || (excluded && !pool->hardware->own_counters)))
		run_between(pool, &between, finding, alone, values);
	else if (values)
		run(pool, finding, 1, hints->near_ticks, values);
}

/* Number of queries that fit into one batch */
#define SOME (COLUMN_ROWS / 2)

/* The caller's output buffers. */
struct rows {
	union gpuoa_value *values; /* values of each result; may be NULL */
	char *results; /* buffer for results; may be NULL */
	size_t size; /* size of each result in bytes */
};

static void give_result(const struct rows *rows, size_t index, const struct finding *finding)
{
	if (rows->results)
		sized_give(rows->results + index * rows->size, rows->size, &finding->result,
			   sizeof(finding->result));
}

/* Returns the number of consecutive results from @query on; a negative errno if there is none. */
static int get_some(struct gpuoa_query_pool *pool, uint32_t query, uint32_t count,
		    const struct gpuoa_query_hints *hints, const struct rows *rows,
		    const struct complaint *complaint)
{
	const size_t columns = gpuoa_calc_output_count(pool->calc);
	const struct complaint none = { 0 };
	struct finding findings[SOME];
	uint32_t n = 0;

	for (; n < count; n++) {
		int err =
			examine_query(pool, query + n, hints, &findings[n], n ? &none : complaint);

		if (err && !n && err != -ERANGE && err != -ENOENT && err != -EAGAIN)
			give_result(rows, 0, &findings[0]);
		if (err && !n)
			return err;
		if (err)
			break;
	}
	if (n && rows->values && !hints->report_count)
		run(pool, findings, n, hints->near_ticks, rows->values);
	for (uint32_t i = 0; i < n; i++) {
		if (hints->report_count)
			calculate(pool, hints, &findings[i],
				  rows->values ? rows->values + i * columns : NULL);
		give_result(rows, i, &findings[i]);
	}
	return (int)n;
}

static int take_hints(struct gpuoa_query_hints *known, const struct gpuoa_query_hints *hints,
		      const struct complaint *complaint)
{
	const int err =
		sized_take(known, sizeof(*known), hints, HINTS_SIZE_MIN, "the hints", complaint);

	if (err)
		return err;
	if (known->report_count && !format_get(known->report_format))
		return COMPLAIN(complaint, -EINVAL, "there is no format %u", known->report_format);
	return 0;
}

int gpuoa_query_get(struct gpuoa_query_pool *pool, uint32_t query, uint32_t count,
		    const struct gpuoa_query_hints *hints, union gpuoa_value *values,
		    struct gpuoa_query_result *results, size_t size, char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size), none = { 0 };
	struct rows rows = { .values = values, .results = (char *)results, .size = size };
	struct gpuoa_query_hints known;
	uint32_t done = 0;
	int n = query_check(pool, query, &complaint);

	if (!n)
		n = take_hints(&known, hints, &complaint);
	if (n)
		return n;
	if (!count)
		return COMPLAIN(&complaint, -EINVAL, "no query is asked for");
	while (done < count) {
		const uint32_t some = count - done < SOME ? count - done : SOME;

		n = get_some(pool, query + done, some, &known, &rows, done ? &none : &complaint);
		if (n < 0)
			return done ? (int)done : n;
		done += (uint32_t)n;
		if ((uint32_t)n < some)
			break;
		rows.values = values ? values + done * gpuoa_calc_output_count(pool->calc) : NULL;
		rows.results = results ? (char *)results + done * size : NULL;
	}
	return (int)done;
}
