/* SPDX-License-Identifier: MIT */
/*
 * aux_copied.h - tests of an AUX area that the kernel copies reports into, for gpuoa_i915.ko and
 * gpuoa_xe.ko. Each returns NULL, or a description of the failure.
 */
#ifndef GPUOA_SELFTEST_AUX_COPIED_H
#define GPUOA_SELFTEST_AUX_COPIED_H

#include "event.h"

/* Reports of a unit */
struct copied {
	unsigned int exponent;
	uint32_t format; /* enum gpuoa_format */
	uint32_t report_size;
	bool wide; /* the header has 64-bit words */
	bool splits; /* GPUOA_FEATURE_SPLIT_REPORTS */
};

/* @attr: attributes of an event in AUX mode, disabled */
const char *copied_reports_are_in_order(struct perf_event_attr *attr, const struct copied *copied);
/* Reports that do not fit into the area stay in the OABUFFER until the reader has consumed others.
 */
const char *copied_area_may_be_full(struct perf_event_attr *attr, const struct copied *copied);
/*
 * An overflow has an unknown size if the reports of a full buffer take longer than timestamps need
 * to wrap. @overflow: causes one
 */
const char *copied_overflow_has_unknown_size(struct perf_event_attr *attr,
					     const struct copied *copied, bool (*overflow)(void));
/* An area that is mapped read-only has the newest reports. */
const char *copied_flight_recorder_has_newest(struct perf_event_attr *attr,
					      const struct copied *copied);

#endif
