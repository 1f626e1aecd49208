// SPDX-License-Identifier: MIT
/* time.c - convert timestamps and ticks to time */
#include "base/nsec.h"
#include "base/ticks.h"
#include "gpuoa.h"
#include "report/format.h"

uint64_t gpuoa_ticks_to_ns(uint64_t timestamp_frequency, uint64_t ticks)
{
	unsigned __int128 ns;

	if (!timestamp_frequency)
		return 0;
	ns = (unsigned __int128)ticks * NSEC_PER_SEC / timestamp_frequency;
	return ns > UINT64_MAX ? UINT64_MAX : (uint64_t)ns;
}

uint64_t gpuoa_report_ticks(uint32_t format, const void *report, uint64_t near)
{
	const struct report_format *known = format_get(format);

	if (!known)
		return 0;
	return ticks_near(near, report_read(report, known->timestamp),
			  field_mask(known->timestamp));
}
