// SPDX-License-Identifier: GPL-2.0-only
/*
 * filter.c - reports for one context only: pure logic.
 */
#include <linux/string.h>

#include "filter.h"
#include "oa.h"

/**
 * DOC: Counters that stand still
 *
 * From gen8 on the counters of an OA unit count for all contexts. But the unit writes a report
 * whenever contexts are switched, and reports say whom they are for. So time falls into intervals
 * between two reports, and an interval belongs to the context that runs from its first report on.
 *
 * A filtered stream gets the reports at both ends of its context's intervals and no others. That
 * alone would not do: the counters would still tell what others did in between. So they are
 * rewritten to begin at 0 and to stand still while others run, as if the hardware had filtered.
 * Timestamps stay true. A report at the end of an interval, from which on somebody else runs, does
 * not say who: its context id becomes GPUOA_CONTEXT_NOBODY.
 *
 * A report of the timer may show the next context before the switch report comes, with some work of
 * both. Then the interval is not the context's alone, and nothing of it is counted: to miss a
 * little is better than to show what is not the reader's business. Likewise for an interval in
 * which reports were lost.
 *
 * Haswell's hardware filters: its counters do stand still while others run. But they begin with
 * what was counted for whoever had the unit before, so they are rewritten to begin at 0 as well.
 */

/**
 * gpuoa_filter_init - see nothing yet
 * @filter: the filter
 * @hw: the unit
 */
void gpuoa_filter_init(struct gpuoa_filter *filter, const struct gpuoa_hw *hw)
{
	memset(filter, 0, sizeof(*filter));
	filter->hw = hw;
}

/**
 * gpuoa_filter_gap - reports are missing from here on
 * @filter: the filter
 *
 * Whether the context runs is not known any more; whoever else ran is taken to go on. Counters
 * continue from where they were.
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
 * gpuoa_filter_report - may this report be seen?
 * @filter: the filter
 * @report: the report, which comes after all that were passed before; rewritten if it may
 *
 * Return: true if it may
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

	/* Was the interval that ends here all of the context's? Else counters stood still. */
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
 * gpuoa_filter_by_report - does the context run, where each report tells who does?
 * @filter: the filter
 * @report: the report
 *
 * Gen8 to gen12.0. If the context id is not valid the engine is idle.
 *
 * Return: true if it does
 */
bool gpuoa_filter_by_report(struct gpuoa_filter *filter, const void *report)
{
	return filter_is_ours(filter, report);
}

/**
 * gpuoa_filter_by_switch - does the context run alone, where only switch reports tell?
 * @filter: the filter
 * @report: the report
 *
 * From gen12.5 on several engines run contexts at the same time, and share what the counters count.
 * A switch report is for one of them: its source. It names the context that begins, or none.
 * Nothing else is to be learned from other reports: there, the id's place may hold a marker.
 *
 * Return: true if the context runs and no other one is known to
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
