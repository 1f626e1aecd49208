// SPDX-License-Identifier: GPL-2.0-only
/*
 * attr.c - what a user asks for: from perf_event_attr to a checked description of an event.
 *
 * Both ways to describe an event, flat bits and struct gpuoa_attr, end in the same struct
 * gpuoa_attr and then take the same checks.
 */
#include <linux/bitfield.h>
#include <linux/errno.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <gpuoa_compat.h>

#include "attr.h"
#include "oa/exponent.h"
#include "oa/oa.h"

#define GPUOA_CONFIG_KNOWN \
	(GPUOA_CONFIG_METRIC_SET_MASK | GPUOA_CONFIG_FORMAT_MASK | GPUOA_CONFIG_EXPONENT_MASK | \
	 GPUOA_CONFIG_COUNTER_MASK | GPUOA_CONFIG_AUX_MASK)
#define GPUOA_ATTR_KNOWN                                               \
	(GPUOA_ATTR_EXPONENT | GPUOA_ATTR_CONTEXT | GPUOA_ATTR_AUX |   \
	 GPUOA_ATTR_CONTEXT_HW_ID | GPUOA_ATTR_BATCHES)

static_assert(sizeof(struct gpuoa_attr) == GPUOA_ATTR_SIZE_VER1);
static_assert(GPUOA_KEEP_WORDS * 64 * sizeof(u32) >= GPUOA_REPORT_MAX);

/**
 * gpuoa_attr_from_config - read the flat form
 * @config: perf_event_attr.config
 * @attr: out
 *
 * Return: 0, -EINVAL for reserved bits, -ENOENT for metric_set 0, which no configuration has
 */
int gpuoa_attr_from_config(u64 config, struct gpuoa_attr *attr)
{
	if (config & ~GPUOA_CONFIG_KNOWN)
		return -EINVAL;

	*attr = (struct gpuoa_attr){
		.size = sizeof(*attr),
		.metric_set = FIELD_GET(GPUOA_CONFIG_METRIC_SET_MASK, config),
		.format = FIELD_GET(GPUOA_CONFIG_FORMAT_MASK, config),
		.exponent = FIELD_GET(GPUOA_CONFIG_EXPONENT_MASK, config),
		.counter = FIELD_GET(GPUOA_CONFIG_COUNTER_MASK, config),
	};
	if (!attr->metric_set)
		return -ENOENT;
	if (attr->exponent)
		attr->flags |= GPUOA_ATTR_EXPONENT;
	if (config & GPUOA_CONFIG_AUX_MASK)
		attr->flags |= GPUOA_ATTR_AUX;

	return 0;
}

/**
 * gpuoa_attr_from_user - read the extensible form
 * @user: user pointer to struct gpuoa_attr
 * @attr: out
 *
 * Return: 0, -EINVAL for a struct that is too short, -E2BIG for one that says what this kernel does
 * not know (the size that it knows is then written back), -EFAULT
 */
int gpuoa_attr_from_user(u64 user, struct gpuoa_attr *attr)
{
	struct gpuoa_attr __user *from = u64_to_user_ptr(user);
	u32 size;
	int ret;

	if (get_user(size, &from->size))
		return -EFAULT;
	if (!size)
		size = GPUOA_ATTR_SIZE_VER0;
	if (size < GPUOA_ATTR_SIZE_MIN)
		return -EINVAL;

	ret = size > PAGE_SIZE ? -E2BIG : copy_struct_from_user(attr, sizeof(*attr), from, size);
	if (ret == -E2BIG && put_user((u32)sizeof(*attr), &from->size))
		return -EFAULT;
	if (ret)
		return ret;
	attr->size = sizeof(*attr);

	return 0;
}

/**
 * gpuoa_attr_from_perf - read either form out of a perf event's attributes
 * @perf: the event's attributes
 * @attr: out
 * @timing: out: sampling period or rate
 *
 * Return: 0 or as gpuoa_attr_from_config() and gpuoa_attr_from_user()
 */
int gpuoa_attr_from_perf(const struct perf_event_attr *perf, struct gpuoa_attr *attr,
			 struct gpuoa_timing *timing)
{
	int ret;

	if (perf->config2 || GPUOA_PERF_CONFIG3(perf))
		return -EINVAL;

	*timing = (struct gpuoa_timing){};
	if (perf->freq)
		timing->rate_hz = perf->sample_freq;
	else
		timing->period_ns = perf->sample_period;

	if (!perf->config1)
		ret = gpuoa_attr_from_config(perf->config, attr);
	else
		ret = perf->config ? -EINVAL : gpuoa_attr_from_user(perf->config1, attr);
	if (ret)
		return ret;

