// SPDX-License-Identifier: MIT
/*
 * xe_error.c - what keeps xe from opening a stream, in words
 */
#include <errno.h>
#include <inttypes.h>

#include "source/stream/stream.h"
#include "source/stream/stream_error.h"
#include "source/xe/xe.h"

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
		what = "knows contexts by an open DRM file and an exec queue of its only";
	else if (options->no_reports && !options->context_filter)
		what = "does without reports for one exec queue only";
	else if (options->no_reports)
		what = "has counters of contexts on the render and compute engines only";
	else if (options->context_filter)
		what = "filters no reports: they are of all contexts. Ask for no_reports, "
		       "and have the queue's batches report";
	complaint_print(complaint, "%s: xe %s", unit->name, what);
}

bool xe_complain(const struct complaint *complaint, const struct stream *stream,
		 const struct gpuoa_stream_options *options, int err)
{
	const struct gpuoa_unit_desc *unit = &stream->unit->desc;

	switch (err) {
	case -EACCES:
		complaint_print(complaint,
				"may not sample %s: run as root or with CAP_PERFMON, or "
				"set dev.xe.observation_paranoid (now %ld) to 0",
				unit->name, stream_sysctl("/proc/sys/dev/xe/observation_paranoid"));
		return true;
	case -EBUSY:
		complaint_print(complaint,
				"%s is in use: xe serves one program at a time; stop the other one",
				unit->name);
		return true;
	case -EOPNOTSUPP:
		complain_of_support(complaint, unit, options);
		return true;
	case -ENOENT:
		complaint_print(complaint, "%s: the DRM file has no exec queue %" PRIu32,
				unit->name, options->context);
		return true;
	case -EINVAL:
		complaint_print(complaint,
				"xe refuses this stream of %s: the set was removed "
				"meanwhile, the unit has no such report format, "
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
