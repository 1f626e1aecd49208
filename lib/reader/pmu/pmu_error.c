// SPDX-License-Identifier: MIT
/* pmu_error.c - describe why gpuoa.ko or perf cannot open a stream */
#include <errno.h>
#include <unistd.h>

#include "reader/pmu/pmu.h"
#include "reader/stream/stream_error.h"

static void complain_of_access(const struct complaint *complaint,
			       const struct gpuoa_unit_desc *unit,
			       const struct gpuoa_stream_options *options)
{
	if (options->context_filter && !options->query_only &&
	    unit->features & GPUOA_UNIT_QUERY_ONLY)
		complaint_print(
			complaint,
			"may not sample %s: while it is on, batches could read what it counts for others; run as root or with "
			"CAP_PERFMON, or ask for query_only and have batches report",
			unit->name);
	else if (!access("/sys/module/gpuoa_i915", F_OK) &&
		 !stream_sysctl("/proc/sys/dev/gpuoa/paranoid"))
		complaint_print(
			complaint,
			"may not sample %s: run as root or with CAP_PERFMON, or set dev.i915.perf_stream_paranoid (now %ld) to 0 "
			"and stay below dev.i915.oa_max_sample_rate (now %ld Hz) and dev.gpuoa.max_sample_rate (now %ld Hz)",
			unit->name, stream_sysctl("/proc/sys/dev/i915/perf_stream_paranoid"),
			stream_sysctl("/proc/sys/dev/i915/oa_max_sample_rate"),
			stream_sysctl("/proc/sys/dev/gpuoa/max_sample_rate"));
	else
		complaint_print(
			complaint,
			"may not sample %s: run as root or with CAP_PERFMON, or set dev.gpuoa.paranoid (now %ld) to 0, "
			"lower kernel.perf_event_paranoid (now %ld) to 0 and stay below dev.gpuoa.max_sample_rate (now %ld Hz)",
			unit->name, stream_sysctl("/proc/sys/dev/gpuoa/paranoid"),
			stream_sysctl("/proc/sys/kernel/perf_event_paranoid"),
			stream_sysctl("/proc/sys/dev/gpuoa/max_sample_rate"));
}

bool pmu_complain(const struct complaint *complaint, const struct stream *stream,
		  const struct gpuoa_stream_options *options, int err)
{
	const struct gpuoa_unit_desc *unit = &stream->unit->desc;

	switch (err) {
	case -EACCES:
		complain_of_access(complaint, unit, options);
		return true;
	case -EPERM:
		complaint_print(
			complaint,
			"may not lock the memory for %s's reports: raise kernel.perf_event_mlock_kb (now %ld) or the limit "
			"'ulimit -l', or run with CAP_IPC_LOCK",
			unit->name, stream_sysctl("/proc/sys/kernel/perf_event_mlock_kb"));
		return true;
	case -EINVAL:
		complaint_print(
			complaint,
			"the kernel refuses this configuration of %s: library and gpuoa.ko may be of different versions",
			unit->name);
		return true;
	case -EOPNOTSUPP:
		if (options->delivery != GPUOA_DELIVERY_AUX || unit->features & GPUOA_UNIT_AUX)
			return false;
		complaint_print(
			complaint,
			"%s has no AUX area, as its reports go to a buffer of the GPU's driver: ask for GPUOA_DELIVERY_RAW",
			unit->name);
		return true;
	default:
		return false;
	}
}
