// SPDX-License-Identifier: GPL-2.0-only
/*
 * event.c - what an event needs of its unit, before core knows the event.
 */
#include <linux/err.h>
#include <linux/slab.h>
#include <linux/time64.h>

#include "event.h"
#include "oa/report.h"
#include "pmu.h"
#include "stream/acquire.h"
#include "stream/stream.h"

/**
 * gpuoa_event_new - acquire what an event needs
 * @pmu: the PMU
 * @attr: what is asked
 * @timing: how often, if @attr does not say
 *
 * Context: may sleep, accesses user memory
 * Return: what the event is to us, or an ERR_PTR as uapi/gpuoa.h documents for perf_event_open
 */
struct gpuoa_event *gpuoa_event_new(struct gpuoa_pmu *pmu, const struct gpuoa_attr *attr,
				    const struct gpuoa_timing *timing)
{
	struct gpuoa_event *ours = kzalloc(sizeof(*ours), GFP_KERNEL);
	struct gpuoa_stream *stream;

	if (!ours)
		return ERR_PTR(-ENOMEM);

	stream = gpuoa_stream_get(pmu->unit, attr, timing, &pmu->raw.sink);
	if (IS_ERR(stream)) {
		kfree(ours);
		return ERR_CAST(stream);
	}
	ours->stream = stream;
	ours->runner.poll_ns = attr->poll_us ? (u64)attr->poll_us * NSEC_PER_USEC : U64_MAX;
	ours->counts = attr->counter &&
		       gpuoa_report_find(stream->request.format, attr->counter, &ours->count.place);

	return ours;
}

/**
 * gpuoa_event_free - undo gpuoa_event_new(), unless the event is core's by now
 * @ours: what an event would have been to us
 *
 * Context: may sleep
 */
void gpuoa_event_free(struct gpuoa_event *ours)
{
	gpuoa_stream_put(ours->stream, !ours->counts);
	kfree(ours);
}
