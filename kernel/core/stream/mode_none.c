// SPDX-License-Identifier: GPL-2.0-only
/* mode_none.c - query-only mode: no reports; a context's batches read its OAR counters. */
#include <linux/lockdep.h>

#include "loss.h"
#include "mode.h"
#include "oa/oa.h"
#include "run.h"
#include "sink.h"
#include "stream.h"
#include "unit/gpuoa_unit.h"

/**
 * DOC: Query-only mode
 *
 * From gen12 on, a render context has separate counters (OAR). They need the unit's configuration,
 * but OAG may stay off. The stream then contains only its description, clock samples and losses of
 * the unit's registers.
 */

static int none_check(const struct gpuoa_unit *unit, const struct gpuoa_attr *attr,
		      const struct gpuoa_format_desc *format)
{
	if (!unit->oa->needs_context)
		return gpuoa_reject(&unit->dev, -EOPNOTSUPP, "contexts have no own counters");

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
	.flags = GPUOA_ATTR_QUERY_ONLY,
	.check = none_check,
	.free_buffer = none_free_buffer,
	.run = none_run,
	.poll = none_poll,
	.halt = none_halt,
	.spoil = none_spoil,
	.report_cut = gpuoa_stream_report_pending,
};
