// SPDX-License-Identifier: GPL-2.0-only
/* 6.19: perf_event_attr.config4 */
#include <linux/perf_event.h>

u64 probe(struct perf_event_attr *attr)
{
	return attr->config4;
}
