// SPDX-License-Identifier: GPL-2.0-only
/*
 * gpuoa_attr.c - conversion of perf_event_attr to a validated struct gpuoa_attr.
 *
 * The flat and the extensible form of an event are both converted to struct gpuoa_attr and then
 * pass the same checks.
 */
#include <linux/bitfield.h>
#include <linux/errno.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <gpuoa_compat.h>

#include "gpuoa_attr.h"
#include "oa/gpuoa_metric_set.h"
#include "oa/gpuoa_oa.h"
#include "oa/gpuoa_report.h"
#include "unit/gpuoa_unit.h"

#define GPUOA_CONFIG_KNOWN \
	(GPUOA_CONFIG_METRIC_SET_MASK | GPUOA_CONFIG_FORMAT_MASK | GPUOA_CONFIG_EXPONENT_MASK | \
	 GPUOA_CONFIG_COUNTER_MASK | GPUOA_CONFIG_AUX_MASK)
#define GPUOA_ATTR_KNOWN                                               \
	(GPUOA_ATTR_EXPONENT | GPUOA_ATTR_CONTEXT | GPUOA_ATTR_AUX |   \
	 GPUOA_ATTR_CONTEXT_HW_ID | GPUOA_ATTR_BATCH_BOUNDARY_REPORTS | GPUOA_ATTR_QUERY_ONLY)

static_assert(sizeof(struct gpuoa_attr) == GPUOA_ATTR_SIZE_VER0);
static_assert(GPUOA_ATTR_MASK_WORDS * 64 * sizeof(u32) >= GPUOA_REPORT_MAX);

/**
 * gpuoa_attr_from_config() - Convert the flat form.
 * @dev: device for debug messages, or NULL
 * @config: perf_event_attr.config
 * @attr: attributes, output
 *
 * Return: 0; -EINVAL for reserved bits; -ENOENT for metric_set 0, which is never assigned
 */
int gpuoa_attr_from_config(const struct device *dev, u64 config, struct gpuoa_attr *attr)
{
	if (config & ~GPUOA_CONFIG_KNOWN)
		return gpuoa_reject(dev, -EINVAL, "reserved bits in config");

	*attr = (struct gpuoa_attr){
		.size = sizeof(*attr),
		.metric_set = FIELD_GET(GPUOA_CONFIG_METRIC_SET_MASK, config),
		.format = FIELD_GET(GPUOA_CONFIG_FORMAT_MASK, config),
		.exponent = FIELD_GET(GPUOA_CONFIG_EXPONENT_MASK, config),
		.counter = FIELD_GET(GPUOA_CONFIG_COUNTER_MASK, config),
	};
	if (!attr->metric_set)
		return gpuoa_reject(dev, -ENOENT, "config has no metric_set");
	if (attr->exponent)
		attr->flags |= GPUOA_ATTR_EXPONENT;
	if (config & GPUOA_CONFIG_AUX_MASK)
		attr->flags |= GPUOA_ATTR_AUX;

	return 0;
}

/**
 * gpuoa_attr_from_user() - Copy the extensible form.
 * @dev: device for debug messages, or NULL
 * @user: user pointer to struct gpuoa_attr
 * @attr: attributes, output
 *
 * Return: 0; -EINVAL if the struct is too short; -E2BIG if unknown fields are not 0, with the known
 * size written back to the user's struct; -EFAULT
 */
int gpuoa_attr_from_user(const struct device *dev, u64 user, struct gpuoa_attr *attr)
{
	struct gpuoa_attr __user *from = u64_to_user_ptr(user);
	u32 size;
	int ret;

	if (get_user(size, &from->size))
		return -EFAULT;
	if (!size)
		size = GPUOA_ATTR_SIZE_VER0;
	if (size < GPUOA_ATTR_SIZE_MIN)
		return gpuoa_reject(dev, -EINVAL, "struct gpuoa_attr is too short");

	ret = size > PAGE_SIZE ? -E2BIG : copy_struct_from_user(attr, sizeof(*attr), from, size);
	if (ret == -E2BIG && put_user((u32)sizeof(*attr), &from->size))
		return -EFAULT;
	if (ret)
		return gpuoa_reject(dev, ret, "cannot take struct gpuoa_attr");
	attr->size = sizeof(*attr);

	return 0;
}

/* Read attributes that are part of the event, not registered before. */
static int attr_from_own(const struct device *dev, const struct perf_event_attr *perf,
			 struct gpuoa_attr *attr)
{
	int ret;

	if (!perf->config1)
		return gpuoa_attr_from_config(dev, perf->config, attr);
	if (perf->config)
		return gpuoa_reject(dev, -EINVAL, "config and config1 exclude each other");

