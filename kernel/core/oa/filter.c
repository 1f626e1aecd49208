// SPDX-License-Identifier: GPL-2.0-only
/* filter.c - software filter that restricts a stream to the reports of one context. */
#include <linux/string.h>

#include "filter.h"
#include "oa.h"

/**
 * DOC: Context filter
 *
 * From gen8 on, the OA counters count for all contexts. The unit writes a report at each context
 * switch, and reports carry a context id. Time is therefore divided into intervals between reports,
 * and an interval belongs to the context that runs from its first report on.
 *
 * A filtered stream forwards the reports at both ends of the context's intervals and drops the
 * others. The counters in these reports would still reveal the activity of other contexts between
 * the intervals. The filter therefore rewrites them to start at 0 and to stop while other contexts
 * run, as if the hardware had filtered. Timestamps are unchanged. In a report that begins an
 * interval of another context, the context id is replaced by GPUOA_CONTEXT_NOBODY.
 *
 * A timer report may show the next context before the switch report arrives. The interval then
 * contains work of both contexts, so it is not counted: the filter undercounts rather than leak
 * data of another context. An interval with lost reports is not counted either.
 *
 * Haswell filters in hardware: its counters stop while other contexts run. They start with the
 * counts of the unit's previous user, so they are rewritten to start at 0.
 */

/**
 * gpuoa_filter_init() - Initialize a context filter.
 * @filter: filter
 * @hw: OA unit
 */
void gpuoa_filter_init(struct gpuoa_filter *filter, const struct gpuoa_hw *hw)
{
	memset(filter, 0, sizeof(*filter));
	filter->hw = hw;
}

/**
 * gpuoa_filter_gap() - Handle missing reports.
 * @filter: filter
 *
 * Assume that the filter's context does not run and that other contexts continue to run. Counters
 * continue from their last filtered values.
 */
void gpuoa_filter_gap(struct gpuoa_filter *filter)
{
	filter->inside = false;
	filter->ours = 0;
}

static void filter_begin_at_0(struct gpuoa_filter *filter, void *report)
{
	const struct gpuoa_format_desc *format = filter->hw->format;

	if (!filter->based)
		memcpy(filter->base, report, format->size);
	filter->based = true;
	gpuoa_report_subtract(format, report, report, filter->base);
}

/**
 * gpuoa_filter_report() - Filter the next report.
 * @filter: filter
 * @report: report, in stream order; rewritten if it is forwarded
 *
 * Return: true if the report is to be forwarded
 */
bool gpuoa_filter_report(struct gpuoa_filter *filter, void *report)
{
	const struct gpuoa_hw *hw = filter->hw;
	const struct gpuoa_format_desc *format = hw->format;
	bool before = filter->inside;
	u32 reason;
	bool runs;

	if (!hw->oa->context_runs) {
		filter_begin_at_0(filter, report);
		return true;
	}

	reason = gpuoa_report_id_field(report, hw->oa->id->reason);
	runs = hw->oa->context_runs(filter, report);
	filter->inside = runs;
	if (!before && !runs)
		return false;

	/* Exclude the interval from the counters unless it belonged to the context alone. */
	if (!before || !(runs || reason & GPUOA_REASON_CONTEXT_SWITCH))
		gpuoa_report_subtract(format, filter->base, report, filter->last);
	gpuoa_report_subtract(format, report, report, filter->base);
	memcpy(filter->last, report, format->size);
	if (!runs)
		*gpuoa_report_context(format, report) = GPUOA_CONTEXT_NOBODY;

	return true;
}

static bool filter_is_ours(const struct gpuoa_filter *filter, const void *report)
{
	const struct gpuoa_hw *hw = filter->hw;
	u32 id = *gpuoa_report_context(hw->format, report);

	return gpuoa_report_id_field(report, hw->oa->id->context_valid) &&
	       (id & hw->context_mask) == hw->context;
}

/**
 * gpuoa_filter_by_report() - Check whether the context runs, by the report's context id.
 * @filter: filter
 * @report: report
 *
 * For gen8 to gen12.0, where every report carries a context id. The engine is idle if the id is not
 * valid.
 *
 * Return: true if the context runs
 */
bool gpuoa_filter_by_report(struct gpuoa_filter *filter, const void *report)
{
	return filter_is_ours(filter, report);
}

/**
 * gpuoa_filter_by_switch() - Check whether the context runs alone, by switch reports.
 * @filter: filter
 * @report: report
 *
 * From gen12.5 on, several engines run contexts at the same time and the counters count for all of
 * them. A switch report is about one engine, its source, and carries the id of the context that
 * begins there, or none. Other reports are ignored, because they may hold a marker instead of the
 * context id.
 *
 * Return: true if the context runs and no other context is known to run
 */
bool gpuoa_filter_by_switch(struct gpuoa_filter *filter, const void *report)
{
	const struct gpuoa_id_layout *id = filter->hw->oa->id;
	u64 source;

	if (gpuoa_report_id_field(report, id->reason) & GPUOA_REASON_CONTEXT_SWITCH) {
		source = BIT_ULL(gpuoa_report_id_field(report, id->source));
		filter->ours &= ~source;
		filter->others &= ~source;
		if (filter_is_ours(filter, report))
			filter->ours |= source;
		else if (gpuoa_report_id_field(report, id->context_valid))
			filter->others |= source;
	}

	return filter->ours && !filter->others;
}
