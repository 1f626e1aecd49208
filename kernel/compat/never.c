// SPDX-License-Identifier: GPL-2.0-only
/* Control: compiles on no kernel; if it does, the other results mean nothing. */
#include <linux/perf_event.h>

void *probe(struct perf_event *event)
{
	return event->gpuoa_no_such_member + gpuoa_no_such_function(event);
}