	/* See request_own_set(). */
	pagefault_disable();
	ret = gpuoa_attr_from_user(dev, perf->config1, attr);
	pagefault_enable();

	return ret;
}

/**
 * gpuoa_attr_from_perf() - Read the attributes of an event in any form.
 * @dev: unit's class device, for debug messages, or NULL
 * @perf: the event's attributes
 * @registered: attributes that @perf names by id; NULL: it names none
 * @attr: out: attributes
 * @timing: out: sampling period or rate
 *
 * Return: 0 or an error of gpuoa_attr_from_config() or gpuoa_attr_from_user()
 */
int gpuoa_attr_from_perf(const struct device *dev, const struct perf_event_attr *perf,
			 const struct gpuoa_attr *registered, struct gpuoa_attr *attr,
			 struct gpuoa_timing *timing)
{
	int ret = 0;

	if (perf->config2 || GPUOA_PERF_CONFIG3(perf) || GPUOA_PERF_CONFIG4(perf))
		return gpuoa_reject(dev, -EINVAL, "config2, config3 or config4 is not 0");

	*timing = (struct gpuoa_timing){};
	if (perf->freq)
		timing->rate_hz = perf->sample_freq;
	else
		timing->period_ns = perf->sample_period;

	if (registered)
		*attr = *registered;
	else
		ret = attr_from_own(dev, perf, attr);
	if (ret)
		return ret;

	if (attr->counter && perf->sample_period)
		return gpuoa_reject(dev, -EINVAL, "an event counts or samples, not both");

	return 0;
}

/**
 * gpuoa_attr_format() - Find a report format.
 * @oa: backend
 * @id: enum gpuoa_format
 *
 * Return: the format, or NULL if the unit does not support it
 */
const struct gpuoa_format_desc *gpuoa_attr_format(const struct gpuoa_oa_ops *oa, u32 id)
{
	u32 i;

	if (id == GPUOA_FORMAT_DEFAULT)
		id = oa->default_format;

	for (i = 0; i < oa->n_formats; i++)
		if (oa->formats[i].id == id)
			return &oa->formats[i];

	return NULL;
}

/* Check whether no DRM file is given: 0, as in a zeroed struct, or -1. */
static bool attr_no_file(const struct gpuoa_attr *attr)
{
	return !attr->drm_fd || attr->drm_fd == -1;
}

/* Reject context fields without their flag, and flags without the flag that they modify. */
static bool attr_context_valid(const struct gpuoa_attr *attr)
{
	if (attr->flags & GPUOA_ATTR_CONTEXT_HW_ID)
		return attr->flags & GPUOA_ATTR_CONTEXT && attr_no_file(attr) &&
		       !(attr->flags & GPUOA_ATTR_BATCH_BOUNDARY_REPORTS);

	return attr->flags & GPUOA_ATTR_CONTEXT ||
	       (attr_no_file(attr) && !attr->context &&
		!(attr->flags & GPUOA_ATTR_BATCH_BOUNDARY_REPORTS));
}

static bool attr_selects_dwords(const struct gpuoa_attr *attr)
{
	return memchr_inv(attr->dword_mask, 0, sizeof(attr->dword_mask));
}

/* Check whether reports of the format contain all dwords of the mask. */
static bool attr_mask_fits(const struct gpuoa_attr *attr, const struct gpuoa_format_desc *format)
{
	u32 dwords = format->size / sizeof(u32);
	u32 i, first;

	for (i = 0; i < GPUOA_ATTR_MASK_WORDS; i++) {
		first = i * BITS_PER_LONG_LONG;
		if (dwords <= first ? attr->dword_mask[i] :
		    dwords - first < BITS_PER_LONG_LONG && attr->dword_mask[i] >> (dwords - first))
			return false;
	}

	return true;
}

/* GPUOA_ATTR_QUERY_ONLY excludes the fields and flags that apply to reports. */
static bool attr_none_valid(const struct gpuoa_attr *attr)
{
	const u64 others = GPUOA_ATTR_EXPONENT | GPUOA_ATTR_AUX | GPUOA_ATTR_CONTEXT_HW_ID |
			   GPUOA_ATTR_BATCH_BOUNDARY_REPORTS;

	if (!(attr->flags & GPUOA_ATTR_QUERY_ONLY))
		return true;

	return attr->flags & GPUOA_ATTR_CONTEXT && !(attr->flags & others) && !attr->counter &&
	       !attr->buffer_size && !attr_selects_dwords(attr);
}

