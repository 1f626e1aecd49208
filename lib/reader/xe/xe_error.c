// SPDX-License-Identifier: MIT
/* xe_error.c - describe why xe cannot open a stream */
#include <errno.h>
#include <inttypes.h>

#include "reader/drm/drm_stream.h"
#include "reader/drm/drm_user.h"
#include "reader/stream/stream_error.h"
#include "reader/xe/xe.h"

/* Describe the option that xe does not support. */
static const char *lacks(const struct gpuoa_stream_options *options)
{
	const char *what = drm_stream_lacks(options);

	if (what)
		return what;
	if (options->query_only && !options->context_filter)
		return "does without reports for one exec queue only";
	if (options->query_only)
		return "has counters of contexts on the render and compute engines only";
	return "filters no reports: they are of all contexts. Ask for query_only, and have the queue's batches report";
}

static void complain_of_use(const struct complaint *complaint, const struct gpuoa_unit_desc *unit)
{
	struct gpuoa_unit_user use = { .process = 0 };
	char user[64];

	drm_user_find("anon_inode:[xe_oa]", &use);
	stream_user(&use, user, sizeof(user));
	complaint_print(complaint, "%s is in use%s: xe serves one program at a time; stop that one",
			unit->name, user);
}

bool xe_complain(const struct complaint *complaint, const struct stream *stream,
		 const struct gpuoa_stream_options *options, int err)
{
	const struct gpuoa_unit_desc *unit = &stream->unit->desc;

	switch (err) {
	case -EACCES:
		complaint_print(
			complaint,
			"may not sample %s: run as root or with CAP_PERFMON, or set dev.xe.observation_paranoid (now %ld) to 0",
			unit->name, stream_sysctl("/proc/sys/dev/xe/observation_paranoid"));
		return true;
	case -EBUSY:
		complain_of_use(complaint, unit);
		return true;
	case -EOPNOTSUPP:
		complaint_print(complaint, "%s: xe %s", unit->name, lacks(options));
		return true;
	case -ENOENT:
		complaint_print(complaint, "%s: the DRM file has no exec queue %" PRIu32,
				unit->name, options->context);
		return true;
	case -EINVAL:
		complaint_print(
			complaint,
			"xe refuses this stream of %s: the set was removed meanwhile, the unit has no such report format, "
			"or counts nothing for the exec queue",
			unit->name);
		return true;
	case -ENODEV:
		if (!unit_check(stream->unit))
			complaint_print(complaint, "xe cannot measure %s: it has no OA unit in use",
					unit->name);
		return !unit_check(stream->unit);
	default:
		return false;
	}
}
