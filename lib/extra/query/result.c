// SPDX-License-Identifier: MIT
/* result.c - the result of a query: completion, consistency checks and values */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/sized.h"
#include "base/ticks.h"
#include "extra/query/pool.h"
#include "gpuoa-query.h"
#include "table/words.h"

/* The caller's reports of a stream that were written between the begin and the end of a query */
struct query_between {
	const char *reports;
	size_t count;
	size_t size; /* size of each report in bytes */
	uint32_t format; /* enum gpuoa_report_format */
};

/* Masks of the flags by severity: info and recoverable; all other flags are errors */
#define INFO_FLAGS 0x000000ffu
#define RECOVERABLE_FLAGS 0x0000ff00u

static const struct {
	uint32_t flag;
	char name[24];
	char description[72];
} flags[] = {
	{ GPUOA_QUERY_FREQUENCY_CHANGE, "frequency_change", "the GPU's clock changed" },
	{ GPUOA_QUERY_CONTEXT_SWITCH, "context_switch", "contexts were switched in between" },
	{ GPUOA_QUERY_SPLIT, "split", "the context gave way to another one, and came back" },
	{ GPUOA_QUERY_EMPTY, "empty", "no time passed between begin and end" },
	{ GPUOA_QUERY_OVERRUN, "overrun", "the OABUFFER overflowed or a report was lost" },
	{ GPUOA_QUERY_WRAP, "wrap", "it took so long that a counter may have wrapped twice" },
	{ GPUOA_QUERY_OTHERS, "others", "what other contexts did is counted, too" },
	{ GPUOA_QUERY_NO_REGISTERS, "no_registers",
	  "registers beside the reports were not stored" },
	{ GPUOA_QUERY_UNPROGRAMMED, "unprogrammed",
	  "the unit may have counted another set, or not at all" },
	{ GPUOA_QUERY_NOT_EXECUTED, "not_executed", "begin or end did not run" },
	{ GPUOA_QUERY_LOST, "lost", "the unit did not write a report" },
	{ GPUOA_QUERY_ID_MISMATCH, "id_mismatch", "a report is not this query's" },
	{ GPUOA_QUERY_CONTEXT_MISMATCH, "context_mismatch", "a report is of another context" },
	{ GPUOA_QUERY_INCONSISTENT, "inconsistent", "times of report and command don't agree" },
};

/* Returns the severity of the worst of these flags. */
static enum gpuoa_severity query_severity(uint32_t mask)
{
	if (mask & ~(INFO_FLAGS | RECOVERABLE_FLAGS))
		return GPUOA_SEVERITY_UNRECOVERABLE;
	return mask & RECOVERABLE_FLAGS ? GPUOA_SEVERITY_RECOVERABLE : GPUOA_SEVERITY_INFO;
}

int gpuoa_query_describe_flag(uint32_t bit, struct gpuoa_query_flag_desc *desc, size_t size)
{
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		const struct gpuoa_query_flag_desc known = {
			.name = flags[i].name,
			.description = flags[i].description,
			.severity = query_severity(flags[i].flag),
		};

		if (bit > 31 || flags[i].flag != UINT32_C(1) << bit)
			continue;
		sized_give(desc, size, &known, sizeof(known));
		return 0;
	}
	return -ENOENT;
}

const char *gpuoa_query_mode_name(enum gpuoa_query_mode mode)
{
	return word_of(WORD_QUERY_MODE, mode);
}

static const char *report_at(const struct query_between *between, size_t index)
{
	return between->reports + index * between->size;
}

/*
 * Return the number of ticks from timestamp @from to that of @report, which must be of the same
 * clock.
 */
static uint64_t ticks_since(const struct report_format *format, uint64_t from, const void *report)
{
	return (report_read(report, format->timestamp) - from) & field_mask(format->timestamp);
}

static struct query_between query_between_find(const struct gpuoa_query_pool *pool,
					       const struct gpuoa_query_hints *hints,
					       const char *begin, const char *end)
{
	const struct report_format *format = format_get(hints->report_format);
	const uint64_t from = report_read(begin, pool->format.timestamp);
	const uint64_t length = ticks_since(&pool->format, from, end);
	const char *report = hints->reports;
	struct query_between between = { .size = format->size, .format = format->id };

	/*
	 * Skip reports from before the query: modulo the width of timestamps, these appear to be
	 * far in the future.
	 */
	for (size_t i = 0; i < hints->report_count; i++, report += format->size) {
		const uint64_t since = ticks_since(format, from, report);

		if (since && since < length && !between.count++)
			between.reports = report;
		else if (between.count && since >= length)
			break;
	}
	return between;
}

/*
 * True if a report is of the query's context. Reports of batches have no bit that says that the
 * context is valid: it always is.
 */
static bool is_own(const struct query_between *between, const struct gpuoa_report_desc *desc,
		   const void *report, uint64_t context)
{
	return desc->has_context &&
	       report_read(report, format_get(between->format)->context) == context;
}

