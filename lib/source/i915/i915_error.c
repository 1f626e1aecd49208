// SPDX-License-Identifier: MIT
/*
 * i915_error.c - what keeps i915-perf from opening a stream, in words
 */
#include <errno.h>
#include <inttypes.h>

#include "base/nsec.h"
#include "source/i915/i915.h"
#include "source/i915/i915_user.h"
#include "source/stream/stream.h"
#include "source/stream/stream_error.h"

static void complain_of_access(const struct complaint *complaint,
			       const struct gpuoa_unit_desc *unit,
			       const struct gpuoa_stream_options *options)
{
	const long limit = stream_sysctl("/proc/sys/dev/i915/oa_max_sample_rate");
	const uint64_t rate = options->period_ns ? NSEC_PER_SEC / options->period_ns : 0;

	if (limit >= 0 && rate > (uint64_t)limit)
		complaint_print(
			complaint,
			"may not sample %s %" PRIu64
			" times a second: run as root or with CAP_PERFMON, or raise dev.i915.oa_max_sample_rate (now %ld Hz)",
			unit->name, rate, limit);
	else
		complaint_print(
			complaint,
			"may not sample %s: run as root or with CAP_PERFMON, or set dev.i915.perf_stream_paranoid (now %ld) to 0",
			unit->name, stream_sysctl("/proc/sys/dev/i915/perf_stream_paranoid"));
}

static void complain_of_use(const struct complaint *complaint, const struct gpuoa_unit_desc *unit)
{
	struct gpuoa_unit_use use = { .process = 0 };
	char user[64];

	i915_user_find(&use);
	stream_user(&use, user, sizeof(user));
	complaint_print(
		complaint,
		"%s is in use%s: i915-perf serves one program at a time; stop that one, or use gpuoa.ko, which shares units",
		unit->name, user);
}

static void complain_of_support(const struct complaint *complaint,
				const struct gpuoa_unit_desc *unit,
				const struct gpuoa_stream_options *options)
{
	const char *what = "cannot do this";

	if (options->overwrite)
		what = "has no flight recorder: reports are lost when nobody reads them";
	else if (options->delivery == GPUOA_DELIVERY_AUX)
		what = "has no AUX mode: reports are copied";
	else if (options->batches)
		what = "does not have batches reported";
	else if (options->context_hw_id)
		what = "knows contexts by an open DRM file and a handle of its only, not by what reports show";
	else if (options->no_reports)
		what = "does without reports on gen12 only, and for one context";
	complaint_print(complaint, "%s: i915-perf %s", unit->name, what);
}

bool i915_complain(const struct complaint *complaint, const struct stream *stream,
		   const struct gpuoa_stream_options *options, int err)
{
	const struct gpuoa_unit_desc *unit = &stream->unit->desc;

	switch (err) {
	case -EACCES:
		complain_of_access(complaint, unit, options);
		return true;
	case -EBUSY:
		complain_of_use(complaint, unit);
		return true;
	case -EOPNOTSUPP:
		complain_of_support(complaint, unit, options);
		return true;
	case -ENOENT:
		complaint_print(complaint, "%s: the DRM file has no context %" PRIu32, unit->name,
				options->context);
		return true;
	case -EINVAL:
		complaint_print(
			complaint,
			"i915 refuses this stream of %s: the set was removed meanwhile, or the GPU has no such report format",
			unit->name);
		return true;
	case -EIO:
		complaint_print(
			complaint,
			"i915 cannot program %s: the GPU hangs, or was declared wedged ('dmesg' tells)",
			unit->name);
		return true;
	case -ENODEV:
		if (!unit_check(stream->unit))
			complaint_print(complaint, "i915 cannot measure %s", unit->name);
		return !unit_check(stream->unit);
	default:
		return false;
	}
}
