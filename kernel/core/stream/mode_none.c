// SPDX-License-Identifier: GPL-2.0-only
/*
 * mode_none.c - no reports: a context's own counters are on, for its own batches to report them.
 */
#include <linux/lockdep.h>

#include "loss.h"
#include "mode.h"
#include "oa/oa.h"
#include "run.h"
#include "sink.h"
#include "stream.h"
#include "unit/refuse.h"
#include "unit/unit.h"

/**
 * DOC: No reports
 *
 * From gen12 on a render context has counters of its own (OAR), which need the configuration of the
 * unit, but not the unit to be on. What is told then is what the stream is, now and then the clock,
 * and when the registers were lost for a while.
 */

static int none_check(const struct gpuoa_unit *unit, const struct gpuoa_attr *attr,
		      const struct gpuoa_format_desc *format)
{
	if (!unit->oa->needs_context)
		return gpuoa_refuse(&unit->dev, -EOPNOTSUPP, "contexts have no own counters");

	return 0;
}

static void none_free_buffer(struct gpuoa_stream *stream)
{
}

static void none_run(struct gpuoa_stream *stream)
{
	stream->running = !gpuoa_recovery_wait(stream);
}

static u64 none_poll(struct gpuoa_stream *stream)
{
	lockdep_assert_held(&stream->lock);

	stream->running = true;
	stream->sink->ops->flush(stream->sink);

	return GPUOA_ANNOUNCE_NS;
}

static void none_halt(struct gpuoa_stream *stream)
{
	stream->running = false;
	gpuoa_stream_report_pending(stream);
	stream->sink->ops->flush(stream->sink);
}

static void none_spoil(struct gpuoa_stream *stream)
{
}

const struct gpuoa_mode gpuoa_mode_none = {
	.flags = GPUOA_ATTR_NO_REPORTS,
	.check = none_check,
	.free_buffer = none_free_buffer,
	.run = none_run,
	.poll = none_poll,
	.halt = none_halt,
	.spoil = none_spoil,
	.report_cut = gpuoa_stream_report_pending,
};
