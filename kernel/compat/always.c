// SPDX-License-Identifier: GPL-2.0-only
/*
 * Control: this file compiles with every kernel. If it does not, the results of the other files
 * mean nothing.
 */
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <linux/device.h>
#include <linux/hrtimer.h>
#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/sysctl.h>
#include <linux/workqueue.h>

struct pmu *probe(struct perf_event *event)
{
	return event->pmu;
}
