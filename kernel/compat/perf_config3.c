// SPDX-License-Identifier: GPL-2.0-only
/* 6.3: perf_event_attr.config3 */
#include <linux/perf_event.h>

u64 probe(struct perf_event_attr *attr)
{
	return attr->config3;
}
