// SPDX-License-Identifier: MIT
/* report_header.c - describe the header of a report according to its platform */
#include <errno.h>

#include "base/sized.h"
#include "calc/calc.h"

/*
 * Evaluate information item @symbol of a report with this header. Returns false if the platform
 * does not have the item.
 */
static bool read_item(const struct gpuoa_set *set, const char *symbol,
		      const struct evaluation *header, uint32_t *value)
{
	const struct gpuoa_info *info = gpuoa_set_find_info(set, symbol);

	if (!info)
		return false;
	*value = evaluate(table_follow(&info->equation), header, GPUOA_TYPE_UINT64).integer;
	return true;
}

static void read_context(const struct gpuoa_set *set, const struct evaluation *header,
			 struct gpuoa_report_desc *desc)
{
	uint32_t valid = 0;

	if (!read_item(set, "ContextIdValid", header, &valid) || !valid)
		return;
	desc->has_context = read_item(set, "ContextId", header, &desc->context_id);
}

uint32_t gpuoa_report_reasons(const struct gpuoa_set *set)
{
	const uint32_t always = GPUOA_REASON_TIMER | GPUOA_REASON_TRIGGER_1 |
				GPUOA_REASON_TRIGGER_2 | GPUOA_REASON_CONTEXT_SWITCH |
				GPUOA_REASON_IDLE | GPUOA_REASON_CLOCK;

	if (!gpuoa_set_find_info(set, "ReportReason"))
		return 0;
	/* Platforms with SourceId also have MMIO triggers. */
	return gpuoa_set_find_info(set, "SourceId") ? always | GPUOA_REASON_MMIO : always;
}

int gpuoa_report_describe(const struct gpuoa_set *set, uint32_t format, const void *report,
			  struct gpuoa_report_desc *desc, size_t size)
{
	const struct report_format *known_format = format_get(format);
	struct gpuoa_report_desc known = { 0 };
	struct evaluation header;

	if (!known_format)
		return -EINVAL;
	/* None of these items needs a constant. */
	header = calc_header(known_format, NULL, report);
	known.timestamp = header.timestamp;
	known.clock = header.clock;
	known.has_clock = known_format->clock.bits;
	known.has_reason = read_item(set, "ReportReason", &header, &known.reason);
	known.has_frequency = read_item(set, "CoreFrequencyMHz", &header, &known.frequency_mhz);
	known.has_trigger = read_item(set, "SourceId", &header, &known.trigger);
	read_context(set, &header, &known);
	/*
	 * A report triggered by MMIO has the written number in place of the context, unless it also
	 * reports a context switch.
	 */
	known.has_marker = known.has_reason && known.reason & GPUOA_REASON_MMIO &&
			   !known.has_context;
	known.marker = known.has_marker ? header.context_id : 0;
	sized_give(desc, size, &known, sizeof(known));
	return 0;
}