static struct gpuoa_report_desc describe(const struct gpuoa_query_pool *pool,
					 const struct query_between *between, size_t index)
{
	struct gpuoa_report_desc desc = { 0 };

	gpuoa_report_describe(pool->set, between->format, report_at(between, index), &desc,
			      sizeof(desc));
	return desc;
}

/* Add flags and reasons that the stream's reports indicate to the result. */
static void query_between_note(const struct gpuoa_query_pool *pool,
			       const struct query_between *between,
			       struct gpuoa_query_result *result)
{
	bool away = false, split = false;

	for (size_t i = 0; i < between->count; i++) {
		const struct gpuoa_report_desc desc = describe(pool, between, i);
		const bool own = is_own(between, &desc, report_at(between, i), result->context_id);

		result->reasons |= desc.reason;
		if (!(desc.reason & GPUOA_REASON_CONTEXT_SWITCH))
			continue;
		split |= away && own;
		away = !own;
	}
	result->reports_between = (uint32_t)between->count;
	if (result->reasons & GPUOA_REASON_CONTEXT_SWITCH)
		result->flags |= GPUOA_QUERY_CONTEXT_SWITCH;
	if (result->reasons & GPUOA_REASON_CLOCK)
		result->flags |= GPUOA_QUERY_FREQUENCY_CHANGE;
	/*
	 * The end report was written by the query's context, so this context ran again even if no
	 * report shows it.
	 */
	if (split || away)
		result->flags |= GPUOA_QUERY_SPLIT;
}

/* True if reports of the query and of the stream contain the same counters. */
static bool has_counters_of_stream(const struct gpuoa_query_pool *pool,
				   const struct query_between *between)
{
	return !pool->hardware->own_counters && between->format == pool->format.id;
}

/*
 * True if query reports count all contexts and the stream's reports identify contexts. Then
 * query_between_run() yields more precise values than the two reports of the query alone.
 */
static bool query_between_tells_contexts(const struct gpuoa_query_pool *pool,
					 const struct query_between *between)
{
	return between->count && has_counters_of_stream(pool, between) &&
	       pool->format.context.bits && pool->options.mode != GPUOA_QUERY_GLOBAL;
}

/*
 * Return the fraction of its range by which a counter can have advanced at most. A counter of one
 * context advances at most as much as the counter of the whole unit in the stream's reports.
 */
static double part_counted(const struct query_between *between, struct report_field field,
			   uint64_t edges, uint64_t longest)
{
	double count = 0;

	for (size_t i = 1; i < between->count; i++)
		count += (double)((report_read(report_at(between, i), field) -
				   report_read(report_at(between, i - 1), field)) &
				  field_mask(field));
	return (double)edges / (double)longest + ldexp(count, -(int)field.bits);
}

static struct report_field field_of(const struct report_format *format,
				    const struct program_input *input)
{
	return input->source < COUNTER_COUNT ? format_counter(format, input->source) :
					       format->clock;
}

/*
 * True if no counter has wrapped unnoticed: either it cannot have wrapped twice in @ticks, or the
 * stream's reports show every wrap.
 */
static bool query_between_excludes_wraps(const struct gpuoa_query_pool *pool,
					 const struct query_between *between, const char *begin,
					 const char *end, uint64_t ticks)
{
	const struct report_format *format = format_get(between->format);
	const struct program *program = pool->calc->program;
	const uint64_t from = report_read(begin, pool->format.timestamp);
	const uint64_t length = ticks_since(&pool->format, from, end);
	uint64_t last = 0, pause = 0, edges;

	/* If the timestamp of reports may have wrapped, the order of the reports is unknown. */
	if (!between->count || ticks > pool->longest[INPUT_TICKS])
		return false;
	for (size_t i = 0; i < between->count; i++) {
		const uint64_t since = ticks_since(format, from, report_at(between, i));

		pause = since - last > pause ? since - last : pause;
		last = since;
	}
	edges = length - last + ticks_since(format, from, between->reports);
	pause = length - last > pause ? length - last : pause;
	for (uint32_t i = 0; i < program->input_count; i++) {
		const struct program_input *input = &program->inputs[i];
		struct report_field field;

		if (i == INPUT_TICKS || ticks <= pool->longest[i])
			continue;
		if (pause > pool->longest[i])
			return false;
		if (has_counters_of_stream(pool, between))
			continue;
		field = field_of(format, input);
		if (field.bits != input->field.bits ||
		    part_counted(between, field, edges, pool->longest[i]) >= 1)
			return false;
	}
	return true;
}

/*
 * Convert a stream's report to a query report, with the registers stored alongside report @begin.
 */
static const char *as_snapshot(struct gpuoa_query_pool *pool, const char *begin, const char *report)
{
	const uint32_t size = pool->notes_offset;

	memcpy(pool->scratch, report, size);
	memcpy(pool->scratch + size, begin + size, pool->format.size - size);
	return pool->scratch;
}

static void run_one(struct gpuoa_query_pool *pool, const char *snapshot)
{
	size_t used;

	gpuoa_calc_run(pool->calc, snapshot, 1, pool->row, NULL, 1, &used);
}

/*
 * Calculate the values over the intervals between the reports. @alone: only over those intervals in
 * which the query's context ran
 */
