// SPDX-License-Identifier: GPL-2.0-only
/*
 * Control: this file compiles with no kernel. If it does, the results of the other files mean
 * nothing.
 */
#include <linux/perf_event.h>

void *probe(struct perf_event *event)
{
	return event->gpuoa_no_such_member + gpuoa_no_such_function(event);
}