	/* What counts does not sample. */
	return attr->counter && perf->sample_period ? -EINVAL : 0;
}

/**
 * gpuoa_attr_format - find a report format
 * @oa: the backend
 * @id: enum gpuoa_format
 *
 * Return: the format, or NULL if the hardware has none of this id
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

/* Fields without their flag make no sense, nor does a flag without the one that it adds to. */
static bool attr_context_valid(const struct gpuoa_attr *attr)
{
	if (attr->flags & GPUOA_ATTR_CONTEXT_HW_ID)
		return attr->flags & GPUOA_ATTR_CONTEXT && !attr->drm_fd &&
		       !(attr->flags & GPUOA_ATTR_BATCHES);

	return attr->flags & GPUOA_ATTR_CONTEXT ||
	       !(attr->drm_fd || attr->context || attr->flags & GPUOA_ATTR_BATCHES);
}

static bool attr_thins(const struct gpuoa_attr *attr)
{
	return memchr_inv(attr->keep, 0, sizeof(attr->keep));
}

/* Are these dwords of the format's reports? */
static bool attr_keep_fits(const struct gpuoa_attr *attr, const struct gpuoa_format_desc *format)
{
	u32 dwords = format->size / sizeof(u32);
	u32 i, first;

	for (i = 0; i < GPUOA_KEEP_WORDS; i++) {
		first = i * BITS_PER_LONG_LONG;
		if (dwords <= first ? attr->keep[i] :
		    dwords - first < BITS_PER_LONG_LONG && attr->keep[i] >> (dwords - first))
			return false;
	}

	return true;
}

/* What an event is for: it samples, all or some dwords, or it counts. */
static int attr_check_use(const struct gpuoa_attr *attr, const struct gpuoa_format_desc *format)
{
	struct gpuoa_counter_place place;

	if (attr->reserved || !attr_keep_fits(attr, format))
		return -EINVAL;
	/* In the AUX area, reports are whole, and nobody looks at them. */
	if (attr->flags & GPUOA_ATTR_AUX && (attr->counter || attr_thins(attr)))
		return -EINVAL;
	if (!attr->counter)
		return 0;
	if (attr_thins(attr))
		return -EINVAL;

	return gpuoa_report_find(format, attr->counter, &place) ? 0 : -ENODATA;
}

/**
 * gpuoa_attr_check - check all that can be checked without looking anything up
 * @oa: the backend
 * @attr: what is asked
 *
 * Return: 0, -EINVAL for what makes no sense, -ERANGE for what the hardware can't do, -ENODATA for
 * a counter that the format does not have
 */
int gpuoa_attr_check(const struct gpuoa_oa_ops *oa, const struct gpuoa_attr *attr)
{
	const struct gpuoa_format_desc *format = gpuoa_attr_format(oa, attr->format);
	bool inline_set = attr->n_mux || attr->n_boolean || attr->n_flex;

	if (attr->flags & ~GPUOA_ATTR_KNOWN)
		return -EINVAL;
	if (!(attr->flags & GPUOA_ATTR_EXPONENT) && attr->exponent)
		return -EINVAL;
	if (!attr_context_valid(attr))
		return -EINVAL;
	/* A registered configuration or an inline one: exactly one of them. */
	if (!attr->metric_set == !inline_set)
		return -EINVAL;
	if (!format)
		return -EINVAL;

	if (attr->exponent > oa->exponent_max)
		return -ERANGE;
	if (attr->buffer_size) {
		if (!is_power_of_2(attr->buffer_size))
			return -EINVAL;
		if (attr->buffer_size < oa->buffer_size_min ||
		    attr->buffer_size > oa->buffer_size_max)
			return -ERANGE;
	}

	return attr_check_use(attr, format);
}

/**
 * gpuoa_attr_exponent - which timer exponent is asked for?
 * @oa: the backend
 * @timestamp_frequency: Hz
 * @attr: what is asked, checked
 * @timing: period or rate, if @attr has no exponent
 *
 * Return: the exponent, -EINVAL if nothing says how often to sample, -ERANGE if it is too often
 */
int gpuoa_attr_exponent(const struct gpuoa_oa_ops *oa, u64 timestamp_frequency,
			const struct gpuoa_attr *attr, const struct gpuoa_timing *timing)
{
	if (attr->flags & GPUOA_ATTR_EXPONENT)
		return attr->exponent;
	if (timing->rate_hz)
		return gpuoa_exponent_from_rate(timestamp_frequency, oa->exponent_max,
						timing->rate_hz);
	if (timing->period_ns)
		return gpuoa_exponent_from_period(timestamp_frequency, oa->exponent_max,
						  timing->period_ns);

	return -EINVAL;
}