/* An event either samples, with an optional dword mask, or counts. */
static int attr_check_delivery(const struct device *dev, const struct gpuoa_attr *attr,
			       const struct gpuoa_format_desc *format)
{
	struct gpuoa_counter_place place;

	if (attr->poll_us && attr->poll_us < GPUOA_POLL_US_MIN)
		return gpuoa_reject(dev, -ERANGE, "poll_us is too short");
	if (!attr_mask_fits(attr, format))
		return gpuoa_reject(dev, -EINVAL, "dword_mask exceeds the report");
	/*
	 * In the AUX area, reports cannot be shortened by a dword mask, and the CPU does not read
	 * their counters.
	 */
	if (attr->flags & GPUOA_ATTR_AUX && (attr->counter || attr_selects_dwords(attr)))
		return gpuoa_reject(dev, -EINVAL, "AUX mode excludes counter and dword_mask");
	if (!attr->counter)
		return 0;
	if (attr_selects_dwords(attr))
		return gpuoa_reject(dev, -EINVAL, "a counting event excludes dword_mask");
	if (!gpuoa_report_find(format, attr->counter, &place))
		return gpuoa_reject(dev, -ENODATA, "the format does not have this counter");

	return 0;
}

static int attr_check_buffer(const struct device *dev, const struct gpuoa_oa_ops *oa, u32 size)
{
	if (!size)
		return 0;
	if (!is_power_of_2(size))
		return gpuoa_reject(dev, -EINVAL, "buffer_size is no power of two");
	if (size < oa->buffer_size_min || size > oa->buffer_size_max)
		return gpuoa_reject(dev, -ERANGE, "the unit cannot have this buffer_size");

	return 0;
}

/**
 * gpuoa_attr_check() - Perform the checks that need no lookup.
 * @dev: device for debug messages, or NULL
 * @oa: backend
 * @attr: attributes
 *
 * Return: 0; -EINVAL for invalid combinations; -ERANGE for values outside of the hardware's limits;
 * -ENODATA for a counter that the format does not contain
 */
int gpuoa_attr_check(const struct device *dev, const struct gpuoa_oa_ops *oa,
		     const struct gpuoa_attr *attr)
{
	const struct gpuoa_format_desc *format = gpuoa_attr_format(oa, attr->format);
	bool inline_set = attr->n_mux || attr->n_boolean || attr->n_flex;
	int ret;

	if (attr->flags & ~GPUOA_ATTR_KNOWN)
		return gpuoa_reject(dev, -EINVAL, "unknown flags");
	if (!(attr->flags & GPUOA_ATTR_EXPONENT) && attr->exponent)
		return gpuoa_reject(dev, -EINVAL, "exponent without GPUOA_ATTR_EXPONENT");
	if (!attr_context_valid(attr))
		return gpuoa_reject(dev, -EINVAL, "context fields and flags do not agree");
	if (!attr_none_valid(attr))
		return gpuoa_reject(dev, -EINVAL,
				    "QUERY_ONLY needs CONTEXT and excludes report options");
	if (!gpuoa_list_valid(attr->n_mux, attr->mux) ||
	    !gpuoa_list_valid(attr->n_boolean, attr->boolean) ||
	    !gpuoa_list_valid(attr->n_flex, attr->flex))
		return gpuoa_reject(dev, -EINVAL, "a register list without registers");
	if (!attr->metric_set == !inline_set)
		return gpuoa_reject(dev, -EINVAL,
				    "exactly one of metric_set and inline registers is required");
	if (!format)
		return gpuoa_reject(dev, -EINVAL, "the unit does not have this format");
	if (attr->exponent > oa->exponent_max)
		return gpuoa_reject(dev, -ERANGE, "exponent beyond exponent_max");

	ret = attr_check_buffer(dev, oa, attr->buffer_size);

	return ret ?: attr_check_delivery(dev, attr, format);
}

/**
 * gpuoa_attr_exponent() - Get the requested timer exponent.
 * @oa: backend
 * @timestamp_frequency: timestamp frequency, Hz
 * @attr: validated attributes
 * @timing: period or rate, used if @attr has no exponent
 *
 * Return: the exponent, or the largest one with GPUOA_ATTR_QUERY_ONLY; -EINVAL if no period is
 * given; -ERANGE if the rate is too high
 */
int gpuoa_attr_exponent(const struct gpuoa_oa_ops *oa, u64 timestamp_frequency,
			const struct gpuoa_attr *attr, const struct gpuoa_timing *timing)
{
	if (attr->flags & GPUOA_ATTR_EXPONENT)
		return attr->exponent;
	if (attr->flags & GPUOA_ATTR_QUERY_ONLY)
		return oa->exponent_max;
	if (timing->rate_hz)
		return gpuoa_exponent_from_rate(timestamp_frequency, oa->exponent_max,
						timing->rate_hz);
	if (timing->period_ns)
		return gpuoa_exponent_from_period(timestamp_frequency, oa->exponent_max,
						  timing->period_ns);

	return -EINVAL;
}