static void query_between_run(struct gpuoa_query_pool *pool, const struct query_between *between,
			      const char *begin, const char *end, bool alone,
			      union gpuoa_value *values)
{
	const uint64_t context = report_read(begin, pool->format.context);
	bool runs = true;

	/* Discard the sums of deltas of earlier queries. */
	calc_take_sums(pool->calc, pool->calc->total_sums);
	run_one(pool, begin);
	for (size_t i = 0; i < between->count; i++) {
		const struct gpuoa_report_desc desc = describe(pool, between, i);
		const char *report = report_at(between, i);
		const bool own = !alone || is_own(between, &desc, report, context);

		if (runs || own)
			run_one(pool, as_snapshot(pool, begin, report));
		if (!own)
			gpuoa_calc_discontinuity(pool->calc);
		runs = own;
	}
	run_one(pool, end);
	if (gpuoa_calc_total(pool->calc, values, NULL, true))
		memset(values, 0, gpuoa_calc_output_count(pool->calc) * sizeof(*values));
}

/* Size of the hints in the first version of the library. */
#define HINTS_SIZE_MIN sizeof(struct gpuoa_query_hints)

/* A query whose end commands have been requested, and its reports in memory */
struct finding {
	const struct gpuoa_query_pool *pool;
	const struct query *query;
	const char *begin;
	const char *end;
	/* duration of the query: the larger one by timestamps of reports or of commands */
	uint64_t ticks;
	struct gpuoa_query_result result;
};

/*
 * Read the tag that the GPU writes last. The acquire barrier makes all earlier writes of the GPU
 * visible.
 */
static uint64_t tag_of(const struct gpuoa_query_pool *pool, const char *report)
{
	return __atomic_load_n(&query_notes(pool, report)->tag, __ATOMIC_ACQUIRE);
}

static bool has_ended(const struct finding *finding)
{
	return tag_of(finding->pool, finding->end) == finding->query->id + 1;
}

/*
 * Record that a query has ended, if the unit's state has not changed since its begin. Later changes
 * do not affect the result. The state is unknown if the pool has no stream.
 */
static void note_end(const struct gpuoa_query_pool *pool, struct query *query)
{
	query->seen |= !pool->programmed || query->programmed == pool->programmed->state;
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

static void note_commands(struct finding *finding)
{
	struct gpuoa_query_result *result = &finding->result;

	result->begin_command_ticks = query_notes(finding->pool, finding->begin)->ticks;
	result->end_command_ticks = query_notes(finding->pool, finding->end)->ticks;
}

static void note_registers(struct finding *finding)
{
	const struct gpuoa_query_pool *pool = finding->pool;
	const struct query_notes *begin = query_notes(pool, finding->begin);
	const struct query_notes *end = query_notes(pool, finding->end);
	struct gpuoa_query_result *result = &finding->result;

	result->begin_hz = frequency_of(pool, begin->frequency);
	result->end_hz = frequency_of(pool, end->frequency);
	if (result->begin_hz != result->end_hz)
		result->flags |= GPUOA_QUERY_FREQUENCY_CHANGE;
	if (lacks_registers(pool, begin) || lacks_registers(pool, end))
		result->flags |= GPUOA_QUERY_NO_REGISTERS;
	else if (pool->desc.registers & GPUOA_QUERY_REGISTER_STATUS &&
		 (begin->status | end->status) & QUERY_STATUS_OVERRUN)
		result->flags |= GPUOA_QUERY_OVERRUN;
}

/* True if the report is missing: nothing was written, or a disabled unit wrote only the id. */
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
 * Limits for the duration of a query by reports, compared to that by commands. The two clocks run
 * at the same rate, or one at twice the rate of the other. If the durations differ more than that,
 * even with time for the commands themselves, the reports are not of one query.
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
	if (!(result->flags & GPUOA_QUERY_NOT_EXECUTED))
		note_commands(finding);
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

/*
 * Maximum number of queries that are calculated one by one, because a batch costs the same for 1
 * and for 16 queries.
 */
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
	if (!run_few(pool, first, count, near, values))
		calc_run_pairs(pool->calc, first->begin, count, near, values);
}

static void run_between(struct gpuoa_query_pool *pool, const struct query_between *between,
			const struct finding *finding, bool alone, union gpuoa_value *values)
{
	gpuoa_calc_discontinuity(pool->calc);
	gpuoa_calc_set_time_base(pool->calc, finding->result.interval.begin);
	query_between_run(pool, between, finding->begin, finding->end, alone, values);
}

/* Calculate the values of one query, using the reports of a stream. */
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
	union gpuoa_value *values; /* buffer for the values of each query; may be NULL */
	char *results; /* buffer for the result structs; may be NULL */
	size_t size; /* size of each result in bytes */
};

static void give_result(const struct rows *rows, size_t index, const struct finding *finding)
{
	if (rows->results)
		sized_give(rows->results + index * rows->size, rows->size, &finding->result,
			   sizeof(finding->result));
}

/*
 * Get results of consecutive queries, from @query on. Returns their number, or a negative errno if
 * the first one has no result.
 */
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
