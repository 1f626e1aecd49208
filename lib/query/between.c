// SPDX-License-Identifier: MIT
/* between.c - what a stream's reports tell of the time between a query's two. */
#include "query/between.h"

#include <string.h>

static const char *report_at(const struct query_between *between, size_t index)
{
	return between->reports + index * between->size;
}

/* How long after @from is @report? Both are of formats whose timestamps are those of one clock. */
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

	/* Time goes on: those of before are far ahead modulo the timestamp's bits. */
	for (size_t i = 0; i < hints->report_count; i++, report += format->size) {
		const uint64_t since = ticks_since(format, from, report);

		if (since && since < length && !between.count++)
			between.reports = report;
		else if (between.count && since >= length)
			break;
	}
	return between;
}

/* Reports of a query have no bit that says so: their contexts always are valid. */
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
	/* The end is the context's own, so that it came back even if no report says so. */
	if (result->has_context && (split || away))
		result->flags |= GPUOA_QUERY_SPLIT;
}

bool query_between_tells_contexts(const struct gpuoa_query_pool *pool,
				  const struct query_between *between)
{
	return between->count && !pool->hardware->own_counters && pool->format.context.bits &&
	       pool->options.mode != GPUOA_QUERY_GLOBAL && between->format == pool->format.id;
}

/* A report of the stream, as if it were one of the query: of registers nothing is known. */
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
		       const char *begin, const char *end, union gpuoa_value *values)
{
	const uint64_t context = report_read(begin, pool->format.context);
	bool runs = true;

	/* Forget the sums of queries before. */
	calc_take_sums(pool->calc, pool->calc->total_sums);
	run_one(pool, begin);
	for (size_t i = 0; i < between->count; i++) {
		const struct gpuoa_report_desc desc = describe(pool, between, i);
		const char *report = report_at(between, i);
		const bool own = is_own(between, &desc, report, context);

		if (runs || own)
			run_one(pool, as_snapshot(pool, begin, report));
		if (!own)
			gpuoa_calc_gap(pool->calc);
		runs = own;
	}
	run_one(pool, end);
	if (gpuoa_calc_total(pool->calc, values, NULL, true))
		memset(values, 0, gpuoa_calc_columns(pool->calc) * sizeof(*values));
}
