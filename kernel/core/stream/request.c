// SPDX-License-Identifier: GPL-2.0-only
/*
 * request.c - what an event asks of a unit: checked, looked up, and compared with what runs.
 */
#include <linux/capability.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "attr.h"
#include "buffer.h"
#include "count.h"
#include "mode.h"
#include "oa/exponent.h"
#include "oa/metric_set.h"
#include "oa/oa.h"
#include "request.h"
#include "thin.h"
#include "unit/limits.h"
#include "unit/refuse.h"
#include "unit/registry.h"
#include "unit/unit.h"

/* A hardware id does not tell who owns the context. */
static int request_name_context(struct gpuoa_request *request, struct gpuoa_unit *unit,
				const struct gpuoa_attr *attr)
{
	if (!perfmon_capable())
		return gpuoa_refuse(&unit->dev, -EACCES, "hardware ids need CAP_PERFMON");
	request->context_id = attr->context & unit->context_mask;
	request->filter = true;

	return 0;
}

/* What the unit or the host cannot do for one context. */
static int request_check_context(const struct gpuoa_unit *unit, const struct gpuoa_attr *attr)
{
	bool by_handle = !(attr->flags & GPUOA_ATTR_CONTEXT_HW_ID);
	const char *missing = NULL;

	if (!unit->oa->filters_contexts)
		missing = "the unit does not filter contexts";
	else if (by_handle && !gpuoa_unit_measures_contexts(unit->oa, unit->ops))
		missing = "the host does not write a context's registers";
	else if (attr->flags & GPUOA_ATTR_BATCHES && !unit->ops->context_batches)
		missing = "the host does not report batches";

	return missing ? gpuoa_refuse(&unit->dev, -EOPNOTSUPP, missing) : 0;
}

static int request_find_context(struct gpuoa_request *request, struct gpuoa_unit *unit,
				const struct gpuoa_attr *attr)
{
	struct file *file;
	int ret;

	if (!(attr->flags & GPUOA_ATTR_CONTEXT))
		return 0;
	ret = request_check_context(unit, attr);
	if (ret)
		return ret;
	if (attr->flags & GPUOA_ATTR_CONTEXT_HW_ID)
		return request_name_context(request, unit, attr);
	request->batches = attr->flags & GPUOA_ATTR_BATCHES;

	file = fget(attr->drm_fd);
	if (!file)
		return -EBADF;
	ret = unit->ops->context_get(unit->host, file, attr->context, &request->context_id,
				     &request->context);
	fput(file);
	/* A driver's id may have bits that stand in no report: an engine, a counter. */
	request->context_id &= unit->context_mask;
	request->filter = !ret;

	return ret;
}

/*
 * Inline registers are a configuration as any other, and need the same permission as adding one.
 * Core opens an event in an SRCU read-side section that perf_pmu_unregister() of all PMUs waits
 * for, so this must not wait for memory that a user pages in (userfaultfd, FUSE).
 */
static struct gpuoa_metric_set *request_inline_set(struct gpuoa_unit *unit,
						   const struct gpuoa_attr *attr)
{
	struct gpuoa_metric_set *set;
	struct gpuoa_user_regs regs = {
		.mux = attr->mux,
		.boolean = attr->boolean,
		.flex = attr->flex,
		.n_mux = attr->n_mux,
		.n_boolean = attr->n_boolean,
		.n_flex = attr->n_flex,
	};

	if (!perfmon_capable())
		return ERR_PTR(gpuoa_refuse(&unit->dev, -EACCES,
					    "inline registers need CAP_PERFMON"));

	pagefault_disable();
	set = gpuoa_metric_set_from_user(unit->oa, &regs);
	pagefault_enable();

	return set;
}

static u64 period_ns(const struct gpuoa_unit *unit, u32 exponent)
{
	return gpuoa_exponent_period_ns(unit->info.timestamp_frequency, exponent);
}

/* True if no counter can wrap twice between two reports. */
static bool exponent_can_count(const struct gpuoa_unit *unit, u32 exponent)
{
	return period_ns(unit, exponent) <= gpuoa_count_period_max(&unit->info);
}

static int request_init_exponent(struct gpuoa_request *request, const struct gpuoa_unit *unit,
				 const struct gpuoa_attr *attr, const struct gpuoa_timing *timing)
{
	const struct gpuoa_timing counting = {
		.period_ns = min_t(u64, GPUOA_COUNT_PERIOD_NS, gpuoa_count_period_max(&unit->info)),
	};
	u64 frequency = unit->info.timestamp_frequency;
	int ret;

	ret = gpuoa_attr_exponent(unit->oa, frequency, attr, attr->counter ? &counting : timing);
	if (ret < 0)
		return gpuoa_refuse(&unit->dev, ret, "no exponent for this period or rate");
	request->exponent = ret;
	request->any_exponent = attr->counter && !(attr->flags & GPUOA_ATTR_EXPONENT);
	if (attr->counter && !exponent_can_count(unit, request->exponent))
		return gpuoa_refuse(&unit->dev, -ERANGE, "counters may wrap twice in a period");
	if (gpuoa_exponent_faster_than(frequency, request->exponent, gpuoa_max_sample_rate()) &&
	    !perfmon_capable())
		return gpuoa_refuse(&unit->dev, -EACCES,
				    "rates beyond dev.gpuoa.max_sample_rate need CAP_PERFMON");

	return 0;
}

/**
 * gpuoa_request_init - check what an event asks for, and copy all of it that is in user memory
 * @request: out
 * @unit: the unit
 * @attr: what the event asks for
 * @timing: how often, if @attr does not say
 *
 * Context: may sleep, accesses user memory
 * Return: 0, or a negative errno as uapi/gpuoa.h documents for perf_event_open
 */
