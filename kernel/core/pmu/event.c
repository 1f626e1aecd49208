// SPDX-License-Identifier: GPL-2.0-only
/* event.c - private data of an event, allocated before perf creates the event. */
#include <linux/err.h>
#include <linux/slab.h>
#include <linux/time64.h>

#include "event.h"
#include "oa/gpuoa_report.h"
#include "pmu.h"
#include "stream/acquire.h"
#include "stream/stream.h"

/**
 * gpuoa_event_new() - Acquire the resources of an event.
 * @pmu: PMU
 * @attr: attributes of the event
 * @timing: period or rate, used if @attr has no exponent
 * @registered: registered attributes that @attr is a copy of; NULL: @attr refers to user memory
 *
 * Context: may sleep, accesses user memory unless @registered
 * Return: private data of the event, or an ERR_PTR as documented for perf_event_open in
 * uapi/gpuoa.h
 */
struct gpuoa_event *gpuoa_event_new(struct gpuoa_pmu *pmu, const struct gpuoa_attr *attr,
				    const struct gpuoa_timing *timing,
				    const struct gpuoa_registered_attr *registered)
{
	struct gpuoa_event *ours = kzalloc(sizeof(*ours), GFP_KERNEL);
	struct gpuoa_stream *stream;

	if (!ours)
		return ERR_PTR(-ENOMEM);

	stream = gpuoa_stream_get(pmu->unit, attr, timing, registered, &pmu->raw.sink);
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
 * gpuoa_event_free() - Undo gpuoa_event_new(), if no event has taken over the data.
 * @ours: private data
 *
 * Context: may sleep
 */
void gpuoa_event_free(struct gpuoa_event *ours)
{
	gpuoa_stream_put(ours->stream, !ours->counts);
	kfree(ours);
}
