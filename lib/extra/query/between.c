// SPDX-License-Identifier: MIT
/* between.c - use a stream's reports to analyze the time between a query's two reports */
#include "extra/query/between.h"

#include <math.h>
#include <string.h>

static const char *report_at(const struct query_between *between, size_t index)
{
	return between->reports + index * between->size;
}

/* Ticks from @from to @report. Both must be timestamps of the same clock. */
static uint64_t ticks_since(const struct report_format *format, uint64_t from, const void *report)
{
	return (report_read(report, format->timestamp) - from) & field_mask(format->timestamp);
}

struct query_between query_between_find(const struct gpuoa_query_pool *pool,
					const struct gpuoa_query_hints *hints, const char *begin,
					const char *end)
{
	const struct report_format *format = format_get(hints->report_format);
	const uint64_t from = report_read(begin, pool->format.timestamp);
	const uint64_t length = ticks_since(&pool->format, from, end);
	const char *report = hints->reports;
	struct query_between between = { .size = format->size, .format = format->id };

	/*
	 * Reports from before the query appear far in the future, modulo the width of the
	 * timestamp.
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

/* Reports of a query have no context-valid bit: their context is always valid. */
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

void query_between_note(const struct gpuoa_query_pool *pool, const struct query_between *between,
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
	 * The end report is the context's own, so the context came back even if no report shows it.
	 */
	if (result->has_context && (split || away))
		result->flags |= GPUOA_QUERY_SPLIT;
}

/* True if the query's reports and the stream's contain the same counters. */
static bool has_counters_of_stream(const struct gpuoa_query_pool *pool,
				   const struct query_between *between)
{
	return !pool->hardware->own_counters && between->format == pool->format.id;
}

bool query_between_tells_contexts(const struct gpuoa_query_pool *pool,
				  const struct query_between *between)
{
	return between->count && has_counters_of_stream(pool, between) &&
	       pool->format.context.bits && pool->options.mode != GPUOA_QUERY_GLOBAL;
}

/*
 * Fraction of its range that a counter can have advanced. A counter of one context advances at most
 * as much as the unit's counter in the stream's reports.
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

bool query_between_excludes_wraps(const struct gpuoa_query_pool *pool,
				  const struct query_between *between, const char *begin,
				  const char *end, uint64_t ticks)
{
	const struct report_format *format = format_get(between->format);
	const struct program *program = pool->calc->program;
	const uint64_t from = report_read(begin, pool->format.timestamp);
	const uint64_t length = ticks_since(&pool->format, from, end);
	uint64_t last = 0, pause = 0, edges;

	/* If the timestamp wrapped, the order of the reports is unknown. */
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

/* Convert a stream's report to a query report; the registers are those of @begin. */
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

void query_between_run(struct gpuoa_query_pool *pool, const struct query_between *between,
		       const char *begin, const char *end, bool alone, union gpuoa_value *values)
{
	const uint64_t context = report_read(begin, pool->format.context);
	bool runs = true;

	/* Discard the sums of earlier queries. */
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