int gpuoa_request_init(struct gpuoa_request *request, struct gpuoa_unit *unit,
		       const struct gpuoa_attr *attr, const struct gpuoa_timing *timing)
{
	struct gpuoa_thin thin;
	int ret;

	*request = (struct gpuoa_request){};

	ret = gpuoa_attr_check(&unit->dev, unit->oa, attr);
	if (ret)
		return ret;
	request->mode = gpuoa_mode_of(attr->flags);
	request->format = gpuoa_attr_format(unit->oa, attr->format);
	request->buffer_size = attr->buffer_size;
	request->buffer_default_max = perfmon_capable() ? GPUOA_BUFFER_COMMON_MAX :
							  GPUOA_BUFFER_USER_MAX;
	request->samples = !attr->counter;
	gpuoa_thin_init(&thin, request->format, attr->keep);
	memcpy(request->keep, thin.keep, sizeof(request->keep));
	ret = request->mode->check ? request->mode->check(unit, attr, request->format) : 0;
	if (ret)
		return ret;

	if (attr->buffer_size > GPUOA_BUFFER_COMMON_MAX && !perfmon_capable())
		return gpuoa_refuse(&unit->dev, -EACCES, "buffers above 16 MiB need CAP_PERFMON");

	ret = request_init_exponent(request, unit, attr, timing);
	if (ret)
		return ret;

	if (!attr->metric_set) {
		request->set = request_inline_set(unit, attr);
		if (IS_ERR(request->set))
			return PTR_ERR(request->set);
	}

	return 0;
}

/**
 * gpuoa_request_find - look up what an event asks for by name
 * @request: the request, from gpuoa_request_init(); dropped on failure
 * @unit: the unit, entered
 * @attr: what the event asks for
 *
 * Context: may sleep, does not access user memory
 * Return: 0; -ENOENT: no such configuration or context; what the host says of the context
 */
int gpuoa_request_find(struct gpuoa_request *request, struct gpuoa_unit *unit,
		       const struct gpuoa_attr *attr)
{
	int ret;

	if (!request->set)
		request->set = gpuoa_registry_get(&unit->sets, attr->metric_set);
	if (!request->set)
		return gpuoa_refuse(&unit->dev, -ENOENT, "no configuration has this id");

	ret = request_find_context(request, unit, attr);
	if (ret)
		gpuoa_request_drop(request);

	return ret;
}

/**
 * gpuoa_request_drop - let go of a request whose context was not looked up
 * @request: the request
 */
void gpuoa_request_drop(struct gpuoa_request *request)
{
	if (request->set)
		gpuoa_metric_set_put(request->set);
}

/**
 * gpuoa_request_release - let go of all that a request holds
 * @request: the request
 * @unit: the unit, whose host is still there
 */
void gpuoa_request_release(struct gpuoa_request *request, struct gpuoa_unit *unit)
{
	if (request->context)
		unit->ops->context_put(unit->host, request->context);
	gpuoa_metric_set_put(request->set);
}

/*
 * A request by hardware id may join a stream that was opened by handle. The reverse is refused:
 * nobody would hold the context.
 */
static bool context_fits(const struct gpuoa_request *request, const struct gpuoa_request *running)
{
	if (running->filter != request->filter)
		return false;

	return request->context ? running->context == request->context :
				  running->context_id == request->context_id;
}

/* An empty UUID (inline configuration) is compatible with any. */
static bool set_fits(const struct gpuoa_metric_set *a, const struct gpuoa_metric_set *b)
{
	return gpuoa_metric_set_equal(a, b) &&
	       (!a->uuid[0] || !b->uuid[0] || !strcasecmp(a->uuid, b->uuid));
}

static bool exponent_fits(const struct gpuoa_request *request, const struct gpuoa_unit *unit,
			  const struct gpuoa_request *running)
{
	return running->exponent == request->exponent ||
	       (request->any_exponent && exponent_can_count(unit, running->exponent));
}

/**
 * gpuoa_request_fits - can an event share the stream that runs?
 * @request: what it asks for
 * @unit: the unit
 * @running: what the stream was opened for
 *
 * Return: true if it can, as far as the unit is concerned
 */
bool gpuoa_request_fits(const struct gpuoa_request *request, const struct gpuoa_unit *unit,
			const struct gpuoa_request *running)
{
	const char *differs = NULL;

	/* One AUX area cannot belong to two events. */
	if (request->mode != running->mode || running->mode->in_area)
		differs = "mode";
	else if (!set_fits(request->set, running->set))
		differs = "configuration";
	else if (request->format != running->format)
		differs = "format";
	else if (!exponent_fits(request, unit, running))
		differs = "exponent";
	else if (!context_fits(request, running) || request->batches != running->batches)
		differs = "context";
	else if (request->buffer_size && request->buffer_size != running->buffer_size)
		differs = "buffer size";
	if (differs)
		dev_dbg(&unit->dev, "busy: the event that has the unit differs in its %s\n",
			differs);

	return !differs;
}

/**
 * gpuoa_request_keeps_same - do two sampling events want the same dwords of each report?
 * @request: what one asks for
 * @running: what the other asked for
 *
 * Return: true if they do, or if @request does not sample
 */
bool gpuoa_request_keeps_same(const struct gpuoa_request *request,
			      const struct gpuoa_request *running)
{
	return !request->samples || !memcmp(running->keep, request->keep, sizeof(request->keep));
}

/**
 * gpuoa_request_period_ns - the timer's period
 * @request: the request
 * @unit: the unit
 *
 * Return: ns
 */
u64 gpuoa_request_period_ns(const struct gpuoa_request *request, const struct gpuoa_unit *unit)
{
	return period_ns(unit, request->exponent);
}
