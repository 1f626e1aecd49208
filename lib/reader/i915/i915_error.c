// SPDX-License-Identifier: MIT
/* i915_error.c - describe why i915-perf cannot open a stream */
#include <errno.h>
#include <inttypes.h>

#include "base/nsec.h"
#include "reader/drm/drm_stream.h"
#include "reader/drm/drm_user.h"
#include "reader/i915/i915.h"
#include "reader/stream/stream.h"
#include "reader/stream/stream_error.h"

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
	struct gpuoa_unit_user use = { .process = 0 };
	char user[64];

	drm_user_find("anon_inode:[i915_perf]", &use);
	stream_user(&use, user, sizeof(user));
	complaint_print(
		complaint,
		"%s is in use%s: i915-perf serves one program at a time; stop that one, or use gpuoa.ko, which shares units",
		unit->name, user);
}

/* Describe the option that i915-perf does not support. */
static const char *lacks(const struct gpuoa_stream_options *options)
{
	const char *what = drm_stream_lacks(options);

	return what ? what : "does without reports on gen12 only, and for one context";
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
		complaint_print(complaint, "%s: i915-perf %s", unit->name, lacks(options));
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
	case -ERANGE:
		if (!options->poll_period_ns || options->poll_period_ns >= I915_POLL_PERIOD_MIN_NS)
			return false;
		complaint_print(complaint,
				"i915 looks for reports of %s each %" PRIu64
				" ns at the most often: ask for a longer poll_period_ns",
				unit->name, I915_POLL_PERIOD_MIN_NS);
		return true;
	case -ENODEV:
		if (!unit_check(stream->unit))
			complaint_print(complaint, "i915 cannot measure %s", unit->name);
		return !unit_check(stream->unit);
	default:
		return false;
	}
}
