/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_attr.h - conversion of perf_event_attr to a validated struct gpuoa_attr. */
#ifndef _GPUOA_ATTR_H
#define _GPUOA_ATTR_H

#include <linux/types.h>

#include "uapi/gpuoa.h"

struct device;
struct gpuoa_format_desc;
struct gpuoa_oa_ops;
struct perf_event_attr;

/* Minimum size of struct gpuoa_attr: all fields up to @exponent. */
#define GPUOA_ATTR_SIZE_MIN offsetofend(struct gpuoa_attr, exponent)

/**
 * struct gpuoa_timing - requested sampling period, used if there is no exponent
 * @period_ns: requested period, ns, or 0
 * @rate_hz: requested rate, Hz, or 0
 */
struct gpuoa_timing {
	u64 period_ns;
	u64 rate_hz;
};

int gpuoa_attr_from_config(const struct device *dev, u64 config, struct gpuoa_attr *attr);
int gpuoa_attr_from_user(const struct device *dev, u64 user, struct gpuoa_attr *attr);
int gpuoa_attr_from_perf(const struct device *dev, const struct perf_event_attr *perf,
			 const struct gpuoa_attr *registered, struct gpuoa_attr *attr,
			 struct gpuoa_timing *timing);
int gpuoa_attr_check(const struct device *dev, const struct gpuoa_oa_ops *oa,
		     const struct gpuoa_attr *attr);
int gpuoa_attr_exponent(const struct gpuoa_oa_ops *oa, u64 timestamp_frequency,
			const struct gpuoa_attr *attr, const struct gpuoa_timing *timing);
const struct gpuoa_format_desc *gpuoa_attr_format(const struct gpuoa_oa_ops *oa, u32 id);

#endif /* _GPUOA_ATTR_H */
