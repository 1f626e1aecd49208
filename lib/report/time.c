// SPDX-License-Identifier: MIT
/* time.c - converts timestamps and ticks to times. */
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

uint64_t gpuoa_clock_to_cpu(const struct gpuoa_clock_pair *pair, uint64_t timestamp_frequency,
			    uint64_t gpu_ticks)
{
	uint64_t ns;

	if (gpu_ticks >= pair->gpu_ticks) {
		ns = gpuoa_ticks_to_ns(timestamp_frequency, gpu_ticks - pair->gpu_ticks);
		return ns > UINT64_MAX - pair->cpu_ns ? UINT64_MAX : pair->cpu_ns + ns;
	}
	ns = gpuoa_ticks_to_ns(timestamp_frequency, pair->gpu_ticks - gpu_ticks);
	return ns > pair->cpu_ns ? 0 : pair->cpu_ns - ns;
}

uint64_t gpuoa_report_ticks(uint32_t format, const void *report, uint64_t near)
{
	const struct report_format *known = format_get(format);

	if (!known)
		return 0;
	return ticks_near(near, report_read(report, known->timestamp),
			  field_mask(known->timestamp));
}
